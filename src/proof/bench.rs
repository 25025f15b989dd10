//! Questions of the way out, answered: the tree is put together, the tests run in the lab, or their
//! results are known already.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use gix::ObjectId;

use super::answer::{self, Beside};
use super::facts::{Facts, Grounds, Suspicious, is_unreadable_source, suspicious};
use super::left_out::LeftOut;
use super::trees as proof_trees;
use super::{Asked, Means, Proven, Work};
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::git::trees;
use crate::languages::{self, StubRules};
use crate::message;
use crate::rules::way_out::{Aim, Answer, Ask, End, Question, Report, Version};
use crate::rules::{Form, NoAnswer, Said, SourceKind, TestsPart, Verdict};
use crate::step::experiment::{self, InLab, Ran, selection_of};
use crate::step::judge::{REPAIR_ROUNDS, numbers_at_load};
use crate::step::parts::Parts;
use crate::step::trees::{self as step_trees, Ends, Repairs};
use crate::test_run::Selection;
use crate::test_run::jobs::Job;
use crate::test_run::progress::Progress;
use crate::test_run::results::RunRules;

/// A range taken apart; none if nothing in it can be tested.
pub(super) fn asked_parts(work: &Work<'_>) -> Result<Option<Parts>> {
    let changes = trees::diff(work.repo, work.before, work.tip)?;
    let parts = Parts::of(work.repo, &changes, work.class, StubRules::default())?;
    let changed = parts.changed();
    let is_asked = match work.asked {
        Asked::Cycles(_) => false,
        // A new version of a package breaks tests as well as anything.
        Asked::Range => changed.other,
    };
    let same = changed.tests == TestsPart::Same && changed.source == SourceKind::Same;
    Ok((!same || is_asked).then_some(parts))
}

/// Runs the suite on a tree, whatever else is asked; the words where there is no answer.
pub(super) fn run_suite(
    work: &Work<'_>,
    tree: ObjectId,
    question: Question,
    means: &mut Means<'_>,
) -> Result<std::result::Result<TestResults, String>> {
    let mut runner = Runner {
        work,
        means,
        can_aim: false,
        runs: 0,
        whole_ms: None,
    };
    Ok(match runner.run(tree, None, question)? {
        Found::Results(results) => Ok(*results),
        Found::Nothing(_, words) => Err(words),
    })
}

/// A range on the bench.
pub(super) struct Bench<'b, 'w, 'm> {
    work: &'b Work<'w>,
    means: &'b mut Means<'m>,
    pub(super) facts: Facts,
    parts: Parts,
    left_out: LeftOut,
    can_aim: bool,
    whole: Found,
    old: Option<TestResults>,
    runs: usize,
    no_answer: Option<String>,
    /// Functions that run while tests load, by their numbers where all are hollow.
    run_at_load: BTreeSet<u32>,
}

/// What a run said, or why it said nothing.
enum Found {
    Results(Box<TestResults>),
    Nothing(NoAnswer, String),
}

impl Found {
    fn results(&self) -> Option<&TestResults> {
        match self {
            Found::Results(results) => Some(results),
            Found::Nothing(..) => None,
        }
    }
}

/// A tree, and the functions that are hollow in it.
type Tree = (ObjectId, BTreeSet<u32>);

impl<'b, 'w, 'm> Bench<'b, 'w, 'm> {
    /// Looks at a range; none if nothing in it can be tested.
    pub(super) fn new(work: &'b Work<'w>, means: &'b mut Means<'m>) -> Result<Option<Self>> {
        let Some(parts) = asked_parts(work)? else {
            return Ok(None);
        };
        let left_out = LeftOut::of(work.repo, work.entries, work.tip)?;
        let mut jobs = work.jobs.iter();
        let can_aim = jobs.all(|job| job.can_be_aimed());
        let mut runner = Runner {
            work,
            means,
            can_aim,
            runs: 0,
            whole_ms: None,
        };
        let whole = match work.whole {
            Some(known) => Found::Results(Box::new(known.clone())),
            None => runner.run(work.tip, None, Question::Whole)?,
        };
        runner.whole_ms = whole.results().map(|whole| whole.duration_ms);
        let (old, knows_old_results) = runner.old_results(&parts, &left_out)?;
        let runs = runner.runs;
        let grounds = Grounds {
            parts: &parts,
            left_out: &left_out,
            whole: whole.results(),
            old: old.as_ref(),
            knows_old_results,
            can_aim,
        };
        let facts = Facts::of(work, &grounds)?;
        Ok(Some(Bench {
            work,
            means,
            facts,
            parts,
            left_out,
            can_aim,
            whole,
            old,
            runs,
            no_answer: None,
            run_at_load: BTreeSet::new(),
        }))
    }

    /// Answers a question.
    pub(super) fn ask(&mut self, ask: &Ask) -> Result<Answer> {
        if ask.question == Question::Whole {
            return self.whole();
        }
        if let Question::Hollow(form) = ask.question {
            return self.hollow(form, ask);
        }
        if ask.question == Question::Spared {
            return self.spared(ask);
        }
        if let Question::BothEmpty(version) = ask.question {
            return self.both_empty(version, ask);
        }
        match self.tree_of(ask)? {
            Some((tree, hollowed)) => self.answer(tree, hollowed, ask),
            None => Ok(Answer::nothing(NoAnswer::NotHollow)),
        }
    }

    /// The final tree; what fails there is asked once more.
    fn whole(&mut self) -> Result<Answer> {
        let mut results = match &self.whole {
            Found::Results(results) => {
                let is_broken = results.verdict == Some(Verdict::Broken);
                self.no_answer = is_broken.then(|| results.reason.clone());
                results.as_ref().clone()
            }
            Found::Nothing(why, words) => {
                self.no_answer = (!words.is_empty()).then(|| words.clone());
                return Ok(Answer::nothing(*why));
            }
        };
        let known = self.work.known_failures;
        let failing: BTreeSet<String> = results
            .failed
            .iter()
            .filter(|id| !known.contains(*id))
            .cloned()
            .collect();
        if !failing.is_empty() && self.can_aim {
            let only = selection_of(&failing, Some(&results));
            let tip = self.work.tip;
            if let Found::Results(again) = self.runner().run_anew(tip, Some(&only))? {
                let (flaky, failed): (Vec<String>, Vec<String>) =
                    (results.failed.into_iter()).partition(|id| again.passed.contains(id));
                results.failed = failed;
                results.flaky.extend(flaky);
            }
        }
        let all = BTreeSet::new();
        Ok(self.read(&results, BTreeSet::new(), &all))
    }

    fn hollow(&mut self, form: Form, ask: &Ask) -> Result<Answer> {
        self.repaired(form, ask, &mut Repairs::default())
    }

    /// Empty functions, of which those that run while tests load have their body.
    fn spared(&mut self, ask: &Ask) -> Result<Answer> {
        let mut repairs = Repairs::default();
        self.repaired(Form::NotImplemented, ask, &mut repairs)?;
        self.repaired(Form::Empty, ask, &mut repairs)
    }

    /// Functions that run while tests load are given their body back, a few times.
    fn repaired(&mut self, form: Form, ask: &Ask, repairs: &mut Repairs) -> Result<Answer> {
        if self.parts.parts.iter().any(is_unreadable_source) {
            return Ok(Answer::nothing(NoAnswer::NotHollow));
        }
        let ends = self.ends();
        for round in 0..=REPAIR_ROUNDS {
            let hollow = step_trees::hollow(self.work.repo, ends, &self.parts, form, repairs)?;
            let only = self.selection(&ask.aim);
            let found = self.run(hollow.tree, only.as_ref(), ask.question)?;
            let died = found.results().map(numbers_at_load).unwrap_or_default();
            let more: BTreeSet<u32> = died.difference(&repairs.keep).copied().collect();
            if more.is_empty() || round == REPAIR_ROUNDS {
                let hollowed = hollow.functions.into_keys().collect();
                return Ok(self.found(found, hollowed, ask));
            }
            repairs.keep.extend(more);
        }
        Ok(Answer::nothing(NoAnswer::NotHollow))
    }

    /// Every function empty but those that run while tests load. An empty value does not say who gave
    /// it, so these are found by bodies that do.
    fn both_empty(&mut self, version: Version, ask: &Ask) -> Result<Answer> {
        let answer = self.empty(version, ask)?;
        if loads(&answer) {
            return Ok(answer);
        }
        let kept = self.run_at_load.len();
        for _ in 0..REPAIR_ROUNDS {
            let Some(tree) = self.all_hollow(version, languages::Form::NotImplemented)? else {
                break;
            };
            let only = self.selection(&ask.aim);
            let found = self.run(tree, only.as_ref(), ask.question)?;
            let died = found.results().map(numbers_at_load).unwrap_or_default();
            if died.is_subset(&self.run_at_load) {
                break;
            }
            self.run_at_load.extend(died);
        }
        if self.run_at_load.len() == kept {
            return Ok(answer);
        }
        let mut answer = self.empty(version, ask)?;
        if version == Version::New {
            // The old version failed with more of them empty: it is asked again on the same ground.
            let old = self.empty(Version::Old, ask)?;
            let fails = |id: &String| {
                let ran = old.tests.get(id);
                ran.is_some_and(|ran| matches!(ran.end, End::Failed(_)))
            };
            answer.tests.retain(|id, _| fails(id));
        }
        Ok(answer)
    }

    fn empty(&mut self, version: Version, ask: &Ask) -> Result<Answer> {
        match self.all_hollow(version, languages::Form::Empty)? {
            Some(tree) => self.answer(tree, BTreeSet::new(), ask),
            None => Ok(Answer::nothing(NoAnswer::NotHollow)),
        }
    }

    fn all_hollow(&self, version: Version, form: languages::Form) -> Result<Option<ObjectId>> {
        let (repo, tip) = (self.work.repo, self.work.tip);
        let tree = match version {
            Version::New => Some(tip),
            Version::Old => proof_trees::old_tests(repo, tip, &self.parts)?,
        };
        let Some(tree) = tree else {
            return Ok(None);
        };
        proof_trees::all_hollow(repo, tree, self.work.class, form, &self.run_at_load)
    }

    fn ends(&self) -> Ends {
        Ends {
            accepted: self.work.before,
            worktree: self.work.tip,
        }
    }

    fn tree_of(&self, ask: &Ask) -> Result<Option<Tree>> {
        let (repo, tip) = (self.work.repo, self.work.tip);
        let plain = |tree: ObjectId| (tree, BTreeSet::new());
        Ok(match ask.question {
            Question::Whole => Some(plain(tip)),
            Question::Before => Some(plain(self.work.before)),
            Question::TestsAlone | Question::Hollow(_) | Question::Spared => {
                step_trees::tests_alone(repo, self.ends(), &self.parts)?.map(plain)
            }
            Question::OldTests => proof_trees::old_tests(repo, tip, &self.parts)?.map(plain),
            Question::Unchanged(version) => {
                let (tree, other) = match version {
                    Version::Old => (self.work.before, tip),
                    Version::New => (tip, self.work.before),
                };
                proof_trees::unchanged_empty(repo, (tree, other), self.work.class)?.map(plain)
            }
            Question::BothEmpty(version) => {
                (self.all_hollow(version, languages::Form::Empty)?).map(plain)
            }
            Question::Needed { form, .. } => {
                let form = match form {
                    Form::Empty => languages::Form::Empty,
                    Form::NotImplemented => languages::Form::NotImplemented,
                };
                let is_hollow = |number: u32| ask.hollow.contains(&number);
                let needed = proof_trees::needed(repo, tip, &self.parts, form, &is_hollow)?;
                Some((needed.tree, needed.hollowed))
            }
            Question::Control => {
                let broken = proof_trees::all_broken(repo, tip, self.work.class)?;
                broken.map(|tree| (tree, ask.hollow.clone()))
            }
        })
    }

    fn answer(&mut self, tree: ObjectId, hollowed: BTreeSet<u32>, ask: &Ask) -> Result<Answer> {
        let only = self.selection(&ask.aim);
        let found = self.run(tree, only.as_ref(), ask.question)?;
        Ok(self.found(found, hollowed, ask))
    }

    fn found(&mut self, found: Found, hollowed: BTreeSet<u32>, ask: &Ask) -> Answer {
        match found {
            Found::Results(results) => {
                let expected = match &ask.aim {
                    Aim::Tests(tests) => tests.clone(),
                    Aim::Suite => self.passing(),
                };
                let answer = self.read(&results, hollowed, &expected);
                match ask.question {
                    Question::Control => answer::of_control(answer, &expected),
                    Question::Whole
                    | Question::Before
                    | Question::TestsAlone
                    | Question::Hollow(_)
                    | Question::Spared
                    | Question::Unchanged(_)
                    | Question::OldTests
                    | Question::BothEmpty(_)
                    | Question::Needed { .. } => answer,
                }
            }
            Found::Nothing(why, words) => {
                self.no_answer = (!words.is_empty()).then_some(words);
                Answer::nothing(why)
            }
        }
    }

    fn read(
        &self,
        results: &TestResults,
        hollowed: BTreeSet<u32>,
        expected: &BTreeSet<String>,
    ) -> Answer {
        let beside = Beside {
            expected,
            removed_names: &self.facts.removed_names,
        };
        answer::of(results, hollowed, &beside)
    }

    fn passing(&self) -> BTreeSet<String> {
        let passed = self
            .whole
            .results()
            .map(|whole| whole.passed.iter().cloned());
        passed.map(Iterator::collect).unwrap_or_default()
    }

    /// The tests that a question is about, as the runner is told of them.
    fn selection(&self, aim: &Aim) -> Option<Selection> {
        match aim {
            Aim::Suite => None,
            Aim::Tests(tests) => {
                let mut selection = selection_of(tests, self.whole.results());
                for test in selection
                    .tests
                    .iter_mut()
                    .filter(|test| test.file.is_none())
                {
                    let old = self.old.as_ref();
                    test.file = old.and_then(|old| old.files.get(&test.id)).cloned();
                }
                Some(selection)
            }
        }
    }

    fn runner(&mut self) -> Runner<'_, 'w, 'm> {
        Runner {
            work: self.work,
            means: self.means,
            can_aim: self.can_aim,
            runs: 0,
            whole_ms: self.whole.results().map(|whole| whole.duration_ms),
        }
    }

    fn run(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        question: Question,
    ) -> Result<Found> {
        let mut runner = self.runner();
        let found = runner.run(tree, only, question)?;
        self.runs += runner.runs;
        Ok(found)
    }

    pub(super) fn proven(self, report: Report) -> Proven {
        let mut test_files = BTreeMap::new();
        for results in self.old.iter().chain(self.whole.results()) {
            test_files.extend(results.files.clone());
        }
        Proven {
            untouched: self.facts.untouched(&report),
            test_files,
            passing: self.passing().len(),
            report,
            functions: self.facts.functions,
            skipped: (self.whole.results())
                .map(|whole| whole.skipped.iter().cloned().collect())
                .unwrap_or_default(),
            not_asked: self.left_out.paths().cloned().collect(),
            runs: self.runs,
            no_answer: self.no_answer,
        }
    }
}

/// Whether tests could be loaded: all that were to run ended somehow.
fn loads(answer: &Answer) -> bool {
    let mut ends = answer.tests.values().map(|test| test.end);
    matches!(answer.said, Said::Tests { .. }) && ends.all(|end| end != End::CantLoad)
}

/// Runs tests on trees, unless it is known what they say.
struct Runner<'r, 'w, 'm> {
    work: &'r Work<'w>,
    means: &'r mut Means<'m>,
    can_aim: bool,
    runs: usize,
    whole_ms: Option<u64>,
}

impl Runner<'_, '_, '_> {
    fn run(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        question: Question,
    ) -> Result<Found> {
        let only = only.filter(|_| self.can_aim);
        if let Some(known) = self.means.known.find(tree, only)? {
            return Ok(Found::Results(Box::new(known)));
        }
        let Some(left) = self.time_left(only.is_some()) else {
            return Ok(Found::Nothing(NoAnswer::NoTime, String::new()));
        };
        let jobs = within(self.work.jobs, left);
        self.runs += 1;
        let mut named = Named {
            inner: &mut *self.means.progress,
            question,
        };
        let rules = RunRules {
            red_needs: self.work.red_needs,
            known_failures: self.work.known_failures,
        };
        let ask = InLab {
            repo: self.work.repo,
            worktree: self.work.worktree,
            tree,
            jobs: &jobs,
            only,
            rules: &rules,
            whole_ms: self.whole_ms,
            setup: self.work.setup,
        };
        let ran = experiment::in_lab(&ask, self.means.lab, &mut named)?;
        if left.is_some_and(|left| left.is_over()) {
            return Ok(Found::Nothing(NoAnswer::NoTime, String::new()));
        }
        match ran {
            Ran::Results { results, .. } => {
                self.means.known.keep(tree, only, &results)?;
                Ok(Found::Results(results))
            }
            Ran::Nothing(why, words) => Ok(Found::Nothing(why, words)),
        }
    }

    /// Runs tests once more, whatever is known.
    fn run_anew(&mut self, tree: ObjectId, only: Option<&Selection>) -> Result<Found> {
        let mut forgetful = super::Forgetful::default();
        let mut means = Means {
            lab: &mut *self.means.lab,
            known: &mut forgetful,
            progress: &mut *self.means.progress,
            deadline: self.means.deadline,
        };
        let mut runner = Runner {
            work: self.work,
            means: &mut means,
            can_aim: self.can_aim,
            runs: 0,
            whole_ms: self.whole_ms,
        };
        runner.run(tree, only, Question::Whole)
    }

    /// Until when there is time for a run; none where there is not enough for it, and no bound inside
    /// where nobody set one.
    fn time_left(&self, is_aimed: bool) -> Option<Option<Until>> {
        let Some(deadline) = self.means.deadline else {
            return Some(None);
        };
        let suite = Duration::from_millis(self.whole_ms.unwrap_or(0));
        let estimate = match is_aimed {
            true => suite / AIMED_PART,
            false => suite,
        };
        (Instant::now() + estimate < deadline).then_some(Some(Until(deadline)))
    }

    /// What is known of the old tree; of the tests that the range does something to, it is asked.
    fn old_results(
        &mut self,
        parts: &Parts,
        left_out: &LeftOut,
    ) -> Result<(Option<TestResults>, bool)> {
        let before = self.work.before;
        if let Some(known) = self.means.known.find(before, None)? {
            return Ok((Some(known), true));
        }
        let only = match suspicious(parts, left_out) {
            Suspicious::Nothing => return Ok((None, false)),
            Suspicious::These(only) => Some(only),
            Suspicious::All => None,
        };
        let found = self.run(before, only.as_ref(), Question::Before)?;
        let is_suite = only.is_none() || !self.can_aim;
        Ok(match found {
            Found::Results(results) => (Some(*results), is_suite),
            Found::Nothing(..) => (None, false),
        })
    }
}

/// A run of some tests is taken to cost this part of the suite.
const AIMED_PART: u32 = 4;

/// When a run has to be over.
#[derive(Clone, Copy)]
struct Until(Instant);

impl Until {
    fn is_over(self) -> bool {
        Instant::now() >= self.0
    }
}

/// The jobs, none of them longer than there is time.
fn within(jobs: &[Job], until: Option<Until>) -> Vec<Job> {
    let jobs = jobs.iter().cloned();
    let Some(Until(deadline)) = until else {
        return jobs.collect();
    };
    let left = deadline.saturating_duration_since(Instant::now());
    let bounded = jobs.map(|job| Job {
        timeout: job.timeout.min(left),
        ..job
    });
    bounded.collect()
}

/// Tells which question the tests run for.
struct Named<'p> {
    inner: &'p mut dyn Progress,
    question: Question,
}

impl Progress for Named<'_> {
    fn waiting(&mut self, owner: &str) {
        self.inner.waiting(owner);
    }

    fn tests_start(&mut self, command: &str) {
        let question = message::proof::question(self.question);
        self.inner.tests_start(&format!("{question}: {command}"));
    }

    fn tests_line(&mut self, line: &str) {
        self.inner.tests_line(line);
    }

    fn tests_end(&mut self) {
        self.inner.tests_end();
    }
}
