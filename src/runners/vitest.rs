//! vitest: the lines of our reporter, and its text.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::Way;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::junit::Dialect;
use super::formats::{ReadError, cause, text};
use super::project::node::listed_projects;
use crate::rules::verdict::Cause;
use crate::rules::verdict::{LoadError, Report, TestStatus};

pub(super) static RUNNER: Runner = Runner {
    programs: &["vitest", "vitest.mjs"],
    packages: &["vitest"],
    call: "vitest run",
    projects: |place| {
        let configs = ["vitest.config.", "vite.config."];
        listed_projects(place, &configs, "vitest.workspace.")
    },
    configs: &["vitest.config."],
    executors: &["vite"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[(
        "node/tcr-vitest-reporter.mjs",
        include_str!("reporters/tcr-vitest-reporter.mjs"),
    )],
    reports: &[("vitest-", &JSONL)],
    read_text,
    telling: &[r"^ RUN  v\d|^ *Test Files  +\d"],
    takes_aim: |_| true,
    filters: &["-t", "--testNamePattern", "--filter", "--watch"],
    junit: &JUNIT,
    proves_nothing: &[
        r"^(?:Test|Hook) timed out in \d",
        r"^Expect test to fail$",
        r"Unexpected \.only modifier",
    ],
    caches: &[".vitest"],
    watches: &["watch", "dev"],
    asked: "a reporter of ours, by `NODE_OPTIONS`",
    tried: Some("1.6 to 5.1"),
    ..Runner::named("vitest")
};

/// What its `junit` reporter writes.
static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "vitest tests",
    id: |ids, case, _| ids.joined([case.classname.as_str(), &case.name]),
    file: |case, _| &case.classname,
    is_load_error: |case, _| case.name == case.classname || case.classname == UNHANDLED,
    failure: |_, failure| {
        let kind = match failure.kind.as_str() {
            "" => "Error",
            kind => kind,
        };
        of_raised(kind, &failure.message)
    },
    finish: |report| {
        suites_are_no_tests(report);
        let mut errors = report.load_errors.iter();
        if let Some(at) = errors.position(|error| error.what == UNHANDLED) {
            let error = report.load_errors.remove(at);
            report.contradiction.get_or_insert(error.message);
        }
    },
    ..Dialect::KNOWN
};

const UNHANDLED: &str = "vitest unhandled errors";

/// It writes a failed suite like a test, next to the tests in it.
fn suites_are_no_tests(report: &mut Report) {
    let tests = std::mem::take(&mut report.tests);
    let mut failed: HashMap<&str, bool> = tests
        .iter()
        .filter(|test| matches!(test.status, TestStatus::Failed(_)))
        .map(|test| (test.id, false))
        .collect();
    for test in tests.iter() {
        for (at, _) in test.id.match_indices(" > ") {
            if let Some(has_tests) = test.id.get(..at).and_then(|outer| failed.get_mut(outer)) {
                *has_tests = true;
            }
        }
    }
    for test in tests.iter() {
        if failed.get(test.id) == Some(&true) {
            report.load_errors.push(LoadError {
                what: test.id.to_owned(),
                message: test.message.to_owned(),
                ..LoadError::default()
            });
        } else {
            report.tests.push(test);
        }
    }
}

static JSONL: Format = Format::own("vitest lines", |_, input| read(input));

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    file: Option<String>,
    path: Option<Vec<String>>,
    suite: Option<Vec<String>>,
    state: Option<String>,
    #[serde(deserialize_with = "lenient")]
    errors: Vec<Raised>,
    /// How the hooks of the test went, where the reporter says so.
    #[serde(deserialize_with = "lenient")]
    hooks: HashMap<String, Text>,
    /// How often it was tried again; nothing if it never began.
    retry: Option<u32>,
    load: Option<Vec<Raised>>,
    event: Option<String>,
    #[serde(deserialize_with = "lenient")]
    unhandled: Vec<Raised>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raised {
    name: Text,
    message: Text,
    /// The line of the test's file where it was raised.
    at: Option<u32>,
    /// The place of text that is no code.
    place: Option<Text>,
}

/// Reads the lines of our reporter.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut begun: Vec<String> = Vec::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        if let Some(event @ ("begin" | "ended")) = line.event.as_deref() {
            let file = line.file.unwrap_or_default();
            let id = format!("{file} > {}", line.path.unwrap_or_default().join(" > "));
            begun.retain(|running| *running != id);
            if event == "begin" {
                begun.push(id);
            }
            return;
        }
        if line.event.as_deref() == Some("end") {
            collector.ended(true);
            begun.clear();
            if let Some(error) = line.unhandled.first() {
                collector.contradiction(format!("unhandled error: {}", error.message.0));
            }
            return;
        }
        let file = line.file.unwrap_or_default();
        if let Some(load) = &line.load {
            let message = load.first().map_or("", |error| &error.message.0);
            let place = load.first().and_then(|error| error.place.as_ref());
            let all = place.map(|place| format!("{message}\n{}", place.0));
            collector.load_error_told(file, message, all.as_deref().unwrap_or(message));
        } else if let Some(suite) = &line.suite {
            let what = std::iter::once(file.as_str())
                .chain(suite.iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join(" > ");
            let message = line.errors.first().map_or("", |error| &error.message.0);
            collector.load_error(what, message);
        } else if let Some(path) = &line.path {
            let id = format!("{file} > {}", path.join(" > "));
            match line.state.as_deref() {
                Some("pass") => collector.test(&id, Some(&file), Outcome::Passed, ""),
                Some("fail") => {
                    // A hook that failed stays at `run`; next to an error of the test it does not matter.
                    let hook_failed = line.errors.len() <= 1
                        && line.hooks.values().any(|state| state.0 != "pass");
                    let outcome = if hook_failed {
                        Outcome::Inconclusive
                    } else {
                        of_errors(&line.errors)
                    };

                    let message = line
                        .errors
                        .first()
                        .map(|error| format!("{}: {}", error.name.0, error.message.0))
                        .unwrap_or_default();
                    let at = line.errors.first().and_then(|error| error.at);
                    let at = at.map(|at| (file.as_str(), at));
                    collector.test_at(&id, at, Some(&file), outcome, &message);
                }
                Some("skip" | "todo") => collector.test(&id, Some(&file), Outcome::Skipped, ""),
                // With `--bail` the tests after a failure never begin.
                Some("run") if line.retry.is_none() => collector.unknown(id),
                _ => collector.unfinished(id),
            }
        }
    })?;
    begun.into_iter().for_each(|id| collector.unfinished(id));
    Ok(collector.finish())
}

fn of_errors(errors: &[Raised]) -> Outcome {
    errors
        .iter()
        .map(|error| of_raised(&error.name.0, &error.message.0))
        .fold(Outcome::Inconclusive, Outcome::stronger)
}

/// Why a test failed, from a stack: asynchronous expectations raise plain errors, but from chai's object.
pub(super) fn of_stack(stack: &str) -> Outcome {
    let first_frame = stack
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("at "));
    if first_frame.is_some_and(|frame| frame.starts_with("_Assertion.")) {
        return Outcome::Failed(Cause::Assertion);
    }
    let (kind, words) = cause::leading_type(stack).unwrap_or(("Error", stack));
    of_raised(kind, words)
}

/// Some of vitest's own expectations raise plain errors.
pub(super) fn of_raised(kind: &str, message: &str) -> Outcome {
    static EXPECTATION: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^(?:Snapshot `.*` mismatched|expected (?:number of assertions to be|any number of assertion|at least one assertion))",
        )
    });
    if EXPECTATION.is_match(message) {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_raised(kind, message)
}

/// Reads the text of the default, verbose and agent reporters: the tree of files, suites and tests, the
/// sections of failures, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static FAIL: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^ *FAIL +(?:\|[^|]+\| +)?(.+?)(?: \[ .* \])?\s*$"));
    let has_counts = output
        .lines()
        .any(|line| line.trim_start().starts_with("Test Files  "));
    let no_files = output.contains("No test files found, exiting with code");
    let began = output.lines().any(|line| line.starts_with(" RUN  v"));
    if !(has_counts || no_files || began) {
        return None;
    }
    let mut collector = Collector::default();
    let mut tree = Tree::default();
    let mut in_suites = false;
    let mut counted = text::Scan::default();
    let mut failed_files = 0;
    let mut named = Vec::new();
    let mut named_passes = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.contains("⎯ Failed Suites ") {
            in_suites = true;
        } else if trimmed.contains("⎯ Failed Tests ") {
            in_suites = false;
        } else if trimmed.contains("⎯ Unhandled ") {
            collector.contradiction("vitest caught an unhandled error");
        } else if let Some(counts) = trimmed.strip_prefix("Test Files  ") {
            failed_files = text::number_before(counts, &["failed"]);
        } else if let Some(counts) = trimmed.strip_prefix("Tests  ") {
            counted.passed += text::number_before(counts, &["passed"]);
            counted.failed += text::number_before(counts, &["failed"]);
        } else if let Some(found) = FAIL.captures(line) {
            let what = found[1].to_owned();
            let message = lines
                .clone()
                .map(str::trim)
                .find(|line| !line.is_empty() && !line.starts_with("FAIL "))
                .unwrap_or_default();
            if named.contains(&what) {
                continue;
            }
            if in_suites || !what.contains(" > ") {
                collector.load_error(what.clone(), message);
            } else {
                let (kind, words) = cause::leading_type(message).unwrap_or(("Error", message));
                let file = what.split_once(" > ").map(|(file, _)| file.to_owned());
                collector.test(&what, file.as_deref(), of_raised(kind, words), message);
            }
            named.push(what);
        } else if let Some(passed) = tree.line(line) {
            let file = passed.split_once(" > ").map(|(file, _)| file.to_owned());
            collector.test(&passed, file.as_deref(), Outcome::Passed, "");
            named_passes += 1;
        }
    }
    collector.unnamed_passed(counted.passed.saturating_sub(named_passes));
    let named_tests = named.iter().filter(|what| what.contains(" > ")).count();
    if counted.failed > named_tests || (failed_files > 0 && named.is_empty()) {
        collector.miscounts("vitest");
    }
    collector.ended(has_counts || no_files);
    Some(collector.finish_text())
}

/// The tree that the default reporter draws, read for the tests that passed.
#[derive(Default)]
struct Tree {
    file: String,
    /// Suites that are open, with their indentation.
    suites: Vec<(usize, String)>,
}

impl Tree {
    /// The id of a test that passed, if the line is one.
    fn line(&mut self, line: &str) -> Option<String> {
        static NODE: LazyLock<Regex> = LazyLock::new(|| {
            text::regex(
                r"^( +)([✓×❯↓✗]) (?:\|[^|]+\| +)?(.+?)(?: \((\d+)(?: tests?)?(?: \|[^)]*)?\))?(?: \d+(?:\.\d+)?m?s)?(?: \(retry x\d+\)| \[.*\])?\s*$",
            )
        });
        let found = NODE.captures(line)?;
        let (indent, name) = (found[1].len(), found[3].to_owned());
        if found.get(4).is_some() {
            if indent <= 1 {
                self.file = name;
                self.suites.clear();
            } else {
                self.suites.retain(|(open, _)| *open < indent);
                self.suites.push((indent, name));
            }
            return None;
        }
        self.suites.retain(|(open, _)| *open < indent);
        if &found[2] != "✓" {
            return None;
        }
        if indent <= 1 && name.contains(" > ") {
            return Some(name);
        }
        if self.file.is_empty() || indent <= 1 {
            return None;
        }
        let mut id = self.file.clone();
        for (_, suite) in &self.suites {
            id.push_str(" > ");
            id.push_str(suite);
        }
        Some(format!("{id} > {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_never_began_are_unknown() {
        let failed = r#"{"file":"a.js","path":["bad"],"state":"fail","errors":[{"name":"AssertionError","message":"1"}],"retry":0}"#;
        let waiting = r#"{"file":"a.js","path":["next"],"state":"run","mode":"run"}"#;
        let begun = r#"{"file":"a.js","path":["hangs"],"state":"run","mode":"run","retry":0}"#;
        let end = r#"{"event":"end","unhandled":[]}"#;
        let next = vec!["a.js > next"];
        for (lines, unknown, unfinished) in [
            (vec![failed, waiting, end], next.clone(), vec![]),
            (vec![waiting, end], next.clone(), vec![]),
            (
                vec![failed, waiting, begun, end],
                next,
                vec!["a.js > hangs"],
            ),
        ] {
            let lines = lines.join("\n");
            let report = read(&mut lines.as_bytes()).expect("it is a report");
            assert_eq!(report.unfinished, unfinished, "{lines}");
            assert_eq!(report.unknown, unknown, "{lines}");
        }
    }
}
