//! bun: its text; its report is JUnit XML, which leaves out files that could not be loaded.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::aim::Aim;
use super::ask::{Asking, Join, Way};
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::junit::Dialect;
use super::formats::{cause, text};
use super::formats::{junit, places};
use super::project::node::{Manager, node, test_file};
use super::project::{Offer, Place, Strength};
use crate::rules::verdict::Cause;
use std::iter;

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("bun", "test")],
    ask,
    writes_one_file: true,
    reports: &[("bun.xml", &junit::XML)],
    read_text,
    telling: &[r"^bun test v\d"],
    settle: |report, sources| places::settle(report, sources, places::outermost_frame),
    takes_aim: |_| true,
    filters: &["-t", "--test-name-pattern"],
    junit: &JUNIT,
    detect,
    asked: "JUnit XML, by `BUN_OPTIONS`",
    tried: Some("1.4"),
    ..Runner::named("bun test")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let is_there = |file: &String| place.exists(file);
    let (strength, file) = match place.exists("package.json") {
        true if Manager::of(place) == Manager::Bun => (Strength::Configured, test_file(place)),
        true => return,
        false => {
            let config = Some("bunfig.toml".to_owned()).filter(is_there);
            (Strength::Default, config)
        }
    };
    if let Some(file) = file {
        out.push(node(strength, "bun test", format!("`{file}`"), &file));
    }
}

static JUNIT: Dialect = Dialect {
    is_suite: |name| name == "bun test",
    id: |ids, case, suites| {
        let outer = (suites.iter())
            .filter(|suite| !suite.is_root && suite.name != suite.file)
            .map(|suite| suite.name.as_str());
        let file = iter::once(case.file.as_str());
        ids.joined(file.chain(outer).chain([case.name.as_str()]))
    },
    is_load_error: |case, failure| {
        is_of_hook(&case.name) || (Dialect::KNOWN.is_load_error)(case, failure)
    },
    not_loaded: |case, suites| match case.file.is_empty() {
        true => (Dialect::KNOWN.not_loaded)(case, suites),
        false => case.file.clone(),
    },
    ..Dialect::KNOWN
};

fn ask(asking: &Asking<'_>) -> Option<Way> {
    if asking.found.has("--reporter") {
        return None;
    }
    let out = asking.out;
    let ours = format!("--reporter=junit --reporter-outfile={out}/bun.xml");
    let titles = asking.aim.and_then(Aim::title_pattern);
    // The variable is split at blanks.
    let titles = titles.map(|titles| titles.replace(' ', r"\x20").replace('"', r"\x22"));
    let titles = titles.map(|titles| format!(" --test-name-pattern={titles}"));
    let value = ours + &titles.unwrap_or_default();
    Some(Way::default().set("BUN_OPTIONS", Join::After(" "), value))
}

/// Reads the text of `bun test`.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$"));
    static FILE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(\S.*\.(?:js|ts|jsx|tsx|mjs|cjs|mts|cts)):$"));
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^Ran (\d+) tests? across \d+ files?\. "));
    let begun = (output.lines().filter(|line| line.starts_with("bun test v"))).count();
    if begun == 0 && !RAN.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    let mut file = String::new();
    let mut since = String::new();
    let mut counted = text::Scan::default();
    let mut seen = text::Scan::default();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = FILE.captures(line) {
            file = found[1].to_owned();
            since.clear();
        } else if line == "# Unhandled error between tests" {
            let message = lines
                .clone()
                .map(str::trim)
                .find(|line| !line.is_empty() && !line.starts_with("---") && !line.contains(" | "));
            collector.load_error(file.clone(), message.unwrap_or_default());
            counted.errors += 1;
        } else if let Some(found) = RESULT.captures(line) {
            let id = format!("{file} > {}", &found[2]);
            if &found[1] == "fail" && is_of_hook(&found[2]) {
                seen.failed += 1;
                collector.load_error(file.clone(), error_lines(&since));
                since.clear();
                continue;
            }
            let remark = lines
                .clone()
                .next()
                .and_then(|line| line.trim_start().strip_prefix("^ "))
                .unwrap_or_default();
            let outcome = match &found[1] {
                "pass" => {
                    seen.passed += 1;
                    Outcome::Passed
                }
                "fail" => {
                    seen.failed += 1;
                    match cause::proves_nothing("", remark) {
                        true => Outcome::Inconclusive,
                        false => of_error(&since),
                    }
                }
                _ => Outcome::Skipped,
            };
            let message = match error_lines(&since) {
                "" => remark,
                error => error,
            };
            collector.test(&id, Some(&file), outcome, message);
            since.clear();
        } else if let Some(count) = line.strip_suffix(" pass") {
            counted.passed += count.trim().parse().unwrap_or(0);
        } else if let Some(count) = line.strip_suffix(" fail") {
            counted.failed += count.trim().parse().unwrap_or(0);
        } else if since.len() < 8_000 {
            since.push_str(line);
            since.push('\n');
        }
    }
    // bun counts a file that could not be loaded as a failed test.
    if counted.failed > seen.failed + counted.errors {
        collector.miscounts("bun");
    }
    collector.unnamed_passed(counted.passed.saturating_sub(seen.passed));
    // One begins in each package.
    collector.ended(RAN.find_iter(output).count() >= begun.max(1));
    Some(collector.finish_text())
}

/// A hook that fails outside of any test is reported like a test without a name.
pub(super) fn is_of_hook(name: &str) -> bool {
    name.rsplit(" > ").next() == Some("(unnamed)")
}

/// What was printed between two results, from the error on.
fn error_lines(since: &str) -> &str {
    let mut at = 0;
    for line in since.split_inclusive('\n') {
        if line.starts_with("error: ") || cause::leading_type(line).is_some() {
            return since.get(at..).unwrap_or_default();
        }
        at += line.len();
    }
    ""
}

fn of_error(since: &str) -> Outcome {
    let error = error_lines(since);
    match error.strip_prefix("error: ") {
        Some(words) if words.starts_with("expect(") || words.starts_with("expect.") => {
            Outcome::Failed(Cause::Assertion)
        }
        Some(words) => cause::of_raised("Error", words),
        None => cause::of_text(error, Cause::Error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(results: &str) -> crate::rules::verdict::Report {
        let text = format!(
            "bun test v1.4.4 (38afee6c8)\n\na.test.js:\n{results}\n 0 pass\n 1 fail\nRan 1 test across 1 file. [18.00ms]\n"
        );
        read_text(&text).and_then(Told::alone).expect("its output")
    }

    #[test]
    fn a_package_that_left_has_not_ended() {
        let one = "bun test v1.4.4 (38afee6c8)\n\na.test.js:\n(pass) adds [0.16ms]\n\n 1 pass\n 0 fail\n\
            Ran 1 test across 1 file. [63.00ms]\n";
        let ended = |text: &str| {
            let report = read_text(text).and_then(Told::alone).expect("its output");
            report.ended
        };
        assert!(ended(one));
        assert!(!ended(&format!("{one}bun test v1.4.4 (38afee6c8)\n")));
    }

    #[test]
    fn a_hook_that_fails_is_no_test() {
        let report =
            report("error: x\n      at <anonymous> (a.test.js:2:35)\n(fail) (unnamed) [0.26ms]\n");
        assert!(report.tests.is_empty(), "{:?}", report.tests);
        assert_eq!(report.load_errors[0].what, "a.test.js");
        assert_eq!(report.contradiction, None);
    }

    #[test]
    fn the_remark_below_a_test_tells_what_proves_nothing() {
        for results in [
            "(fail) t [50.02ms]\n  ^ this test timed out after 50ms.\n",
            "(fail) x\n  ^ this test is marked as failing but it passed. Remove `.failing` if tested behavior now works\n",
        ] {
            let report = report(results);
            assert!(
                report.tests.get(0).expect("a test").inconclusive,
                "{results}"
            );
        }
    }
}
