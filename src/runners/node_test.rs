//! `node --test`: the lines of our reporter, and the text of the `spec` reporter.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::command::Sign;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line};
use super::formats::junit::{Case, Dialect, has_bare_root};
use super::formats::{ReadError, cause, text};
use super::project::node::{Manager, node, test_file};
use super::project::{Offer, Place, Strength};
use super::tap;
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;
use std::iter;

pub(super) static RUNNER: Runner = Runner {
    scripts: &[("node", "node:test")],
    sign: |look| {
        const NODE: [&str; 6] = ["node", "nodejs", "tsx", "ts-node", "electron", "swc-node"];
        Sign::sure_if(look.is(&NODE) && look.call.has("--test"))
    },
    ask,
    ours: &["--test-reporter", "NODE_OPTIONS", "tcr-node-hook"],
    reports: &[("node-", &JSONL)],
    read_text: |output| read_text(output).or_else(|| tap::read_text(output)),
    telling: &[r"^(?:ℹ|#) tests \d+$"],
    hides: &["TAP"],
    takes_aim: |_| true,
    filters: &["--test-name-pattern", "--test-only", "--watch"],
    junit: &JUNIT,
    detect,
    proves_nothing: &[r"^test did not finish before its parent"],
    nothing_ran: &[r"^Could not find '[^']+'$"],
    known_by: "`node --test`, `tsx --test`, scripts that load `node:test`",
    asked: "a reporter of ours, by `NODE_OPTIONS`",
    tried: Some("20, 22, 24"),
    ..Runner::named("node:test")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let is_bun = || Manager::of(place) == Manager::Bun;
    if place.json("package.json").is_none() || is_bun() {
        return;
    }
    if let Some(file) = test_file(place) {
        let why = format!("`{file}`");
        out.push(node(Strength::Default, "node --test", why, &file));
    }
}

/// What its `junit` reporter writes.
static JUNIT: Dialect = Dialect {
    is_case: |case, suites| {
        let has_disabled = suites.last().is_some_and(|suite| suite.has_disabled);
        case.class.is_empty()
            && has_bare_root(suites)
            && !case.classname.is_empty()
            && (suites.len() == 1 || has_disabled)
    },
    id: |ids, case, suites| {
        // It escapes quotes twice.
        let plain = |text: &str| text.replace("&quot;", "\"");
        let outer = suites.iter().filter(|suite| !suite.is_root);
        let titles: Vec<String> = outer
            .map(|suite| plain(&suite.name))
            .chain([plain(&case.name)])
            .collect();
        ids.joined(iter::once(case.file.as_str()).chain(titles.iter().map(String::as_str)))
    },
    file_entry: |case| is_file_entry(case).then(|| node_file(case)),
    failure: |_, failure| {
        if failure.kind != "testCodeFailure" {
            return Outcome::Inconclusive;
        }
        match failure.text.split_once("\n  cause: ") {
            Some((_, cause)) if cause.starts_with("AssertionError") => {
                Outcome::Failed(Cause::Assertion)
            }
            Some((_, cause)) => cause::of_text(cause, Cause::Error),
            None => cause::of_text(failure.words(), Cause::Error),
        }
    },
    ..Dialect::KNOWN
};

fn node_file(case: &Case) -> &str {
    if case.file.is_empty() {
        &case.name
    } else {
        &case.file
    }
}

fn is_file_entry(case: &Case) -> bool {
    if case.file.is_empty() {
        let extension = case
            .name
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        return matches!(
            extension,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx"
        );
    }
    case.file == case.name || case.file.ends_with(&format!("/{}", case.name))
}

static JSONL: Format = Format::own("node:test lines", |_, input| read(input));

/// Node refuses to start unless there are as many destinations as reporters; only a single reporter
/// may come without.
fn ask(asking: &Asking<'_>) -> Option<Way> {
    let options = (asking.variable)("NODE_OPTIONS");
    let count = |name: &str| {
        let given = asking.found.words.iter().map(String::as_str);
        given
            .chain(options.split_whitespace())
            .filter(|word| word.split('=').next() == Some(name))
            .count()
    };
    // A plain file, though nothing is written to it: Node syncs it, which a device may refuse.
    let home = asking.home;
    let ours = format!(
        "--test-reporter={home}/node/tcr-node-reporter.mjs --test-reporter-destination={home}/node/nothing"
    );
    let destinations = count("--test-reporter-destination");
    let value = match count("--test-reporter") {
        0 => format!("--test-reporter=spec --test-reporter-destination=stdout {ours}"),
        1 if destinations == 0 => format!("{ours} --test-reporter-destination=stdout"),
        reporters if reporters == destinations => ours,
        _ => return None,
    };
    let way = Way::default()
        .set("NODE_OPTIONS", Join::After(" "), value)
        .file(
            "node/tcr-node-reporter.mjs",
            include_str!("reporters/tcr-node-reporter.mjs"),
        );
    Some(match asking.aim {
        Some(_) => way.node_hook(home),
        None => way,
    })
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type")]
    event: String,
    name: String,
    nesting: usize,
    file: Option<String>,
    skip: Option<Value>,
    todo: Option<Value>,
    kind: Option<String>,
    failure_type: Option<String>,
    exit_code: Option<Value>,
    signal: Option<String>,
    cause_name: Option<Text>,
    cause_code: Option<Text>,
    cause_message: Option<Text>,
    said: Option<Text>,
    /// All that its process wrote to standard error.
    all: Option<Text>,
    /// The line where it failed.
    at: Option<u32>,
}

/// A test or suite that ended, waiting for what it is nested in.
struct Ended {
    nesting: usize,
    path: Vec<String>,
    outcome: Outcome,
    message: String,
    at: Option<u32>,
}

/// Reads the lines of our reporter. What is nested is told before what it is nested in.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut waiting: HashMap<String, Vec<Ended>> = HashMap::new();
    let mut summaries = 0_usize;
    let mut any = false;
    let mut ended = false;
    let mut says_its_end = false;
    let mut begun: Vec<(String, usize, String)> = Vec::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        match line.event.as_str() {
            "tcr:begin" => begun.push((line.file.unwrap_or_default(), line.nesting, line.name)),
            "test:pass" | "test:fail" => {
                any = true;
                let is_it = |(file, nesting, name): &(String, usize, String)| {
                    (*nesting, name) == (line.nesting, &line.name)
                        && Some(file) == line.file.as_ref()
                };
                if let Some(at) = begun.iter().rposition(is_it) {
                    begun.remove(at);
                }
                take(collector, &mut waiting, line);
            }
            "test:summary" => {
                summaries += 1;
                ended |= line.file.is_none();
            }
            "tcr:start" => says_its_end = true,
            "tcr:end" => ended = true,
            "tcr:unfinished" => {
                let file = line.file.unwrap_or_default();
                collector.unfinished(format!("{file} > {}", line.name));
            }
            _ => {}
        }
    })?;
    if !ended {
        // What ran when the run was ended from outside, the outer ones first.
        for (file, _, name) in begun {
            collector.unfinished(format!("{file} > {name}"));
        }
    }
    for (file, tests) in waiting {
        if !tests.is_empty() && !ended && says_its_end {
            // Tests in a suite that has not ended.
            for test in tests {
                let id = format!("{file} > {}", test.path.join(" > "));
                let at = test.at.map(|line| (file.as_str(), line));
                collector.test_at(&id, at, Some(&file), test.outcome, &test.message);
            }
        } else if !tests.is_empty() {
            collector.unfinished(file);
        }
    }
    // Node 20 has no summaries; the reporter that says when it begins also says when it ends.
    collector.ended(ended || (any && summaries == 0 && !says_its_end));
    Ok(collector.finish())
}

fn is_set(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}

fn take(collector: &mut Collector, waiting: &mut HashMap<String, Vec<Ended>>, line: Line) {
    let file = line.file.clone().unwrap_or_default();
    let message = line.cause_message.clone().unwrap_or_default().0;
    let outcome = of_line(&line, &message);
    let is_file = file == line.name || file.ends_with(&format!("/{}", line.name));
    let is_of_process = line.exit_code.is_some() || line.signal.is_some();
    if line.nesting == 0 && is_file && (is_of_process || !outcome.is_failure()) {
        if outcome.is_failure() {
            let killed = line.signal.map(|signal| format!("killed by {signal}"));
            let said = line.said.map(|said| said.0);
            let words = said.or(killed).unwrap_or(message);
            let all = line.all.map_or_else(|| words.clone(), |all| all.0);
            collector.load_error_told(file, &words, &all);
        }
        return;
    }
    let waits = waiting.entry(file.clone()).or_default();
    let first = waits
        .iter()
        .position(|test| test.nesting > line.nesting)
        .unwrap_or(waits.len());
    let children = waits.split_off(first);
    let child_failed = children.iter().any(|child| child.outcome.is_failure());
    let is_suite = line.kind.as_deref() == Some("suite");
    let is_container = is_suite || !children.is_empty();
    let mut ended: Vec<Ended> = children
        .into_iter()
        .map(|mut child| {
            child.path.insert(0, line.name.clone());
            child.nesting = line.nesting;
            child
        })
        .collect();
    let by_itself = outcome.is_failure()
        && !child_failed
        && line.failure_type.as_deref() != Some("subtestsFailed");
    if is_suite && by_itself {
        let mut what = vec![file.clone()];
        what.push(line.name.clone());
        collector.load_error(what.join(" > "), &message);
    } else if !is_container
        || by_itself
        || (is_suite && ended.is_empty() && outcome == Outcome::Skipped)
    {
        ended.push(Ended {
            nesting: line.nesting,
            path: vec![line.name],
            outcome,
            message,
            at: line.at,
        });
    }
    if line.nesting > 0 {
        waits.append(&mut ended);
        return;
    }
    for test in ended {
        let id = format!("{file} > {}", test.path.join(" > "));
        let at = test.at.map(|line| (file.as_str(), line));
        collector.test_at(&id, at, Some(&file), test.outcome, &test.message);
    }
}

fn of_line(line: &Line, message: &str) -> Outcome {
    if is_set(line.skip.as_ref()) || is_set(line.todo.as_ref()) {
        return Outcome::Skipped;
    }
    if line.event == "test:pass" {
        return Outcome::Passed;
    }
    match line.failure_type.as_deref() {
        Some("testCodeFailure" | "subtestsFailed") => {}
        _ => return Outcome::Inconclusive,
    }
    if line
        .cause_code
        .as_ref()
        .is_some_and(|code| code.0 == "ERR_ASSERTION")
    {
        return Outcome::Failed(Cause::Assertion);
    }
    let kind = line
        .cause_name
        .as_ref()
        .map_or("Error", |name| name.0.as_str());
    cause::of_raised(kind, message)
}

/// Reads the text of the `spec` reporter: the tree, the counts, and the failures at the end.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static NODE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^( *)([✔✖﹣⚠▶]) (.*?)(?: \([\d.]+ms\))?(?: # .*)?$"));
    static COUNT: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$")
    });
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for found in COUNT.captures_iter(output) {
        let word = found.get(1).map_or("", |word| word.as_str());
        *counts.entry(word).or_default() += found[2].parse::<usize>().unwrap_or(0);
    }
    if !counts.contains_key("pass") {
        return None;
    }
    let mut collector = Collector::default();
    let mut open: Vec<(usize, String)> = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    let (tree, failures) = output
        .split_once("\n✖ failing tests:")
        .unwrap_or((output, ""));
    let mut errors = failures_by_name(failures);
    for line in tree.lines() {
        let Some(found) = NODE.captures(line) else {
            continue;
        };
        let (indent, name) = (found[1].len(), found[3].to_owned());
        let closes = open
            .last()
            .is_some_and(|(at, suite)| *at == indent && *suite == name);
        open.retain(|(at, _)| *at < indent);
        if &found[2] == "▶" {
            open.push((indent, name));
            continue;
        }
        if closes {
            continue;
        }
        let mut path: Vec<&str> = open.iter().map(|(_, suite)| suite.as_str()).collect();
        path.push(&name);
        let id = path.join(" > ");
        match &found[2] {
            _ if line.ends_with("# SKIP") || line.contains(" # TODO") => {
                collector.test(&id, None, Outcome::Skipped, "");
            }
            "﹣" | "⚠" => collector.test(&id, None, Outcome::Skipped, ""),
            "✔" if is_script(&name) && indent == 0 => {}
            "✔" => {
                passed += 1;
                collector.test(&id, None, Outcome::Passed, "");
            }
            "✖" => {
                failed += 1;
                let message = errors.get_mut(&name).and_then(Vec::pop).unwrap_or_default();
                if is_script(&name) && indent == 0 {
                    collector.load_error(name, &message);
                } else {
                    let outcome = of_text(&message);
                    collector.test(&id, None, outcome, &message);
                }
            }
            _ => {}
        }
    }
    let count = |word: &str| counts.get(word).copied().unwrap_or(0);
    if failed == 0 && count("fail") + count("cancelled") > 0 {
        collector.miscounts("node");
    }
    // A suite that could not be collected looks like a test that failed, and is not counted.
    if passed > count("pass") || failed > count("fail") + count("cancelled") {
        collector.miscounts("node");
    }
    collector.ended(true);
    Some(collector.finish_text())
}

fn is_script(name: &str) -> bool {
    [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn of_text(message: &str) -> Outcome {
    if message.contains("at TestHook.run") {
        return Outcome::Inconclusive;
    }
    // What was raised as a string is quoted, and what it was caused by is not what was raised.
    let message = message.trim_start_matches('\'');
    let message = message.split("[cause]: ").next().unwrap_or(message);
    if message.contains("code: 'ERR_ASSERTION'") || message.starts_with("AssertionError") {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_text(message, Cause::Error)
}

/// The failures that the reporter repeats at the end, `test at file:1:2` and then the error.
fn failures_by_name(failures: &str) -> HashMap<String, Vec<String>> {
    let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
    let mut name: Option<String> = None;
    let mut message = String::new();
    for line in failures.lines() {
        if let Some(rest) = line.strip_prefix("✖ ") {
            if let Some(name) = name.take() {
                by_name
                    .entry(name)
                    .or_default()
                    .insert(0, std::mem::take(&mut message));
            }
            let rest = rest.rsplit_once(" (").map_or(rest, |(name, _)| name);
            name = Some(rest.to_owned());
        } else if let Some(line) = line.strip_prefix("  ")
            && message.len() < super::formats::collect::MESSAGE_BYTES
        {
            message.push_str(line);
            message.push('\n');
        }
    }
    if let Some(name) = name {
        by_name.entry(name).or_default().insert(0, message);
    }
    by_name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why a file could not be loaded, by a line of our reporter with more fields.
    fn why(more: &str) -> String {
        let line = format!(
            r#"{{"type":"test:fail","name":"/p/a.test.mjs","nesting":0,"file":"/p/a.test.mjs",
            "failureType":"testCodeFailure","exitCode":1,"causeMessage":"test failed"{more}}}"#
        );
        let lines = format!("{}\n{{\"type\":\"tcr:end\"}}\n", line.replace('\n', ""));
        let report = read(&mut lines.as_bytes()).expect("lines of our reporter");
        report.load_errors[0].message.clone()
    }

    #[test]
    fn a_file_that_can_not_be_loaded_is_explained_by_what_its_process_said() {
        let said = r#","said":"SyntaxError: './a.mjs' does not provide an export named 'add'""#;
        let words = "SyntaxError: './a.mjs' does not provide an export named 'add'";
        assert_eq!(why(said), words);
        assert_eq!(why(""), "test failed");
    }

    #[test]
    fn what_was_cancelled_and_what_was_not_collected_is_no_failing_test() {
        let counts = |fail: usize, cancelled: usize| {
            format!("ℹ tests 1\nℹ suites 1\nℹ pass 0\nℹ fail {fail}\nℹ cancelled {cancelled}\n")
        };
        let cancelled = format!(
            "▶ s\n  ✖ w (0.5ms)\n✖ s (1ms)\n{}\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ w (0.5ms)\n  \
            'test did not finish before its parent and was cancelled'\n",
            counts(0, 1)
        );
        let report = read_text(&cancelled)
            .and_then(Told::alone)
            .expect("its text");
        assert!(
            report.tests.get(0).expect("a test").inconclusive,
            "{report:?}"
        );
        let collected = format!(
            "✖ s (1ms)\n{}\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ s (1ms)\n  Error: d\n",
            counts(0, 0)
        );
        let report = read_text(&collected)
            .and_then(Told::alone)
            .expect("its text");
        assert!(report.contradiction.is_some(), "{report:?}");
    }

    #[test]
    fn what_was_raised_counts_and_not_its_cause() {
        let raised = "Error: x\n    at a.test.js:3:1 {\n  [cause]: AssertionError [ERR_ASSERTION]: y {\n    code: 'ERR_ASSERTION'";
        assert_eq!(of_text(raised), Outcome::Failed(Cause::Error));
    }

    #[test]
    fn a_file_whose_process_was_killed_is_no_failing_test() {
        let lines = r#"{"type":"test:fail","name":"/p/a.test.mjs","nesting":0,"file":"/p/a.test.mjs","failureType":"testCodeFailure","exitCode":null,"signal":"SIGABRT","causeMessage":"test failed"}
{"type":"tcr:end"}
"#;
        let report = read(&mut lines.as_bytes()).expect("lines of our reporter");
        assert!(report.tests.is_empty(), "{report:?}");
        assert_eq!(report.load_errors[0].message, "killed by SIGABRT");
    }

    const PASSED: &str =
        r#"{"type":"test:pass","name":"a","nesting":0,"file":"/p/a.test.js","kind":"test"}"#;

    #[test]
    fn a_test_in_which_the_process_leaves_is_unfinished() {
        let lines = format!(
            "{{\"type\":\"tcr:start\"}}\n{PASSED}\n\
            {{\"type\":\"tcr:unfinished\",\"name\":\"b\",\"file\":\"/p/a.test.js\"}}\n{{\"type\":\"tcr:end\"}}\n"
        );
        let report = read(&mut lines.as_bytes()).expect("lines of our reporter");
        assert_eq!(report.unfinished, ["/p/a.test.js > b"]);
    }

    #[test]
    fn a_process_that_leaves_before_its_reporter_is_done_has_not_ended() {
        for (lines, ended) in [
            (format!("{PASSED}\n"), true),
            (format!("{{\"type\":\"tcr:start\"}}\n{PASSED}\n"), false),
        ] {
            let report = read(&mut lines.as_bytes()).expect("lines of our reporter");
            assert_eq!(report.ended, ended, "{lines}");
        }
    }
}
