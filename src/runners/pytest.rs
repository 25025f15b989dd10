//! pytest: the lines of our plugin, and its text.
//!
//! A line is a phase of a test (`nodeid`, `when`, `outcome`, `wasxfail`, `exc`), a file that could not be
//! collected (`collect`), or an `event`: the folder that ids are seen from, the begin of a test, the end of
//! the run.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::junit::{self, Case, Dialect, Failure, Word};
use super::formats::text::{self, Scan};
use super::formats::{ReadError, cause};
use super::project::python::{mentioning, python, says, test_files, test_runner, tool};
use super::project::{Offer, Place, Strength};
use crate::rules::verdict::Cause;
use crate::rules::verdict::{Report, TestStatus};

pub(super) static RUNNER: Runner = Runner {
    programs: &["pytest", "py.test", "pytest-3"],
    subcommands: &[("hatch", "test"), ("rye", "test")],
    // tox makes environments of their own, in which nothing else is seen from outside.
    scripts: &[("python", "pytest"), ("tox", "pytest")],
    lists_only: &["--collect-only", "--co"],
    ask: |asking| Some(ask(asking)),
    ours: &["tcr_pytest"],
    reports: &[("pytest-", &JSONL), ("of-pytest-", &junit::XML)],
    ask_again: |asking| Some(ask_again(asking)),
    read_text,
    telling: &[
        r"^=+ test session starts =+$",
        r"^(?:=+ )?(?:no tests ran|\d+ (?:passed|failed|error|errors|skipped|deselected)\b.*) in \d+\.\d+s",
        r"^pytest: error: |^ERROR: usage: .*pytest",
    ],
    takes_aim: |_| true,
    junit: &JUNIT,
    detect,
    proves_nothing: &[
        r"^Timeout [>(]*\d",
        r"^async def functions are not natively supported",
        r"^worker '[^']*' crashed while running",
        r"^\[XPASS\(strict\)\]",
    ],
    nothing_ran: &[r"^ImportError while loading conftest "],
    caches: &[".pytest_cache"],
    known_by: "`python -m pytest`, scripts and tox environments that name it",
    asked: "a plugin of ours, by `PYTEST_ADDOPTS`",
    tried: Some("9.2"),
    ..Runner::named("pytest")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    if let Some((file, strength)) = spoken_for(place, &project) {
        let command = command(place, &project, &test_runner(place, &project));
        out.push(python(strength, command, says(&file, "pytest"), &file));
    }
}

/// The file that speaks for pytest, and how clearly.
pub(super) fn spoken_for(place: &Place<'_>, project: &toml::Table) -> Option<(String, Strength)> {
    let configured = |file: &str| Some((file.to_owned(), Strength::Configured));
    if tool(project, &["pytest"]).is_some() {
        return configured("pyproject.toml");
    }
    let own = [
        "pytest.ini",
        "pytest.toml",
        ".pytest.ini",
        "conftest.py",
        "tests/conftest.py",
        "test/conftest.py",
    ];
    if let Some(file) = place.first(&own) {
        return configured(file);
    }
    let sections = [("tox.ini", "[pytest]"), ("setup.cfg", "[tool:pytest]")];
    if let Some((file, _)) = sections
        .iter()
        .find(|(file, word)| place.mentions(file, word))
    {
        return configured(file);
    }
    if let Some(file) = mentioning(place, "pytest") {
        return Some((file.to_owned(), Strength::Default));
    }
    imports_pytest(place).map(|file| (file, Strength::Default))
}

/// A test file that can only be run by pytest.
fn imports_pytest(place: &Place<'_>) -> Option<String> {
    test_files(place).into_iter().take(20).find(|file| {
        place.read(file).is_some_and(|text| {
            let imports = text
                .lines()
                .any(|line| line.starts_with("import pytest") || line.starts_with("from pytest"));
            let plain_functions = text.lines().any(|line| line.starts_with("def test_"));
            imports || (plain_functions && !text.contains("unittest"))
        })
    })
}

fn command(place: &Place<'_>, project: &toml::Table, run: &str) -> String {
    if tool(project, &["hatch", "envs", "hatch-test"]).is_some() {
        return "hatch test".to_owned();
    }
    if !run.is_empty() {
        return format!("{run}pytest");
    }
    let local = [".venv/bin/pytest", "venv/bin/pytest"];
    if let Some(program) = place.first(&local) {
        return program.to_owned();
    }
    match (place.has_program)("pytest") || !(place.has_program)("python3") {
        true => "pytest".to_owned(),
        false => "python3 -m pytest".to_owned(),
    }
}

/// What `--junit-xml` writes.
static JUNIT: Dialect = Dialect {
    is_suite: |name| matches!(name, "pytest tests" | "pytest"),
    id: |ids, case, _| {
        if !case.classname.is_empty() {
            return ids.below(case, beginning);
        }
        ids.leave();
        let (file, _) = file_and_class(case);
        match file.is_empty() {
            true => ids.joined([case.name.as_str()]),
            false => ids.joined([file.as_str()]),
        }
    },
    is_load_error: |_, failure| failure.message == "collection failure",
    not_loaded: |case, _| match case.file.is_empty() {
        true => case.name.replace('.', "/") + ".py",
        false => case.file.clone(),
    },
    is_second_word,
    failure: |_, failure| {
        let message = failure.message.trim_start();
        if failure.word == Some(Word::Error) {
            return Outcome::Inconclusive;
        }
        if message.starts_with("assert ") || message == "assert" {
            return Outcome::Failed(Cause::Assertion);
        }
        cause::of_text(message, Cause::Error)
    },
    ..Dialect::KNOWN
};

fn beginning(case: &Case) -> String {
    let (file, class) = file_and_class(case);
    let mut id = file + "::";
    if !class.is_empty() {
        id.push_str(&class.replace('.', "::"));
        id.push_str("::");
    }
    id
}

/// The file of a pytest test, and what is left of its class name; without a `file`, parts that begin with
/// a capital are taken for classes.
fn file_and_class(case: &Case) -> (String, &str) {
    let classname = case.classname.as_str();
    if case.file.is_empty() {
        let class_at = classname
            .match_indices('.')
            .map(|(at, _)| at + 1)
            .find(|at| {
                classname
                    .get(*at..)
                    .is_some_and(|rest| rest.starts_with(char::is_uppercase))
            });
        let (module, class) = match class_at {
            Some(at) => (
                classname.get(..at - 1).unwrap_or(classname),
                classname.get(at..).unwrap_or_default(),
            ),
            None => (classname, ""),
        };
        return (module.replace('.', "/") + ".py", class);
    }
    let file = case.file.replace('\\', "/");
    let module = file.strip_suffix(".py").unwrap_or(&file).replace('/', ".");
    // A test inherited from a class in another file has another module.
    let class = classname
        .strip_prefix(module.as_str())
        .map_or_else(|| class_of(classname), |rest| rest.trim_start_matches('.'));
    (file, class)
}

fn class_of(classname: &str) -> &str {
    match classname.rsplit_once('.') {
        Some((_, last)) if last.starts_with(char::is_uppercase) => last,
        _ => "",
    }
}

/// It writes a second test case when the tear-down of a test fails.
fn is_second_word(collector: &mut Collector, id: &str, case: &Case) -> bool {
    let of_teardown = case
        .failures
        .first()
        .is_some_and(|failure| failure.message.starts_with("failed on teardown"));
    if !of_teardown {
        return false;
    }
    match collector.last() {
        Some(last) if last.id == id => {
            if !matches!(last.status, TestStatus::Failed(_)) {
                collector.last_is_inconclusive(case.failures.first().map_or("", Failure::words));
            }
            true
        }
        _ => false,
    }
}

static JSONL: Format = Format::own("pytest lines", |_, input| read(input));

fn ask(asking: &Asking<'_>) -> Way {
    let way = Way::default()
        .set("PYTEST_ADDOPTS", Join::After(" "), "-p tcr_pytest")
        .set(
            "PYTHONPATH",
            Join::After(":"),
            format!("{}/python", asking.home),
        )
        .file(
            "python/tcr_pytest.py",
            include_str!("reporters/tcr_pytest.py"),
        );
    through_tox(asking, way)
}

/// Where our plugin is not found, for another `PYTHONPATH`: its own JUnit XML, by environment of tox.
fn ask_again(asking: &Asking<'_>) -> Way {
    let options = format!(
        "-o junit_family=xunit1 --junitxml={}/of-pytest-$TOX_ENV_NAME.xml",
        asking.out
    );
    let way = Way::default().set("PYTEST_ADDOPTS", Join::After(" "), options);
    through_tox(asking, way)
}

fn through_tox(asking: &Asking<'_>, way: Way) -> Way {
    if asking.found.words.first().is_some_and(|word| word == "tox") {
        let pass = "testenv.pass_env+=PYTEST_ADDOPTS,PYTHONPATH,GIT_TCR_OUT,GIT_TCR_AIM";
        return way.set("TOX_OVERRIDE", Join::After(";"), pass);
    }
    way
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    nodeid: Option<String>,
    when: Option<String>,
    outcome: Option<String>,
    wasxfail: Option<Text>,
    exc: Option<Exception>,
    /// The file and the line where it failed.
    #[serde(deserialize_with = "lenient")]
    at: Option<(String, u32)>,
    message: Option<Text>,
    collect: Option<String>,
    longrepr: Option<Text>,
    /// It is a part of a test; what the whole test says comes later.
    subtest: bool,
    event: Option<String>,
    path: Option<String>,
    exitstatus: Option<i64>,
    collected: Option<usize>,
    /// All tests that are to run.
    ids: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exception {
    #[serde(rename = "type")]
    kind: Text,
    mro: Vec<String>,
    message: Option<Text>,
}

struct Test {
    id: String,
    outcome: Outcome,
    message: String,
    at: Option<(String, u32)>,
    /// A part of it failed, whatever is said of the whole.
    in_part: bool,
}

/// Reads the lines of our plugin. Workers of pytest-xdist write lines too, so each test counts once.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut tests: Vec<Test> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut begun: Vec<String> = Vec::new();
    let mut planned: Vec<String> = Vec::new();
    let mut finish: Option<(i64, usize)> = None;
    let mut root = String::new();
    each_own_line(input, &mut collector, |collector, mut line: Line| {
        if let Some(what) = line.collect.take().map(|id| rooted(&root, id)) {
            match line.outcome.as_deref() {
                Some("skipped") => {
                    collector.test(&what, Some(&what), Outcome::Skipped, "");
                }
                _ => {
                    let trace = line.longrepr.unwrap_or_default().0;
                    collector.load_error_told(what, &last_error(&trace), &trace);
                }
            }
        } else if line.event.as_deref() == Some("root") {
            root = line.path.unwrap_or_default();
        } else if line.event.as_deref() == Some("plan") {
            planned = line.ids;
        } else if line.event.as_deref() == Some("begin") {
            begun.extend(line.nodeid);
        } else if line.event.as_deref() == Some("finish") {
            finish = Some((line.exitstatus.unwrap_or(-1), line.collected.unwrap_or(0)));
        } else if let Some(id) = line.nodeid.clone() {
            let (outcome, message) = phase(&line);
            if line.subtest && !outcome.is_failure() {
                return;
            }
            match places.get(&id).and_then(|at| tests.get_mut(*at)) {
                Some(known) => later_phase(known, &line, outcome, message),
                None => {
                    places.insert(id.clone(), tests.len());
                    tests.push(Test {
                        id,
                        in_part: line.subtest,
                        at: line.at,
                        outcome,
                        message,
                    });
                }
            }
        }
    })?;
    let ran = tests.len();
    begun.retain(|id| !places.contains_key(id));
    // Workers of pytest-xdist begin a test that another one ends.
    planned.retain(|id| !places.contains_key(id) && !begun.contains(id));
    for id in begun {
        collector.unfinished(rooted(&root, id));
    }
    for id in planned {
        collector.unknown(rooted(&root, id));
    }
    for test in tests {
        let id = rooted(&root, test.id);
        let file = id.split_once("::").map(|(file, _)| file);
        let at = test.at.as_ref().map(|(at, line)| (at.as_str(), *line));
        collector.test_at(&id, at, file, test.outcome, &test.message);
    }
    if let Some((status, collected)) = finish {
        match status {
            0 if ran < collected => collector.contradiction(format!(
                "pytest collected {collected} tests and ended after {ran}"
            )),
            2 => collector.contradiction("pytest was interrupted"),
            3 => collector.contradiction("pytest had an internal error"),
            4 => collector.contradiction("pytest could not be used this way"),
            _ => {}
        }
        collector.ended(true);
    }
    Ok(collector.finish())
}

/// An id with the path of its file, unless that leads out of the folder that ids are seen from.
fn rooted(root: &str, id: String) -> String {
    match root {
        "" => id,
        _ if id.starts_with("..") || id.is_empty() => id,
        root => format!("{}/{id}", root.trim_end_matches('/')),
    }
}

fn phase(line: &Line) -> (Outcome, String) {
    let message = line
        .message
        .clone()
        .or_else(|| line.exc.as_ref().and_then(|exc| exc.message.clone()))
        .unwrap_or_default()
        .0;
    let outcome = match (line.outcome.as_deref(), line.when.as_deref()) {
        (Some("passed"), _) => Outcome::Passed,
        (Some("skipped"), _) => Outcome::Skipped,
        (_, Some("call")) => match &line.exc {
            Some(exc) => of_exception(exc, &message),
            // A strict xfail that passed raises nothing.
            None => Outcome::Inconclusive,
        },
        _ => Outcome::Inconclusive,
    };
    let message = match &line.exc {
        Some(exc) if message.is_empty() => short_name(&exc.kind.0).to_owned(),
        _ => message,
    };
    (outcome, message)
}

/// A tear-down that fails after the test, or the last of several tries.
fn later_phase(known: &mut Test, line: &Line, outcome: Outcome, message: String) {
    let is_teardown = line.when.as_deref() == Some("teardown");
    if known.in_part {
        return;
    }
    known.in_part = line.subtest;
    if is_teardown && known.outcome.is_failure() {
        return;
    }
    if line.outcome.as_deref() == Some("skipped") && line.wasxfail.is_none() && is_teardown {
        return;
    }
    known.outcome = outcome;
    known.message = message;
    known.at.clone_from(&line.at);
}

fn of_exception(exc: &Exception, message: &str) -> Outcome {
    let kind = short_name(&exc.kind.0);
    // pytest's own message begins with the name of the type.
    let name = kind.rsplit('.').next().unwrap_or(kind);
    let words = message
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(message);
    let by_name = cause::of_raised(kind, words);
    if by_name == Outcome::Failed(Cause::Error)
        && exc
            .mro
            .iter()
            .any(|name| name == "AssertionError" || name == "Failed")
    {
        return Outcome::Failed(Cause::Assertion);
    }
    if by_name == Outcome::Failed(Cause::Error)
        && exc.mro.iter().any(|name| name == "NotImplementedError")
    {
        return Outcome::Failed(Cause::Stub);
    }
    by_name
}

fn short_name(kind: &str) -> &str {
    kind.strip_prefix("builtins.").unwrap_or(kind)
}

/// The line of a traceback that says what was raised.
fn last_error(trace: &str) -> String {
    trace
        .lines()
        .filter_map(|line| line.strip_prefix("E "))
        .map(str::trim)
        .rfind(|line| cause::leading_type(line).is_some() || line.contains("rror"))
        .map_or_else(|| text::last_line(trace).trim().to_owned(), str::to_owned)
}

static LAST: LazyLock<Regex> = LazyLock::new(|| {
    text::regex(
        r"(?m)^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed|subtests failed)(?:, )?)+|(?:no|\d+(?:/\d+)?) tests? (?:ran|collected)[^\n]*?) in [\d.]+s",
    )
});
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    text::regex(r"(?m)^(FAILED|SUBFAILED|ERROR)(?:\[.*?\])?(?: ?\(.*?\))? (\S.*?)(?: - (.*))?$")
});

/// Reads pytest's text: the short summary, the last line, and the names that `-v` prints.
pub(super) fn read_text(output: &str) -> Option<Told> {
    let is_ours = LAST.is_match(output)
        || output.contains("= test session starts =")
        || SUMMARY.is_match(output)
        || output.contains("\nINTERNALERROR>")
        || output.contains("pytest: error: ");
    if !is_ours {
        return None;
    }
    let mut collector = Collector::default();
    let mut named = named_by_v(output);
    let mut scan = Scan::default();
    take_summary(output, &mut collector, &mut named, &mut scan);
    for (id, word) in named {
        let file = id.split_once("::").map(|(file, _)| file.to_owned());
        match word {
            "PASSED" | "XPASS" => {
                scan.passed += 1;
                collector.test(id, file.as_deref(), Outcome::Passed, "");
            }
            "SKIPPED" | "XFAIL" => collector.test(id, file.as_deref(), Outcome::Skipped, ""),
            _ => {}
        }
    }
    let mut last = Scan::default();
    let mut ended = false;
    for found in LAST.captures_iter(output) {
        ended = true;
        last.passed += text::number_before(&found[1], &["passed", "xpassed"]);
        last.failed += text::number_before(&found[1], &["failed"]);
        last.errors += text::number_before(&found[1], &["error", "errors"]);
    }
    collector.unnamed_passed(last.passed.saturating_sub(scan.passed));
    let says_more = last.failed > scan.failed || last.errors > scan.errors;
    if says_more || (ended && last.failed < scan.failed) {
        collector.miscounts("pytest");
    }
    if let Some(line) = output.lines().find(|line| {
        line.starts_with("!!!") && !line.contains("stopping after") && line.ends_with("!!!")
    }) {
        collector.contradiction(line.trim_matches(['!', ' ']).to_owned());
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

/// The tests that `-v` names, each with the word for how it ended.
fn named_by_v(output: &str) -> BTreeMap<&str, &str> {
    static VERBOSE: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^(\S+::.+?) (PASSED|SKIPPED|XFAIL|XPASS)(?: \(.*\))?(?: +\[ *\d+%\])?\s*$",
        )
    });
    static BY_WORKER: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\[gw\d+\] (?:\[ *\d+%\] )?(PASSED|SKIPPED|XFAIL|XPASS) (\S+::.*?)\s*$")
    });
    let alone = VERBOSE.captures_iter(output).map(|found| {
        let (_, [id, word]) = found.extract();
        (id, word)
    });
    let by_workers = BY_WORKER.captures_iter(output).map(|found| {
        let (_, [word, id]) = found.extract();
        (id, word)
    });
    alone.chain(by_workers).collect()
}

/// Takes in the short summary, which has the last word on what `-v` named.
fn take_summary(
    output: &str,
    collector: &mut Collector,
    named: &mut BTreeMap<&str, &str>,
    scan: &mut Scan,
) {
    let mut failed = Vec::new();
    for found in SUMMARY.captures_iter(output) {
        let (word, what) = (&found[1], found[2].to_owned());
        let message = found.get(3).map_or("", |message| message.as_str());
        match word {
            // A part of a test counts like a test of its own.
            "FAILED" | "SUBFAILED" if failed.contains(&what) => scan.failed += 1,
            "FAILED" | "SUBFAILED" if what.contains("::") => {
                named.remove(what.as_str());
                let file = what.split_once("::").map(|(file, _)| file.to_owned());
                collector.test(&what, file.as_deref(), of_summary(message), message);
                failed.push(what);
                scan.failed += 1;
            }
            // The tear-down of a test that failed before.
            "ERROR" if failed.contains(&what) => scan.errors += 1,
            "ERROR" if what.contains("::") => {
                named.remove(what.as_str());
                collector.test(&what, None, Outcome::Inconclusive, message);
                scan.errors += 1;
            }
            "ERROR" if !what.contains(": ") => {
                collector.load_error(what, message);
                scan.errors += 1;
            }
            _ => {}
        }
    }
}

fn of_summary(message: &str) -> Outcome {
    if message.starts_with("assert ") || message == "assert" {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_text(message, Cause::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_try_wins_and_a_teardown_does_not_hide_a_failure() {
        let lines = br#"{"nodeid":"a.py::t","when":"call","outcome":"failed","exc":{"type":"builtins.AssertionError","mro":["AssertionError"]}}
{"nodeid":"a.py::t","when":"teardown","outcome":"failed","exc":{"type":"builtins.RuntimeError","mro":[]}}
{"nodeid":"a.py::u","when":"call","outcome":"rerun","exc":{"type":"builtins.AssertionError","mro":["AssertionError"]}}
{"nodeid":"a.py::u","when":"call","outcome":"passed"}
{"event":"finish","exitstatus":1,"collected":2}
"#;
        let report = read(&mut &lines[..]).expect("it is a report");
        let found: Vec<_> = report
            .tests
            .iter()
            .map(|test| (test.id, test.status, test.inconclusive))
            .collect();
        use crate::rules::verdict::TestStatus::{Failed, Passed};
        assert_eq!(
            found,
            [
                ("a.py::t", Failed(Cause::Assertion), false),
                ("a.py::u", Passed, false)
            ]
        );
        assert!(report.ended && report.contradiction.is_none());
    }

    #[test]
    fn ids_are_seen_from_the_folder_that_pytest_names() {
        let lines = br#"{"event":"root","path":"/p/a"}
{"nodeid":"t.py::t","when":"call","outcome":"passed"}
{"nodeid":"../t.py::t","when":"call","outcome":"passed"}
"#;
        let report = read(&mut &lines[..]).expect("it is a report");
        let ids: Vec<_> = report.tests.iter().map(|test| test.id).collect();
        assert_eq!(ids, ["/p/a/t.py::t", "../t.py::t"]);
    }

    #[test]
    fn a_part_that_failed_fails_the_test() {
        let lines = br#"{"nodeid":"a.py::t","when":"call","outcome":"passed","subtest":true}
{"nodeid":"a.py::t","when":"call","outcome":"failed","subtest":true,"exc":{"type":"builtins.AssertionError","mro":["AssertionError"]}}
{"nodeid":"a.py::t","when":"call","outcome":"passed","subtest":true}
{"nodeid":"a.py::t","when":"call","outcome":"passed"}
{"nodeid":"a.py::u","when":"call","outcome":"passed","subtest":true}
{"nodeid":"a.py::u","when":"call","outcome":"passed"}
{"event":"finish","exitstatus":1,"collected":2}
"#;
        let by_plugin = read(&mut &lines[..]).expect("it is a report");
        let text = "==== short test summary info ====\n\
            SUBFAILED(i=1) a.py::t - AssertionError: 1 == 1\n\
            SUBFAILED[odd (one)] (i=3) a.py::t - AssertionError: 3 == 3\n\
            ==== 2 failed, 2 passed, 1 subtests passed in 0.33s ====\n";
        let by_text = read_text(text).and_then(Told::alone).expect("its output");
        use crate::rules::verdict::TestStatus::{Failed, Passed};
        for (report, passed) in [(by_plugin, 1), (by_text, 0)] {
            let found = report.tests.statuses();
            assert_eq!(found[0], ("a.py::t", Failed(Cause::Assertion)));
            assert_eq!(found[1..], vec![("a.py::u", Passed); passed]);
            assert_eq!(report.contradiction, None);
        }
    }

    #[test]
    fn tests_that_were_only_listed_did_not_run() {
        for listed in [
            "a.py::t\na.py::u\n\n2 tests collected in 0.02s\n",
            "a.py::t\n\n1/2 tests collected (1 deselected) in 0.02s\n",
        ] {
            let report = read_text(listed).and_then(Told::alone).expect("its output");
            assert!(report.tests.is_empty() && report.ended, "{listed}");
            assert_eq!(report.unnamed_passed, 0, "{listed}");
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_is_a_contradiction() {
        let lines = b"{\"nodeid\":\"a.py::t\",\"when\":\"call\",\"outcome\":\"passed\"}\n{\"nodeid\":\"a.\n{\"event\":\"finish\",\"exitstatus\":0,\"collected\":1}\n";
        let report = read(&mut &lines[..]).expect("it is a report");
        assert!(report.contradiction.is_some());
    }
}
