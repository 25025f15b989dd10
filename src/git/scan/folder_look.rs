//! One folder of the worktree beside the index.

use std::collections::HashMap;
use std::os::fd::BorrowedFd;

use gix::bstr::ByteVec;
use gix::index::entry::{Flags, Mode};
use rustix::fs::{AtFlags, Dir, FileType};

use super::{Folder, LevelPart, ScanRules, Suspect, Unknown, index_stat, is_later};

/// A look at one folder that is open.
pub(super) struct FolderLook<'a> {
    pub(super) index: &'a gix::index::State,
    pub(super) rules: ScanRules,
    pub(super) folders: &'a [Folder],
    pub(super) folder: &'a Folder,
    pub(super) is_root: bool,
}

impl<'a> FolderLook<'a> {
    /// Sorts the folders out and counts the files.
    pub(super) fn list(&self, listed: &mut Dir, part: &mut LevelPart) -> rustix::io::Result<usize> {
        let start = self.name_start();
        let name = |child: usize| &self.folders[child].path[start..];
        let children = self.folder.folders.iter();
        let mut children: HashMap<&[u8], usize> =
            children.map(|&child| (name(child), child)).collect();
        let mut files = 0;
        while let Some(item) = listed.read() {
            let item = item?;
            let name = item.file_name().to_bytes();
            if self.is_never_content(name) {
                continue;
            }
            if !is_folder(listed.fd()?, name, item.file_type())? {
                files += 1;
            } else if let Some(child) = children.remove(name) {
                part.next.push(child);
            } else if self.tracked_mode(name) != Some(Mode::COMMIT) {
                // A folder in place of a tracked file holds nothing that is tracked.
                part.unknown.push(self.unknown(name, true));
            }
        }
        part.missing.extend(children.into_values());
        Ok(files)
    }

    /// Compares the tracked files with the index, and counts those that are there.
    pub(super) fn at_tracked(
        &self,
        handle: BorrowedFd<'_>,
        part: &mut LevelPart,
    ) -> rustix::io::Result<usize> {
        let mut files = 0;
        for &position in &self.folder.entries {
            let name = self.name_of(position);
            let stat = match rustix::fs::statat(handle, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Some(stat),
                Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => None,
                Err(errno) => return Err(errno),
            };
            files += usize::from(stat.is_some_and(|stat| !is_folder_mode(stat.st_mode)));
            let entry = &self.index.entries()[position];
            if let Some(suspect) = suspicion(self.index, entry, position, stat, self.rules) {
                part.suspects.push(suspect);
            }
        }
        Ok(files)
    }

    pub(super) fn name_untracked(
        &self,
        listed: &mut Dir,
        part: &mut LevelPart,
    ) -> rustix::io::Result<()> {
        listed.rewind();
        while let Some(item) = listed.read() {
            let item = item?;
            let name = item.file_name().to_bytes();
            if !self.is_never_content(name)
                && self.tracked_mode(name).is_none()
                && !is_folder(listed.fd()?, name, item.file_type())?
            {
                part.unknown.push(self.unknown(name, false));
            }
        }
        Ok(())
    }

    fn is_never_content(&self, name: &[u8]) -> bool {
        name == b"." || name == b".." || (self.is_root && name == b".git")
    }

    /// Where the names of what is in the folder begin in their paths.
    fn name_start(&self) -> usize {
        match self.folder.path.len() {
            0 => 0,
            length => length + 1,
        }
    }

    fn name_of(&self, entry: usize) -> &'a [u8] {
        let backing = self.index.path_backing();
        &self.index.entries()[entry].path_in(backing)[self.name_start()..]
    }

    fn tracked_mode(&self, name: &[u8]) -> Option<Mode> {
        // Names within a folder are in the index's order, which is byte order.
        let entries = &self.folder.entries;
        let found = entries.binary_search_by(|&entry| self.name_of(entry).cmp(name));
        Some(self.index.entries()[entries[found.ok()?]].mode)
    }

    fn unknown(&self, name: &[u8], is_dir: bool) -> Unknown {
        let mut path = self.folder.path.clone();
        if !path.is_empty() {
            path.push_byte(b'/');
        }
        path.push_str(name);
        Unknown { path, is_dir }
    }
}

/// Whether a listed name is a folder; some file systems leave the kind out of the listing.
fn is_folder(parent: BorrowedFd<'_>, name: &[u8], listed: FileType) -> rustix::io::Result<bool> {
    if listed != FileType::Unknown {
        return Ok(listed == FileType::Directory);
    }
    match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(is_folder_mode(stat.st_mode)),
        // It is gone by now.
        Err(rustix::io::Errno::NOENT) => Ok(false),
        Err(errno) => Err(errno),
    }
}

fn is_folder_mode(mode: rustix::fs::RawMode) -> bool {
    FileType::from_raw_mode(mode) == FileType::Directory
}

/// Whether a tracked file needs a look at its content.
pub(super) fn suspicion(
    index: &gix::index::State,
    entry: &gix::index::Entry,
    position: usize,
    stat: Option<rustix::fs::Stat>,
    rules: ScanRules,
) -> Option<Suspect> {
    let Some(raw) = stat else {
        let absent_on_purpose = rules.sparse && entry.flags.contains(Flags::SKIP_WORKTREE);
        return (!absent_on_purpose).then_some(Suspect {
            entry: position,
            stat: None,
        });
    };
    let stat = index_stat(&raw);
    let kind_matches = match FileType::from_raw_mode(raw.st_mode) {
        FileType::RegularFile => {
            let executable = raw.st_mode & 0o100 != 0;
            match entry.mode {
                Mode::FILE => !rules.trust_executable_bit || !executable,
                Mode::FILE_EXECUTABLE => !rules.trust_executable_bit || executable,
                _ => false,
            }
        }
        FileType::Symlink => entry.mode == Mode::SYMLINK,
        // A submodule: its own commit decides, not the folder's `stat`.
        FileType::Directory => {
            return Some(Suspect {
                entry: position,
                stat: Some(stat),
            });
        }
        _ => false,
    };
    let clean = kind_matches
        && !entry.flags.contains(Flags::INTENT_TO_ADD)
        && entry.stat.matches(&stat, rules.stat)
        && !entry.stat.is_racy(index.timestamp(), rules.stat)
        && rules
            .later_than
            .is_none_or(|moment| !is_later(stat, moment));
    (!clean).then_some(Suspect {
        entry: position,
        stat: Some(stat),
    })
}
