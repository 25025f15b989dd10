//! What was accepted: the gate compares with it, as the loop does, never with what the last edit
//! left in the worktree.

use std::str::FromStr;

use gix::ObjectId;
use gix::bstr::BStr;

use super::Gate;
use super::world;
use crate::git::trees;
use crate::rules::Mode;

impl Gate {
    /// The tree that the present step leads away from; none if there is no commit yet.
    fn accepted_tree(&self) -> Option<ObjectId> {
        let by_state = || {
            let state = self.state.as_ref()?;
            let accepted = ObjectId::from_str(&state.accepted_tree).ok()?;
            self.repo.gix.has_object(accepted).then_some(accepted)
        };
        let head = || self.repo.tree_of(self.repo.head().ok()?.commit).ok();
        match self.mode {
            Mode::Both | Mode::Tcr | Mode::Relaxed | Mode::Off => head(),
            // Nothing is committed there, so what was accepted stands nowhere else.
            Mode::Tdd | Mode::Observe => by_state().or_else(head),
        }
    }

    /// The accepted content of a path from the root; none if there is no such file.
    pub(super) fn accepted(&self, path: &[u8]) -> Option<Vec<u8>> {
        let tree = (*self.accepted.get_or_init(|| self.accepted_tree()))?;
        let leaf = trees::lookup(&self.repo, tree, BStr::new(path)).ok()??;
        trees::content(&self.repo, leaf).ok()
    }

    /// What a path is in the worktree.
    pub(super) fn in_worktree(&self, path: &[u8]) -> Option<Vec<u8>> {
        world::content(&self.repo.on_disk(BStr::new(path)))
    }
}

/// A text as git would store it, where the accepted one has no carriage returns either.
pub(super) fn as_stored(content: Vec<u8>, accepted: Option<&[u8]>) -> Vec<u8> {
    use gix::bstr::ByteSlice;
    let has_returns = |text: &[u8]| text.contains_str("\r\n");
    match accepted {
        Some(accepted) if has_returns(&content) && !has_returns(accepted) => {
            content.replace("\r\n", "\n")
        }
        Some(_) | None => content,
    }
}
