//! Which tests name which scenario, and tests that can't tell a right program from a wrong one.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::scenarios::{Scenario, plain_slug, slug};
use crate::rules::verdict::{Cause, RedNeeds};

/// A file with tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    /// The path from the root.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// What a run said about the tests, as far as the freeze needs it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunTests {
    /// The tests that failed, with their causes.
    pub failed: BTreeMap<String, Cause>,
    /// The tests that passed.
    pub passed: BTreeSet<String>,
    /// The tests that were skipped.
    pub skipped: BTreeSet<String>,
    /// The files of tests, where the runner tells.
    pub files: BTreeMap<String, String>,
}

/// A scenario and the tests that name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// The scenario's title.
    pub scenario: String,
    /// The tests.
    pub tests: Vec<String>,
}

/// The failing tests that name each scenario, by their own name or by a comment in their file.
pub fn coverage(scenarios: &[Scenario], run: &RunTests, files: &[TestFile]) -> Vec<Covered> {
    let titles: Vec<Title> = scenarios.iter().map(|s| Title::new(&s.title)).collect();
    let mut table: Vec<BTreeSet<String>> = vec![BTreeSet::new(); titles.len()];
    let mut enter = |text: &str, test: &str| {
        for at in named_in(&titles, text) {
            if let Some(tests) = table.get_mut(at) {
                tests.insert(test.to_owned());
            }
        }
    };
    for test in run.failed.keys() {
        enter(test, test);
    }
    for file in files {
        let tests = tests_of(file, run);
        for (line, text) in file.text.lines().enumerate() {
            if is_comment(text)
                && let Some(test) = test_after(&tests, line)
            {
                enter(text, test);
            }
        }
    }
    scenarios
        .iter()
        .zip(table)
        .map(|(scenario, tests)| Covered {
            scenario: scenario.title.clone(),
            tests: tests.into_iter().collect(),
        })
        .collect()
}

/// A scenario's title as it may stand in a name.
struct Title {
    slug: String,
    plain: String,
}

impl Title {
    fn new(title: &str) -> Title {
        Title {
            slug: format!("_{}_", slug(title)),
            plain: format!("_{}_", plain_slug(title)),
        }
    }
}

/// The scenarios that a text names. One whose title is part of another's that is named too does
/// not count: `login fails` is not about `login`.
fn named_in(titles: &[Title], text: &str) -> Vec<usize> {
    let (slug, plain) = (
        format!("_{}_", slug(text)),
        format!("_{}_", plain_slug(text)),
    );
    let named: Vec<(usize, &Title)> = titles
        .iter()
        .enumerate()
        .filter(|(_, title)| slug.contains(&title.slug) || plain.contains(&title.plain))
        .collect();
    let is_part = |one: &Title| {
        named.iter().any(|(_, other)| {
            other.plain.len() > one.plain.len() && other.plain.contains(&one.plain)
        })
    };
    named
        .iter()
        .filter(|(_, title)| !is_part(title))
        .map(|(at, _)| *at)
        .collect()
}

/// The failing tests of a file, with the lines they begin in where their names are found there.
fn tests_of<'r>(file: &TestFile, run: &'r RunTests) -> Vec<(usize, &'r str)> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut tests: Vec<(usize, &str)> = run
        .failed
        .keys()
        .filter(|test| is_in(test, file, run))
        .map(|test| {
            let name = own_name(test);
            let found = lines
                .iter()
                .position(|line| !is_comment(line) && !name.is_empty() && line.contains(name));
            // A file that is one test by itself begins with it.
            (found.unwrap_or(0), test.as_str())
        })
        .collect();
    tests.sort_unstable();
    tests
}

fn is_in(test: &str, file: &TestFile, run: &RunTests) -> bool {
    match run.files.get(test) {
        Some(path) => *path == file.path,
        None => {
            let stem = file
                .path
                .rsplit_once('.')
                .map_or(&*file.path, |(stem, _)| stem);
            test.contains(&file.path) || test.replace("::", "/").replace('.', "/").starts_with(stem)
        }
    }
}

/// A comment belongs to the first test after it, or to the one it stands in.
fn test_after<'r>(tests: &[(usize, &'r str)], line: usize) -> Option<&'r str> {
    let after = tests.iter().find(|(at, _)| *at >= line);
    let around = tests.iter().rev().find(|(at, _)| *at < line);
    // Inside a test's body the test itself is nearer than the next one.
    match (around, after) {
        (Some((_, around)), None) => Some(around),
        (_, Some((_, after))) => Some(after),
        (None, None) => None,
    }
}

/// The last part of a test's identity, without parameters.
fn own_name(test: &str) -> &str {
    let test = test.split('[').next().unwrap_or(test);
    let last = test.rsplit("::").next().unwrap_or(test);
    let last = last.rsplit(" > ").next().unwrap_or(last);
    last.trim().trim_end_matches("()")
}

fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    [
        "#", "//", "/*", "*", "--", ";", "%", "\"\"\"", "'''", "<!--",
    ]
    .iter()
    .any(|mark| text.starts_with(mark))
}

/// A test that proves nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfit {
    /// The test, or the file.
    pub test: String,
    /// Why.
    pub why: UnfitReason,
}

/// Why a test can't be frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnfitReason {
    /// It passes before there is any code.
    PassesAlready,
    /// It is skipped.
    Skipped,
    /// It fails for a reason that does not count.
    WrongCause,
    /// It asserts nothing.
    NoAssertion,
}

/// The tests that must not be frozen: of those that are new since `before`, all that do not fail
/// for a reason that counts, and those without any assertion.
pub fn unfit(
    run: &RunTests,
    before: &BTreeSet<String>,
    known_failures: &BTreeSet<String>,
    needs: RedNeeds,
    files: &[TestFile],
) -> Vec<Unfit> {
    let is_new = |test: &&String| !before.contains(*test);
    let named = |test: &String, why| Unfit {
        test: test.clone(),
        why,
    };
    let mut found: Vec<Unfit> = Vec::new();
    let passing = run.passed.iter().filter(is_new);
    found.extend(passing.map(|test| named(test, UnfitReason::PassesAlready)));
    let skipped = run.skipped.iter().filter(is_new);
    found.extend(skipped.map(|test| named(test, UnfitReason::Skipped)));
    for (test, cause) in &run.failed {
        if known_failures.contains(test) {
            continue;
        }
        if !needs.accepts(*cause) {
            found.push(named(test, UnfitReason::WrongCause));
        } else if *cause != Cause::Assertion && asserts_nothing(test, run, files) {
            found.push(named(test, UnfitReason::NoAssertion));
        }
    }
    found
}

/// Whether the body of a test is found and has nothing in it that looks like an assertion.
fn asserts_nothing(test: &str, run: &RunTests, files: &[TestFile]) -> bool {
    let Some(file) = files.iter().find(|file| is_in(test, file, run)) else {
        return false;
    };
    let tests = tests_of(file, run);
    let Some((from, _)) = tests.iter().find(|(_, other)| *other == test) else {
        return false;
    };
    let next = tests.iter().map(|(at, _)| *at).find(|at| at > from);
    let to = next.unwrap_or(usize::MAX);
    let body = file.text.lines().skip(*from).take(to.saturating_sub(*from));
    !body.filter(|line| !is_comment(line)).any(|line| {
        ASSERTIONS
            .iter()
            .any(|word| line.to_lowercase().contains(word))
    })
}

const ASSERTIONS: &[&str] = &[
    "assert", "expect", "should", "must", "require", "verify", "check", "t.error", "t.fatal",
    "t.fail", "raises", "throws", "is(", "ok(", "equal", "test ", "[ ", "[[ ", "fail", "panic",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(title: &str) -> Scenario {
        Scenario {
            title: title.into(),
            requirement: None,
            line: 1,
            steps: Vec::new(),
        }
    }

    fn failing(tests: &[(&str, Option<&str>)]) -> RunTests {
        let mut run = RunTests::default();
        for (test, file) in tests {
            run.failed.insert((*test).into(), Cause::Assertion);
            if let Some(file) = file {
                run.files.insert((*test).into(), (*file).into());
            }
        }
        run
    }

    fn table(titles: &[&str], run: &RunTests, files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let scenarios: Vec<Scenario> = titles.iter().map(|title| scenario(title)).collect();
        let files: Vec<TestFile> = files
            .iter()
            .map(|(path, text)| TestFile {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        let table = coverage(&scenarios, run, &files);
        table.into_iter().map(|covered| covered.tests).collect()
    }

    #[test]
    fn a_name_may_be_written_in_any_way() {
        for test in [
            "tests/test_a.py::test_user_logs_in",
            "LoginTest.testUserLogsIn",
            "login › User logs in",
            "tests/user-logs-in.t",
            "a::USER_LOGS_IN",
        ] {
            let run = failing(&[(test, None)]);
            assert_eq!(table(&["User logs in"], &run, &[]), [[test]], "{test}");
        }
        let run = failing(&[
            ("test_openid_login", None),
            ("test_user_logs_into_it", None),
        ]);
        assert_eq!(table(&["OpenID login"], &run, &[]), [["test_openid_login"]]);
        assert_eq!(table(&["User logs in"], &run, &[]), [[""; 0]]);
    }

    #[test]
    fn a_longer_title_is_not_about_the_shorter_one() {
        let run = failing(&[("test_login_fails", None)]);
        let found = table(&["Login", "Login fails"], &run, &[]);
        assert_eq!(found, [vec![], vec!["test_login_fails".to_owned()]]);
    }

    #[test]
    fn a_comment_names_the_test_below_it() {
        let text = "# Scenario: Login\ndef test_a():\n    pass\n\n# login fails\ndef test_b():\n    pass\n";
        let run = failing(&[
            ("tests/test_x.py::test_a", Some("tests/test_x.py")),
            ("tests/test_x.py::test_b", Some("tests/test_x.py")),
        ]);
        let found = table(
            &["Login", "Login fails"],
            &run,
            &[("tests/test_x.py", text)],
        );
        assert_eq!(
            found,
            [["tests/test_x.py::test_a"], ["tests/test_x.py::test_b"]]
        );
    }

    #[test]
    fn a_comment_without_a_failing_test_names_nothing() {
        let run = failing(&[("tests/test_y.py::test_a", Some("tests/test_y.py"))]);
        let file = ("tests/test_x.py", "# Login\n");
        assert_eq!(table(&["Login"], &run, &[file]), [[""; 0]]);
        let mut passing = RunTests::default();
        passing.passed.insert("test_login".into());
        assert_eq!(table(&["Login"], &passing, &[]), [[""; 0]]);
        let code = ("tests/test_y.py", "x = 'Login'\ndef test_a():\n    pass\n");
        assert_eq!(table(&["Login"], &run, &[code]), [[""; 0]], "no comment");
    }

    #[test]
    fn what_proves_nothing_is_named() {
        let mut run = failing(&[
            ("t::asserts", Some("t.py")),
            ("t::old_failure", Some("t.py")),
        ]);
        run.failed.insert("t::stubbed".into(), Cause::Stub);
        run.failed.insert("t::empty".into(), Cause::Error);
        run.files.insert("t::empty".into(), "t.py".into());
        run.passed.extend(["t::old".into(), "t::passes".into()]);
        run.skipped.insert("t::skipped".into());
        let before = BTreeSet::from(["t::old".to_owned(), "t::old_failure".to_owned()]);
        let known = BTreeSet::from(["t::old_failure".to_owned()]);
        let files = [TestFile {
            path: "t.py".into(),
            text: "def asserts():\n    assert x\n\ndef empty():\n    go()\n\ndef old_failure():\n    assert y\n"
                .into(),
        }];
        let found = |needs| -> Vec<(String, UnfitReason)> {
            unfit(&run, &before, &known, needs, &files)
                .into_iter()
                .map(|unfit| (unfit.test, unfit.why))
                .collect()
        };
        let same = [
            ("t::passes".to_owned(), UnfitReason::PassesAlready),
            ("t::skipped".to_owned(), UnfitReason::Skipped),
        ];
        let mut strict = same.to_vec();
        strict.push(("t::empty".into(), UnfitReason::WrongCause));
        strict.push(("t::stubbed".into(), UnfitReason::WrongCause));
        assert_eq!(found(RedNeeds::Assertion), strict);
        let mut lenient = same.to_vec();
        lenient.push(("t::empty".into(), UnfitReason::NoAssertion));
        assert_eq!(found(RedNeeds::Error), lenient);
    }
}
