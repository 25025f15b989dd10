//! minitest: the lines of our reporter, and its text.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::{Join, Way};
use super::command::{Look, Sign};
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::places;
use super::formats::{ReadError, cause, text};
use super::project::{Offer, Place};
use super::rspec::{RAKEFILES, bundled};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    scripts: &[("ruby", "minitest")],
    sign,
    ask: |asking| {
        let hook = format!("-r{}/ruby/tcr_minitest.rb", asking.home);
        Some(Way::default().set("RUBYOPT", Join::After(" "), hook).file(
            "ruby/tcr_minitest.rb",
            include_str!("reporters/tcr_minitest.rb"),
        ))
    },
    reports: &[("minitest-", &JSONL)],
    read_text,
    telling: &[r"^\d+ runs, \d+ assertions, |^# Running:$"],
    settle: |report, sources| places::settle(report, sources, places::last_place),
    takes_aim: |_| true,
    detect,
    known_by: "`rails test`, tasks of a Rakefile, `ruby …_test.rb`, scripts that name it",
    asked: "a reporter of ours, by `RUBYOPT`",
    tried: Some("5.17"),
    ..Runner::named("minitest")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let bundle = bundled(place);
    let tests = place.exists("test/test_helper.rb")
        || place.has_named("test", "_test.rb")
        || place.has_prefixed("test", "test_", ".rb");
    if place.exists("bin/rails") && tests {
        out.push(Offer::by_default("ruby", "bin/rails test", "bin/rails"));
    } else if let (Some(file), true) = (place.first(&["Rakefile", "rakefile"]), tests) {
        out.push(Offer::by_default(
            "ruby",
            format!("{bundle}rake test"),
            file,
        ));
    } else if tests {
        let all = r#"-Ilib -Itest -e 'Dir["./test/**/{test_*,*_test}.rb"].each { |f| require f }'"#;
        out.push(Offer::by_default(
            "ruby",
            format!("{bundle}ruby {all}"),
            "test",
        ));
    }
}

static JSONL: Format = Format::own("minitest lines", |_, input| read(input));

pub(super) fn sign(look: &Look<'_>) -> Option<Sign> {
    let call = look.call;
    if look.host == Some("ruby") {
        let is_test = call.name.ends_with("_test.rb") || call.name.starts_with("test_");
        return Sign::guess_if(is_test);
    }
    match call.name {
        "rails" | "spring" => {
            Sign::sure_if(call.arguments.iter().any(|word| word.starts_with("test")))
        }
        "rake" => {
            let task = call.positional(&["-f", "-C", "-I"]).map(|(task, _)| task);
            let is_meant = task.is_none_or(|task| task.contains("test") || task == "default");
            let rakefile = look.first_file(&RAKEFILES);
            let words = ["TestTask", "minitest", "Rails.application"];
            Sign::guess_if(is_meant && words.iter().any(|word| rakefile.contains(word)))
        }
        "ruby" | "jruby" | "truffleruby" => {
            let text = call.arguments.join(" ");
            let is_test = text.contains("_test") || text.contains("minitest");
            Sign::guess_if(call.has("-e") && is_test)
        }
        _ => None,
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    event: String,
    class: Option<String>,
    name: Option<String>,
    status: Option<String>,
    file: Option<String>,
    error: Option<Text>,
    message: Option<Text>,
    /// It was raised by the set-up or tear-down, where the reporter says so.
    #[serde(deserialize_with = "lenient")]
    setup: bool,
    /// The file and the line where it failed.
    #[serde(deserialize_with = "lenient")]
    at: Option<(String, u32)>,
}

/// Reads the lines of our reporter.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut open: HashMap<String, usize> = HashMap::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        let id = format!(
            "{} > {}",
            line.class.unwrap_or_default(),
            line.name.unwrap_or_default()
        );
        match line.event.as_str() {
            "start" => collector.ended(false),
            "finish" => collector.ended(true),
            "begin" => *open.entry(id).or_default() += 1,
            "end" => {
                if let Some(count) = open.get_mut(&id) {
                    *count = count.saturating_sub(1);
                }
                let raised = line.error.unwrap_or_default().0;
                let message = line.message.unwrap_or_default().0;
                let outcome = match line.status.as_deref() {
                    Some("passed") => Outcome::Passed,
                    Some("skipped") => Outcome::Skipped,
                    _ if line.setup => Outcome::Inconclusive,
                    _ => of_error(&raised, &message),
                };
                let at = line.at.as_ref().map(|(at, line)| (at.as_str(), *line));
                let file = line.file.as_deref().or(at.map(|(file, _)| file));
                collector.test_at(&id, at, file, outcome, &message);
            }
            _ => {}
        }
    })?;
    let mut open: Vec<String> = open
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(id, _)| id)
        .collect();
    open.sort();
    for id in open {
        collector.unfinished(id);
    }
    Ok(collector.finish())
}

/// The message of an unexpected error begins with its class.
fn of_error(raised: &str, message: &str) -> Outcome {
    let words = message
        .strip_prefix(&format!("{raised}: "))
        .unwrap_or(message);
    cause::of_raised(raised, words)
}

/// Reads minitest's text: names with `--verbose`, the numbered failures, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$")
    });
    static VERBOSE: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\S.*?)#(test_.*?) = (?:[\d.]+ s = ([.FES]))?"));
    static NUMBERED: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^ +\d+\) (Failure|Error|Skipped):$"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(\S.*?)#(.+?)(?: (\[.*\]))?:$"));
    let loading = output.lines().find(|line| {
        line.ends_with("(LoadError)")
            || line.ends_with("(SyntaxError)")
            || line.ends_with("(NameError)")
            || line.contains(": syntax error")
            || line.contains("(NoMethodError)")
    });
    let began = output.contains("\n# Running:\n");
    if !COUNTS.is_match(output) && !began && loading.is_none() {
        return None;
    }
    let mut collector = Collector::default();
    if let (Some(line), false) = (loading, began) {
        let file = line.split(':').next().unwrap_or_default();
        collector.load_error(file, line);
    }
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for found in VERBOSE.captures_iter(output) {
        let id = format!("{} > {}", &found[1], &found[2]);
        match found.get(3).map(|letter| letter.as_str()) {
            Some(".") => {
                passed += 1;
                collector.test(&id, None, Outcome::Passed, "");
            }
            Some("S") => {
                skipped += 1;
                collector.test(&id, None, Outcome::Skipped, "");
            }
            Some(_) => {}
            None => collector.unfinished(id),
        }
    }
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(kind) = NUMBERED.captures(line).map(|found| found[1].to_owned()) else {
            continue;
        };
        let Some(found) = lines.next().and_then(|line| NAME.captures(line)) else {
            continue;
        };
        let id = format!("{} > {}", &found[1], &found[2]);
        let mut message = String::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty() && !NUMBERED.is_match(line)) {
            message.push_str(line);
            message.push('\n');
        }
        match kind.as_str() {
            "Failure" => {
                failed += 1;
                message.push_str(found.get(3).map_or("", |place| place.as_str()));
                collector.test(&id, None, Outcome::Failed(Cause::Assertion), &message);
            }
            "Error" => {
                failed += 1;
                let (raised, words) = cause::leading_type(&message).unwrap_or(("Error", &message));
                let outcome = if message.lines().any(is_of_fixture) {
                    Outcome::Inconclusive
                } else {
                    of_error(raised, words)
                };
                collector.test(&id, None, outcome, &message);
            }
            _ if skipped == 0 => collector.test(&id, None, Outcome::Skipped, ""),
            _ => {}
        }
    }
    for found in COUNTS.captures_iter(output) {
        let count = |at: usize| {
            found
                .get(at)
                .and_then(|count| count.as_str().parse::<usize>().ok())
                .unwrap_or(0)
        };
        let not_passed = count(2) + count(3) + count(4);
        collector.unnamed_passed(count(1).saturating_sub(not_passed + passed));
        if count(2) + count(3) > failed {
            collector.miscounts("minitest");
        }
    }
    collector.ended(COUNTS.is_match(output));
    Some(collector.finish_text())
}

/// Whether a line of a backtrace is of the set-up or tear-down: `a.rb:4:in `setup'`, or
/// `a.rb:4:in 'CalcTest#setup'` since Ruby 3.4.
fn is_of_fixture(line: &str) -> bool {
    ["setup", "teardown"].iter().any(|name| {
        line.ends_with(&format!(":in `{name}'")) || line.ends_with(&format!("#{name}'"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::Failed;

    fn told(failure: &str) -> Report {
        let text = format!(
            "Run options: --seed 1\n\n# Running:\n\nE\n\nFinished in 0.1s, 1 runs/s, 1 assertions/s.\n\n\
            {failure}\n1 runs, 1 assertions, 0 failures, 1 errors, 0 skips\n"
        );
        read_text(&text).and_then(Told::alone).expect("its output")
    }

    #[test]
    fn a_tear_down_that_fails_proves_nothing() {
        for frame in ["in `teardown'", "in 'CalcTest#teardown'", "in `setup'"] {
            let report = told(&format!(
                "  1) Error:\nCalcTest#test_adds:\nRuntimeError: x\n    /p/test/a_test.rb:4:{frame}\n"
            ));
            assert!(report.tests.get(0).expect("a test").inconclusive, "{frame}");
        }
    }

    #[test]
    fn names_in_words_are_read() {
        let report = told(
            "  1) Error:\na b::c d#test_0001_ü → \"q\":\nRuntimeError: x\n    /p/a_test.rb:4:in `block'\n",
        );
        let test = report.tests.get(0).expect("a test");
        assert_eq!(test.id, "a b::c d > test_0001_ü → \"q\"");
        assert_eq!(test.status, Failed(Cause::Error));
        assert_eq!(report.contradiction, None);
    }
}
