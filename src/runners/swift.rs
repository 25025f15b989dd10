//! `swift test`: the text of XCTest and of Swift Testing, which names all tests.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::{cause, text};
use super::project::Offer;
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("swift", "test")],
    lists_only: &["list", "--list-tests"],
    tells_unasked: true,
    read_text,
    telling: &[
        r"^Test Suite '.*' (?:started|passed|failed) at ",
        r"^[^\w\s] Test run (?:started\.|with \d+ tests? )",
    ],
    detect: |place, out| {
        if place.exists("Package.swift") {
            out.push(Offer::by_default("swift", "swift test", "Package.swift"));
        }
    },
    caches: &[".build"],
    asked: "not asked: its text names all tests; by its documentation, never tried",
    ..Runner::named("Swift")
};

/// A test that began, and what has been said of it.
#[derive(Default)]
struct Test {
    id: String,
    failure: Option<(Outcome, String)>,
    end: Option<Outcome>,
}

/// `Test Case 'CartTests.testAddsUp' failed (0.01 seconds)` on Linux, `-[Shop.CartTests testAddsUp]` on macOS,
/// and `✘ Test addsUp() failed after 0.001 seconds with 1 issue.`
fn read_text(output: &str) -> Option<Told> {
    static CASE: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^Test Case '(?:-\[(?:\w+\.)?)?([\w.]+?)[. ](\w+)\]?' (started|passed|failed|skipped)\b",
        )
    });
    static WRONG: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^(\S.*?):(\d+)(?::\d+)?: error: (?:-\[)?[\w.]+?[. ]\w+\]? : (.*)$")
    });
    static MODERN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r#"^[^\w\s] Test (?:case passing .* to )?("[^"]+"|\S+\([^)]*\)) (started|passed|failed|skipped|recorded an issue at (\S+?):(\d+):\d+: (.*))"#,
        )
    });
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^[^\w\s] Test run (?:(started)\.|with (\d+) tests? .*(?:passed|failed) after )",
        )
    });
    static BUILD: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(/\S.*?\.swift):(\d+):\d+: error: (.*)$"));
    static ALL: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^Test Suite '(?:All tests|Selected tests|debug\.xctest|\S+\.xctest)' (started|passed|failed) at ",
        )
    });
    let mut collector = Collector::default();
    let mut tests: Vec<Test> = Vec::new();
    let (mut begun, mut done) = (0, 0);
    for line in output.lines() {
        if let Some(found) = CASE.captures(line) {
            event(
                &mut tests,
                format!("{} > {}", &found[1], &found[2]),
                &found[3],
            );
        } else if let Some(found) = WRONG.captures(line) {
            let words = format!("{}\n    at {}:{}", &found[3], &found[1], &found[2]);
            fail(tests.last_mut(), of_words(&found[3]), words);
        } else if let Some(found) = MODERN.captures(line) {
            let id = found[1].trim_matches('"').to_owned();
            match found.get(5) {
                Some(issue) => {
                    let words = format!("{}\n    at {}:{}", issue.as_str(), &found[3], &found[4]);
                    let outcome = of_words(issue.as_str());
                    fail(tests.iter_mut().find(|test| test.id == id), outcome, words);
                }
                None => event(&mut tests, id, &found[2]),
            }
        } else if let Some(found) = RUN.captures(line) {
            match found.get(1) {
                Some(_) => begun += 1,
                None => done += 1,
            }
        }
    }
    for found in ALL.captures_iter(output) {
        match &found[1] {
            "started" => begun += 1,
            _ => done += 1,
        }
    }
    if begun == 0 {
        for found in BUILD.captures_iter(output) {
            collector.load_error(
                &found[1],
                &format!("{}:{}: {}", &found[1], &found[2], &found[3]),
            );
        }
        return collector.has_load_errors().then(|| collector.finish_text());
    }
    for test in tests {
        let (outcome, words) = match (test.end, test.failure) {
            (Some(Outcome::Failed(_)), Some((outcome, words))) => (outcome, words),
            (Some(outcome), _) => (outcome, String::new()),
            // A trap ends the process in the midst of a test.
            (None, _) => {
                collector.unfinished(test.id);
                continue;
            }
        };
        collector.test(&test.id, None, outcome, &words);
    }
    collector.ended(done >= begun);
    Some(collector.finish_text())
}

fn event(tests: &mut Vec<Test>, id: String, what: &str) {
    let end = match what {
        "started" => {
            return tests.push(Test {
                id,
                ..Test::default()
            });
        }
        "passed" => Outcome::Passed,
        "skipped" => Outcome::Skipped,
        _ => Outcome::Failed(Cause::Assertion),
    };
    match tests.iter_mut().rfind(|test| test.id == id) {
        Some(test) => test.end = Some(end),
        None => tests.push(Test {
            id,
            end: Some(end),
            failure: None,
        }),
    }
}

fn fail(test: Option<&mut Test>, outcome: Outcome, words: String) {
    if let Some(test) = test
        && test.failure.is_none()
    {
        test.failure = Some((outcome, words));
    }
}

/// Both libraries say of what was thrown that it was caught.
fn of_words(words: &str) -> Outcome {
    let is_thrown = words.starts_with("Caught error: ") || words.contains("threw error \"");
    match is_thrown {
        true if cause::is_stub("", words.trim_start_matches("Caught error: ")) => {
            Outcome::Failed(Cause::Stub)
        }
        true => Outcome::Failed(Cause::Error),
        false => Outcome::Failed(Cause::Assertion),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed, Skipped};

    const BOTH: &str = "Test Suite 'All tests' started at 2026-01-01 00:00:00.000
Test Suite 'CartTests' started at 2026-01-01 00:00:00.000
Test Case 'CartTests.testAddsUp' started at 2026-01-01 00:00:00.000
/p/Tests/CartTests.swift:8: error: CartTests.testAddsUp : XCTAssertEqual failed: (\"5\") is not equal to (\"6\") -
Test Case 'CartTests.testAddsUp' failed (0.001 seconds)
Test Case '-[ShopTests.CartTests testNothing]' started.
Test Case '-[ShopTests.CartTests testNothing]' passed (0.001 seconds).
Test Suite 'CartTests' failed at 2026-01-01 00:00:00.000
Test Suite 'All tests' failed at 2026-01-01 00:00:00.000
◇ Test run started.
◇ Test addsUp() started.
✘ Test addsUp() recorded an issue at CartTests.swift:9:5: Expectation failed: (total → 5) == 6
✘ Test addsUp() failed after 0.001 seconds with 1 issue.
◇ Test \"a label\" started.
✔ Test \"a label\" passed after 0.001 seconds.
◇ Test boom() started.
✘ Test boom() recorded an issue at CartTests.swift:12:5: Caught error: noDiscount
✘ Test boom() failed after 0.001 seconds with 1 issue.
➜ Test later() skipped.
✘ Test run with 4 tests failed after 0.002 seconds with 2 issues.
";

    #[test]
    fn both_libraries_are_read() {
        let report = read_text(BOTH).and_then(Told::alone).expect("its text");
        assert_eq!(
            report.tests.statuses(),
            [
                ("CartTests > testAddsUp", Failed(Cause::Assertion)),
                ("CartTests > testNothing", Passed),
                ("addsUp()", Failed(Cause::Assertion)),
                ("a label", Passed),
                ("boom()", Failed(Cause::Error)),
                ("later()", Skipped),
            ]
        );
        assert!(report.ended);
        let message = report.tests.get(0).expect("a test").message;
        assert!(
            message.contains("(\"5\") is not equal to (\"6\")"),
            "{message}"
        );
    }

    #[test]
    fn what_died_or_did_not_build_is_no_answer() {
        let died = "Test Suite 'All tests' started at 2026\nTest Case 'CartTests.testA' started at 2026\nFatal error\n";
        let report = read_text(died).and_then(Told::alone).expect("its text");
        assert_eq!((report.unfinished.len(), report.ended), (1, false));
        let build = "/p/Sources/Cart.swift:3:9: error: cannot find 'nope' in scope\n";
        let report = read_text(build).and_then(Told::alone).expect("its text");
        assert_eq!(report.load_errors[0].what, "/p/Sources/Cart.swift");
        assert!(read_text("hello\n").is_none());
    }
}
