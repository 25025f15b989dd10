//! The rows of a step: phase × what changed → one more experiment, or a decision.
//!
//! Each row reads as it would be told. Where it needs an answer that is not there yet, it ends with
//! the question, and is gone through again from the top once the answer is known.

use std::collections::BTreeSet;

use super::answer::{Answer, Before, Gone, NoAnswer, Outcome, Said, TestId};
use super::changed_tests;
use super::decision::{
    Commit, Decision, Keep, KeepReason, Label, Move, Next, Scope, TakeBack, Why,
};
use super::facts::{Experiment, Facts, SourceKind, TestsPart};
use super::reading::{Ask, Row, answer, counted_failures, is_unknown, lost, passes};
use crate::rules::{CycleKind, Phase};

pub use super::reading::to_run_again;

/// A step costs at most this many runs of the suite.
pub const MOST_SUITES: usize = 5;

/// What comes next for a step.
pub fn next(facts: &Facts<'_>) -> Next {
    match decide(facts) {
        Ok(decision) => Next::Decide(decision),
        Err(ask) if is_too_much(facts, &ask) => {
            Next::Decide(keep(KeepReason::NoAnswer(NoAnswer::NoTime)))
        }
        Err(Ask::First(experiment)) => Next::Ask(experiment),
        Err(Ask::Again(experiment)) => Next::AskAgain(experiment),
    }
}

fn is_too_much(f: &Facts<'_>, ask: &Ask) -> bool {
    let is_suite = |experiment: Experiment| !f.can_aim || experiment == Experiment::Whole;
    let asked = f.answers.iter().map(|(experiment, answer)| {
        let suites = usize::from(is_suite(*experiment));
        let again = usize::from(answer.ran_again && !f.can_aim);
        suites + again
    });
    let (Ask::First(wanted) | Ask::Again(wanted)) = ask;
    is_suite(*wanted) && asked.sum::<usize>() >= MOST_SUITES
}

fn decide(f: &Facts<'_>) -> Row<Decision> {
    if !f.changed.needs_judgement() {
        return Ok(unchanged(f));
    }
    match f.phase {
        Phase::Plan | Phase::Done => chore(f),
        Phase::Red => in_red(f),
        Phase::Green => in_green(f),
        Phase::Refactor => in_refactor(f),
    }
}

/// The tree is the accepted one, prose aside.
fn unchanged(f: &Facts<'_>) -> Decision {
    let asks_for_code = f.phase == Phase::Red && f.cycle == CycleKind::Free && f.is_settling;
    if f.changed.docs && f.is_settling {
        commit(Label::Docs, Experiment::Whole, Move::Stay)
    } else if asks_for_code && !f.failing_since_fork.is_empty() {
        Decision::Await(f.failing_since_fork.clone())
    } else {
        Decision::Nothing
    }
}

fn in_red(f: &Facts<'_>) -> Row<Decision> {
    if f.changed.tests != TestsPart::Same {
        return changed_tests::row(f);
    }
    match f.changed.source {
        SourceKind::Same => chore(f),
        SourceKind::Declares | SourceKind::Stub | SourceKind::NoGrammar => {
            Ok(keep(KeepReason::StubsWait))
        }
        SourceKind::Code if f.tests_came_along => Ok(keep(KeepReason::Unasked)),
        SourceKind::Code => Ok(Decision::TakeBack(TakeBack {
            why: Why::Unasked,
            scope: Scope::Source,
        })),
    }
}

fn in_green(f: &Facts<'_>) -> Row<Decision> {
    if f.changed.tests != TestsPart::Same {
        changed_tests::row(f)
    } else if f.changed.source == SourceKind::Same && !f.changed.other {
        // Layout and comments wait for the commit that the tests wait for.
        Ok(Decision::Nothing)
    } else {
        source_in_green(f)
    }
}

// Source in `green`

fn source_in_green(f: &Facts<'_>) -> Row<Decision> {
    // Code that came with its test is finished more often than not: then the awaited tests are asked
    // alone only where that saves a long run.
    let is_likely_done = f.tests_came_along && f.suite_is_quick;
    if f.can_aim && !f.awaited.is_empty() && !is_likely_done {
        let awaited = answer(f, Experiment::Awaited)?;
        if let Some(kept) = no_result(awaited) {
            return Ok(kept);
        }
        if !f.awaited.iter().any(|id| passes(awaited.tests.get(id))) {
            return Ok(none_passes(f, awaited));
        }
    }
    let whole = answer(f, Experiment::Whole)?;
    if let Some(kept) = no_result(whole) {
        return Ok(kept);
    }
    let left = still_awaited(f, whole);
    if !lost(f, whole)?.is_empty() {
        return Ok(counted(KeepReason::Lost));
    }
    let mut others = counted_failures(f, whole).filter(|id| !left.contains(*id));
    if others.next().is_some() {
        return Ok(counted(KeepReason::RedStill));
    }
    Ok(match not_green(whole) {
        Some(kept) => kept,
        None if left.is_empty() => Decision::Commit(Commit {
            label: Label::Green { partial: false },
            tree: Experiment::Whole,
            next: next_cycle(f),
            awaited: Some(BTreeSet::new()),
        }),
        None if left.len() < f.awaited.len() => Decision::Commit(Commit {
            label: Label::Green { partial: true },
            tree: Experiment::Whole,
            next: Move::Stay,
            awaited: Some(left),
        }),
        None => counted(KeepReason::RedStill),
    })
}

pub(super) fn still_awaited(f: &Facts<'_>, whole: &Answer) -> BTreeSet<TestId> {
    let awaited = f.awaited.iter();
    let left = awaited.filter(|id| !passes(whole.tests.get(*id)));
    left.cloned().collect()
}

/// No awaited test passes: they fail still, or were not run.
fn none_passes(f: &Facts<'_>, answer: &Answer) -> Decision {
    let has_result = |id: &TestId| {
        let fact = answer.tests.get(id);
        fact.is_some_and(|fact| !matches!(fact.outcome, Outcome::Unknown | Outcome::Hung))
    };
    match f.awaited.iter().any(has_result) {
        true => counted(KeepReason::RedStill),
        false => keep(KeepReason::Unknown),
    }
}

// `refactor`

fn in_refactor(f: &Facts<'_>) -> Row<Decision> {
    let whole = answer(f, Experiment::Whole)?;
    let removed = |gone: &Gone| *gone == Gone::Removed;
    if whole.gone.values().any(removed) {
        return Ok(keep(KeepReason::TestRemoved));
    }
    if f.changed.tests == TestsPart::Added && f.cycle == CycleKind::Free {
        let loads = matches!(whole.said, Said::Tests { .. });
        if !loads || lost(f, whole)?.is_empty() {
            return changed_tests::row(f);
        }
    }
    Ok(match whole_is_not_green(f)? {
        Some(kept) => kept,
        None => commit(Label::Refactor, Experiment::Whole, Move::Stay),
    })
}

// Neither tests nor source

fn chore(f: &Facts<'_>) -> Row<Decision> {
    if f.changed.source != SourceKind::Same || f.changed.tests != TestsPart::Same {
        return Ok(Decision::Nothing);
    }
    Ok(match whole_is_not_green(f)? {
        Some(Decision::Keep(kept)) => keep(kept.why),
        Some(other) => other,
        None => commit(Label::Chore, Experiment::Whole, Move::Stay),
    })
}

// What the rows share

/// Why the whole can't be committed as it is; none if all that should pass does.
pub(super) fn whole_is_not_green(f: &Facts<'_>) -> Row<Option<Decision>> {
    let whole = answer(f, Experiment::Whole)?;
    if let Some(kept) = no_result(whole) {
        return Ok(Some(kept));
    }
    if !lost(f, whole)?.is_empty() {
        return Ok(Some(counted(KeepReason::Lost)));
    }
    // In a spec cycle, and on the way back from `green`, tests of this cycle fail already.
    let mut failing = counted_failures(f, whole).filter(|id| !fails_as_before(f, whole, id));
    if failing.next().is_some() {
        return Ok(Some(counted(KeepReason::RedStill)));
    }
    Ok(not_green(whole))
}

fn fails_as_before(f: &Facts<'_>, whole: &Answer, id: &TestId) -> bool {
    let fact = whole.tests.get(id);
    f.awaited.contains(id) && fact.is_some_and(|fact| fact.before == Before::Failed)
}

/// What keeps a run from being green although no test of it fails. A test that was not run is no
/// reason to lose patience.
fn not_green(answer: &Answer) -> Option<Decision> {
    match answer.said {
        Said::Tests {
            fails_unnamed: true,
            ..
        } => Some(counted(KeepReason::RedStill)),
        Said::Tests {
            beyond_tests: true, ..
        } => Some(counted(KeepReason::BeyondTests)),
        Said::Tests { .. } if is_unknown(answer) => Some(keep(KeepReason::Unknown)),
        Said::Tests { .. } => None,
        Said::Unloadable { .. } | Said::Nothing(_) => no_result(answer),
    }
}

/// A run that says nothing of its tests is no reason to lose patience.
fn no_result(answer: &Answer) -> Option<Decision> {
    match answer.said {
        Said::Tests { .. } => None,
        Said::Unloadable { parses, .. } => Some(unloadable(parses)),
        Said::Nothing(NoAnswer::Broken) => Some(keep(KeepReason::Broken)),
        Said::Nothing(why) => Some(keep(KeepReason::NoAnswer(why))),
    }
}

pub(super) fn next_cycle(f: &Facts<'_>) -> Move {
    match f.cycle {
        CycleKind::Free => Move::NextCycle,
        CycleKind::Spec => Move::Stay,
    }
}

pub(super) fn commit(label: Label, tree: Experiment, next: Move) -> Decision {
    Decision::Commit(Commit {
        label,
        tree,
        next,
        awaited: None,
    })
}

pub(super) fn unloadable(parses: bool) -> Decision {
    keep(match parses {
        true => KeepReason::Unloadable,
        false => KeepReason::DoesNotParse,
    })
}

pub(super) fn keep(why: KeepReason) -> Decision {
    Decision::Keep(Keep {
        why,
        counted: false,
    })
}

fn counted(why: KeepReason) -> Decision {
    Decision::Keep(Keep { why, counted: true })
}

#[cfg(test)]
#[path = "tests/step/mod.rs"]
mod tests;
