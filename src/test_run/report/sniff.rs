//! Which runners an output is from, by lines that hardly anything else prints.

use std::sync::LazyLock;

use regex::RegexSet;

use super::{Runner, text};

const TELLING: [(Runner, &str); 25] = [
    (Runner::Pytest, r"^=+ test session starts =+$"),
    (
        Runner::Pytest,
        r"^(?:=+ )?(?:no tests ran|\d+ (?:passed|failed|error|errors|skipped|deselected)\b.*) in \d+\.\d+s",
    ),
    (Runner::Pytest, r"^pytest: error: |^ERROR: usage: .*pytest"),
    (Runner::Unittest, r"^Ran \d+ tests? in \d+\.\d+s$"),
    (Runner::Vitest, r"^ RUN  v\d|^ *Test Files  +\d"),
    (
        Runner::Jest,
        r"^Test Suites: |^No tests found, exiting with code ",
    ),
    (
        Runner::Mocha,
        r"^  \d+ passing \(|^ Exception during run: |^Error: No test files found: |^  .stats.: \{$",
    ),
    (Runner::NodeTest, r"^(?:ℹ|#) tests \d+$"),
    (Runner::Bun, r"^bun test v\d"),
    (
        Runner::Deno,
        r"^running \d+ tests? from |^(?:ok|FAILED) \| \d+ passed",
    ),
    (
        Runner::CargoTest,
        r"^ +Running (?:unittests )?\S.* \(\S+\)$|^   Doc-tests |^running \d+ tests?$|^error: could not compile |^error: no such command: ",
    ),
    (
        Runner::Nextest,
        r"^ +Nextest run ID |cargo test --no-run --message-format json-render-diagnostics",
    ),
    (Runner::GoTest, r"^(?:ok  |FAIL|\?   )\t\S+"),
    (Runner::PhpUnit, r"^PHPUnit \d.* by Sebastian Bergmann"),
    (Runner::Rspec, r"^\d+ examples?, \d+ failures?"),
    (
        Runner::Minitest,
        r"^\d+ runs, \d+ assertions, |^# Running:$",
    ),
    (
        Runner::Surefire,
        r"^\[INFO\] (?:Scanning for projects|BUILD )",
    ),
    (Runner::Gradle, r"^BUILD (?:SUCCESSFUL|FAILED) in "),
    (
        Runner::Exunit,
        r"^(?:\d+ (?:doctests?|property|properties), )*\d+ tests?, \d+ failures?|^== Compilation error in file ",
    ),
    (Runner::CTest, r"^Test project /|^No tests were found!!!$"),
    (
        Runner::GTest,
        r"^\[==========\] (?:Running )?\d+ tests? from ",
    ),
    (Runner::Prove, r"^Result: (?:PASS|FAIL|NOTESTS)$"),
    (Runner::Tap, r"^TAP version 1[234]$"),
    (Runner::Tap, r"^Bail out!"),
    (Runner::Tap, r"^1\.\.\d+(?: *#.*)?$"),
];

/// Whose output this looks like; more than one runner may have worked for one command.
pub fn sniff_text(output: &str) -> Vec<Runner> {
    static SET: LazyLock<RegexSet> = LazyLock::new(|| {
        RegexSet::new(TELLING.map(|(_, pattern)| format!("(?m)(?:{pattern})")))
            .expect("the patterns are constant")
    });
    let output = text::plain(output);
    let mut runners: Vec<Runner> = SET
        .matches(&output)
        .into_iter()
        .filter_map(|at| TELLING.get(at).map(|(runner, _)| *runner))
        .collect();
    runners.dedup();
    // These print, or are printed by, what others look for.
    let hides = |runner: Runner, hidden: Runner, runners: &mut Vec<Runner>| {
        if runners.contains(&runner) {
            runners.retain(|other| *other != hidden);
        }
    };
    hides(Runner::Nextest, Runner::CargoTest, &mut runners);
    hides(Runner::Deno, Runner::CargoTest, &mut runners);
    hides(Runner::CTest, Runner::GTest, &mut runners);
    hides(Runner::NodeTest, Runner::Tap, &mut runners);
    hides(Runner::Prove, Runner::Tap, &mut runners);
    hides(Runner::Deno, Runner::Tap, &mut runners);
    runners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_runners_may_share_an_output() {
        let output = "===== test session starts =====\n1 passed in 0.01s\n\n RUN  v3.1.0 /x\n Test Files  1 passed (1)\n";
        assert_eq!(sniff_text(output), [Runner::Pytest, Runner::Vitest]);
        assert_eq!(sniff_text("hello\n"), []);
        assert_eq!(sniff_text("1..2\nok 1\nok 2\n"), [Runner::Tap]);
    }
}
