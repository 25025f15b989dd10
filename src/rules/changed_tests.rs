//! The row of changed tests: do they ask for code, and for which?

use std::collections::BTreeSet;

use super::answer::{Answer, NoAnswer, Outcome, Said, TestFact, TestId};
use super::decision::{Commit, Decision, KeepReason, Label, Move, Scope, TakeBack, Why};
use super::facts::{Experiment, Facts, Form, SourceKind};
use super::reading::{
    Row, answer, answer_in_question, counted_failures, fails_still, is_unknown, newly_failing,
    switched_off,
};
use super::step::{commit, keep, next_cycle, still_awaited, unloadable, whole_is_not_green};
use crate::rules::{Cause, CycleKind, Phase};

/// What the tests that a step touches say of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TestsSay {
    /// They ask for code.
    Red(BTreeSet<TestId>),
    Pass,
    /// They can't load.
    Unloadable {
        parses: bool,
        missing_package: bool,
    },
    /// Neither of these, for this reason.
    Unclear(KeepReason),
}

/// Tests changed: they are asked without the step's source, or with its bodies hollow.
pub(super) fn row(f: &Facts<'_>) -> Row<Decision> {
    let decision = match f.changed.source {
        SourceKind::Same => tests_without_source(f),
        SourceKind::Declares | SourceKind::Stub | SourceKind::NoGrammar => tests_with_stub(f),
        SourceKind::Code => tests_with_code(f),
    }?;
    Ok(match is_steered(f) {
        true => Decision::TakeBack(TakeBack {
            why: Why::Frozen,
            scope: Scope::Tests,
        }),
        false => decision,
    })
}

/// Whether an awaited test passes in `green` by nothing but the tests that the step brings.
fn is_steered(f: &Facts<'_>) -> bool {
    let Some(alone) = f.answers.get(&Experiment::TestsAlone) else {
        return false;
    };
    let passes = |id: &TestId| {
        let fact = alone.tests.get(id);
        fact.is_some_and(|fact| fact.outcome == Outcome::Passed)
    };
    f.phase == Phase::Green && f.awaited.iter().any(passes)
}

fn tests_without_source(f: &Facts<'_>) -> Row<Decision> {
    Ok(match say(f, Experiment::TestsAlone)? {
        TestsSay::Red(awaited) => red(f, Experiment::TestsAlone, awaited),
        TestsSay::Pass => passing_tests(),
        TestsSay::Unloadable { parses: true, .. } if f.changed.other => tests_with_other(f)?,
        TestsSay::Unloadable { parses, .. } => unloadable(parses),
        TestsSay::Unclear(why) => keep(why),
    })
}

/// Tests that can't load without something that is no source: a template, a query, data.
fn tests_with_other(f: &Facts<'_>) -> Row<Decision> {
    let with_other = Experiment::Hollow(Form::Empty);
    Ok(match say(f, with_other)? {
        TestsSay::Red(awaited) => red(f, with_other, awaited),
        TestsSay::Pass => declared(f)?,
        TestsSay::Unloadable { parses, .. } => unloadable(parses),
        TestsSay::Unclear(why) => keep(why),
    })
}

/// The stub is its own hollow form, so the worktree is asked first: if the tests fail there, that is
/// enough.
fn tests_with_stub(f: &Facts<'_>) -> Row<Decision> {
    let with_stub = Experiment::Hollow(Form::Empty);
    match say(f, with_stub)? {
        TestsSay::Red(awaited) => return Ok(red(f, with_stub, awaited)),
        TestsSay::Unloadable { parses, .. } => return Ok(unloadable(parses)),
        TestsSay::Unclear(why) => return Ok(keep(why)),
        TestsSay::Pass => {}
    }
    Ok(match (say(f, Experiment::TestsAlone)?, f.changed.source) {
        (TestsSay::Red(awaited), _) => red(f, Experiment::TestsAlone, awaited),
        (TestsSay::Pass, _) => passing_tests(),
        (TestsSay::Unloadable { .. } | TestsSay::Unclear(_), SourceKind::Declares) => declared(f)?,
        // The right code may be an empty value; what it says is asked with "not implemented".
        (TestsSay::Unloadable { .. }, SourceKind::Stub) => hollow_in(f, &[Form::NotImplemented])?,
        (TestsSay::Unloadable { .. }, _) => keep(KeepReason::NoAnswer(NoAnswer::NotHollow)),
        (TestsSay::Unclear(why), _) => keep(why),
    })
}

/// Tests that pass with what was only declared, and not without it.
fn declared(f: &Facts<'_>) -> Row<Decision> {
    if let Some(kept) = whole_is_not_green(f)? {
        return Ok(kept);
    }
    let left = still_awaited(f, answer(f, Experiment::Whole)?);
    let (next, awaited) = match f.phase {
        Phase::Green if left.is_empty() => (next_cycle(f), Some(left)),
        Phase::Green => (Move::Stay, Some(left)),
        Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => (next_cycle(f), None),
    };
    Ok(Decision::Commit(Commit {
        label: Label::Declared,
        tree: Experiment::Whole,
        next,
        awaited,
    }))
}

fn tests_with_code(f: &Facts<'_>) -> Row<Decision> {
    // Each question costs the suite: only work that is finished asks for its proof.
    if !f.can_aim
        && let Some(kept) = whole_is_not_green(f)?
    {
        return Ok(kept);
    }
    if f.can_aim && f.phase == Phase::Red && f.tests_name_what_is_new {
        // Alone they would most likely not load, which says nothing and costs a run, or a build.
        let hollow = Experiment::Hollow(Form::Empty);
        if let TestsSay::Red(awaited) = say(f, hollow)? {
            return Ok(red(f, hollow, awaited));
        }
    }
    match say(f, Experiment::TestsAlone)? {
        TestsSay::Red(awaited) => Ok(red(f, Experiment::TestsAlone, awaited)),
        TestsSay::Pass => Ok(passing_tests()),
        // An example in the documentation of what is new can't stand alone.
        TestsSay::Unclear(KeepReason::NoAnswer(NoAnswer::NotHollow)) => {
            hollow_in(f, &[Form::Empty, Form::NotImplemented])
        }
        TestsSay::Unclear(why) => Ok(keep(why)),
        TestsSay::Unloadable { parses: false, .. } => Ok(unloadable(false)),
        TestsSay::Unloadable {
            missing_package, ..
        } => {
            if missing_package && environment_is_to_blame(f)? {
                return Ok(keep(KeepReason::NoAnswer(NoAnswer::Broken)));
            }
            hollow_in(f, &[Form::Empty, Form::NotImplemented])
        }
    }
}

/// The names that the tests need are there, the bodies are not. A test that fails with either form
/// asks for the code: with an empty value it may be called and not checked.
fn hollow_in(f: &Facts<'_>, forms: &[Form]) -> Row<Decision> {
    let mut unclear = None;
    for form in forms {
        let tree = Experiment::Hollow(*form);
        match say(f, tree)? {
            TestsSay::Red(awaited) => return Ok(red(f, tree, awaited)),
            TestsSay::Unloadable { parses, .. } => return Ok(unloadable(parses)),
            TestsSay::Unclear(
                why @ KeepReason::NoAnswer(NoAnswer::NoLab | NoAnswer::NoTime | NoAnswer::Void),
            ) => return Ok(keep(why)),
            // This form says nothing, the other may.
            TestsSay::Unclear(why) => unclear = unclear.or(Some(why)),
            TestsSay::Pass => {}
        }
    }
    Ok(keep(unclear.unwrap_or(KeepReason::Unproven)))
}

/// Whether even the accepted tree can't be loaded: then nothing speaks against the source.
fn environment_is_to_blame(f: &Facts<'_>) -> Row<bool> {
    let before = answer(f, Experiment::Before)?;
    Ok(!matches!(before.said, Said::Tests { .. }))
}

fn red(f: &Facts<'_>, tree: Experiment, failing: BTreeSet<TestId>) -> Decision {
    let next = match (f.cycle, f.phase) {
        (CycleKind::Spec, _) | (CycleKind::Free, Phase::Green) => Move::Stay,
        (CycleKind::Free, _) => Move::ToGreen,
    };
    let before = match f.phase {
        Phase::Green => f.awaited.clone(),
        // A spec's tests are written one after the other before they are certified.
        Phase::Red if f.cycle == CycleKind::Spec => f.awaited.clone(),
        Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => BTreeSet::new(),
    };
    Decision::Commit(Commit {
        label: Label::Red,
        tree,
        next,
        awaited: Some(before.into_iter().chain(failing).collect()),
    })
}

/// Tests that pass without the step's source.
fn passing_tests() -> Decision {
    commit(Label::Test, Experiment::TestsAlone, Move::Stay)
}

fn say(f: &Facts<'_>, experiment: Experiment) -> Row<TestsSay> {
    let answer = answer_in_question(f, experiment)?;
    let answer = answer.as_ref();
    if f.changed.source != SourceKind::Same && hangs(answer) {
        // With the source it may end well: then it fails without.
        self::answer(f, Experiment::Whole)?;
    }
    let (beyond_tests, confirmed, fails_unnamed) = match answer.said {
        Said::Nothing(NoAnswer::Broken) => return Ok(TestsSay::Unclear(KeepReason::Broken)),
        Said::Nothing(why) => return Ok(TestsSay::Unclear(KeepReason::NoAnswer(why))),
        Said::Unloadable {
            parses,
            missing_package,
        } => {
            return Ok(TestsSay::Unloadable {
                parses,
                missing_package,
            });
        }
        Said::Tests {
            beyond_tests,
            confirmed,
            fails_unnamed,
        } => (beyond_tests, confirmed, fails_unnamed),
    };
    let failing = newly_failing(f, answer)?;
    let asks = |id: &TestId| {
        let fact = answer.tests.get(id);
        fact.is_some_and(|fact| fact.touched || fact.outcome == Outcome::Failed(Cause::Assertion))
    };
    if failing.iter().any(asks) {
        return Ok(TestsSay::Red(failing));
    }
    Ok(if fails_unnamed && confirmed {
        // A pattern of the config says that they fail as they should.
        TestsSay::Red(BTreeSet::new())
    } else if fails_unnamed {
        TestsSay::Unclear(KeepReason::Unconfirmed)
    } else if !failing.is_empty() {
        TestsSay::Unclear(KeepReason::UnchangedDie)
    } else if has_other_failures(f, answer) {
        TestsSay::Unclear(KeepReason::NoRed)
    } else if switched_off(f, answer)? {
        TestsSay::Unclear(KeepReason::Lost)
    } else if is_unknown(answer) {
        TestsSay::Unclear(KeepReason::Unknown)
    } else if beyond_tests {
        TestsSay::Unclear(KeepReason::BeyondTests)
    } else {
        TestsSay::Pass
    })
}

/// Whether a test of the step was running when time was up.
fn hangs(answer: &Answer) -> bool {
    let hung = |fact: &TestFact| fact.touched && fact.outcome == Outcome::Hung;
    answer.tests.values().any(hung)
}

/// Tests fail, and not as they did while they are awaited.
fn has_other_failures(f: &Facts<'_>, answer: &Answer) -> bool {
    let still = |id: &TestId| {
        let fact = answer.tests.get(id);
        fact.is_some_and(|fact| fails_still(f, id, fact))
    };
    counted_failures(f, answer).any(|id| !still(id))
}
