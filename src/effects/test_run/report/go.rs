//! `go test`: its JSON, and its text.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::collect::{Collector, MESSAGE_BYTES, Outcome, Told};
use super::jest::stronger;
use super::{ReadError, cause, json, text};
use crate::policy::judge::Report;
use crate::policy::verdict::Cause;

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
    passed: usize,
    ended: bool,
    printed: String,
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
        ("run", Some(test)) => {
            package.running.insert(test, String::new());
        }
        ("output", Some(test)) => {
            if let Some(printed) = package.running.get_mut(&test) {
                keep(printed, line.output.as_deref().unwrap_or_default());
            }
        }
        ("output", None) => keep(
            &mut package.printed,
            line.output.as_deref().unwrap_or_default(),
        ),
        ("pass" | "fail" | "skip", Some(test)) => {
            // A test ends only after it began; Go before 1.20 believes what a test prints.
            let Some(printed) = package.running.remove(&test) else {
                return;
            };
            let id = format!("{} > {test}", line.package);
            match line.action.as_str() {
                "pass" => {
                    package.passed += 1;
                    collector.test(&id, None, Outcome::Passed, "");
                }
                "skip" => collector.test(&id, None, Outcome::Skipped, ""),
                _ => {
                    let outcome = of_test(&test, &printed, &package.failed);
                    package.failed.push((test, outcome, printed.clone()));
                    collector.test(&id, None, outcome, &words(&printed));
                }
            }
        }
        ("pass" | "skip", None) => package.ended = true,
        ("fail", None) => {
            package.ended = true;
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

/// Why a test failed: by a panic, by tests inside it, or by its own word.
fn of_test(test: &str, printed: &str, failed: &[(String, Outcome, String)]) -> Outcome {
    let panic = printed
        .lines()
        .find_map(|line| line.strip_prefix("panic: "));
    if let Some(panic) = panic {
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
        .reduce(stronger);
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
    static TEST: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^( *)--- (PASS|FAIL|SKIP): (.+) \([\d.]+s\)$"));
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
        } else if let Some(found) = TEST.captures(line) {
            let name = found[3].to_owned();
            if is_verbose {
                match running.iter().position(|test| *test == name) {
                    Some(at) => {
                        running.swap_remove(at);
                    }
                    None => continue,
                }
            }
            let outcome = match &found[2] {
                "PASS" => Outcome::Passed,
                "SKIP" => Outcome::Skipped,
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
mod tests {
    use super::*;

    const OUTPUT: &str = "# demo/bar\nbar/bar.go:1:1: syntax error\n\
        # demo/b [demo/b.test]\nb/b_test.go:5:30: undefined: Nope\n\
        FAIL\tdemo/b [build failed]\nFAIL\tdemo/needs_bar [build failed]\n";

    #[test]
    fn a_package_that_does_not_compile_says_where() {
        let report = read_text(OUTPUT).and_then(Told::alone).expect("its output");
        let errors: Vec<_> = report
            .load_errors
            .iter()
            .map(|error| (error.what.as_str(), error.message.as_str()))
            .collect();
        assert_eq!(
            errors,
            [
                ("demo/b", "b/b_test.go:5:30: undefined: Nope"),
                ("demo/needs_bar", "bar/bar.go:1:1: syntax error"),
            ]
        );
    }

    #[test]
    fn what_the_compiler_said_beside_the_json_is_not_lost() {
        let json = "FAIL\tdemo/b [build failed]\n\
            {\"Action\":\"pass\",\"Package\":\"demo/a\"}\n";
        let report = super::super::read(super::super::Format::GoJson, &mut json.as_bytes());
        let reports = vec![(super::super::Format::GoJson, report)];
        let runners = [super::super::Runner::GoTest];
        let report = super::super::combine(reports, &runners, OUTPUT, true).expect("a report");
        assert_eq!(
            report.load_errors[0].message,
            "b/b_test.go:5:30: undefined: Nope"
        );
    }

    #[test]
    fn a_package_that_fails_as_a_whole_says_how() {
        let json = r#"{"Action":"output","Package":"demo","Output":"exit status 3\n"}
{"Action":"output","Package":"demo","Output":"FAIL\tdemo\t0.003s\n"}
{"Action":"fail","Package":"demo"}
"#;
        let report = read(&mut json.as_bytes()).expect("its JSON");
        assert_eq!(
            report.contradiction.as_deref(),
            Some("package `demo` failed outside of its tests: exit status 3")
        );
    }
}
