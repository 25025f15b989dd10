//! The commits of a WIP branch.

use gix::bstr::ByteSlice;
use gix::objs::FindExt;

use crate::error::{Doing, Result};
use crate::git::loose::Objects;
use crate::git::repo::Repo;
use crate::rules::squash::WipCommit;

/// One commit of a WIP branch.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) id: gix::ObjectId,
    pub(crate) tree: gix::ObjectId,
    pub(crate) parents: Vec<gix::ObjectId>,
    /// What its message says.
    pub(crate) commit: WipCommit,
}

impl Entry {
    /// Reads a commit.
    pub(crate) fn read(repo: &Repo, id: gix::ObjectId) -> Result<Entry> {
        let mut buffer = Vec::new();
        let commit = Objects(repo).find_commit(&id, &mut buffer);
        let commit = commit.doing("read a commit")?;
        Ok(Entry {
            id,
            tree: commit.tree(),
            parents: commit.parents().collect(),
            commit: WipCommit::read(&commit.message.to_str_lossy()),
        })
    }
}

/// The commits of git tcr that a branch ends with, newest first.
pub(crate) fn own(repo: &Repo, tip: gix::ObjectId) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut next = Some(tip);
    while let Some(id) = next {
        let entry = Entry::read(repo, id)?;
        if entry.commit.label.is_none() {
            break;
        }
        next = entry.parents.first().copied();
        entries.push(entry);
    }
    Ok(entries)
}

/// The same as [`since`], where the newest of the commits are known already, newest first.
pub(crate) fn since_known(
    repo: &Repo,
    tip: gix::ObjectId,
    fork: gix::ObjectId,
    mut known: Vec<Entry>,
) -> Result<Option<Vec<Entry>>> {
    if let Some(end) = known.iter().position(|entry| entry.id == fork) {
        known.truncate(end);
        known.reverse();
        return Ok(Some(known));
    }
    let next = match known.last() {
        Some(oldest) => oldest.parents.first().copied(),
        None => Some(tip),
    };
    let older = match next {
        Some(next) => since(repo, next, fork)?,
        None => None,
    };
    known.reverse();
    Ok(older.map(|mut entries| {
        entries.extend(known);
        entries
    }))
}

/// The commits from after `fork` to `tip` along the first parents, oldest first; none if `fork` is
/// not among them.
pub(crate) fn since(
    repo: &Repo,
    tip: gix::ObjectId,
    fork: gix::ObjectId,
) -> Result<Option<Vec<Entry>>> {
    let mut entries = Vec::new();
    let mut next = Some(tip);
    while let Some(id) = next {
        if id == fork {
            entries.reverse();
            return Ok(Some(entries));
        }
        let entry = Entry::read(repo, id)?;
        next = entry.parents.first().copied();
        entries.push(entry);
    }
    Ok(None)
}
