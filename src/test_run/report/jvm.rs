//! Maven and Gradle: their text; their reports are JUnit XML.

use std::sync::LazyLock;

use regex::Regex;

use super::collect::{Collector, Outcome, Told};
use super::{cause, text};
use crate::rules::verdict::Cause;

/// Reads Maven's text.
pub(super) fn read_maven(output: &str) -> Option<Told> {
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$",
        )
    });
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^\[ERROR\] (?:(\S+)\.)?(\S.*?) +(?:-- )?Time elapsed: [\d.]+ s +<<< (FAILURE|ERROR)!$",
        )
    });
    static CLASS: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^\[\w+\] Running (\S+)$"));
    let ended = output.contains("[INFO] BUILD SUCCESS") || output.contains("[INFO] BUILD FAILURE");
    let compiling = output.split_once("[ERROR] COMPILATION ERROR :");
    if !ended && compiling.is_none() && !output.contains("[INFO] Scanning for projects...") {
        return None;
    }
    let mut collector = Collector::default();
    if let Some((_, errors)) = compiling {
        take_javac_error(&mut collector, errors);
    }
    if output.contains("The forked VM terminated without")
        || output.contains("The forked VM terminated unexpectedly")
    {
        collector.contradiction("the forked VM terminated without saying goodbye");
    }
    let mut class = String::new();
    let mut failed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(found) = CLASS.captures(line) {
            found[1].clone_into(&mut class);
        } else if let Some(found) = FAILED.captures(line) {
            let class = found.get(1).map_or(class.as_str(), |class| class.as_str());
            let id = format!("{class} > {}", &found[2]);
            let mut message = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with('[') && !line.is_empty())
            {
                if message.len() < super::collect::MESSAGE_BYTES {
                    message.push_str(line);
                    message.push('\n');
                }
            }
            failed += 1;
            let outcome = match &found[3] {
                "FAILURE" => Outcome::Failed(Cause::Assertion),
                _ => match cause::of_text(&message, Cause::Error) {
                    Outcome::Failed(Cause::Assertion) => Outcome::Failed(Cause::Error),
                    outcome => outcome,
                },
            };
            collector.test(&id, None, outcome, &message);
        }
    }
    for found in RUN.captures_iter(output) {
        let count = |at: usize| found[at].parse::<usize>().unwrap_or(0);
        let not_passed = count(2) + count(3);
        if not_passed > failed {
            collector.miscounts("Maven");
        }
        collector.unnamed_passed(count(1).saturating_sub(not_passed + count(4)));
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

/// `[ERROR] /project/src/A.java:[5,37] cannot find symbol`, and below it which one.
fn take_javac_error(collector: &mut Collector, errors: &str) {
    let mut lines = errors.lines();
    let error = lines.find_map(|line| line.strip_prefix("[ERROR] "));
    let error = error.unwrap_or("the code does not compile");
    let (file, words) = match error.split_once(":[") {
        Some((file, words)) => (file, words.replacen(']', ":", 1).replacen(',', ":", 1)),
        None => ("", error.to_owned()),
    };
    let symbol = lines
        .next()
        .filter(|line| line.trim_start().starts_with("symbol:"))
        .map_or(String::new(), |line| format!(" ({})", words_of(line)));
    collector.load_error(file, &format!("{words}{symbol}"));
}

fn words_of(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads Gradle's text, which names failed tests only.
pub(super) fn read_gradle(output: &str) -> Option<Told> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(\S+) > (.+) FAILED$"));
    static JAVAC: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(?::\w+)*(/.+?\.\w+):(\d+: error: .+)$"));
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\d+) tests? completed, (\d+) failed"));
    let ended = output.contains("\nBUILD SUCCESSFUL in ") || output.contains("\nBUILD FAILED in ");
    if !ended {
        return None;
    }
    let mut collector = Collector::default();
    if output.contains("Compilation failed; see the compiler ")
        || output.contains("Compilation error. See log")
    {
        let mut lines = output.lines();
        let line = lines.find(|line| line.contains(": error: ") || line.starts_with("e: "));
        let line = line.unwrap_or_default();
        // Old versions of Gradle leave the name of the task in front of it.
        match JAVAC.captures(line) {
            Some(found) => collector.load_error(found[1].to_owned(), &found[2]),
            None => collector.load_error("", line),
        }
    }
    let mut failed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = FAILED.captures(line) else {
            continue;
        };
        let mut message = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
            message.push_str(line.trim());
            message.push('\n');
        }
        failed += 1;
        let id = format!("{} > {}", &found[1], &found[2]);
        let message = message
            .split_once(" at ")
            .map_or(message.clone(), |(raised, _)| raised.to_owned());
        collector.test(&id, None, cause::of_text(&message, Cause::Error), &message);
    }
    // Gradle counts tests only when one failed.
    if let Some(counts) = COUNTS.captures(output) {
        let count = |at: usize| counts[at].parse::<usize>().unwrap_or(0);
        if count(2) > failed {
            collector.miscounts("Gradle");
        }
        collector.unnamed_passed(count(1).saturating_sub(count(2)));
    } else if !collector.has_load_errors() {
        return None;
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_does_not_compile_is_named_whatever_gradle_prints_before_it() {
        for task in ["", ":compileTestJava", ":lib:compileJava"] {
            let text = format!(
                "{task}/p/src/A.java:5: error: cannot find symbol\n  symbol: x\n\n\
                 > Compilation failed; see the compiler error output for details.\n\nBUILD FAILED in 1s\n"
            );
            let report = read_gradle(&text)
                .and_then(Told::alone)
                .expect("its output");
            let error = &report.load_errors[0];
            assert_eq!(error.what, "/p/src/A.java");
            assert_eq!(error.message, "5: error: cannot find symbol");
        }
    }

    #[test]
    fn code_that_does_not_compile_is_named_however_quiet_maven_is() {
        let text = "[ERROR] COMPILATION ERROR : \n\
            [ERROR] /p/src/test/java/calc/CalcTest.java:[5,37] cannot find symbol\n  \
            symbol:   variable Nope\n  location: class calc.CalcTest\n";
        for text in [
            text.to_owned(),
            format!("[INFO] Scanning for projects...\n{text}"),
        ] {
            let report = read_maven(&text).and_then(Told::alone).expect("its output");
            let error = &report.load_errors[0];
            assert_eq!(error.what, "/p/src/test/java/calc/CalcTest.java");
            assert_eq!(
                error.message,
                "5:37: cannot find symbol (symbol: variable Nope)"
            );
        }
    }
}
