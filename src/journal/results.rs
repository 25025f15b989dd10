//! What the tests and the lint command said, as the state keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::policy::{Cause, Verdict};

/// The outcome of a test run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestResults {
    #[serde(default)]
    pub(crate) passed: Vec<String>,
    #[serde(default)]
    pub(crate) failed: Vec<String>,
    #[serde(default)]
    pub(crate) skipped: Vec<String>,
    #[serde(default)]
    pub(crate) causes: BTreeMap<String, Cause>,
    pub(crate) total: usize,
    pub(crate) timestamp: String,
    pub(crate) duration_ms: u64,
    pub(crate) verdict: Option<Verdict>,
    /// Whether a readable report, or `red_confirm`, stands behind the verdict.
    #[serde(default)]
    pub(crate) confirmed: bool,
    #[serde(default)]
    pub(crate) reason: String,
    pub(crate) tree: String,
    /// The end of what the run printed.
    #[serde(default)]
    pub(crate) output: String,
    /// The files of tests, where the runner tells.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, String>,
    /// Tests that failed once and passed on the same tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) flaky: Vec<String>,
    /// The same for the same failures.
    #[serde(default)]
    pub(crate) fingerprint: Option<String>,
    /// Whether the result came from the cache.
    #[serde(default)]
    pub(crate) cached: bool,
    /// It says nothing of the tree as a whole: an agent brought it, or it is of some tests only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) aside: bool,
}

/// What the lint command said about a tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LintResult {
    pub(crate) tree: String,
    /// The commands, as shown.
    pub(crate) command: String,
    pub(crate) clean: bool,
    /// Why it said nothing about the code, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
    /// Files that it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) wrote: Vec<String>,
    /// The beginning of what it printed, if it is not clean.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) output: String,
}

impl LintResult {
    /// Whether nothing stands against a commit.
    pub(crate) fn lets_pass(&self) -> bool {
        self.clean && self.failed.is_none() && self.wrote.is_empty()
    }
}
