//! Whether a gate holds.

use serde::Serialize;

use crate::branch::state::TestResults;

/// The gate that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gate {
    /// The tests fail, validly.
    Red,
    /// The tests pass.
    Green,
    /// The same tests pass as before.
    Refactor,
}

/// The answer.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Checked {
    pub(crate) gate: Gate,
    /// Whether it holds; none if that can't be told.
    pub(crate) holds: Option<bool>,
    pub(crate) reason: String,
    pub(crate) test_results: TestResults,
}
