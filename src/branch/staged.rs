//! Staged content that is neither in HEAD nor in the worktree would be lost when the index moves
//! on; it is kept as a commit.

use gix::bstr::{BStr, ByteSlice};

use crate::branch::session::{Plan, Session};
use crate::error::{Doing, Result};
use crate::git::objects;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::{self, Change};

/// The message of a commit of what was staged.
const STAGED: &str = "staged content\n";

/// The commit of what was staged that an entry of `recover` keeps beside the worktree.
pub(crate) fn staged_beside(repo: &Repo, entry: gix::ObjectId) -> Result<Option<gix::ObjectId>> {
    let reading = "read reverted work";
    let entry = repo.gix.find_commit(entry).doing(reading)?;
    for parent in entry.parent_ids().skip(1) {
        let commit = repo.gix.find_commit(parent).doing(reading)?;
        if commit.message_raw().doing(reading)? == STAGED {
            return Ok(Some(parent.detach()));
        }
    }
    Ok(None)
}

/// A commit of what was staged, if any of it is nowhere else.
pub(crate) fn commit_of_staged(
    repo: &Repo,
    head: gix::ObjectId,
    snapshot: &Snapshot,
) -> Result<Option<gix::ObjectId>> {
    if snapshot.staged_only.is_empty() {
        return Ok(None);
    }
    let changes: Vec<Change> = snapshot
        .staged_only
        .iter()
        .map(|staged| Change {
            path: staged.path.clone(),
            before: None,
            after: staged.index,
        })
        .collect();
    let tree = trees::with_changes(repo, repo.tree_of(head)?, changes.iter())?;
    objects::commit(repo, tree, &[head], STAGED).map(Some)
}

impl Session<'_> {
    /// Keeps staged content that is nowhere else, if a plan moves the index on; returns the entry
    /// that was made for it. Where the plan has an entry of the same snapshot, that has it already.
    pub(crate) fn keep_staged(
        &mut self,
        snapshot: &Snapshot,
        plan: &mut Plan,
    ) -> Result<Option<u64>> {
        let Some(step) = plan.index.as_ref() else {
            return Ok(None);
        };
        // The rest stays in the index as it is.
        if snapshot.staged_only.is_empty() || !loses_staged(snapshot, &step.changes(self.repo)?) {
            return Ok(None);
        }
        let saved = self.save(snapshot, STAGED.trim_end())?;
        plan.saved.push(saved);
        Ok(Some(saved.0))
    }
}

/// Whether changes of the index take the place of what is only there: the path itself, or a file in the
/// place of a folder, or the other way round.
fn loses_staged(snapshot: &Snapshot, changes: &[Change]) -> bool {
    let is_below = |path: &BStr, folder: &BStr| {
        path.strip_prefix(folder.as_bytes())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    snapshot.staged_only.iter().any(|staged| {
        let staged = staged.path.as_bstr();
        changes
            .iter()
            .map(|change| change.path.as_bstr())
            .any(|path| is_below(staged, path) || is_below(path, staged))
    })
}
