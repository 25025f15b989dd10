//! One pass over the worktree: which tracked files may differ from the index, and which names
//! the index does not know.
//!
//! This runs before and after every test run, so it is the hottest loop of the program. Only
//! folders that hold tracked files are listed here, in parallel, one `statat` per tracked file;
//! ignore rules are asked afterwards, and only for the few names that are not tracked.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::index::entry::{Flags, Mode, Stat, stat::Options as StatOptions};
use rustix::fs::{AtFlags, Dir, FileType, Mode as OpenMode, OFlags};

use crate::error::{Error, Result};

/// A tracked path that is not as the index has it, judged by `stat` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suspect {
    /// Position in the index.
    pub(crate) entry: usize,
    /// What `stat` said; `None` if the file is gone.
    pub(crate) stat: Option<Stat>,
}

/// A name in the worktree that the index does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unknown {
    /// The path from the root.
    pub(crate) path: BString,
    /// Whether it is a folder.
    pub(crate) is_dir: bool,
}

/// What one pass saw.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Tracked paths that need a look at their content, in index order.
    pub(crate) suspects: Vec<Suspect>,
    /// Names the index does not know, sorted.
    pub(crate) unknown: Vec<Unknown>,
}

/// How to compare.
#[derive(Clone, Copy)]
pub(crate) struct ScanRules {
    /// The user's settings on what a matching `stat` needs.
    pub(crate) stat: StatOptions,
    /// Whether the file system keeps the executable bit (`core.fileMode`).
    pub(crate) trust_executable_bit: bool,
    /// Whether paths marked `skip-worktree` are absent on purpose.
    pub(crate) sparse: bool,
}

/// The tracked content of one folder.
#[derive(Default)]
struct Folder {
    entries: Vec<usize>,
    folders: Vec<usize>,
    path: BString,
}

/// A thread with fewer tracked files than this to look at costs more time than it saves.
const WORTH_A_THREAD: usize = 400;
const MOST_THREADS: usize = 8;

/// Looks at every tracked file and lists the unknown names beside them.
pub(crate) fn scan(root: &Path, index: &gix::index::State, rules: ScanRules) -> Result<Scan> {
    let folders = folders_of(index);
    let threads = thread_count(index.entries().len());
    let mut scan = Scan::default();
    let mut level = vec![0];
    while !level.is_empty() {
        let found = scan_level(root, index, rules, &folders, &level, threads)?;
        level.clear();
        for part in found {
            scan.suspects.extend(part.suspects);
            scan.unknown.extend(part.unknown);
            level.extend(part.next);
            for missing in part.missing {
                add_missing(index, &folders, missing, rules, &mut scan.suspects);
            }
        }
    }
    scan.suspects.sort_by_key(|suspect| suspect.entry);
    scan.unknown.sort();
    Ok(scan)
}

fn thread_count(entries: usize) -> usize {
    let wanted = (entries / WORTH_A_THREAD).min(MOST_THREADS);
    if wanted < 2 {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(wanted))
}

/// The folders that hold tracked files, the root first.
fn folders_of(index: &gix::index::State) -> Vec<Folder> {
    let mut folders = vec![Folder::default()];
    let mut by_path: HashMap<&[u8], usize> = HashMap::from([(&b""[..], 0)]);
    let mut last: (&[u8], usize) = (b"", 0);
    let backing = index.path_backing();
    for (position, entry) in index.entries().iter().enumerate() {
        let path: &[u8] = entry.path_in(backing);
        if entry.mode == Mode::DIR {
            // A folder outside a sparse checkout: nothing of it is in the worktree.
            continue;
        }
        let parent = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
        if parent != last.0 {
            last = (parent, folder_at(parent, &mut folders, &mut by_path));
        }
        folders[last.1].entries.push(position);
    }
    folders
}

fn folder_at<'a>(
    path: &'a [u8],
    folders: &mut Vec<Folder>,
    by_path: &mut HashMap<&'a [u8], usize>,
) -> usize {
    if let Some(known) = by_path.get(path) {
        return *known;
    }
    let parent_path = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
    let parent = folder_at(parent_path, folders, by_path);
    let position = folders.len();
    folders.push(Folder {
        path: path.into(),
        ..Folder::default()
    });
    folders[parent].folders.push(position);
    by_path.insert(path, position);
    position
}

#[derive(Default)]
struct LevelPart {
    suspects: Vec<Suspect>,
    unknown: Vec<Unknown>,
    next: Vec<usize>,
    missing: Vec<usize>,
}

fn scan_level(
    root: &Path,
    index: &gix::index::State,
    rules: ScanRules,
    folders: &[Folder],
    level: &[usize],
    threads: usize,
) -> Result<Vec<LevelPart>> {
    let work = |chunk: &[usize]| -> Result<LevelPart> {
        let mut part = LevelPart::default();
        for &folder in chunk {
            scan_folder(root, index, rules, folders, folder, &mut part)?;
        }
        Ok(part)
    };
    if threads == 1 || level.len() < 8 {
        return Ok(vec![work(level)?]);
    }
    // Small chunks, taken in turn, even out folders of different size.
    let next_chunk = std::sync::atomic::AtomicUsize::new(0);
    let chunks: Vec<&[usize]> = level.chunks((level.len() / (threads * 8)).max(1)).collect();
    let run = || -> Result<Vec<LevelPart>> {
        let mut parts = Vec::new();
        while let Some(chunk) =
            chunks.get(next_chunk.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            parts.push(work(chunk)?);
        }
        Ok(parts)
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut parts = run()?;
        for handle in handles {
            parts.extend(
                handle
                    .join()
                    .map_err(|_| Error::internal("a scan thread died"))??,
            );
        }
        Ok(parts)
    })
}

fn scan_folder(
    root: &Path,
    index: &gix::index::State,
    rules: ScanRules,
    folders: &[Folder],
    position: usize,
    part: &mut LevelPart,
) -> Result<()> {
    let folder = &folders[position];
    let at = root.join(OsStr::from_bytes(&folder.path));
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    // The root itself may be reached through a link.
    let flags = if position == 0 {
        flags - OFlags::NOFOLLOW
    } else {
        flags
    };
    let handle = match rustix::fs::open(&at, flags, OpenMode::empty()) {
        Ok(handle) => handle,
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP) => {
            part.missing.push(position);
            return Ok(());
        }
        Err(errno) => return Err(Error::io("list", &at, errno.into())),
    };
    let backing = index.path_backing();
    let prefix = if folder.path.is_empty() {
        0
    } else {
        folder.path.len() + 1
    };
    let name_of = |entry: usize| -> &[u8] { &index.entries()[entry].path_in(backing)[prefix..] };
    let folder_name = |folder: usize| -> &[u8] { &folders[folder].path[prefix..] };
    // Names within a folder are in the index's order, which is byte order.
    let tracked_mode = |name: &[u8]| {
        let found = folder
            .entries
            .binary_search_by(|&entry| name_of(entry).cmp(name))
            .ok()?;
        Some(index.entries()[folder.entries[found]].mode)
    };
    let mut child_folders: HashMap<&[u8], usize> = folder
        .folders
        .iter()
        .map(|&child| (folder_name(child), child))
        .collect();

    let listing = |errno: rustix::io::Errno| Error::io("list", &at, errno.into());
    let mut listed = Dir::new(handle).map_err(listing)?;
    while let Some(item) = listed.read() {
        let item = item.map_err(listing)?;
        let name = item.file_name().to_bytes();
        if name == b"." || name == b".." || (position == 0 && name == b".git") {
            continue;
        }
        let handle = listed.fd().map_err(listing)?;
        let is_dir = is_folder(handle, name, item.file_type()).map_err(listing)?;
        if is_dir && let Some(child) = child_folders.remove(name) {
            part.next.push(child);
            continue;
        }
        match tracked_mode(name) {
            // A folder in place of a tracked file holds nothing that is tracked.
            Some(mode) if !is_dir || mode == Mode::COMMIT => continue,
            _ => {}
        }
        let mut path = folder.path.clone();
        if !path.is_empty() {
            path.push_byte(b'/');
        }
        path.push_str(name);
        part.unknown.push(Unknown { path, is_dir });
    }
    part.missing.extend(child_folders.into_values());

    let handle = listed.fd().map_err(listing)?;
    for &position in &folder.entries {
        let entry = &index.entries()[position];
        let stat = match rustix::fs::statat(handle, name_of(position), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Some(stat),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => None,
            Err(errno) => return Err(Error::io("look at", &at, errno.into())),
        };
        if let Some(suspect) = suspicion(index, entry, position, stat, rules) {
            part.suspects.push(suspect);
        }
    }
    Ok(())
}

/// Whether a listed name is a folder; some file systems leave the kind out of the listing.
fn is_folder(parent: BorrowedFd<'_>, name: &[u8], listed: FileType) -> rustix::io::Result<bool> {
    if listed != FileType::Unknown {
        return Ok(listed == FileType::Directory);
    }
    match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Directory),
        // It is gone by now.
        Err(rustix::io::Errno::NOENT) => Ok(false),
        Err(errno) => Err(errno),
    }
}

fn suspicion(
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
        && !entry.stat.is_racy(index.timestamp(), rules.stat);
    (!clean).then_some(Suspect {
        entry: position,
        stat: Some(stat),
    })
}

/// The fields of a `stat` that git keeps in its index.
pub(crate) fn index_stat(raw: &rustix::fs::Stat) -> Stat {
    let time = |secs: i64, nsecs: u64| gix::index::entry::stat::Time {
        secs: secs as u32,
        nsecs: nsecs as u32,
    };
    Stat {
        mtime: time(raw.st_mtime, raw.st_mtime_nsec),
        ctime: time(raw.st_ctime, raw.st_ctime_nsec),
        dev: raw.st_dev as u32,
        ino: raw.st_ino as u32,
        uid: raw.st_uid,
        gid: raw.st_gid,
        size: raw.st_size as u32,
    }
}

/// Everything tracked below a folder that is no longer a folder is gone.
fn add_missing(
    index: &gix::index::State,
    folders: &[Folder],
    position: usize,
    rules: ScanRules,
    suspects: &mut Vec<Suspect>,
) {
    let folder = &folders[position];
    for &entry in &folder.entries {
        suspects.extend(suspicion(
            index,
            &index.entries()[entry],
            entry,
            None,
            rules,
        ));
    }
    for &child in &folder.folders {
        add_missing(index, folders, child, rules, suspects);
    }
}

/// The path of a suspect.
pub(crate) fn path_of(index: &gix::index::State, entry: usize) -> &BStr {
    index.entries()[entry].path_in(index.path_backing())
}
