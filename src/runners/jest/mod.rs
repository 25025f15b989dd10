//! Jest: our reporter's lines, its JSON (which vitest writes too), and its text.

use std::collections::HashSet;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::Way;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::junit::{Dialect, relative};
use super::formats::{ReadError, cause, text};
use super::project::node::{listed_projects, project_folder};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;
use serde_json::Value;

pub(super) static RUNNER: Runner = Runner {
    programs: &["jest", "jest.js"],
    subcommands: &[
        ("react-scripts", "test"),
        ("craco", "test"),
        ("react-app-rewired", "test"),
    ],
    packages: &["jest", "jest-cli", "react-scripts"],
    lists_only: &["--listTests"],
    call: "jest",
    projects: |place| {
        let package = place.json("package.json").unwrap_or_default();
        let listed = package["jest"]["projects"].as_array();
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        let mut projects: Vec<String> = listed.map(project_folder).collect();
        projects.extend(listed_projects(place, &["jest.config."], ""));
        projects
    },
    configs: &["jest.config."],
    executors: &["jest"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[
        (
            "node/tcr-jest-filter.cjs",
            include_str!("../reporters/tcr-jest-filter.cjs"),
        ),
        (
            "node/tcr-jest-reporter.cjs",
            include_str!("../reporters/tcr-jest-reporter.cjs"),
        ),
    ],
    reports: &[("jest-", &JSONL)],
    documents: &[&document::JSON],
    read_text,
    telling: &[r"^Test Suites: |^No tests found, exiting with code "],
    takes_aim: |_| true,
    filters: &["-t", "--testNamePattern", "--filter", "--watch"],
    junit: &JUNIT,
    proves_nothing: &[
        r"^(?:thrown: )?.?Exceeded timeout of \d",
        r"^A jest worker process .* (?:was terminated|crashed)",
        r"^Failing test passed even though it was supposed to fail",
    ],
    nothing_ran: &[r"^● Unrecognized CLI Parameter"],
    assertions: &["JestAssertionError"],
    asked: "a reporter of ours, by `NODE_OPTIONS`",
    tried: Some("30"),
    ..Runner::named("jest")
};

/// What jest-junit writes.
static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "jest tests",
    id: |ids, case, _| ids.joined([relative(&case.file), case.name.trim()]),
    failure: |_, failure| of_messages(&[failure.text.as_str()]),
    ..Dialect::KNOWN
};

static JSONL: Format = Format::own("jest lines", |_, input| read(input));

pub(super) mod document;

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
    let mut begun: Vec<(String, String)> = Vec::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        match line.event.as_deref() {
            Some("file") => open.extend(line.file),
            Some("begin") => {
                let file = line.file.unwrap_or_default();
                let id = format!("{file} > {}", line.path.unwrap_or_default().join(" > "));
                begun.push((file, id));
            }
            Some("end") => collector.ended(true),
            Some(_) => {}
            None => {
                let Some(file) = line.file else { return };
                if line.live {
                    let id = format!("{file} > {}", line.path.unwrap_or_default().join(" > "));
                    begun.retain(|(_, running)| *running != id);
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
        let running = begun.iter().filter(|(of, _)| *of == file);
        let running: Vec<String> = running.map(|(_, id)| id.clone()).collect();
        match running.is_empty() {
            true => collector.unfinished(file),
            false => running.into_iter().for_each(|id| collector.unfinished(id)),
        }
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
    let begins = |start: &str| output.lines().any(|line| line.starts_with(start));
    if !begins("Test Suites: ") && !begins("No tests found, exiting with code") {
        return None;
    }
    let mut reader = TextReader::default();
    reader.read(output);
    let TextReader {
        mut collector,
        failed,
        passed,
        ..
    } = reader;
    if let Some(counts) = output
        .lines()
        .find_map(|line| line.strip_prefix("Tests:       "))
    {
        collector.unnamed_passed(text::number_before(counts, &["passed"]).saturating_sub(passed));
        if text::number_before(counts, &["failed"]) > failed.len() {
            collector.miscounts("Jest");
        }
    }
    collector.ended(true);
    Some(collector.finish_text())
}

static FILE: LazyLock<Regex> = LazyLock::new(|| {
    text::regex(
        r"^ ?(?:PASS|FAIL) {1,2}(?:\S+ )??((?:\./)?\S.*?)(?: \([\d.]+ m?s\))?(?: \([\d.]+ MB.*\))?$",
    )
});
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| text::regex(r"^( +)([✓✕○✎]) (.+?)(?: \([\d.]+ m?s\))?$"));

/// Where the reader of the text is.
#[derive(Default)]
struct TextReader {
    collector: Collector,
    file: String,
    /// The suites around the next test of the list, and how far each is indented.
    suites: Vec<(usize, String)>,
    failed: HashSet<String>,
    /// How many tests of the list passed.
    passed: usize,
}

impl TextReader {
    fn read(&mut self, output: &str) {
        let mut lines = output.lines().peekable();
        while let Some(line) = lines.next() {
            if line.starts_with("Summary of all failing tests") {
                // The failures once more.
                break;
            }
            if let Some(found) = FILE.captures(line) {
                self.file = found[1].trim_start_matches("./").to_owned();
                self.suites.clear();
            } else if let Some(found) = LISTED.captures(line) {
                self.leave_suites(found[1].len());
                self.take_listed(&found[2], &found[3]);
            } else if let Some(title) = line.strip_prefix("  ● ") {
                let block: Vec<&str> = lines
                    .clone()
                    .take_while(|line| line.is_empty() || line.starts_with("    "))
                    .collect();
                self.take_failure(title, &block.join("\n"));
            } else if !self.file.is_empty()
                && is_suite(line)
                && lines.peek().is_some_and(|next| LISTED.is_match(next))
            {
                let indent = line.len() - line.trim_start().len();
                self.leave_suites(indent);
                self.suites.push((indent, line.trim().to_owned()));
            }
        }
    }

    /// Leaves the suites that something so far indented is not in.
    fn leave_suites(&mut self, indent: usize) {
        self.suites.retain(|(open, _)| *open < indent);
    }

    fn take_listed(&mut self, sign: &str, title: &str) {
        let suites = self.suites.iter().map(|(_, suite)| suite.as_str());
        let path: Vec<&str> = std::iter::once(self.file.as_str())
            .chain(suites)
            .chain([title])
            .collect();
        let id = path.join(" > ");
        match sign {
            "✓" => {
                self.passed += 1;
                self.collector
                    .test(&id, Some(&self.file), Outcome::Passed, "");
            }
            "○" | "✎" => {
                let id = id
                    .replacen(" > skipped ", " > ", 1)
                    .replacen(" > todo ", " > ", 1);
                self.collector
                    .test(&id, Some(&self.file), Outcome::Skipped, "");
            }
            // What failed is told in a block of its own.
            _ => {}
        }
    }

    fn take_failure(&mut self, title: &str, block: &str) {
        if title.trim_start().starts_with("process.exit called with ") {
            self.collector.contradiction(title.trim().to_owned());
            return;
        }
        if title == "Test suite failed to run" {
            self.collector
                .load_error(self.file.clone(), first_words(block));
            return;
        }
        let id = format!("{} > {}", self.file, title.replace(" › ", " > "));
        if self.failed.insert(id.clone()) {
            let outcome = of_message(&undented(block));
            self.collector
                .test(&id, Some(&self.file), outcome, block.trim());
        }
    }
}

/// Whether a line may be the title of a suite.
fn is_suite(line: &str) -> bool {
    let signs = ['✓', '✕', '○', '✎', '●', '|', '>', '+', '-'];
    line.starts_with("  ") && !line.trim_start().starts_with(signs)
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
