//! mocha: the lines of our hook, its JSON, and the text of the `spec` reporter.

use std::collections::HashSet;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::Way;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, document, each_own_line};
use super::formats::junit::{Case, Dialect, Ids, relative};
use super::formats::{ReadError, cause, text};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;
use std::borrow::Cow;

pub(super) static RUNNER: Runner = Runner {
    programs: &["mocha", "_mocha", "mocha.js", "electron-mocha"],
    packages: &["mocha"],
    lists_only: &["--dry-run"],
    call: "mocha",
    configs: &[".mocharc"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[(
        "node/tcr-mocha-require.cjs",
        include_str!("reporters/tcr-mocha-require.cjs"),
    )],
    reports: &[("mocha-", &JSONL)],
    documents: &[&JSON],
    read_text,
    telling: &[
        r"^  \d+ passing \(|^ Exception during run: |^Error: No test files found: |^  .stats.: \{$",
    ],
    takes_aim: |_| true,
    junit: &JUNIT,
    proves_nothing: &[
        r"^Timeout of \d+ms exceeded",
        r"^`?\.only`? (?:is )?forbidden",
    ],
    asked: "a hook of ours, by `NODE_OPTIONS`",
    tried: Some("11"),
    ..Runner::named("mocha")
};

/// What its `xunit`-like reporters write.
static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "Mocha Tests",
    id: |ids, case, _| ids.joined([relative(&case.file), &title(case)]),
    is_load_error: |case, _| is_no_test(&case.name),
    not_loaded: |case, _| {
        let mut ids = Ids::default();
        ids.joined([relative(&case.file), &title(case)]).to_owned()
    },
    failure: |_, failure| match failure.text.lines().find_map(cause::leading_type) {
        Some((kind, message)) => cause::of_raised(kind, message),
        None => cause::of_text(&failure.text, Cause::Error),
    },
    ..Dialect::KNOWN
};

/// The class name is the title of old.
fn title(case: &Case) -> Cow<'_, str> {
    if case.classname.is_empty() || case.name.starts_with(case.classname.as_str()) {
        Cow::Borrowed(&case.name)
    } else {
        Cow::Owned(format!("{} {}", case.classname, case.name))
    }
}

static JSONL: Format = Format::own("mocha lines", |_, input| read(input));
/// What its `json` reporter writes.
static JSON: Format = Format {
    keys: &["stats", "passes"],
    ..Format::of("mocha JSON", |_, input| read_json(input))
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    event: Option<String>,
    status: Option<String>,
    file: Option<String>,
    path: Vec<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    error: Option<Text>,
    code: Option<Text>,
    message: Option<Text>,
    dry_run: bool,
    /// The line of the test's file where it failed.
    at: Option<u32>,
}

/// Reads the lines of our hook.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut begun: Vec<String> = Vec::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        match line.event.as_deref() {
            Some("begin") => {
                let file = line.file.unwrap_or_default();
                return begun.push(named(&file, &line.path.join(" ")));
            }
            Some("end") => {
                begun.clear();
                return collector.ended(true);
            }
            // A run that begins after one that ended must end too.
            Some("start") => {
                if line.dry_run {
                    collector.contradiction("mocha was told to name its tests and to run none");
                }
                return collector.ended(false);
            }
            // mocha forgets about it, and the test that should have waited passes.
            Some("unhandled") => {
                let raised = line.error.unwrap_or_default().0;
                let what = worded(&raised, line.message.unwrap_or_default().0);
                return collector.contradiction(format!(
                    "a promise was rejected and no test waited for it: {what}"
                ));
            }
            _ => {}
        }
        let file = line.file.unwrap_or_default();
        let title = line.path.join(" ");
        let message = line.message.unwrap_or_default().0;
        if line.kind.as_deref() == Some("hook") || is_no_test(&title) {
            collector.load_error(named(&file, &title), &message);
            return;
        }
        let raised = line.error.unwrap_or_default().0;
        let outcome = match line.status.as_deref() {
            Some("passed") => Outcome::Passed,
            Some("skipped") => Outcome::Skipped,
            _ => of_error(&raised, &line.code.unwrap_or_default().0, &message),
        };
        let message = worded(&raised, message);
        let id = named(&file, &title);
        begun.retain(|running| *running != id);
        let file = (!file.is_empty()).then_some(file.as_str());
        let at = file.zip(line.at);
        collector.test_at(&id, at, file, outcome, &message);
    })?;
    begun.into_iter().for_each(|id| collector.unfinished(id));
    Ok(collector.finish())
}

/// `TypeError: message`.
fn worded(raised: &str, message: String) -> String {
    match raised {
        "" => message,
        raised => format!("{raised}: {message}"),
    }
}

fn named(file: &str, title: &str) -> String {
    if file.is_empty() {
        title.to_owned()
    } else {
        format!("{file} > {title}")
    }
}

fn of_error(kind: &str, code: &str, message: &str) -> Outcome {
    match code {
        "ERR_ASSERTION" => Outcome::Failed(Cause::Assertion),
        "ERR_MOCHA_TIMEOUT" => Outcome::Inconclusive,
        _ => cause::of_raised(if kind.is_empty() { "Error" } else { kind }, message),
    }
}

#[derive(Deserialize)]
struct Document {
    stats: Stats,
    #[serde(default)]
    failures: Vec<Test>,
    #[serde(default)]
    passes: Vec<Test>,
    #[serde(default)]
    pending: Vec<Test>,
}

#[derive(Deserialize)]
struct Stats {
    /// Written when the run has ended.
    #[serde(default)]
    end: Option<Text>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    title: String,
    full_title: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    err: Raised,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raised {
    stack: Text,
    message: Text,
    name: Option<Text>,
    code: Option<Text>,
}

/// Reads what mocha's `json` reporter writes.
pub(super) fn read_json(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    Ok(document::<Document>(input)?.map_or_else(Report::default, of_document))
}

fn of_document(document: Document) -> Report {
    let mut collector = Collector::default();
    for test in document.passes {
        take(&mut collector, test, |_| Outcome::Passed);
    }
    for test in document.pending {
        take(&mut collector, test, |_| Outcome::Skipped);
    }
    for test in document.failures {
        take(&mut collector, test, |raised| {
            let (kind, _) = cause::leading_type(&raised.stack.0).unwrap_or(("Error", ""));
            let kind = raised.name.as_ref().map_or(kind, |name| name.0.as_str());
            let code = raised.code.as_ref().map_or("", |code| code.0.as_str());
            of_error(kind, code, &raised.message.0)
        });
    }
    collector.ended(document.stats.end.is_some());
    collector.finish()
}

fn take(collector: &mut Collector, test: Test, outcome: impl Fn(&Raised) -> Outcome) {
    let id = named(test.file.as_deref().unwrap_or_default(), &test.full_title);
    if is_no_test(&test.title) {
        collector.load_error(id, &test.err.message.0);
        return;
    }
    let outcome = outcome(&test.err);
    let message = match &test.err.name {
        Some(name) => format!("{}: {}", name.0, test.err.message.0),
        None => test.err.message.0,
    };
    collector.test(&id, test.file.as_deref(), outcome, &message);
}

/// Whether a title is the one mocha gives to a hook that failed, or to what went wrong outside of all
/// tests, as when a worker of `--parallel` is gone.
pub(super) fn is_no_test(title: &str) -> bool {
    title == "Uncaught error outside test suite"
        || ["before all", "before each", "after all", "after each"]
            .iter()
            .any(|hook| title.contains(&format!("\"{hook}\" hook")))
}

/// Reads mocha's text; the JSON of its reporter may be in the midst of it.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static PASSING: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^  (\d+) passing \([^)]*\)$"));
    if let Some(report) = json_within(output) {
        return Some(report.into());
    }
    let mut collector = Collector::default();
    if let Some((_, rest)) = output.split_once("\n Exception during run: ") {
        let what = rest
            .lines()
            .find_map(|line| line.strip_prefix("- "))
            .unwrap_or_default();
        let message = rest
            .lines()
            .find(|line| cause::leading_type(line).is_some())
            .unwrap_or_default();
        collector.load_error(what, message);
        return Some(collector.finish_text());
    }
    if output.contains("Error: No test files found") {
        collector.ended(true);
        return Some(collector.finish_text());
    }
    let Some(passing) = PASSING.captures(output) else {
        return begun_without_end(output);
    };
    let counted: usize = passing[1].parse().unwrap_or(0);
    let (tree, failures) = match passing.get(0) {
        Some(line) => (
            output.get(..line.start()).unwrap_or_default(),
            output.get(line.end()..).unwrap_or_default(),
        ),
        None => (output, ""),
    };
    let passed = take_tree(&mut collector, tree);
    let named = take_failures(&mut collector, failures);
    if failing(failures) > named {
        collector.miscounts("mocha");
    }
    collector.unnamed_passed(counted.saturating_sub(passed));
    collector.ended(true);
    Some(collector.finish_text())
}

/// A list of passes without the counts that end it.
fn begun_without_end(output: &str) -> Option<Told> {
    let began = output
        .lines()
        .any(|line| line.starts_with("  ✔ ") || line.starts_with("  ✓ "));
    began.then(Told::default)
}

fn failing(text: &str) -> usize {
    text.lines()
        .find_map(|line| line.trim().strip_suffix(" failing")?.parse().ok())
        .unwrap_or(0)
}

/// Passes and pending tests of the tree, by the suites they are indented under.
fn take_tree(collector: &mut Collector, tree: &str) -> usize {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut passed = 0;
    for line in tree.lines() {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if indent < 2 || body.is_empty() {
            continue;
        }
        open.retain(|(at, _)| *at < indent);
        let path = |name: &str| {
            let mut titles: Vec<&str> = open.iter().map(|(_, title)| *title).collect();
            titles.push(name);
            titles.join(" ")
        };
        if let Some(name) = body.strip_prefix("✔ ").or_else(|| body.strip_prefix("✓ ")) {
            let name = name
                .strip_suffix("ms)")
                .and_then(|name| name.rsplit_once(" (").map(|(name, _)| name))
                .unwrap_or(name);
            passed += 1;
            collector.test(&path(name), None, Outcome::Passed, "");
        } else if let Some(name) = body.strip_prefix("- ") {
            collector.test(&path(name), None, Outcome::Skipped, "");
        } else if !body.starts_with(|first: char| first.is_ascii_digit()) {
            open.push((indent, body));
        }
    }
    passed
}

/// The numbered failures: titles one below the other, the last with a colon, then the error.
fn take_failures(collector: &mut Collector, failures: &str) -> usize {
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^  (\d+)\) (.*)$"));
    let mut lines = failures.lines().peekable();
    let mut named = HashSet::new();
    while let Some(line) = lines.next() {
        let Some(found) = NUMBERED.captures(line) else {
            continue;
        };
        let mut titles = vec![found[2].to_owned()];
        while !titles.last().is_some_and(|title| title.ends_with(':')) {
            match lines.next_if(|line| line.starts_with("       ")) {
                Some(line) => titles.push(line.trim().to_owned()),
                None => break,
            }
        }
        let title = titles.join(" ");
        let title = title.strip_suffix(':').unwrap_or(&title).to_owned();
        let mut message = String::new();
        while let Some(line) = lines.next_if(|line| !NUMBERED.is_match(line)) {
            if message.len() < super::formats::collect::MESSAGE_BYTES {
                message.push_str(line.trim());
                message.push('\n');
            }
        }
        named.insert(found[1].to_owned());
        if is_no_test(&title) {
            collector.load_error(title, message.trim());
        } else {
            let outcome = cause::of_text(&message, Cause::Error);
            collector.test(&title, None, outcome, &message);
        }
    }
    named.len()
}

fn json_within(output: &str) -> Option<Report> {
    let at = output
        .rfind("\n{\n  \"stats\": {")
        .map(|at| at + 1)
        .or_else(|| output.starts_with("{\n  \"stats\": {").then_some(0))?;
    let mut documents =
        serde_json::Deserializer::from_str(output.get(at..)?).into_iter::<Document>();
    match documents.next() {
        Some(Ok(document)) => Some(of_document(document)),
        _ => Some(Report::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_outside_of_all_tests_is_no_failing_test() {
        let lines = r#"{"event":"start"}
{"status":"passed","file":"b.js","path":["b"],"type":"test"}
{"status":"failed","path":["Uncaught error outside test suite"],"error":"Error","message":"Workerpool Worker terminated Unexpectedly"}
{"event":"end","failures":1}
"#;
        let json = r#"{"stats":{"end":"2026"},"passes":[{"title":"b","fullTitle":"b"}],"failures":[
            {"title":"Uncaught error outside test suite","fullTitle":"Uncaught error outside test suite","err":{"message":"lost"}}]}"#;
        let text = "\n  ✔ b\n\n  1 passing (5ms)\n  1 failing\n\n  1) Uncaught error outside test suite:\n     \
            Uncaught Workerpool Worker terminated Unexpectedly\n";
        for report in [
            read(&mut lines.as_bytes()).expect("our lines"),
            read_json(&mut json.as_bytes()).expect("its JSON"),
            read_text(text).and_then(Told::alone).expect("its text"),
        ] {
            assert_eq!(report.tests.len(), 1, "{report:?}");
            assert_eq!(report.load_errors.len(), 1, "{report:?}");
        }
    }

    #[test]
    fn a_rejection_that_mocha_forgets_is_told_of() {
        let lines = r#"{"event":"start"}
{"status":"passed","file":"a.js","path":["a"],"type":"test"}
{"event":"unhandled","error":"AssertionError","message":"1 == 2"}
{"event":"end","failures":0}
"#;
        let report = read(&mut lines.as_bytes()).expect("our lines");
        assert_eq!(
            report.contradiction.as_deref(),
            Some("a promise was rejected and no test waited for it: AssertionError: 1 == 2")
        );
    }
}
