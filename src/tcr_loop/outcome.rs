//! What the loop did, as data: the text and the JSON are both made from this.

use serde::Serialize;

use super::smells::Smell;
use crate::journal::state::{LintResult, TestResults};
use crate::policy::smell::Severity;
use crate::policy::{Mode, Phase, Verdict};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// TCR became active on the branch.
    Activate,
    /// A commit on the WIP branch.
    Commit,
    /// Work was taken back; it can be recovered.
    Revert,
    /// The work stays as it is, uncommitted.
    Keep,
    /// The result was recorded, nothing else.
    Record,
    /// There was nothing to do.
    None,
}

/// Everything a caller may want to know.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Outcome {
    pub(crate) action: Action,
    /// The phase the step was judged in.
    pub(crate) phase: Phase,
    /// The phase now.
    pub(crate) next_phase: Phase,
    pub(crate) cycle: u64,
    pub(crate) mode: Mode,
    pub(crate) verdict: Option<Verdict>,
    /// What kind of commit it is.
    pub(crate) label: Option<&'static str>,
    pub(crate) commit: Option<String>,
    /// The entry that holds what was taken back.
    pub(crate) recover: Option<u64>,
    /// Why, in words.
    pub(crate) reason: String,
    /// What else is worth knowing, a fact a line.
    pub(crate) remarks: Vec<String>,
    /// The next steps.
    pub(crate) hints: Vec<String>,
    pub(crate) base: String,
    pub(crate) branch: String,
    /// The paths that were committed, reverted or kept.
    pub(crate) files: Vec<String>,
    /// Paths that the phase does not allow, put back before the tests ran.
    pub(crate) undone: Vec<String>,
    /// The entry that holds them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) undone_recover: Option<u64>,
    /// Hooks that had been disarmed, each in words.
    pub(crate) put_back: Vec<String>,
    /// Paths that were edited meanwhile and left alone.
    pub(crate) edited_meanwhile: Vec<String>,
    /// New files that the test run left behind.
    pub(crate) leftovers: Vec<String>,
    /// In mode `observe` and its like: what would have been done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) would: Option<String>,
    pub(crate) test_results: Option<TestResults>,
    /// What the lint command said, if it had a say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lint: Option<LintResult>,
    /// New findings that the step brings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) smells: Vec<Smell>,
    /// What was done with the rest after a part was reverted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) then: Option<Box<Outcome>>,
}

impl Outcome {
    /// Takes in what was put back before the tests ran. Where nothing came after it, that is what
    /// was done.
    pub(super) fn with_undone(&mut self, undone: Vec<String>, recover: Option<u64>) {
        match self.action {
            Action::Record | Action::None if !undone.is_empty() => {
                self.action = Action::Revert;
                self.recover = recover;
                self.files.clone_from(&undone);
            }
            Action::Activate
            | Action::Commit
            | Action::Revert
            | Action::Keep
            | Action::Record
            | Action::None => self.undone_recover = recover,
        }
        self.undone = undone;
    }

    /// Whether this is the tool's "no".
    pub(crate) fn is_no(&self) -> bool {
        let this = match self.action {
            Action::Revert => true,
            Action::Keep => {
                self.is_held_back()
                    || (self.verdict != Some(Verdict::Green) && self.verdict.is_some())
            }
            // A red that was asked for is what the step was about.
            Action::Record if self.verdict == Some(Verdict::Broken) => true,
            Action::Commit | Action::Activate | Action::Record | Action::None => {
                !self.undone.is_empty()
            }
        };
        this || self.then.as_ref().is_some_and(|then| then.is_no())
    }

    /// Whether something other than the tests kept the work from being committed.
    fn is_held_back(&self) -> bool {
        let blocks = |smell: &Smell| smell.severity == Severity::Block;
        self.lint.as_ref().is_some_and(|lint| !lint.lets_pass()) || self.smells.iter().any(blocks)
    }

    /// Whether nothing could be decided.
    pub(crate) fn is_undecided(&self) -> bool {
        self.action == Action::Keep && self.verdict.is_none()
    }
}
