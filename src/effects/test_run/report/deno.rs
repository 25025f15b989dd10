//! Deno: its text; its report is JUnit XML.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::collect::{Collector, Outcome, Told};
use super::{cause, text};
use crate::policy::verdict::Cause;

/// Reads the text of `deno test`.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RUNNING: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^running (\d+) tests? from (.+)$"));
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(.+) \.\.\. (?:(ok|FAILED|ignored|cancelled).*)$"));
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed.* \([^)]*\)$")
    });
    static UNCAUGHT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\S.*) \(uncaught error\)$"));
    let counts = COUNTS.captures(output);
    let began = output.lines().any(|line| RUNNING.is_match(line));
    if counts.is_none() && !began && !output.contains("\nerror: No test modules found") {
        return None;
    }
    let errors = errors_by_place(output);
    let mut collector = Collector::default();
    let mut file = String::new();
    let mut seen = text::Scan::default();
    for line in output.lines() {
        if let Some(found) = RUNNING.captures(line) {
            found[2].trim_start_matches("./").clone_into(&mut file);
        } else if let Some(found) = RESULT.captures(line)
            && !file.is_empty()
        {
            let id = format!("{file} > {}", &found[1]);
            let message = errors.get(&(found[1].to_owned(), file.clone()));
            let message = message.map_or("", String::as_str);
            let outcome = match &found[2] {
                "ok" => {
                    seen.passed += 1;
                    Outcome::Passed
                }
                "FAILED" => {
                    seen.failed += 1;
                    cause::of_text(message, Cause::Error)
                }
                "ignored" => Outcome::Skipped,
                _ => Outcome::Inconclusive,
            };
            collector.test(&id, Some(&file), outcome, message);
        }
    }
    for found in UNCAUGHT.captures_iter(output) {
        let what = found[1].trim_start_matches("./").to_owned();
        let rest = found.get(0).and_then(|all| output.get(all.end()..));
        collector.load_error(what, first_line(rest.unwrap_or_default()));
    }
    if output.contains("error: Type checking failed")
        || output.contains("\nerror: Module not found")
    {
        let line = output.lines().find(|line| line.starts_with("error: "));
        collector.load_error("", line.unwrap_or_default());
    }
    if let Some(counts) = &counts {
        let passed: usize = counts[1].parse().unwrap_or(0);
        let failed: usize = counts[2].parse().unwrap_or(0);
        if passed != seen.passed || failed > seen.failed.max(1) {
            collector.miscounts("Deno");
        }
    }
    collector.ended(counts.is_some());
    Some(collector.finish_text())
}

fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
}

/// The section of errors: `name => ./file.ts:4:6`, then `error: …`.
fn errors_by_place(output: &str) -> HashMap<(String, String), String> {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(.+) => (?:\./)?(.+?):\d+:\d+$"));
    let mut errors = HashMap::new();
    let mut place: Option<(String, String)> = None;
    let mut message = String::new();
    for line in output.lines() {
        if let Some(found) = PLACE.captures(line) {
            if let Some(place) = place.take() {
                errors
                    .entry(place)
                    .or_insert_with(|| std::mem::take(&mut message));
            }
            message.clear();
            place = Some((found[1].to_owned(), found[2].to_owned()));
        } else if place.is_some() && message.len() < super::collect::MESSAGE_BYTES {
            message.push_str(line.strip_prefix("error: ").unwrap_or(line));
            message.push('\n');
        }
    }
    if let Some(place) = place {
        errors.entry(place).or_insert(message);
    }
    errors
}
