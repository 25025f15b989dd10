//! One line of the audit log: what happened to a branch.

use serde::{Deserialize, Serialize};

use crate::git::line_count::Lines;
use crate::rules::{Phase, Verdict};

/// What kind of thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKind {
    /// TCR became active on the branch.
    Activate,
    /// A commit on the WIP branch.
    Commit,
    /// Work was reverted.
    Revert,
    /// Paths that the phase does not allow were put back.
    Undo,
    /// Nothing was touched, the work is kept as it is.
    Keep,
    /// A result was recorded.
    Record,
    /// A declared change of phase.
    Phase,
    /// A longer step was declared.
    Step,
    /// A person allowed a path.
    Allow,
    /// A person switched TCR on, off, or to another mode.
    Switch,
    /// Reverted work was brought back.
    Restore,
    /// Staged content was put away before the index moved on.
    Save,
    /// The gate denied a tool call.
    Denied,
    /// Hooks had been disarmed.
    Disarmed,
    /// The work became commits of the base branch, or went back from there.
    Squash,
    /// Something that a later version records.
    #[serde(other)]
    Other,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) at: String,
    pub(crate) event: EventKind,
    /// The phase it happened in.
    pub(crate) phase: Phase,
    /// The phase after it.
    pub(crate) next_phase: Phase,
    pub(crate) cycle: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<Verdict>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recover: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tests: Option<Counts>,
    /// How many paths changed.
    #[serde(default)]
    pub(crate) files: usize,
    /// How many lines came and went with them, where that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Lines>,
    #[serde(default)]
    pub(crate) duration_ms: u64,
    /// In words.
    #[serde(default)]
    pub(crate) note: String,
    /// Why work was reverted or a call denied, as a word for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<String>,
    /// Where nothing was touched: what would have been done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) would: Option<Would>,
    /// Who did it: a client, or nothing for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
}

/// What the mode kept git tcr from doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Would {
    Commit,
    Revert,
    Keep,
    Deny,
    /// Something that a later version records.
    #[serde(other)]
    Other,
}

/// How many tests ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl EventKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            EventKind::Activate => "activate",
            EventKind::Commit => "commit",
            EventKind::Revert => "revert",
            EventKind::Undo => "undo",
            EventKind::Keep => "keep",
            EventKind::Record => "record",
            EventKind::Phase => "phase",
            EventKind::Step => "step",
            EventKind::Allow => "allow",
            EventKind::Switch => "switch",
            EventKind::Restore => "restore",
            EventKind::Save => "save",
            EventKind::Denied => "denied",
            EventKind::Disarmed => "disarmed",
            EventKind::Squash => "squash",
            EventKind::Other => "other",
        }
    }
}
