//! `dotnet test`: the TRX that its own logger writes for each project, and what the compiler says.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::sync::LazyLock;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use regex::Regex;

use super::Runner;
use super::ask::Way;
use super::formats::collect::{Collector, MESSAGE_BYTES, Outcome, Told, cut};
use super::formats::{Format, ReadError, cause, text};
use super::project::{Offer, Place};
use crate::rules::verdict::{Cause, Report};

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("dotnet", "test")],
    lists_only: &["-t", "--list-tests"],
    ask: |asking| {
        let shim = include_str!("reporters/shims/dotnet");
        let way = Way::default().shim(asking.home, "shims/dotnet", shim);
        asking.found.is_by_name().then_some(way)
    },
    ours: &["--results-directory", "git-tcr.trx"],
    reports: &[("dotnet", &TRX)],
    detect,
    read_text,
    assertions: &[
        "Xunit.Sdk.",
        "NUnit.Framework.AssertionException",
        "Shouldly.Should",
    ],
    caches: &["bin", "obj"],
    no_daemon: Some(("MSBUILDDISABLENODEREUSE", "1")),
    asked: "TRX, by a `dotnet` of ours on PATH; by its documentation, never tried",
    ..Runner::named(".NET")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let named = |ends: &[&str]| -> Vec<String> {
        let names = place.list("").into_iter();
        names
            .filter(|name| ends.iter().any(|end| name.ends_with(end)))
            .collect()
    };
    let solutions = named(&[".sln", ".slnx"]);
    let projects = named(&[".csproj", ".fsproj", ".vbproj"]);
    let Some(file) = solutions.first().or(projects.first()) else {
        return;
    };
    let language = match projects
        .first()
        .is_some_and(|name| name.ends_with(".fsproj"))
    {
        true => "fsharp",
        false => "csharp",
    };
    // With more than one to choose from, `dotnet test` refuses.
    let command = match solutions.len() + projects.len() {
        1 => "dotnet test".to_owned(),
        _ if file.contains([' ', '\'']) => format!("dotnet test \"{file}\""),
        _ => format!("dotnet test {file}"),
    };
    out.push(Offer::by_default(language, command, file));
}

/// What `--logger trx` writes.
static TRX: Format = Format::of("TRX", |_, input| read(input));

/// A `<UnitTestResult>`.
#[derive(Default)]
struct Result {
    id: String,
    name: String,
    outcome: String,
    message: String,
    stack: String,
}

/// Reads TRX. The class of a test stands behind the results, in its definition.
fn read(input: &mut dyn BufRead) -> std::result::Result<Report, ReadError> {
    let mut reader = Reader::from_reader(BufReader::new(input));
    let mut collector = Collector::default();
    let (mut results, mut classes) = (Vec::<Result>::new(), HashMap::<String, String>::new());
    let (mut definition, mut words, mut problem) = (String::new(), String::new(), String::new());
    let (mut is_trx, mut whole) = (false, false);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let event = reader.read_event_into(&mut bytes);
        let Ok(event) = event else { break };
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                words.clear();
                match name(tag).as_str() {
                    "TestRun" => is_trx = true,
                    "UnitTestResult" => results.push(Result {
                        id: attribute(tag, "testId"),
                        name: attribute(tag, "testName"),
                        outcome: attribute(tag, "outcome"),
                        ..Result::default()
                    }),
                    "UnitTest" => definition = attribute(tag, "id"),
                    "TestMethod" => {
                        classes.insert(definition.clone(), attribute(tag, "className"));
                    }
                    "ResultSummary" if attribute(tag, "outcome") == "Aborted" => {
                        problem = "the test run was aborted".to_owned();
                    }
                    "RunInfo" if attribute(tag, "outcome") != "Error" => definition.clear(),
                    "RunInfo" => "error".clone_into(&mut definition),
                    _ => {}
                }
            }
            Event::Text(text) if words.len() < MESSAGE_BYTES * 4 => {
                words += text;
            }
            Event::GeneralRef(entity) => words += &resolved(entity),
            Event::CData(text) => words += text,
            Event::End(tag) => {
                let said = std::mem::take(&mut words);
                match (tag.local_name().into_inner(), results.last_mut()) {
                    ("Message", Some(last)) => last.message = said,
                    ("StackTrace", Some(last)) => last.stack = said,
                    ("Text", _) if definition == "error" => problem = said,
                    ("TestRun", _) => whole = true,
                    _ => {}
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !is_trx {
        // What collectors leave beside the reports, such as coverage.
        collector.ended(true);
        return Ok(collector.finish());
    }
    for result in &results {
        take(&mut collector, result, classes.get(&result.id));
    }
    if !problem.is_empty() {
        collector.contradiction(problem);
    }
    collector.ended(whole);
    Ok(collector.finish())
}

fn take(collector: &mut Collector, result: &Result, class: Option<&String>) {
    let class = class.map(String::as_str).unwrap_or_default();
    let class = class.split(',').next().unwrap_or_default();
    let name = result.name.strip_prefix(class).unwrap_or(&result.name);
    let parts = [class, name.trim_start_matches('.')].into_iter();
    let id: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let id = id.join(" > ");
    let outcome = match result.outcome.as_str() {
        "Passed" => Outcome::Passed,
        "NotExecuted" | "Inconclusive" | "NotRunnable" | "Pending" => Outcome::Skipped,
        "Failed" | "Error" => of_message(&result.message),
        _ => Outcome::Inconclusive,
    };
    let place = place(&result.stack);
    collector.test_at(&id, place, None, outcome, &result.message);
}

/// Assertions come as their words, what was raised otherwise with its type in front.
fn of_message(message: &str) -> Outcome {
    static RAISED: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^(?:Test method \S+ threw exception:\s*|Initialization method \S+ threw exception\.\s*)?((?:\w+\.)+\w+)\s?: ",
        )
    });
    let message = message.trim_start();
    match RAISED.captures(message) {
        Some(found) => {
            let rest = found.get(0).and_then(|all| message.get(all.end()..));
            cause::of_raised(&found[1], rest.unwrap_or_default())
        }
        None => Outcome::Failed(Cause::Assertion),
    }
}

/// `   at Shop.CartTests.AddsUp() in /p/CartTests.cs:line 12`.
fn place(stack: &str) -> Option<(&str, u32)> {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| text::regex(r"(?m) in (\S.*):line (\d+)\s*$"));
    let found = FRAME.captures_iter(stack).last()?;
    Some((found.get(1)?.as_str(), found[2].parse().ok()?))
}

fn name(tag: &BytesStart<'_>) -> String {
    tag.local_name().into_inner().to_owned()
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> String {
    let value = tag.try_get_attribute(key).ok().flatten();
    let value = value.and_then(|value| {
        quick_xml::escape::unescape(&value.value)
            .ok()
            .map(std::borrow::Cow::into_owned)
    });
    value.unwrap_or_default()
}

fn resolved(entity: &str) -> String {
    let written = format!("&{entity};");
    quick_xml::escape::unescape(&written).map_or(String::new(), std::borrow::Cow::into_owned)
}

/// What does not build, and projects in which no test was found.
fn read_text(output: &str) -> Option<Told> {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\s*(\S.*?)\((\d+),\d+\): error (\w+: .*?)(?: \[[^\]]+\])?$")
    });
    let mut collector = Collector::default();
    for found in ERROR.captures_iter(output) {
        let words = format!("{}:{}: error {}", &found[1], &found[2], &found[3]);
        collector.load_error(&found[1], cut(&words, MESSAGE_BYTES));
    }
    if output.contains("The active test run was aborted") {
        collector.contradiction("the test run was aborted: the process of the tests died");
    }
    let report = collector.finish();
    let says = !report.load_errors.is_empty() || report.contradiction.is_some();
    says.then(|| Told::from(report))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed, Skipped};

    const REPORT: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<TestRun id="r" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Results>
    <UnitTestResult testId="1" testName="Shop.CartTests.AddsUp" outcome="Failed">
      <Output><ErrorInfo><Message>Assert.Equal() Failure: Values differ
Expected: 6 &lt;&#x41;
Actual:   5</Message>
      <StackTrace>   at Shop.CartTests.AddsUp() in /p/CartTests.cs:line 12</StackTrace></ErrorInfo></Output>
    </UnitTestResult>
    <UnitTestResult testId="2" testName="Many(n: 1)" outcome="Passed" />
    <UnitTestResult testId="3" testName="Later" outcome="NotExecuted" />
    <UnitTestResult testId="4" testName="Boom" outcome="Failed"><Output><ErrorInfo>
      <Message>System.NullReferenceException : Object reference not set</Message></ErrorInfo></Output></UnitTestResult>
    <UnitTestResult testId="5" testName="Stub" outcome="Failed"><Output><ErrorInfo>
      <Message>Test method Shop.CartTests.Stub threw exception:
System.NotImplementedException: not yet</Message></ErrorInfo></Output></UnitTestResult>
  </Results>
  <TestDefinitions>
    <UnitTest name="AddsUp" id="1"><TestMethod className="Shop.CartTests" name="AddsUp" /></UnitTest>
    <UnitTest name="Many" id="2"><TestMethod className="Shop.LabelTests" name="Many" /></UnitTest>
  </TestDefinitions>
  <ResultSummary outcome="Failed"><Counters total="5" passed="1" failed="3" /></ResultSummary>
</TestRun>"#;

    #[test]
    fn tests_of_all_frameworks_are_read() {
        let report = read(&mut REPORT.as_bytes()).expect("TRX");
        assert_eq!(
            report.tests.statuses(),
            [
                ("Shop.CartTests > AddsUp", Failed(Cause::Assertion)),
                ("Shop.LabelTests > Many(n: 1)", Passed),
                ("Later", Skipped),
                ("Boom", Failed(Cause::Error)),
                ("Stub", Failed(Cause::Stub)),
            ]
        );
        let message = report.tests.get(0).expect("a test").message;
        assert!(message.contains("Expected: 6 <A\nActual:   5"), "{message}");
        assert!(message.ends_with("at /p/CartTests.cs:12"), "{message}");
        assert!(report.ended && report.contradiction.is_none());
    }

    #[test]
    fn what_died_or_did_not_build_is_no_answer() {
        let aborted = "<TestRun><Results/><ResultSummary outcome=\"Failed\"><RunInfos><RunInfo outcome=\"Error\">\
            <Text>The active test run was aborted.</Text></RunInfo></RunInfos></ResultSummary></TestRun>";
        let report = read(&mut aborted.as_bytes()).expect("TRX");
        assert!(report.contradiction.is_some());
        let cut = read(&mut &REPORT.as_bytes()[..900]).expect("TRX");
        assert!(!cut.ended);
        let beside = read(&mut &b"<coverage/>"[..]).expect("nothing to read");
        assert!(beside.ended && beside.tests.is_empty());
        let text = "/p/CartTests.cs(12,5): error CS0103: The name 'Nope' does not exist [/p/Shop.csproj]\n";
        let told = read_text(text).and_then(Told::alone).expect("its output");
        assert_eq!(told.load_errors[0].what, "/p/CartTests.cs");
        assert!(read_text("Passed!\n").is_none());
    }
}
