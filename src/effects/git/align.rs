//! Brings worktree and index in line with what was decided, and refuses rather than overwrites
//! a file that was edited meanwhile.
//!
//! Every step looks first at what is there: run again after a crash it finishes what is left.

use std::time::{Duration, Instant};

use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Flags;
use serde::{Deserialize, Serialize};

use super::command::git;
use super::path_writer::PathWriter;
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
    let mut writer = PathWriter::new(repo)?;
    // What is there is told by the attributes of now, and what comes is written by those that come
    // with it.
    let looked = changes
        .iter()
        .map(|change| Ok((change, writer.look(change)?)))
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

fn is_attributes(change: &Change) -> bool {
    change.path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes")
}

/// Sets the index to a tree, for the paths in which two trees differ.
pub(crate) fn index(repo: &Repo, step: &FromTo) -> Result<()> {
    let changes = step.changes(repo)?;
    if changes.is_empty() {
        return Ok(());
    }
    let index = repo.index()?;
    let mut lines = Vec::new();
    for change in &changes {
        let entry = index.entry_by_path(change.path.as_bstr());
        let intent = entry.is_some_and(|entry| entry.flags.contains(Flags::INTENT_TO_ADD));
        let known = entry.and_then(|entry| {
            let kind = entry.mode.to_tree_entry_mode()?.kind();
            Some(Leaf { kind, id: entry.id })
        });
        if known == change.after && !intent {
            continue;
        }
        match change.after {
            Some(leaf) => {
                lines.extend_from_slice(
                    format!("{:06o} {}\t", leaf.kind as u16, leaf.id).as_bytes(),
                );
            }
            None => {
                let null = gix::ObjectId::null(repo.gix.object_hash());
                lines.extend_from_slice(format!("0 {null}\t").as_bytes());
            }
        }
        lines.extend_from_slice(&change.path);
        lines.push(0);
    }
    if !lines.is_empty() {
        fault::write("write-index")?;
        git(
            repo.root(),
            &["update-index", "-z", "--add", "--replace", "--index-info"],
            &lines,
        )?;
    }
    Ok(())
}

/// How long another git may take to let go of the index.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// Waits until nobody else is writing the index; fails if that takes too long. What has to be in
/// line in the end had better not begin while the index can't follow.
pub(crate) fn wait_for_index(repo: &Repo) -> Result<()> {
    let lock = repo.git_dir().join("index.lock");
    let started = Instant::now();
    while lock.symlink_metadata().is_ok() {
        if started.elapsed() >= PATIENCE {
            return Err(Error::GitLocked(lock));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// Lets git take note of the present file times.
pub(crate) fn refresh_index(repo: &Repo) -> Result<()> {
    git(repo.root(), &["update-index", "-q", "--refresh"], b"").map(drop)
}
