//! Maven's Surefire and Failsafe: their text, and the JUnit XML that they write unasked.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::aim::{Aim, Wanted};
use super::ask::{Join, Way};
use super::command::Sign;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::{cause, text};
use super::project::{Offer, Place};
use super::{Runner, written};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    sign: |look| {
        const PHASES: [&str; 7] = [
            "test",
            "package",
            "verify",
            "install",
            "deploy",
            "integration-test",
            "prepare-package",
        ];
        let mut words = look.call.arguments.iter();
        let runs_tests = words.any(|word| {
            PHASES.contains(&word.as_str())
                || word.contains("surefire:")
                || word.contains("failsafe:")
        });
        Sign::sure_if(look.is(&["mvn", "mvnw", "mvnd"]) && runs_tests)
    },
    // It writes JUnit XML by itself.
    ask: |asking| {
        let only = only(asking.aim?)?;
        Some(Way::default().set("MAVEN_OPTS", Join::After(" "), only))
    },
    tells_unasked: true,
    written: |of| {
        written::find(of, &|path, is_new| {
            let folders = ["surefire-reports", "failsafe-reports"];
            let folder = path.parent().and_then(Path::file_name);
            is_new && folder.is_some_and(|folder| folders.iter().any(|name| folder == *name))
        })
    },
    read_text,
    telling: &[r"^\[INFO\] (?:Scanning for projects|BUILD )"],
    takes_aim: |_| true,
    filters: &["-Dtest"],
    detect: |place, out| {
        if place.exists("pom.xml") {
            let command = wrapped(place, "mvnw", "mvn");
            out.push(Offer::by_default(language(place), command, "pom.xml"));
        }
    },
    known_by: "`mvn test`, `./mvnw verify` and the other phases with tests in them",
    asked: "not asked: it writes JUnit XML",
    tried: Some("2.22"),
    ..Runner::named("Surefire")
};

/// The call of a build tool, by the script of the project if it has one.
pub(super) fn wrapped(place: &Place<'_>, wrapper: &str, program: &str) -> String {
    match place.exists(wrapper) {
        true => format!("./{wrapper} test"),
        false => format!("{program} test"),
    }
}

/// The language that a build tool of the JVM is used for.
pub(super) fn language(place: &Place<'_>) -> &'static str {
    match place.exists("src/main/kotlin") || place.exists("src/test/kotlin") {
        true => "kotlin",
        false => "java",
    }
}

/// The property that it takes tests from; none if it can't be told.
fn only(aim: &Aim<'_>) -> Option<String> {
    let name = |one: &Wanted| {
        let by_file = one
            .file
            .as_deref()
            .and_then(|file| Path::new(file).file_stem());
        let class = match one.id.split_once(" > ") {
            Some((class, _)) => class.to_owned(),
            None => by_file?.to_string_lossy().into_owned(),
        };
        let by_id = one.id.split_once(" > ").map(|(_, name)| name);
        let method = by_id.unwrap_or(&one.name);
        let method = method.split(['(', '{', '[']).next().unwrap_or_default();
        let is_plain = |text: &str| !text.contains(|char: char| " ,'\"#+".contains(char));
        match method {
            "" => Some(class).filter(|class| is_plain(class)),
            method if is_plain(method) && is_plain(&class) => Some(format!("{class}#{method}*")),
            _ => None,
        }
    };
    let names: Option<Vec<String>> = aim.selection.tests.iter().map(name).collect();
    let names = names?.join(",");
    Some(format!(
        "-Dtest={names} -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false"
    ))
}

fn read_text(output: &str) -> Option<Told> {
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
                if message.len() < super::formats::collect::MESSAGE_BYTES {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_does_not_compile_is_named_however_quiet_maven_is() {
        let text = "[ERROR] COMPILATION ERROR : \n\
            [ERROR] /p/src/test/java/calc/CalcTest.java:[5,37] cannot find symbol\n  \
            symbol:   variable Nope\n  location: class calc.CalcTest\n";
        for text in [
            text.to_owned(),
            format!("[INFO] Scanning for projects...\n{text}"),
        ] {
            let report = read_text(&text).and_then(Told::alone).expect("its output");
            let error = &report.load_errors[0];
            assert_eq!(error.what, "/p/src/test/java/calc/CalcTest.java");
            assert_eq!(
                error.message,
                "5:37: cannot find symbol (symbol: variable Nope)"
            );
        }
    }
}
