//! CTest: its text; its report is JUnit XML.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::aim::Aim;
use super::ask::{Asking, Way};
use super::command::{Found, Look, Sign};
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::junit::{Case, Dialect};
use super::formats::{self, text};
use super::formats::{junit, places};
use super::gtest;
use super::project::{Offer, Place};
use crate::rules::verdict::{Cause, Report, TestStatus};

pub(super) static RUNNER: Runner = Runner {
    programs: &["ctest"],
    subcommands: &[("ninja", "test")],
    sign,
    lists_only: &["-N", "--show-only"],
    ask,
    ours: &["--output-junit"],
    reports: &[("ctest-", &junit::XML)],
    read_text,
    telling: &[r"^Test project /|^No tests were found!!!$"],
    hides: &["GoogleTest"],
    settle: |report, sources| places::settle(report, sources, places::first_place),
    takes_aim: Found::is_by_name,
    filters: &["-R", "--tests-regex", "-I", "-L"],
    junit: &JUNIT,
    detect,
    known_by: "`cmake --build … --target test`, `make test` in a folder made by CMake",
    asked: "JUnit XML, by a `ctest` of ours on PATH",
    tried: Some("3.25"),
    ..Runner::named("CTest")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    if let Some(text) = place.read("CMakeLists.txt") {
        let text = text.to_lowercase();
        let tested = [
            "enable_testing",
            "include(ctest)",
            "add_test",
            "add_subdirectory(test",
        ];
        if tested.iter().any(|word| text.contains(word)) {
            out.push(Offer::by_default("c++", command(place), "CMakeLists.txt"));
        }
    }
}

/// Builds before it tests, or a changed source would be judged by its last build.
fn command(place: &Place<'_>) -> String {
    let known = [
        "build",
        "cmake-build-debug",
        "cmake-build-release",
        "_build",
        "out",
    ];
    let built = known
        .into_iter()
        .find(|dir| place.exists(&format!("{dir}/CMakeCache.txt")));
    let configure = if built.is_some() {
        ""
    } else {
        "cmake -S . -B build && "
    };
    let dir = built.unwrap_or("build");
    format!("{configure}cmake --build {dir} && ctest --test-dir {dir} --output-on-failure")
}

static JUNIT: Dialect = Dialect {
    is_case: |case, _| {
        !case.name.is_empty()
            && case.classname == case.name
            && ["run", "fail", "notrun", "disabled"].contains(&case.status.as_str())
    },
    wants_output: true,
    id: |ids, case, _| ids.joined([case.name.as_str()]),
    outcome: |case| (!case.failures.is_empty()).then(|| outcome(case)),
    // What a test printed says more.
    message: |case, failure| match outcome(case) {
        Outcome::Failed(_) => gtest::failure_in(&case.output)
            .or_else(|| told_by_runner(&case.output).map(|(_, words)| words))
            .unwrap_or(failure.words()),
        _ => failure.words(),
    },
    ..Dialect::KNOWN
};

fn outcome(case: &Case) -> Outcome {
    let message = case.failures.first();
    let message = message.map_or("", |failure| failure.message.as_str());
    if !message.is_empty() && !message.eq_ignore_ascii_case("failed") {
        return Outcome::Inconclusive;
    }
    match told_by_runner(&case.output) {
        Some((outcome, _)) => outcome,
        None => gtest::of_single_test_output(&case.output),
    }
}

/// How a test failed that is itself a run of other tests, by the text of their runner, and what that says of the
/// first failure.
fn told_by_runner(output: &str) -> Option<(Outcome, &str)> {
    let runners = formats::sniff_text(output).into_iter();
    let reports = runners.filter(|runner| **runner != gtest::RUNNER);
    let reports: Vec<_> = reports
        .filter_map(|runner| formats::read_text(runner, output))
        .collect();
    let failed = |report: &Report| -> Vec<(Outcome, String)> {
        let tests = report.tests.iter().filter_map(|test| match test.status {
            TestStatus::Failed(_) if test.inconclusive => Some((Outcome::Inconclusive, test)),
            TestStatus::Failed(cause) => Some((Outcome::Failed(cause), test)),
            _ => None,
        });
        let said = |message: &str| message.lines().next().unwrap_or_default().to_owned();
        tests
            .map(|(outcome, test)| (outcome, said(test.message)))
            .collect()
    };
    let failed: Vec<_> = reports.iter().flat_map(failed).collect();
    let said = failed.first().map(|(_, said)| said.clone())?;
    let outcome = failed
        .into_iter()
        .map(|(outcome, _)| outcome)
        .reduce(Outcome::stronger)?;
    let words = output.find(&said).and_then(|at| output.get(at..))?;
    Some((outcome, words.split("\n\n").next().unwrap_or(words)))
}

fn sign(look: &Look<'_>) -> Option<Sign> {
    let call = look.call;
    match call.name {
        "cmake" => {
            let target = call.option(&["--target", "-t"]);
            Sign::sure_if(
                target.is_some_and(|target| ["test", "check", "RUN_TESTS"].contains(&target)),
            )
        }
        "make" | "gmake" if call.has("test") => {
            let makefile = match call.option(&["-f", "--file", "--makefile"]) {
                Some(file) => (look.read)(file).unwrap_or_default(),
                None => look.first_file(&["GNUmakefile", "makefile", "Makefile"]),
            };
            Sign::sure_if(makefile.contains("# CMAKE generated file"))
        }
        _ => None,
    }
}

fn ask(asking: &Asking<'_>) -> Option<Way> {
    let shim = include_str!("reporters/shims/ctest");
    asking.found.is_by_name().then(|| {
        Way::default()
            .shim(asking.home, "shims/ctest", shim)
            .file_if("aim/titles", asking.aim.and_then(Aim::name_pattern))
    })
}

/// Reads CTest's text: a line for each test, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^ *\d+/\d+ Test +#\d+: (.+?) \.*\s*(Passed|\*\*\*Failed|\*\*\*Skipped|\*\*\*Not Run(?: \(Disabled\))?|\*\*\*Timeout|\*\*\*Exception: \S*|\*\*\*Exception|.*\*\*\*Exception:?.*|Subprocess .*) +[\d.]+ sec",
        )
    });
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^\d+% tests passed, (\d+) tests? failed out of (\d+)"));
    let no_tests = output.contains("No tests were found!!!");
    let began = output.lines().any(|line| line.starts_with("Test project "));
    if !began && !no_tests {
        return gtest::build_error(output);
    }
    let mut collector = Collector::default();
    let mut seen = text::Scan::default();
    for line in output.lines() {
        let Some(found) = TEST.captures(line) else {
            continue;
        };
        let outcome = match &found[2] {
            "Passed" => Outcome::Passed,
            "***Failed" => {
                seen.failed += 1;
                Outcome::Failed(Cause::Assertion)
            }
            "***Skipped" | "***Not Run (Disabled)" => Outcome::Skipped,
            _ => {
                seen.failed += 1;
                Outcome::Inconclusive
            }
        };
        collector.test(&found[1], None, outcome, "");
    }
    let counts = COUNTS.captures(output);
    if let Some(counts) = &counts
        && counts[1]
            .parse::<usize>()
            .is_ok_and(|failed| failed != seen.failed)
    {
        collector.miscounts("CTest");
    }
    collector.ended(counts.is_some() || no_tests);
    Some(collector.finish_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_printed_tells_how_it_failed() {
        let text = "[doctest] doctest version is \"2.4.9\"\n\
            ===============================================================================\n\
            c.cpp:7:\nTEST CASE:  adds up\n\nc.cpp:7: ERROR: test case THREW exception: no such\n\n\
            ===============================================================================\n\
            [doctest] test cases: 2 | 1 passed | 1 failed | 0 skipped\n";
        let words = "test case THREW exception: no such";
        let told = (Outcome::Failed(Cause::Error), words);
        assert_eq!(told_by_runner(text), Some(told));
        assert_eq!(told_by_runner("5 is not 6\n"), None);
    }
}
