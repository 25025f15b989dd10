//! Every row of a step as a table: phase × what changed × what the experiments say → what was asked,
//! and what was decided.

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::TestFact;
use super::super::facts::{Changed, Form};
use super::super::told;
use super::*;
use crate::rules::{Cause, RedNeeds};

const EMPTY: Experiment = Experiment::Hollow(Form::Empty);
const NOT_IMPLEMENTED: Experiment = Experiment::Hollow(Form::NotImplemented);
const ALONE: Experiment = Experiment::TestsAlone;
const WHOLE: Experiment = Experiment::Whole;
const AWAITED: Experiment = Experiment::Awaited;
const BEFORE: Experiment = Experiment::Before;

const FAILED: Outcome = Outcome::Failed(Cause::Assertion);
const DIED: Outcome = Outcome::Failed(Cause::Error);

/// A test in a run: name, how it ended, how it stood before; a name that begins with `new` is the
/// step's own.
type Line = (&'static str, Outcome, Before);

const NEW_FAILS: Line = ("new", FAILED, Before::Absent);
const NEW_PASSES: Line = ("new", Outcome::Passed, Before::Absent);
const OLD_PASSES: Line = ("old", Outcome::Passed, Before::Passed);
const OLD_FAILS: Line = ("old", FAILED, Before::Passed);
const ASKED_PASSES: Line = ("asked", Outcome::Passed, Before::Failed);
const ASKED_FAILS: Line = ("asked", FAILED, Before::Failed);
const ALSO_FAILS: Line = ("asked_too", FAILED, Before::Failed);
const ALSO_PASSES: Line = ("asked_too", Outcome::Passed, Before::Failed);

fn ran(lines: &[Line]) -> Answer {
    let fact = |(name, outcome, before): &Line| TestFact {
        outcome: *outcome,
        before: *before,
        touched: name.starts_with("new"),
    };
    Answer {
        said: Said::Tests {
            beyond_tests: false,
            confirmed: true,
            fails_unnamed: false,
        },
        tests: (lines.iter())
            .map(|line| (line.0.to_owned(), fact(line)))
            .collect(),
        gone: BTreeMap::new(),
        ran_again: false,
    }
}

fn gone(lines: &[Line], how: Gone) -> Answer {
    let mut answer = ran(lines);
    answer.gone.insert("gone".to_owned(), how);
    answer
}

fn said(beyond_tests: bool, fails_unnamed: bool, confirmed: bool) -> Answer {
    let mut answer = ran(&[]);
    answer.said = Said::Tests {
        beyond_tests,
        confirmed,
        fails_unnamed,
    };
    answer
}

fn no_load(parses: bool, missing_package: bool) -> Answer {
    let mut answer = ran(&[]);
    answer.said = Said::Unloadable {
        parses,
        missing_package,
    };
    answer
}

fn cant_load() -> Answer {
    no_load(true, false)
}

fn none(why: NoAnswer) -> Answer {
    Answer::nothing(why)
}

/// What is known before anything is asked.
#[derive(Clone)]
struct Given {
    phase: Phase,
    cycle: CycleKind,
    changed: Changed,
    awaited: BTreeSet<TestId>,
    known: BTreeSet<TestId>,
    failing_since_fork: BTreeSet<TestId>,
    red_needs: RedNeeds,
    can_aim: bool,
    tests_name_what_is_new: bool,
    suite_is_quick: bool,
    tests_came_along: bool,
    is_settling: bool,
}

fn given(phase: Phase, cycle: CycleKind, tests: TestsPart, source: SourceKind) -> Given {
    let awaited: &[&str] = match phase {
        Phase::Green => &["asked", "asked_too"],
        Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => &[],
    };
    Given {
        phase,
        cycle,
        changed: Changed {
            tests,
            source,
            ..Changed::NOTHING
        },
        awaited: awaited.iter().map(|id| (*id).to_owned()).collect(),
        known: BTreeSet::from(["known".to_owned()]),
        failing_since_fork: BTreeSet::new(),
        red_needs: RedNeeds::Error,
        can_aim: true,
        tests_name_what_is_new: false,
        suite_is_quick: false,
        tests_came_along: false,
        is_settling: false,
    }
}

fn red(tests: TestsPart, source: SourceKind) -> Given {
    given(Phase::Red, CycleKind::Free, tests, source)
}

fn green(tests: TestsPart, source: SourceKind) -> Given {
    given(Phase::Green, CycleKind::Free, tests, source)
}

fn refactor(tests: TestsPart, source: SourceKind) -> Given {
    given(Phase::Refactor, CycleKind::Free, tests, source)
}

impl Given {
    fn with(mut self, change: impl FnOnce(&mut Given)) -> Given {
        change(&mut self);
        self
    }

    fn unaimed(self) -> Given {
        self.with(|given| given.can_aim = false)
    }

    fn naming_what_is_new(self) -> Given {
        self.with(|given| given.tests_name_what_is_new = true)
    }

    /// The rest of a round whose red is committed, where the suite is quick.
    fn rest_of_quick_round(self) -> Given {
        self.with(|given| {
            given.tests_came_along = true;
            given.suite_is_quick = true;
        })
    }

    fn spec(self) -> Given {
        self.with(|given| given.cycle = CycleKind::Spec)
    }

    fn and_other(self) -> Given {
        self.with(|given| given.changed.other = true)
    }

    fn next(&self, answers: &BTreeMap<Experiment, Answer>) -> Next {
        next(&Facts {
            phase: self.phase,
            cycle: self.cycle,
            changed: self.changed,
            awaited: &self.awaited,
            known_failures: &self.known,
            failing_since_fork: &self.failing_since_fork,
            red_needs: self.red_needs,
            can_aim: self.can_aim,
            tests_name_what_is_new: self.tests_name_what_is_new,
            suite_is_quick: self.suite_is_quick,
            tests_came_along: self.tests_came_along,
            is_settling: self.is_settling,
            answers,
        })
    }

    /// Answers what is asked until there is a decision; nothing else may be asked, and nothing less.
    fn ends(&self, said: &[(Experiment, Answer)], expected: &str) {
        let mut answers = BTreeMap::new();
        let mut asked = Vec::new();
        let decision = loop {
            match self.next(&answers) {
                Next::Ask(experiment) => {
                    assert!(!answers.contains_key(&experiment), "asked twice");
                    asked.push(experiment);
                    let found = said.iter().find(|(which, _)| *which == experiment);
                    let (_, answer) = found.unwrap_or_else(|| {
                        panic!("asked {} for {expected}", told::experiment(experiment))
                    });
                    answers.insert(experiment, answer.clone());
                }
                Next::AskAgain(experiment) => {
                    let answer = answers.get_mut(&experiment).expect("asked before");
                    assert!(!answer.ran_again, "asked again twice");
                    answer.ran_again = true;
                }
                Next::Decide(decision) => break decision,
            }
        };
        let expected_questions: Vec<Experiment> = said.iter().map(|(which, _)| *which).collect();
        assert_eq!(told::decision(&decision), expected, "after {asked:?}");
        assert_eq!(asked, expected_questions, "for {expected}");
    }
}

/// Tables of one name: what is given, what the experiments say in the order in which they are asked,
/// and how the step ends.
macro_rules! rows {
    ($($name:ident { $($given:expr, [$($experiment:expr => $answer:expr),* $(,)?] => $end:expr;)* })*) => {
        $(#[test]
        fn $name() {
            $($given.ends(&[$(($experiment, $answer)),*], $end);)*
        })*
    };
}

use SourceKind as S;
use TestsPart as T;

mod changed_tests;
mod rows;

#[test]
fn before_and_after_a_spec_cycle_only_chores_are_judged() {
    for phase in [Phase::Plan, Phase::Done] {
        for cycle in [CycleKind::Free, CycleKind::Spec] {
            let chore = given(phase, cycle, T::Same, S::Same).and_other();
            chore.ends(&[(WHOLE, ran(&[OLD_PASSES]))], "commit chore of whole");
            given(phase, cycle, T::Added, S::Same).ends(&[], "nothing");
            given(phase, cycle, T::Same, S::Code).ends(&[], "nothing");
        }
    }
}

#[test]
fn what_fails_and_passed_before_is_run_once_more() {
    let doubtful = [
        ("old", FAILED, Before::Passed),
        ("new", FAILED, Before::Passed),
    ];
    for line in doubtful {
        let answers = BTreeMap::from([(WHOLE, ran(&[line]))]);
        let next = refactor(T::Same, S::Code).next(&answers);
        assert_eq!(next, Next::AskAgain(WHOLE), "{line:?}");
    }
    let unknown = ran(&[("old", FAILED, Before::Unknown)]);
    let answers = BTreeMap::from([(WHOLE, unknown), (BEFORE, ran(&[OLD_PASSES]))]);
    let next = refactor(T::Same, S::Code).next(&answers);
    assert_eq!(next, Next::AskAgain(WHOLE));
    let clear = [
        ("old", FAILED, Before::Failed),
        ("old", Outcome::Skipped, Before::Passed),
        ("old", Outcome::Flaky, Before::Passed),
        ("new", FAILED, Before::Absent),
    ];
    for line in clear {
        let answers = BTreeMap::from([(WHOLE, ran(&[line]))]);
        let next = refactor(T::Same, S::Code).next(&answers);
        assert!(matches!(next, Next::Decide(_)), "{line:?}: {next:?}");
    }
}

#[test]
fn a_sixth_suite_is_not_begun() {
    let doubtful = |name| {
        let mut answer = ran(&[(name, FAILED, Before::Passed)]);
        answer.ran_again = true;
        answer
    };
    let answers = BTreeMap::from([
        (AWAITED, doubtful("old")),
        (WHOLE, ran(&[NEW_PASSES])),
        (ALONE, cant_load()),
        (BEFORE, doubtful("old")),
    ]);
    let next = red(T::Added, S::Code).unaimed().next(&answers);
    let kept = keep(KeepReason::NoAnswer(NoAnswer::NoTime));
    assert_eq!(next, Next::Decide(kept));
}
