//! bun: its text; its report is JUnit XML, which leaves out files that could not be loaded.

use std::sync::LazyLock;

use regex::Regex;

use super::collect::{Collector, Outcome, Told};
use super::{cause, text};
use crate::policy::verdict::Cause;

/// Reads the text of `bun test`.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$"));
    static FILE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(\S.*\.(?:js|ts|jsx|tsx|mjs|cjs|mts|cts)):$"));
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^Ran (\d+) tests? across \d+ files?\. "));
    let began = output.lines().any(|line| line.starts_with("bun test v"));
    if !began && !RAN.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    let mut file = String::new();
    let mut since = String::new();
    let mut counted = text::Scan::default();
    let mut seen = text::Scan::default();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = FILE.captures(line) {
            file = found[1].to_owned();
            since.clear();
        } else if line == "# Unhandled error between tests" {
            let message = lines
                .clone()
                .map(str::trim)
                .find(|line| !line.is_empty() && !line.starts_with("---") && !line.contains(" | "));
            collector.load_error(file.clone(), message.unwrap_or_default());
            counted.errors += 1;
        } else if let Some(found) = RESULT.captures(line) {
            let id = format!("{file} > {}", &found[2]);
            let outcome = match &found[1] {
                "pass" => {
                    seen.passed += 1;
                    Outcome::Passed
                }
                "fail" => {
                    seen.failed += 1;
                    of_error(&since)
                }
                _ => Outcome::Skipped,
            };
            collector.test(id, Some(file.clone()), outcome, error_lines(&since));
            since.clear();
        } else if let Some(count) = line.strip_suffix(" pass") {
            counted.passed += count.trim().parse().unwrap_or(0);
        } else if let Some(count) = line.strip_suffix(" fail") {
            counted.failed += count.trim().parse().unwrap_or(0);
        } else if since.len() < 8_000 {
            since.push_str(line);
            since.push('\n');
        }
    }
    // bun counts a file that could not be loaded as a failed test.
    if counted.failed > seen.failed + counted.errors {
        collector.miscounts("bun");
    }
    collector.unnamed_passed(counted.passed.saturating_sub(seen.passed));
    collector.ended(RAN.is_match(output));
    Some(collector.finish_text())
}

/// What was printed between two results, from the error on.
fn error_lines(since: &str) -> &str {
    let mut at = 0;
    for line in since.split_inclusive('\n') {
        if line.starts_with("error: ") || cause::leading_type(line).is_some() {
            return since.get(at..).unwrap_or_default();
        }
        at += line.len();
    }
    ""
}

fn of_error(since: &str) -> Outcome {
    let error = error_lines(since);
    match error.strip_prefix("error: ") {
        Some(words) if words.starts_with("expect(") || words.starts_with("expect.") => {
            Outcome::Failed(Cause::Assertion)
        }
        Some(words) => cause::of_raised("Error", words),
        None => cause::of_text(error, Cause::Error),
    }
}
