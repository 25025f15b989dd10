//! What follows from a decision: the commit, the revert, the record, and the words for it.

use gix::bstr::ByteSlice;

use super::judge::Judged;
use super::outcome::{Action, Outcome};
use super::session::{Plan, Session};
use super::{LoopRequest, counts_of, names};
use crate::clock;
use crate::effects::git::align::FromTo;
use crate::effects::git::line_count;
use crate::effects::git::notes::Note;
use crate::effects::git::trees::Change;
use crate::effects::git::{objects, refs};
use crate::effects::transaction::{self, Carried};
use crate::error::Result;
use crate::journal::event::{Event, EventKind, Would};
use crate::journal::state::{FailureStreak, TestResults};
use crate::message;
use crate::policy::{CommitLabel, KeepReason, LoopDecision, NextPhase, Remark};
use crate::policy::{CycleKind, Mode, Phase, Verdict};

impl Session<'_> {
    /// Carries a judgement out; the flag says that something remains to be judged.
    pub(super) fn carry_out(
        &mut self,
        judged: Judged,
        request: &LoopRequest,
    ) -> Result<(Outcome, bool)> {
        let mut outcome = self.outcome(Action::None);
        outcome.verdict = judged.results.verdict;
        outcome.files = names(judged.snapshot.changes.iter().map(|change| &change.path));
        outcome.leftovers.clone_from(&judged.leftovers);
        outcome.test_results = Some(judged.results.clone());
        outcome.lint.clone_from(&judged.lint);
        outcome.smells.clone_from(&judged.smells);
        outcome.remarks.extend(self.surroundings(&judged));
        if judged.results.verdict == Some(Verdict::Broken) {
            outcome.reason.clone_from(&judged.results.reason);
        }
        if !judged.unstable.is_empty() {
            return self
                .keep_unstable(judged, outcome)
                .map(|outcome| (outcome, false));
        }
        if request.report_only {
            transaction::drop_pending(self.repo)?;
            outcome.action = Action::Record;
            outcome.would = Some(message::reasons::decision(&judged.decision));
            return Ok((outcome, false));
        }
        match judged.decision.clone() {
            LoopDecision::Commit { label, next, notes } => self
                .commit(judged, outcome, label, next, &notes)
                .map(|outcome| (outcome, false)),
            LoopDecision::Revert {
                scope,
                reason,
                judge_rest,
            } => {
                let back = self.taken_back(&judged.snapshot.changes, scope)?;
                // What is left alone, such as a changed `.tcr.toml`, is nothing to revert.
                if back.is_empty() {
                    let reason = KeepReason::NothingToRevert(reason);
                    return self.keep_because(judged, outcome, reason);
                }
                self.revert(judged, outcome, back, reason)
                    .map(|outcome| (outcome, judge_rest))
            }
            LoopDecision::Keep { reason } => self.keep_because(judged, outcome, reason),
            LoopDecision::Record { would, next } => {
                outcome.action = Action::Record;
                outcome.would = would.as_deref().map(message::reasons::decision);
                if let Some(LoopDecision::Commit { notes, .. }) = would.as_deref() {
                    let said = notes
                        .iter()
                        .map(|note| message::reasons::remark(*note, &judged.comparison));
                    outcome.remarks.extend(said);
                }
                // What an agent brought is never what others are compared with.
                let accepted = !judged.results.aside
                    && (matches!(would.as_deref(), Some(LoopDecision::Commit { .. }))
                        || !self.is_dirty(&judged.snapshot.changes));
                self.record_result(&judged, outcome, accepted, next)
                    .map(|outcome| (outcome, false))
            }
            LoopDecision::Nothing => {
                transaction::drop_pending(self.repo)?;
                Ok((outcome, false))
            }
        }
    }

    fn commit(
        &mut self,
        judged: Judged,
        mut outcome: Outcome,
        label: CommitLabel,
        next: NextPhase,
        notes: &[Remark],
    ) -> Result<Outcome> {
        let Judged {
            snapshot,
            results,
            comparison,
            jobs,
            ..
        } = judged;
        let tests = if results.total > 0 {
            message::counts(counts_of(&results))
        } else {
            String::new()
        };
        let trailer = message::outcome::label_trailer(label);
        let more = message::squash::wip_trailers(label, &results, &comparison);
        let text = self.wip_message(trailer, &tests, &snapshot.changes, &more);
        let commit = objects::commit(self.repo, snapshot.tree, &[self.head], &text)?;
        let mut plan = Plan {
            commit: Some(commit),
            index: Some(FromTo::new(self.head_tree()?, snapshot.tree)),
            ..Plan::default()
        };
        plan.notes
            .push(self.summary_note(commit, trailer, Some(&results))?);
        plan.notes.extend(self.result_note(&results, &jobs)?);
        let staged = self.keep_staged(&snapshot, &mut plan)?;
        outcome
            .remarks
            .extend(staged.map(message::reasons::staged_kept));
        outcome.action = Action::Commit;
        outcome.label = Some(trailer);
        outcome.cycle = self.cycle_of(trailer);
        outcome.commit = Some(commit.to_string());
        outcome.remarks.extend(
            notes
                .iter()
                .map(|remark| message::reasons::remark(*remark, &comparison)),
        );
        let is_red = results.verdict == Some(Verdict::Red);
        if label == CommitLabel::Test && is_red && !results.confirmed {
            outcome.hints.push(message::reasons::UNCONFIRMED_RED.into());
        }
        let mut event = self.result_event(EventKind::Commit, &results, &snapshot.changes);
        event.label = Some(trailer.into());
        event.commit = outcome.commit.clone();
        event.note = notes
            .iter()
            .map(|remark| message::reasons::remark(*remark, &comparison))
            .collect::<Vec<_>>()
            .join("; ");

        self.state.stats.commits += 1;
        self.state.stats.revert_streak = 0;
        self.state.failure_streak = FailureStreak::default();
        self.state.hold = None;
        self.state.step = None;
        self.state
            .known_failures
            .retain(|test| !comparison.known_fixed.contains(test));
        let committed: Vec<String> = snapshot
            .changes
            .iter()
            .map(|change| refs::component(change.path.as_bstr()))
            .collect();
        self.state
            .waivers
            .retain(|waiver| !committed.contains(&waiver.path));
        if label == CommitLabel::Red {
            self.state.targets = comparison.failing().cloned().collect();
            if self.state.cycle_kind() == CycleKind::Free {
                let unparked = self.unpark(snapshot.tree, snapshot.tree)?;
                outcome.remarks.extend(plan.bring_back(unparked));
            }
        }
        if results.verdict == Some(Verdict::Green) {
            self.state.last_green = Some(commit.to_string());
        }
        self.state.accept_results(results);
        self.move_phase(next, &mut event);
        plan.events.push(event);
        let carried = self.write(snapshot.tree, plan)?;
        Ok(self.finished(outcome, &carried))
    }

    fn keep_because(
        &mut self,
        judged: Judged,
        mut outcome: Outcome,
        reason: KeepReason,
    ) -> Result<(Outcome, bool)> {
        outcome.action = Action::Keep;
        outcome.remarks.extend(judged.objection.clone());
        let why = message::reasons::keep_reason(reason);
        if outcome.reason.is_empty() {
            outcome.reason = why;
        } else {
            outcome.remarks.insert(0, why);
        }
        let has_green = self.state.last_green.is_some();
        let hint = message::reasons::keep_hint(reason, self.state.phase, has_green);
        outcome.hints.extend(hint);
        self.keep(&judged, outcome, EventKind::Keep)
            .map(|outcome| (outcome, false))
    }

    fn keep(&mut self, judged: &Judged, outcome: Outcome, kind: EventKind) -> Result<Outcome> {
        let mut event = self.result_event(kind, &judged.results, &judged.snapshot.changes);
        event.note.clone_from(&outcome.reason);
        let mut plan = Plan {
            events: vec![event],
            ..Plan::default()
        };
        plan.notes
            .extend(self.result_note(&judged.results, &judged.jobs)?);
        self.count_failure(&judged.results);
        self.state.step = None;
        self.state.note_results(judged.results.clone());
        let tree = judged.snapshot.tree.to_string();
        self.state.kept_tree = self.by.as_ref().map(|_| tree);
        let carried = self.write(judged.snapshot.tree, plan)?;
        Ok(self.finished(outcome, &carried))
    }

    fn keep_unstable(&mut self, judged: Judged, mut outcome: Outcome) -> Result<Outcome> {
        outcome.action = Action::Keep;
        outcome.verdict = None;
        outcome.reason = message::reasons::unstable(&judged.unstable);
        outcome.hints.push(message::reasons::IGNORE_WRITTEN.into());
        self.keep(&judged, outcome, EventKind::Keep)
    }

    fn record_result(
        &mut self,
        judged: &Judged,
        mut outcome: Outcome,
        accepted: bool,
        next: NextPhase,
    ) -> Result<Outcome> {
        let mut event =
            self.result_event(EventKind::Record, &judged.results, &judged.snapshot.changes);
        event.note = outcome
            .would
            .clone()
            .map(|would| format!("would have: {would}"))
            .unwrap_or_default();
        event.would = would_of(&judged.decision);
        let mut plan = Plan::default();
        plan.notes
            .extend(self.result_note(&judged.results, &judged.jobs)?);
        if let NextPhase::To(Phase::Green) = next {
            self.state.targets = judged.comparison.failing().cloned().collect();
            if self.mode() != Mode::Observe && self.state.cycle_kind() == CycleKind::Free {
                let tree = judged.snapshot.tree;
                let unparked = self.unpark(tree, tree)?;
                outcome.remarks.extend(plan.bring_back(unparked));
            }
        }
        self.state.step = None;
        if accepted {
            self.state
                .known_failures
                .retain(|test| !judged.comparison.known_fixed.contains(test));
            self.state.accept_results(self.of_accepted(judged)?);
        } else {
            self.count_failure(&judged.results);
            self.state.note_results(judged.results.clone());
        }
        self.move_phase(next, &mut event);
        plan.events.push(event);
        let carried = self.write(judged.snapshot.tree, plan)?;
        Ok(self.finished(outcome, &carried))
    }

    /// The results of an accepted tree. Where work is committed that is HEAD's: what is known of a
    /// tree with changed docs holds for the one without them.
    fn of_accepted(&self, judged: &Judged) -> Result<TestResults> {
        let mut results = judged.results.clone();
        match self.mode() {
            Mode::Tdd | Mode::Observe | Mode::Off => {}
            Mode::Both | Mode::Tcr | Mode::Relaxed => {
                results.tree = self.head_tree()?.to_string();
            }
        }
        Ok(results)
    }

    pub(super) fn finished(&self, mut outcome: Outcome, carried: &Carried) -> Outcome {
        outcome.next_phase = self.state.phase;
        outcome.edited_meanwhile = names(carried.kept.iter());
        if self.on_wip {
            outcome.branch = refs::short(&self.wip).to_string();
        }
        if outcome.hints.is_empty() {
            outcome.hints.push(self.next_step());
        }
        outcome
    }

    fn move_phase(&mut self, next: NextPhase, event: &mut Event) {
        let now = clock::timestamp();
        match next {
            NextPhase::Stay => {}
            NextPhase::To(phase) => {
                // Out of `refactor` this is the red of the next cycle.
                event.cycle = self.state.cycle;
                self.state.enter(phase, &now);
            }
            NextPhase::EndCycle => {
                self.state.enter(Phase::Red, &now);
                self.state.cycle += 1;
                self.state.targets.clear();
            }
        }
        event.next_phase = self.state.phase;
    }

    pub(super) fn result_event(
        &self,
        kind: EventKind,
        results: &TestResults,
        changes: &[Change],
    ) -> Event {
        let mut event = self.event(kind, String::new());
        event.verdict = results.verdict;
        event.tests = (results.total > 0).then(|| counts_of(results));
        event.duration_ms = results.duration_ms;
        event.files = changes.len();
        event.lines = line_count::of(self.repo, changes);
        event
    }

    /// What is worth a word besides the judgement itself.
    fn surroundings(&self, judged: &Judged) -> Vec<String> {
        let mut remarks = Vec::new();
        let submodules = names(
            judged
                .snapshot
                .changes
                .iter()
                .filter(|change| change.is_submodule())
                .map(|change| &change.path),
        );
        if !submodules.is_empty() {
            remarks.push(message::reasons::submodules(&submodules));
        }
        if !judged.snapshot.nested.is_empty() {
            let nested = names(judged.snapshot.nested.iter());
            remarks.push(message::reasons::nested_repositories(&nested));
        }
        if !judged.results.flaky.is_empty() {
            remarks.push(message::reasons::flaky(&judged.results.flaky));
        }
        remarks
    }

    /// The summary that `git log --notes=tcr` shows.
    pub(crate) fn summary_note(
        &self,
        commit: gix::ObjectId,
        label: &str,
        results: Option<&TestResults>,
    ) -> Result<Note> {
        let text = message::outcome::commit_summary(label, self.cycle_of(label), results);
        Ok(Note::new(
            refs::NOTES,
            commit,
            objects::blob(self.repo, text.as_bytes())?,
        ))
    }
}

/// What the mode kept from being done.
fn would_of(decision: &LoopDecision) -> Option<Would> {
    match decision {
        LoopDecision::Record { would, .. } => match would.as_deref()? {
            LoopDecision::Commit { .. } => Some(Would::Commit),
            LoopDecision::Revert { .. } => Some(Would::Revert),
            LoopDecision::Keep { .. } => Some(Would::Keep),
            LoopDecision::Record { .. } | LoopDecision::Nothing => None,
        },
        LoopDecision::Commit { .. }
        | LoopDecision::Revert { .. }
        | LoopDecision::Keep { .. }
        | LoopDecision::Nothing => None,
    }
}
