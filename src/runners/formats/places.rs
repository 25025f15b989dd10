//! Failures of set-ups and tear-downs that a runner reports like those of tests. It names their place, and the
//! source tells what stands there.

use std::sync::LazyLock;

use regex::Regex;

use super::super::Sources;
use super::text;
use crate::languages::Language;
use crate::rules::verdict::Report;
use crate::rules::verdict::{Cause, TestStatus};

/// Finds the place of a failure in its message: a file and a line.
pub(crate) type Place = fn(&str) -> Option<(&str, usize)>;

/// Settles which failures of a runner's report are of what stands before and after each test.
pub(crate) fn settle(report: &mut Report, sources: &Sources<'_>, place: Place) {
    let failed = (report.tests.iter().enumerate())
        .filter(|(_, test)| matches!(test.status, TestStatus::Failed(_)) && !test.inconclusive);
    let of_fixture: Vec<usize> = failed
        .filter(|(_, test)| {
            let class = test.id.split([' ', '.']).next().unwrap_or_default();
            place(test.message).is_some_and(|(file, line)| is_fixture(file, line, class, sources))
        })
        .map(|(at, _)| at)
        .collect();
    for at in of_fixture {
        let status = TestStatus::Failed(Cause::Error);
        report.tests.set_outcome(at, status, true);
    }
}

fn is_fixture(file: &str, line: usize, class: &str, sources: &Sources<'_>) -> bool {
    let Some(language) = Language::of_path(file.as_bytes()) else {
        return false;
    };
    (sources.text)(file).is_some_and(|text| language.is_in_fixture(&text, line, class))
}

/// `at a.test.js:2:30`, or `at connect (file:///project/a.test.js:2:30)`, the last one of a stack that is not
/// of a library.
pub(crate) fn outermost_frame(message: &str) -> Option<(&str, usize)> {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^\s+at (?:async )?(?:.*\()?(?:file://)?([^()]+?):(\d+):\d+\)?$")
    });
    let is_own = |(file, _): &(&str, usize)| {
        !file.contains("://") && !file.starts_with("ext:") && !file.contains("node_modules/")
    };
    let mut frames = (message.lines().rev()).filter_map(|line| found(&FRAME, line));
    frames.find(is_own)
}

/// `a_test.cc:5`, or `a_test.cc:5: Failure`, of the first failure of a test. Where it is one of a function
/// that fixtures and tests share, nothing tells who called it.
pub(crate) fn first_place(message: &str) -> Option<(&str, usize)> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(\S.*?):(\d+)(?:: Failure)?$"));
    message.lines().find_map(|line| found(&PLACE, line))
}

/// `[test/a_test.rb:4]`, behind a failed assertion.
pub(crate) fn last_place(message: &str) -> Option<(&str, usize)> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^\[(\S.*):(\d+)\]$"));
    found(&PLACE, message.lines().next_back()?)
}

fn found<'a>(pattern: &Regex, line: &'a str) -> Option<(&'a str, usize)> {
    let found = pattern.captures(line)?;
    let line = found.get(2)?.as_str().parse().ok()?;
    Some((found.get(1)?.as_str(), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_what_runners_print() {
        let bun = "AssertionError: expect(received).toBe(expected)\n\nExpected: 2\n\n      at connect (db.js:9:1)\n      at a.test.js:2:30\n";
        assert_eq!(outermost_frame(bun), Some(("a.test.js", 2)));
        let text = "error: no db\n      at <anonymous> (/p/a.test.js:3:54)\n      at processTicks (native)";
        assert_eq!(outermost_frame(text), Some(("/p/a.test.js", 3)));
        let deno = "Error: no db\n    at connect (file:///p/db.ts:1:50)\n    at async file:///p/a.test.ts:4:3\n    \
            at https://jsr.io/@std/testing/1.0.0/bdd.ts:5:1\n    at ext:cli/40_test.js:1:1\n    at /p/node_modules/x/i.js:1:1";
        assert_eq!(outermost_frame(deno), Some(("/p/a.test.ts", 4)));
        let xml = "a_test.cc:5\nExpected equality of these values:\n  1\nGoogle Test trace:\na_test.cc:27: here";
        assert_eq!(first_place(xml), Some(("a_test.cc", 5)));
        let printed = "some: noise\n/p/a_test.cc:10: Failure\nValue of: false\n";
        assert_eq!(first_place(printed), Some(("/p/a_test.cc", 10)));
        let minitest = "Expected: 1\n  Actual: 2\n[test/a_test.rb:4]";
        assert_eq!(last_place(minitest), Some(("test/a_test.rb", 4)));
        for place in [outermost_frame, first_place, last_place] {
            assert_eq!(place(""), None);
            assert_eq!(place("no place at all: 1"), None);
        }
    }
}
