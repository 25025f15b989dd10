//! Rust's own test harness: its log file, its JSON, and the text of `cargo test` around it.

use std::io::BufRead;

use serde::Deserialize;

use super::collect::{Collector, Outcome};
use super::json::Text;
use super::source::Lines;
use super::{ReadError, rust, text};
use crate::rules::verdict::Report;

mod block;
mod build_error;
mod cargo_text;

pub use cargo_text::with_rooted_cargo_headers;
pub(super) use cargo_text::{CargoText, with_cargo_names, with_cargo_text};

/// Reads a log file, of the test binary `binary`. It has no end: the text of cargo tells whether the
/// binary came to its own.
pub(super) fn read_log(binary: &str, input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line().map_err(ReadError::Io)? {
        if line.is_empty() {
            continue;
        }
        // `ok name`, `failed name`, `ignored name`, `ignored: the reason name`
        let (word, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
        let name = match word {
            "ignored" => rest.rsplit(' ').next().unwrap_or_default(),
            _ => rest,
        };
        let outcome = match word {
            "ok" => Outcome::Passed,
            "ignored" => Outcome::Skipped,
            "failed" => rust::of_panic(""),
            _ => {
                collector.contradiction("a line of a test log could not be read");
                continue;
            }
        };
        collector.test(&named(binary, name), None, outcome, "");
    }
    Ok(collector.finish())
}

fn named(binary: &str, name: &str) -> String {
    if binary.is_empty() {
        name.to_owned()
    } else {
        format!("{binary} > {name}")
    }
}

/// What a test that died printed may have the reason at its end, after long backtraces.
const STDOUT_BYTES: usize = 256 << 10;

#[derive(Deserialize)]
struct Line {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    stdout: Option<Text<STDOUT_BYTES>>,
    #[serde(default)]
    reason: Option<Text>,
    #[serde(default)]
    message: Option<Text>,
    /// Our target runner names the binary, and says how it ended.
    #[serde(default)]
    tcr: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    nextest: Option<serde::de::IgnoredAny>,
}

/// How the JSON of libtest and of nextest differ in the names of tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Harness {
    Libtest,
    Nextest,
}

/// Reads libtest's JSON, which what tests print is mixed with.
pub(super) fn read_json(harness: Harness, input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut lines = Lines::new(input);
    let mut binary = String::new();
    let mut open: Vec<String> = Vec::new();
    let (mut suites, mut ended) = (0_usize, 0_usize);
    let (mut any, mut other) = (false, false);
    while let Some(line) = lines.next_line().map_err(ReadError::Io)? {
        let Some(line) = event(line) else {
            other |= !line.trim().is_empty();
            continue;
        };
        any = true;
        if line.tcr.as_deref() == Some("binary") {
            let path = line.path.unwrap_or_default();
            path.rsplit(['/', '\\'])
                .next()
                .unwrap_or_default()
                .clone_into(&mut binary);
            continue;
        }
        let id = match harness {
            Harness::Libtest => named(&binary, &line.name),
            Harness::Nextest => nextest_name(&line.name),
        };
        match (line.kind.as_str(), line.event.as_str()) {
            ("suite", "started") => suites += 1,
            ("suite", "ok" | "failed") => {
                ended += 1;
                if harness == Harness::Nextest && line.nextest.is_some() {
                    // Ignored tests begin and never end.
                    continue;
                }
            }
            ("test", "started") => open.push(id),
            ("test", word) => {
                let id = close(&mut open, id, harness);
                let printed = line.stdout.unwrap_or_default().0;
                let outcome = match word {
                    "ok" => Outcome::Passed,
                    "ignored" => Outcome::Skipped,
                    "failed" if line.reason.is_some() => Outcome::Inconclusive,
                    // A process that died printed no panic, or one that could not be unwound.
                    "failed" if harness == Harness::Nextest && died(&printed) => {
                        Outcome::Inconclusive
                    }
                    "failed" => {
                        let more = line.message.unwrap_or_default().0;
                        rust::of_panic(&format!("{printed}{more}"))
                    }
                    "timeout" => continue,
                    _ => Outcome::Inconclusive,
                };
                let message = match rust::from_panic(&printed) {
                    "" if outcome == Outcome::Inconclusive => "its process died without a panic",
                    panic => panic,
                };
                collector.test(&id, None, outcome, message);
            }
            _ => {}
        }
    }
    if other && !any {
        return Err(ReadError::OtherFormat);
    }
    for id in open {
        if harness == Harness::Nextest && suites == ended {
            collector.test(&id, None, Outcome::Skipped, "");
        } else {
            collector.unfinished(id);
        }
    }
    collector.ended(any && suites == ended);
    Ok(collector.finish())
}

/// Takes a test that ended from those that began. nextest numbers the try that decided, `name#2`, and names
/// the test without it when it begins.
fn close(open: &mut Vec<String>, id: String, harness: Harness) -> String {
    let without_try = id
        .rsplit_once('#')
        .filter(|(_, number)| harness == Harness::Nextest && number.parse::<u32>().is_ok())
        .map(|(name, _)| name);
    let at = [Some(id.as_str()), without_try]
        .into_iter()
        .flatten()
        .find_map(|name| open.iter().position(|began| began == name));
    match at {
        Some(at) => open.swap_remove(at),
        None => id,
    }
}

/// The event in a line, which a test that prints without a line end may have begun.
fn event(line: &str) -> Option<Line> {
    let whole = serde_json::from_str::<Line>(line.trim());
    let line = whole.or_else(|error| {
        let at = line
            .find("{ \"type\": ")
            .or_else(|| line.find("{\"type\":"));
        at.and_then(|at| line.get(at..))
            .map_or(Err(error), serde_json::from_str)
    });
    line.ok()
        .filter(|line| !line.kind.is_empty() || line.tcr.is_some())
}

fn died(printed: &str) -> bool {
    // What a test returns is printed last; nothing else ends well without a panic.
    let returned = text::last_line(printed).starts_with("Error: ");
    !(printed.contains("panicked at ") || returned)
        || printed.contains("thread caused non-unwinding panic. aborting.")
        || printed.contains("panic in a destructor during cleanup")
}

/// `crate::binary$module::test`, where the binary is left out if it is the crate's own.
fn nextest_name(name: &str) -> String {
    let Some((binary, test)) = name.split_once('$') else {
        return name.to_owned();
    };
    let binary = match binary.split_once("::") {
        Some((package, own)) if package.replace('-', "_") == own.replace('-', "_") => package,
        _ => binary,
    };
    format!("{binary} > {test}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{Cause, TestStatus};

    fn nextest(lines: &[&str]) -> Report {
        let begun = r#"{"type":"suite","event":"started","test_count":1,"nextest":{}}"#;
        let ended = r#"{"type":"suite","event":"failed","passed":0,"failed":1,"nextest":{}}"#;
        let text = [&[begun], lines, &[ended]].concat().join("\n");
        read_json(Harness::Nextest, &mut text.as_bytes()).expect("its JSON")
    }

    #[test]
    fn a_test_that_was_tried_again_keeps_its_name() {
        let report = nextest(&[
            r#"{"type":"test","event":"started","name":"b::it$flaky"}"#,
            r#"{"type":"test","event":"started","name":"b::it$row#1"}"#,
            r#"{"type":"test","event":"ok","name":"b::it$flaky#2"}"#,
            r#"{"type":"test","event":"ok","name":"b::it$row#1"}"#,
        ]);
        let passed = TestStatus::Passed;
        assert_eq!(
            report.tests.statuses(),
            [("b::it > flaky", passed), ("b::it > row#1", passed)]
        );
        assert!(report.unfinished.is_empty());
    }

    #[test]
    fn an_error_that_a_test_returns_is_a_failure() {
        let report = nextest(&[
            r#"{"type":"test","event":"started","name":"b::it$reads"}"#,
            r#"{"type":"test","event":"failed","name":"b::it$reads","stdout":"reading\nError: NotFound\n"}"#,
        ]);
        let test = report.tests.get(0).expect("a test");
        assert_eq!(test.status, TestStatus::Failed(Cause::Error));
        assert!(!test.inconclusive);
    }

    #[test]
    fn a_process_that_died_is_told_of() {
        let report = nextest(&[
            r#"{"type":"test","event":"started","name":"b::it$dies"}"#,
            r#"{"type":"test","event":"failed","name":"b::it$dies","stdout":""}"#,
        ]);
        let test = report.tests.get(0).expect("a test");
        assert_eq!(test.status, TestStatus::Failed(Cause::Error));
        assert!(test.inconclusive);
        assert_eq!(test.message, "its process died without a panic");
    }
}
