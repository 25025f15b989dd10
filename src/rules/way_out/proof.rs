//! Does a test ask for the code?

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::TestId;
use super::super::facts::Form;
use super::asking::{Look, Row, ask_about, look, those};
use super::facts::{Answer, Body, Change, Claim, Question, Range, Whose};
use super::report::{Gap, Need, Proof};
use super::whole::Works;

/// What a test says without the source that it came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Without {
    Fails,
    Passes,
    Unknown(Gap),
}

/// The final tests on the old source, and where they can't load there, on hollow bodies.
pub(super) struct Alone<'r> {
    alone: Cow<'r, Answer>,
    empty: Cow<'r, Answer>,
    not_implemented: Cow<'r, Answer>,
    is_blunted_by_source: bool,
}

impl<'r> Alone<'r> {
    /// Asks for every test that a claim or a changed test may need.
    pub(super) fn ask(range: &'r Range<'_>, works: &Works) -> Row<Alone<'r>> {
        let tests = in_question(range, works);
        let alone = ask_about(range, Question::TestsAlone, &tests)?;
        let hollow = those(&tests, &alone, |look| match look {
            look if look.needs_source() => true,
            // Only source that knows the test library can blunt a test from outside functions.
            Look::Failed => range.source_names_test_library,
            Look::CantLoad | Look::Passed | Look::NotRun | Look::Nothing(_) => false,
        });
        let empty = ask_about(range, Question::Hollow(Form::Empty), &hollow)?;
        let unclear: BTreeSet<TestId> = hollow
            .into_iter()
            .filter(|id| look(&alone, id).needs_source())
            .filter(|id| match look(&empty, id) {
                Look::Failed => false,
                Look::Passed => !range.source_names_test_library,
                Look::CantLoad | Look::NotRun | Look::Nothing(_) => true,
            })
            .collect();
        let form = Form::NotImplemented;
        let not_implemented = ask_about(range, Question::Hollow(form), &unclear)?;
        Ok(Alone {
            alone,
            empty,
            not_implemented,
            is_blunted_by_source: range.source_names_test_library,
        })
    }

    /// What a test says without the source.
    pub(super) fn without_source(&self, id: &TestId) -> Without {
        match look(&self.alone, id) {
            Look::Passed => Without::Passes,
            Look::Failed if self.is_blunted(id) => Without::Passes,
            Look::Failed => Without::Fails,
            look if look.needs_source() => self.hollow(id),
            unclear @ (Look::CantLoad | Look::NotRun | Look::Nothing(_)) => unknown(unclear),
        }
    }

    fn hollow(&self, id: &TestId) -> Without {
        match look(&self.empty, id) {
            Look::Failed => return Without::Fails,
            Look::Passed if self.is_blunted_by_source => return Without::Passes,
            Look::Passed | Look::CantLoad | Look::NotRun | Look::Nothing(_) => {}
        }
        match look(&self.not_implemented, id) {
            Look::Failed => Without::Fails,
            Look::Passed => Without::Passes,
            unclear @ (Look::CantLoad | Look::NotRun | Look::Nothing(_)) => unknown(unclear),
        }
    }

    /// It fails without the source and passes with empty values in its functions: what makes it pass
    /// stands outside of them.
    fn is_blunted(&self, id: &TestId) -> bool {
        self.is_blunted_by_source && look(&self.empty, id) == Look::Passed
    }
}

fn unknown(look: Look) -> Without {
    Without::Unknown(look.gap().unwrap_or(Gap::NothingMeasured))
}

/// The tests of the claims and the changed ones, as far as they pass in the final tree.
fn in_question(range: &Range<'_>, works: &Works) -> BTreeSet<TestId> {
    let claims = range.claims.iter().filter(|claim| !claim.declares_only);
    let claimed = claims.flat_map(|claim| &claim.tests);
    let changed = range.old_tests.iter().filter(|(_, old)| match old.change {
        Change::Changed { only_names } => !only_names,
        Change::Same | Change::Moved(_) | Change::Renamed(_) | Change::Removed => false,
    });
    let changed = changed.map(|(id, _)| id);
    let tests = claimed.chain(changed);
    tests
        .filter(|id| works.passing.contains(*id))
        .cloned()
        .collect()
}

/// Whether a claim holds.
pub(super) fn prove(
    range: &Range<'_>,
    claim: &Claim,
    works: &Works,
    alone: &Alone<'_>,
    functions: &BTreeMap<u32, Need>,
) -> Proof {
    if claim.declares_only {
        return Proof::Nothing;
    }
    let by_tests = match claim.tests.is_empty() {
        true => None,
        false => Some(by_tests(claim, works, alone)),
    };
    match (claim.of, by_tests) {
        (Whose::Cycle(_), Some(proof)) => proof,
        (Whose::Cycle(_), None) => Proof::Unknown(Gap::NothingMeasured),
        (Whose::Range, Some(Proof::Unproven(_))) if !has_code(range) => Proof::Nothing,
        (Whose::Range, Some(proof)) => proof,
        (Whose::Range, None) => by_functions(range, functions),
    }
}

fn by_tests(claim: &Claim, works: &Works, alone: &Alone<'_>) -> Proof {
    let mut by = BTreeSet::new();
    let mut but = BTreeSet::new();
    let mut gap = None;
    for id in &claim.tests {
        if !works.passing.contains(id) {
            gap = gap.or(Some(why_not_passing(works, id)));
            continue;
        }
        match alone.without_source(id) {
            Without::Fails => drop(by.insert(id.clone())),
            Without::Passes => drop(but.insert(id.clone())),
            Without::Unknown(why) => gap = gap.or(Some(why)),
        }
    }
    match (by.is_empty(), gap) {
        (false, _) => Proof::Proven { by, but },
        (true, Some(gap)) => Proof::Unknown(gap),
        (true, None) => Proof::Unproven(but),
    }
}

fn why_not_passing(works: &Works, id: &TestId) -> Gap {
    if works.ran.contains(id) {
        Gap::NotGreen
    } else if works.cut_off.contains(id) {
        Gap::NotRun
    } else {
        Gap::TestsGone
    }
}

/// Whether there is anything that a test could ask for.
fn has_code(range: &Range<'_>) -> bool {
    let has_body = |body| match body {
        Body::Code => true,
        Body::Stub | Body::Declares => false,
    };
    let functions = range
        .functions
        .iter()
        .any(|function| has_body(function.body));
    functions || range.values_changed || range.has_unreadable_source
}

/// Without a changed test the functions speak for themselves.
fn by_functions(range: &Range<'_>, functions: &BTreeMap<u32, Need>) -> Proof {
    if !has_code(range) {
        return Proof::Nothing;
    }
    let mut by = BTreeSet::new();
    let mut gap = functions.is_empty().then_some(Gap::NothingMeasured);
    for need in functions.values() {
        match need {
            Need::Needed(tests) | Need::CalledNotChecked(tests) => {
                by.extend(tests.iter().cloned());
            }
            Need::Untested => return Proof::Unproven(BTreeSet::new()),
            Need::Unknown(why) => gap = gap.or(Some(*why)),
        }
    }
    match gap {
        Some(gap) => Proof::Unknown(gap),
        None => Proof::Proven {
            by,
            but: BTreeSet::new(),
        },
    }
}
