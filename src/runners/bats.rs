//! bats: a test is a list of commands, and it fails by the first one that does. Its piped output is TAP.

use std::sync::LazyLock;

use regex::Regex;

use super::Runner;
use super::aim::Aim;
use super::ask::{Asking, Way};
use super::command::Found;
use super::formats::collect::Outcome;
use super::formats::junit;
use super::formats::junit::Dialect;
use super::formats::{cause, text};
use super::project::{Offer, Place};
use super::tap;
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    programs: &["bats"],
    lists_only: &["-c", "--count"],
    ask,
    ours: &["--report-formatter"],
    reports: &[("bats-", &junit::XML)],
    read_text: tap::read_text,
    takes_aim: Found::is_by_name,
    filters: &["-f", "--filter"],
    junit: &JUNIT,
    detect,
    nothing_ran: &[r#"^Error: Test file ".*" does not exist"#],
    known_by: "scripts with `bats` in their first line",
    asked: "JUnit XML, by a `bats` of ours on PATH",
    tried: Some("1.8"),
    ..Runner::named("bats")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    if let Some(dir) = ["test", "tests", "spec", "bats"]
        .into_iter()
        .find(|dir| place.has_named(dir, ".bats"))
    {
        // By itself it does not look into folders.
        let below = match place.has_named_below(dir, "", ".bats") {
            true => "-r ",
            false => "",
        };
        out.push(Offer::by_default(
            "shell",
            format!("bats {below}{dir}"),
            dir,
        ));
    } else if let Some(file) = place.first_named(|name| name.ends_with(".bats")) {
        out.push(Offer::by_default("shell", "bats .", &file));
    }
}

static JUNIT: Dialect = Dialect {
    is_suite: |name| name.ends_with(".bats"),
    id: |ids, case, _| ids.joined([case.classname.as_str(), &case.name]),
    is_load_error: |case, _| case.name.is_empty() || case.name == "setup_file failed",
    failure: |_, failure| of_diagnostics(&failure.text),
    ..Dialect::KNOWN
};

fn ask(asking: &Asking<'_>) -> Option<Way> {
    let shim = include_str!("reporters/shims/bats");
    asking.found.is_by_name().then(|| {
        Way::default()
            .shim(asking.home, "shims/bats", shim)
            .file_if("aim/titles", asking.aim.and_then(Aim::posix_title_pattern))
    })
}

/// Why a test failed, from what bats says about the command:
///
/// ```text
/// (from function `add' in file src/calc.sh, line 1,
///  in test file test/calc.bats, line 3)
///   `add 1 2' failed with status 70
/// not implemented
/// ```
pub(super) fn of_diagnostics(text: &str) -> Outcome {
    static FUNCTION: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^\W*\(from function `([^']+)' in (test )?file"));
    static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^\W*`(.*)' failed(?: with status (\d+))?(?: due to timeout)?\s*$")
    });
    let function = FUNCTION.captures(text);
    let name = function
        .as_ref()
        .and_then(|found| found.get(1))
        .map(|name| name.as_str());
    let in_test_file = function
        .as_ref()
        .is_some_and(|found| found.get(2).is_some());
    if name.is_some_and(|name| name.starts_with("setup") || name.starts_with("teardown"))
        || text.contains("' failed due to timeout")
    {
        return Outcome::Inconclusive;
    }
    if name.is_some_and(is_assertion) {
        return Outcome::Failed(Cause::Assertion);
    }
    let Some(command) = COMMAND.captures(text) else {
        return cause::of_text(text, Cause::Error);
    };
    let words = command
        .get(1)
        .map_or("", |words| words.as_str())
        .trim_start();
    let status = command.get(2).map(|status| status.as_str());
    let printed = command
        .get(0)
        .and_then(|line| text.get(line.end()..))
        .unwrap_or_default();
    if words == "exit" || words.starts_with("exit ") {
        return Outcome::Inconclusive;
    }
    if is_assertion(words) {
        return Outcome::Failed(Cause::Assertion);
    }
    if printed
        .lines()
        .any(|line| cause::is_stub("", line.trim_start_matches(['#', ' '])))
    {
        return Outcome::Failed(Cause::Stub);
    }
    // A command that is no test of anything went wrong: in the code under test, or by a status that says
    // more than "no".
    if (name.is_some() && !in_test_file) || status.is_some() {
        return Outcome::Failed(Cause::Error);
    }
    Outcome::Failed(Cause::Assertion)
}

/// Commands whose purpose is to compare.
fn is_assertion(command: &str) -> bool {
    let first = command.split_whitespace().next().unwrap_or_default();
    matches!(
        first,
        "[" | "[[" | "test" | "!" | "false" | "grep" | "diff" | "cmp" | "fail"
    ) || first.starts_with("((")
        || first.starts_with("assert")
        || first.starts_with("refute")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_failed_tells_the_cause() {
        let assertion = Outcome::Failed(Cause::Assertion);
        for (text, expected) in [
            (
                "(in test file t.bats, line 6)\n  `[ \"$(add 1 2)\" = 4 ]' failed",
                assertion,
            ),
            ("(in test file t.bats, line 6)\n  `false' failed", assertion),
            (
                "# (in test file t.bats, line 6)\n#   `[[ a == b ]]' failed",
                assertion,
            ),
            (
                "(from function `assert_equal' in file lib/assert.bash, line 2,\n in test file t.bats, line 3)\n  `assert_equal 1 2' failed",
                assertion,
            ),
            (
                "(from function `add' in file src/calc.sh, line 1,\n in test file t.bats, line 3)\n  `add 1 2' failed with status 70\nnot implemented",
                Outcome::Failed(Cause::Stub),
            ),
            (
                "(in test file t.bats, line 3)\n  `sub 1 2' failed with status 127\nsub: command not found",
                Outcome::Failed(Cause::Error),
            ),
            (
                "(from function `setup' in test file t.bats, line 1)\n  `setup() { load x; }' failed",
                Outcome::Inconclusive,
            ),
            (
                "(in test file t.bats, line 3)\n  `exit 0' failed",
                Outcome::Inconclusive,
            ),
        ] {
            assert_eq!(of_diagnostics(text), expected, "{text}");
        }
    }
}
