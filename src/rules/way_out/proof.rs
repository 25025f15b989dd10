//! Does a test ask for the code?

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::TestId;
use super::super::facts::Form;
use super::asking::{Look, Row, ask_about, look, those};
use super::facts::{Answer, Body, Change, Claim, OldTest, Question, Range, Version, Whose};
use super::report::{Fate, Gap, Need, Proof};
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
    /// Tests that pass because something outside of functions makes tests pass.
    blunted: BTreeSet<TestId>,
}

/// So many tests that a range leaves alone tell whether it blunts tests.
const MOST_UNCHANGED: usize = 40;

impl<'r> Alone<'r> {
    /// Asks for every test that a claim or a changed test may need.
    pub(super) fn ask(range: &'r Range<'_>, works: &Works) -> Row<Alone<'r>> {
        let tests = in_question(range, works);
        let alone = ask_about(range, Question::TestsAlone, &tests)?;
        let blunted = blunted(range, works, &tests, &alone)?;
        let hollow: BTreeSet<TestId> = those(&tests, &alone, Look::needs_source)
            .difference(&blunted)
            .cloned()
            .collect();
        let empty = ask_about(range, Question::Hollow(Form::Empty), &hollow)?;
        let unclear = those(&hollow, &empty, |look| look != Look::Failed);
        let form = Form::NotImplemented;
        let not_implemented = ask_about(range, Question::Hollow(form), &unclear)?;
        Ok(Alone {
            alone,
            empty,
            not_implemented,
            blunted,
        })
    }

    /// What a test says without the source.
    pub(super) fn without_source(&self, id: &TestId) -> Without {
        match look(&self.alone, id) {
            Look::Passed => Without::Passes,
            _ if self.blunted.contains(id) => Without::Passes,
            Look::Failed => Without::Fails,
            look if look.needs_source() => self.hollow(id),
            unclear @ (Look::CantLoad | Look::NotRun | Look::Nothing(_)) => unknown(unclear),
        }
    }

    fn hollow(&self, id: &TestId) -> Without {
        if look(&self.empty, id) == Look::Failed {
            return Without::Fails;
        }
        match look(&self.not_implemented, id) {
            Look::Failed => Without::Fails,
            Look::Passed => Without::Passes,
            unclear @ (Look::CantLoad | Look::NotRun | Look::Nothing(_)) => unknown(unclear),
        }
    }
}

/// Tests that fail without the source and pass with empty values in its functions, where what stands
/// outside of functions is no answer to them: it makes other tests pass too.
fn blunted(
    range: &Range<'_>,
    works: &Works,
    tests: &BTreeSet<TestId>,
    alone: &Answer,
) -> Row<BTreeSet<TestId>> {
    // Where each question is a run of the suite, only the library's name is reason enough.
    let acts = range.acts_at_load && range.can.aim;
    if !acts && !range.source_names_test_library {
        return Ok(BTreeSet::new());
    }
    let failing = those(tests, alone, |look| {
        look == Look::Failed || look.needs_source()
    });
    let spared = ask_about(range, Question::Spared, &failing)?;
    let passing = those(&failing, &spared, |look| look == Look::Passed);
    match !passing.is_empty() && makes_others_pass(range, works)? {
        true => Ok(passing),
        false => Ok(BTreeSet::new()),
    }
}

/// Whether tests that the range leaves alone no longer notice that functions are empty which it
/// leaves alone too. Where nobody can tell, source that knows the test library is not believed.
fn makes_others_pass(range: &Range<'_>, works: &Works) -> Row<bool> {
    let unchanged = works.passing.difference(range.touched);
    let unchanged: BTreeSet<TestId> = unchanged.take(MOST_UNCHANGED).cloned().collect();
    let now = ask_about(range, Question::Unchanged(Version::New), &unchanged)?;
    let passing = those(&unchanged, &now, |look| look == Look::Passed);
    let failing = those(&unchanged, &now, |look| look == Look::Failed);
    let then = ask_about(range, Question::Unchanged(Version::Old), &passing)?;
    Ok(match passing.is_empty() && failing.is_empty() {
        true => range.source_names_test_library,
        false => !those(&passing, &then, |look| look == Look::Failed).is_empty(),
    })
}

fn unknown(look: Look) -> Without {
    Without::Unknown(look.gap().unwrap_or(Gap::NothingMeasured))
}

/// The tests of the claims and the changed ones, as far as they pass in the final tree.
fn in_question(range: &Range<'_>, works: &Works) -> BTreeSet<TestId> {
    let claims = range.claims.iter().filter(|claim| !claim.declares_only);
    let claimed = claims.flat_map(|claim| &claim.tests);
    let changed = range
        .old_tests
        .iter()
        .filter_map(|(id, old)| match &old.change {
            Change::Changed { only_names: false } => Some(id),
            Change::Rewritten(to) => Some(to),
            Change::Changed { only_names: true }
            | Change::Same
            | Change::Moved(_)
            | Change::Renamed(_)
            | Change::Removed => None,
        });
    let tests = claimed.chain(changed);
    tests
        .filter(|id| works.passing.contains(*id))
        .cloned()
        .collect()
}

/// What was found out about a range so far.
pub(super) struct Found<'f, 'r> {
    pub(super) works: &'f Works,
    pub(super) alone: &'f Alone<'r>,
    pub(super) old_tests: &'f BTreeMap<TestId, Fate>,
    pub(super) functions: &'f BTreeMap<u32, Need>,
}

/// Whether a claim holds.
pub(super) fn prove(range: &Range<'_>, claim: &Claim, found: &Found<'_, '_>) -> Proof {
    if claim.declares_only {
        return Proof::Nothing;
    }
    let by_tests = match claim.tests.is_empty() {
        true => None,
        false => Some(by_tests(claim, found.works, found.alone)),
    };
    match (claim.of, by_tests) {
        (Whose::Cycle(_), Some(proof)) => proof,
        (Whose::Cycle(_), None) => Proof::Unknown(Gap::NothingMeasured),
        (Whose::Range, Some(Proof::Unproven(_))) if !has_code(range) => Proof::Nothing,
        (Whose::Range, Some(Proof::Unproven(tests))) => {
            match asks_as_before(range, &tests, found) {
                Some(Ok(())) => by_functions(range, found.functions),
                Some(Err(gap)) => Proof::Unknown(gap),
                None => Proof::Unproven(tests),
            }
        }
        (Whose::Range, Some(proof)) => proof,
        (Whose::Range, None) => by_functions(range, found.functions),
    }
}

/// Whether tests are the old ones in other words, and check what they did: then nothing new is asked
/// for, as if no test had changed. None where one of them is new, blunted or checks less; why, where
/// nobody can tell.
fn asks_as_before(
    range: &Range<'_>,
    tests: &BTreeSet<TestId>,
    found: &Found<'_, '_>,
) -> Option<Result<(), Gap>> {
    if !tests.is_disjoint(&found.alone.blunted) {
        return None;
    }
    let mut all = Ok(());
    for test in tests {
        let mut old = range.old_tests.iter();
        let (id, old) = old.find(|(id, old)| name_now(id, old) == Some(test))?;
        match found.old_tests.get(id) {
            Some(Fate::Kept | Fate::Renamed | Fate::Moved(_)) => {}
            None if old.change == Change::Same => {}
            Some(Fate::Unknown(gap)) => all = all.and(Err(*gap)),
            Some(Fate::RemovedWithItsCode | Fate::Removed | Fate::Respecified | Fate::Weakened)
            | None => return None,
        }
    }
    Some(all)
}

/// The name of an old test in the final tree.
fn name_now<'t>(id: &'t TestId, old: &'t OldTest) -> Option<&'t TestId> {
    match &old.change {
        Change::Same | Change::Changed { .. } => Some(id),
        Change::Moved(to) | Change::Renamed(to) | Change::Rewritten(to) => Some(to),
        Change::Removed => None,
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
