//! nextest: its text; its reports are JUnit XML and libtest's JSON.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::{Asking, Way};
use super::cargo_test::CargoText;
use super::command::Sign;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::Text;
use super::formats::junit::Dialect;
use super::formats::source::Lines;
use super::formats::{ReadError, text};
use super::project::Offer;
use super::rust::{self, Cargo, aim::CargoAim};
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    programs: &["cargo-nextest"],
    sign: |look| Sign::sure_if(rust::run_by(look) == Some(Cargo::Nextest)),
    ask: |asking| Some(ask(asking)),
    ours: &["unexpected argument '--config'"],
    reports: &[("nextest-", &JSON)],
    read_text,
    telling: &[r"^ +Nextest run ID |cargo test --no-run --message-format json-render-diagnostics"],
    hides: &["cargo test"],
    settle: rust::settle,
    takes_aim: |_| true,
    filters: &["-E", "--filter-expr", "--filterset"],
    junit: &JUNIT,
    detect: |place, out| {
        const CONFIG: &str = ".config/nextest.toml";
        let is_there = place.exists(CONFIG) && (place.has_program)("cargo-nextest");
        if let Some(all) = rust::all_targets(place).filter(|_| is_there) {
            let command = format!("cargo nextest run{all}");
            out.push(Offer::configured("rust", command, CONFIG));
        }
    },
    known_by: "`cargo nextest`",
    asked: "libtest's JSON, by a `cargo-nextest` of ours on PATH",
    tried: Some("0.9"),
    ..Runner::named("nextest")
};

/// What its profiles can write.
static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "nextest-run",
    id: |ids, case, _| ids.joined([case.classname.as_str(), &case.name]),
    is_load_error: |case, _| case.classname.starts_with("@setup-script:"),
    failure: |_, failure| match failure.kind.starts_with("test failure") {
        true => rust::of_panic(failure.words()),
        false => Outcome::Inconclusive,
    },
    ..Dialect::KNOWN
};

static JSON: Format = Format::own("nextest JSON", |_, input| read(input));

fn ask(asking: &Asking<'_>) -> Way {
    let shim = include_str!("reporters/shims/cargo-nextest");
    let way = Way::default().shim(asking.home, "shims/cargo-nextest", shim);
    match asking.aim.map(|aim| CargoAim::of(aim, asking.found)) {
        Some(aim) => way
            .file("aim/cargo/targets", &aim.targets())
            .file("aim/cargo/filterset", &aim.filterset()),
        None => way,
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
}

/// Reads libtest's JSON, which what tests print is mixed with.
fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut lines = Lines::new(input);
    let mut open: Vec<String> = Vec::new();
    let (mut suites, mut ended) = (0_usize, 0_usize);
    let (mut any, mut other) = (false, false);
    while let Some(line) = lines.next_line().map_err(ReadError::Io)? {
        let Some(line) = event(line) else {
            other |= !line.trim().is_empty();
            continue;
        };
        any = true;
        let id = name_of(&line.name);
        match (line.kind.as_str(), line.event.as_str()) {
            ("suite", "started") => suites += 1,
            ("suite", "ok" | "failed") => {
                ended += 1;
            }
            ("test", "started") => open.push(id),
            ("test", word) => {
                let id = close(&mut open, id);
                let printed = line.stdout.unwrap_or_default().0;
                let outcome = match word {
                    "ok" => Outcome::Passed,
                    "ignored" => Outcome::Skipped,
                    "failed" if line.reason.is_some() => Outcome::Inconclusive,
                    // A process that died printed no panic, or one that could not be unwound.
                    "failed" if died(&printed) => Outcome::Inconclusive,
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
        if suites == ended {
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
fn close(open: &mut Vec<String>, id: String) -> String {
    let without_try = id
        .rsplit_once('#')
        .filter(|(_, number)| number.parse::<u32>().is_ok())
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
    line.ok().filter(|line| !line.kind.is_empty())
}

fn died(printed: &str) -> bool {
    // What a test returns is printed last; nothing else ends well without a panic.
    let returned = text::last_line(printed).starts_with("Error: ");
    !(printed.contains("panicked at ") || returned)
        || printed.contains("thread caused non-unwinding panic. aborting.")
        || printed.contains("panic in a destructor during cleanup")
}

/// `crate::binary$module::test`, where the binary is left out if it is the crate's own.
fn name_of(name: &str) -> String {
    let Some((binary, test)) = name.split_once('$') else {
        return name.to_owned();
    };
    let binary = match binary.split_once("::") {
        Some((package, own)) if package.replace('-', "_") == own.replace('-', "_") => package,
        _ => binary,
    };
    format!("{binary} > {test}")
}

/// Reads nextest's text: a status line for each test, what the failed ones printed, the summary.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static STATUS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^ *(?:TRY \d+ )?(PASS|FAIL|ABORT|SIG[A-Z]+|TIMEOUT|LEAK|LEAK-FAIL|FLAKY \d+/\d+|FLKY-FL \d+/\d+|XFAIL|EXECFAIL|TMT|SETUP FAIL|SETUP PASS) \[ *>? *[\d.]+s\] (?:\(.*?\) )?(\S+) (.+)$",
        )
    });
    static SUMMARY: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^ *Summary \[ *[\d.]+s\] ([\d/]+) tests? run: (.*)$"));
    let began = output
        .lines()
        .any(|line| line.trim_start().starts_with("Nextest run ID "));
    let cargo = CargoText::read(output);
    if !began {
        // It did not get beyond the build.
        let is_ours =
            output.contains("cargo test --no-run --message-format json-render-diagnostics");
        return is_ours.then(|| cargo.map_or_else(Told::default, |cargo| cargo.report()));
    }
    let mut collector = Collector::default();
    let mut ended = false;
    let mut last_try: Vec<(String, Outcome, String)> = Vec::new();
    let mut printed = String::new();
    for line in output.lines() {
        if let Some(found) = SUMMARY.captures(line) {
            ended = !found[1].contains('/');
            flush(&mut last_try, &mut printed);
            break;
        }
        let Some(found) = STATUS.captures(line) else {
            if printed.len() < PRINTED {
                printed.push_str(line.strip_prefix("    ").unwrap_or(line));
                printed.push('\n');
            }
            continue;
        };
        flush(&mut last_try, &mut printed);
        if found[1].starts_with("SETUP") {
            if &found[1] == "SETUP FAIL" {
                collector.load_error(
                    format!("setup script {}", found[2].trim_end_matches(':')),
                    &found[3],
                );
            }
            continue;
        }
        let id = format!("{} > {}", &found[2], &found[3]);
        let outcome = match &found[1] {
            "PASS" | "LEAK" => Outcome::Passed,
            // Why is told by what follows.
            "FAIL" => rust::of_panic(""),
            word if word.starts_with("FLAKY") => Outcome::Passed,
            _ => Outcome::Inconclusive,
        };
        last_try.retain(|(known, _, _)| *known != id);
        last_try.push((id, outcome, String::new()));
    }
    for (id, outcome, message) in last_try {
        let outcome = match outcome {
            Outcome::Failed(_) if left(&message) => Outcome::Inconclusive,
            Outcome::Failed(_) => rust::of_panic(&message),
            outcome => outcome,
        };
        collector.test(&id, None, outcome, rust::from_panic(&message));
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

/// How much is kept of what a test printed.
const PRINTED: usize = super::formats::collect::MESSAGE_BYTES * 4;

/// Whether the process of a test left in the midst of it: the harness began and did not end.
fn left(printed: &str) -> bool {
    printed.len() < PRINTED
        && printed.contains("running 1 test\n")
        && !printed.contains("test result: FAILED")
        && !printed.contains("panicked at ")
}

/// Gives what was printed to the test whose status line came before it.
fn flush(tests: &mut [(String, Outcome, String)], printed: &mut String) {
    let text = std::mem::take(printed);
    if let Some((_, Outcome::Failed(_), message)) = tests.last_mut() {
        *message = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{Cause, TestStatus};

    #[test]
    fn a_process_that_left_in_a_test_is_no_failing_test() {
        let text = |printed: &str| {
            format!(
                " Nextest run ID 131869c3 with nextest profile: default\n    Starting 1 test across 1 binary\n        \
                FAIL [   0.014s] (1/1) demo::it z\n  stdout ───\n\n    running 1 test\n{printed}\n\
                ────────────\n     Summary [   0.015s] 1 test run: 0 passed, 1 failed, 0 skipped\n        \
                FAIL [   0.014s] (1/1) demo::it z\nerror: test run failed\n"
            )
        };
        let ended = "    test z ... FAILED\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored\n    Error: \"x\"\n";
        for (printed, left) in [
            ("    (test failed with exit code 1)\n", true),
            (ended, false),
        ] {
            let report = read_text(&text(printed)).and_then(Told::alone);
            let report = report.expect("its text");
            let test = report.tests.get(0).expect("a test");
            assert_eq!(test.inconclusive, left, "{report:?}");
        }
    }

    fn nextest(lines: &[&str]) -> Report {
        let begun = r#"{"type":"suite","event":"started","test_count":1,"nextest":{}}"#;
        let ended = r#"{"type":"suite","event":"failed","passed":0,"failed":1,"nextest":{}}"#;
        let text = [&[begun], lines, &[ended]].concat().join("\n");
        read(&mut text.as_bytes()).expect("its JSON")
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
