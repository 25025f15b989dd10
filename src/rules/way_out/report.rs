//! What is found out about a range, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::{NoAnswer, TestId};
use super::facts::{Number, Whose};

/// Everything that was found out about a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Does it work, from what is committed alone?
    pub whole: Whole,
    /// What it says it has done test first.
    pub claims: BTreeMap<Whose, Proof>,
    /// What became of tests of the old tree, by their old names.
    pub old_tests: BTreeMap<TestId, Fate>,
    /// Whether a test needs what was added, by number.
    pub functions: BTreeMap<Number, Need>,
    /// Tests that fail, and failed before the range as well.
    pub known_failures: BTreeSet<TestId>,
    /// Harness changed.
    pub harness_changed: bool,
    /// Some of the source can't be read.
    pub has_unreadable_source: bool,
}

/// Whether the whole works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// It does.
    Green,
    /// It does not: these tests fail or are missing; none where it does not come that far.
    NotGreen(BTreeSet<TestId>),
    /// Nobody can tell.
    Unknown(Gap),
}

/// Whether a test asks for the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// These tests fail without it.
    Proven {
        /// The tests; none where the functions speak for themselves.
        by: BTreeSet<TestId>,
        /// Tests of the same claim that pass without it.
        but: BTreeSet<TestId>,
    },
    /// Its tests pass without it.
    Unproven(BTreeSet<TestId>),
    /// Nobody can tell.
    Unknown(Gap),
    /// There is nothing to prove.
    Nothing,
}

/// What became of a test of the old tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It stands elsewhere.
    Moved(TestId),
    /// It differs by names alone.
    Renamed,
    /// It went with the code that it was about.
    RemovedWithItsCode,
    /// It is gone, or not run any more.
    Removed,
    /// It asks for something else, and the old code does not have it.
    Respecified,
    /// It was changed and checks no less.
    Kept,
    /// It checks less.
    Weakened,
    /// Nobody can tell.
    Unknown(Gap),
}

/// Whether a test needs a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// These tests fail without it.
    Needed(BTreeSet<TestId>),
    /// These tests call it, and pass with an empty value in its place.
    CalledNotChecked(BTreeSet<TestId>),
    /// Every test passes without it.
    Untested,
    /// Nobody can tell.
    Unknown(Gap),
}

/// Why something is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gap {
    /// An experiment has no answer.
    NoAnswer(NoAnswer),
    /// The runner does not say which tests ran.
    Unconfirmed,
    /// The tests can't be loaded, not even with hollow bodies.
    CantLoad,
    /// The tests were not run.
    NotRun,
    /// None of its tests is in the final tree.
    TestsGone,
    /// The whole does not work, so nothing else was asked.
    NotGreen,
    /// A package from outside the project is missing.
    Environment,
    /// No test ran, or nothing was hollow.
    NothingMeasured,
    /// There would have been more to ask.
    Rounds,
    /// A function that is known to be needed was hollow, and no test failed.
    NotBelieved,
}

impl Gap {
    /// The word in JSON and trailers.
    pub fn name(self) -> &'static str {
        match self {
            Gap::NoAnswer(why) => match why {
                NoAnswer::NoLab => "no_lab",
                NoAnswer::NoTime => "no_time",
                NoAnswer::Broken => "broken",
                NoAnswer::Void => "void",
                NoAnswer::NotHollow => "not_hollow",
            },
            Gap::Unconfirmed => "unconfirmed",
            Gap::CantLoad => "cant_load",
            Gap::NotRun => "not_run",
            Gap::TestsGone => "tests_gone",
            Gap::NotGreen => "not_green",
            Gap::Environment => "environment",
            Gap::NothingMeasured => "nothing_measured",
            Gap::Rounds => "rounds",
            Gap::NotBelieved => "not_believed",
        }
    }
}

/// What a person or the config lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// A person accepted what is unproven.
    pub accepts_unproven: bool,
    /// What no test needs is refused, too.
    pub blocks_untested: bool,
}

/// Why the way out is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What is committed does not work.
    NotGreen(BTreeSet<TestId>),
    /// These claims have no test that asks for their code.
    Unproven(BTreeSet<Whose>),
    /// No test needs these functions.
    Untested(BTreeSet<Number>),
}

/// How an audit ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// All is proven.
    Proven,
    /// Something is unproven, untested, called and not checked, or weakened, or does not work.
    Wanting,
    /// Nothing speaks against it, and not all could be told.
    CantTell,
}

/// The numbers that stand in a commit's trailers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailers {
    /// `TCR-Tests-Weakened`.
    pub weakened: usize,
    /// `TCR-Tests-Removed`.
    pub removed: usize,
    /// `TCR-Untested`.
    pub untested: usize,
    /// `TCR-Proof`: claims that are unproven, and why the rest could not be told.
    pub unproven: BTreeSet<Whose>,
    /// The second half of `TCR-Proof`.
    pub gaps: BTreeSet<Gap>,
    /// `TCR-Harness-Changed`.
    pub harness_changed: bool,
}

impl Report {
    /// Why the way out is refused; the lack of an answer never is a reason.
    pub fn refusals(&self, terms: Terms) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        match &self.whole {
            Whole::NotGreen(tests) => refusals.push(Refusal::NotGreen(tests.clone())),
            Whole::Green | Whole::Unknown(_) => {}
        }
        let unproven = self.unproven();
        if !unproven.is_empty() && !terms.accepts_unproven {
            refusals.push(Refusal::Unproven(unproven));
        }
        let untested = self.untested();
        if !untested.is_empty() && terms.blocks_untested {
            refusals.push(Refusal::Untested(untested));
        }
        refusals
    }

    /// How an audit ends.
    pub fn ending(&self) -> Ending {
        let trailers = self.trailers();
        let works = !matches!(self.whole, Whole::NotGreen(_));
        let is_clean = trailers.unproven.is_empty()
            && trailers.untested == 0
            && !self.has_unchecked()
            && trailers.weakened == 0
            && trailers.removed == 0;
        match (works && is_clean, trailers.gaps.is_empty()) {
            (false, _) => Ending::Wanting,
            (true, false) => Ending::CantTell,
            (true, true) => Ending::Proven,
        }
    }

    /// The numbers for the trailers.
    pub fn trailers(&self) -> Trailers {
        let fates = |wanted| self.old_tests.values().filter(move |fate| **fate == wanted);
        Trailers {
            weakened: fates(Fate::Weakened).count(),
            removed: fates(Fate::Removed).count(),
            untested: self.untested().len(),
            unproven: self.unproven(),
            gaps: self.gaps(),
            harness_changed: self.harness_changed,
        }
    }

    /// Claims whose tests pass without their code.
    pub fn unproven(&self) -> BTreeSet<Whose> {
        let claims = self.claims.iter();
        let unproven = claims.filter(|(_, proof)| matches!(proof, Proof::Unproven(_)));
        unproven.map(|(whose, _)| *whose).collect()
    }

    /// Functions that no test needs.
    pub fn untested(&self) -> BTreeSet<Number> {
        let functions = self.functions.iter();
        let untested = functions.filter(|(_, need)| **need == Need::Untested);
        untested.map(|(number, _)| *number).collect()
    }

    fn has_unchecked(&self) -> bool {
        let mut needs = self.functions.values();
        needs.any(|need| matches!(need, Need::CalledNotChecked(_)))
    }

    /// Why something could not be told.
    fn gaps(&self) -> BTreeSet<Gap> {
        let whole = match &self.whole {
            Whole::Unknown(gap) => Some(*gap),
            Whole::Green | Whole::NotGreen(_) => None,
        };
        let claims = self.claims.values().filter_map(|proof| match proof {
            Proof::Unknown(gap) => Some(*gap),
            Proof::Proven { .. } | Proof::Unproven(_) | Proof::Nothing => None,
        });
        let tests = self.old_tests.values().filter_map(|fate| match fate {
            Fate::Unknown(gap) => Some(*gap),
            Fate::Moved(_)
            | Fate::Renamed
            | Fate::RemovedWithItsCode
            | Fate::Removed
            | Fate::Respecified
            | Fate::Kept
            | Fate::Weakened => None,
        });
        let functions = self.functions.values().filter_map(|need| match need {
            Need::Unknown(gap) => Some(*gap),
            Need::Needed(_) | Need::CalledNotChecked(_) | Need::Untested => None,
        });
        let unreadable = self.has_unreadable_source;
        let unreadable = unreadable.then_some(Gap::NoAnswer(NoAnswer::NotHollow));
        (whole.into_iter().chain(claims).chain(tests))
            .chain(functions)
            .chain(unreadable)
            .collect()
    }
}
