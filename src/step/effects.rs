//! What follows from a decision: the commit, the work that stays, the work that is taken back.

use crate::branch::state::State;
use crate::git::repo::Repo;
use crate::step::frozen::part_back;
use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::answers;
use super::judge::{Judged, Run};
use super::parts::{Part, PartKind};
use crate::branch::event::{Event, EventKind, Would};
use crate::branch::session::{Plan, Session};
use crate::branch::state::{FailureStreak, TestResults};
use crate::branch::transaction::{self, Carried};
use crate::clock;
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::line_count::{self, Lines};
use crate::git::trees::names;
use crate::git::trees::{self, Change};
use crate::git::{objects, refs};
use crate::message;
use crate::outcome::smells::Smell;
use crate::outcome::step::{
    Action, Because, Failing, Kept, Made, Outcome, Settled, TakenBack, name_of,
};
use crate::rules::{
    Commit, Decision, Experiment, Keep, KeepReason, Label, Move, Outcome as Ended, Scope, TakeBack,
    Why,
};
use crate::rules::{CycleKind, Mode, PathClass, Phase, Verdict};
use crate::step::request::LoopRequest;
use crate::step::revert::{Part as PartBack, make_room};

/// A judgement on its way to its effects.
pub(crate) struct Carry {
    pub(crate) judged: Judged,
    pub(crate) settled: Settled,
    /// How often work was kept by now.
    pub(crate) spent: u64,
    pub(crate) lint: Option<crate::branch::state::LintResult>,
    pub(crate) smells: Vec<Smell>,
    pub(crate) objection: Option<String>,
}

impl Session<'_> {
    /// Carries a judgement out; the flag says that something is left to be judged.
    pub(crate) fn carry_out(
        &mut self,
        carry: Carry,
        request: &LoopRequest,
    ) -> Result<(Outcome, bool)> {
        // Nothing comes of a mere report: it is about the worktree.
        let mut outcome = self.outcome_of(&carry, request.report_only && request.force);
        if !carry.judged.unstable.is_empty() {
            outcome.verdict = None;
            outcome.reason = message::step::unstable(&carry.judged.unstable);
            outcome.hints.push(message::step::IGNORE_WRITTEN.into());
            return self.keep(&carry, outcome, Kept::Unstable);
        }
        if request.report_only {
            transaction::drop_pending(self.repo)?;
            outcome.would = Some(message::step::settled(&carry.settled));
            return Ok((outcome, false));
        }
        match carry.settled.clone() {
            Settled::Commit(commit) => self.commit(carry, outcome, &commit),
            Settled::Keep(kept) => {
                outcome.reason = message::step::kept(kept, &carry.judged.seen());
                outcome.hints.extend(message::step::way_on(
                    kept,
                    &carry.judged.seen(),
                    self.state.phase,
                ));
                outcome.remarks.extend(carry.objection.clone());
                self.keep(&carry, outcome, kept)
            }
            Settled::TakeBack(back) => self.take_back(carry, outcome, back),
            Settled::Record {
                would,
                held,
                accepted,
            } => {
                outcome.would = Some(match held {
                    Some(kept) => {
                        format!("kept: {}", message::step::kept(kept, &carry.judged.seen()))
                    }
                    None => message::step::decision(&would),
                });
                self.record_only(carry, outcome, &would, accepted)
            }
            Settled::Await(tests) => self.wait_for(&carry, outcome, tests),
            Settled::Nothing => self.note_only(&carry, outcome),
        }
    }

    /// The facts of a judgement, before anything is done.
    fn outcome_of(&self, carry: &Carry, wants_whole: bool) -> Outcome {
        let judged = &carry.judged;
        let mut outcome = self.outcome(Action::None);
        let tree = match &carry.settled {
            Settled::Commit(commit) => Some(commit.tree),
            Settled::Keep(_)
            | Settled::TakeBack(_)
            | Settled::Record { .. }
            | Settled::Await(_)
            | Settled::Nothing => None,
        };
        outcome.files = judged.parts.paths();
        outcome.lint.clone_from(&carry.lint);
        outcome.smells.clone_from(&carry.smells);
        outcome.remarks.extend(surroundings(judged));
        outcome.experiments = experiments(judged);
        outcome.awaited = self.state.awaited.iter().cloned().collect();
        let tree = tree
            .filter(|_| !wants_whole)
            .or(wants_whole.then_some(Experiment::Whole));
        if let Some(run) = judged.runs.telling(tree) {
            outcome.verdict = run.results.verdict;
            outcome.failing = failing(&run.results, &self.state.known_failures);
            outcome.test_results = Some(run.results.clone());
        }
        outcome.lost = lost(judged);
        outcome
    }

    fn commit(
        &mut self,
        carry: Carry,
        mut outcome: Outcome,
        commit: &Commit,
    ) -> Result<(Outcome, bool)> {
        let judged = carry.judged;
        let run = judged.runs.runs.get(&commit.tree).cloned();
        let tree = run.as_ref().map_or(judged.snapshot.tree, |run| run.tree);
        let accepted = self.state.accepted_after(run.as_ref(), tree, &judged);
        let changes = trees::diff(self.repo, self.head_tree()?, tree)?;
        let word = commit.label.name();
        let counted = match &run {
            Some(run) if run.results.total > 0 => message::counts(run.results.counts()),
            _ => String::new(),
        };
        let trailers = message::step::wip_trailers(commit.label, commit.awaited.as_ref());
        let text = self.wip_message(word, &counted, &changes, &trailers);
        let id = objects::commit(self.repo, tree, &[self.head], &text)?;
        let mut plan = Plan {
            commit: Some(id),
            index: Some(FromTo::new(self.head_tree()?, tree)),
            ..Plan::default()
        };
        plan.notes
            .push(self.summary_note(id, word, run.as_ref().map(|run| &run.results))?);
        plan.notes.extend(judged.runs.notes.iter().cloned());
        let staged = self.keep_staged(&judged.snapshot, &mut plan)?;
        outcome
            .remarks
            .extend(staged.map(message::step::staged_kept));
        outcome.action = Action::Commit;
        outcome.why = Some(Because::Committed(commit.label));
        outcome.cycle = self.cycle_of(word);
        outcome.commit = Some(id.to_string());
        outcome.files = names(changes.iter().map(|change| &change.path));
        outcome
            .remarks
            .extend(message::step::beside_commit(commit.label, &judged.seen()));
        let mut event = self.event_of(EventKind::Commit, run.as_ref(), &changes);
        event.label = Some(word.into());
        event.commit.clone_from(&outcome.commit);

        self.state.stats.commits += 1;
        self.state.stats.revert_streak = 0;
        self.state.failure_streak = FailureStreak::default();
        self.state.hold = None;
        self.state.step = None;
        self.state.kept = None;
        self.state.forget_known_failures(run.as_ref());
        self.state.forget_waivers(&changes);
        self.forget_unclear(changes.iter().map(|change| change.path.as_bstr()));
        self.state.await_tests(commit);
        if commit.label == Label::Red && self.state.cycle_kind() == CycleKind::Free {
            let unparked = self.unpark(judged.snapshot.tree, tree)?;
            outcome.remarks.extend(plan.bring_back(unparked));
        }
        if let Some(accepted) = accepted {
            if accepted.verdict == Some(Verdict::Green) {
                self.state.last_green = Some(id.to_string());
            }
            self.state.accept_results(accepted);
        }
        self.state.accepted_tree = tree.to_string();
        self.state.move_phase(commit.next, &mut event);
        outcome.awaited = self.state.awaited.iter().cloned().collect();
        plan.events.push(event);
        // Prose is committed first; tests that fail in the accepted tree are awaited next.
        let is_left =
            commit.label == Label::Docs || tree != judged.snapshot.tree || plan.worktree.is_some();
        let carried = self.write(judged.snapshot.tree, plan)?;
        let ends_round = self.state.cycle_kind() == CycleKind::Spec && commit.label == Label::Red;
        Ok((self.finished(outcome, &carried), is_left && !ends_round))
    }

    fn keep(&mut self, carry: &Carry, mut outcome: Outcome, kept: Kept) -> Result<(Outcome, bool)> {
        let judged = &carry.judged;
        outcome.action = Action::Keep;
        outcome.why = Some(Because::Kept(kept));
        outcome.tries_left = self.tries_left(carry, kept);
        let run = judged.runs.telling(None);
        let mut event = self.event_of(EventKind::Keep, run, &judged.snapshot.changes);
        event.note.clone_from(&outcome.reason);
        event.cause = Some(kept.name().into());
        let mut plan = Plan {
            events: vec![event],
            ..Plan::default()
        };
        plan.notes.extend(judged.runs.notes.iter().cloned());
        plan.moves
            .push(held_as_work(self.repo, self.head, judged.snapshot.tree)?);
        if let Some(run) = run {
            self.state.count_failure(&run.results);
            self.note_run(run, judged);
        }
        self.state.step = None;
        self.state.kept = Some(crate::branch::state::KeptWork {
            tree: judged.snapshot.tree.to_string(),
            why: kept.name().to_owned(),
            phase: Some(self.state.phase),
            spent: carry.spent,
            paths: judged.parts.paths(),
        });
        self.state.kept_tree = self.by.as_ref().map(|_| judged.snapshot.tree.to_string());
        let carried = self.write(judged.snapshot.tree, plan)?;
        Ok((self.finished(outcome, &carried), false))
    }

    /// How often it may still be kept; none where it does not count.
    fn tries_left(&self, carry: &Carry, kept: Kept) -> Option<u64> {
        let counted = match (&carry.judged.decision, kept) {
            (Decision::Keep(Keep { counted, .. }), Kept::Rules(_)) => *counted,
            _ => false,
        };
        counted.then(|| u64::from(self.config.patience).saturating_sub(carry.spent))
    }

    /// Notes a run that is not what later ones are compared with, or not alone.
    fn note_run(&mut self, run: &Run, judged: &Judged) {
        let mut results = run.results.clone();
        results.aside |= !run.suite || !judged.trusted || self.state.misses_some(judged);
        self.state.note_results(results);
    }

    fn take_back(
        &mut self,
        carry: Carry,
        mut outcome: Outcome,
        back: TakeBack,
    ) -> Result<(Outcome, bool)> {
        let judged = carry.judged;
        let mut changes = self.changes_back(&judged, back.scope)?;
        if changes.is_empty() {
            let kept = match &judged.decision {
                Decision::Keep(keep) => Kept::Rules(keep.why),
                Decision::TakeBack(_)
                | Decision::Commit(_)
                | Decision::Await(_)
                | Decision::Nothing => Kept::Relaxed(back.why),
            };
            let carry = Carry { judged, ..carry };
            outcome.reason = message::step::kept(kept, &carry.judged.seen());
            return self.keep(&carry, outcome, kept);
        }
        make_room(&judged.snapshot.changes, &mut changes);
        let target = trees::with_changes(self.repo, judged.snapshot.tree, changes.iter())?;
        let why = message::step::taken_back(back).to_owned();
        let (number, commit) = self.save(&judged.snapshot, &why)?;
        outcome.action = Action::TakeBack;
        outcome.why = Some(Because::TakenBack(back.why));
        outcome.recover = Some(number);
        outcome.files = names(changes.iter().map(|change| &change.path));
        outcome.taken_back = taken(&outcome.files, back.why);
        outcome.reason.clone_from(&why);
        let run = judged.runs.telling(None);
        let mut event = self.event_of(EventKind::Revert, run, &changes);
        event.lines = event.lines.map(Lines::inverse);
        event.recover = Some(number);
        event.note.clone_from(&why);
        event.cause = Some(back.why.name().into());
        self.state.stats.reverts += 1;
        self.state.stats.revert_streak += 1;
        self.state.stats.last_revert_reason = Some(why);
        self.state.step = None;
        self.state.kept = None;
        if let Some(run) = run {
            self.state.count_failure(&run.results);
            self.note_run(run, &judged);
        }
        outcome.hints.extend(self.advice(back, number));
        let mut plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(judged.snapshot.tree, target)),
            index: Some(FromTo::new(judged.snapshot.tree, target)),
            ..Plan::default()
        };
        plan.notes.extend(judged.runs.notes.iter().cloned());
        let carried = self.write(judged.snapshot.tree, plan)?;
        let is_left = self.leaves_work(target)?;
        Ok((self.finished(outcome, &carried), is_left))
    }

    /// Whether a tree holds more than the accepted one that can be taken back or committed.
    fn leaves_work(&self, tree: ObjectId) -> Result<bool> {
        let left = trees::diff(self.repo, self.accepted_tree()?, tree)?;
        let is_work = |change: &Change| match self.class(change.path.as_bstr()) {
            PathClass::Protected => false,
            PathClass::Spec
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Mixed
            | PathClass::Source
            | PathClass::Docs
            | PathClass::Other => !change.is_submodule(),
        };
        Ok(left.iter().any(is_work))
    }

    /// The changes that take a part of a step back.
    fn changes_back(&self, judged: &Judged, scope: Scope) -> Result<Vec<Change>> {
        let mut back = Vec::new();
        for part in &judged.parts.parts {
            if part.change.is_submodule() || self.class(part.path()) == PathClass::Protected {
                continue;
            }
            back.extend(self.part_of_step_back(part, scope)?);
        }
        back.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(back)
    }

    fn part_of_step_back(&self, part: &Part, scope: Scope) -> Result<Option<Change>> {
        let whole = || Ok(Some(part.change.inverse()));
        let holds_tests = part.tests().is_some_and(|tests| !tests.is_none());
        match (&part.kind, scope) {
            (PartKind::Docs, _) => Ok(None),
            (PartKind::Tests(_) | PartKind::AroundTests { .. }, Scope::Tests | Scope::Step) => {
                whole()
            }
            (
                PartKind::Tests(_) | PartKind::AroundTests { .. },
                Scope::Source | Scope::AllButTests,
            ) => Ok(None),
            (PartKind::Source { .. }, Scope::Source | Scope::AllButTests) if holds_tests => {
                part_back(self.repo, &part.change, PartBack::Source)
            }
            (PartKind::Source { .. }, Scope::Source | Scope::AllButTests | Scope::Step) => whole(),
            (PartKind::Source { .. }, Scope::Tests) if holds_tests => {
                part_back(self.repo, &part.change, PartBack::Tests)
            }
            (PartKind::Source { .. }, Scope::Tests) => Ok(None),
            (PartKind::Other | PartKind::Dependencies, Scope::AllButTests | Scope::Step) => whole(),
            (PartKind::Other | PartKind::Dependencies, Scope::Source | Scope::Tests) => Ok(None),
        }
    }

    /// Modes that commit nothing: results move the phase and what later ones are compared with.
    fn record_only(
        &mut self,
        carry: Carry,
        mut outcome: Outcome,
        would: &Decision,
        accepted: bool,
    ) -> Result<(Outcome, bool)> {
        let judged = carry.judged;
        let run = judged.runs.telling(None).cloned();
        let mut event = self.event_of(EventKind::Record, run.as_ref(), &judged.snapshot.changes);
        let told = outcome.would.clone().unwrap_or_default();
        event.note = format!("would have: {told}");
        event.would = Some(match accepted {
            true => would_of(would),
            false => Would::Keep,
        });
        let mut plan = Plan::default();
        plan.notes.extend(judged.runs.notes.iter().cloned());
        self.state.step = None;
        match (would, &run) {
            (Decision::Commit(commit), Some(run)) if accepted => {
                self.state.forget_known_failures(Some(run));
                self.state.await_tests(commit);
                let mut results = run.results.clone();
                results.tree = judged.snapshot.tree.to_string();
                self.state.accept_results(results);
                if commit.next == Move::ToGreen
                    && self.mode() == Mode::Tdd
                    && self.state.cycle_kind() == CycleKind::Free
                {
                    let tree = judged.snapshot.tree;
                    let unparked = self.unpark(tree, tree)?;
                    outcome.remarks.extend(plan.bring_back(unparked));
                }
                self.state.move_phase(commit.next, &mut event);
            }
            (_, Some(run)) => {
                self.state.count_failure(&run.results);
                self.note_run(run, &judged);
            }
            (_, None) => {}
        }
        outcome.awaited = self.state.awaited.iter().cloned().collect();
        plan.events.push(event);
        let carried = self.write(judged.snapshot.tree, plan)?;
        Ok((self.finished(outcome, &carried), false))
    }

    /// Nothing changed, and tests fail that did not in the fork: they are awaited.
    fn wait_for(
        &mut self,
        carry: &Carry,
        mut outcome: Outcome,
        tests: BTreeSet<String>,
    ) -> Result<(Outcome, bool)> {
        let mut event = self.event_of(EventKind::Phase, None, &[]);
        self.state.await_tests(&Commit {
            label: Label::Red,
            tree: Experiment::Whole,
            next: Move::ToGreen,
            awaited: Some(tests),
        });
        self.state.move_phase(Move::ToGreen, &mut event);
        outcome.awaited = self.state.awaited.iter().cloned().collect();
        let plan = Plan {
            events: vec![event],
            ..Plan::default()
        };
        let carried = self.write(carry.judged.snapshot.tree, plan)?;
        Ok((self.finished(outcome, &carried), false))
    }

    /// Nothing to do; what was found out is kept all the same.
    fn note_only(&mut self, carry: &Carry, mut outcome: Outcome) -> Result<(Outcome, bool)> {
        let judged = &carry.judged;
        if let Some(accepted) = self
            .state
            .accepted_results()
            .filter(|_| outcome.test_results.is_none())
        {
            outcome.verdict = accepted.verdict;
            outcome.failing = failing(accepted, &self.state.known_failures);
            outcome.test_results = Some(accepted.clone());
        }
        let ends_step = self.state.step.take().is_some();
        match judged.runs.telling(None) {
            None if ends_step => {
                let event = self.event(EventKind::Step, message::step::STEP_ENDS.into());
                let plan = Plan {
                    events: vec![event],
                    ..Plan::default()
                };
                self.write(judged.snapshot.tree, plan)?;
            }
            None => transaction::drop_pending(self.repo)?,
            Some(run) => {
                let run = run.clone();
                let is_accepted = run.suite
                    && judged.trusted
                    && !self.state.misses_some(judged)
                    && run.tree == self.accepted_tree()?;
                let event = self.event_of(EventKind::Record, Some(&run), &judged.snapshot.changes);
                match is_accepted {
                    true => self.state.accept_results(run.results),
                    false => self.note_run(&run, judged),
                }
                let plan = Plan {
                    events: vec![event],
                    notes: judged.runs.notes.clone(),
                    ..Plan::default()
                };
                self.write(judged.snapshot.tree, plan)?;
            }
        }
        outcome.hints.push(self.next_step());
        Ok((outcome, false))
    }

    fn finished(&self, mut outcome: Outcome, carried: &Carried) -> Outcome {
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

    fn event_of(&self, kind: EventKind, run: Option<&Run>, changes: &[Change]) -> Event {
        let mut event = self.event(kind, String::new());
        if let Some(run) = run {
            event.verdict = run.results.verdict;
            event.tests = (run.results.total > 0).then(|| run.results.counts());
            event.duration_ms = run.results.duration_ms;
        }
        event.files = changes.len();
        event.lines = line_count::of(self.repo, changes);
        event
    }
}

/// What is worth a word besides the judgement itself.
fn surroundings(judged: &Judged) -> Vec<String> {
    let mut remarks = Vec::new();
    let changes = judged.snapshot.changes.iter();
    let submodules = changes.filter(|change| change.is_submodule());
    let submodules = names(submodules.map(|change| &change.path));
    if !submodules.is_empty() {
        remarks.push(message::step::submodules(&submodules));
    }
    if !judged.snapshot.nested.is_empty() {
        let nested = names(judged.snapshot.nested.iter());
        remarks.push(message::step::nested_repositories(&nested));
    }
    let flaky: BTreeSet<String> = (judged.runs.answers.values())
        .flat_map(|answer| answer.tests.iter())
        .filter(|(_, fact)| fact.outcome == Ended::Flaky)
        .map(|(id, _)| id.clone())
        .collect();
    if !flaky.is_empty() {
        let flaky: Vec<String> = flaky.into_iter().collect();
        remarks.push(message::step::flaky(&flaky));
    }
    remarks
}

impl State {
    fn move_phase(&mut self, next: Move, event: &mut Event) {
        let now = clock::timestamp();
        match next {
            Move::Stay => {}
            Move::ToGreen => {
                // Out of `refactor` this is the red of the next cycle.
                event.cycle = self.cycle;
                self.enter(Phase::Green, &now);
            }
            Move::NextCycle => {
                self.enter(Phase::Red, &now);
                self.cycle += 1;
                self.awaited.clear();
            }
        }
        event.next_phase = self.phase;
    }
}

/// Kept work stays reachable, whatever becomes of the worktree, until the next one.
fn held_as_work(repo: &Repo, head: gix::ObjectId, tree: ObjectId) -> Result<refs::Move> {
    let name = refs::work(repo);
    let before = refs::read(repo, &name)?;
    let commit = objects::commit(repo, tree, &[head], "kept work\n")?;
    Ok(refs::Move {
        name,
        old: before.map(refs::Pointer::object),
        new: Some(refs::Pointer::object(commit)),
    })
}

impl State {
    fn await_tests(&mut self, commit: &Commit) {
        let Some(awaited) = &commit.awaited else {
            return;
        };
        if commit.label == Label::Red {
            let cycle = self.cycle;
            let asked = self.asked.entry(cycle).or_default();
            asked.extend(awaited.iter().cloned());
            self.known_failures.retain(|test| !awaited.contains(test));
        }
        self.awaited.clone_from(awaited);
    }

    fn forget_waivers(&mut self, changes: &[Change]) {
        let component = |change: &Change| refs::component(change.path.as_bstr());
        let committed: Vec<String> = changes.iter().map(component).collect();
        self.waivers
            .retain(|waiver| !committed.contains(&waiver.path));
    }

    fn forget_known_failures(&mut self, run: Option<&Run>) {
        let Some(run) = run else { return };
        let passed: BTreeSet<&String> = run.results.passed.iter().collect();
        self.known_failures.retain(|test| !passed.contains(test));
    }

    /// What is known of a tree once it is accepted: its own run, or what was known before with that
    /// run over it.
    fn accepted_after(
        &self,
        run: Option<&Run>,
        tree: ObjectId,
        judged: &Judged,
    ) -> Option<TestResults> {
        let of_tree = |results: TestResults| TestResults {
            tree: tree.to_string(),
            ..results
        };
        match run {
            Some(run) if run.suite => Some(of_tree(run.results.clone())),
            Some(run) => {
                let before = self.accepted_results();
                Some(of_tree(answers::merged(
                    before,
                    &run.results,
                    &judged.moves,
                )))
            }
            // Prose changes no result.
            None => self.accepted_results().cloned().map(of_tree),
        }
    }
}

/// Paths that were taken back, each with the reason.
pub(crate) fn taken(paths: &[String], why: Why) -> Vec<TakenBack> {
    let taken = paths.iter().map(|path| TakenBack {
        path: path.clone(),
        why: Because::TakenBack(why),
    });
    taken.collect()
}

fn experiments(judged: &Judged) -> Vec<Made> {
    let runs = judged.runs.runs.iter();
    runs.map(|(experiment, run)| Made {
        name: name_of(*experiment),
        tree: run.tree.to_string(),
        verdict: run.results.verdict,
        tests: run.results.total,
        ms: run.results.duration_ms,
    })
    .collect()
}

/// The failing tests of a run that are no known failures.
pub(crate) fn failing(results: &TestResults, known: &BTreeSet<String>) -> Vec<Failing> {
    let failing = results.failed.iter().filter(|id| !known.contains(*id));
    failing
        .map(|id| {
            let told = results.failures.get(id);
            Failing {
                test: id.clone(),
                file: told
                    .and_then(|told| told.file.clone())
                    .or_else(|| results.files.get(id).cloned()),
                line: told.and_then(|told| told.line),
                cause: results.causes.get(id).copied(),
                message: told.map(|told| told.message.clone()).unwrap_or_default(),
            }
        })
        .collect()
}

fn lost(judged: &Judged) -> Vec<String> {
    let Some(whole) = judged.runs.answers.get(&Experiment::Whole) else {
        return Vec::new();
    };
    let is_lost = match &judged.decision {
        Decision::Keep(keep) => keep.why == KeepReason::Lost,
        Decision::Commit(_) | Decision::TakeBack(_) | Decision::Nothing | Decision::Await(_) => {
            false
        }
    };
    if !is_lost {
        return Vec::new();
    }
    let fell = whole.tests.iter().filter(|(_, fact)| {
        matches!(fact.outcome, Ended::Failed(_) | Ended::Skipped)
            && fact.before == crate::rules::Before::Passed
    });
    let gone = whole
        .gone
        .iter()
        .filter(|(_, how)| **how != crate::rules::Gone::Moved);
    (fell.map(|(id, _)| id.clone()))
        .chain(gone.map(|(id, _)| id.clone()))
        .collect()
}

fn would_of(decision: &Decision) -> Would {
    match decision {
        Decision::Commit(_) => Would::Commit,
        Decision::TakeBack(_) => Would::Revert,
        Decision::Keep(_) | Decision::Nothing | Decision::Await(_) => Would::Keep,
    }
}
