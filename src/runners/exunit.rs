//! ExUnit: the lines of our formatter, and its text.

use std::io::BufRead;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Runner;
use super::aim::{Aim, Wanted};
use super::ask::{Asking, Join, Way};
use super::command::Sign;
use super::formats::Format;
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::json::{Text, each_own_line, lenient};
use super::formats::{ReadError, cause, text};
use super::project::Offer;
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

pub(super) static RUNNER: Runner = Runner {
    sign: |look| Sign::sure_if(look.is(&["mix"]) && look.call.has("test")),
    lists_only: &["--dry-run"],
    ask: |asking| Some(ask(asking)),
    reports: &[("exunit-", &JSONL)],
    read_text,
    telling: &[
        r"^(?:\d+ (?:doctests?|property|properties), )*\d+ tests?, \d+ failures?|^== Compilation error in file ",
    ],
    takes_aim: |_| true,
    detect: |place, out| {
        if place.exists("mix.exs") {
            out.push(Offer::by_default("elixir", "mix test", "mix.exs"));
        }
    },
    nothing_ran: &[r"^\*\* \(Mix\) (?:The task .* could not be found|Could not invoke task )"],
    known_by: "`mix test`",
    asked: "a formatter of ours, by `ELIXIR_ERL_OPTIONS`",
    tried: Some("Elixir 1.14"),
    ..Runner::named("ExUnit")
};

static JSONL: Format = Format::own("ExUnit lines", |_, input| read(input));

fn ask(asking: &Asking<'_>) -> Way {
    let home = asking.home;
    let options = format!(
        "-eval application:ensure_all_started(elixir),'Elixir.Code':compile_file(<<\"{home}/elixir/tcr_exunit_formatter.ex\">>) \
         -ex_unit formatters ['Elixir.ExUnit.CLIFormatter','Elixir.TcrExUnitFormatter']"
    );
    let way = Way::default()
        .set("ELIXIR_ERL_OPTIONS", Join::After(" "), options)
        .file(
            "elixir/tcr_exunit_formatter.ex",
            include_str!("reporters/tcr_exunit_formatter.ex"),
        );
    match asking.aim {
        Some(aim) => way
            .set(
                "GIT_TCR_AIM_EXUNIT",
                Join::Yield,
                format!("{home}/aim/exunit"),
            )
            .file("aim/exunit", &names(aim)),
        None => way,
    }
}

/// The names of the wanted tests, as ExUnit's tags have them.
fn names(aim: &Aim<'_>) -> String {
    let name = |one: &Wanted| match one.id.split_once(" > ") {
        Some((_, name)) => format!("{name}\n"),
        None => {
            let mut words = vec!["test"];
            words.extend(one.path.last().map(String::as_str));
            words.push(&one.name);
            format!("{}\n{}\n", words.join(" "), one.name)
        }
    };
    aim.selection.tests.iter().map(name).collect()
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    event: Option<String>,
    module: Option<String>,
    name: Option<String>,
    file: Option<String>,
    #[serde(deserialize_with = "lenient")]
    line: Option<u32>,
    status: Option<String>,
    kind: Option<Text>,
    message: Option<Text>,
}

/// Reads the lines of our formatter.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    each_own_line(input, &mut collector, |collector, line: Line| {
        match line.event.as_deref() {
            Some("suite_finished") => return collector.ended(true),
            Some("suite_started") => return collector.ended(false),
            _ => {}
        }
        let (Some(module), Some(name)) = (line.module, line.name) else {
            return;
        };
        let id = format!("{module} > {name}");
        let kind = line.kind.unwrap_or_default().0;
        let message = line.message.unwrap_or_default().0;
        let outcome = match line.status.as_deref() {
            Some("passed") => Outcome::Passed,
            Some("skipped") => Outcome::Skipped,
            // Left out by the tags that were asked for: not a test of this run.
            Some("excluded") => return,
            Some("failed") => of_kinds(&kind, &message),
            // `invalid`: the set-up of the test or of its module failed.
            _ => Outcome::Inconclusive,
        };
        let message = if message.is_empty() { kind } else { message };
        let at = line.file.as_deref().zip(line.line);
        collector.test_at(&id, at, line.file.as_deref(), outcome, &message);
    })?;
    Ok(collector.finish())
}

/// `error:ExUnit.AssertionError`, several joined with commas; `exit:` and `throw:` too, and `EXIT:` for what
/// a process went down with that the test is linked to.
fn of_kinds(kinds: &str, message: &str) -> Outcome {
    kinds
        .split(',')
        .map(|kind| match kind {
            "EXIT::killed" => Outcome::Inconclusive,
            kind => {
                let raised = ["error:", "EXIT:"]
                    .iter()
                    .find_map(|prefix| kind.strip_prefix(prefix));
                cause::of_raised(raised.unwrap_or(kind), message)
            }
        })
        .fold(Outcome::Inconclusive, Outcome::stronger)
}

/// Reads ExUnit's text: the numbered failures, the counts.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"(?m)^(?:\d+ (?:doctests?|properties|property), )*(\d+) tests?, (\d+) failures?(.*)$",
        )
    });
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^  \d+\) (.+)$"));
    static PLACE: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^\S+\.exs?:\d+$"));
    static COMPILING: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^== Compilation error in file (\S+) ==\n(.*)$"));
    let counts = COUNTS.captures(output);
    let compiled = output.lines().any(|line| {
        line.starts_with("Compiling ") && line.ends_with(" (.ex)")
            || line.starts_with("Generated ") && line.ends_with(" app")
    });
    if counts.is_none() && !compiled && !COMPILING.is_match(output) {
        return None;
    }
    let mut collector = Collector::default();
    for found in COMPILING.captures_iter(output) {
        collector.load_error(found[1].to_owned(), &found[2]);
    }
    let mut failed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = NUMBERED.captures(line) else {
            continue;
        };
        let mut title = found[1].to_owned();
        // A name may hold line ends.
        while !title.ends_with(')') {
            match lines.next_if(|line| !line.starts_with("     ")) {
                Some(line) => {
                    title.push('\n');
                    title.push_str(line);
                }
                None => break,
            }
        }
        let mut message = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("     ") || line.is_empty()) {
            let is_place = message.is_empty() && PLACE.is_match(line.trim());
            if message.len() < super::formats::collect::MESSAGE_BYTES && !is_place {
                message.push_str(line.trim());
                message.push('\n');
            }
        }
        let (name, module) = title.rsplit_once(" (").unwrap_or((title.as_str(), ""));
        let id = format!("{} > {name}", module.trim_end_matches(')'));
        failed += 1;
        let outcome = of_block(&message);
        collector.test(&id, None, outcome, &message);
    }
    if let Some(counts) = &counts {
        let count = |at: usize| {
            counts
                .get(at)
                .and_then(|count| count.as_str().parse::<usize>().ok())
                .unwrap_or(0)
        };
        let rest = counts.get(3).map_or("", |rest| rest.as_str());
        let left_out = text::number_before(rest, &["skipped", "excluded", "invalid"]);
        if count(2) > failed {
            collector.miscounts("ExUnit");
        }
        collector.unnamed_passed(count(1).saturating_sub(count(2) + left_out));
    }
    collector.ended(counts.is_some());
    Some(collector.finish_text())
}

/// `** (RuntimeError) message` for what was raised; an assertion says so without it.
fn of_block(message: &str) -> Outcome {
    if message.contains(".__ex_unit_setup_") || message.contains(": ExUnit.OnExitHandler.") {
        return Outcome::Inconclusive;
    }
    // What a linked process raised stands below the line that says so.
    let raised = message
        .lines()
        .filter_map(|line| line.strip_prefix("** (")?.split_once(')'))
        .find(|(_, words)| *words != " an exception was raised:");
    match raised {
        Some((kind, " killed")) if kind.starts_with("EXIT") => Outcome::Inconclusive,
        Some((kind, words)) => cause::of_raised(kind, words),
        None => Outcome::Failed(Cause::Assertion),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(failure: &str) -> (Outcome, String) {
        let text = format!(
            "  1) test a (CalcTest)\n     test/calc_test.exs:3\n{failure}\n\n1 test, 1 failure\n"
        );
        let report = read_text(&text).and_then(Told::alone).expect("its output");
        let test = report.tests.get(0).expect("a test");
        let outcome = match test.status {
            _ if test.inconclusive => Outcome::Inconclusive,
            crate::rules::verdict::TestStatus::Failed(cause) => Outcome::Failed(cause),
            status => unreachable!("{status:?}"),
        };
        (outcome, test.message.to_owned())
    }

    #[test]
    fn what_a_linked_process_went_down_with_is_the_cause() {
        let raised = |what: &str| {
            format!(
                "     ** (EXIT from #PID<0.1.0>) an exception was raised:\n         ** ({what}\n"
            )
        };
        for (failure, expected) in [
            (raised("RuntimeError) boom"), Outcome::Failed(Cause::Error)),
            (
                raised("RuntimeError) not implemented"),
                Outcome::Failed(Cause::Stub),
            ),
            (
                raised("ExUnit.AssertionError)"),
                Outcome::Failed(Cause::Assertion),
            ),
            (
                "     ** (EXIT from #PID<0.1.0>) killed".to_owned(),
                Outcome::Inconclusive,
            ),
        ] {
            let (outcome, message) = text_of(&failure);
            assert_eq!(outcome, expected, "{failure}");
            assert!(message.starts_with("** (EXIT from"), "{message}");
        }
        for (kinds, message, expected) in [
            (
                "EXIT:RuntimeError",
                "** (RuntimeError) boom",
                Outcome::Failed(Cause::Error),
            ),
            (
                "EXIT:ExUnit.AssertionError",
                "",
                Outcome::Failed(Cause::Assertion),
            ),
            ("EXIT::killed", "** (EXIT) killed", Outcome::Inconclusive),
        ] {
            assert_eq!(of_kinds(kinds, message), expected, "{kinds}");
        }
    }

    #[test]
    fn what_a_test_left_to_do_on_exit_tells_nothing_about_it() {
        let block = "** (RuntimeError) boom\nstacktrace:\n  test/a_test.exs:9: anonymous fn/0 in A.\"test a\"/1\n  \
            (ex_unit 1.14.0) lib/ex_unit/on_exit_handler.ex:143: ExUnit.OnExitHandler.exec_callback/1\n";
        assert_eq!(of_block(block), Outcome::Inconclusive);
        assert_eq!(
            of_block("** (RuntimeError) boom\nstacktrace:\n  test/a_test.exs:9: (test)\n"),
            Outcome::Failed(Cause::Error)
        );
    }
}
