//! The words and small charts of `git tcr stats`.

use std::fmt::Write as _;

use super::{count, counts, duration};
use crate::branch::summary::{Bucket, Causes, SizeClass, Summary};
use crate::clock;

const BAR: usize = 24;
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const SPARK_WIDTH: usize = 48;
const OFF: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const BLUE: &str = "\x1b[34m";
const MAGENTA: &str = "\x1b[35m";
const CYAN: &str = "\x1b[36m";

/// Why work was taken back or a call denied, in words; a cause of a later version is its own.
pub(crate) fn cause(cause: &str) -> &str {
    match cause {
        "frozen" => "frozen paths",
        "unasked" => "source that no test asked for",
        "patience" => "out of patience",
        "regression" => "tests that passed no longer did",
        "source_before_test" => "source before a failing test",
        "not_allowed" => "not allowed in the phase",
        "stub_passes" => "a stub was an implementation",
        "unattributed" => "tests failed, more than tests changed",
        "no_progress" => "the failing tests still failed",
        "target_silenced" => "a failing test was silenced",
        "red" => "the tests failed",
        "broken" => "the tests could not run",
        "no_failing_test" => "source before a failing test",
        "failing_test_elsewhere" => "the failing test is another project's",
        "tests_frozen" => "frozen tests",
        "protected" => "protected paths",
        "spec_settled" => "a settled spec",
        "plan_first" => "before there was a plan",
        "oracle_drifted" => "the oracle had drifted",
        "test_bug_open" => "an open test bug",
        "command" => "commands",
        "spec_cycle" => "a rule of the spec cycle",
        "unreadable" => "what could not be read",
        other => other,
    }
}

/// `42 s`, `12 min`, `3 h 5 min`.
pub(crate) fn span(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

/// `87 %`; nothing of nothing is nothing.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match (part * 100).checked_div(whole) {
        Some(percent) => format!("{percent} %"),
        None => "–".into(),
    }
}

/// `1–5 lines`
pub(crate) fn size_class(class: &SizeClass) -> String {
    match class.to {
        Some(to) => format!("{}–{to} lines", class.from),
        None => format!("{}+ lines", class.from),
    }
}

/// What the mode kept from being done; none if it kept nothing.
pub(crate) fn would_have(summary: &Summary) -> Option<String> {
    let would = summary.would_have;
    (would.denied + would.reverted + would.committed > 0).then(|| {
        format!(
            "would have denied {}, taken back {}, committed {}",
            would.denied, would.reverted, would.committed
        )
    })
}

/// The whole page.
pub(crate) fn page(summary: &Summary, base: &str) -> String {
    let mut page = Page {
        text: String::new(),
    };
    page.headline(summary, base);
    if let Some(would) = would_have(summary) {
        page.line("recorded", &would);
    }
    page.steps(summary);
    page.time(summary);
    page.tests(summary);
    page.sizes(summary);
    page.causes("taken back", YELLOW, &summary.reverts);
    page.causes("denials", MAGENTA, &summary.denials);
    page.text
}

struct Page {
    text: String,
}

impl Page {
    fn headline(&mut self, summary: &Summary, base: &str) {
        let cycles = count(summary.cycles as usize, "cycle", "cycles");
        let work = span(summary.seconds_at_work());
        let since = summary.since.as_deref().and_then(clock::parse);
        let since = since
            .map(|at| clock::day_and_time(at, clock::local_offset()).0)
            .map(|day| format!(" since {day}"))
            .unwrap_or_default();
        let _ = writeln!(
            self.text,
            "\x1b[1mtcr:{OFF} {cycles} on `{base}`, {work} of work{since}"
        );
    }

    fn line(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.text, "  {DIM}{name:<11}{OFF}{text}");
    }

    fn bar_line(&mut self, name: &str, label: &str, colour: &str, part: u64, most: u64, end: &str) {
        let bar = bar(part, most, BAR);
        self.line(name, &format!("{label:<11}{colour}{bar}{OFF} {end}"));
    }

    fn steps(&mut self, summary: &Summary) {
        let commits = summary.commits;
        let steps = commits.total + summary.reverts.total;
        self.line(
            "steps",
            &format!(
                "{} committed, {} taken back: {} held; {} kept uncommitted",
                commits.total,
                summary.reverts.total,
                percent(commits.total, steps),
                summary.kept
            ),
        );
        let most = [
            commits.red,
            commits.green,
            commits.refactor,
            commits.other,
            summary.reverts.total,
        ];
        let most = most.into_iter().max().unwrap_or(0);
        for (label, colour, number) in [
            ("red", RED, commits.red),
            ("green", GREEN, commits.green),
            ("refactor", CYAN, commits.refactor),
            ("other", BLUE, commits.other),
            ("taken back", YELLOW, summary.reverts.total),
        ] {
            if number > 0 {
                self.bar_line("", label, colour, number, most, &number.to_string());
            }
        }
        let streak = summary.streak;
        self.line(
            "streak",
            &format!(
                "{} without taking back at best, {} now",
                count(streak.longest as usize, "commit", "commits"),
                streak.now
            ),
        );
    }

    fn time(&mut self, summary: &Summary) {
        let spent = summary.seconds_in;
        let whole = summary.seconds_at_work();
        let mut name = "time";
        for (label, colour, seconds) in [
            ("plan", BLUE, spent.plan),
            ("red", RED, spent.red),
            ("green", GREEN, spent.green),
            ("refactor", CYAN, spent.refactor),
            ("done", BLUE, spent.done),
        ] {
            if seconds > 0 {
                let end = format!("{} ({})", span(seconds), percent(seconds, whole));
                self.bar_line(name, label, colour, seconds, whole, &end);
                name = "";
            }
        }
        let between = summary.between_commits;
        if between.longest > 0 {
            self.line(
                "commits",
                &format!(
                    "{} apart on average, {} at least, {} at most, breaks aside",
                    span(between.average),
                    span(between.shortest),
                    span(between.longest)
                ),
            );
        }
    }

    fn tests(&mut self, summary: &Summary) {
        let runs = summary.runs;
        self.line(
            "runs",
            &format!(
                "{}: {} passed, {} red, {} broken; {} in all",
                runs.total,
                percent(runs.green, runs.total),
                runs.red,
                runs.broken,
                duration(runs.ms)
            ),
        );
        if let (Some(first), Some(last)) = (summary.run_ms.first, summary.run_ms.last) {
            let text = format!("{} at first, {} now", duration(first), duration(last));
            self.line("a run", &text);
        }
        if let (Some(first), Some(last)) = (summary.tests.first, summary.tests.last) {
            self.line(
                "tests",
                &format!("{} at first, {} now", counts(first), counts(last)),
            );
            let line = sparkline(&summary.course);
            if !line.is_empty() {
                self.line("", &format!("{GREEN}{line}{OFF}"));
            }
        }
    }

    fn sizes(&mut self, summary: &Summary) {
        let steps = &summary.steps;
        let size = |class: &SizeClass| class.committed + class.reverted;
        let most = steps.by_size.iter().map(size).max().unwrap_or(0);
        if most == 0 {
            return;
        }
        self.line(
            "size",
            &format!(
                "{} in the median, {} at most",
                count(steps.median_lines as usize, "line", "lines"),
                steps.largest_lines
            ),
        );
        for class in steps.by_size.iter().filter(|class| size(class) > 0) {
            let committed = bar(class.committed, most, BAR);
            let reverted = bar(class.reverted, most, BAR);
            let label = size_class(class);
            let mut end = size(class).to_string();
            if class.reverted > 0 {
                let _ = write!(end, ", {} of them taken back", class.reverted);
            }
            self.line(
                "",
                &format!("{label:<14}{GREEN}{committed}{YELLOW}{reverted}{OFF} {end}"),
            );
        }
    }

    fn causes(&mut self, name: &str, colour: &str, causes: &Causes) {
        if causes.total == 0 {
            return;
        }
        let mut by_count: Vec<_> = causes.by_cause.iter().collect();
        by_count.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
        let most = by_count.first().map_or(0, |(_, number)| **number);
        self.line(name, &causes.total.to_string());
        for (why, number) in by_count {
            let (why, bar) = (cause(why), bar(*number, most, BAR));
            self.line("", &format!("{why:<38}{colour}{bar}{OFF} {number}"));
        }
    }
}

/// A bar; what is more than nothing can be seen.
fn bar(part: u64, most: u64, width: usize) -> String {
    let cells = (part * width as u64).checked_div(most).unwrap_or(0);
    "█".repeat((cells as usize).max(usize::from(part > 0)))
}

/// How many tests passed in the course of time.
fn sparkline(course: &[Bucket]) -> String {
    let passed: Vec<usize> = course
        .iter()
        .filter_map(|bucket| bucket.tests.map(|tests| tests.passed))
        .collect();
    let most = passed.iter().copied().max().unwrap_or(0);
    if most == 0 || passed.len() < 2 {
        return String::new();
    }
    let width = passed.len().min(SPARK_WIDTH);
    (0..width)
        .filter_map(|cell| passed.get(cell * (passed.len() - 1) / (width - 1)))
        .filter_map(|passed| SPARKS.get(passed * (SPARKS.len() - 1) / most))
        .collect()
}
