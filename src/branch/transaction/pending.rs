//! The work in flight, under `refs/tcr/pending/…`: a snapshot, and a plan once it is decided.

use gix::bstr::ByteSlice;
use serde::{Deserialize, Serialize};

use super::Transaction;
use crate::error::{Doing, Error, Result};
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::{self, Change};
use crate::git::{command, objects, own_ref, refs};

const HEADLINE: &str = "work in flight";

/// A transaction under way, as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The branch that HEAD was on.
    pub(super) branch: String,
    /// Its commit.
    pub(super) head: String,
    #[serde(flatten)]
    pub(super) transaction: Transaction,
}

/// Keeps a snapshot reachable while nothing is decided yet.
pub(crate) fn hold_snapshot(repo: &Repo, snapshot: &Snapshot, head: gix::ObjectId) -> Result<()> {
    hold_tree(repo, snapshot.tree, head)?;
    let changes = snapshot.changes.iter().filter(|one| !one.is_submodule());
    let written = changes.filter_map(|change| Some(change.after?.id));
    require(repo, written)
}

/// The same for a tree that is made of one.
pub(crate) fn hold_tree(repo: &Repo, tree: gix::ObjectId, head: gix::ObjectId) -> Result<()> {
    write(repo, tree, &[head], None)
}

/// Forgets the snapshot of a run that changed nothing.
pub(crate) fn drop_pending(repo: &Repo) -> Result<()> {
    own_ref::remove(repo, &refs::pending(repo))
}

/// Forgets a snapshot without a plan; a plan on its way stays for the next command.
pub(crate) fn forget_snapshot(repo: &Repo) -> Result<()> {
    match refs::read(repo, &refs::pending(repo))? {
        Some(commit) if read_plan(repo, commit)?.is_none() => drop_pending(repo),
        _ => Ok(()),
    }
}

pub(super) fn write(
    repo: &Repo,
    tree: gix::ObjectId,
    parents: &[gix::ObjectId],
    plan: Option<&Plan>,
) -> Result<()> {
    let plan = match plan {
        Some(plan) => {
            serde_json::to_string(plan).map_err(|_| Error::internal("a plan is not JSON"))?
        }
        None => String::new(),
    };
    let commit = objects::commit(repo, tree, parents, &format!("{HEADLINE}\n\n{plan}\n"))?;
    own_ref::point(repo, &refs::pending(repo), commit)?;
    require(repo, parents.iter().copied().chain([tree, commit]))
}

/// What is held is not pruned from here on. What was before is no work to be finished.
fn require(repo: &Repo, held: impl IntoIterator<Item = gix::ObjectId>) -> Result<()> {
    objects::require_all(repo, held).or_else(|error| {
        drop_pending(repo)?;
        Err(error)
    })
}

/// Whether files of a snapshot are not there any more: the tests that ran then may have taken them
/// away. Of one that can't be read there is nothing to keep.
pub(super) fn is_gone(repo: &Repo, snapshot: gix::ObjectId) -> bool {
    let is_missing = |change: &Change| {
        let found = repo.on_disk(change.path.as_bstr()).symlink_metadata();
        change.after.is_some() && !change.is_submodule() && found.is_err()
    };
    changes_of(repo, snapshot).is_ok_and(|changes| changes.iter().any(is_missing))
}

fn changes_of(repo: &Repo, snapshot: gix::ObjectId) -> Result<Vec<Change>> {
    let commit = repo.gix.find_commit(snapshot).doing("read a snapshot")?;
    match commit.parent_ids().next() {
        Some(head) => {
            let head = repo.tree_of(head.detach())?;
            trees::diff(repo, head, repo.tree_of(snapshot)?)
        }
        None => Ok(Vec::new()),
    }
}

/// Whether git can read what a pending ref points at.
pub(super) fn is_there(repo: &Repo, commit: gix::ObjectId) -> bool {
    let args = ["cat-file", "commit", &commit.to_string()];
    !matches!(
        command::git(repo.root(), &args, b""),
        Err(Error::GitCommand { .. })
    )
}

pub(super) fn read_plan(repo: &Repo, commit: gix::ObjectId) -> Result<Option<Plan>> {
    let commit = repo
        .gix
        .find_commit(commit)
        .doing("read the work in flight")?;
    let message = commit
        .message_raw()
        .doing("read the work in flight")?
        .to_string();
    let plan = message
        .split_once("\n\n")
        .map_or("", |(_, plan)| plan)
        .trim();
    if plan.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(plan)
        .map(Some)
        .map_err(|error| Error::corrupt(refs::pending(repo), error))
}
