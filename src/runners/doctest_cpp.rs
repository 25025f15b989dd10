//! doctest of C++ called by itself: its text, which names the tests that failed and counts the others.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::formats::collect::{Collector, Failing, Outcome, Told};
use super::formats::{cause, places, text};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    read_text,
    tells_unasked: true,
    telling: &[r"^\[doctest\] (?:doctest version is|test cases:|Status:)"],
    hides: &["GoogleTest"],
    settle: |report, sources| places::settle(report, sources, places::first_place),
    known_by: "what it prints",
    asked: "not asked: its text names the tests that fail",
    tried: Some("2.4"),
    ..Runner::named("doctest (C++)")
};

/// A failure: the test and its sections, then its place with what was checked.
fn read_text(output: &str) -> Option<Told> {
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\[doctest\] test cases: +(\d+) +\| +(\d+) passed +\| +(\d+) failed")
    });
    static WRONG: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(\S.*?)[:(](\d+)\)?: (?:FATAL )?ERROR: (.*)$"));
    if !output.lines().any(|line| line.starts_with("[doctest] ")) {
        return None;
    }
    let mut collector = Collector::default();
    let mut failing = Failing::default();
    let (mut suite, mut name) = ("", String::new());
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        if line.len() >= 70 && line.chars().all(|char| char == '=') {
            (suite, name) = ("", String::new());
        } else if let Some(of) = line.strip_prefix("TEST SUITE: ") {
            suite = of.trim();
        } else if let Some(of) = line.strip_prefix("TEST CASE: ") {
            let parts = [suite, of.trim()]
                .into_iter()
                .filter(|part| !part.is_empty());
            name = parts.collect::<Vec<_>>().join(" > ");
        } else if let Some(wrong) = WRONG.captures(line) {
            let values = lines.next_if(|line| line.trim_start().starts_with("values: "));
            let words = [wrong.get(3).map(|words| words.as_str()), values];
            let words = words.into_iter().flatten().collect::<Vec<_>>().join("\n");
            let outcome = outcome(&words);
            let at = wrong.get(1).map(|file| file.as_str());
            let at = at.zip(wrong[2].parse().ok());
            failing.add(&name, outcome, words, at);
        }
    }
    let failed = failing.told_to(&mut collector);
    let counts: Vec<[usize; 2]> = (COUNTS.captures_iter(output))
        .map(|found| [2, 3].map(|at| found[at].parse().unwrap_or(0)))
        .collect();
    collector.unnamed_passed(counts.iter().map(|[passed, _]| passed).sum());
    if counts.iter().map(|[_, failed]| failed).sum::<usize>() != failed {
        collector.miscounts("doctest");
    }
    let begun = output.matches("[doctest] doctest version is").count();
    collector.ended(!counts.is_empty() && counts.len() >= begun);
    Some(collector.finish_text())
}

fn outcome(words: &str) -> Outcome {
    match words.split_once("THREW exception: ") {
        Some((_, what)) if cause::is_stub("", what) => Outcome::Failed(Cause::Stub),
        Some(_) => Outcome::Failed(Cause::Error),
        None if words.starts_with("test case CRASHED") => Outcome::Failed(Cause::Error),
        None => Outcome::Failed(Cause::Assertion),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::Failed;

    #[test]
    fn failures_are_named_and_the_rest_is_counted() {
        let rule = "=".repeat(79);
        let text = format!(
            "[doctest] doctest version is \"2.4.9\"\n[doctest] run with \"--help\" for options\n{rule}\n\
             dt.cc:7:\nTEST SUITE: cart\nTEST CASE:  adds up\n  small\n\ndt.cc:7: ERROR: CHECK( total(2,3)==6 ) is NOT correct!\n  \
             values: CHECK( 5 == 6 )\n\n{rule}\ndt.cc:8:\nTEST CASE:  throws\n\n\
             dt.cc:8: ERROR: test case THREW exception: no such discount\n\n{rule}\n\
             [doctest] test cases: 3 | 1 passed | 2 failed | 1 skipped\n[doctest] Status: FAILURE!\n"
        );
        let report = read_text(&text).and_then(Told::alone).expect("its text");
        assert_eq!(
            report.tests.statuses(),
            [
                ("cart > adds up", Failed(Cause::Assertion)),
                ("throws", Failed(Cause::Error))
            ]
        );
        assert_eq!((report.unnamed_passed, report.ended), (1, true));
        assert_eq!(report.contradiction, None);
        let words = report.tests.get(0).expect("a test").message;
        assert!(words.contains("values: CHECK( 5 == 6 )"), "{words}");
    }

    #[test]
    fn one_that_left_has_not_ended() {
        let left = "[doctest] doctest version is \"2.4.9\"\n";
        assert!(
            !read_text(left)
                .and_then(Told::alone)
                .expect("its text")
                .ended
        );
        assert!(read_text("hello\n").is_none());
    }
}
