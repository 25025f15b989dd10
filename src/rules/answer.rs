//! What an experiment said, test by test.

use std::collections::BTreeMap;

use crate::rules::Cause;

/// The name of a test: file or suite, and name.
pub type TestId = String;

/// The answer to one experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the run as a whole said.
    pub said: Said,
    /// The tests that the run had, and those it was cut off from.
    pub tests: BTreeMap<TestId, TestFact>,
    /// Tests that passed in the accepted tree, should have been in the run, and were not.
    pub gone: BTreeMap<TestId, Gone>,
    /// Whether failing tests that had passed before got their second run.
    pub ran_again: bool,
}

impl Answer {
    /// An answer that says nothing.
    pub fn nothing(why: NoAnswer) -> Answer {
        Answer {
            said: Said::Nothing(why),
            tests: BTreeMap::new(),
            gone: BTreeMap::new(),
            ran_again: false,
        }
    }
}

/// What a run as a whole said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Everything was built and collected, and the run ended.
    Tests {
        /// The command failed although every test passed.
        beyond_tests: bool,
        /// More than the exit status speaks for it.
        confirmed: bool,
        /// Tests failed, and which ones can't be told.
        fails_unnamed: bool,
    },
    /// Tests could not be built or loaded.
    Unloadable {
        /// Whether they parse: one that does not is fixed first.
        parses: bool,
        /// A package from outside the project is missing: the environment may be the cause.
        missing_package: bool,
    },
    /// Nothing.
    Nothing(NoAnswer),
}

/// Why an experiment has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoAnswer {
    /// There is no place to run it in.
    NoLab,
    /// It would not have ended in time.
    NoTime,
    /// The run broke off, for a reason that is not the tests'.
    Broken,
    /// Somebody changed files while it ran.
    Void,
    /// The source could not be made hollow.
    NotHollow,
}

/// One test in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestFact {
    /// How it ended.
    pub outcome: Outcome,
    /// How it stood in the accepted tree.
    pub before: Before,
    /// Whether the step adds or changes it: its body, parameters or data.
    pub touched: bool,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its expectations held.
    Passed,
    /// It failed once and passed when it was run again.
    Flaky,
    /// It failed.
    Failed(Cause),
    /// It was left out on purpose.
    Skipped,
    /// It was not run.
    Unknown,
    /// It was running when time was up.
    Hung,
}

/// How a test stood in the accepted tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was skipped.
    Skipped,
    /// It did not exist.
    Absent,
    /// Nobody ran it.
    Unknown,
}

/// A test that is not there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// Its code is as it was, and the run did not have it.
    Missing,
    /// The step took it out.
    Removed,
    /// The same test stands elsewhere or under another name, and ran there.
    Moved,
}
