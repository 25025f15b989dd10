//! Catch2 called by itself: its text, which names the tests that failed and counts the others.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::formats::collect::{Collector, Failing, Outcome, Told};
use super::formats::{cause, places, text};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    read_text,
    tells_unasked: true,
    telling: &[
        r"^All tests passed \(.*\bin \d+ test cases?\)$",
        r"^test cases: +\d+ \| .*(?:passed|failed|skipped)",
        r"^\S+ is a Catch2? v\d\S* host application\.$",
        r"^No test(?: case)?s (?:ran|matched)",
    ],
    hides: &["GoogleTest"],
    settle: |report, sources| places::settle(report, sources, places::first_place),
    known_by: "what it prints",
    asked: "not asked: its text names the tests that fail",
    tried: Some("2.13"),
    ..Runner::named("Catch2")
};

/// A failure: what it is of between two rules, its place, and what was checked.
fn read_text(output: &str) -> Option<Told> {
    static PASSED: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^All tests passed \((?:.* in )?(\d+) test cases?\)$"));
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^test cases: +\d+ +\|(.*)$"));
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(\S.*?)[:(](\d+)\)?: FAILED:$"));
    let began = output.contains(" host application.\nRun with -? for options");
    let none = output.lines().any(|line| line == "No tests ran");
    let all = PASSED.captures(output);
    let counts = COUNTS.captures(output);
    if !began && !none && all.is_none() && counts.is_none() {
        return None;
    }
    let mut collector = Collector::default();
    let mut failing = Failing::default();
    let mut name = "";
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if is_rule(line, '-') {
            // Up to the next rule: the name of the test, then those of the sections that it was in.
            name = lines.next().unwrap_or_default().trim();
            lines.by_ref().find(|line| is_rule(line, '-'));
        } else if let Some(place) = PLACE.captures(line) {
            let words: Vec<&str> = lines
                .by_ref()
                .take_while(|line| !line.is_empty() && !is_rule(line, '='))
                .collect();
            let at = place.get(1).map(|file| file.as_str());
            let at = at.zip(place[2].parse().ok());
            let outcome = outcome(&words);
            failing.add(name, outcome, words.join("\n"), at);
        }
    }
    let failed = failing.told_to(&mut collector);
    if let Some(passed) = &all {
        collector.unnamed_passed(passed[1].parse().unwrap_or(0));
    }
    if let Some(counts) = &counts {
        let expected = counts[1].replace("failed as expected", "expected");
        let of = |what: &str| text::number_before(&expected, &[what]);
        collector.unnamed_passed(of("passed") + of("expected"));
        if of("failed") != failed {
            collector.miscounts("Catch2");
        }
    }
    collector.ended(all.is_some() || counts.is_some() || none);
    Some(collector.finish_text())
}

fn outcome(words: &[&str]) -> Outcome {
    let told = words.last().map_or("", |line| line.trim());
    let is = |what: &str| words.iter().any(|line| line.starts_with(what));
    if is("due to unexpected exception") {
        match cause::is_stub("", told) {
            true => Outcome::Failed(Cause::Stub),
            false => Outcome::Failed(Cause::Error),
        }
    } else if is("due to a fatal error condition") {
        Outcome::Failed(Cause::Error)
    } else {
        Outcome::Failed(Cause::Assertion)
    }
}

fn is_rule(line: &str, of: char) -> bool {
    line.len() >= 70 && line.chars().all(|char| char == of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::Failed;

    const RULE: &str =
        "-------------------------------------------------------------------------------";

    #[test]
    fn failures_are_named_and_the_rest_is_counted() {
        let text = format!(
            "\n~~~\nunit is a Catch v2.13.10 host application.\nRun with -? for options\n\n\
             {RULE}\nadds up\n  small\n{RULE}\nc.cc:6\n....\n\nc.cc:6: FAILED:\n  CHECK( total(2,3)==6 )\n\
             with expansion:\n  5 == 6\n\n{RULE}\nthrows\n{RULE}\nc.cc:7\n....\n\nc.cc:7: FAILED:\n\
             due to unexpected exception with message:\n  no such discount\n\n{}\n\
             test cases: 3 | 1 passed | 2 failed\nassertions: 4 | 2 passed | 2 failed\n\n",
            RULE.replace('-', "=")
        );
        let report = read_text(&text).and_then(Told::alone).expect("its text");
        assert_eq!(
            report.tests.statuses(),
            [
                ("adds up", Failed(Cause::Assertion)),
                ("throws", Failed(Cause::Error))
            ]
        );
        assert_eq!((report.unnamed_passed, report.ended), (1, true));
        assert_eq!(report.contradiction, None);
        let words = report.tests.get(0).expect("a test").message;
        assert!(words.contains("5 == 6"), "{words}");
    }

    #[test]
    fn one_that_left_has_not_ended() {
        let passed = "All tests passed (3 assertions in 2 test cases)\n";
        let report = read_text(passed).and_then(Told::alone).expect("its text");
        assert_eq!((report.unnamed_passed, report.ended), (2, true));
        let none = read_text("No tests ran\n")
            .and_then(Told::alone)
            .expect("its text");
        assert_eq!(none.ran(), 0);
        let left = "\nunit is a Catch v2.13.10 host application.\nRun with -? for options\n\n";
        assert!(
            !read_text(left)
                .and_then(Told::alone)
                .expect("its text")
                .ended
        );
        assert!(read_text("hello\n").is_none());
    }
}
