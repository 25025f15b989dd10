//! RSpec: its JSON, and its text.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::collect::{Collector, Outcome, Told};
use super::json::{AnyHolds, Needle, Text, document, lenient};
use super::{ReadError, cause, text};
use crate::policy::judge::Report;
use crate::policy::verdict::Cause;

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    messages: Vec<Text>,
    examples: Vec<Example>,
    #[serde(default)]
    summary: Option<Summary>,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    errors_outside_of_examples_count: usize,
}

#[derive(Deserialize)]
struct Example {
    full_description: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    file_path: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    exception: Option<Exception>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exception {
    class: Text,
    message: Text,
    #[serde(deserialize_with = "lenient")]
    backtrace: AnyHolds<ContextHook>,
}

/// The frame of a hook that runs once for a group of examples.
#[derive(Default)]
struct ContextHook;

impl Needle for ContextHook {
    const ANY_OF: &'static [&'static str] = &[
        "run_before_context_hooks",
        "run_after_context_hooks",
        "run_owned_hooks_for",
    ];
}

/// Reads what RSpec's `json` formatter writes.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let Some(document) = document::<Document>(input)? else {
        return Ok(Report::default());
    };
    let mut collector = Collector::default();
    for example in document.examples {
        let file = example.file_path.unwrap_or_default();
        let file = file.trim_start_matches("./").to_owned();
        let id = format!("{file} > {}", example.full_description);
        let exception = example.exception.unwrap_or_default();
        let outcome = match example.status.as_str() {
            "passed" => Outcome::Passed,
            "pending" => Outcome::Skipped,
            "failed" if exception.backtrace.0 => Outcome::Inconclusive,
            "failed" => cause::of_raised(&exception.class.0, &exception.message.0),
            // An example that left the process has no status.
            _ => {
                collector.unfinished(id);
                continue;
            }
        };
        let message = format!("{}: {}", exception.class.0, exception.message.0);
        collector.test(id, Some(file), outcome, &message);
    }
    let outside = document
        .summary
        .as_ref()
        .map_or(0, |summary| summary.errors_outside_of_examples_count);
    if outside > 0 {
        let errors = document
            .messages
            .iter()
            .filter(|message| message.0.contains("An error occurred"));
        let mut any = false;
        for Text(message) in errors {
            any = true;
            take_outside(&mut collector, message);
        }
        if !any {
            collector.contradiction("an error occurred outside of examples");
        }
    }
    collector.ended(document.summary.is_some());
    Ok(collector.finish())
}

/// `An error occurred while loading ./spec/calc_spec.rb.` or `… in an `after(:context)` hook.`
fn take_outside(collector: &mut Collector, message: &str) {
    let message = message.trim();
    let headline = message.lines().next().unwrap_or_default();
    let what = match headline.strip_prefix("An error occurred while loading ") {
        Some(file) => file
            .trim_end_matches('.')
            .trim_start_matches("./")
            .to_owned(),
        None => headline
            .split('`')
            .nth(1)
            .map_or_else(|| headline.to_owned(), |hook| format!("{hook} hook")),
    };
    let why = message
        .lines()
        .skip_while(|line| !line.trim_end().ends_with("Error:"))
        .map(str::trim)
        .take(2)
        .collect::<Vec<_>>()
        .join(" ");
    let rest = message.lines().nth(1).unwrap_or_default();
    collector.load_error(what, if why.is_empty() { rest } else { &why });
}

/// Reads RSpec's text: the numbered failures, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\d+) examples?, (\d+) failures?(.*)$"));
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^  (\d+)\) (.+)$"));
    static AGAIN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^rspec '?(\./[^:\['\n]+)(?:\[[^\]\n]*\]|:\d+)'? # (.*)$")
    });
    let counts = COUNTS.captures(output)?;
    let mut collector = Collector::default();
    let files: Vec<(String, String)> = AGAIN
        .captures_iter(output)
        .map(|found| {
            (
                found[2].to_owned(),
                found[1].trim_start_matches("./").to_owned(),
            )
        })
        .collect();
    let body = output
        .split_once("\nFailures:\n")
        .map_or("", |(_, failures)| failures);
    let mut failed = 0;
    let mut lines = body.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = NUMBERED.captures(line) else {
            continue;
        };
        let title = found[2].trim_end_matches(" FIXED").to_owned();
        let mut message = String::new();
        while let Some(line) =
            lines.next_if(|line| !NUMBERED.is_match(line) && !line.starts_with("Finished in "))
        {
            if message.len() < super::collect::MESSAGE_BYTES {
                message.push_str(line.trim());
                message.push('\n');
            }
        }
        let file = files
            .iter()
            .find(|(name, _)| *name == title)
            .map(|(_, file)| file.clone());
        let id = match &file {
            Some(file) => format!("{file} > {title}"),
            None => title,
        };
        failed += 1;
        let outcome = of_block(&message);
        collector.test(id, file, outcome, &message);
    }
    for (at, _) in output.match_indices("An error occurred ") {
        let block = output.get(at..).unwrap_or_default();
        if block.starts_with("An error occurred while loading ")
            || block.starts_with("An error occurred in ")
        {
            take_outside(&mut collector, block);
        }
    }
    let count = |at: usize| {
        counts
            .get(at)
            .and_then(|count| count.as_str().parse::<usize>().ok())
            .unwrap_or(0)
    };
    let pending = text::number_before(counts.get(3).map_or("", |rest| rest.as_str()), &["pending"]);
    if count(2) > failed {
        collector.miscounts("RSpec");
    }
    collector.unnamed_passed(count(1).saturating_sub(count(2) + pending));
    collector.ended(true);
    Some(collector.finish_text())
}

/// Whether the code that RSpec quotes is a hook.
pub(super) fn is_of_hook(message: &str) -> bool {
    ["before", "after", "around"].iter().any(|hook| {
        message
            .split_once("Failure/Error: ")
            .and_then(|(_, code)| code.strip_prefix(hook))
            .is_some_and(|rest| rest.starts_with(['(', ' ', '{']))
    })
}

/// `Failure/Error: code`, then either `SomeError:` and its message, or the message of an expectation.
fn of_block(message: &str) -> Outcome {
    if is_of_hook(message) {
        return Outcome::Inconclusive;
    }
    let raised = message.lines().find_map(|line| {
        line.trim()
            .strip_suffix(':')
            .filter(|kind| kind.ends_with("Error") || kind.ends_with("Exception"))
    });
    match raised {
        Some(kind) => {
            let words = message
                .split_once(&format!("{kind}:\n"))
                .map_or("", |(_, rest)| rest);
            cause::of_raised(kind, words)
        }
        None if cause::proves_nothing("", message) => Outcome::Inconclusive,
        None => Outcome::Failed(Cause::Assertion),
    }
}
