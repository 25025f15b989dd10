//! GoogleTest: its JSON, and its text, which CTest shows for single tests.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::aim::{Aim, Wanted};
use super::ask::{Join, Way};
use super::formats::Format;
use super::formats::collect::{Collector, MESSAGE_BYTES, Outcome, Told};
use super::formats::json::{Text, document};
use super::formats::junit::Dialect;
use super::formats::{ReadError, cause, text};
use super::formats::{junit, places};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    programs: &["gtest-parallel"],
    is_compiled: true,
    lists_only: &["--gtest_list_tests"],
    ask: |asking| {
        let value = format!("xml:{}/gtest/", asking.out);
        let way = Way::default().set("GTEST_OUTPUT", Join::Yield, value);
        Some(match asking.aim.and_then(filter) {
            Some(filter) => way.set("GTEST_FILTER", Join::Yield, filter),
            None => way,
        })
    },
    reports: &[("gtest", &junit::XML)],
    documents: &[&JSON],
    read_text,
    telling: &[r"^\[==========\] (?:Running )?\d+ tests? from "],
    settle: |report, sources| places::settle(report, sources, places::first_place),
    takes_aim: |_| true,
    junit: &JUNIT,
    known_by: "compiled programs that have `test` in their name",
    asked: "JUnit XML, by `GTEST_OUTPUT`",
    tried: Some("1.12"),
    ..Runner::named("GoogleTest")
};

static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "AllTests",
    id: |ids, case, _| ids.joined([case.classname.as_str(), &case.name]),
    // In a list of tests that were not asked to run.
    is_skipped: |case| case.status.is_empty() && case.failures.is_empty(),
    failure: |_, failure| of_failure(&failure.message),
    ..Dialect::KNOWN
};

/// What `--gtest_output=json` writes.
static JSON: Format = Format {
    keys: &["testsuites"],
    ..Format::of("GoogleTest JSON", |_, input| read(input))
};

/// The value of `GTEST_FILTER`; none if it can't be told.
fn filter(aim: &Aim<'_>) -> Option<String> {
    let name = |one: &Wanted| match (one.id.split_once(" > "), one.path.last()) {
        (Some((suite, name)), _) => Some(format!("{suite}.{name}")),
        (None, Some(suite)) if !one.name.is_empty() => {
            Some(format!("{suite}.{0}:*/{suite}.{0}/*", one.name))
        }
        _ => None,
    };
    let names: Option<Vec<String>> = aim.selection.tests.iter().map(name).collect();
    names.map(|names| names.join(":"))
}

/// Why a test failed, from one of its failures.
pub(super) fn of_failure(message: &str) -> Outcome {
    let Some(at) = message.find("C++ exception with description \"") else {
        return if message.contains("nknown C++ exception") || message.contains("SEH exception") {
            Outcome::Failed(Cause::Error)
        } else {
            Outcome::Failed(Cause::Assertion)
        };
    };
    if [
        "thrown in SetUp",
        "thrown in TearDown",
        "thrown in the test fixture's",
    ]
    .iter()
    .any(|place| message.contains(place))
    {
        return Outcome::Inconclusive;
    }
    let what = message.get(at..).and_then(|rest| rest.split('"').nth(1));
    if cause::is_stub("", what.unwrap_or_default()) {
        Outcome::Failed(Cause::Stub)
    } else {
        Outcome::Failed(Cause::Error)
    }
}

/// Why one test failed that was run on its own: by GoogleTest's lines if there are any, else by the exit
/// status of a program that said no.
pub(super) fn of_single_test_output(output: &str) -> Outcome {
    let began = output.lines().any(|line| line.starts_with("[ RUN      ] "));
    let failed = output.lines().any(|line| line.starts_with("[  FAILED  ] "));
    match (began, failed) {
        (true, true) => {
            let failure = output
                .split_once("[ RUN      ] ")
                .map_or(output, |(_, rest)| rest);
            of_failure(failure)
        }
        // It began and never came to its end.
        (true, false) => Outcome::Inconclusive,
        (false, _) => cause::of_text(text::last_line(output), Cause::Assertion),
    }
}

/// What GoogleTest printed of the failure of one test that was run on its own.
pub(super) fn failure_in(output: &str) -> Option<&str> {
    let (_, rest) = output.split_once("[ RUN      ] ")?;
    let (_, rest) = rest.split_once('\n')?;
    let (failure, _) = rest.split_once("[  FAILED  ] ")?;
    Some(failure)
}

#[derive(Deserialize)]
struct Document {
    testsuites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Suite {
    name: String,
    #[serde(default)]
    testsuite: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    status: String,
    #[serde(default)]
    result: String,
    #[serde(default)]
    failures: Vec<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    #[serde(default, alias = "message")]
    failure: Text,
}

/// Reads what `--gtest_output=json` writes.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let Some(document) = document::<Document>(input)? else {
        return Ok(Report::default());
    };
    let mut collector = Collector::default();
    for suite in document.testsuites {
        for test in suite.testsuite {
            let id = format!("{} > {}", suite.name, test.name);
            let outcome = match (test.status.as_str(), test.result.as_str()) {
                ("NOTRUN", _) | (_, "SKIPPED" | "SUPPRESSED") => Outcome::Skipped,
                _ => test
                    .failures
                    .iter()
                    .map(|failure| of_failure(&failure.failure.0))
                    .reduce(Outcome::stronger)
                    .unwrap_or(Outcome::Passed),
            };
            let message = test
                .failures
                .first()
                .map_or("", |failure| &failure.failure.0);
            collector.test(&id, test.file.as_deref(), outcome, message);
        }
    }
    collector.ended(true);
    Ok(collector.finish())
}

/// Reads the text of a test program.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^\[ (RUN     |      OK| FAILED | SKIPPED|DISABLED) \] ([^\s.]+)\.(\S+?)(?:, where .*?)?(?: \(\d+ ms\))?$",
        )
    });
    static SUITE_FAILED: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\[  FAILED  \] (\S+): (SetUpTest\w+ or TearDownTest\w+)$")
    });
    static RAN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\[==========\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\.")
    });
    let began = output
        .lines()
        .any(|line| line.starts_with("[==========] Running "));
    let counted: Option<usize> = RAN.captures(output).and_then(|found| found[1].parse().ok());
    // With `--gtest_brief` only what fails is told.
    let is_brief = !began && counted.is_some();
    if !began && !is_brief {
        return build_error(output);
    }
    let mut collector = Collector::default();
    let mut running: Option<(String, String)> = None;
    let mut seen = 0;
    for line in output.lines() {
        if is_brief && running.is_none() {
            running = Some((String::new(), String::new()));
        }
        if line.starts_with("[==========]") && line.contains(" ran. ") {
            break;
        }
        let Some(found) = TAG.captures(line) else {
            if let Some((_, printed)) = &mut running
                && printed.len() < MESSAGE_BYTES
            {
                printed.push_str(line);
                printed.push('\n');
            }
            continue;
        };
        let id = format!("{} > {}", &found[2], &found[3]);
        if found[1].trim() == "RUN" {
            if let Some((open, _)) = running.replace((id, String::new())) {
                collector.unfinished(open);
            }
            continue;
        }
        // A result of a test that is not running was printed by one that is.
        let ends = |(open, _): &mut (String, String)| is_brief || *open == id;
        let Some((_, printed)) = running.take_if(ends) else {
            continue;
        };
        let outcome = match found[1].trim() {
            "OK" => Outcome::Passed,
            "FAILED" => of_failure(&printed),
            _ => Outcome::Skipped,
        };
        seen += 1;
        collector.test(&id, None, outcome, &printed);
    }
    for found in SUITE_FAILED.captures_iter(output) {
        collector.load_error(&found[1], &found[2]);
    }
    if is_brief {
        collector.unnamed_passed(number_of(output, "[  PASSED  ] "));
        seen += number_of(output, "[  PASSED  ] ") + number_of(output, "[  SKIPPED ] ");
    } else if let Some((open, _)) = running {
        collector.unfinished(open);
    }
    if counted.is_some_and(|counted| counted != seen) {
        collector.miscounts("GoogleTest");
    }
    collector.ended(counted.is_some());
    Some(collector.finish_text())
}

/// The number behind a tag of the summary: `[  PASSED  ] 2 tests.`
fn number_of(output: &str, tag: &str) -> usize {
    let mut numbers = (output.lines()).filter_map(|line| {
        let (number, word) = line.strip_prefix(tag)?.split_once(' ')?;
        (word.starts_with("test")).then(|| number.parse().ok())?
    });
    numbers.next_back().unwrap_or(0)
}

/// What the compiler or linker said, if make, ninja or CMake stopped there.
pub(super) fn build_error(output: &str) -> Option<Told> {
    static STOPPED: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^(?:g?make(?:\[\d+\])?: \*\*\* .*Error \d+|ninja: build stopped|CMake Error|collect2: error: |.*: error: ld returned)",
        )
    });
    static ERROR: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^.*(?:: (?:fatal )?error: |undefined reference to |CMake Error).*$")
    });
    if !STOPPED.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    let line = ERROR
        .find(output)
        .or_else(|| STOPPED.find(output))?
        .as_str();
    collector.load_error("", line);
    Some(collector.finish_text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{Cause, TestStatus};

    fn told(output: &str) -> Report {
        let told = read_text(output).and_then(Told::alone);
        told.expect("its output")
    }

    #[test]
    fn a_brief_text_names_only_what_failed() {
        let failed = "a.cc:4: Failure\nExpected equality of these values:\n  1\n  2\n\
            [  FAILED  ] A.bad (0 ms)\na.cc:6: Skipped\nno\n\
            [==========] 4 tests from 1 test suite ran. (0 ms total)\n\
            [  PASSED  ] 2 tests.\n[  SKIPPED ] 1 test.\n";
        let report = told(failed);
        assert_eq!(report.contradiction, None);
        assert!(report.ended && report.unfinished.is_empty());
        assert_eq!((report.unnamed_passed, report.tests.len()), (2, 1));
        let test = report.tests.get(0).expect("a test");
        assert_eq!(test.id, "A > bad");
        assert_eq!(test.status, TestStatus::Failed(Cause::Assertion));
        let passed =
            "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n";
        assert_eq!(told(passed).ran(), 1);
        let nothing =
            "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n";
        assert_eq!(told(nothing).ran(), 0);
    }

    #[test]
    fn a_suite_whose_tear_down_fails_is_told_of() {
        let report = told(
            "[==========] Running 1 test from 1 test suite.\n[ RUN      ] S.s\n\
            [       OK ] S.s (0 ms)\n[==========] 1 test from 1 test suite ran. (0 ms total)\n\
            [  PASSED  ] 1 test.\n[  FAILED  ] 0 tests, listed below:\n\n 0 FAILED TESTS\n\
            [  FAILED  ] S: SetUpTestSuite or TearDownTestSuite\n\n 1 FAILED TEST SUITE\n",
        );
        assert_eq!(report.load_errors[0].what, "S");
    }
}
