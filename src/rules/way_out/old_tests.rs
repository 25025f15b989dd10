//! What became of the tests that the old tree had?

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::{Before, TestId};
use super::asking::{Look, Row, ask, ask_about, look, look_at, misses_removed_names, those};
use super::facts::{Aim, Answer, Change, OldTest, Question, Range, Version};
use super::proof::{Alone, Without};
use super::report::{Fate, Gap};
use super::whole::Works;

/// What there is to ask about a test.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Case {
    /// Enough is known.
    Told(Fate),
    /// It is gone, or not run any more.
    Gone,
    /// It was changed and passes, under this name.
    Changed(TestId),
}

/// What became of each test that passed in the old tree and is not as it was.
pub(super) fn judge(
    range: &Range<'_>,
    works: &Works,
    alone: &Alone<'_>,
) -> Row<BTreeMap<TestId, Fate>> {
    let cases = cases(range, works);
    let open: BTreeSet<TestId> = (cases.iter())
        .filter(|(_, case)| !matches!(case, Case::Told(_)))
        .map(|(id, _)| id.clone())
        .collect();
    let may_be_more = range.harness_changed && !range.knows_old_results;
    let old = match open.is_empty() && !may_be_more {
        true => ask_about(range, Question::OldTests, &open)?,
        false => ask(
            range,
            Question::OldTests,
            aim(range, &open),
            &BTreeSet::new(),
        )?,
    };
    let both = passing_both(range, &cases, &old)?;
    let fate = |(id, case)| {
        let fate = match case {
            Case::Told(fate) => fate,
            Case::Gone => gone(works, &old, &id),
            Case::Changed(now) => changed(
                &old,
                &both,
                alone,
                &Versions {
                    old: &id,
                    new: &now,
                },
            ),
        };
        (id, fate)
    };
    let switched_off = switched_off(range, works, &old);
    Ok((cases.into_iter().map(fate)).chain(switched_off).collect())
}

/// Tests that nobody knew of, that pass as they were, and that the final tree does not run.
fn switched_off(range: &Range<'_>, works: &Works, old: &Answer) -> Vec<(TestId, Fate)> {
    let passing = (old.tests.iter()).filter(|(_, ran)| look_at(ran) == Look::Passed);
    let off = passing.filter(|(id, _)| {
        !works.ran.contains(*id)
            && !works.cut_off.contains(*id)
            && !range.old_tests.contains_key(*id)
    });
    off.map(|(id, _)| (id.clone(), Fate::Removed)).collect()
}

/// What steers the run may keep any test from it: then all of them are looked at.
fn aim(range: &Range<'_>, open: &BTreeSet<TestId>) -> Aim {
    match range.harness_changed {
        true => Aim::Suite,
        false => Aim::Tests(open.clone()),
    }
}

fn cases(range: &Range<'_>, works: &Works) -> BTreeMap<TestId, Case> {
    let cases = range.old_tests.iter().filter_map(|(id, old)| {
        let case = case(old, id, works)?;
        let before = works.before.get(id).copied().unwrap_or(Before::Unknown);
        let counts = match (before, &case) {
            (Before::Passed, _) => true,
            (Before::Unknown, Case::Told(_) | Case::Gone) => true,
            // It may have failed as it was.
            (Before::Unknown, Case::Changed(_)) => {
                return Some((id.clone(), Case::Told(Fate::Unknown(Gap::NotRun))));
            }
            (Before::Failed | Before::Skipped | Before::Absent, _) => false,
        };
        counts.then(|| (id.clone(), case))
    });
    cases.collect()
}

fn case(old: &OldTest, id: &TestId, works: &Works) -> Option<Case> {
    let passes = works.passing.contains(id);
    if works.cut_off.contains(id) {
        return Some(Case::Told(Fate::Unknown(Gap::NotRun)));
    }
    match &old.change {
        Change::Same if passes => None,
        Change::Same => Some(Case::Gone),
        Change::Changed { only_names: true } if passes => Some(Case::Told(Fate::Renamed)),
        Change::Changed { only_names: false } | Change::Removed if passes => {
            Some(Case::Changed(id.clone()))
        }
        Change::Moved(to) if works.passing.contains(to) => {
            Some(Case::Told(Fate::Moved(to.clone())))
        }
        Change::Renamed(to) if works.passing.contains(to) => Some(Case::Told(Fate::Renamed)),
        Change::Rewritten(to) if works.passing.contains(to) => Some(Case::Changed(to.clone())),
        Change::Changed { .. }
        | Change::Moved(_)
        | Change::Renamed(_)
        | Change::Rewritten(_)
        | Change::Removed => Some(Case::Gone),
    }
}

fn gone(works: &Works, old: &Answer, id: &TestId) -> Fate {
    let passed = works.before.get(id) == Some(&Before::Passed);
    match look(old, id) {
        Look::Failed | Look::CantLoad if misses_removed_names(old, id) => Fate::RemovedWithItsCode,
        // It passes with the new source, and nobody runs it.
        Look::Passed => Fate::Removed,
        Look::Failed | Look::CantLoad if passed => Fate::Removed,
        Look::Failed | Look::CantLoad => Fate::Unknown(Gap::NotRun),
        unclear @ (Look::NotRun | Look::Nothing(_)) => unknown(unclear),
    }
}

/// A test's name before and now.
struct Versions<'a> {
    old: &'a TestId,
    new: &'a TestId,
}

/// Both versions of changed tests, every function that they reach empty.
struct Both {
    old: Answer,
    new: Answer,
}

fn passing_both(range: &Range<'_>, cases: &BTreeMap<TestId, Case>, old: &Answer) -> Row<Both> {
    let changed: BTreeMap<&TestId, &TestId> = (cases.iter())
        .filter_map(|(id, case)| match case {
            Case::Changed(now) => Some((id, now)),
            Case::Told(_) | Case::Gone => None,
        })
        .collect();
    let all = changed.keys().copied().cloned().collect();
    let passing = those(&all, old, |look| look == Look::Passed);
    let old_empty = ask_about(range, Question::BothEmpty(Version::Old), &passing)?;
    let checking = those(&passing, &old_empty, |look| look == Look::Failed);
    let now = checking.iter().filter_map(|id| changed.get(id).copied());
    let checking: BTreeSet<TestId> = now.cloned().collect();
    let new_empty = ask_about(range, Question::BothEmpty(Version::New), &checking)?;
    Ok(Both {
        old: old_empty.into_owned(),
        new: new_empty.into_owned(),
    })
}

fn changed(old: &Answer, both: &Both, alone: &Alone<'_>, test: &Versions<'_>) -> Fate {
    match look(old, test.old) {
        Look::Failed | Look::CantLoad => match alone.without_source(test.new) {
            Without::Fails => Fate::Respecified,
            Without::Passes => Fate::Weakened,
            Without::Unknown(gap) => Fate::Unknown(gap),
        },
        Look::Passed => checks_less(both, test),
        unclear @ (Look::NotRun | Look::Nothing(_)) => unknown(unclear),
    }
}

fn checks_less(both: &Both, test: &Versions<'_>) -> Fate {
    match look(&both.old, test.old) {
        Look::Failed => {}
        // It did not check it before.
        Look::Passed => return Fate::Kept,
        unclear @ (Look::CantLoad | Look::NotRun | Look::Nothing(_)) => return unknown(unclear),
    }
    match look(&both.new, test.new) {
        Look::Passed => Fate::Weakened,
        Look::Failed | Look::CantLoad => Fate::Kept,
        unclear @ (Look::NotRun | Look::Nothing(_)) => unknown(unclear),
    }
}

fn unknown(look: Look) -> Fate {
    Fate::Unknown(look.gap().unwrap_or(Gap::NothingMeasured))
}
