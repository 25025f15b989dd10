//! OCaml's alcotest, as dune runs it: its text.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::ask::{Asking, Way};
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::{cause, text};
use super::project::Offer;
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("dune", "test"), ("dune", "runtest")],
    ask,
    read_text,
    telling: &[r"^(?:Test Successful|\d+ failures?!) in [\d.]+s\. \d+ tests? run\."],
    detect: |place, out| {
        if place.exists("dune-project") {
            out.push(Offer::by_default("ocaml", "dune test", "dune-project"));
        }
    },
    asked: "not asked: its text names all tests; dune, by one of ours on PATH, runs what it ran before",
    tried: Some("1.6, dune 2.9"),
    ..Runner::named("alcotest")
};

/// dune says nothing of tests that passed in an earlier run.
fn ask(asking: &Asking<'_>) -> Option<Way> {
    let shim = include_str!("reporters/shims/dune");
    let by_name = asking.found.is_by_name();
    by_name.then(|| Way::default().shim(asking.home, "shims/dune", shim))
}

fn read_text(output: &str) -> Option<Told> {
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^(?:Test Successful|\d+ failures?!) in [\d.]+s\. (\d+) tests? run\.")
    });
    static BEGUN: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^Testing [`'](.+?)['`]?\.$"));
    static TEST: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^[> ] \[(OK|FAIL|SKIP)\] +(\S.*?) {2,}(\d+) {3}(.+?)\.?$"));
    static BOX: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^│ \[FAIL\] +(\S.*?) {2,}(\d+) {3}"));
    let is_begun = output.lines().any(|line| BEGUN.is_match(line));
    if !is_begun && !RUN.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    let mut tests: Vec<(String, String, Outcome)> = Vec::new();
    let mut details: Vec<(String, String)> = Vec::new();
    let (mut suite, mut begun) = (String::new(), 0_usize);
    let mut open: Option<(String, String)> = None;
    for line in output.lines() {
        if let Some(found) = BEGUN.captures(line) {
            suite = found[1].to_owned();
            begun += 1;
        } else if let Some(found) = TEST.captures(line) {
            let outcome = match &found[1] {
                "OK" => Outcome::Passed,
                "SKIP" => Outcome::Skipped,
                _ => Outcome::Failed(Cause::Error),
            };
            let id = format!("{suite} > {} > {}", found[2].trim_end(), &found[4]);
            tests.push((
                id,
                format!("{suite} {} {}", found[2].trim_end(), &found[3]),
                outcome,
            ));
        } else if let Some(found) = BOX.captures(line) {
            details.extend(open.take());
            open = Some((
                format!("{suite} {} {}", found[1].trim_end(), &found[2]),
                String::new(),
            ));
        } else if line.starts_with("Logs saved to ") || RUN.is_match(line) {
            details.extend(open.take());
        } else if let Some((_, words)) = open.as_mut().filter(|_| tells(line)) {
            words.push_str(line.trim());
            words.push('\n');
        }
    }
    details.extend(open);
    let told = tests.len();
    for (id, key, outcome) in tests {
        let words = details.iter().find(|(of, _)| *of == key);
        let words = words.map_or("", |(_, words)| words.trim());
        let outcome = match outcome {
            Outcome::Failed(_) => of_words(words),
            outcome => outcome,
        };
        collector.test(&id, None, outcome, words);
    }
    let counts = RUN
        .captures_iter(output)
        .map(|found| found[1].parse().unwrap_or(0));
    let counts: Vec<usize> = counts.collect();
    collector.ended(begun > 0 && counts.len() == begun);
    if counts.iter().sum::<usize>() != told {
        collector.miscounts("alcotest");
    }
    Some(collector.finish_text())
}

/// Whether a line below the box of a failure says something of it: values stand further in, frames don't count.
fn tells(line: &str) -> bool {
    let is_value = ["Expected:", "Received:"]
        .iter()
        .any(|word| line.trim_start().starts_with(word));
    let is_frame = ["Raised at ", "Called from ", "Re-raised at "]
        .iter()
        .any(|word| line.starts_with(word));
    is_value || !(is_frame || line.is_empty() || line.starts_with(['└', '┌', ' ']))
}

/// `ASSERT sum`, `FAIL sum` and both values; else the exception that was raised.
fn of_words(words: &str) -> Outcome {
    if words.contains("FAIL ") || words.contains("ASSERT ") {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_text(words, Cause::Error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed};

    #[test]
    fn names_causes_and_values() {
        let text = "Testing `Shop'.\nThis run has ID `YOG2D8IV'.\n\n\
            > [FAIL]        total          0   adds up.\n  [OK]          total          1   of nothing.\n\
            \x20 [FAIL]        label          0   raises.\n\n\
            ┌────┐\n│ [FAIL]        total          0   adds up.    │\n└────┘\n\
            ASSERT sum\nFAIL sum\n\n   Expected: `6'\n   Received: `5'\n\n\
            Raised at Alcotest_engine__Test.check in file \"src/alcotest-engine/test.ml\", line 196\n\n\
            Logs saved to `/x'.\n ───\n\n2 failures! in 0.000s. 3 tests run.\n";
        let report = read_text(text).and_then(Told::alone).expect("its text");
        assert_eq!(
            report.tests.statuses(),
            [
                ("Shop > total > adds up", Failed(Cause::Assertion)),
                ("Shop > total > of nothing", Passed),
                ("Shop > label > raises", Failed(Cause::Error)),
            ]
        );
        let message = report.tests.get(0).expect("a test").message;
        assert!(
            message.contains("Expected: `6'\nReceived: `5'"),
            "{message}"
        );
        assert!(report.ended);
    }

    #[test]
    fn a_suite_that_does_not_say_its_end_has_none() {
        let report = read_text("Testing `Shop'.\n").and_then(Told::alone);
        assert!(!report.expect("its text").ended);
        assert!(read_text("dune build\n").is_none());
    }
}
