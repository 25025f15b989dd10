//! What a decision of the loop is made on.

use super::compare::Comparison;
use super::phase::{CycleKind, Mode, Phase};
use super::verdict::Verdict;
use super::write_gate::SourcePart;

/// Everything a decision of the loop depends on.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The mode of the branch.
    pub mode: Mode,
    /// The phase of the branch.
    pub phase: Phase,
    /// Whether the running cycle has a spec.
    pub cycle: CycleKind,
    /// Whether spec and tests are certified and frozen.
    pub oracle_frozen: bool,
    /// What the run said.
    pub verdict: Verdict,
    /// Whether the verdict rests on more than the exit status.
    pub confirmed: bool,
    /// False for results an agent brought from elsewhere.
    pub trusted: bool,
    /// The result is of `quick_test`: it can revert early, nothing else.
    pub quick: bool,
    /// Tests that seemed to regress passed when they were run once more.
    pub flaky: bool,
    /// What the step changed since the last accepted tree.
    pub changed: ChangedClasses,
    /// The run beside the last accepted one.
    pub comparison: &'a Comparison,
    /// The tests that failed at the red commit.
    pub targets: Targets,
    /// `on_broken` of the config.
    pub on_broken: OnBroken,
    /// `revert_at` of the config.
    pub revert_at: RevertAt,
    /// A step was declared, and this judgement does not end it.
    pub step_open: bool,
    /// This judgement is asked for by `git tcr run` or comes at the end of a turn.
    pub ends_step: bool,
    /// `freeze_tests` of the config.
    pub freeze_tests: bool,
    /// The tree was restored by a person and has not changed since: it is not reverted again.
    pub held: bool,
    /// The branch has just become active.
    pub first_round: bool,
}

/// Which classes of paths a step changed, after what is forbidden was undone. A path that a person
/// waived counts as `other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedClasses {
    /// Test files, or the test part of a file that holds both.
    pub tests: bool,
    /// The harness.
    pub harness: bool,
    /// Source files, or the source part of a file that holds both.
    pub source: SourcePart,
    /// `other`, and protected or spec files that were left alone.
    pub other: bool,
    /// Docs.
    pub docs: bool,
}

impl ChangedClasses {
    /// Nothing was changed.
    pub const NOTHING: ChangedClasses = ChangedClasses {
        tests: false,
        harness: false,
        source: SourcePart::Same,
        other: false,
        docs: false,
    };

    pub(super) fn needs_judgement(self) -> bool {
        self.stays_after_revert() || self.can_be_reverted()
    }

    pub(super) fn stays_after_revert(self) -> bool {
        self.tests || self.harness
    }

    pub(super) fn can_be_reverted(self) -> bool {
        self.source != SourcePart::Same || self.other
    }

    pub(super) fn only_other(self) -> bool {
        self.other && !self.stays_after_revert() && self.source == SourcePart::Same
    }
}

/// How far the tests that failed at the red commit have come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Targets {
    /// Those that did not pass at the last accepted result.
    pub left_before: usize,
    /// Those that do not pass now; skipped and vanished ones do not pass.
    pub left: usize,
}

/// `on_broken`: what happens to work with which the tests can't even run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBroken {
    /// It stays, uncommitted.
    Keep,
    /// It is reverted.
    Revert,
}

/// `revert_at`: when a red without a regression is reverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevertAt {
    /// After each tool call.
    Edit,
    /// When the step ends.
    Step,
}
