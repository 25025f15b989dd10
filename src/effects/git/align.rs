//! Brings worktree and index in line with what was decided, and refuses rather than overwrites
//! a file that was edited meanwhile.
//!
//! Every step looks first at what is there: run again after a crash it finishes what is left.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use gix::objs::tree::EntryKind;
use rustix::fs::{CWD, RenameFlags};
use serde::{Deserialize, Serialize};

use super::command::git;
use super::index_write::{self, Edit, Fresh};
use super::repo::Repo;
use super::trees::{self, Change, Leaf};
use crate::effects::fault;
use crate::error::{Doing, Error, Result};

/// From which tree to which, by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FromTo {
    /// Where the paths are expected to be.
    pub(crate) from: String,
    /// Where they go.
    pub(crate) to: String,
}

impl FromTo {
    pub(crate) fn new(from: gix::ObjectId, to: gix::ObjectId) -> Self {
        FromTo {
            from: from.to_string(),
            to: to.to_string(),
        }
    }

    fn changes(&self, repo: &Repo) -> Result<Vec<Change>> {
        let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id");
        trees::diff(repo, id(&self.from)?, id(&self.to)?)
    }
}

/// Moves the worktree from one tree to another; returns the paths that were edited meanwhile and
/// therefore left alone.
pub(crate) fn worktree(repo: &Repo, step: &FromTo) -> Result<Vec<BString>> {
    let changes: Vec<Change> = step
        .changes(repo)?
        .into_iter()
        .filter(|change| !change.is_submodule())
        .collect();
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let mut writer = Writer::new(repo)?;
    let mut kept = Vec::new();
    // What goes makes room first: a file may become a folder.
    let (going, coming): (Vec<_>, Vec<_>) =
        changes.iter().partition(|change| change.after.is_none());
    for (number, change) in going.into_iter().chain(coming).enumerate() {
        if !writer.bring(change)? {
            kept.push(change.path.clone());
        }
        if number == 0 {
            fault::point("align-first-path")?;
        }
    }
    for change in changes.iter().filter(|change| change.after.is_none()) {
        writer.remove_empty_parents(change, &step.to)?;
    }
    Ok(kept)
}

/// Sets the index to a tree, for the paths in which two trees differ.
pub(crate) fn index(repo: &Repo, step: &FromTo) -> Result<()> {
    let edits = index_edits(repo, &step.changes(repo)?)?;
    let to = gix::ObjectId::from_hex(step.to.as_bytes()).doing("read an object id")?;
    if edits.is_empty() || index_write::set(repo, &edits, to)? {
        return Ok(());
    }
    let mut lines = Vec::new();
    for edit in &edits {
        let (mode, id) = match edit.leaf {
            Some(leaf) => (leaf.kind as u16, leaf.id),
            None => (0, gix::ObjectId::null(repo.gix.object_hash())),
        };
        lines.extend_from_slice(format!("{mode:06o} {id}\t").as_bytes());
        lines.extend_from_slice(&edit.path);
        lines.push(0);
    }
    let command = ["update-index", "-z", "--add", "--replace", "--index-info"];
    git(repo.root(), &command, &lines).map(drop)
}

/// Where the index is not yet as the changes want it.
fn index_edits(repo: &Repo, changes: &[Change]) -> Result<Vec<Edit>> {
    let index = repo.index()?;
    let edit_of = |change: &Change| {
        let entry = index.entry_by_path(change.path.as_bstr());
        let known = entry.and_then(|entry| {
            let kind = entry.mode.to_tree_entry_mode()?.kind();
            Some(Leaf { kind, id: entry.id })
        });
        let is_promise = entry.is_some_and(|entry| entry.flags.contains(Flags::INTENT_TO_ADD));
        (known != change.after || is_promise).then(|| Edit {
            path: change.path.clone(),
            leaf: change.after,
        })
    };
    Ok(changes.iter().filter_map(edit_of).collect())
}

/// Takes note of file times in the index, so that these files need not be read again.
pub(crate) fn freshen_index(repo: &Repo, fresh: &[Fresh]) -> Result<()> {
    if !index_write::freshen(repo, fresh)? {
        git(repo.root(), &["update-index", "-q", "--refresh"], b"")?;
    }
    Ok(())
}

struct Writer<'a> {
    repo: &'a Repo,
    pipeline: gix::filter::Pipeline<'a>,
    index: Rc<gix::index::File>,
    aside: PathBuf,
    count: usize,
}

impl<'a> Writer<'a> {
    fn new(repo: &'a Repo) -> Result<Self> {
        let index = repo.index()?;
        let stack = repo
            .gix
            .attributes_only(
                &index,
                gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping,
            )
            .doing("read the attributes")?
            .detach();
        let pipeline = gix::filter::Pipeline::new(&repo.gix, stack).doing("set up the filters")?;
        let aside = repo.git_dir().join("tcr").join("aside");
        Ok(Writer {
            repo,
            pipeline,
            index,
            aside,
            count: 0,
        })
    }

    /// Brings one path to its new content; `false` if something else stands there.
    fn bring(&mut self, change: &Change) -> Result<bool> {
        let path = self.repo.on_disk(change.path.as_bstr());
        let seen = Glance::of(&path);
        let found = self.content(change.path.as_bstr(), &path)?;
        if found == change.after {
            return Ok(true);
        }
        if found != change.before || (found.is_none() && path.is_dir() && !is_empty_tree(&path)) {
            return Ok(false);
        }
        let prepared = match change.after {
            Some(leaf) => Some(self.prepare(change.path.as_bstr(), leaf, &path)?),
            None => None,
        };
        if found.is_some() && !self.set_aside(&path, &seen)? {
            return Ok(false);
        }
        match prepared {
            Some(prepared) => self.put(prepared, &path),
            None => Ok(true),
        }
    }

    fn content(&mut self, path: &BStr, on_disk: &Path) -> Result<Option<Leaf>> {
        match on_disk.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => return Ok(None),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
        let found = self.pipeline.worktree_file_to_object(path, &self.index);
        Ok(found
            .doing("read a file of the worktree")?
            .map(|(id, kind, _)| Leaf { kind, id }))
    }

    /// Writes the new content beside its place, through the user's filters.
    fn prepare(&mut self, path: &BStr, leaf: Leaf, on_disk: &Path) -> Result<PathBuf> {
        let folder = on_disk
            .parent()
            .ok_or_else(|| Error::internal("a path has no folder"))?;
        std::fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
        let blob = trees::content(self.repo, leaf)?;
        self.count += 1;
        let beside = folder.join(format!(".git-tcr-{}-{}", std::process::id(), self.count));
        let written = if leaf.kind == EntryKind::Link {
            std::os::unix::fs::symlink(OsStr::from_bytes(&blob), &beside)
        } else {
            let mut smudged = Vec::new();
            let mut outcome = self
                .pipeline
                .convert_to_worktree(&blob, path, Default::default())
                .doing("apply the filters")?;
            outcome
                .read_to_end(&mut smudged)
                .map_err(|source| Error::io("filter", on_disk, source))?;
            let mode = if leaf.kind == EntryKind::BlobExecutable {
                0o777
            } else {
                0o666
            };
            std::fs::File::options()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(&beside)
                .and_then(|mut file| file.write_all(&smudged))
        };
        written.map_err(|source| Error::io("write", &beside, source))?;
        Ok(beside)
    }

    /// Takes the present file out of the way. An editor that saves at this very moment writes a
    /// new file, which `put` then leaves alone.
    fn set_aside(&mut self, path: &Path, seen: &Option<Glance>) -> Result<bool> {
        std::fs::create_dir_all(&self.aside)
            .map_err(|source| Error::io("create", &self.aside, source))?;
        self.count += 1;
        let aside = self
            .aside
            .join(format!("{}-{}", std::process::id(), self.count));
        match std::fs::rename(path, &aside) {
            Ok(()) => {
                if Glance::of(&aside) != *seen {
                    // It was saved between the look and the move: give it back.
                    return put_back(&aside, path).map(|()| false);
                }
                std::fs::remove_file(&aside)
                    .map_err(|source| Error::io("remove", &aside, source))?;
            }
            // The git directory is on another file system.
            Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
                std::fs::remove_file(path).map_err(|source| Error::io("remove", path, source))?;
            }
            Err(source) => return Err(Error::io("move", path, source)),
        }
        Ok(true)
    }

    /// Puts prepared content in place, unless something is there by now.
    fn put(&self, prepared: PathBuf, path: &Path) -> Result<bool> {
        // An empty folder, left where a file belongs, holds nothing of value.
        if path.is_dir() && !path.is_symlink() {
            remove_empty_folders(path);
        }
        match rustix::fs::renameat_with(CWD, &prepared, CWD, path, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => {
                std::fs::remove_file(&prepared)
                    .map_err(|source| Error::io("remove", &prepared, source))?;
                Ok(false)
            }
            // A file system without this kind of rename.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                std::fs::rename(&prepared, path)
                    .map_err(|source| Error::io("write", path, source))?;
                Ok(true)
            }
            Err(errno) => Err(Error::io("write", path, errno.into())),
        }
    }

    /// A folder that only the removed path needed goes with it.
    fn remove_empty_parents(&self, change: &Change, to: &str) -> Result<()> {
        let tree = gix::ObjectId::from_hex(to.as_bytes()).doing("read an object id")?;
        let tree = self.repo.gix.find_tree(tree).doing("read a tree")?;
        let mut folder: &BStr = change.path.as_bstr();
        while let Some(end) = folder.rfind_byte(b'/') {
            folder = folder[..end].as_bstr();
            let known = tree
                .lookup_entry(folder.split(|byte| *byte == b'/'))
                .doing("read a tree")?;
            let on_disk = self.repo.on_disk(folder);
            // Only an empty folder can be removed this way.
            if known.is_some() || std::fs::remove_dir(&on_disk).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// What tells one version of a file from the next without reading it.
#[derive(PartialEq, Eq)]
struct Glance {
    modified: Option<std::time::SystemTime>,
    length: u64,
    inode: u64,
}

impl Glance {
    fn of(path: &Path) -> Option<Glance> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Glance {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            inode: metadata.ino(),
        })
    }
}

fn put_back(aside: &Path, path: &Path) -> Result<()> {
    match rustix::fs::renameat_with(CWD, aside, CWD, path, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            std::fs::rename(aside, path).map_err(|source| Error::io("write", path, source))
        }
        Err(errno) => Err(Error::io("write", path, errno.into())),
    }
}

fn is_empty_tree(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|items| {
        items.flatten().all(|item| {
            item.file_type().is_ok_and(|kind| kind.is_dir()) && is_empty_tree(&item.path())
        })
    })
}

fn remove_empty_folders(folder: &Path) {
    if let Ok(items) = std::fs::read_dir(folder) {
        for item in items.flatten() {
            remove_empty_folders(&item.path());
        }
    }
    // A folder that is not empty stays, and the caller finds it there.
    drop(std::fs::remove_dir(folder));
}
