//! What a test run said, in the terms the rules need.

use serde::{Deserialize, Serialize};

/// The judgement of one test run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything that counts passed, and at least one test ran.
    Green,
    /// Everything was built and collected, the run ended by itself, and a test failed for a reason that counts.
    Red,
    /// The run says nothing: it did not compile, load, collect, finish or run any test.
    Broken,
}

impl Verdict {
    /// Every verdict, for tables.
    #[cfg(test)]
    pub const ALL: [Verdict; 3] = [Verdict::Green, Verdict::Red, Verdict::Broken];

    /// The name used in JSON and notes.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Green => "green",
            Verdict::Red => "red",
            Verdict::Broken => "broken",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a test that ran did not pass. Ordered from the weakest evidence to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Anything else raised while the test ran, a missing function included.
    Error,
    /// "Not implemented", raised on purpose.
    Stub,
    /// An expectation of the test did not hold.
    Assertion,
}

/// The weakest cause that makes a red valid (`red_needs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RedNeeds {
    /// Any cause counts.
    Error,
    /// A stub or an assertion counts.
    Stub,
    /// Only an assertion counts.
    Assertion,
}

impl RedNeeds {
    /// Whether a failure of this cause makes a red valid.
    pub fn accepts(self, cause: Cause) -> bool {
        match self {
            RedNeeds::Error => true,
            RedNeeds::Stub => cause >= Cause::Stub,
            RedNeeds::Assertion => cause == Cause::Assertion,
        }
    }
}

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// It ran and its expectations held.
    Passed,
    /// It ran and did not pass.
    Failed(Cause),
    /// It was not run on purpose.
    Skipped,
}
