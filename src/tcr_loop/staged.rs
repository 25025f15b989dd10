//! Staged content that is neither in HEAD nor in the worktree would be lost when the index moves
//! on; it is kept as a commit.

use crate::effects::git::objects;
use crate::effects::git::repo::Repo;
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::trees::{self, Change};
use crate::error::Result;

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
    objects::commit(repo, tree, &[head], "staged content\n").map(Some)
}
