//! A denial: what stands against a tool call, and the state it was decided on.

use std::path::{Path, PathBuf};

use crate::rules::shell_gate;
use crate::rules::write_gate::DenyReason;
use crate::rules::{Mode, PathClass, Phase};

/// What stands against a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Objection {
    /// A path may not be written.
    Write {
        path: PathBuf,
        shown: String,
        class: PathClass,
        reason: DenyReason,
        /// The way on that is more than the reason tells.
        way: Option<Way>,
    },
    /// A command may not be run.
    Command(shell_gate::DenyReason),
    /// A command could not be understood.
    Unparsed(String),
    /// A patch names no file that could be judged.
    UnreadablePatch,
}

impl Objection {
    /// The word used in JSON.
    pub(crate) fn cause(&self) -> &'static str {
        match self {
            Objection::Write { reason, .. } => match reason {
                DenyReason::Protected => "protected",
                DenyReason::SpecSettled { .. } => "spec_settled",
                DenyReason::PlanFirst => "plan_first",
                DenyReason::NoFailingTest { .. } => "no_failing_test",
                DenyReason::FailingTestElsewhere => "failing_test_elsewhere",
                DenyReason::TestsFrozen { .. } => "tests_frozen",
                DenyReason::OracleDrifted => "oracle_drifted",
                DenyReason::TestBugOpen => "test_bug_open",
            },
            Objection::Command(_) => "command",
            Objection::Unparsed(_) | Objection::UnreadablePatch => "unreadable",
        }
    }

    pub(crate) fn protected(path: &Path) -> Objection {
        Objection::Write {
            path: path.to_owned(),
            shown: path.display().to_string(),
            class: PathClass::Protected,
            reason: DenyReason::Protected,
            way: None,
        }
    }
}

/// An objection and the state it was decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) objection: Objection,
    pub(crate) phase: Phase,
    pub(crate) mode: Mode,
    pub(crate) branch: String,
    /// How a frozen file differs from what was certified.
    pub(crate) drift: Option<String>,
}

/// What leads on, where the reason alone does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    /// A test does not parse: it is mended first.
    MendTest { file: String, line: usize },
    /// Code that is there changes while all tests pass.
    Refactor,
    /// A test comes first.
    WriteTest(TestPlace),
    /// A test is awaited: it comes first.
    MakePass(String),
    /// These keys of a manifest steer the tests.
    Steers(Vec<String>),
}

/// Where a test is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TestPlace {
    /// In this file.
    File(String),
    /// In the source file itself.
    Inside(String),
    /// Nobody knows: the project has no tests yet, in a language without a custom.
    Anywhere,
}
