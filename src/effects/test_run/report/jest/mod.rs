//! Jest: our reporter's lines, and its text.

use std::collections::HashSet;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::collect::{Collector, Outcome, Told};
use super::json::{Text, each_own_line, lenient};
use super::{ReadError, cause, text};
use crate::policy::judge::Report;
use crate::policy::verdict::Cause;

/// Why a test failed, from the messages of its failures. Jest's matchers throw plain errors: one is an
/// assertion if it reads like one and its first stack frame is a matcher.
pub(super) fn of_messages(messages: &[&str]) -> Outcome {
    messages
        .iter()
        .map(|message| of_message(message))
        .fold(Outcome::Inconclusive, Outcome::stronger)
}

fn of_message(message: &str) -> Outcome {
    static MATCHER: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^\s+at (?:async )?(?:\S+\.)?(?:to[A-Z]\w*|assertions|hasAssertions|resolves|rejects|expect)\b",
        )
    });
    static NODE_ASSERT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^assert(?:\.\w+)?\(received(?:, expected)?\)\s*\n"));
    let message = message.trim_start();
    if is_of_hook(message) {
        return Outcome::Inconclusive;
    }
    let words = message.strip_prefix("Error: ").unwrap_or(message);
    if words.starts_with("expect(") || words.starts_with("expect.") {
        let first_frame = message
            .lines()
            .find(|line| line.trim_start().starts_with("at "));
        // `expect.assertions` is checked by the runner, after the test.
        let by_matcher = words.starts_with("expect.assertions(")
            || words.starts_with("expect.hasAssertions(")
            || first_frame.is_none_or(|frame| MATCHER.is_match(frame));
        return Outcome::Failed(if by_matcher {
            Cause::Assertion
        } else {
            Cause::Error
        });
    }
    // Of a failure of `node:assert` Jest keeps the call and not the type.
    if NODE_ASSERT.is_match(message) {
        return Outcome::Failed(Cause::Assertion);
    }
    let (kind, words) = cause::leading_type(message).unwrap_or(("Error", message));
    cause::of_raised(kind, words)
}

/// Whether a hook raised it, of a test or of all the tests of a suite.
fn is_of_hook(message: &str) -> bool {
    message.contains("at _callCircusHook (")
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    event: Option<String>,
    file: Option<String>,
    path: Option<Vec<String>>,
    status: Option<String>,
    live: bool,
    load: Option<Text>,
    #[serde(deserialize_with = "lenient")]
    matcher: Vec<bool>,
    #[serde(deserialize_with = "lenient")]
    messages: Vec<Text>,
}

/// Reads the lines of our reporter: a test is told when it ends (`live`) and again with its file.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut open: Vec<String> = Vec::new();
    let mut done: HashSet<String> = HashSet::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        match line.event.as_deref() {
            Some("file") => open.extend(line.file),
            Some("end") => collector.ended(true),
            Some(_) => {}
            None => {
                let Some(file) = line.file else { return };
                if line.live {
                    return;
                }
                done.insert(file.clone());
                if let Some(load) = line.load {
                    collector.load_error(file, &load.0);
                } else if let Some(path) = line.path {
                    let id = format!("{file} > {}", path.join(" > "));
                    let messages: Vec<&str> =
                        line.messages.iter().map(|text| text.0.as_str()).collect();
                    let status = line.status.unwrap_or_default();
                    take(collector, id, file, &status, &line.matcher, &messages);
                }
            }
        }
    })?;
    for file in open.into_iter().filter(|file| !done.contains(file)) {
        collector.unfinished(file);
    }
    Ok(collector.finish())
}

fn take(
    collector: &mut Collector,
    id: String,
    file: String,
    status: &str,
    matchers: &[bool],
    messages: &[&str],
) {
    let message = messages.first().copied().unwrap_or_default();
    let outcome = match status {
        "passed" => Outcome::Passed,
        "failed" if messages.iter().all(|message| is_of_hook(message)) => Outcome::Inconclusive,
        "failed" if matchers.contains(&true) => Outcome::Failed(Cause::Assertion),
        "failed" => of_messages(messages),
        "pending" | "skipped" | "todo" | "disabled" => Outcome::Skipped,
        _ => return collector.unfinished(id),
    };
    collector.test(&id, Some(&file), outcome, message);
}

/// Reads Jest's text: `PASS` and `FAIL` for each file, the list of tests if there is one, a `●` block for
/// each failure, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static FILE: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^ ?(?:PASS|FAIL) {1,2}(?:\S+ )??((?:\./)?\S.*?)(?: \([\d.]+ m?s\))?(?: \([\d.]+ MB.*\))?$",
        )
    });
    static LISTED: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^( +)([✓✕○✎]) (.+?)(?: \([\d.]+ m?s\))?$"));
    let counts = output
        .lines()
        .find_map(|line| line.strip_prefix("Tests:       "))
        .map(str::to_owned);
    let suites = output.lines().any(|line| line.starts_with("Test Suites: "));
    let no_tests = output
        .lines()
        .any(|line| line.starts_with("No tests found, exiting with code"));
    if !suites && !no_tests {
        return None;
    }
    let mut collector = Collector::default();
    let mut file = String::new();
    let mut suites_open: Vec<(usize, String)> = Vec::new();
    let mut failed: HashSet<String> = HashSet::new();
    let mut passed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("Summary of all failing tests") {
            // The failures once more.
            break;
        }
        if let Some(found) = FILE.captures(line) {
            file = found[1].trim_start_matches("./").to_owned();
            suites_open.clear();
        } else if let Some(found) = LISTED.captures(line) {
            let indent = found[1].len();
            suites_open.retain(|(open, _)| *open < indent);
            let mut id = file.clone();
            for (_, suite) in &suites_open {
                id.push_str(" > ");
                id.push_str(suite);
            }
            id.push_str(" > ");
            id.push_str(&found[3]);
            match &found[2] {
                "✓" => {
                    passed += 1;
                    collector.test(&id, Some(&file), Outcome::Passed, "");
                }
                "○" | "✎" => {
                    let id = id
                        .replacen(" > skipped ", " > ", 1)
                        .replacen(" > todo ", " > ", 1);
                    collector.test(&id, Some(&file), Outcome::Skipped, "");
                }
                _ => {}
            }
        } else if let Some(title) = line.strip_prefix("  ● ") {
            let block: Vec<&str> = lines
                .clone()
                .take_while(|line| line.is_empty() || line.starts_with("    "))
                .collect();
            let block = block.join("\n");
            if title.trim_start().starts_with("process.exit called with ") {
                collector.contradiction(title.trim().to_owned());
                continue;
            }
            if title == "Test suite failed to run" {
                collector.load_error(file.clone(), first_words(&block));
                continue;
            }
            let id = format!("{file} > {}", title.replace(" › ", " > "));
            if failed.insert(id.clone()) {
                let outcome = of_message(&undented(&block));
                collector.test(&id, Some(&file), outcome, block.trim());
            }
        } else if line.starts_with("  ")
            && !line
                .trim_start()
                .starts_with(['✓', '✕', '○', '✎', '●', '|', '>', '+', '-'])
            && lines.peek().is_some_and(|next| {
                LISTED.is_match(next) || (next.starts_with("    ") && LISTED.is_match(next))
            })
            && !file.is_empty()
        {
            let indent = line.len() - line.trim_start().len();
            suites_open.retain(|(open, _)| *open < indent);
            suites_open.push((indent, line.trim().to_owned()));
        }
    }
    if let Some(counts) = &counts {
        collector.unnamed_passed(text::number_before(counts, &["passed"]).saturating_sub(passed));
        if text::number_before(counts, &["failed"]) > failed.len() {
            collector.miscounts("Jest");
        }
    }
    collector.ended(true);
    Some(collector.finish_text())
}

fn first_words(message: &str) -> &str {
    message
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('●'))
        .unwrap_or_default()
}

fn undented(block: &str) -> String {
    block
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests;
