//! The rules of the way out, pure: is a range proven on its final tree? Squash, the end of a spec
//! cycle, replay and audit ask alike.
//!
//! | module | asks |
//! | --- | --- |
//! | `whole` | does it work, from what is committed alone? |
//! | `proof` | does a test ask for the code? |
//! | `old_tests` | were tests weakened or removed, or did they follow the code? |
//! | `needed` | does any test need what was added? |
//! | `report` | what was found out, and what follows from it |
//!
//! `next` either asks one more question or has found out all there is. A refusal needs an answer:
//! what could not be asked is unknown, named, and refuses nothing.

mod asking;
mod facts;
mod needed;
mod old_tests;
mod proof;
mod report;
mod whole;

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "tests/told.rs"]
mod told;
#[cfg(test)]
#[path = "tests/worlds/mod.rs"]
mod worlds;

use std::collections::{BTreeMap, BTreeSet};

pub use asking::MOST_SUITES;
pub use facts::{
    Aim, Answer, Ask, Body, Can, Change, Claim, Control, End, Function, Number, OldTest, Question,
    Ran, Range, Version, Whose,
};
pub use needed::MOST_ROUNDS;
pub use report::{Ending, Fate, Gap, Need, Proof, Refusal, Report, Terms, Trailers, Whole};

use asking::{Look, Row, ask, look_at};
use proof::{Alone, Found};
use whole::{Works, is_suspicious};

/// What comes next for a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// One more question.
    Ask(Ask),
    /// All there is to be found out.
    Done(Report),
}

/// What comes next for a range.
pub fn next(range: &Range<'_>) -> Next {
    match report(range) {
        Ok(report) => Next::Done(report),
        Err(ask) => Next::Ask(ask),
    }
}

fn report(range: &Range<'_>) -> Row<Report> {
    let works = whole::works(range)?;
    if let Some(gap) = nothing_more(range, &works) {
        return Ok(unknown(range, &works, gap));
    }
    let alone = Alone::ask(range, &works)?;
    let old_tests = old_tests::judge(range, &works, &alone)?;
    let functions = needed::judge(range, &works)?;
    let found = Found {
        works: &works,
        alone: &alone,
        old_tests: &old_tests,
        functions: &functions,
    };
    let claims = range.claims.iter().map(|claim| {
        let proof = proof::prove(range, claim, &found);
        (claim.of, proof)
    });
    let report = Report {
        whole: works.whole.clone(),
        claims: claims.collect(),
        old_tests,
        functions,
        known_failures: works.known_failures.clone(),
        harness_changed: range.harness_changed,
        has_unreadable_source: range.has_unreadable_source,
    };
    believed(range, &works, report)
}

/// Why nothing else is asked about a tree.
fn nothing_more(range: &Range<'_>, works: &Works) -> Option<Gap> {
    match &works.whole {
        Whole::NotGreen(_) => Some(Gap::NotGreen),
        Whole::Unknown(Gap::NotRun) | Whole::Green if range.can.name_tests => None,
        Whole::Unknown(Gap::NotRun) | Whole::Green => Some(Gap::Unconfirmed),
        Whole::Unknown(gap) => Some(*gap),
    }
}

fn unknown(range: &Range<'_>, works: &Works, gap: Gap) -> Report {
    let claims = range.claims.iter().map(|claim| {
        let proof = match claim.declares_only {
            true => Proof::Nothing,
            false => Proof::Unknown(gap),
        };
        (claim.of, proof)
    });
    let old_tests = range
        .old_tests
        .iter()
        .filter(|(id, old)| old.change != Change::Same && is_suspicious(old, id, &works.passing));
    let functions = range
        .functions
        .iter()
        .filter(|function| match function.body {
            Body::Code => true,
            Body::Stub | Body::Declares => false,
        });
    Report {
        whole: works.whole.clone(),
        claims: claims.collect(),
        old_tests: old_tests
            .map(|(id, _)| (id.clone(), Fate::Unknown(gap)))
            .collect(),
        functions: functions
            .map(|function| (function.number, Need::Unknown(gap)))
            .collect(),
        known_failures: works.known_failures.clone(),
        harness_changed: range.harness_changed,
        has_unreadable_source: range.has_unreadable_source,
    }
}

/// Before a passing run accuses anybody, a failing one has to show that the lab sees a difference.
fn believed(range: &Range<'_>, works: &Works, mut report: Report) -> Row<Report> {
    let accuses = !report.unproven().is_empty() || !report.untested().is_empty();
    let Some(control) = range.control else {
        return Ok(report);
    };
    if !accuses || saw_a_difference(range, works) {
        return Ok(report);
    }
    let aim = Aim::Tests(control.tests.clone());
    let hollow = BTreeSet::from([control.number]);
    let answer = ask(range, Question::Control, aim, &hollow)?;
    if has_failure(&answer, works) {
        return Ok(report);
    }
    for proof in report.claims.values_mut() {
        if matches!(proof, Proof::Unproven(_)) {
            *proof = Proof::Unknown(Gap::NotBelieved);
        }
    }
    for need in report.functions.values_mut() {
        if *need == Need::Untested {
            *need = Need::Unknown(Gap::NotBelieved);
        }
    }
    Ok(report)
}

fn saw_a_difference(range: &Range<'_>, works: &Works) -> bool {
    let answers: &BTreeMap<Question, Answer> = range.answers;
    answers.iter().any(|(question, answer)| match question {
        Question::Whole | Question::Before | Question::OldTests => false,
        Question::TestsAlone
        | Question::Hollow(_)
        | Question::Spared
        | Question::Unchanged(_)
        | Question::BothEmpty(_)
        | Question::Needed { .. }
        | Question::Control => has_failure(answer, works),
    })
}

fn has_failure(answer: &Answer, works: &Works) -> bool {
    let mut tests = works.passing.iter().filter_map(|id| answer.tests.get(id));
    tests.any(|ran| matches!(look_at(ran), Look::Failed | Look::CantLoad))
}
