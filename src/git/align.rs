//! Brings worktree and index in line with what was decided, and refuses rather than overwrites
//! a file that was edited meanwhile.
//!
//! Every step looks first at what is there: run again after a crash it finishes what is left.

use std::path::PathBuf;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use rustix::fs::Access;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::command::git;
use super::index_write::{self, Edit, Fresh};
use super::mount::Mount;
use super::path_writer::PathWriter;
use super::repo::Repo;
use super::trees::{self, Change, Leaf};
use crate::error::{Doing, Error, Result};
use crate::fault;

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

    pub(crate) fn changes(&self, repo: &Repo) -> Result<Vec<Change>> {
        let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id");
        trees::diff(repo, id(&self.from)?, id(&self.to)?)
    }
}

/// Moves the worktree from one tree to another, by the changes between them; returns the paths that were
/// edited meanwhile and therefore left alone.
pub(crate) fn worktree(repo: &Repo, step: &FromTo, changes: &[Change]) -> Result<Vec<BString>> {
    let changes: Vec<&Change> = changes
        .iter()
        .filter(|change| !change.is_submodule())
        .collect();
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let mut writer = PathWriter::new(repo)?;
    // What is there is told by the attributes of now, and what comes is written by those that come
    // with it.
    let looked = changes
        .iter()
        .map(|&change| Ok((change, writer.look(change)?)))
        .collect::<Result<Vec<_>>>()?;
    // What goes makes room first: a file may become a folder.
    let (going, coming): (Vec<_>, Vec<_>) = looked
        .into_iter()
        .partition(|(change, _)| change.after.is_none());
    let (attributes, others): (Vec<_>, Vec<_>) = coming
        .into_iter()
        .partition(|(change, _)| is_attributes(change));
    let mut kept = Vec::new();
    for group in [going, attributes, others] {
        let refresh = group.iter().any(|(change, _)| is_attributes(change));
        for (change, seen) in group {
            let brought = match seen {
                Some(seen) => writer.bring(change, &seen)?,
                None => false,
            };
            if !brought {
                kept.push(change.path.clone());
            }
            fault::point("path-aligned");
        }
        if refresh {
            writer.read_attributes_again()?;
        }
    }
    for change in changes.iter().filter(|change| change.after.is_none()) {
        writer.remove_empty_parents(change, &step.to)?;
    }
    Ok(kept)
}

/// Fails if the system does not let us replace one of these files, or take it away.
pub(crate) fn require_movable(repo: &Repo, changes: &[Change]) -> Result<()> {
    let mut last: Option<(&BStr, Option<Mount>)> = None;
    for change in changes.iter().filter(|change| !change.is_submodule()) {
        let path = repo.on_disk(change.path.as_bstr());
        let refused = |errno: Errno| Error::io("replace", &path, errno.into());
        let end = change.path.rfind_byte(b'/').unwrap_or_default();
        let parent = change.path[..end].as_bstr();
        let around = match last.filter(|(last, _)| *last == parent) {
            Some((_, around)) => around,
            None => {
                let folder = nearest_folder(repo, change.path.as_bstr());
                // A file is moved by writing to its folder.
                rustix::fs::access(&folder, Access::WRITE_OK | Access::EXEC_OK).map_err(refused)?;
                Mount::of(&folder)
            }
        };
        last = Some((parent, around));
        // What is mounted at this very path can't be moved from there.
        if change.before.is_some() && Mount::of(&path).is_some_and(|own| Some(own) != around) {
            return Err(refused(Errno::BUSY));
        }
    }
    Ok(())
}

/// The folder around a path, or the nearest that is there; none that a link leads to.
fn nearest_folder(repo: &Repo, path: &BStr) -> PathBuf {
    let folders = path
        .find_iter("/")
        .map(|end| repo.on_disk(path[..end].as_bstr()));
    let is_folder = |folder: &PathBuf| folder.symlink_metadata().is_ok_and(|found| found.is_dir());
    let nearest = folders.take_while(is_folder).last();
    nearest.unwrap_or_else(|| repo.root().to_owned())
}

/// Gives back, or clears away, what a process that died left waiting for its place, where nobody is going
/// to finish what it began.
pub(crate) fn clear_shelves(repo: &Repo, step: &FromTo) -> Result<()> {
    let mut writer = PathWriter::new(repo)?;
    for change in step.changes(repo)? {
        if !change.is_submodule() {
            writer.look(&change)?;
        }
    }
    Ok(())
}

fn is_attributes(change: &Change) -> bool {
    change.path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes")
}

/// Sets the index to a tree, for the paths in which two trees differ.
pub(crate) fn index(repo: &Repo, step: &FromTo, changes: &[Change]) -> Result<()> {
    let edits = index_edits(repo, changes)?;
    if edits.is_empty() {
        return Ok(());
    }
    fault::write("write-index")?;
    let to = gix::ObjectId::from_hex(step.to.as_bytes()).doing("read an object id")?;
    if index_write::set(repo, &edits, to)? {
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
