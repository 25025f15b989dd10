//! How many lines a change adds and removes.

use gix::diff::blob::{Algorithm, Diff, InternedInput};
use serde::{Deserialize, Serialize};

use super::loose::Objects;
use super::repo::Repo;
use super::trees::{Change, Leaf};

/// A change of more paths than this is not counted: that would be felt.
const MOST_PATHS: usize = 100;
/// Larger files have no lines that anybody reads.
const LARGEST: u64 = 512 * 1024;
/// Where git looks for a zero byte to tell binary from text.
const HEAD: usize = 8_000;

/// Lines that came and went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) added: u64,
    pub(crate) removed: u64,
}

impl Lines {
    /// The lines of the change that this one takes back.
    pub(crate) fn inverse(self) -> Lines {
        Lines {
            added: self.removed,
            removed: self.added,
        }
    }
}

/// The lines that changes add and remove; binary, large and unreadable files have none. Nothing if
/// there are too many paths to look at.
pub(crate) fn of(repo: &Repo, changes: &[Change]) -> Option<Lines> {
    if changes.len() > MOST_PATHS {
        return None;
    }
    let mut sum = Lines::default();
    for change in changes.iter().filter(|change| !change.is_submodule()) {
        let sides = (text(repo, change.before), text(repo, change.after));
        if let (Some(before), Some(after)) = sides {
            let input = InternedInput::new(before.as_slice(), after.as_slice());
            let diff = Diff::compute(Algorithm::Histogram, &input);
            sum.added += u64::from(diff.count_additions());
            sum.removed += u64::from(diff.count_removals());
        }
    }
    Some(sum)
}

/// The text of one side; empty where there is nothing, none where it is no text.
fn text(repo: &Repo, leaf: Option<Leaf>) -> Option<Vec<u8>> {
    let Some(leaf) = leaf else {
        return Some(Vec::new());
    };
    let bytes = Objects(repo).file_up_to(&leaf.id, LARGEST)?;
    let is_binary = bytes.iter().take(HEAD).any(|byte| *byte == 0);
    (!is_binary).then_some(bytes)
}
