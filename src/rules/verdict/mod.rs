//! The judgement of one test run, from its exit status, what was read from its reports, and its output.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

mod fingerprint;
mod kinds;
mod test_list;

pub use fingerprint::fingerprint;
pub use kinds::{Cause, RedNeeds, TestStatus, Verdict};
pub use test_list::{TestCase, Tests};

/// A file or suite that could not be loaded, compiled or collected, or whose set-up failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadError {
    /// The file that it is about, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The file, package or suite, as the runner names it.
    pub what: String,
    /// Why, in the runner's words.
    pub message: String,
    /// The name that is needed and that nothing defines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_name: Option<String>,
    /// The name is that of a module or package.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing_package: bool,
    /// The file and the line that are no valid code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does_not_parse: Option<(String, u32)>,
}

/// What is quoted of a test that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// The file where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The assertion with both values, or what was raised with its message.
    pub message: String,
}

/// All that was read of one run, from one or more channels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The tests that ended, in the order of the report.
    pub tests: Tests,
    /// How many more passed that the channel counts without naming them.
    pub unnamed_passed: usize,
    /// What could not be loaded.
    pub load_errors: Vec<LoadError>,
    /// Tests that began and never ended.
    pub unfinished: Vec<String>,
    /// Tests that the run should have contained, and that it never came to.
    pub unknown: Vec<String>,
    /// The run was cut off (a target that failed stopped the rest, a process died), so that tests may be
    /// missing that nobody named.
    pub cut_off: bool,
    /// The run is known to have ended by itself.
    pub ended: bool,
    /// Why the rest is not to be believed, if the channel itself says so (an unhandled rejection, a
    /// worker that crashed).
    pub contradiction: Option<String>,
}

impl Report {
    /// How many tests ran, whatever came of them.
    pub fn ran(&self) -> usize {
        self.tests
            .iter()
            .filter(|test| test.status != TestStatus::Skipped)
            .count()
            + self.unnamed_passed
    }

    fn count(&self, status: TestStatus) -> usize {
        self.tests
            .iter()
            .filter(|test| test.status == status)
            .count()
    }

    fn failed(&self) -> impl Iterator<Item = (TestCase<'_>, Cause)> {
        self.tests.iter().filter_map(|test| match test.status {
            TestStatus::Failed(cause) => Some((test, cause)),
            TestStatus::Passed | TestStatus::Skipped => None,
        })
    }
}

/// How the test command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Ended by us, because it took too long.
    Timeout,
    /// It never began, for this reason.
    NotStarted(String),
}

/// What the config has to say about a judgement.
#[derive(Debug, Clone, Copy)]
pub struct JudgeRules<'a> {
    /// The weakest cause that makes a red valid.
    pub red_needs: RedNeeds,
    /// Whether the pattern `red_confirm` was found in the output; none if it is not configured.
    pub red_confirm_matched: Option<bool>,
    /// Tests that are expected to fail and do not count.
    pub known_failures: &'a BTreeSet<String>,
}

/// What a run was found to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether more than the exit status speaks for it.
    pub confirmed: bool,
    /// Why, in words.
    pub reason: String,
    /// The tests that failed, known failures aside.
    pub failing: Vec<String>,
    /// Every test passed, and the command failed by something else: a threshold, a linter.
    pub beyond_tests: bool,
}

impl Judgement {
    fn broken(reason: impl Into<String>) -> Judgement {
        Judgement {
            verdict: Verdict::Broken,
            confirmed: true,
            reason: reason.into(),
            failing: Vec::new(),
            beyond_tests: false,
        }
    }
}

/// Judges a run. Where the exit status and the report disagree, the worse one wins, and the reason says so.
pub fn judge(
    exit: &Exit,
    report: Option<&Report>,
    nothing_ran: Option<&str>,
    rules: &JudgeRules<'_>,
) -> Judgement {
    let code = match exit {
        Exit::NotStarted(why) => {
            return Judgement::broken(format!("the test command could not be started: {why}"));
        }
        Exit::Timeout => {
            let broken = Judgement::broken("the test run did not end in time");
            return with_failing(broken, report, rules.known_failures);
        }
        // As a shell would say it.
        Exit::Signal(signal) => 128_i32.saturating_add(*signal),
        Exit::Code(code) => *code,
    };
    match (report, exit) {
        (Some(report), _) => judge_report(code, report, rules),
        (None, Exit::Signal(signal)) => Judgement::broken(killed_by(*signal)),
        (None, _) => judge_exit_status(code, nothing_ran, rules),
    }
}

fn judge_report(code: i32, report: &Report, rules: &JudgeRules<'_>) -> Judgement {
    let failing: Vec<(TestCase<'_>, Cause)> = report
        .failed()
        .filter(|(test, _)| !rules.known_failures.contains(test.id))
        .collect();
    let names: Vec<String> = failing.iter().map(|(test, _)| test.id.to_owned()).collect();
    let says_nothing = why_broken(code, report);
    let is_red = failing
        .iter()
        .any(|(test, cause)| !test.inconclusive && rules.red_needs.accepts(*cause));
    let (verdict, reason) = match (says_nothing, why_not_whole(code, report)) {
        (Some(reason), _) => (Verdict::Broken, reason),
        // What was cut off is unknown, and takes nothing from what failed.
        (None, Some(reason)) if !is_red => (Verdict::Broken, reason),
        (None, cut) if !failing.is_empty() => {
            let (verdict, mut reason) = failures(code, &failing, rules.red_needs);
            if let Some(cut) = cut {
                reason += &format!("; {cut}");
            }
            (verdict, reason)
        }
        (None, _) => no_failure_that_counts(code, report),
    };
    Judgement {
        verdict,
        confirmed: true,
        reason,
        beyond_tests: verdict == Verdict::Red && names.is_empty(),
        failing: names,
    }
}

/// What makes the run say nothing, whatever its tests did.
fn why_broken(code: i32, report: &Report) -> Option<String> {
    if let Some(error) = report.load_errors.first() {
        return Some(
            load_error(error) + &and_more(report.load_errors.len(), "could not be loaded"),
        );
    }
    if let Some(contradiction) = &report.contradiction {
        return Some(contradiction.clone());
    }
    if matches!(code, 126 | 127) {
        return status_of_no_test(code, report);
    }
    None
}

/// What keeps the run from being all that it should have been; what failed in it has failed all the same.
fn why_not_whole(code: i32, report: &Report) -> Option<String> {
    if let Some(test) = report.unfinished.first() {
        return Some(
            format!("`{test}` began and never ended")
                + &and_more(report.unfinished.len(), "never ended"),
        );
    }
    if let Some(reason) = status_of_no_test(code, report) {
        return Some(reason);
    }
    if let Some(test) = report.unknown.first() {
        return Some(format!("`{test}` was not run") + &and_more(report.unknown.len(), "not run"));
    }
    if !report.ended {
        return Some(format!(
            "the test run stopped before its end (exit status {code})"
        ));
    }
    if report.ran() == 0 {
        let skipped = report.tests.len();
        return Some(match skipped {
            0 => format!("no tests ran (exit status {code})"),
            1 => "no tests ran: the only one was skipped".to_owned(),
            _ => format!("no tests ran: all {skipped} were skipped"),
        });
    }
    None
}

fn load_error(error: &LoadError) -> String {
    let message = headline(&error.message);
    match (error.what.is_empty(), message.is_empty()) {
        (true, _) => message,
        (false, true) => format!("`{}` could not be loaded", error.what),
        (false, false) => format!("`{}` could not be loaded: {message}", error.what),
    }
}

fn and_more(total: usize, what: &str) -> String {
    match total {
        0 | 1 => String::new(),
        _ => format!(" (and {} more {what})", total - 1),
    }
}

/// Exit statuses that shells give for commands that could not be run or were killed. A runner whose
/// status is its number of failures may reach them too.
fn status_of_no_test(code: i32, report: &Report) -> Option<String> {
    let failures = report.failed().count();
    if usize::try_from(code).is_ok_and(|code| code == failures) {
        return None;
    }
    shell_status(code)
}

fn shell_status(code: i32) -> Option<String> {
    match code {
        126 => Some("a command could not be run (exit status 126)".to_owned()),
        127 => Some("a command was not found (exit status 127)".to_owned()),
        129..=192 => Some(killed_by(code - 128)),
        _ => None,
    }
}

fn killed_by(signal: i32) -> String {
    let name = match signal {
        1 => " (SIGHUP)",
        2 => " (SIGINT)",
        3 => " (SIGQUIT)",
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    };
    format!("the test run was killed by signal {signal}{name}")
}

fn no_failure_that_counts(code: i32, report: &Report) -> (Verdict, String) {
    let known = report.failed().count();
    let passed = report.count(TestStatus::Passed) + report.unnamed_passed;
    let skipped = report.count(TestStatus::Skipped);
    if code != 0 && known == 0 {
        let all = if passed == 1 {
            "the only test".to_owned()
        } else {
            format!("all {passed} tests")
        };
        let reason = format!(
            "{all} passed, yet the command failed with exit status {code}: something other than a test failed"
        );
        return (Verdict::Red, reason);
    }
    let mut reason = format!("{passed} passed");
    if skipped > 0 {
        reason += &format!(", {skipped} skipped");
    }
    if known > 0 {
        reason += &format!(
            ", {known} known failure{}",
            if known == 1 { "" } else { "s" }
        );
    }
    (Verdict::Green, reason)
}

fn failures(
    code: i32,
    failing: &[(TestCase<'_>, Cause)],
    red_needs: RedNeeds,
) -> (Verdict, String) {
    let counts =
        |(test, cause): &&(TestCase<'_>, Cause)| !test.inconclusive && red_needs.accepts(*cause);
    let total = failing.len();
    if let Some((test, _)) = failing.iter().find(counts) {
        let mut reason =
            with_message(format!("`{}` failed", test.id), test) + &and_more(total, "failed");
        if code == 0 {
            reason += "; the exit status was 0 all the same";
        }
        return (Verdict::Red, reason);
    }
    let reason = match failing.iter().find(|(test, _)| !test.inconclusive) {
        Some((test, cause)) => {
            let how = match cause {
                Cause::Stub => "by a stub",
                Cause::Assertion | Cause::Error => "by an error",
            };
            let needs = match red_needs {
                RedNeeds::Assertion => "an assertion that fails",
                RedNeeds::Stub => "an assertion or a stub that fails",
                RedNeeds::Error => "a test that fails",
            };
            with_message(
                format!("a red needs {needs}, and `{}` failed {how}", test.id),
                test,
            )
        }
        None => match failing.first() {
            Some((test, _)) => with_message(
                format!("`{}` failed without testing anything", test.id),
                test,
            ),
            None => "a test failed".to_owned(),
        },
    };
    (Verdict::Broken, reason + &and_more(total, "failed"))
}

fn with_message(what: String, test: &TestCase<'_>) -> String {
    match headline(test.message).as_str() {
        "" => what,
        message => format!("{what}: {message}"),
    }
}

/// The first line, with the next one if it ends in a colon, as those do that only say where, and the two values
/// that an assertion compared, where they have lines of their own.
fn headline(text: &str) -> String {
    const VALUES: [&str; 10] = [
        "left:",
        "right:",
        "expected:",
        "got:",
        "actual:",
        "received:",
        "Expected:",
        "Received:",
        "Actual:",
        "Which is:",
    ];
    let is_place = |line: &&str| !(line.starts_with("thread '") && line.contains("panicked at "));
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter(is_place);
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let is_value = |line: &str| VALUES.iter().any(|start| line.starts_with(start));
    let mut headline = first.to_owned();
    if let Some(next) = rest
        .first()
        .filter(|next| first.ends_with(':') && !is_value(next))
    {
        headline = format!("{first} {next}");
    }
    let values: Vec<&str> = rest
        .into_iter()
        .filter(|line| is_value(line))
        .take(2)
        .collect();
    match values.is_empty() {
        true => headline,
        false => format!("{headline} ({})", values.join(", ")),
    }
}

fn judge_exit_status(code: i32, nothing_ran: Option<&str>, rules: &JudgeRules<'_>) -> Judgement {
    if let Some(reason) = shell_status(code) {
        return Judgement::broken(reason);
    }
    if code == 124 {
        return Judgement::broken("the test run did not end in time (exit status 124)");
    }
    if let Some(line) = nothing_ran {
        return Judgement::broken(format!("no tests ran: {line}"));
    }
    let (verdict, reason) = match (rules.red_confirm_matched, code) {
        (Some(true), 0) => (
            Verdict::Red,
            "the output matches `red_confirm`, though the exit status was 0".to_owned(),
        ),
        (Some(true), _) => (
            Verdict::Red,
            format!("exit status {code}, and the output matches `red_confirm`"),
        ),
        (Some(false), 0) => (Verdict::Green, "exit status 0".to_owned()),
        (Some(false), _) => (
            Verdict::Broken,
            format!("exit status {code}, but the output does not match `red_confirm`"),
        ),
        (None, 0) => (
            Verdict::Green,
            "exit status 0; no test report could be read".to_owned(),
        ),
        (None, _) => (
            Verdict::Red,
            format!("exit status {code}; no test report could be read"),
        ),
    };
    Judgement {
        verdict,
        confirmed: rules.red_confirm_matched.is_some(),
        reason,
        failing: Vec::new(),
        beyond_tests: false,
    }
}

fn with_failing(
    mut judgement: Judgement,
    report: Option<&Report>,
    known: &BTreeSet<String>,
) -> Judgement {
    if let Some(report) = report {
        judgement.failing = report
            .failed()
            .map(|(test, _)| test.id.to_owned())
            .filter(|id| !known.contains(id))
            .collect();
    }
    judgement
}

#[cfg(test)]
mod tests;
