//! The interpreter of the rules: what they ask is found out, what they decide comes back.

use crate::branch::state::State;
use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use super::answers::{self, Beside};
use super::experiment::{AskLab, LabOnDemand, Ran, selection_of};
use super::memory::Memory;
use super::moves::Moves;
use super::parts::{Parts, tests_name_what_is_new};
use super::touched::Touched;
use super::trees::{self as experiment_trees, Ends, Repairs};
use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::error::{Doing, Result};
use crate::fault;
use crate::git::notes::Note;
use crate::git::snapshot::Snapshot;
use crate::git::trees;
use crate::languages::{StubRules, numbers_in};
use crate::outcome::step::Seen;
use crate::rules::{
    Answer, Before, Changed, Decision, Experiment, Facts, Form, Next, NoAnswer, Outcome,
    SourceKind, TestsPart, plain, step,
};
use crate::rules::{Cause, CycleKind, Mode, PathClass, Phase, Verdict};
use crate::step::request::LoopRequest;
use crate::test_run::Selection;
use crate::test_run::jobs::{self, Job};
use crate::test_run::progress::Progress;

/// How often functions that run while tests load are given their body back.
pub(crate) const REPAIR_ROUNDS: usize = 3;
/// Some tests are asked before the suite where it takes this many times as long.
const WORTH_AIMING: u64 = 10;
/// How often a step is begun anew because somebody saved meanwhile.
const RESTARTS: usize = 2;

/// A step and what is to be done with it.
pub(crate) struct Judged {
    pub(crate) snapshot: Snapshot,
    pub(crate) parts: Parts,
    pub(crate) decision: Decision,
    pub(crate) runs: Runs,
    /// Paths that changed while the tests ran, every time: the run says nothing.
    pub(crate) unstable: Vec<String>,
    /// The test commands behind the results.
    pub(crate) jobs: Vec<Job>,
    pub(crate) moves: Moves,
    /// Why an experiment has no answer, in its own words.
    pub(crate) no_answer: Option<String>,
    /// The results are those of another command than the configured one, or from elsewhere.
    pub(crate) foreign: bool,
    /// The results can be believed.
    pub(crate) trusted: bool,
}

/// What was found out on the way.
#[derive(Default)]
pub(crate) struct Runs {
    pub(crate) runs: BTreeMap<Experiment, Run>,
    pub(crate) answers: BTreeMap<Experiment, Answer>,
    /// Results that are worth keeping beside their trees.
    pub(crate) notes: Vec<Note>,
}

/// One experiment that ran.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) tree: ObjectId,
    pub(crate) results: TestResults,
    /// Every test was asked.
    pub(crate) suite: bool,
}

impl Judged {
    /// What its words speak of.
    pub(crate) fn seen(&self) -> Seen {
        let telling = self.runs.telling(None);
        let mut errors = (self.runs.runs.values()).flat_map(|run| &run.results.load_errors);
        let tests_alone = self.runs.runs.get(&Experiment::TestsAlone);
        Seen {
            asking_for_tests: self.parts.asking_for_tests(),
            unstable: self.unstable.clone(),
            does_not_parse: self.parts.does_not_parse(),
            unreadable: self.parts.unreadable(),
            source_goes: self.parts.source_goes(),
            missing_name: errors.find_map(|error| error.missing_name.clone()),
            said: telling.map_or_else(String::new, |run| run.results.reason.clone()),
            unconfirmed: telling.is_some_and(|run| !run.results.confirmed),
            fails_without_source: tests_alone.is_some_and(|run| run.tree != self.snapshot.tree),
            no_answer: self.no_answer.clone(),
        }
    }
}

impl Runs {
    /// The run that a decision rests on: that of its tree, else the last word on the worktree.
    pub(crate) fn telling(&self, tree: Option<Experiment>) -> Option<&Run> {
        let order = [
            tree,
            Some(Experiment::Whole),
            Some(Experiment::Awaited),
            Some(Experiment::Hollow(Form::NotImplemented)),
            Some(Experiment::Hollow(Form::Empty)),
            Some(Experiment::TestsAlone),
        ];
        order
            .into_iter()
            .flatten()
            .find_map(|one| self.runs.get(&one))
    }
}

/// What a judgement needs beside the branch: what is asked, who looks on, what is known already.
pub(crate) struct Means<'m> {
    pub(crate) request: &'m LoopRequest,
    pub(crate) progress: &'m mut dyn Progress,
    pub(crate) lab: &'m mut LabOnDemand,
    pub(crate) memory: &'m mut Memory,
    /// Tests of this round were committed before.
    pub(crate) tests_came_along: bool,
}

/// Judges the worktree.
pub(crate) fn judge(
    session: &mut Session<'_>,
    snapshot: Snapshot,
    means: &mut Means<'_>,
) -> Result<Judged> {
    let mut snapshot = snapshot;
    for _ in 0..RESTARTS {
        match judge_once(session, snapshot, means)? {
            Once::Judged(judged) => return Ok(*judged),
            Once::Saved(newer) => snapshot = *newer,
        }
    }
    let looked_at = snapshot.tree;
    match judge_once(session, snapshot, means)? {
        Once::Judged(judged) => Ok(*judged),
        Once::Saved(newer) => {
            let moved = trees::diff(session.repo, looked_at, newer.tree)?;
            let mut bench = Bench::new(session, *newer, means)?;
            bench.unstable = moved.iter().map(|change| change.path.to_string()).collect();
            Ok(bench.judged(Decision::Nothing))
        }
    }
}

enum Once {
    Judged(Box<Judged>),
    /// Somebody saved: the step is another one now.
    Saved(Box<Snapshot>),
}

fn judge_once(
    session: &mut Session<'_>,
    snapshot: Snapshot,
    means: &mut Means<'_>,
) -> Result<Once> {
    let mut bench = Bench::new(session, snapshot, means)?;
    if bench.runs_anyway() {
        match bench.ask(Experiment::Whole)? {
            Asked::Answered => bench.accept_whole(),
            Asked::Saved(snapshot) => return Ok(Once::Saved(snapshot)),
            Asked::Unstable => {
                let judged = bench.judged(Decision::Nothing);
                return Ok(Once::Judged(Box::new(judged)));
            }
        }
    }
    loop {
        let asked = match bench.next() {
            // Whoever insists on a run gets one, also where the decision needs none.
            Next::Decide(_) if bench.is_run_owed() => bench.ask(Experiment::Whole)?,
            Next::Decide(decision) => {
                let judged = bench.judged(decision);
                return Ok(Once::Judged(Box::new(judged)));
            }
            Next::Ask(experiment) => bench.ask(experiment)?,
            Next::AskAgain(experiment) => bench.ask_again(experiment)?,
        };
        match asked {
            Asked::Answered => {}
            Asked::Saved(snapshot) => return Ok(Once::Saved(snapshot)),
            Asked::Unstable => {
                let judged = bench.judged(Decision::Nothing);
                return Ok(Once::Judged(Box::new(judged)));
            }
        }
    }
}

enum Asked {
    Answered,
    Saved(Box<Snapshot>),
    Unstable,
}

/// A step on the bench.
struct Bench<'b, 's, 'm> {
    session: &'b mut Session<'s>,
    means: &'b mut Means<'m>,
    snapshot: Snapshot,
    ends: Ends,
    parts: Parts,
    touched: Touched,
    moves: Moves,
    jobs: Vec<Job>,
    can_aim: bool,
    runs: Runs,
    unstable: Vec<String>,
    no_answer: Option<String>,
    accepted: Option<TestResults>,
    failing_since_fork: BTreeSet<String>,
}

impl<'b, 's, 'm> Bench<'b, 's, 'm> {
    fn new(
        session: &'b mut Session<'s>,
        snapshot: Snapshot,
        means: &'b mut Means<'m>,
    ) -> Result<Self> {
        let accepted_tree = session.accepted_tree()?;
        let ends = Ends {
            accepted: accepted_tree,
            worktree: snapshot.tree,
        };
        let changes = trees::diff(session.repo, ends.accepted, ends.worktree)?;
        // What a person allowed asks for no test.
        let class = |path: &gix::bstr::BStr| match session.state.is_waived(path) {
            true => PathClass::Other,
            false => session.class(path),
        };
        let stubs = StubRules {
            marker: session.state.cycle_kind() == CycleKind::Spec,
        };
        let parts = Parts::of(session.repo, &changes, &class, stubs)?;
        let jobs = match &means.request.command {
            Some(command) => vec![jobs::instead(session.config, session.repo.root(), command)],
            None => jobs::about(session.config, session.repo.root(), &changes)?,
        };
        // Whoever insists on a run wants to see the suite.
        let can_aim = means.request.takes_own_results()
            && !means.request.force
            && jobs.iter().all(|job| job.can_be_aimed());
        let accepted = session.state.accepted_results().cloned();
        let failing_since_fork = failing_since_fork(session, accepted.as_ref());
        Ok(Bench {
            touched: Touched::of(&parts),
            moves: Moves::of(&parts),
            session,
            means,
            snapshot,
            ends,
            parts,
            jobs,
            can_aim,
            runs: Runs::default(),
            unstable: Vec::new(),
            no_answer: None,
            accepted,
            failing_since_fork,
        })
    }

    /// Whether the tests run although nothing changed: somebody wants to see it, or nothing is
    /// known of the accepted tree.
    fn runs_anyway(&self) -> bool {
        let request = self.means.request;
        let is_wanted = request.force || !request.takes_own_results();
        let is_known = (self.accepted.as_ref())
            .is_some_and(|known| matches!(known.verdict, Some(Verdict::Green | Verdict::Red)));
        !self.parts.changed().needs_judgement() && (is_wanted || !is_known)
    }

    /// Whether the tests of the worktree did not run although somebody asks for a run whatever is known.
    fn is_run_owed(&self) -> bool {
        let ran = self.runs.answers.contains_key(&Experiment::Whole);
        let wanted = self.means.request.force && self.session.mode() != Mode::Off;
        wanted && !ran && self.runs.runs.len() < step::MOST_SUITES
    }

    /// What the whole says of an unchanged tree is what is known of it.
    fn accept_whole(&mut self) {
        let Some(run) = self.runs.runs.get(&Experiment::Whole) else {
            return;
        };
        if !self.means.request.is_trusted() {
            return;
        }
        // Nothing was known before: what fails now is nobody's doing.
        let head = self.session.head.to_string();
        let is_fork = self.session.state.fork == head;
        if self.accepted.is_none() && is_fork {
            let failing = run.results.failed.iter().cloned();
            self.session.state.known_failures.extend(failing);
        }
        self.accepted = Some(run.results.clone());
        self.failing_since_fork = failing_since_fork(self.session, self.accepted.as_ref());
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            phase: self.session.state.phase,
            cycle: self.session.state.cycle_kind(),
            changed: self.parts.changed(),
            awaited: &self.session.state.awaited,
            known_failures: &self.session.state.known_failures,
            failing_since_fork: &self.failing_since_fork,
            red_needs: self
                .session
                .config
                .red_needs(self.session.state.cycle_kind()),
            can_aim: self.can_aim,
            tests_name_what_is_new: tests_name_what_is_new(&self.parts),
            suite_is_quick: self.suite_is_quick(),
            tests_came_along: self.means.tests_came_along || self.parts.touches_test_files(),
            is_settling: self.means.request.settles(),
            answers: &self.runs.answers,
        }
    }

    /// Whether the suite took little longer, when last run, than some of its tests in this call.
    fn suite_is_quick(&self) -> bool {
        let aimed = self.means.memory.quickest_aimed_ms();
        (self.suite_ms().zip(aimed))
            .is_some_and(|(suite, aimed)| suite < aimed.saturating_mul(WORTH_AIMING))
    }

    fn suite_ms(&self) -> Option<u64> {
        self.accepted.as_ref().and_then(TestResults::suite_ms)
    }

    fn next(&self) -> Next {
        let facts = self.facts();
        match self.session.mode() {
            Mode::Both | Mode::Relaxed | Mode::Observe => step::next(&facts),
            Mode::Tcr => plain::commit_or_take_back(&facts),
            Mode::Tdd => plain::results_only(&facts),
            Mode::Off => Next::Decide(Decision::Nothing),
        }
    }

    fn ask(&mut self, experiment: Experiment) -> Result<Asked> {
        match experiment {
            Experiment::Whole => self.run(experiment, self.ends.worktree, None),
            Experiment::Awaited => {
                let awaited = self.session.state.awaited.clone();
                let only = selection_of(&awaited, self.accepted.as_ref());
                self.run(experiment, self.ends.worktree, Some(only))
            }
            Experiment::TestsAlone => {
                let tree =
                    experiment_trees::tests_alone(self.session.repo, self.ends, &self.parts)?;
                match tree {
                    Some(tree) => self.run(experiment, tree, self.touched.selection()),
                    None => Ok(self.no_answer(experiment, NoAnswer::NotHollow, String::new())),
                }
            }
            Experiment::Hollow(form) => self.hollow(form),
            Experiment::Before => {
                let only = selection_of(&self.unknown_failing(), None);
                self.run(experiment, self.ends.accepted, Some(only))
            }
        }
    }

    /// Functions that run while tests load are given their body back, a few times.
    fn hollow(&mut self, form: Form) -> Result<Asked> {
        let mut repairs = Repairs::default();
        let experiment = Experiment::Hollow(form);
        for _ in 0..=REPAIR_ROUNDS {
            let hollow = experiment_trees::hollow(
                self.session.repo,
                self.ends,
                &self.parts,
                form,
                &repairs,
            )?;
            let asked = self.run(experiment, hollow.tree, self.touched.selection())?;
            let run = self.runs.runs.get(&experiment);
            let died: BTreeSet<u32> = run
                .map(|run| numbers_at_load(&run.results))
                .unwrap_or_default();
            let more: BTreeSet<u32> = died.difference(&repairs.keep).copied().collect();
            let loads = run.is_none_or(|run| run.results.load_errors.is_empty());
            if loads || !matches!(asked, Asked::Answered) {
                return Ok(asked);
            }
            match more.is_empty() {
                false => repairs.keep.extend(more),
                true if repairs.old_bodies_go => return Ok(asked),
                true => {
                    repairs = Repairs {
                        old_bodies_go: true,
                        ..Repairs::default()
                    };
                }
            }
        }
        Ok(Asked::Answered)
    }

    /// Failing tests of which nobody knows how they stood before.
    fn unknown_failing(&self) -> BTreeSet<String> {
        let answers = self.runs.answers.values();
        let unknown = answers.flat_map(|answer| {
            answer.tests.iter().filter(|(_, fact)| {
                fact.before == Before::Unknown
                    && !fact.touched
                    && matches!(fact.outcome, Outcome::Failed(_) | Outcome::Skipped)
            })
        });
        unknown.map(|(id, _)| id.clone()).collect()
    }

    fn run(
        &mut self,
        experiment: Experiment,
        tree: ObjectId,
        only: Option<Selection>,
    ) -> Result<Asked> {
        let only = only.filter(|_| self.can_aim);
        let mut found = match self.known(tree, only.as_ref())? {
            Some(known) => Found::Results(Box::new(known)),
            None => self.find_out(tree, only.as_ref())?,
        };
        if let Found::Results(results) = &found
            && only.is_some()
            && hit_nothing(results)
        {
            found = self.find_out(tree, None)?;
        }
        let results = match found {
            Found::Results(results) => *results,
            Found::Saved(snapshot) => return Ok(Asked::Saved(snapshot)),
            Found::Unstable => return Ok(Asked::Unstable),
            Found::Nothing(why, words) => return Ok(self.no_answer(experiment, why, words)),
        };
        let suite = only.is_none() || !results.aimed;
        let beside = Beside::new(self.accepted.as_ref(), &self.touched, &self.moves);
        let answer = answers::answer(&results, suite, &beside);
        self.runs.answers.insert(experiment, answer);
        let run = Run {
            tree,
            results,
            suite,
        };
        self.runs.runs.insert(experiment, run);
        Ok(Asked::Answered)
    }

    fn no_answer(&mut self, experiment: Experiment, why: NoAnswer, words: String) -> Asked {
        self.runs.answers.insert(experiment, Answer::nothing(why));
        self.no_answer = (!words.is_empty()).then_some(words);
        Asked::Answered
    }

    /// What is known of a tree: from this round, or noted beside the tree.
    fn known(&self, tree: ObjectId, only: Option<&Selection>) -> Result<Option<TestResults>> {
        if let Some(known) = self.means.memory.find(tree, only) {
            return Ok(Some(known.clone()));
        }
        match self.means.request.takes_known_results() {
            true => self.session.cached(tree, &self.jobs, only),
            false => Ok(None),
        }
    }

    fn find_out(&mut self, tree: ObjectId, only: Option<&Selection>) -> Result<Found> {
        let found = match tree == self.ends.worktree {
            true => self.in_worktree(only)?,
            false if self.means.request.takes_own_results() => self.in_lab(tree, only)?,
            false => Found::Nothing(NoAnswer::NoLab, String::new()),
        };
        if let Found::Results(results) = &found {
            self.means.memory.keep(tree, only, results);
            // What an agent brought is never taken for a result of the tree.
            if self.means.request.is_trusted() {
                let note = self.session.result_note(results, &self.jobs, only)?;
                self.runs.notes.extend(note);
            }
        }
        Ok(found)
    }

    fn in_worktree(&mut self, only: Option<&Selection>) -> Result<Found> {
        if let Some(ingested) = &self.means.request.ingested {
            let Some(job) = self.jobs.first() else {
                return Ok(Found::Nothing(NoAnswer::Broken, String::new()));
            };
            let results = self.session.ingest(ingested, &self.snapshot, job)?;
            return Ok(Found::Results(Box::new(results)));
        }
        let before = self.snapshot.clone();
        let (lab, progress) = (&mut *self.means.lab, &mut *self.means.progress);
        let tested = self.session.test(before, &self.jobs, only, lab, progress)?;
        if !tested.unstable.is_empty() {
            self.snapshot = tested.snapshot;
            self.unstable = tested.unstable;
            return Ok(Found::Unstable);
        }
        if tested.snapshot.tree != self.ends.worktree {
            let tree = tested.snapshot.tree;
            self.means.memory.keep(tree, only, &tested.results);
            return Ok(Found::Saved(Box::new(tested.snapshot)));
        }
        self.snapshot = tested.snapshot;
        Ok(Found::Results(Box::new(tested.results)))
    }

    fn in_lab(&mut self, tree: ObjectId, only: Option<&Selection>) -> Result<Found> {
        let tried = self.session.state.lab.clone().unwrap_or_default();
        let ask = AskLab {
            worktree: self.ends.worktree,
            tree,
            jobs: &self.jobs,
            only,
        };
        let (lab, progress) = (&mut *self.means.lab, &mut *self.means.progress);
        Ok(match self.session.in_lab(&ask, lab, progress)? {
            Ran::Results { mut results, .. } => {
                self.session
                    .printed
                    .push(std::mem::take(&mut results.printed));
                fault::point("experiment-ran");
                Found::Results(Box::new(self.believed(*results, &tried.doubted)))
            }
            Ran::Nothing(why, words) => Found::Nothing(why, words),
        })
    }

    /// The results of a lab without those of tests that something else than its sources decides.
    fn believed(&self, mut results: TestResults, doubted: &BTreeSet<String>) -> TestResults {
        let (asked, others): (Vec<String>, Vec<String>) = doubted
            .iter()
            .cloned()
            .partition(|id| self.touched.has(id, &results));
        for ids in [&mut results.passed, &mut results.failed] {
            results
                .unknown
                .extend(ids.extract_if(.., |id| asked.contains(id)));
        }
        // They ask for nothing, so it is nothing to them that they fail.
        let not_believed = results.failed.extract_if(.., |id| others.contains(id));
        results.passed.extend(not_believed);
        results
    }

    /// Failing tests that passed before get a second run.
    fn ask_again(&mut self, experiment: Experiment) -> Result<Asked> {
        let Some(run) = self.runs.runs.get(&experiment).cloned() else {
            return self.ask(experiment);
        };
        let doubtful = step::to_run_again(&self.facts(), experiment);
        let only = selection_of(&doubtful, Some(&run.results));
        let only = Some(only).filter(|_| self.can_aim);
        self.means.memory.forget(run.tree);
        let again = match self.find_out(run.tree, only.as_ref())? {
            Found::Results(results) => *results,
            Found::Saved(snapshot) => return Ok(Asked::Saved(snapshot)),
            Found::Unstable => return Ok(Asked::Unstable),
            Found::Nothing(..) => TestResults::default(),
        };
        let results = with_second_run(run.results, &again, &doubtful);
        let beside = Beside::new(self.accepted.as_ref(), &self.touched, &self.moves);
        let mut answer = answers::answer(&results, run.suite, &beside);
        answer.ran_again = true;
        self.means.memory.keep(run.tree, None, &results);
        self.runs.answers.insert(experiment, answer);
        self.runs.runs.insert(experiment, Run { results, ..run });
        Ok(Asked::Answered)
    }

    fn judged(self, decision: Decision) -> Judged {
        Judged {
            snapshot: self.snapshot,
            parts: self.parts,
            decision,
            runs: self.runs,
            unstable: self.unstable,
            jobs: self.jobs,
            moves: self.moves,
            no_answer: self.no_answer,
            foreign: !self.means.request.takes_own_results(),
            trusted: self.means.request.is_trusted(),
        }
    }
}

enum Found {
    Results(Box<TestResults>),
    Nothing(NoAnswer, String),
    Saved(Box<Snapshot>),
    Unstable,
}

/// The first run, with what the second one said of its doubtful tests.
fn with_second_run(
    mut first: TestResults,
    again: &TestResults,
    doubtful: &BTreeSet<String>,
) -> TestResults {
    let passed: BTreeSet<&String> = again.passed.iter().collect();
    let flaky: Vec<String> = doubtful
        .iter()
        .filter(|id| passed.contains(id))
        .cloned()
        .collect();
    first.failed.retain(|id| !flaky.contains(id));
    let hung = first.running_at_end.take_if(|id| doubtful.contains(id));
    first.unknown.retain(|id| hung.as_ref() != Some(id));
    if hung.is_some() && hung == again.running_at_end {
        // Twice is no accident: what it waits for never comes.
        first
            .causes
            .extend(hung.clone().map(|id| (id, Cause::Error)));
        first.failed.extend(hung);
        first.verdict = Some(Verdict::Red);
    }
    if first.failed.is_empty()
        && first.verdict == Some(Verdict::Red)
        && first.load_errors.is_empty()
    {
        first.verdict = Some(Verdict::Green);
    }
    first.flaky.extend(flaky);
    first
}

/// Whether a run that was aimed found none of its tests, for no reason of theirs: they go by other
/// names than their code tells.
fn hit_nothing(results: &TestResults) -> bool {
    results.total == 0 && results.unknown.is_empty() && results.load_errors.is_empty()
}

/// The numbers of hollow functions that ran while the tests loaded.
pub(crate) fn numbers_at_load(results: &TestResults) -> BTreeSet<u32> {
    let errors = results.load_errors.iter();
    errors
        .flat_map(|error| numbers_in(&error.message))
        .collect()
}

fn failing_since_fork(session: &Session<'_>, accepted: Option<&TestResults>) -> BTreeSet<String> {
    let failing = accepted.iter().flat_map(|accepted| &accepted.failed);
    let is_new = |id: &&String| !session.state.known_failures.contains(*id);
    failing.filter(is_new).cloned().collect()
}

impl Session<'_> {
    /// What the step changed since the last accepted tree.
    pub(crate) fn changes_since_accepted(&self, snapshot: &Snapshot) -> Result<Vec<trees::Change>> {
        trees::diff(self.repo, self.accepted_tree()?, snapshot.tree)
    }

    /// What the step changed since then, by parts.
    pub(crate) fn changed_since_accepted(&self, snapshot: &Snapshot) -> Result<Changed> {
        let changes = self.changes_since_accepted(snapshot)?;
        let class = |path: &gix::bstr::BStr| self.class(path);
        Ok(Parts::of(self.repo, &changes, &class, StubRules::default())?.changed())
    }

    /// The next change of tests or source after a spec cycle begins a free one.
    pub(crate) fn leave_done(&mut self, snapshot: &Snapshot) -> Result<()> {
        if self.state.phase != Phase::Done {
            return Ok(());
        }
        let changed = self.changed_since_accepted(snapshot)?;
        if changed.tests == TestsPart::Same && changed.source == SourceKind::Same {
            return Ok(());
        }
        self.begin_free_cycle()
    }

    /// The tree that a step leads away from.
    pub(crate) fn accepted_tree(&self) -> Result<ObjectId> {
        let head = self.head_tree()?;
        match self.mode() {
            Mode::Both | Mode::Tcr | Mode::Relaxed | Mode::Off => Ok(head),
            // Nothing is committed there, so what was accepted stands nowhere else.
            Mode::Tdd | Mode::Observe => {
                let accepted = ObjectId::from_hex(self.state.accepted_tree.as_bytes())
                    .doing("read an object id")?;
                Ok(match self.repo.gix.has_object(accepted) {
                    true => accepted,
                    false => head,
                })
            }
        }
    }
}

impl State {
    /// Whether a command that is not the configured one left out tests that are known.
    pub(crate) fn misses_some(&self, judged: &Judged) -> bool {
        if judged.jobs.is_empty() || !judged.foreign {
            return false;
        }
        let Some(run) = judged.runs.telling(None) else {
            return true;
        };
        let ran: BTreeSet<&String> = [
            &run.results.passed,
            &run.results.failed,
            &run.results.skipped,
        ]
        .into_iter()
        .flatten()
        .collect();
        let misses = |known: &TestResults| known.passed.iter().any(|test| !ran.contains(test));
        self.accepted_results().is_none_or(misses)
    }
}
