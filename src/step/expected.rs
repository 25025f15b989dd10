//! What a run should contain, by what is known of the accepted tree: a run that has less is not green.

use crate::branch::state::State;
use std::collections::BTreeSet;
use std::fs;

use crate::branch::state::TestResults;
use crate::languages::{Code, Unreadable};
use crate::message;
use crate::rules::Verdict;
use crate::step::moves::names;
use crate::test_run::jobs::Job;

/// How many names of tests that are missing are looked for in files.
const MOST: usize = 2_000;

impl State {
    /// Takes a run of all tests of a job at its word only as far as it has what it should have.
    pub(crate) fn as_expected(&self, mut results: TestResults, job: &Job) -> TestResults {
        let known = self.accepted_results().filter(|known| {
            let told = known.confirmed && !known.aside && !known.aimed;
            told && self.enabled && known.said_by(job)
        });
        let Some(known) = known else {
            return results;
        };
        let own = |ids: &[String]| ids.iter().any(|id| job.own_id(id).is_some());
        let had_report = known.unnamed_passed > 0 || own(&known.passed) || own(&known.failed);
        let says_something = matches!(results.verdict, Some(Verdict::Green | Verdict::Red));
        if had_report && says_something && !results.confirmed {
            results.verdict = Some(Verdict::Broken);
            results.confirmed = true;
            results.reason = message::outcome::no_report(&results.reason);
            return results;
        }
        name_passed(known, &mut results, job);
        if results.verdict == Some(Verdict::Green) {
            let missing = missing(known, &results, job);
            if let Some(first) = missing.first() {
                results.verdict = Some(Verdict::Broken);
                results.reason = message::outcome::not_run(first, missing.len() - 1);
                results.unknown.extend(missing);
            }
        }
        results
    }
}

/// A runner that names only what fails says by its count that what failed before passes now.
fn name_passed(known: &TestResults, results: &mut TestResults, job: &Job) {
    let more = results.unnamed_passed.saturating_sub(known.unnamed_passed);
    let told = [
        &results.failed,
        &results.skipped,
        &results.unknown,
        &results.passed,
    ];
    let told: BTreeSet<&String> = told.into_iter().flatten().collect();
    let failed = known.failed.iter().filter(|id| job.own_id(id).is_some());
    let now: Vec<String> = failed.filter(|id| !told.contains(id)).cloned().collect();
    if now.is_empty()
        || now.len() > more
        || !matches!(results.verdict, Some(Verdict::Green | Verdict::Red))
    {
        return;
    }
    let files = now
        .iter()
        .filter_map(|id| Some((id.clone(), known.files.get(id)?.clone())));
    results.files.extend(files);
    results.unnamed_passed -= now.len();
    results.passed.extend(now);
}

/// Tests that passed, that still stand in their file, and that the run does not have, under whatever name.
fn missing(known: &TestResults, results: &TestResults, job: &Job) -> Vec<String> {
    let lists = [
        &results.passed,
        &results.failed,
        &results.skipped,
        &results.unknown,
        &results.flaky,
    ];
    let present: BTreeSet<&String> = lists.into_iter().flatten().collect();
    let passed = known.passed.iter();
    let gone = passed.filter(|id| job.own_id(id).is_some() && !present.contains(id));
    let mut read: Option<(&str, Standing)> = None;
    let mut missing = Vec::new();
    for id in gone.take(MOST) {
        let file = known.files.get(id).map(String::as_str);
        let Some((file, own)) = file.and_then(|file| Some((file, job.own_file(file)?))) else {
            continue;
        };
        if read.as_ref().is_none_or(|(of, _)| *of != file) {
            let text = fs::read_to_string(job.dir.join(own)).unwrap_or_default();
            read = Some((file, Standing::of(file, text)));
        }
        let ran_as = |name: &str| {
            let is_it = |other: &&String| {
                names(other, name) && results.files.get(*other).is_none_or(|of| of == file)
            };
            present.iter().any(is_it)
        };
        let name = read.as_ref().and_then(|(_, tests)| tests.name_of(id));
        if name.is_some_and(|name| !ran_as(name)) {
            missing.push(id.clone());
        }
    }
    missing
}

/// The tests that stand in a file.
enum Standing {
    /// By name.
    Tests(Vec<String>),
    /// Its language has no grammar here.
    Lines(String),
}

impl Standing {
    fn of(file: &str, text: String) -> Standing {
        match Code::read(file.as_bytes(), text.as_bytes()) {
            Ok(code) => Standing::Tests(code.tests().into_iter().map(|test| test.name).collect()),
            Err(Unreadable::NoGrammar) => Standing::Lines(text),
            // What does not parse has no tests that could be missed.
            Err(_) => Standing::Tests(Vec::new()),
        }
    }

    /// The name under which a test stands there.
    fn name_of<'a>(&'a self, id: &'a str) -> Option<&'a str> {
        match self {
            Standing::Tests(tests) => {
                let found = tests.iter().find(|name| names(id, name));
                found.map(String::as_str)
            }
            Standing::Lines(text) => {
                let name = id.rsplit(" > ").next().unwrap_or(id);
                let is_comment = |line: &str| {
                    ["#", "//", "--", ";", "%", "/*", "*"]
                        .iter()
                        .any(|sign| line.starts_with(sign))
                };
                let mut lines = text.lines().map(str::trim_start);
                lines
                    .any(|line| !is_comment(line) && line.contains(name))
                    .then_some(name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::test_run::TestCommand;

    /// What is missing of tests that passed, where a file and a run are like this.
    fn missing_of(passed: &[&str], file: (&str, &str), ran: &[&str]) -> Vec<String> {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join(file.0), file.1).expect("a file");
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        let results = |ids: &[&str]| TestResults {
            passed: owned(ids),
            files: (ids.iter())
                .map(|id| ((*id).to_owned(), file.0.to_owned()))
                .collect(),
            ..TestResults::default()
        };
        let job = Job {
            command: TestCommand::Shell("x".into()),
            dir: PathBuf::from(dir.path()),
            timeout: Duration::ZERO,
            red_confirm: None,
            report: None,
            project: None,
            others: Vec::new(),
        };
        missing(&results(passed), &results(ran), &job)
    }

    #[test]
    fn a_test_that_still_stands_in_its_file_and_was_not_run_is_missing() {
        let js = "describe('total', () => {\n  it('adds up', () => {});\n  it('quits', () => {});\n});\n";
        let known = ["a.test.js > total > adds up", "a.test.js > total > gone"];
        for (ran, expected) in [
            (&["a.test.js > total > quits"][..], &known[..1]),
            // under another group
            (&["a.test.js > sums > adds up"][..], &[]),
        ] {
            assert_eq!(missing_of(&known, ("a.test.js", js), ran), expected);
        }
        let python = "def test_a():\n    pass\n# def test_b():\n#    pass\n";
        let known = ["test_x.py::test_a[1]", "test_x.py::test_b"];
        let file = ("test_x.py", python);
        assert_eq!(missing_of(&known, file, &[]), known[..1]);
        assert_eq!(missing_of(&known, file, &["test_x.py::test_a[2]"]), [""; 0]);
    }

    #[test]
    fn without_a_grammar_the_words_tell() {
        let elixir = "test \"adds up\" do\nend\n# test \"old\" do\n";
        let known = ["T > adds up", "T > old"];
        assert_eq!(missing_of(&known, ("t.exs", elixir), &[]), known[..1]);
    }
}
