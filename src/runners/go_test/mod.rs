//! `go test`: its JSON, and its text.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

mod aim;
mod readable;

use super::Runner;
use super::ask::{Asking, Way};
use super::command::{Found, Sign};
use super::formats::Format;
use super::formats::collect::{Collector, MESSAGE_BYTES, Outcome, Told};
use super::formats::{ReadError, cause, json, text};
use super::project::{Offer, Place};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    programs: &["gotestsum", "gotest"],
    sign: |look| {
        let is_go = look.is(&["go", "richgo"]);
        let found = look.call.positional(&["-C"]).filter(|_| is_go);
        Sign::sure_if(match found {
            Some(("test", _)) => true,
            Some(("run", rest)) => rest.iter().any(|word| word.contains("gotestsum")),
            _ => false,
        })
    },
    lists_only: &["-list", "--list"],
    ask,
    reports: &[("go-", &JSON)],
    documents: &[&JSON],
    read_text,
    telling: &[r"^(?:ok  |FAIL|\?   )\t\S+"],
    readable: Some(readable::readable),
    takes_aim: Found::is_by_name,
    filters: &["-run", "--run", "-c", "-bench", "-fuzz", "-exec"],
    detect,
    proves_nothing: &[r"^unexpected call to os\.Exit"],
    nothing_ran: &[r"^stat .*: directory not found$"],
    known_by: "`go test`, `go run …gotestsum`",
    asked: "`-json`, by a `go` of ours on PATH",
    tried: Some("1.19"),
    ..Runner::named("go test")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    // Patterns do not cross from one module of a workspace into the next.
    let modules = go_modules(place);
    if !modules.is_empty() {
        let patterns: String = modules
            .iter()
            .map(|module| {
                if module == "." {
                    " ./...".to_owned()
                } else {
                    format!(" ./{module}/...")
                }
            })
            .collect();
        out.push(Offer::configured(
            "go",
            format!("go test{patterns}"),
            "go.work",
        ));
    } else if place.exists("go.mod") {
        out.push(Offer::by_default("go", "go test ./...", "go.mod"));
    }
}

/// The modules that go.work uses, `.` for the root.
pub(crate) fn go_modules(place: &Place<'_>) -> Vec<String> {
    let text = place.read("go.work").unwrap_or_default();
    let mut modules = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let module = match line.strip_prefix("use") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                in_block = true;
                continue;
            }
            Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim(),
            _ if line == ")" => {
                in_block = false;
                continue;
            }
            _ if in_block && !line.is_empty() => line,
            _ => continue,
        };
        let module = module.trim_matches(['"', '`']);
        let module = module.trim_start_matches("./").trim_end_matches('/');
        modules.push(if module.is_empty() { "." } else { module }.to_owned());
    }
    modules
}

/// What `go test -json` writes.
static JSON: Format = Format {
    keys: &["Action"],
    ..Format::own("go test JSON", |_, input| read(input))
};

fn ask(asking: &Asking<'_>) -> Option<Way> {
    if !asking.found.is_by_name() {
        return None;
    }
    let shim = include_str!("../reporters/shims/go");
    let way = Way::default().shim(asking.home, "shims/go", shim);
    Some(match asking.aim.map(aim::GoAim::of) {
        Some(aim) => way
            .file("aim/go/packages", &aim.table())
            .file("aim/go/run", &aim.pattern()),
        None => way,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Line {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    output: Option<String>,
    #[serde(default)]
    import_path: Option<String>,
    #[serde(default)]
    failed_build: Option<String>,
}

#[derive(Default)]
struct Package {
    running: BTreeMap<String, String>,
    failed: Vec<(String, Outcome, String)>,
    ended: bool,
    printed: String,
    /// Go since 1.20 says when a package begins, and no end of a test escapes it.
    says_its_start: bool,
    /// Whether a test began.
    any_began: bool,
    /// Ends of tests that stand behind something a test printed without ending the line.
    overlooked: Vec<(String, &'static str)>,
}

impl Package {
    /// A test ends only after it began; Go before 1.20 believes what a test prints.
    fn end_test(&mut self, collector: &mut Collector, package: &str, test: String, action: &str) {
        let Some(printed) = self.running.remove(&test) else {
            return;
        };
        let id = format!("{package} > {test}");
        match action {
            "pass" => collector.test(&id, None, Outcome::Passed, ""),
            "skip" => collector.test(&id, None, Outcome::Skipped, ""),
            _ => {
                let outcome = of_test(&test, &printed, &self.failed);
                if panicked(&printed).is_some() {
                    // The process is gone, and with it the tests that would have come.
                    collector.cut_off();
                }
                self.failed.push((test, outcome, printed.clone()));
                collector.test(&id, None, outcome, &words(&printed));
            }
        }
    }

    /// A panic beside the goroutine of a test ends the process before the test is said to have failed.
    fn end_panicked(&mut self, collector: &mut Collector, package: &str) {
        let died = |(_, printed): &(&String, &String)| {
            panicked(printed).is_some_and(|words| !words.starts_with("test timed out after "))
        };
        let tests: Vec<String> = (self.running.iter().filter(died))
            .map(|(test, _)| test.clone())
            .collect();
        for test in tests {
            self.end_test(collector, package, test, "fail");
        }
    }

    /// The package ended; so have the tests whose end Go overlooked. The outer test is told of first.
    fn end(&mut self, collector: &mut Collector, package: &str) {
        self.ended = true;
        for (test, action) in std::mem::take(&mut self.overlooked).into_iter().rev() {
            self.end_test(collector, package, test, action);
        }
    }
}

/// `--- PASS: TestA (0.00s)`, behind what the test may have printed: that, the action, and the name.
fn end_of_test(line: &str) -> Option<(&str, &'static str, &str)> {
    static END: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(.*?)--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$"));
    let found = END.captures(line.trim_end())?;
    let action = match found.get(2)?.as_str() {
        "PASS" => "pass",
        "SKIP" => "skip",
        _ => "fail",
    };
    Some((found.get(1)?.as_str(), action, found.get(3)?.as_str()))
}

/// Reads the stream of `go test -json`; lines of older versions that are no JSON tell of failed builds.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    let mut builds: HashMap<String, String> = HashMap::new();
    let mut raw = String::new();
    let mut any = false;
    json::each_line(
        input,
        |line: Line| {
            any = true;
            take(&mut collector, &mut packages, &mut builds, line);
        },
        |line| {
            if raw.len() < MESSAGE_BYTES * 8 {
                raw.push_str(line);
                raw.push('\n');
            }
        },
    )?;
    let failed_builds = take_failed_builds(&mut collector, &raw);
    if !any && !failed_builds {
        return if raw.trim().is_empty() {
            Ok(Report::default())
        } else {
            Err(ReadError::OtherFormat)
        };
    }
    let mut ended = true;
    for (name, package) in packages {
        ended &= package.ended;
        for test in package.running.into_keys() {
            collector.unfinished(format!("{name} > {test}"));
        }
    }
    collector.ended(ended);
    Ok(collector.finish())
}

fn take(
    collector: &mut Collector,
    packages: &mut BTreeMap<String, Package>,
    builds: &mut HashMap<String, String>,
    line: Line,
) {
    if let Some(import) = &line.import_path {
        if line.action == "build-output" {
            let printed = builds.entry(import.clone()).or_default();
            if printed.len() < MESSAGE_BYTES {
                printed.push_str(line.output.as_deref().unwrap_or_default());
            }
        }
        return;
    }
    let package = packages.entry(line.package.clone()).or_default();
    match (line.action.as_str(), line.test) {
        ("start", None) => package.says_its_start = true,
        ("run", Some(test)) => {
            package.any_began = true;
            package.running.insert(test, String::new());
        }
        ("output", Some(test)) => {
            let output = line.output.as_deref().unwrap_or_default();
            if let Some((_, action, name)) = end_of_test(output)
                && !package.says_its_start
            {
                package.overlooked.push((name.to_owned(), action));
            }
            if let Some(printed) = package.running.get_mut(&test) {
                keep(printed, output);
            }
        }
        ("output", None) => keep(
            &mut package.printed,
            line.output.as_deref().unwrap_or_default(),
        ),
        ("pass" | "fail" | "skip", Some(test)) => {
            package.end_test(collector, &line.package, test, &line.action);
        }
        ("pass" | "skip", None) => {
            package.end(collector, &line.package);
            // Go says so itself where there is nothing to run.
            let is_ok = package.printed.contains("ok  \t") && !package.printed.contains("[no test");
            if is_ok && !package.any_began {
                collector.contradiction(format!(
                    "package `{}` ended well and ran no test: its process left early",
                    line.package
                ));
            }
        }
        ("fail", None) => {
            package.end(collector, &line.package);
            package.end_panicked(collector, &line.package);
            if let Some(build) = &line.failed_build {
                let message = builds.get(build).map_or("", String::as_str);
                collector.load_error(line.package, without_header(message));
            } else if package.printed.contains("[build failed]")
                || package.printed.contains("[setup failed]")
            {
                collector.load_error(line.package, &package.printed.clone());
            } else if package.failed.is_empty() && package.running.is_empty() {
                let why = text::last_line(before_result(&package.printed)).trim();
                collector.contradiction(format!(
                    "package `{}` failed outside of its tests: {why}",
                    line.package
                ));
            }
        }
        _ => {}
    }
}

/// What a package printed, without the line that says no more than that it failed.
fn before_result(printed: &str) -> &str {
    printed
        .rsplit_once("FAIL\t")
        .map_or(printed, |(before, _)| before)
}

fn keep(printed: &mut String, more: &str) {
    if printed.len() < MESSAGE_BYTES * 2 {
        printed.push_str(more);
    }
}

/// What ended the process of a test, in the words of the runtime.
fn panicked(printed: &str) -> Option<&str> {
    let words = |line| {
        ["panic: ", "fatal error: "]
            .iter()
            .find_map(|start| str::strip_prefix(line, *start))
    };
    printed.lines().find_map(words)
}

/// Why a test failed: by a panic, by tests inside it, or by its own word.
fn of_test(test: &str, printed: &str, failed: &[(String, Outcome, String)]) -> Outcome {
    if let Some(panic) = panicked(printed) {
        let panic = panic
            .split(" [recovered")
            .next()
            .unwrap_or(panic)
            .trim_start_matches("main.");
        return cause::of_raised("panic", panic);
    }
    let inner = format!("{test}/");
    let children = failed
        .iter()
        .filter(|(name, _, _)| name.starts_with(&inner))
        .map(|(_, outcome, _)| *outcome)
        .reduce(Outcome::stronger);
    children.unwrap_or(Outcome::Failed(Cause::Assertion))
}

/// What a test said, without the lines of the frame.
fn words(printed: &str) -> String {
    printed
        .lines()
        .filter(|line| {
            !line.trim_start().starts_with("=== ") && !line.trim_start().starts_with("--- ")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn without_header(message: &str) -> &str {
    match message.split_once('\n') {
        Some((header, rest)) if header.starts_with("# ") => rest,
        _ => message,
    }
}

/// `FAIL package [build failed]`, with what the compiler said before.
fn take_failed_builds(collector: &mut Collector, raw: &str) -> bool {
    static FAILED: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^FAIL\s+(\S+) \[(?:build|setup) failed\]$"));
    let mut any = false;
    for found in FAILED.captures_iter(raw) {
        any = true;
        let package = &found[1];
        collector.load_error(package.to_owned(), compiler_words(raw, package));
    }
    any
}

/// The first error of a package; if it has none, that of another one, which it needs.
fn compiler_words<'a>(raw: &'a str, package: &str) -> &'a str {
    let mut first = None;
    let mut lines = raw.lines();
    while let Some(line) = lines.next() {
        let Some(header) = line.strip_prefix("# ") else {
            continue;
        };
        let words = lines.clone().next().unwrap_or_default();
        if header.split(' ').next() == Some(package) {
            return words;
        }
        first.get_or_insert(words);
    }
    first.unwrap_or_default()
}

/// Reads the text of `go test`, with `-v` or without. Without it `ok` alone does not say that a test ran,
///so a text that has nothing else is silent.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static PACKAGE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(ok  |FAIL|\?   )\t(\S+)(?:\t| )(.*)$"));
    let builds = take_failed_builds_of(output);
    let is_verbose = output.lines().any(|line| line.starts_with("=== RUN   "));
    if builds.is_none() && !output.lines().any(|line| PACKAGE.is_match(line)) {
        return None;
    }
    let mut collector = Collector::default();
    take_failed_builds(&mut collector, output);
    let mut tests: Vec<(String, Outcome, String)> = Vec::new();
    let mut running: Vec<String> = Vec::new();
    let mut known: Vec<(String, Outcome, String)> = Vec::new();
    let mut ok_packages = 0;
    let mut waits_for_fail = true;
    for line in output.lines() {
        if let Some(test) = line.strip_prefix("=== RUN   ") {
            running.push(test.trim_end().to_owned());
        } else if let Some((printed, action, name)) = end_of_test(line)
            && (is_verbose || !printed.starts_with([' ', '\t']) || printed.trim().is_empty())
        {
            let name = name.to_owned();
            if is_verbose {
                match running.iter().position(|test| *test == name) {
                    Some(at) => {
                        running.swap_remove(at);
                    }
                    None => continue,
                }
            }
            let outcome = match action {
                "pass" => Outcome::Passed,
                "skip" => Outcome::Skipped,
                _ => Outcome::Failed(Cause::Assertion),
            };
            tests.push((name, outcome, String::new()));
        } else if let Some(found) = PACKAGE.captures(line) {
            let package = found[2].to_owned();
            if &found[1] == "FAIL"
                && (line.ends_with("[build failed]") || line.ends_with("[setup failed]"))
            {
                continue;
            }
            let failed = tests.iter().any(|(_, outcome, _)| outcome.is_failure());
            if &found[1] == "FAIL" && !failed {
                collector.contradiction(format!("package `{package}` failed outside of its tests"));
            }
            ok_packages += usize::from(&found[1] == "ok  " && !line.contains("[no tests to run]"));
            waits_for_fail = false;
            finish_package(
                &mut collector,
                &package,
                &mut tests,
                &mut running,
                &mut known,
            );
        } else if let Some((_, _, printed)) = tests.last_mut() {
            keep(printed, line);
            keep(printed, "\n");
        }
    }
    if !running.is_empty() || !tests.is_empty() {
        finish_package(&mut collector, "", &mut tests, &mut running, &mut known);
        waits_for_fail = true;
    }
    collector.ended(!waits_for_fail);
    if collector.is_empty() && ok_packages > 0 && builds.is_none() && !is_verbose {
        return Some(Told::silent());
    }
    if !is_verbose && !collector.is_empty() {
        collector.unnamed_passed(ok_packages);
    }
    Some(collector.finish_text())
}

fn take_failed_builds_of(output: &str) -> Option<()> {
    let failed = output.lines().any(|line| {
        line.starts_with("FAIL")
            && (line.ends_with("[build failed]") || line.ends_with("[setup failed]"))
    });
    failed.then_some(())
}

fn finish_package(
    collector: &mut Collector,
    package: &str,
    tests: &mut Vec<(String, Outcome, String)>,
    running: &mut Vec<String>,
    known: &mut Vec<(String, Outcome, String)>,
) {
    known.clear();
    // Text names the outer test first.
    for (name, outcome, printed) in tests.iter().rev() {
        if outcome.is_failure() {
            let outcome = of_test(name, printed, known);
            known.push((name.clone(), outcome, String::new()));
        }
    }
    for (name, outcome, printed) in tests.drain(..) {
        let outcome = known
            .iter()
            .find(|(failed, _, _)| outcome.is_failure() && *failed == name)
            .map_or(outcome, |(_, outcome, _)| *outcome);
        collector.test(
            &format!("{package} > {name}"),
            None,
            outcome,
            &words(&printed),
        );
    }
    for test in running.drain(..) {
        collector.unfinished(format!("{package} > {test}"));
    }
}

#[cfg(test)]
mod tests;
