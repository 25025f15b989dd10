//! Whether the worktree has room for the files that a squash is going to put there. What git
//! ignores is no part of any snapshot: it must be neither overwritten nor taken for a change.

use std::os::unix::ffi::OsStrExt;

use gix::bstr::{BStr, BString, ByteSlice};

use super::standing::Standing;
use crate::branch::session::Session;
use crate::error::Result;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::git::trees::{self, Change};
use crate::message::squash::refused;

/// Refuses if a file is in the way, or if a submodule would have to be checked out.
pub(super) fn require(
    session: &Session<'_>,
    standing: &Standing,
    snapshot: &Snapshot,
) -> Result<()> {
    let tip = session.repo.tree_of(standing.tip)?;
    let wip = refs::short(&session.wip).to_string();
    if !session.on_wip {
        let submodules = check(session.repo, snapshot.tree, tip)?;
        if !submodules.is_empty() {
            return Err(refused::submodules_of_work(&wip, &submodules));
        }
    }
    if let Some(merged) = standing.merged {
        let submodules = check(session.repo, tip, merged)?;
        if !submodules.is_empty() {
            return Err(refused::submodules_of_base(
                &standing.onto_name,
                &wip,
                &submodules,
            ));
        }
    }
    Ok(())
}

/// Refuses if a file is in the way from one tree to another. Returns the submodules that differ.
fn check(repo: &Repo, from: gix::ObjectId, to: gix::ObjectId) -> Result<Vec<String>> {
    let (submodules, changes): (Vec<Change>, Vec<Change>) = trees::diff(repo, from, to)?
        .into_iter()
        .partition(Change::is_submodule);
    let mut occupied = Vec::new();
    for change in changes.iter().filter(|change| change.before.is_none()) {
        occupied.extend(in_the_way(repo, from, change.path.as_bstr())?);
    }
    if !occupied.is_empty() {
        occupied.dedup();
        return Err(refused::in_the_way(&names(occupied.iter())));
    }
    Ok(names(submodules.iter().map(|change| &change.path)))
}

/// What is on disk where a file has to go, and in no tree.
fn in_the_way(repo: &Repo, from: gix::ObjectId, path: &BStr) -> Result<Option<BString>> {
    let is_known = |path: &BStr| Ok(trees::lookup(repo, from, path)?.is_some());
    for end in path.find_iter("/") {
        let folder = path[..end].as_bstr();
        let found = repo.on_disk(folder).symlink_metadata();
        if found.is_ok_and(|found| !found.is_dir()) {
            // A file that becomes a folder makes room.
            return Ok((!is_known(folder)?).then(|| folder.to_owned()));
        }
    }
    match repo.on_disk(path).symlink_metadata() {
        Ok(found) if found.is_dir() => unknown_below(repo, path, &is_known),
        Ok(_) => Ok(Some(path.to_owned())),
        Err(_) => Ok(None),
    }
}

/// The first file of a folder that is in no tree.
fn unknown_below(
    repo: &Repo,
    folder: &BStr,
    is_known: &dyn Fn(&BStr) -> Result<bool>,
) -> Result<Option<BString>> {
    let Ok(items) = std::fs::read_dir(repo.on_disk(folder)) else {
        return Ok(Some(folder.to_owned()));
    };
    for item in items.flatten() {
        let name = item.file_name();
        let path = BString::from([folder.as_bytes(), name.as_bytes()].join(&b"/"[..]));
        let is_folder = item.file_type().is_ok_and(|kind| kind.is_dir());
        let found = match is_folder {
            true => unknown_below(repo, path.as_bstr(), is_known)?,
            false => (!is_known(path.as_bstr())?).then_some(path),
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
