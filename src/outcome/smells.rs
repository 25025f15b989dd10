//! What was found in tests and changes.

use serde::Serialize;

use crate::rules::smell::{Rule, Severity};

/// One finding, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Smell {
    pub(crate) file: String,
    /// From 1; 0 for the file as a whole.
    pub(crate) line: usize,
    pub(crate) rule: Rule,
    pub(crate) severity: Severity,
    pub(crate) test: Option<String>,
    pub(crate) why: String,
    pub(crate) fix: &'static str,
    /// The commit that brought it, where the order of commits is the point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
}

/// All that was found.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Smells {
    pub(crate) findings: Vec<Smell>,
    /// How many files were looked at.
    pub(crate) files: usize,
    /// How many tests they hold.
    pub(crate) tests: usize,
    /// Findings that a comment with a reason allows.
    pub(crate) allowed: usize,
    /// What could not be looked at, and comments that do not count.
    pub(crate) notes: Vec<String>,
}

impl Smells {
    /// How many findings keep a step from being committed.
    pub(crate) fn blocking(&self) -> usize {
        let blocks = |smell: &&Smell| smell.severity == Severity::Block;
        self.findings.iter().filter(blocks).count()
    }
}
