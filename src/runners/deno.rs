//! Deno: its text; its report is JUnit XML.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::aim::Aim;
use super::ask::{Asking, Way};
use super::command::Found;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::junit::{Dialect, relative};
use super::formats::{cause, text};
use super::formats::{junit, places};
use super::project::node::node;
use super::project::{Offer, Place, Strength};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("deno", "test")],
    lists_only: &["--no-run"],
    ask,
    ours: &["--junit-path"],
    reports: &[("deno-", &junit::XML)],
    read_text,
    telling: &[r"^running \d+ tests? from |^(?:ok|FAILED) \| \d+ passed"],
    hides: &["cargo test", "TAP"],
    settle: |report, sources| places::settle(report, sources, places::outermost_frame),
    takes_aim: Found::is_by_name,
    filters: &["--filter"],
    junit: &JUNIT,
    detect,
    proves_nothing: &[r"^Test case attempted to exit"],
    nothing_ran: &[
        r"^error: (?:SyntaxError: |Type checking failed|No test modules found|Module not found |Import '.*' failed)",
    ],
    asked: "JUnit XML, by a `deno` of ours on PATH",
    tried: Some("2.9"),
    ..Runner::named("deno test")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    if let Some(file) = place.first(&["deno.json", "deno.jsonc"]) {
        let strength = match place.exists("package.json") {
            true => Strength::Fallback,
            false => Strength::Default,
        };
        out.push(node(strength, "deno test", format!("`{file}`"), file));
    }
}

static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "deno test",
    id: |ids, case, _| ids.joined([relative(&case.classname), &case.name]),
    file: |case, _| &case.classname,
    failure: |_, failure| cause::of_text(failure.words(), Cause::Error),
    // Only the text has the stack.
    message: |_, failure| match failure.text.is_empty() {
        true => failure.words(),
        false => failure.text.trim(),
    },
    ..Dialect::KNOWN
};

fn ask(asking: &Asking<'_>) -> Option<Way> {
    let shim = include_str!("reporters/shims/deno");
    asking.found.is_by_name().then(|| {
        Way::default()
            .shim(asking.home, "shims/deno", shim)
            .file_if("aim/titles", asking.aim.and_then(Aim::outer_title_pattern))
    })
}

/// Reads the text of `deno test`.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RUNNING: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^running (\d+) tests? from (.+)$"));
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^( *)(.+) \.\.\. (?:(ok|FAILED|ignored|cancelled).*)$"));
    // What `--parallel` prints.
    static BESIDE_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^(?:\./)?(\S+?) => (.+) \.\.\. (ok|FAILED|ignored|cancelled)(?: \(.*\))?$")
    });
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed.* \([^)]*\)$")
    });
    static UNCAUGHT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\S.*) \(uncaught error\)$"));
    let counts = COUNTS.captures(output);
    let began = output.lines().any(|line| RUNNING.is_match(line));
    let checking = type_error(output);
    let has_no_files = output.contains("\nerror: No test modules found");
    if counts.is_none() && !began && !has_no_files && checking.is_none() {
        return None;
    }
    let errors = errors_by_place(output);
    let mut collector = Collector::default();
    if output.contains("Test failed because the \"only\" option was used") {
        collector.contradiction("only some tests were let run, by an option in them");
    }
    let mut file = String::new();
    let mut seen = text::Scan::default();
    // What steps are in: how far it is indented, and its name.
    let mut open: Vec<(usize, &str)> = Vec::new();
    for line in output.lines() {
        if let Some(found) = RUNNING.captures(line) {
            found[2].trim_start_matches("./").clone_into(&mut file);
        } else if let Some(found) = BESIDE_OTHERS.captures(line) {
            let (of, path) = (&found[1], found[2].split(" ... ").collect::<Vec<_>>());
            let message = errors.get(&(path.join(" ... "), of.to_owned()));
            let message = message.map_or("", String::as_str);
            let outcome = seen_outcome(&mut seen, path.len() == 1, &found[3], message);
            let id = format!("{of} > {}", path.join(" > "));
            collector.test(&id, Some(of), outcome, message);
        } else if let Some(begun) = line.strip_suffix(" ...") {
            let name = begun.trim_start();
            let indent = begun.len() - name.len();
            open.retain(|(at, _)| *at < indent);
            open.push((indent, name));
        } else if let Some(found) = RESULT.captures(line)
            && !file.is_empty()
        {
            let indent = found[1].len();
            open.retain(|(at, _)| *at < indent);
            let mut path: Vec<&str> = open.iter().map(|(_, name)| *name).collect();
            path.push(found.get(2).map_or("", |name| name.as_str()));
            let id = format!("{file} > {}", path.join(" > "));
            let message = errors.get(&(path.join(" ... "), file.clone()));
            let message = message.map_or("", String::as_str);
            let outcome = seen_outcome(&mut seen, path.len() == 1, &found[3], message);
            collector.test(&id, Some(&file), outcome, message);
        }
    }
    for found in UNCAUGHT.captures_iter(output) {
        let what = found[1].trim_start_matches("./").to_owned();
        let rest = found.get(0).and_then(|all| output.get(all.end()..));
        collector.load_error(what, first_line(rest.unwrap_or_default()));
    }
    if let Some((file, words)) = checking {
        collector.load_error(file, words);
    } else if output.contains("error: Type checking failed")
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

/// How a test ended; only those that are no steps are counted.
fn seen_outcome(seen: &mut text::Scan, is_counted: bool, word: &str, message: &str) -> Outcome {
    let one = usize::from(is_counted);
    match word {
        "ok" => {
            seen.passed += one;
            Outcome::Passed
        }
        "FAILED" => {
            seen.failed += one;
            cause::of_text(message, Cause::Error)
        }
        "ignored" => Outcome::Skipped,
        _ => Outcome::Inconclusive,
    }
}

/// `TS2307 [ERROR]: Cannot find module …`, and where, in what Deno would not run.
fn type_error(output: &str) -> Option<(&str, &str)> {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| text::regex(r"(?m)^(TS\d+ \[ERROR\]: .+)$"));
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^ +at (?:file://)?(\S+?):\d+:\d+$"));
    if !output.contains("error: Type checking failed") {
        return None;
    }
    let error = ERROR.find(output)?;
    let place = PLACE.captures_at(output, error.end());
    let file = place.and_then(|place| place.get(1));
    Some((file.map_or("", |file| file.as_str()), error.as_str()))
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
        } else if place.is_some() && message.len() < super::formats::collect::MESSAGE_BYTES {
            message.push_str(line.strip_prefix("error: ").unwrap_or(line));
            message.push('\n');
        }
    }
    if let Some(place) = place {
        errors.entry(place).or_insert(message);
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus;

    const STEPS: &str = "running 2 tests from ./a_test.ts
a b ... ok (0ms)
steps ...
  one ... ok (0ms)
  two ...
    in ... FAILED (0ms)
  two ... FAILED (due to 1 failed step) (0ms)
steps ... FAILED (due to 1 failed step) (1ms)

 ERRORS 

steps ... two ... in => ./a_test.ts:5:74
error: AssertionError: 1 == 2
    at file:///p/a_test.ts:5:100

 FAILURES 

steps ... two ... in => ./a_test.ts:5:74

FAILED | 1 passed (1 step) | 1 failed (2 steps) (9ms)
";

    #[test]
    fn tests_that_run_side_by_side_are_told_with_their_file() {
        let text = "./a_test.ts => adds ... ok (1ms)\n./b_test.ts => adds ... ok (33µs)\n\
            ./a_test.ts => steps ... two ... FAILED (0ms)\n./a_test.ts => steps ... FAILED (due to 1 failed step) (1ms)\n\
            ./b_test.ts => later ... ignored (0ms)\n\n ERRORS \n\nsteps ... two => ./a_test.ts:4:6\n\
            error: AssertionError: 5 !== 6\n\nFAILED | 2 passed | 1 failed (1 step) | 1 ignored (45ms)\n";
        let report = read_text(text).and_then(Told::alone).expect("its output");
        assert_eq!((report.contradiction, report.ended), (None, true));
        let failed = TestStatus::Failed;
        assert_eq!(
            report.tests.statuses(),
            [
                ("a_test.ts > adds", TestStatus::Passed),
                ("b_test.ts > adds", TestStatus::Passed),
                ("a_test.ts > steps > two", failed(Cause::Assertion)),
                ("a_test.ts > steps", failed(Cause::Error)),
                ("b_test.ts > later", TestStatus::Skipped),
            ]
        );
    }

    #[test]
    fn code_that_deno_would_not_run_is_named() {
        let text = "Check a.test.js\nTS2307 [ERROR]: Cannot find module 'file:///p/nope.js'.\n    \
            at file:///p/a.test.js:1:8\n\nerror: Type checking failed.\n\n  info: The program failed type-checking\n";
        let report = read_text(text).and_then(Told::alone).expect("its output");
        let error = &report.load_errors[0];
        assert_eq!(error.what, "/p/a.test.js");
        assert_eq!(
            error.message,
            "TS2307 [ERROR]: Cannot find module 'file:///p/nope.js'."
        );
    }

    #[test]
    fn steps_belong_to_their_test_and_are_not_counted_with_the_tests() {
        let report = read_text(STEPS).and_then(Told::alone).expect("its output");
        assert_eq!(report.contradiction, None);
        assert_eq!(
            report.tests.statuses(),
            [
                ("a_test.ts > a b", TestStatus::Passed),
                ("a_test.ts > steps > one", TestStatus::Passed),
                (
                    "a_test.ts > steps > two > in",
                    TestStatus::Failed(Cause::Assertion)
                ),
                ("a_test.ts > steps > two", TestStatus::Failed(Cause::Error)),
                ("a_test.ts > steps", TestStatus::Failed(Cause::Error)),
            ]
        );
    }
}
