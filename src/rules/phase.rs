//! The words the rules are written in: phase, mode, kind of cycle.

use serde::{Deserialize, Serialize};

/// Where the work stands in its cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A spec was started; its plan is being written.
    Plan,
    /// A failing test is being written. Also the state before any cycle began.
    Red,
    /// The code that makes the failing tests pass is being written.
    Green,
    /// The code is being reshaped while the tests stay green.
    Refactor,
    /// The spec cycle is over.
    Done,
}

/// How much of the enforcement is at work on a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Gate and loop.
    Both,
    /// The gate; the loop moves phases by results but commits and reverts nothing.
    Tdd,
    /// The loop only: green is committed, red is reverted, no failing test is asked for.
    Tcr,
    /// The gate, and a loop that never reverts.
    Relaxed,
    /// Denies and touches nothing; records what it would have done.
    Observe,
    /// Only protected paths are guarded.
    Off,
}

/// Whether the running cycle has a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CycleKind {
    /// Without a spec: phases move by results.
    Free,
    /// With a spec: phases move by declared gates only.
    Spec,
}

impl Phase {
    /// Every phase, for tables.
    pub const ALL: [Phase; 5] = [
        Phase::Plan,
        Phase::Red,
        Phase::Green,
        Phase::Refactor,
        Phase::Done,
    ];

    /// The name used in commands, refs, trailers and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Plan => "plan",
            Phase::Red => "red",
            Phase::Green => "green",
            Phase::Refactor => "refactor",
            Phase::Done => "done",
        }
    }
}

impl Mode {
    /// Every mode, for tables.
    #[cfg(test)]
    pub const ALL: [Mode; 6] = [
        Mode::Both,
        Mode::Tdd,
        Mode::Tcr,
        Mode::Relaxed,
        Mode::Observe,
        Mode::Off,
    ];

    /// The name used in commands, config and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Both => "both",
            Mode::Tdd => "tdd",
            Mode::Tcr => "tcr",
            Mode::Relaxed => "relaxed",
            Mode::Observe => "observe",
            Mode::Off => "off",
        }
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
