//! What the tests and the lint command said, as the state keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::Counts;
use crate::rules::verdict::{Failure, Judgement, LoadError, Report};
use crate::rules::{Cause, TestStatus, Verdict};

/// The outcome of a test run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestResults {
    #[serde(default)]
    pub(crate) passed: Vec<String>,
    #[serde(default)]
    pub(crate) failed: Vec<String>,
    #[serde(default)]
    pub(crate) skipped: Vec<String>,
    /// How many more passed that the runner only counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) unnamed_passed: usize,
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
    /// Tests that the run should have contained, and that it did not come to or not to the end of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown: Vec<String>,
    /// The run was cut off: other tests may be unknown too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cut_off: bool,
    /// Every test passed, and the command failed by something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) beyond_tests: bool,
    /// What could not be loaded, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) load_errors: Vec<LoadError>,
    /// What is quoted of tests that failed, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) failures: BTreeMap<String, Failure>,
    /// The test that was running when the run was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) running_at_end: Option<String>,
    /// The run was limited to some tests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) aimed: bool,
    /// Of results put together from several runs: how long the suite took when it last ran whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) whole_ms: Option<u64>,
    /// The test command of each project that was run; of the repository as a whole under no name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) commands: BTreeMap<String, String>,
    /// Everything the run printed, for whoever keeps it.
    #[serde(skip)]
    pub(crate) printed: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Ids and files of a run as the repository knows them: a project's own begin with its name.
pub(crate) trait Names {
    /// A test.
    fn test(&self, id: &str) -> String;
    /// A file.
    fn file(&self, file: &str) -> String;
}

impl TestResults {
    /// How long the suite takes, as far as these results tell.
    pub(crate) fn suite_ms(&self) -> Option<u64> {
        match self.aimed {
            true => self.whole_ms,
            false => Some(self.duration_ms),
        }
    }

    /// The results that a report lists; when, on which tree and what was printed is for the caller to say.
    pub(crate) fn of_report(
        judgement: &Judgement,
        report: &Report,
        failures: BTreeMap<String, Failure>,
        names: &dyn Names,
    ) -> TestResults {
        let untold = report.unfinished.iter().chain(&report.unknown);
        let mut results = TestResults {
            verdict: Some(judgement.verdict),
            confirmed: judgement.confirmed,
            reason: judgement.reason.clone(),
            unknown: untold.map(|id| names.test(id)).collect(),
            cut_off: report.cut_off,
            unnamed_passed: report.unnamed_passed,
            beyond_tests: judgement.beyond_tests,
            load_errors: report
                .load_errors
                .iter()
                .map(|error| renamed(error, names))
                .collect(),
            failures: (failures.into_iter())
                .map(|(id, failure)| {
                    let file = failure.file.map(|file| names.file(&file));
                    (names.test(&id), Failure { file, ..failure })
                })
                .collect(),
            ..TestResults::default()
        };
        for test in report.tests.iter() {
            let id = names.test(test.id);
            if let Some(file) = test.file {
                results.files.insert(id.clone(), names.file(file));
            }
            match test.status {
                TestStatus::Passed => results.passed.push(id),
                TestStatus::Skipped => results.skipped.push(id),
                TestStatus::Failed(cause) => {
                    results.causes.insert(id.clone(), cause);
                    results.failed.push(id);
                }
            }
        }
        results.total = results.passed.len() + results.failed.len() + results.skipped.len();
        results
    }

    /// Adds what another run of the same tree tells beyond its lists of tests.
    pub(crate) fn add_details(&mut self, other: TestResults) {
        self.unknown.extend(other.unknown);
        self.cut_off |= other.cut_off;
        self.load_errors.extend(other.load_errors);
        self.failures.extend(other.failures);
        self.running_at_end = self.running_at_end.take().or(other.running_at_end);
        self.aimed |= other.aimed;
        self.commands.extend(other.commands);
        // Only if no test failed in any of them.
        self.beyond_tests = (self.beyond_tests || other.beyond_tests) && self.failed.is_empty();
    }
}

fn renamed(error: &LoadError, names: &dyn Names) -> LoadError {
    let file = |file: &String| names.file(file);
    LoadError {
        file: error.file.as_ref().map(file),
        does_not_parse: (error.does_not_parse.as_ref()).map(|(path, line)| (file(path), *line)),
        ..error.clone()
    }
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

impl TestResults {
    /// How many tests ended how.
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            passed: self.passed.len(),
            failed: self.failed.len(),
            skipped: self.skipped.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{TestCase, Tests};

    struct InProject;

    impl Names for InProject {
        fn test(&self, id: &str) -> String {
            format!("web > {id}")
        }

        fn file(&self, file: &str) -> String {
            format!("web/{file}")
        }
    }

    #[test]
    fn what_older_versions_wrote_is_read() {
        let old = r#"{"passed":["a"],"failed":[],"skipped":[],"causes":{},"total":1,"timestamp":"t",
            "duration_ms":1,"verdict":"green","tree":"x","output":""}"#;
        let read: TestResults = serde_json::from_str(old).expect("the old form");
        assert_eq!(read.passed, ["a"]);
        assert!(read.unknown.is_empty() && !read.beyond_tests && read.load_errors.is_empty());
        let again = serde_json::to_string(&read).expect("it is JSON");
        assert!(
            !again.contains("unknown") && !again.contains("aimed"),
            "{again}"
        );
    }

    #[test]
    fn a_report_is_named_as_the_repository_knows_it() {
        let test = |id, status| TestCase {
            id,
            file: Some("a.py"),
            status,
            inconclusive: false,
            message: "",
        };
        let failed = TestStatus::Failed(Cause::Error);
        let report = Report {
            tests: Tests::from_iter([test("a", TestStatus::Passed), test("b", failed)]),
            unfinished: vec!["c".into()],
            unknown: vec!["d".into()],
            cut_off: true,
            load_errors: vec![LoadError {
                file: Some("x.py".into()),
                does_not_parse: Some(("y.py".into(), 3)),
                ..LoadError::default()
            }],
            ..Report::default()
        };
        let judgement = Judgement {
            verdict: Verdict::Red,
            confirmed: true,
            reason: "why".into(),
            failing: vec!["b".into()],
            beyond_tests: false,
        };
        let failure = Failure {
            file: Some("a.py".into()),
            line: Some(7),
            message: "1 != 2".into(),
        };
        let failures = BTreeMap::from([("b".to_owned(), failure)]);
        let mut results = TestResults::of_report(&judgement, &report, failures, &InProject);
        assert_eq!(results.unknown, ["web > c", "web > d"]);
        assert_eq!((results.total, results.cut_off), (2, true));
        assert_eq!(
            results.failures["web > b"].file.as_deref(),
            Some("web/a.py")
        );
        let error = &results.load_errors[0];
        assert_eq!(error.file.as_deref(), Some("web/x.py"));
        assert_eq!(error.does_not_parse, Some(("web/y.py".to_owned(), 3)));
        let passing = TestResults {
            beyond_tests: true,
            unknown: vec!["e".into()],
            ..TestResults::default()
        };
        results.add_details(passing);
        assert_eq!(results.unknown.len(), 3);
        assert!(!results.beyond_tests);
    }
}
