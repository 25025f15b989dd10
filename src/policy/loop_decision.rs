//! What the loop can decide, and why.

use super::path_class::PathClass;
use super::phase::Phase;

/// What the loop is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopDecision {
    /// Commit the tested tree.
    Commit {
        /// What the commit is called.
        label: CommitLabel,
        /// Where the work stands then.
        next: NextPhase,
        /// What else has to be said.
        notes: Vec<Remark>,
    },
    /// Go back, keeping a snapshot.
    Revert {
        /// What is taken back.
        scope: RevertScope,
        /// Why.
        reason: RevertReason,
        /// Changed tests remain: the remaining tree is judged again.
        judge_rest: bool,
    },
    /// Touch nothing, commit nothing, say why.
    Keep {
        /// Why.
        reason: KeepReason,
    },
    /// Touch nothing but the record.
    Record {
        /// What would have been done. A commit here means that the tree is accepted.
        would: Option<Box<LoopDecision>>,
        /// Where the work stands then.
        next: NextPhase,
    },
    /// There is nothing to decide.
    Nothing,
}

/// What a commit of the loop is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommitLabel {
    /// Work that was there when TCR became active.
    Baseline,
    /// A person's own edits.
    ByHand,
    /// Tests that unlock nothing.
    Test,
    /// A valid red.
    Red,
    /// All tests of the red pass.
    Green,
    /// Some tests of the red pass.
    PartialGreen,
    /// The same tests pass.
    Refactor,
    /// Only `other` changed.
    Chore,
    /// A green of mode `tcr`.
    Tcr,
    /// Work carried over to a moved base.
    Sync,
    /// Work that was brought back.
    Recover,
}

impl CommitLabel {
    /// The name used in messages, trailers and JSON.
    pub fn name(self) -> &'static str {
        match self {
            CommitLabel::Baseline => "baseline",
            CommitLabel::ByHand => "by-hand",
            CommitLabel::Test => "test",
            CommitLabel::Red => "red",
            CommitLabel::Green => "green",
            CommitLabel::PartialGreen => "green (partial)",
            CommitLabel::Refactor => "refactor",
            CommitLabel::Chore => "chore",
            CommitLabel::Tcr => "tcr",
            CommitLabel::Sync => "sync",
            CommitLabel::Recover => "recover",
        }
    }
}

/// Where the work stands after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPhase {
    /// Where it stood.
    Stay,
    /// In another phase of the cycle; out of `refactor` into `green` a new cycle has begun.
    To(Phase),
    /// In `red`, in the next cycle.
    EndCycle,
}

/// What a message says beside the decision; the names are in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remark {
    /// New tests pass at once: they unlock nothing.
    PassedAtOnce,
    /// Tests were removed or switched off.
    TestsWeakened,
    /// Tests were changed where they should say the same as before.
    TestsChanged,
    /// The result rests on the exit status alone.
    Unconfirmed,
    /// Some tests pass only now and then.
    Flaky,
    /// Known failures pass now.
    KnownFailuresPass,
    /// Source was written before a failing test asked for it.
    SourceBeforeTest,
}

/// What a revert takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevertScope {
    /// Source and other; tests, harness, spec and docs stay.
    SourceAndOther,
    /// Everything that was judged.
    Everything,
}

impl RevertScope {
    /// Whether a changed path of this class is taken back. Of `Mixed` the source part is meant
    /// where tests stay. Docs are never reverted: no test run ever judged them.
    pub fn takes(self, class: PathClass) -> bool {
        match (self, class) {
            (_, PathClass::Protected | PathClass::Docs) => false,
            (_, PathClass::Source | PathClass::Mixed | PathClass::Other) => true,
            (scope, PathClass::Spec | PathClass::Harness | PathClass::Test) => {
                scope == RevertScope::Everything
            }
        }
    }
}

/// Why work is reverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevertReason {
    /// Tests that passed fail, are skipped or are gone.
    Regression,
    /// Source was written in `red`.
    SourceBeforeTest,
    /// With the stubs in place the new tests pass: they are implementations.
    StubPasses,
    /// Tests fail, and which ones can't be told, so what else changed may be the cause.
    Unattributed,
    /// No further test of the red passes.
    NoProgress,
    /// A test of the red was switched off or is gone rather than passing.
    TargetSilenced,
    /// Tests fail after a change that is to leave them as they were.
    Red,
    /// The tests can't run, and the config says to revert then.
    Broken,
}

impl RevertReason {
    /// The word used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RevertReason::Regression => "regression",
            RevertReason::SourceBeforeTest => "source_before_test",
            RevertReason::StubPasses => "stub_passes",
            RevertReason::Unattributed => "unattributed",
            RevertReason::NoProgress => "no_progress",
            RevertReason::TargetSilenced => "target_silenced",
            RevertReason::Red => "red",
            RevertReason::Broken => "broken",
        }
    }
}

/// Why work is kept without being committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeepReason {
    /// The tests can't run.
    Broken {
        /// New tests are there: usually a stub is missing.
        stub_missing: bool,
    },
    /// Stubs without a failing test: they go into the commit of the next red.
    StubsWait,
    /// It would be reverted, but only what always stays has changed.
    NothingToRevert(RevertReason),
    /// Mode `relaxed` reverts nothing.
    WouldRevert(RevertReason),
    /// The step is still open.
    StepOpen,
    /// It failed once and passed once.
    Flaky,
    /// It was restored and has not changed since.
    Held,
    /// Only the quick tests ran.
    FullRunNeeded,
    /// The validator has something against the source.
    ValidatorObjects,
    /// The lint command has findings.
    LintFindings,
    /// The lint command could not run.
    LintFailed,
    /// The lint command changed files, which were not tested like that.
    LintWrote,
    /// The step brings findings that block.
    Smells,
}
