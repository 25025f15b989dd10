//! Does it work, from committed files and dependencies alone?

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::{Before, Said, TestId};
use super::asking::{Look, Row, ask, ask_about, look, look_at};
use super::facts::{Aim, Answer, Change, End, OldTest, Question, Range, Whose};
use super::report::{Gap, Whole};

/// The final tree as it runs.
pub(super) struct Works {
    /// What is said of it.
    pub(super) whole: Whole,
    /// The tests that pass.
    pub(super) passing: BTreeSet<TestId>,
    /// How old tests stood, where anybody knows.
    pub(super) before: BTreeMap<TestId, Before>,
    /// The tests that pass or fail.
    pub(super) ran: BTreeSet<TestId>,
    /// Tests that fail, and did before.
    pub(super) known_failures: BTreeSet<TestId>,
    /// Tests that the run was to have and did not come to.
    pub(super) cut_off: BTreeSet<TestId>,
}

/// Runs the final tree, and asks the old one about what fails or is missing there.
pub(super) fn works(range: &Range<'_>) -> Row<Works> {
    let answer = ask(range, Question::Whole, Aim::Suite, &BTreeSet::new())?;
    let answer = answer.as_ref();
    let ended = |wanted: fn(Look) -> bool| -> BTreeSet<TestId> {
        let tests = answer.tests.iter();
        let tests = tests.filter(|(_, ran)| wanted(look_at(ran)));
        tests.map(|(id, _)| id.clone()).collect()
    };
    let passing = ended(|look| look == Look::Passed);
    let failing = ended(|look| matches!(look, Look::Failed | Look::CantLoad));
    let before = before(range, &passing, &failing)?;
    let is_known = |id: &TestId| {
        let failed = before.get(id) == Some(&Before::Failed);
        range.known_failures.contains(id) || (failed && !range.touched.contains(id))
    };
    let cut_off = answer
        .tests
        .iter()
        .filter(|(_, ran)| ran.end == End::Unknown);
    let ran = passing.union(&failing).cloned().collect();
    let (known_failures, mut failing): (BTreeSet<TestId>, BTreeSet<TestId>) =
        failing.into_iter().partition(is_known);
    // What a cycle waited for, and is there and not run, does not work either.
    failing.extend(range.switched_off.iter().cloned());
    let whole = match judge(range, answer, failing) {
        Whole::NotGreen(failing) if failing.is_empty() && ran_nothing(range)? => {
            Whole::Unknown(Gap::Environment)
        }
        whole => whole,
    };
    Ok(Works {
        ran,
        whole,
        cut_off: cut_off.map(|(id, _)| id.clone()).collect(),
        passing,
        before,
        known_failures,
    })
}

/// Whether the suite of a range as one change did not come to any test in the old tree either: then
/// nobody made it ready to run, and the range is not to blame.
fn ran_nothing(range: &Range<'_>) -> Row<bool> {
    if !range.claims.iter().any(|claim| claim.of == Whose::Range) {
        return Ok(false);
    }
    let before = ask(range, Question::Before, Aim::Suite, &BTreeSet::new())?;
    let mut tests = before.tests.values();
    Ok(!tests.any(|ran| matches!(look_at(ran), Look::Passed | Look::Failed)))
}

fn judge(range: &Range<'_>, answer: &Answer, failing: BTreeSet<TestId>) -> Whole {
    match answer.said {
        Said::Nothing(why) => return Whole::Unknown(Gap::NoAnswer(why)),
        Said::Unloadable {
            missing_package: true,
            ..
        } => return Whole::Unknown(Gap::Environment),
        Said::Unloadable { .. } => return Whole::NotGreen(failing),
        Said::Tests {
            beyond_tests,
            fails_unnamed,
            ..
        } if beyond_tests || fails_unnamed => return Whole::NotGreen(failing),
        Said::Tests { .. } => {}
    }
    let is_unknown = answer.tests.values().any(|ran| ran.end == End::Unknown);
    let ran_any = answer.tests.values().any(|ran| match ran.end {
        End::Passed | End::Flaky | End::Failed(_) => true,
        End::CantLoad | End::Skipped | End::Unknown => false,
    });
    if !failing.is_empty() {
        Whole::NotGreen(failing)
    } else if is_unknown {
        Whole::Unknown(Gap::NotRun)
    } else if !ran_any && range.can.name_tests {
        Whole::Unknown(Gap::NothingMeasured)
    } else {
        Whole::Green
    }
}

/// How tests stood in the old tree; asked there for what matters and nobody knows.
fn before(
    range: &Range<'_>,
    passing: &BTreeSet<TestId>,
    failing: &BTreeSet<TestId>,
) -> Row<BTreeMap<TestId, Before>> {
    let known = |id: &TestId| range.old_tests.get(id).map(|old| old.before);
    let is_open = |id: &TestId| matches!(known(id), None | Some(Before::Unknown));
    let failing = failing.iter().filter(|id| {
        is_open(id) && !range.touched.contains(*id) && !range.known_failures.contains(*id)
    });
    let suspicious = range
        .old_tests
        .iter()
        .filter(|(id, old)| old.before == Before::Unknown && is_suspicious(old, id, passing));
    let suspicious = suspicious.map(|(id, _)| id);
    let open: BTreeSet<TestId> = failing.chain(suspicious).cloned().collect();
    let there = match range.can.name_tests {
        true => Some(ask_about(range, Question::Before, &open)?),
        false => None,
    };
    let mut before: BTreeMap<TestId, Before> = range
        .old_tests
        .iter()
        .map(|(id, old)| (id.clone(), old.before))
        .collect();
    for id in open {
        let stood = match there.as_ref().map(|answer| look(answer, &id)) {
            Some(Look::Passed) => Before::Passed,
            Some(Look::Failed | Look::CantLoad) => Before::Failed,
            Some(Look::NotRun | Look::Nothing(_)) | None => Before::Unknown,
        };
        before.insert(id, stood);
    }
    Ok(before)
}

/// Whether what the range did to a test has to be looked at.
pub(super) fn is_suspicious(old: &OldTest, id: &TestId, passing: &BTreeSet<TestId>) -> bool {
    match &old.change {
        Change::Same => !passing.contains(id),
        Change::Changed { only_names } => !only_names || !passing.contains(id),
        Change::Moved(to) | Change::Renamed(to) => !passing.contains(to),
        Change::Rewritten(_) | Change::Removed => true,
    }
}
