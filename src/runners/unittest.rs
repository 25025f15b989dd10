//! Python's `unittest`: the lines of our hook, and its text.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::Way;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::{ReadError, cause, text};
use super::project::python::{interpreter, python, test_files, test_runner};
use super::project::{Offer, Place, Strength};
use super::{pytest, trial};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    programs: &["unittest"],
    subcommands: &[("manage.py", "test"), ("setup.py", "test")],
    scripts: &[("python", "unittest")],
    ask: |asking| Some(Way::default().python_hook(asking.home)),
    reports: &[("unittest-", &JSONL)],
    read_text,
    telling: &[r"^Ran \d+ tests? in \d+\.\d+s$"],
    takes_aim: |_| true,
    detect,
    proves_nothing: &[r"^Unexpected success$"],
    known_by: "`python -m unittest`, scripts that name it",
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("Python 3.11"),
    ..Runner::named("unittest")
};

/// Where nothing speaks for pytest, which runs these tests, too.
fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    if pytest::spoken_for(place, &project).is_some() {
        return;
    }
    let run = test_runner(place, &project);
    let python3 = interpreter(place, &run);
    if place.exists("manage.py") {
        let command = format!("{run}{python3} manage.py test");
        let strength = Strength::Configured;
        out.push(python(strength, command, "`manage.py`", "manage.py"));
    } else if let Some((file, arguments)) = found(place) {
        if trial::is_for(place, &file) {
            return;
        }
        let command = format!("{run}{python3} -m unittest{arguments}");
        let why = format!("`{file}`, and pytest is not mentioned anywhere");
        out.push(python(Strength::Default, command, why, &file));
    }
}

/// A test file for unittest, and the arguments that make unittest find it.
pub(super) fn found(place: &Place<'_>) -> Option<(String, String)> {
    // Its own search knows only names that start with `test`.
    let starts = |file: &String| {
        file.rsplit('/')
            .next()
            .is_some_and(|n| n.starts_with("test"))
    };
    let file = test_files(place).into_iter().find(starts)?;
    // Only packages are searched from where it starts.
    let mut start = file.rsplit_once('/').map_or("", |(dir, _)| dir);
    while !start.is_empty() && place.exists(&format!("{start}/__init__.py")) {
        start = start.rsplit_once('/').map_or("", |(dir, _)| dir);
    }
    let arguments = match start {
        "" => String::new(),
        _ => format!(" discover -s {start}"),
    };
    Some((file, arguments))
}

pub(super) static JSONL: Format = Format::own("unittest lines", |_, input| read(input));

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    id: Option<String>,
    /// The file of its class.
    file: Option<String>,
    status: Option<String>,
    error: Option<Text>,
    message: Option<Text>,
    /// It was raised by the set-up or tear-down, where the reporter says so.
    #[serde(deserialize_with = "lenient")]
    setup: bool,
    /// The file and the line where it failed.
    #[serde(deserialize_with = "lenient")]
    at: Option<(String, u32)>,
    #[serde(rename = "type")]
    kind: Option<String>,
    event: Option<String>,
}

/// Whether a test of this type stands for a module that could not be loaded; the last two are those of
/// Python before 3.5.
fn is_failed_load(kind: &str) -> bool {
    matches!(
        kind,
        "_FailedTest" | "ModuleImportFailure" | "LoadTestsFailure"
    )
}

/// A test whose results are not all there yet: its parts, its body and its tear-down say one each.
struct Test {
    id: String,
    file: Option<String>,
    outcome: Outcome,
    message: String,
    at: Option<(String, u32)>,
}

impl Test {
    fn also(&mut self, outcome: Outcome, message: String) {
        let is_worse = outcome.is_failure() && !self.outcome.is_failure();
        if is_worse || self.outcome == Outcome::Passed {
            self.message = message;
            self.outcome = outcome;
        } else if outcome.is_failure() {
            self.outcome = self.outcome.stronger(outcome);
        }
    }
}

/// Reads the lines of our hook. Subtests belong to their test.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut test: Option<Test> = None;
    let mut ended = false;
    // A test that began last and did not end; one at a time, as unittest runs them.
    let mut begun: Option<String> = None;
    each_own_line(input, &mut collector, |collector, line: Line| {
        ended = line.event.as_deref() == Some("finished");
        if line.event.as_deref() == Some("begin") {
            take(collector, &mut test);
            begun = line.id;
            return;
        }
        let (Some(id), Some(status)) = (line.id, line.status) else {
            return;
        };
        begun = None;
        let raised = line.error.unwrap_or_default().0;
        let message = line.message.unwrap_or_default().0;
        let outcome = match of_status(&status, &raised, &message) {
            outcome if outcome.is_failure() && line.setup => Outcome::Inconclusive,
            outcome => outcome,
        };
        let message = if message.is_empty() { raised } else { message };
        if line.kind.as_deref().is_some_and(is_failed_load) {
            let module = id.rsplit('.').next().unwrap_or(&id).to_owned();
            let last = text::last_line(&message).trim();
            collector.load_error_told(module, last, &message);
        } else if line.kind.as_deref() == Some("_ErrorHolder") {
            collector.load_error(id, &message);
        } else if let Some(known) = test.as_mut().filter(|known| known.id == id) {
            if !known.outcome.is_failure() {
                known.at = line.at;
            }
            known.also(outcome, message);
        } else {
            take(collector, &mut test);
            test = Some(Test {
                id,
                file: line.file,
                outcome,
                message,
                at: line.at,
            });
        }
    })?;
    take(&mut collector, &mut test);
    if let (Some(id), false) = (begun, ended) {
        collector.unfinished(id);
    }
    collector.ended(ended);
    Ok(collector.finish())
}

fn take(collector: &mut Collector, test: &mut Option<Test>) {
    if let Some(test) = test.take() {
        let file = test.file.as_deref();
        let at = test.at.as_ref().map(|(at, line)| (at.as_str(), *line));
        collector.test_at(&test.id, at, file, test.outcome, &test.message);
    }
}

fn of_status(status: &str, raised: &str, message: &str) -> Outcome {
    match status {
        "passed" => Outcome::Passed,
        "skipped" | "xfail" => Outcome::Skipped,
        "failed" => Outcome::Failed(Cause::Assertion),
        "error" => match cause::of_raised(raised, message) {
            // An error is never an assertion, whatever its name.
            Outcome::Failed(Cause::Assertion) => Outcome::Failed(Cause::Error),
            outcome => outcome,
        },
        _ => Outcome::Inconclusive,
    }
}

/// Reads unittest's text: the names that `-v` prints, the blocks of failures, the last lines.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^Ran (\d+) tests? in [\d.]+s\s*$"));
    static VERBOSE: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^(\w+) \(([\w.]+)\)(?:\n.*?)? \.\.\. (ok|skipped .*|expected failure|unexpected success)$",
        )
    });
    static BLOCK: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^={70}\n(FAIL|ERROR): (.+?)(?: \[.*\])?\n"));
    let ran: usize = RAN
        .captures_iter(output)
        .filter_map(|found| found[1].parse::<usize>().ok())
        .sum();
    let ended = RAN.is_match(output);
    if !ended && !BLOCK.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    let mut seen = 0;
    for found in VERBOSE.captures_iter(output) {
        let outcome = match &found[3] {
            "ok" => Outcome::Passed,
            "unexpected success" => Outcome::Inconclusive,
            _ => Outcome::Skipped,
        };
        seen += 1;
        collector.test(&dotted(&found[1], &found[2]), None, outcome, "");
    }
    let mut failing: Vec<(String, Outcome, String)> = Vec::new();
    for found in BLOCK.captures_iter(output) {
        let rest = found
            .get(0)
            .and_then(|all| output.get(all.end()..))
            .unwrap_or_default();
        let message = trace_end(rest);
        let (name, place) = match found[2].split_once(" (") {
            Some((name, place)) => (name, place.split(')').next().unwrap_or_default()),
            None => (&found[2], ""),
        };
        if matches!(
            name,
            "setUpClass" | "tearDownClass" | "setUpModule" | "tearDownModule"
        ) {
            collector.load_error(format!("{name} ({place})"), message);
        } else if (place
            .strip_prefix("unittest.loader.")
            .or(place.strip_prefix("nose2.loader.")))
        .is_some_and(|kind| is_failed_load(kind.split('.').next().unwrap_or(kind)))
        {
            collector.load_error(name, message);
        } else {
            let raised = cause::leading_type(message).map_or("Exception", |(kind, _)| kind);
            let status = if &found[1] == "FAIL" {
                "failed"
            } else {
                "error"
            };
            let outcome = if is_of_fixture(rest) {
                Outcome::Inconclusive
            } else {
                of_status(status, raised, message)
            };
            let id = dotted(name, place);
            match failing.iter_mut().find(|known| known.0 == id) {
                Some(known) => known.1 = known.1.stronger(outcome),
                None => failing.push((id, outcome, message.to_owned())),
            }
        }
    }
    seen += failing.len();
    for (id, outcome, message) in failing {
        collector.test(&id, None, outcome, &message);
    }
    let last = text::last_line(output);
    let skipped =
        text::number_after(output, "skipped=") + text::number_after(output, "expected failures=");
    if output.contains("unexpected successes=") {
        collector.contradiction(format!(
            "a test that was expected to fail passed: {}",
            last.trim()
        ));
    }
    let skipped_unnamed = if VERBOSE.is_match(output) { 0 } else { skipped };
    collector.unnamed_passed(ran.saturating_sub(seen + skipped_unnamed));
    collector.ended(ended);
    Some(collector.finish_text())
}

/// Whether the first frame of a traceback is the set-up or tear-down of the test.
fn is_of_fixture(trace: &str) -> bool {
    trace
        .lines()
        .find(|line| line.starts_with("  File "))
        .is_some_and(|frame| frame.ends_with(", in setUp") || frame.ends_with(", in tearDown"))
}

/// `test_x (mod.Case.test_x)` of Python 3.11, `test_x (mod.Case)` before.
fn dotted(name: &str, place: &str) -> String {
    if place.ends_with(&format!(".{name}")) {
        place.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

/// The line of a traceback that says what was raised, and what follows it.
fn trace_end(block: &str) -> &str {
    let block = block
        .find("\n======")
        .or_else(|| block.find("\n------\n"))
        .and_then(|end| block.get(..end))
        .unwrap_or(block);
    let mut start = 0;
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        if line.starts_with(char::is_alphabetic) && cause::leading_type(line).is_some() {
            start = at;
            break;
        }
        at += line.len();
    }
    block.get(start..).unwrap_or(block).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed, Skipped};

    #[test]
    fn all_that_is_said_of_a_test_is_one_result() {
        let begin = |id: &str| format!("{{\"event\":\"begin\",\"id\":\"{id}\"}}\n");
        let failed = r#""status":"failed","error":"AssertionError""#;
        let torn_down = r#""status":"error","error":"RuntimeError","setup":true"#;
        let lines = [
            // the body and the tear-down fail
            begin("a"),
            format!("{{\"id\":\"a\",{failed}}}\n{{\"id\":\"a\",{torn_down}}}\n"),
            // a part and the tear-down fail
            begin("b"),
            format!("{{\"id\":\"b\",\"sub\":\"(i=1)\",{failed}}}\n{{\"id\":\"b\",{torn_down}}}\n"),
            // one part passes, one is skipped
            begin("c"),
            "{\"id\":\"c\",\"sub\":\"(i=1)\",\"status\":\"passed\"}\n".to_owned(),
            "{\"id\":\"c\",\"sub\":\"(i=2)\",\"status\":\"skipped\"}\n".to_owned(),
            // all parts pass, and so does the test
            begin("d"),
            "{\"id\":\"d\",\"sub\":\"(i=1)\",\"status\":\"passed\"}\n".to_owned(),
            "{\"id\":\"d\",\"status\":\"passed\"}\n".to_owned(),
            // the same once more
            begin("d"),
            "{\"id\":\"d\",\"status\":\"passed\"}\n".to_owned(),
            "{\"event\":\"finished\"}\n".to_owned(),
        ];
        let report = read(&mut lines.concat().as_bytes()).expect("lines of our hook");
        assert_eq!(
            report.tests.statuses(),
            [
                ("a", Failed(Cause::Assertion)),
                ("b", Failed(Cause::Assertion)),
                ("c", Skipped),
                ("d", Passed),
                ("d", Passed),
            ]
        );
    }

    #[test]
    fn a_module_that_old_versions_could_not_load_is_no_failing_test() {
        let line = r#"{"id":"unittest.loader.ModuleImportFailure.test_a","status":"error",
            "type":"ModuleImportFailure","message":"ImportError: no"}"#;
        let lines = format!("{}\n{{\"event\":\"finished\"}}\n", line.replace('\n', ""));
        let read = read(&mut lines.as_bytes()).expect("lines of our hook");
        let text = "======================================================================\n\
            ERROR: test_a (unittest.loader.ModuleImportFailure)\n\
            ----------------------------------------------------------------------\n\
            ImportError: no\n\n\
            ----------------------------------------------------------------------\n\
            Ran 1 test in 0.000s\n\nFAILED (errors=1)\n";
        let told = read_text(text).and_then(Told::alone).expect("its output");
        for report in [read, told] {
            assert_eq!(report.load_errors[0].what, "test_a");
            assert!(report.tests.is_empty(), "{report:?}");
        }
    }
}
