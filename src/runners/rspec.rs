//! RSpec: its JSON, and its text.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::command::{Look, Sign};
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{AnyHolds, Needle, Text, document, lenient};
use super::formats::junit::{Dialect, relative, xunit_failure};
use super::formats::{ReadError, cause, text};
use super::project::{Offer, Place};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    programs: &["rspec"],
    scripts: &[("ruby", "rspec")],
    sign: |look| {
        let task = look
            .call
            .positional(&["-f", "-C", "-I"])
            .map(|(task, _)| task);
        let is_meant =
            task.is_none_or(|task| task.contains("spec") || ["default", "test"].contains(&task));
        let is_named = || {
            look.first_file(&RAKEFILES).contains("rspec")
                || look
                    .first_file(&RAKEFILES)
                    .contains("RSpec::Core::RakeTask")
        };
        Sign::guess_if(look.is(&["rake"]) && is_meant && is_named())
    },
    more_words,
    lists_only: &["--dry-run"],
    ask,
    writes_one_file: true,
    reports: &[("rspec.json", &JSON)],
    documents: &[&JSON],
    read_text,
    telling: &[r"^\d+ examples?, \d+ failures?"],
    takes_aim: |_| true,
    junit: &JUNIT,
    detect,
    proves_nothing: &[
        r"^Expected example to fail since it is pending",
        r"^Expected pending '.*' to fail",
    ],
    assertions: &["RSpec::Expectations::", "RSpec::Mocks::"],
    known_by: "tasks of a Rakefile, scripts that name it",
    asked: "its JSON formatter, by `SPEC_OPTS`",
    tried: Some("3.12"),
    ..Runner::named("RSpec")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let run = bundled(place);
    if place.exists(".rspec") {
        out.push(Offer::configured("ruby", format!("{run}rspec"), ".rspec"));
    } else if place.has_named("spec", "_spec.rb") {
        out.push(Offer::configured("ruby", format!("{run}rspec"), "spec"));
    }
    if place.mentions("Gemfile", "rspec") {
        out.push(Offer::by_default("ruby", "bundle exec rspec", "Gemfile"));
    }
}

/// What stands before a program of the bundle, if there is one.
pub(super) fn bundled(place: &Place<'_>) -> &'static str {
    match place.exists("Gemfile") {
        true => "bundle exec ",
        false => "",
    }
}

/// What its JUnit formatter writes.
static JUNIT: Dialect = Dialect {
    is_suite: |name| name.starts_with("rspec"),
    id: |ids, case, _| ids.joined([relative(&case.file), case.name.trim()]),
    failure: |_, failure| match is_of_hook(&failure.text) {
        true => Outcome::Inconclusive,
        false => xunit_failure(failure),
    },
    ..Dialect::KNOWN
};

/// What its `json` formatter writes.
static JSON: Format = Format {
    keys: &["examples", "summary"],
    ..Format::own("RSpec JSON", |_, input| read(input))
};

pub(super) const RAKEFILES: [&str; 3] = ["Rakefile", "rakefile", "Rakefile.rb"];

/// The options in its own file and in its variable.
fn more_words(look: &Look<'_>) -> Vec<String> {
    let options = look.first_file(&[".rspec"]);
    let assigned = look.call.assignments.iter();
    let assigned = assigned.filter_map(|word| word.strip_prefix("SPEC_OPTS="));
    let all = assigned.chain([options.as_str()]);
    all.flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

fn ask(asking: &Asking<'_>) -> Option<Way> {
    let (found, home, out) = (asking.found, asking.home, asking.out);
    // A formatter in `SPEC_OPTS` replaces all others, also one that writes a file of the user's.
    let is_taken = |options: &str| {
        let mut words = options.split_whitespace();
        words.any(|word| {
            ["-f", "--f", "--out"]
                .iter()
                .any(|start| word.starts_with(start))
        })
    };
    if found.has("--out") || found.has("-o") || is_taken(&(asking.variable)("SPEC_OPTS")) {
        return None;
    }
    let options = format!(
        "--require {home}/ruby/tcr_rspec.rb --format {} --format json --out {out}/rspec.json",
        formatter(&found.words)
    );
    Some(
        Way::default()
            .set("SPEC_OPTS", Join::After(" "), options)
            .file("ruby/tcr_rspec.rb", include_str!("reporters/tcr_rspec.rb")),
    )
}

/// The formatter the user asked for on the command line or in `.rspec`, or the usual one.
fn formatter(words: &[String]) -> &str {
    let position = words
        .iter()
        .position(|word| word == "--format" || word == "-f");
    position
        .and_then(|position| words.get(position + 1))
        .map_or("progress", String::as_str)
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    messages: Vec<Text>,
    examples: Vec<Example>,
    #[serde(default)]
    summary: Option<Summary>,
    /// What we add for a run that only names its examples.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    errors_outside_of_examples_count: usize,
}

#[derive(Deserialize)]
struct Example {
    full_description: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    file_path: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    line_number: Option<u32>,
    #[serde(default, deserialize_with = "lenient")]
    exception: Option<Exception>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exception {
    class: Text,
    message: Text,
    #[serde(deserialize_with = "lenient")]
    backtrace: AnyHolds<Hook>,
}

/// The frame of a hook; that of the example comes before it if the hook called the example.
#[derive(Default)]
struct Hook;

impl Needle for Hook {
    const ANY_OF: &'static [&'static str] = &[
        "run_before_context_hooks",
        "run_after_context_hooks",
        "run_owned_hooks_for",
        "levels) in run_around_example_hooks_for",
        "levels) in RSpec::Core::Hooks::HookCollections#run_around_example_hooks_for",
    ];
    const NOT_AFTER: &'static [&'static str] = &[
        "block in run_around_example_hooks_for",
        "block in RSpec::Core::Hooks::HookCollections#run_around_example_hooks_for",
        // RSpec's own hook, in which failures of an example are gathered.
        "define_built_in_hooks",
    ];
}

/// Reads what RSpec's `json` formatter writes.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let Some(document) = document::<Document>(input)? else {
        return Ok(Report::default());
    };
    let mut collector = Collector::default();
    if document.dry_run {
        collector.contradiction("RSpec was told to name its examples and to run none");
    }
    for example in document.examples {
        let file = example.file_path.unwrap_or_default();
        let file = file.trim_start_matches("./").to_owned();
        let id = format!("{file} > {}", example.full_description);
        let exception = example.exception.unwrap_or_default();
        let outcome = match example.status.as_str() {
            "passed" => Outcome::Passed,
            "pending" => Outcome::Skipped,
            "failed" if exception.backtrace.0 => Outcome::Inconclusive,
            "failed" => cause::of_raised(&exception.class.0, &exception.message.0),
            // An example that left the process has no status.
            _ => {
                collector.unfinished(id);
                continue;
            }
        };
        let message = format!("{}: {}", exception.class.0, exception.message.0);
        let at = example.line_number.map(|line| (file.as_str(), line));
        collector.test_at(&id, at, Some(&file), outcome, &message);
    }
    let outside = document
        .summary
        .as_ref()
        .map_or(0, |summary| summary.errors_outside_of_examples_count);
    if outside > 0 {
        let errors = document
            .messages
            .iter()
            .filter(|message| message.0.contains("An error occurred"));
        let mut any = false;
        for Text(message) in errors {
            any = true;
            take_outside(&mut collector, message);
        }
        if !any {
            collector.contradiction("an error occurred outside of examples");
        }
    }
    collector.ended(document.summary.is_some());
    Ok(collector.finish())
}

/// `An error occurred while loading ./spec/calc_spec.rb.` or `… in an `after(:context)` hook.`
fn take_outside(collector: &mut Collector, message: &str) {
    let message = message.trim();
    let headline = message.lines().next().unwrap_or_default();
    let what = match headline.strip_prefix("An error occurred while loading ") {
        Some(file) => file
            .trim_end_matches('.')
            .trim_start_matches("./")
            .to_owned(),
        None => headline
            .split('`')
            .nth(1)
            .map_or_else(|| headline.to_owned(), |hook| format!("{hook} hook")),
    };
    let why = message
        .lines()
        .skip_while(|line| !line.trim_end().ends_with("Error:"))
        .map(str::trim)
        .take(2)
        .collect::<Vec<_>>()
        .join(" ");
    let rest = message.lines().nth(1).unwrap_or_default();
    collector.load_error(what, if why.is_empty() { rest } else { &why });
}

/// Reads RSpec's text: the numbered failures, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\d+) examples?, (\d+) failures?(.*)$"));
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^  (\d+)\) (.+)$"));
    static AGAIN: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"(?m)^rspec '?(\./[^:\['\n]+)(?:\[[^\]\n]*\]|:(\d+))'? # (.*)$")
    });
    let counts = COUNTS.captures(output)?;
    let mut collector = Collector::default();
    let places: Vec<Frame> = AGAIN
        .captures_iter(output)
        .map(|found| Frame {
            title: found[3].to_owned(),
            file: found[1].trim_start_matches("./").to_owned(),
            line: found.get(2).and_then(|line| line.as_str().parse().ok()),
        })
        .collect();
    let body = output
        .split_once("\nFailures:\n")
        .map_or("", |(_, failures)| failures);
    let mut failed = 0;
    let mut lines = body.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = NUMBERED.captures(line) else {
            continue;
        };
        let title = found[2].trim_end_matches(" FIXED").to_owned();
        let mut message = String::new();
        while let Some(line) =
            lines.next_if(|line| !NUMBERED.is_match(line) && !line.starts_with("Finished in "))
        {
            if message.len() < super::formats::collect::MESSAGE_BYTES {
                message.push_str(line.trim());
                message.push('\n');
            }
        }
        let place = places.iter().find(|place| place.title == title);
        let is_unique = places.iter().filter(|place| place.title == title).count() == 1;
        let file = place.map(|place| place.file.clone());
        let id = match &file {
            Some(file) => format!("{file} > {title}"),
            None => title,
        };
        failed += 1;
        let outcome = match place {
            Some(place) if is_unique && place.is_passed_over(&message) => Outcome::Inconclusive,
            _ => of_block(&message),
        };
        collector.test(&id, file.as_deref(), outcome, &message);
    }
    for (at, _) in output.match_indices("An error occurred ") {
        let block = output.get(at..).unwrap_or_default();
        if block.starts_with("An error occurred while loading ")
            || block.starts_with("An error occurred in ")
        {
            take_outside(&mut collector, block);
        }
    }
    let count = |at: usize| {
        counts
            .get(at)
            .and_then(|count| count.as_str().parse::<usize>().ok())
            .unwrap_or(0)
    };
    let pending = text::number_before(counts.get(3).map_or("", |rest| rest.as_str()), &["pending"]);
    if count(2) > failed {
        collector.miscounts("RSpec");
    }
    if shown(output).is_some_and(|shown| shown < count(1)) {
        collector.contradiction("RSpec counts examples of which it does not tell the end");
    }
    collector.unnamed_passed(count(1).saturating_sub(count(2) + pending));
    collector.ended(true);
    Some(collector.finish_text())
}

/// How many examples the `progress` formatter shows the end of, one character each; none if something
/// else is printed among them. An example that leaves the process is counted and not shown.
fn shown(output: &str) -> Option<usize> {
    let mut shown = 0;
    for line in output.lines() {
        if ["Finished in ", "Failures:", "Pending:"]
            .iter()
            .any(|end| line.starts_with(end))
        {
            return Some(shown).filter(|shown| *shown > 0);
        }
        if line.chars().all(|char| matches!(char, '.' | 'F' | '*')) {
            shown += line.len();
        } else if !line.starts_with("Run options: ") && !line.starts_with("Randomized with seed ") {
            return None;
        }
    }
    None
}

/// Where an example that failed is, by the command that runs it again.
struct Frame {
    title: String,
    file: String,
    line: Option<u32>,
}

impl Frame {
    /// Whether the failure came from above the example, where hooks are: no frame is in the example
    /// or below it.
    fn is_passed_over(&self, message: &str) -> bool {
        let Some(start) = self.line else {
            return false;
        };
        let frame = format!("# ./{}:", self.file);
        let mut lines = message
            .lines()
            .filter_map(|line| line.trim().strip_prefix(&frame))
            .filter_map(|rest| rest.split(':').next()?.parse::<u32>().ok())
            .peekable();
        lines.peek().is_some() && lines.all(|line| line < start)
    }
}

/// Whether the code that RSpec quotes is a hook.
pub(super) fn is_of_hook(message: &str) -> bool {
    ["before", "after", "around"].iter().any(|hook| {
        message
            .split_once("Failure/Error: ")
            .and_then(|(_, code)| code.strip_prefix(hook))
            .is_some_and(|rest| rest.starts_with(['(', ' ', '{']))
    })
}

/// `Failure/Error: code`, then either `SomeError:` and its message, or the message of an expectation.
fn of_block(message: &str) -> Outcome {
    if is_of_hook(message) {
        return Outcome::Inconclusive;
    }
    let raised = message.lines().find_map(|line| {
        line.trim()
            .strip_suffix(':')
            .filter(|kind| kind.ends_with("Error") || kind.ends_with("Exception"))
    });
    match raised {
        Some(kind) => {
            let words = message
                .split_once(&format!("{kind}:\n"))
                .map_or("", |(_, rest)| rest);
            cause::of_raised(kind, words)
        }
        None if cause::proves_nothing("", message) => Outcome::Inconclusive,
        None => Outcome::Failed(Cause::Assertion),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus;

    fn of_json(rest: &str, backtrace: &[&str]) -> Report {
        let json = serde_json::json!({
            "examples": [{
                "full_description": "A adds", "status": "failed", "file_path": "./spec/a_spec.rb",
                "exception": { "class": "RuntimeError", "message": "no", "backtrace": backtrace },
            }],
            "summary": {},
        });
        let json = json.to_string().replacen('{', &format!("{{{rest}"), 1);
        read(&mut json.as_bytes()).expect("its JSON")
    }

    #[test]
    fn an_example_that_leaves_is_counted_and_not_shown() {
        let end =
            "\nFinished in 0.1 seconds (files took 0.1 seconds to load)\n2 examples, 0 failures\n";
        for (progress, leaves) in [
            (".\n", true),
            (
                "Run options: include {:focus=>true}\n\nRandomized with seed 1\n.\n",
                true,
            ),
            ("..\n", false),
            (".*\n", false),
            ("printed by an example\n.\n", false),
            ("calc\n  adds\n", false),
            ("", false),
        ] {
            let report = read_text(&format!("{progress}{end}")).and_then(Told::alone);
            let report = report.expect("its output");
            assert_eq!(report.contradiction.is_some(), leaves, "{progress}");
        }
    }

    #[test]
    fn a_hook_around_examples_that_raises_is_no_test() {
        let around = [
            "spec/a_spec.rb:3:in `block (2 levels) in <top (required)>'",
            "core/example.rb:457:in `instance_exec'",
            "core/hooks.rb:628:in `block (2 levels) in run_around_example_hooks_for'",
            "core/hooks.rb:629:in `run_around_example_hooks_for'",
        ];
        assert!(
            of_json("", &around)
                .tests
                .get(0)
                .expect("a test")
                .inconclusive
        );
        let called_by_it = [
            "spec/a_spec.rb:5:in `block (2 levels) in <top (required)>'",
            "core/example.rb:263:in `block in run'",
            "core/hooks.rb:626:in `block in run_around_example_hooks_for'",
        ];
        let inside: Vec<&str> = called_by_it.into_iter().chain(around).collect();
        assert!(
            !of_json("", &inside)
                .tests
                .get(0)
                .expect("a test")
                .inconclusive
        );
        let without = [
            around[0],
            "core/hooks.rb:629:in `run_around_example_hooks_for'",
        ];
        assert!(
            !of_json("", &without)
                .tests
                .get(0)
                .expect("a test")
                .inconclusive
        );
    }

    #[test]
    fn a_run_that_only_names_its_examples_is_told_by_the_report() {
        assert!(of_json("\"dry_run\": true,", &[]).contradiction.is_some());
        assert_eq!(of_json("", &[]).contradiction, None);
    }

    #[test]
    fn a_failure_above_the_example_is_that_of_a_hook() {
        let inconclusive = |frames: &str| {
            let text = format!(
                "\nFailures:\n\n  1) A adds\n     Failure/Error: raise \"no\"\n\n     RuntimeError:\n       no\n{frames}\n\
                 Finished in 0.1 seconds\n1 example, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:9 # A adds\n"
            );
            let report = read_text(&text).and_then(Told::alone).expect("its output");
            assert_eq!(
                report.tests.get(0).expect("a test").status,
                TestStatus::Failed(Cause::Error)
            );
            report.tests.get(0).expect("a test").inconclusive
        };
        assert!(inconclusive(
            "     # ./spec/a_spec.rb:6:in `helper'\n     # ./spec/a_spec.rb:3:in `block'\n"
        ));
        assert!(!inconclusive(
            "     # ./spec/a_spec.rb:6:in `helper'\n     # ./spec/a_spec.rb:10:in `block'\n"
        ));
        assert!(!inconclusive("     # ./lib/a.rb:2:in `add'\n"));
    }
}
