//! nextest: its text; its reports are JUnit XML and libtest's JSON.

use std::sync::LazyLock;

use regex::Regex;

use super::collect::{Collector, Outcome, Told};
use super::{libtest, rust, text};

/// Reads nextest's text: a status line for each test, what the failed ones printed, the summary.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static STATUS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^ *(?:TRY \d+ )?(PASS|FAIL|ABORT|SIG[A-Z]+|TIMEOUT|LEAK|LEAK-FAIL|FLAKY \d+/\d+|FLKY-FL \d+/\d+|XFAIL|EXECFAIL|TMT|SETUP FAIL|SETUP PASS) \[ *>? *[\d.]+s\] (?:\(.*?\) )?(\S+) (.+)$",
        )
    });
    static SUMMARY: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^ *Summary \[ *[\d.]+s\] ([\d/]+) tests? run: (.*)$"));
    let began = output
        .lines()
        .any(|line| line.trim_start().starts_with("Nextest run ID "));
    let cargo = libtest::CargoText::read(output);
    if !began {
        // It did not get beyond the build.
        let is_ours =
            output.contains("cargo test --no-run --message-format json-render-diagnostics");
        return is_ours.then(|| cargo.map_or_else(Told::default, |cargo| cargo.report()));
    }
    let mut collector = Collector::default();
    let mut ended = false;
    let mut last_try: Vec<(String, Outcome, String)> = Vec::new();
    let mut printed = String::new();
    for line in output.lines() {
        if let Some(found) = SUMMARY.captures(line) {
            ended = !found[1].contains('/');
            flush(&mut last_try, &mut printed);
            break;
        }
        let Some(found) = STATUS.captures(line) else {
            if printed.len() < PRINTED {
                printed.push_str(line.strip_prefix("    ").unwrap_or(line));
                printed.push('\n');
            }
            continue;
        };
        flush(&mut last_try, &mut printed);
        if found[1].starts_with("SETUP") {
            if &found[1] == "SETUP FAIL" {
                collector.load_error(
                    format!("setup script {}", found[2].trim_end_matches(':')),
                    &found[3],
                );
            }
            continue;
        }
        let id = format!("{} > {}", &found[2], &found[3]);
        let outcome = match &found[1] {
            "PASS" | "LEAK" => Outcome::Passed,
            // Why is told by what follows.
            "FAIL" => rust::of_panic(""),
            word if word.starts_with("FLAKY") => Outcome::Passed,
            _ => Outcome::Inconclusive,
        };
        last_try.retain(|(known, _, _)| *known != id);
        last_try.push((id, outcome, String::new()));
    }
    for (id, outcome, message) in last_try {
        let outcome = match outcome {
            Outcome::Failed(_) if left(&message) => Outcome::Inconclusive,
            Outcome::Failed(_) => rust::of_panic(&message),
            outcome => outcome,
        };
        collector.test(&id, None, outcome, rust::from_panic(&message));
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

/// How much is kept of what a test printed.
const PRINTED: usize = super::collect::MESSAGE_BYTES * 4;

/// Whether the process of a test left in the midst of it: the harness began and did not end.
fn left(printed: &str) -> bool {
    printed.len() < PRINTED
        && printed.contains("running 1 test\n")
        && !printed.contains("test result: FAILED")
        && !printed.contains("panicked at ")
}

/// Gives what was printed to the test whose status line came before it.
fn flush(tests: &mut [(String, Outcome, String)], printed: &mut String) {
    let text = std::mem::take(printed);
    if let Some((_, Outcome::Failed(_), message)) = tests.last_mut() {
        *message = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_left_in_a_test_is_no_failing_test() {
        let text = |printed: &str| {
            format!(
                " Nextest run ID 131869c3 with nextest profile: default\n    Starting 1 test across 1 binary\n        \
                FAIL [   0.014s] (1/1) demo::it z\n  stdout ───\n\n    running 1 test\n{printed}\n\
                ────────────\n     Summary [   0.015s] 1 test run: 0 passed, 1 failed, 0 skipped\n        \
                FAIL [   0.014s] (1/1) demo::it z\nerror: test run failed\n"
            )
        };
        let ended = "    test z ... FAILED\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored\n    Error: \"x\"\n";
        for (printed, left) in [
            ("    (test failed with exit code 1)\n", true),
            (ended, false),
        ] {
            let report = read_text(&text(printed)).and_then(Told::alone);
            let report = report.expect("its text");
            let test = report.tests.get(0).expect("a test");
            assert_eq!(test.inconclusive, left, "{report:?}");
        }
    }
}
