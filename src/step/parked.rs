//! Source that was put aside until a test is mended, on its way back.

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::branch::session::{Plan, Session};
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::trees::{self, Change, Leaf};
use crate::git::{objects, refs};
use crate::message;
use crate::parts::mixed;

/// What comes back.
pub(crate) struct Unparked {
    pub(crate) worktree: FromTo,
    pub(crate) remark: String,
}

impl Plan {
    /// Takes in what comes back, and returns what there is to say of it.
    pub(crate) fn bring_back(&mut self, unparked: Option<Unparked>) -> Option<String> {
        let unparked = unparked?;
        self.worktree = Some(unparked.worktree);
        Some(unparked.remark)
    }
}

impl Session<'_> {
    /// Brings the source back into the worktree, which is `tree`; what stands there and is not
    /// `committed` stays. Of a file that holds tests only the source part comes back. What can't
    /// come back stays in `recover`.
    pub(crate) fn unpark(
        &mut self,
        tree: ObjectId,
        committed: ObjectId,
    ) -> Result<Option<Unparked>> {
        let Some(parked) = self.state.pending.take() else {
            return Ok(None);
        };
        let name = refs::revert(self.base.as_bstr(), parked.recover);
        let Some(commit) = refs::read(self.repo, &name)? else {
            return Ok(None);
        };
        let mut back = Vec::new();
        let mut left = Vec::new();
        for change in crate::branch::recover::changes(self.repo, commit)? {
            if change.is_submodule() || !self.class(change.path.as_bstr()).waits_for_tests() {
                continue;
            }
            match self.over_what_is_there(&change, tree, committed)? {
                Some(change) => back.push(change),
                None => left.push(change.path.to_string()),
            }
        }
        let target = trees::with_changes(self.repo, tree, back.iter())?;
        Ok(Some(Unparked {
            worktree: FromTo::new(tree, target),
            remark: message::step::parked_is_back(parked.recover, &left),
        }))
    }

    /// The change with the test part that the file has now; none if an edit would be lost by it.
    fn over_what_is_there(
        &self,
        change: &Change,
        tree: ObjectId,
        committed: ObjectId,
    ) -> Result<Option<Change>> {
        let look_up = |tree| trees::lookup(self.repo, tree, change.path.as_bstr());
        let now = look_up(tree)?;
        let kept = [change.before, change.after, look_up(committed)?];
        let is_kept = kept.contains(&now);
        let (Some(leaf), Some(now)) = (change.after, now) else {
            return Ok(is_kept.then(|| change.clone()));
        };
        if leaf.is_link() || now.is_link() {
            return Ok(None);
        }
        let present = self.text(now)?;
        if !is_kept && !self.is_source_of_one(&change.path, &present, &kept)? {
            return Ok(None);
        }
        let wanted = self.text(leaf)?;
        let tests = |text: &str| mixed::tests_in(&change.path, text);
        if tests(&wanted) == tests(&present) {
            return Ok(Some(change.clone()));
        }
        let Some(merged) = mixed::put_together(&change.path, &wanted, &present) else {
            return Ok(None);
        };
        let id = objects::blob(self.repo, merged.as_bytes())?;
        Ok(Some(Change {
            after: Some(Leaf { id, ..leaf }),
            ..change.clone()
        }))
    }

    /// Whether the source part of a text is that of a file that is kept elsewhere too.
    fn is_source_of_one(&self, path: &[u8], text: &str, kept: &[Option<Leaf>]) -> Result<bool> {
        let source = |text: &str| mixed::source_in(path, text);
        let Some(edited) = source(text) else {
            return Ok(false);
        };
        for leaf in kept.iter().flatten().filter(|leaf| !leaf.is_link()) {
            if source(&self.text(*leaf)?).as_ref() == Some(&edited) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text(&self, leaf: Leaf) -> Result<String> {
        let content = trees::content(self.repo, leaf)?;
        Ok(String::from_utf8_lossy(&content).into_owned())
    }
}
