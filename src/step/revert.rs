//! Work that goes back: saved first, then taken out of the worktree, with advice for the next step.

use crate::branch::state::State;
use std::collections::BTreeSet;

use gix::bstr::{BStr, ByteSlice};

use crate::branch::session::Session;
use crate::branch::state::{FailureStreak, TestResults};
use crate::git::trees::Change;
use crate::message;
use crate::rules::TakeBack;

/// Taken back this often in a row calls for advice.
const MANY_TIMES: u64 = 3;
/// The same failure more often than this is being stuck.
const SAME_FAILURE: u64 = 2;

/// Which part of a file that holds source and tests goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Source,
    Tests,
}

impl Session<'_> {
    /// The way on after work was taken back.
    pub(crate) fn advice(&self, back: TakeBack, number: u64) -> Vec<String> {
        let mut advice = Vec::new();
        if self.state.failure_streak.fingerprint.is_some()
            && self.state.failure_streak.count > SAME_FAILURE
        {
            advice.extend(message::step::stuck());
        } else if self.state.stats.revert_streak >= MANY_TIMES {
            advice.extend(message::step::many_times(self.state.stats.revert_streak));
        }
        advice.push(message::step::after_taking_back(
            back,
            self.mode(),
            self.state.phase,
            number,
        ));
        advice
    }
}

impl State {
    pub(crate) fn count_failure(&mut self, results: &TestResults) {
        let streak = &mut self.failure_streak;
        if results.fingerprint.is_some() && streak.fingerprint == results.fingerprint {
            streak.count += 1;
        } else {
            *streak = FailureStreak {
                fingerprint: results.fingerprint.clone(),
                count: 1,
            };
        }
    }
}

/// A file that comes back in the place of a folder takes what is new in there with it, and a folder the
/// file that stands in its place, whatever they are: both can't be there. Submodules stay.
pub(crate) fn make_room(changes: &[Change], back: &mut Vec<Change>) {
    let is_there = |change: &&Change| change.after.is_some();
    let coming: BTreeSet<&BStr> = back
        .iter()
        .filter(is_there)
        .map(|change| change.path.as_bstr())
        .collect();
    let folders: BTreeSet<&BStr> = coming.iter().flat_map(|path| above(path)).collect();
    let in_the_way = |change: &&Change| {
        let path = change.path.as_bstr();
        !coming.contains(path)
            && (folders.contains(path) || above(path).any(|folder| coming.contains(folder)))
    };
    let room: Vec<Change> = changes
        .iter()
        .filter(|change| change.after.is_some() && !change.is_submodule())
        .filter(in_the_way)
        .map(Change::inverse)
        .collect();
    for change in room {
        if let Err(at) = back.binary_search_by(|other| other.path.cmp(&change.path)) {
            back.insert(at, change);
        }
    }
}

/// The folders that a path is in.
fn above(path: &BStr) -> impl Iterator<Item = &BStr> {
    path.find_iter("/").map(|end| path[..end].as_bstr())
}
