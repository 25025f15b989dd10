//! CTest: its text; its report is JUnit XML.

use std::sync::LazyLock;

use regex::Regex;

use super::collect::{Collector, Outcome, Told};
use super::{gtest, text};
use crate::rules::verdict::Cause;

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
