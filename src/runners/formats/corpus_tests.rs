//! Real runs of real runners, each with what it is known to say, read through every channel it has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use super::super::{Sources, named, rust};
use super::*;
use crate::rules::verdict::{Cause, RedNeeds, TestStatus, Verdict};
use crate::rules::verdict::{Exit, JudgeRules, judge};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/runners");

#[derive(Deserialize)]
pub(crate) struct Case {
    name: String,
    command: String,
    exit: CapturedExit,
    stdout: String,
    stderr: String,
    #[serde(default)]
    combined: Option<String>,
    #[serde(default)]
    reports: BTreeMap<String, String>,
    #[serde(default)]
    scripts: BTreeMap<String, String>,
    #[serde(default)]
    sources: BTreeMap<String, String>,
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum CapturedExit {
    Code(i32),
    Signal(i32),
    Timeout,
}

#[derive(Deserialize)]
struct Expected {
    verdict: String,
    kind: String,
    passed: Vec<String>,
    failed: Vec<String>,
    skipped: Vec<String>,
    #[serde(default)]
    maybe: Vec<String>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    causes: BTreeMap<String, String>,
}

/// What a channel is known not to tell: a runner's in general, or that of one case.
#[derive(Deserialize)]
struct Gap {
    runner: String,
    #[serde(default)]
    case: Option<String>,
    channel: String,
    lacks: BTreeSet<String>,
    /// For the reader of the file.
    #[allow(dead_code, reason = "a gap without a reason shall not parse")]
    why: String,
}

impl Case {
    /// All that was captured of the run.
    pub(crate) fn texts(self) -> Vec<String> {
        let mut texts: Vec<String> = self.reports.into_values().collect();
        texts.extend([self.stdout, self.stderr]);
        texts
    }

    fn output(&self) -> String {
        self.combined
            .clone()
            .unwrap_or_else(|| format!("{}{}", self.stdout, self.stderr))
    }

    fn exit(&self) -> Exit {
        match self.exit {
            CapturedExit::Code(code) => Exit::Code(code),
            CapturedExit::Signal(signal) => Exit::Signal(signal),
            CapturedExit::Timeout => Exit::Timeout,
        }
    }

    fn expected(&self, needs: RedNeeds) -> Verdict {
        let counts = |cause: &String| match cause.as_str() {
            "assertion" => true,
            "stub" => needs != RedNeeds::Assertion,
            "runtime_error" | "missing_symbol" => needs == RedNeeds::Error,
            _ => false,
        };
        let ran = !matches!(
            self.expected.kind.as_str(),
            "crash" | "timeout" | "early_exit" | "import_error" | "compile_error" | "syntax_error"
        );
        match self.expected.verdict.as_str() {
            "green" => Verdict::Green,
            "valid_red" => Verdict::Red,
            // Every test passed, and the command failed all the same.
            "invalid_red" if self.expected.kind == "gate_failed" => Verdict::Red,
            "invalid_red"
                if ran
                    && self.expected.errors.is_empty()
                    && self.expected.causes.values().any(counts) =>
            {
                Verdict::Red
            }
            "invalid_red" | "no_tests" => Verdict::Broken,
            other => unreachable!("{}: verdict {other}", self.name),
        }
    }
}

fn runner_of(family: &str) -> Option<&'static Runner> {
    let name = match family {
        "bats" => "bats",
        "bun" => "bun test",
        "cargo-nextest" => "nextest",
        "cargo-test" => "cargo test",
        "ctest" => "CTest",
        "deno" => "deno test",
        "exunit" => "ExUnit",
        "gtest" => "GoogleTest",
        "jest" => "jest",
        "junit5-maven" => "Surefire",
        "minitest" => "minitest",
        "mocha" => "mocha",
        "phpunit" => "PHPUnit",
        "prove" => "prove",
        "pytest" => "pytest",
        "rspec" => "RSpec",
        "unittest" => "unittest",
        "vitest" => "vitest",
        name if name.starts_with("go-test") => "go test",
        name if name.starts_with("node-test") => "node:test",
        _ => return None,
    };
    Some(named(name).expect("it is on the shelf"))
}

/// The format of a report, and how good it is: the smallest number is the one to ask for.
fn format_of(family: &str, report: &str) -> Option<(u8, &'static Format)> {
    let (rank, name) = match (family, report) {
        ("pytest" | "indirect", "report.jsonl") => (0, "pytest lines"),
        ("unittest", "report.jsonl") => (0, "unittest lines"),
        ("vitest", "report.jsonl") => (0, "vitest lines"),
        ("vitest", "report.json") => (1, "jest JSON"),
        ("jest", "report.jsonl") => (0, "jest lines"),
        ("jest", "report.json") => (1, "jest JSON"),
        ("mocha", "report.jsonl") => (0, "mocha lines"),
        ("mocha", "report.json") => (1, "mocha JSON"),
        // Cargo is not asked for what Rust's own harness can write.
        ("cargo-test", _) => return None,
        ("cargo-nextest", "report.jsonl") => (3, "nextest JSON"),
        ("rspec", "report.json") => (0, "RSpec JSON"),
        ("minitest", "report.jsonl") => (0, "minitest lines"),
        ("exunit", "report.jsonl") => (0, "ExUnit lines"),
        ("gtest", "report.json") => (1, "GoogleTest JSON"),
        // Of single tests, by other names than CTest's.
        ("ctest", name) if name.contains("gtest") => return None,
        (name, "report.jsonl") if name.starts_with("node-test") => (0, "node:test lines"),
        ("prove", name) if name.ends_with(".tap") => (0, "TAP"),
        (_, name) if name.ends_with(".xml") => (2, "JUnit XML"),
        (_, name) if name.ends_with(".tap") => (3, "TAP"),
        _ => return None,
    };
    Some((rank, format_named(name)))
}

/// A format by its name.
pub(super) fn format_named(name: &str) -> &'static Format {
    let found = formats().find(|format| format.name == name);
    found.expect("it is on the shelf")
}

type Read = Vec<Reading>;

fn read_report(case: &Case, name: &str, format: &'static Format) -> Reading {
    let script = case.scripts.get(name).map_or("", String::as_str);
    let text = &case.reports[name];
    (format, (format.read)(script, &mut text.as_bytes()))
}

/// Every channel of a case by its name, as the report that would be judged.
fn channels(family: &str, case: &Case) -> Vec<(String, Option<Report>)> {
    let output = case.output();
    let runners = match runner_of(family) {
        Some(runner) => vec![runner],
        None => sniff_text(&output),
    };
    let mut by_rank: BTreeMap<u8, Vec<(String, &'static Format)>> = BTreeMap::new();
    let mut channels = Vec::new();
    for name in case.reports.keys() {
        if let Some((rank, format)) = format_of(family, name) {
            by_rank
                .entry(rank)
                .or_default()
                .push((name.clone(), format));
        } else if name.ends_with(".txt") {
            let text = &case.reports[name];
            channels.push((name.clone(), combine(Vec::new(), &runners, text, true)));
        }
    }
    if family.starts_with("go-test") {
        let read = |text: &str| {
            let json = format_named("go test JSON");
            vec![(json, super::read(json, &mut text.as_bytes()))]
        };
        channels.push((
            "best".into(),
            combine(read(&case.stdout), &runners, &output, true),
        ));
    } else {
        for reports in by_rank.values() {
            let read: Read = reports
                .iter()
                .map(|(name, format)| read_report(case, name, format))
                .collect();
            channels.push((reports[0].0.clone(), combine(read, &runners, &output, true)));
        }
        let best: Read = by_rank.values().next().map_or_else(Vec::new, |reports| {
            reports
                .iter()
                .map(|(name, format)| read_report(case, name, format))
                .collect()
        });
        let asked = runner_of(family).is_some();
        channels.push(("best".into(), combine(best, &runners, &output, asked)));
        channels.push(("text".into(), combine(Vec::new(), &runners, &output, asked)));
    }
    for (_, report) in &mut channels {
        if let Some(report) = report {
            relative_to(report, "/proj");
            let sources = Sources {
                dir: Path::new("/proj"),
                text: &|path| case.sources.get(path).cloned(),
            };
            if family.starts_with("cargo") {
                rust::settle(report, &sources);
            }
        }
    }
    channels
}

/// Everything in which a channel differs from what is expected, by the aspect a gap may excuse.
///
/// Without `files` the channel does not tell the file of a test, and the rest of the id is compared.
fn differences(
    case: &Case,
    report: Option<&Report>,
    files: bool,
) -> BTreeMap<&'static str, String> {
    let mut found = BTreeMap::new();
    let known = BTreeSet::new();
    for needs in [RedNeeds::Error, RedNeeds::Stub, RedNeeds::Assertion] {
        let rules = JudgeRules {
            red_needs: needs,
            red_confirm_matched: None,
            known_failures: &known,
        };
        let output = case.output();
        let judgement = judge(
            &case.exit(),
            report,
            nothing_ran::telling_line(&output),
            &rules,
        );
        let expected = case.expected(needs);
        // What is not confirmed unlocks nothing: as good as broken.
        let wrong = if judgement.confirmed {
            judgement.verdict != expected
        } else {
            expected != Verdict::Broken
        };
        if wrong {
            found.insert(
                "verdict",
                format!(
                    "{needs:?}: {expected} expected, {} (confirmed: {}) found: {}",
                    judgement.verdict, judgement.confirmed, judgement.reason
                ),
            );
            if judgement.confirmed && (judgement.verdict as u8) < expected as u8 {
                found.insert(
                    "safety",
                    format!("{} is better than {expected}", judgement.verdict),
                );
            }
        }
    }
    let nothing = Report::default();
    let report = report.unwrap_or(&nothing);
    let listed = |wanted: fn(TestStatus) -> bool| -> Vec<String> {
        report
            .tests
            .iter()
            .filter(|test| wanted(test.status))
            .map(|test| test.id.to_owned())
            .collect()
    };
    let lists: [(&'static str, &Vec<String>, Vec<String>); 3] = [
        (
            "passed",
            &case.expected.passed,
            listed(|status| status == TestStatus::Passed),
        ),
        (
            "failed",
            &case.expected.failed,
            listed(|status| matches!(status, TestStatus::Failed(_))),
        ),
        (
            "skipped",
            &case.expected.skipped,
            listed(|status| status == TestStatus::Skipped),
        ),
    ];
    for (aspect, expected, found_ids) in lists {
        let mut rest: Vec<&String> = expected.iter().collect();
        let mut extra = Vec::new();
        for id in &found_ids {
            let plain = id.rsplit_once(" #").map_or(id.as_str(), |(plain, _)| plain);
            let same = |id: &str| {
                rest.iter().position(|known| {
                    *known == id
                        || (!files && known.split_once(" > ").is_some_and(|(_, rest)| rest == id))
                })
            };
            match same(id).or_else(|| same(plain)) {
                Some(at) => {
                    rest.swap_remove(at);
                }
                None if aspect == "passed" && case.expected.maybe.contains(id) => {}
                None => extra.push(id),
            }
        }
        if !rest.is_empty() || !extra.is_empty() {
            found.insert(aspect, format!("missing {rest:?}, extra {extra:?}"));
        }
    }
    for (id, cause) in &case.expected.causes {
        let expected = match cause.as_str() {
            "assertion" => Some(Cause::Assertion),
            "stub" => Some(Cause::Stub),
            "runtime_error" | "missing_symbol" => Some(Cause::Error),
            _ => None,
        };
        for test in report.tests.iter().filter(|test| test.id == *id) {
            let TestStatus::Failed(cause) = test.status else {
                continue;
            };
            let told = (!test.inconclusive).then_some(cause);
            if told != expected {
                found.insert(
                    "causes",
                    format!("{id}: {expected:?} expected, {told:?} found"),
                );
            }
        }
    }
    found
}

/// Every captured run, with the name of its runner.
pub(crate) fn cases() -> Vec<(String, Case)> {
    let dir = std::env::var("RUNNER_FIXTURES").unwrap_or_else(|_| FIXTURES.to_owned());
    let mut cases = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&dir))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("the fixtures can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .filter(|path| !path.ends_with("gaps.json"))
        .collect();
    files.sort();
    for path in files {
        let family = path
            .file_stem()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("fixtures are UTF-8");
        let list: Vec<Case> = serde_json::from_str(&text).expect("fixtures have the known shape");
        cases.extend(list.into_iter().map(|case| (family.clone(), case)));
    }
    cases
}

fn gaps() -> Vec<Gap> {
    let text =
        std::fs::read_to_string(Path::new(FIXTURES).join("gaps.json")).expect("the gaps are there");
    serde_json::from_str(&text).expect("gaps have the known shape")
}

#[test]
fn every_run_is_read_as_it_was() {
    let gaps = gaps();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut wrong = Vec::new();
    let cases = cases();
    for (family, case) in &cases {
        for (channel, report) in channels(family, case) {
            let mut excused = BTreeSet::new();
            let fitting = gaps.iter().enumerate().filter(|(_, gap)| {
                gap.runner == *family
                    && gap.channel == channel
                    && gap.case.as_ref().is_none_or(|name| *name == case.name)
            });
            let fitting: Vec<_> = fitting.collect();
            let files = !fitting.iter().any(|(_, gap)| gap.lacks.contains("files"));
            let found = differences(case, report.as_ref(), files);
            for (at, gap) in fitting {
                if !files
                    && gap.lacks.contains("files")
                    && found != differences(case, report.as_ref(), true)
                {
                    used.insert(at);
                }
                if gap
                    .lacks
                    .iter()
                    .any(|aspect| found.contains_key(aspect.as_str()))
                {
                    used.insert(at);
                }
                excused.extend(gap.lacks.iter().map(String::as_str));
            }
            for (aspect, difference) in found {
                if !excused.contains(aspect) {
                    wrong.push(format!(
                        "{family}/{} [{channel}] {aspect}: {difference}\n    {}",
                        case.name, case.command
                    ));
                }
            }
        }
    }
    for (at, gap) in gaps.iter().enumerate() {
        if !used.contains(&at) && std::env::var("RUNNER_FIXTURES").is_err() {
            wrong.push(format!(
                "the gap of {} {:?} {} is none",
                gap.runner, gap.case, gap.channel
            ));
        }
    }
    assert!(cases.len() > 200, "{} cases", cases.len());
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is quoted of one failure of a captured run: family, case, id, file and line, and words in the order in
/// which they stand.
type Quoted = (
    &'static str,
    &'static str,
    &'static str,
    Option<(&'static str, u32)>,
    &'static [&'static str],
);

#[test]
fn failures_are_quoted_with_their_place_and_both_values() {
    let expected: [Quoted; 19] = [
        (
            "bats",
            "02-assert-fail",
            "calc.bats > wrong",
            Some(("test/calc.bats", 6)),
            &["= 4 ]' failed"],
        ),
        (
            "bun",
            "04e-mixed",
            "a.test.js > wrong",
            Some(("a.test.js", 3)),
            &["Expected: 4", "Received: 3"],
        ),
        (
            "cargo-nextest",
            "02-assert-fail",
            "demo > tests::wrong",
            Some(("src/lib.rs", 14)),
            &["left: 3", "right: 4"],
        ),
        (
            "cargo-test",
            "10-odd-names",
            "src/lib.rs > tests::case_2",
            Some(("src/lib.rs", 23)),
            &["left: 2", "right: 3"],
        ),
        (
            "ctest",
            "02-assert-fail",
            "Calc.Wrong",
            Some(("test/calc_test.cpp", 4)),
            &["Which is: 3", "4"],
        ),
        (
            "deno",
            "02-assert-fail",
            "calc.test.js > wrong",
            Some(("calc.test.js", 4)),
            &["3 !== 4"],
        ),
        (
            "go-test-1.19",
            "02-assert-fail",
            "example.com/demo > TestWrong",
            Some(("calc_test.go", 14)),
            &["got 3 want 4"],
        ),
        (
            "go-test",
            "05b-nil-deref",
            "example.com/demo > TestGet",
            Some(("calc_test.go", 9)),
            &["panic: runtime error", "nil pointer"],
        ),
        (
            "jest",
            "04c-referenceerror",
            "calc.test.js > subs",
            Some(("calc.test.js", 2)),
            &["sub is not defined"],
        ),
        (
            "junit5-maven",
            "02-assert-fail",
            "d.CalcTest > wrong",
            Some(("CalcTest.java", 8)),
            &["<4>", "<3>"],
        ),
        (
            "minitest",
            "02-assert-fail",
            "CalcTest > test_wrong",
            None,
            &["Expected: 4", "Actual: 3"],
        ),
        (
            "mocha",
            "13-json-stdout-noise",
            "test/calc.test.js > prints",
            None,
            &["3 == 4"],
        ),
        (
            "node-test-22",
            "02-assert-fail",
            "calc.test.js > wrong",
            None,
            &["3 !== 4"],
        ),
        (
            "phpunit",
            "10-odd-names",
            "CalcTest > testP with data set \"quo\"te\"",
            Some(("tests/CalcTest.php", 6)),
            &["2 is identical to 1"],
        ),
        (
            "prove",
            "02-assert-fail",
            "t/calc.t > wrong",
            Some(("t/calc.t", 6)),
            &["got: '3'", "expected: '4'"],
        ),
        (
            "rspec",
            "02b-assert-styles",
            "spec/calc_spec.rb > Calc raise none",
            Some(("spec/calc_spec.rb", 4)),
            &["expected ArgumentError", "nothing was raised"],
        ),
        (
            "vitest",
            "02-assert-fail",
            "calc.test.js > wrong",
            None,
            &["expected 3 to be 4"],
        ),
        (
            "indirect",
            "make-fail",
            "tests/test_calc.py::test_wrong",
            None,
            &["assert 3 == 4"],
        ),
        (
            "gtest",
            "02-assert-fail",
            "Calc > Wrong",
            None,
            &["Which is: 3", "4"],
        ),
    ];
    let cases = cases();
    for (family, name, id, place, words) in expected {
        let case = cases
            .iter()
            .find(|(of, case)| of == family && case.name == name);
        let (_, case) = case.expect("the case is there");
        let mut channels = channels(family, case).into_iter();
        let best = channels.find(|(channel, _)| channel == "best");
        let report = best.and_then(|(_, report)| report).expect("it can be read");
        let quoted = failures(&report, "/proj", &|_| false);
        let failure = quoted.get(id).expect("it failed");
        let what = format!("{family}/{name} {failure:?}");
        if let Some((file, line)) = place {
            assert_eq!(
                (failure.file.as_deref(), failure.line),
                (Some(file), Some(line)),
                "{what}"
            );
        }
        let mut rest = failure.message.as_str();
        for word in words {
            let (_, after) = rest
                .split_once(word)
                .unwrap_or_else(|| panic!("{word}: {what}"));
            rest = after;
        }
        for noise in ["stack backtrace", "node_modules", "goroutine "] {
            assert!(!failure.message.contains(noise), "{what}");
        }
    }
}

#[test]
fn quotes_are_bounded() {
    for (family, case) in cases() {
        for (_, report) in channels(&family, &case) {
            let report = report.unwrap_or_default();
            let quoted = failures(&report, "/proj", &|_| false);
            assert!(quoted.len() <= 50);
            assert!(
                quoted.values().all(|one| one.message.len() <= 620),
                "{family}/{}",
                case.name
            );
        }
    }
}
