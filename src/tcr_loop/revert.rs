//! Work that goes back: saved first, then taken out of the worktree, with advice for the next step.

use std::collections::BTreeSet;

use gix::bstr::{BStr, ByteSlice};

use super::judge::Judged;
use super::names;
use super::outcome::{Action, Outcome};
use super::session::{Plan, Session};
use super::undo::Part;
use crate::effects::git::align::FromTo;
use crate::effects::git::line_count::Lines;
use crate::effects::git::trees::{self, Change};
use crate::error::Result;
use crate::journal::event::EventKind;
use crate::journal::state::{FailureStreak, TestResults};
use crate::message;
use crate::policy::write_gate::{Change as ChangeKind, TestPart};
use crate::policy::{RevertReason, RevertScope};

/// This many reverts in a row call for advice.
const MANY_REVERTS: u64 = 3;
/// The same failure more often than this is being stuck.
const SAME_FAILURE: u64 = 2;

impl Session<'_> {
    pub(super) fn revert(
        &mut self,
        judged: Judged,
        mut outcome: Outcome,
        mut back: Vec<Change>,
        reason: RevertReason,
    ) -> Result<Outcome> {
        let Judged {
            snapshot,
            results,
            comparison,
            jobs,
            ..
        } = judged;
        make_room(&snapshot.changes, &mut back);
        let all_goes = back.len() == snapshot.changes.len()
            && back
                .iter()
                .zip(&snapshot.changes)
                .all(|(back, change)| *back == change.inverse());
        let target = match all_goes {
            true => self.head_tree()?,
            false => trees::with_changes(self.repo, snapshot.tree, back.iter())?,
        };
        let why = message::reasons::revert_reason(reason, &comparison);
        let (number, commit) = self.save(&snapshot, &why)?;
        outcome.action = Action::Revert;
        outcome.recover = Some(number);
        outcome.files = names(back.iter().map(|change| &change.path));
        outcome.reason.clone_from(&why);
        let mut event = self.result_event(EventKind::Revert, &results, &back);
        event.lines = event.lines.map(Lines::inverse);
        event.recover = Some(number);
        event.note.clone_from(&why);
        event.cause = Some(reason.name().into());

        self.state.stats.reverts += 1;
        self.state.stats.revert_streak += 1;
        self.state.stats.last_revert_reason = Some(why);
        self.state.step = None;
        self.count_failure(&results);
        outcome.hints.extend(self.advice(number));
        let mut plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(snapshot.tree, target)),
            index: Some(FromTo::new(snapshot.tree, target)),
            ..Plan::default()
        };
        plan.notes.extend(self.result_note(&results, &jobs)?);
        self.state.note_results(results);
        let carried = self.write(snapshot.tree, plan)?;
        Ok(self.finished(outcome, &carried))
    }

    /// The changes that take a step back. Of a file that holds source and tests only the source
    /// goes; where they can't be told apart the file stays.
    pub(super) fn taken_back(&self, changes: &[Change], scope: RevertScope) -> Result<Vec<Change>> {
        let mut back = Vec::new();
        for change in changes.iter().filter(|change| !change.is_submodule()) {
            let (class, kind) = self.content_of(change)?;
            if !scope.takes(class) {
                continue;
            }
            let keeps_tests = scope == RevertScope::SourceAndOther
                && matches!(
                    kind,
                    ChangeKind::Parts {
                        tests: TestPart::Changed | TestPart::Moved,
                        ..
                    }
                );
            if keeps_tests {
                back.extend(self.part_back(change, Part::Source)?);
            } else {
                back.push(change.inverse());
            }
        }
        Ok(back)
    }

    pub(super) fn count_failure(&mut self, results: &TestResults) {
        let streak = &mut self.state.failure_streak;
        if results.fingerprint.is_some() && streak.fingerprint == results.fingerprint {
            streak.count += 1;
        } else {
            *streak = FailureStreak {
                fingerprint: results.fingerprint.clone(),
                count: 1,
            };
        }
    }

    fn advice(&self, number: u64) -> Vec<String> {
        let mut advice = Vec::new();
        if self.state.failure_streak.fingerprint.is_some()
            && self.state.failure_streak.count > SAME_FAILURE
        {
            advice.extend(message::reasons::stuck());
        } else if self.state.stats.revert_streak >= MANY_REVERTS {
            advice.extend(message::reasons::many_reverts(
                self.state.stats.revert_streak,
            ));
        }
        advice.push(message::reasons::after_revert(
            self.mode(),
            self.state.phase,
            number,
        ));
        advice
    }
}

/// A file that comes back in the place of a folder takes what is new in there with it, and a folder the
/// file that stands in its place, whatever they are: both can't be there. Submodules stay.
pub(super) fn make_room(changes: &[Change], back: &mut Vec<Change>) {
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
