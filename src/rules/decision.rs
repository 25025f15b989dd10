//! The three ways a step ends, and the reasons for them.

use std::collections::BTreeSet;

use super::answer::{NoAnswer, TestId};
use super::facts::Experiment;

/// What the rules say next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// One more experiment.
    Ask(Experiment),
    /// The failing tests of an experiment that passed in the accepted tree, once more.
    AskAgain(Experiment),
    /// Enough is known.
    Decide(Decision),
}

/// How a step ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is committed on the WIP branch; what is left of it is judged next.
    Commit(Commit),
    /// It stays in the worktree, uncommitted.
    Keep(Keep),
    /// It moves into recover.
    TakeBack(TakeBack),
    /// Nothing needs to be done.
    Nothing,
    /// Nothing changed, and these tests fail: they are awaited now.
    Await(BTreeSet<TestId>),
}

/// What is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// What kind of commit it is.
    pub label: Label,
    /// The experiment whose tree it is; the tests said of it what the label says.
    pub tree: Experiment,
    /// Where the phase goes.
    pub next: Move,
    /// The tests that are awaited from now on, where that changes.
    pub awaited: Option<BTreeSet<TestId>>,
}

/// The kind of a commit that the rules ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// Tests that fail as they should.
    Red,
    /// Tests that pass, or were taken out.
    Test,
    /// Awaited tests pass.
    Green {
        /// Others are still awaited.
        partial: bool,
    },
    /// Tests pass with what was only declared.
    Declared,
    /// Reshaped code, the same tests.
    Refactor,
    /// Neither source nor tests.
    Chore,
    /// Prose.
    Docs,
    /// Everything passes, in the discipline that asks no more.
    Tcr,
}

impl Label {
    /// The name in messages and trailers.
    pub fn name(self) -> &'static str {
        match self {
            Label::Red => "red",
            Label::Test => "test",
            Label::Green { .. } | Label::Declared => "green",
            Label::Refactor => "refactor",
            Label::Chore => "chore",
            Label::Docs => "docs",
            Label::Tcr => "tcr",
        }
    }
}

/// Where a phase goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Nowhere.
    Stay,
    /// To `green`: tests are awaited.
    ToGreen,
    /// To `red` of the next cycle.
    NextCycle,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Why it is not committed.
    pub why: KeepReason,
    /// Whether it wears on patience, if it changed what the accepted tree has.
    pub counted: bool,
}

/// Why work is kept without being committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeepReason {
    /// The tests can't load: the code or a stub for what they name may be written now.
    Unloadable,
    /// A test does not parse: it is fixed first.
    DoesNotParse,
    /// The tests pass even with hollow bodies, or without the source: none asks for it.
    Unproven,
    /// Source that came with its test, which passes without it.
    Unasked,
    /// Stubs without a failing test wait for it.
    StubsWait,
    /// Awaited tests still fail.
    RedStill,
    /// Tests that passed before do not any more.
    Lost,
    /// In `refactor` a test was removed.
    TestRemoved,
    /// Tests that the step does not touch die of errors.
    UnchangedDie,
    /// Tests fail, and none of them counts as a red.
    NoRed,
    /// Every test passes, and the command fails all the same.
    BeyondTests,
    /// Which tests fail can't be told.
    Unconfirmed,
    /// The run broke off.
    Broken,
    /// A test that the run should contain did not run.
    Unknown,
    /// An experiment has no answer.
    NoAnswer(NoAnswer),
    /// The tests only pass on a second run, each time another one.
    Flaky,
}

impl KeepReason {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            KeepReason::Unloadable => "unloadable",
            KeepReason::DoesNotParse => "does_not_parse",
            KeepReason::Unproven => "unproven",
            KeepReason::Unasked => "unproven",
            KeepReason::StubsWait => "stub",
            KeepReason::RedStill => "red_still",
            KeepReason::Lost => "lost",
            KeepReason::TestRemoved => "test_removed",
            KeepReason::UnchangedDie => "unchanged_die",
            KeepReason::NoRed => "no_red",
            KeepReason::BeyondTests => "beyond_tests",
            KeepReason::Unconfirmed => "unconfirmed",
            KeepReason::Broken => "broken",
            KeepReason::Unknown => "unknown",
            KeepReason::NoAnswer(why) => match why {
                NoAnswer::NoLab => "no_lab",
                NoAnswer::NoTime => "no_time",
                NoAnswer::Broken => "broken",
                NoAnswer::Void => "void",
                NoAnswer::NotHollow => "no_answer",
            },
            KeepReason::Flaky => "flaky",
        }
    }
}

/// What is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakeBack {
    /// Why.
    pub why: Why,
    /// Which parts of the step.
    pub scope: Scope,
}

/// Why work is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// It is frozen.
    Frozen,
    /// No failing test asks for it.
    Unasked,
    /// It was kept often enough.
    Patience,
}

impl Why {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Why::Frozen => "frozen",
            Why::Unasked => "unasked",
            Why::Patience => "patience",
        }
    }
}

/// Which parts of a step are taken back. Prose never is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The tests that the step brings.
    Tests,
    /// The source.
    Source,
    /// Everything but tests, harness, spec and prose.
    AllButTests,
    /// The step as one.
    Step,
}
