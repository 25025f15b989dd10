//! What is known of a step.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Answer, TestId};
use crate::rules::{CycleKind, Phase, RedNeeds};

/// A tree and what the tests are asked about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Experiment {
    /// The suite on the worktree's tree.
    Whole,
    /// The awaited tests alone, on the worktree's tree.
    Awaited,
    /// The tests that the step touches, on the accepted source.
    TestsAlone,
    /// The tests that the step touches, on its source with hollow bodies. Of a stub, and without a
    /// grammar, the empty form is the worktree's tree.
    Hollow(Form),
    /// Tests whose result in the accepted tree is unknown, there.
    Before,
}

/// What stands in a hollow body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// An empty value, where the language has one.
    Empty,
    /// "Not implemented".
    NotImplemented,
}

/// What a step changes, by parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed {
    /// Tests, harness and test data.
    pub tests: TestsPart,
    /// Source.
    pub source: SourceKind,
    /// Everything else that a test may see.
    pub other: bool,
    /// Layout and comments.
    pub layout: bool,
    /// Prose.
    pub docs: bool,
}

impl Changed {
    /// Nothing at all.
    pub const NOTHING: Changed = Changed {
        tests: TestsPart::Same,
        source: SourceKind::Same,
        other: false,
        layout: false,
        docs: false,
    };

    /// Whether anything but prose changed.
    pub fn needs_judgement(&self) -> bool {
        self.tests != TestsPart::Same
            || self.source != SourceKind::Same
            || self.other
            || self.layout
    }
}

/// What a step does to the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestsPart {
    /// Nothing.
    Same,
    /// It changes, moves or removes some and adds none.
    Changed,
    /// It adds some.
    Added,
}

/// What a step does to the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// Nothing.
    Same,
    /// It only declares: types, constants, imports.
    Declares,
    /// It only adds what lets tests load.
    Stub,
    /// It adds or changes code of a language that can't be read: as a stub while the tests fail.
    NoGrammar,
    /// It adds or changes code.
    Code,
}

impl SourceKind {
    /// Whether its empty form is the source as it stands.
    pub fn is_its_own_hollow(self) -> bool {
        match self {
            SourceKind::Same | SourceKind::Declares | SourceKind::Stub | SourceKind::NoGrammar => {
                true
            }
            SourceKind::Code => false,
        }
    }
}

/// Everything that is known of a step so far.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The phase of the branch.
    pub phase: Phase,
    /// Whether the running cycle has a spec.
    pub cycle: CycleKind,
    /// What the step changes.
    pub changed: Changed,
    /// The tests that this cycle waits for.
    pub awaited: &'a BTreeSet<TestId>,
    /// Tests that already failed when the work began.
    pub known_failures: &'a BTreeSet<TestId>,
    /// Tests that fail in the accepted tree and passed in its fork.
    pub failing_since_fork: &'a BTreeSet<TestId>,
    /// The weakest cause that makes a red valid.
    pub red_needs: RedNeeds,
    /// Whether the test command can be aimed at some tests.
    pub can_aim: bool,
    /// The tests that the step touches name what only its own source declares: without it they
    /// hardly load.
    pub tests_name_what_is_new: bool,
    /// The suite costs little more than a start of the runner for some of its tests.
    pub suite_is_quick: bool,
    /// Tests of this round were committed before.
    pub tests_came_along: bool,
    /// The end of something: a person's run, the end of a turn, a squash. Prose is committed then.
    pub is_settling: bool,
    /// What was asked so far.
    pub answers: &'a BTreeMap<Experiment, Answer>,
}
