//! What the way out found, for commits, pull requests, evidence and programs.

use serde::Serialize;

/// What the way out found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Document {
    /// Whether the final tree works: `green`, `not_green`, `unknown`.
    pub(crate) whole: &'static str,
    /// Cycles whose tests fail without their source.
    pub(crate) proven: Vec<Cycle>,
    /// Cycles whose tests pass without it.
    pub(crate) unproven: Vec<Cycle>,
    /// Cycles of which nobody can tell.
    pub(crate) unknown: Vec<Cycle>,
    pub(crate) tests_weakened: Vec<String>,
    pub(crate) tests_removed: Vec<String>,
    pub(crate) tests_removed_with_their_code: Vec<String>,
    pub(crate) tests_respecified: Vec<String>,
    /// Old tests of which nobody can tell what became of them.
    pub(crate) tests_unknown: Vec<String>,
    /// Functions that a test needs, with the tests.
    pub(crate) needed: Vec<Place>,
    /// Functions that tests call and do not check, with the tests.
    pub(crate) called_not_checked: Vec<Place>,
    /// Functions that no test needs.
    pub(crate) untested: Vec<Place>,
    /// Functions of which nobody can tell.
    pub(crate) functions_unknown: Vec<Place>,
    /// What steers the tests changed.
    pub(crate) harness_changed: bool,
    /// Paths that came by baselines: listed, not asked.
    pub(crate) not_asked: Vec<String>,
    /// Why something could not be told.
    pub(crate) why_unknown: Vec<&'static str>,
    /// Why an experiment has no answer, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_answer: Option<String>,
    /// How many experiments were run for it.
    pub(crate) runs: usize,
}

/// A cycle and the tests that speak for or against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Cycle {
    pub(crate) cycle: u64,
    pub(crate) tests: Vec<String>,
}

/// A function and the tests that speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<String>,
}

impl Place {
    /// `path:line name`
    pub(crate) fn shown(&self) -> String {
        format!("{}:{} {}", self.path, self.line, self.name)
    }
}
