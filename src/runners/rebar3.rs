//! EUnit and Common Test, as rebar3 runs them: the JUnit XML that both can write.

use std::sync::LazyLock;

use regex::Regex;

use super::ask::{Join, Way};
use super::command::Sign;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::junit::{self, Case, Dialect, Failure, Suite};
use super::formats::{cause, text};
use super::project::Offer;
use super::{Runner, Sources};
use crate::rules::verdict::{Cause, Report, TestCase};

pub(super) static RUNNER: Runner = Runner {
    sign: |look| {
        let mut words = look.call.arguments.iter();
        let tests = |word: &String| ["eunit", "ct"].contains(&word.trim_end_matches(','));
        Sign::sure_if(look.is(&["rebar3"]) && words.any(tests))
    },
    ask: |asking| {
        let config = format!("{}/rebar3/rebar.config", asking.home);
        let script = include_str!("reporters/tcr_rebar.config.script");
        let way = Way::default().set("REBAR_CONFIG", Join::Yield, config);
        let way = way.file("rebar3/rebar.config", "[].\n");
        Some(way.file("rebar3/rebar.config.script", script))
    },
    reports: &[("rebar3-", &junit::XML)],
    read_text,
    settle: find_files,
    junit: &JUNIT,
    detect: |place, out| {
        if place.exists("rebar.config") {
            out.push(Offer::by_default("erlang", "rebar3 eunit", "rebar.config"));
        }
    },
    caches: &["_build"],
    known_by: "`rebar3 eunit`, `rebar3 ct`",
    asked: "JUnit XML, by `REBAR_CONFIG`",
    tried: Some("3.19"),
    ..Runner::named("rebar3")
};

static JUNIT: Dialect = Dialect {
    is_case: |case, suites| eunit_name(case).is_some() || is_common_test(case, suites),
    id: |ids, case, suites| match eunit_name(case) {
        Some((module, name, title)) => {
            let parts = [module, name, title].into_iter();
            ids.joined(parts.filter(|part| !part.is_empty()))
        }
        None => ids.joined([suites.last().map_or("", |suite| &suite.name), &case.name]),
    },
    file_entry: |case| {
        let is_fixture = case.name.starts_with("init_per_") || case.name.starts_with("end_per_");
        is_fixture.then_some(&*case.name)
    },
    is_load_error: |_, _| false,
    failure: |_, failure| outcome(failure),
    message: |_, failure| reason(failure),
    ..Dialect::KNOWN
};

/// `cart_tests:5 -many_test_/0-fun-7- (one)`: the module, the function, and its title. The line and the number
/// change with edits elsewhere.
fn eunit_name(case: &Case) -> Option<(&str, &str, &str)> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^([\w@']+):\d+ (?:-?([^\s/]+)(?:/\d+-fun-\d+-)?)(?: \((.*)\))?$")
    });
    if !case.classname.is_empty() {
        return None;
    }
    let found = NAME.captures(&case.name)?;
    let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
    Some((part(1), part(2), part(3)))
}

fn is_common_test(case: &Case, _: &[Suite]) -> bool {
    case.file.ends_with("_SUITE.erl")
}

/// What was raised, without the calls that led there.
fn reason(failure: &Failure) -> &str {
    let text = failure.text.trim();
    let start = ["\n**error:", "\n**throw:", "\n**exit:"];
    let start = start.iter().find_map(|sign| text.find(sign));
    start.and_then(|at| text.get(at + 1..)).unwrap_or(text)
}

fn outcome(failure: &Failure) -> Outcome {
    let reason = reason(failure);
    let raised = reason
        .trim_start_matches("**error:")
        .trim_start_matches('{');
    let first = raised.lines().next().unwrap_or_default();
    const CHECKED: [&str; 3] = ["assert", "test_case_failed", "command_failed"];
    if CHECKED.iter().any(|start| raised.starts_with(start)) {
        Outcome::Failed(Cause::Assertion)
    } else if raised.starts_with("timetrap_timeout") || failure.kind == "timeout" {
        Outcome::Inconclusive
    } else if cause::is_stub("", first) {
        Outcome::Failed(Cause::Stub)
    } else {
        Outcome::Failed(Cause::Error)
    }
}

/// EUnit names modules, whose files are where rebar3 looks for them.
fn find_files(report: &mut Report, sources: &Sources<'_>) {
    let file = |test: &TestCase<'_>| {
        let module = test.id.split(" > ").next()?;
        let places = ["test", "src"].map(|folder| format!("{folder}/{module}.erl"));
        places
            .into_iter()
            .find(|place| (sources.text)(place).is_some())
    };
    let tests = std::mem::take(&mut report.tests);
    for test in tests.iter() {
        let found = test.file.is_none().then(|| file(&test)).flatten();
        let file = found.as_deref().or(test.file);
        report.tests.push(TestCase { file, ..test });
    }
}

/// What did not compile, and tests that were left out because what comes before them failed.
fn read_text(output: &str) -> Option<Told> {
    static UNBUILT: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^===> Compiling (\S+\.erl) failed$"));
    static WRONG: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\S+\.erl):(\d+)(?::\d+)?: (?:error: )?(.*)$"));
    let mut collector = Collector::default();
    if let Some(found) = UNBUILT.captures(output) {
        let words = WRONG
            .find(output)
            .map_or("it does not compile", |line| line.as_str());
        collector.load_error(&found[1], words);
    }
    if output.contains("One or more tests were cancelled.") {
        collector.contradiction("tests were cancelled: what comes before them failed");
    }
    let report = collector.finish();
    let says = !report.load_errors.is_empty() || report.contradiction.is_some();
    says.then(|| Told::from(report))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed};

    #[test]
    fn names_have_no_lines_and_causes_are_told() {
        let xml = r#"<testsuite tests="5" name="file &quot;shop.app&quot;">
            <testcase name="cart_tests:0 nothing_test"/>
            <testcase name="cart_tests:5 -many_test_/0-fun-7- (one)"/>
            <testcase name="cart_tests:5 -many_test_/0-fun-5-"/>
            <testcase name="cart_tests:0 total_test"><error type="error">
::in function cart_tests:total_test/0 (/p/test/cart_tests.erl, line 4)
**error:{assertEqual,[{expected,6},{value,5}]}</error></testcase>
            <testcase name="cart_tests:0 gone_test"><error type="error">
::in function cart:nope/0
**error:undef</error></testcase></testsuite>"#;
        let report = junit::read(&mut xml.as_bytes()).expect("JUnit XML");
        assert_eq!(
            report.tests.statuses(),
            [
                ("cart_tests > nothing_test", Passed),
                ("cart_tests > many_test_ > one", Passed),
                ("cart_tests > many_test_", Passed),
                ("cart_tests > total_test", Failed(Cause::Assertion)),
                ("cart_tests > gone_test", Failed(Cause::Error)),
            ]
        );
        let message = report.tests.get(3).expect("a test").message;
        assert_eq!(message, "**error:{assertEqual,[{expected,6},{value,5}]}");
    }

    #[test]
    fn common_tests_fixtures_are_no_tests() {
        let xml = r#"<testsuites><testsuite name="cart_SUITE">
            <testcase name="init_per_suite" file="/p/test/cart_SUITE.erl"></testcase>
            <testcase name="total" file="/p/test/cart_SUITE.erl" line="8">
            <failure message="Test total in cart_SUITE failed!" type="crash">{{assertEqual,[{expected,6},{value,5}]},
 [{cart_SUITE,total,1,[]}]}</failure></testcase>
            <testcase name="end_per_suite" file="/p/test/cart_SUITE.erl"></testcase></testsuite></testsuites>"#;
        let report = junit::read(&mut xml.as_bytes()).expect("JUnit XML");
        let total = ("cart_SUITE > total", Failed(Cause::Assertion));
        assert_eq!(report.tests.statuses(), [total]);
        assert!(
            read_text("===> Compiling src/cart.erl failed\nsrc/cart.erl:2:1: syntax error\n")
                .is_some()
        );
        assert!(read_text("All 2 tests passed.\n").is_none());
    }
}
