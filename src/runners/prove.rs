//! prove: its text; the TAP that the test scripts wrote is the better report.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::ask::{Join, Way};
use super::formats::collect::Outcome;
use super::formats::collect::{Collector, Told};
use super::formats::junit::{Dialect, has_bare_root, xunit_failure};
use super::formats::tap;
use super::formats::text;
use super::project::Offer;

pub(super) static RUNNER: Runner = Runner {
    programs: &["prove"],
    subcommands: &[("Build", "test")],
    lists_only: &["-D", "--dry"],
    ask: |asking| {
        let out = format!("{}/tap", asking.out);
        Some(Way::default().set("PERL_TEST_HARNESS_DUMP_TAP", Join::Yield, out))
    },
    reports: &[("tap", &tap::TAP)],
    read_text,
    telling: &[r"^Result: (?:PASS|FAIL|NOTESTS)$"],
    hides: &["TAP"],
    junit: &JUNIT,
    detect: |place, out| {
        if place.has_named("t", ".t") {
            out.push(Offer::by_default("perl", "prove -lr t", "t"));
        }
    },
    known_by: "`perl Build test`",
    asked: "TAP, by `PERL_TEST_HARNESS_DUMP_TAP`",
    tried: Some("3.44"),
    ..Runner::named("prove")
};

/// What TAP::Harness::JUnit and its kin write.
static JUNIT: Dialect = Dialect {
    is_case: |case, suites| {
        has_bare_root(suites)
            && case.classname.is_empty()
            && case.name.starts_with(|first: char| first.is_ascii_digit())
    },
    id: |ids, case, suites| {
        let suite = suites.last().map_or("", |suite| suite.name.as_str());
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match case.name.split_once(" - ") {
            Some((number, description)) if is_number(number) => ids.joined([suite, description]),
            _ => ids.joined([suite, &format!("({})", case.name)]),
        }
    },
    failure: |_, failure| match failure.kind.as_str() {
        "TodoTestSucceeded" => Outcome::Passed,
        _ => xunit_failure(failure),
    },
    is_count: |suite, failure| {
        let status = failure.message.strip_prefix("Dubious, test returned ");
        let status = status.and_then(|rest| rest.split(' ').next()?.parse().ok());
        suite.failed_cases > 0 && status == Some(suite.failed_cases)
    },
    ..Dialect::KNOWN
};

/// Reads prove's text: it names failed tests by number only, and only files that passed as a whole.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^Result: (PASS|FAIL|NOTESTS)$"));
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| text::regex(r"(?m)^Files=\d+, Tests=(\d+),"));
    static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^(\S.*?) +\(Wstat: (\d+)(?: \((.*?)\))? Tests: (\d+) Failed: (\d+)\)$")
    });
    static FAILED: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^#   Failed test '(.*)'\n#   at (\S+) line (\d+)\.$"));
    let result = RESULT.captures(output)?;
    let mut collector = Collector::default();
    let (mut failed, mut named) = (0, 0);
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = SUMMARY.captures(line) else {
            continue;
        };
        let count = |at: usize| found[at].parse::<usize>().unwrap_or(0);
        let (status, failures) = (count(2), count(5));
        failed += failures;
        let mut why = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
            if line.trim_start().starts_with("Parse errors: ") {
                line.trim().clone_into(&mut why);
            }
        }
        // The exit status of a script is its number of failed tests.
        if !why.is_empty() || (status != 0 && status >> 8 != failures) {
            let why = if why.is_empty() {
                found.get(3).map_or("", |ended| ended.as_str())
            } else {
                &why
            };
            collector.load_error(found[1].to_owned(), why);
        }
    }
    for found in FAILED.captures_iter(output) {
        named += 1;
        let id = format!("{} > {}", &found[2], &found[1]);
        let outcome =
            super::formats::collect::Outcome::Failed(crate::rules::verdict::Cause::Assertion);
        let rest = found
            .get(0)
            .and_then(|all| output.get(all.end()..))
            .unwrap_or_default();
        let place = format!("at {} line {}.", &found[2], &found[3]);
        let mut message: Vec<&str> = rest
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("#  "))
            .map(|line| line.trim_start_matches('#').trim())
            .collect();
        message.push(&place);
        collector.test(&id, Some(&found[2]), outcome, &message.join("\n"));
    }
    if failed > named {
        collector.miscounts("prove");
    }
    let total: usize = COUNTS
        .captures(output)
        .and_then(|found| found[1].parse().ok())
        .unwrap_or(0);
    collector.unnamed_passed(total.saturating_sub(failed));
    if output.contains("FAILED--Further testing stopped") {
        collector.contradiction("a test script bailed out");
    }
    if &result[1] == "FAIL" && failed == 0 {
        collector.contradiction("prove failed outside of the tests");
    }
    collector.ended(true);
    Some(collector.finish_text())
}
