//! shunit2: its text.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::text;
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    programs: &["shunit2"],
    read_text,
    telling: &[r"^Ran \d+ tests?\.$"],
    known_by: "what it prints",
    asked: "not asked: its text names all tests",
    tried: Some("2.1.8"),
    ..Runner::named("shunit2")
};

/// Each test by its name, what its assertions say below it, and the counts.
fn read_text(output: &str) -> Option<Told> {
    static RAN: LazyLock<Regex> = LazyLock::new(|| text::regex(r"(?m)^Ran (\d+) tests?\.$"));
    static TEST: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(test\w*)$"));
    let counts = RAN
        .captures_iter(output)
        .map(|found| found[1].parse().unwrap_or(0));
    let counts: Vec<usize> = counts.collect();
    if counts.is_empty() {
        return None;
    }
    let mut tests: Vec<(String, Option<(Outcome, String)>)> = Vec::new();
    let mut fatal = None;
    for line in output.lines() {
        if let Some(found) = TEST.captures(line) {
            tests.push((found[1].to_owned(), None));
        } else if let (Some(words), Some((_, failed @ None))) =
            (line.strip_prefix("ASSERT:"), tests.last_mut())
        {
            // What it says of a test that left.
            let has_left = words.starts_with("unknown failure encountered running a test");
            let outcome = match has_left {
                true => Outcome::Inconclusive,
                false => Outcome::Failed(Cause::Assertion),
            };
            *failed = Some((outcome, words.to_owned()));
        } else if let Some(words) = line.strip_prefix("shunit2:ERROR ") {
            match tests
                .last_mut()
                .filter(|(name, _)| words.starts_with(name.as_str()))
            {
                Some((_, failed @ None)) => {
                    *failed = Some((Outcome::Failed(Cause::Error), words.to_owned()));
                }
                Some(_) => {}
                None => fatal = Some(words.to_owned()),
            }
        } else if line.starts_with("shunit2:FATAL ") {
            fatal = Some(line.to_owned());
        }
    }
    let mut collector = Collector::default();
    for (name, failed) in &tests {
        match failed {
            Some((outcome, words)) => collector.test(name, None, *outcome, words),
            None => collector.test(name, None, Outcome::Passed, ""),
        }
    }
    if counts.iter().sum::<usize>() != tests.len() {
        collector.miscounts("shunit2");
    }
    if let Some(words) = fatal {
        collector.contradiction(words);
    }
    // After the counts it says how it went.
    let verdict =
        |line: &str| line == "OK" || line.starts_with("OK (") || line.starts_with("FAILED (");
    collector.ended(output.lines().filter(|line| verdict(line)).count() >= counts.len());
    Some(collector.finish_text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed};

    #[test]
    fn tests_and_what_their_assertions_say() {
        let text = "test_a\nASSERT:expected:<6> but was:<5>\nshunit2:ERROR test_a() returned non-zero return code.\n\
            test_b\n\nRan 2 tests.\n\nFAILED (failures=2)\n";
        let report = read_text(text).and_then(Told::alone).expect("its text");
        assert_eq!(
            report.tests.statuses(),
            [("test_a", Failed(Cause::Assertion)), ("test_b", Passed)]
        );
        assert_eq!(
            report.tests.get(0).expect("a test").message,
            "expected:<6> but was:<5>"
        );
        assert!(report.ended);
        assert!(read_text("test_a\n").is_none());
    }
}
