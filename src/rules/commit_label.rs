//! What the commits of a WIP branch are called.

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
