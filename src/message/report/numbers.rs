//! The numbers of the report: the tiles at its top, and bars made of boxes.

use std::fmt::Write as _;

use super::Facts;
use super::html::Escaped;
use crate::branch::summary::{Causes, SizeClass, Summary};
use crate::message::stats::{cause, percent, size_class, span};
use crate::message::{count, counts, duration};

pub(super) fn tiles(facts: &Facts<'_>) -> String {
    let summary = facts.summary;
    let steps = summary.commits.total + summary.reverts.total;
    let passing = summary.tests.last.map(|tests| tests.passed.to_string());
    let mut html = String::from("<section class=\"tiles\" aria-label=\"numbers\">");
    for (number, name) in [
        (summary.cycles.to_string(), "cycles"),
        (summary.commits.total.to_string(), "commits"),
        (summary.reverts.total.to_string(), "taken back"),
        (summary.denials.total.to_string(), "denials"),
        (percent(summary.commits.total, steps), "of the steps held"),
        (
            percent(summary.runs.green, summary.runs.total),
            "of the runs passed",
        ),
        (passing.unwrap_or_else(|| "–".into()), "tests pass now"),
        (
            summary.streak.longest.to_string(),
            "commits, longest streak",
        ),
    ] {
        let _ = write!(html, "<div><b>{number}</b><span>{name}</span></div>");
    }
    html.push_str("</section>");
    html
}

pub(super) fn tests_in_words(summary: &Summary) -> String {
    let mut words = String::new();
    if let (Some(first), Some(last)) = (summary.tests.first, summary.tests.last) {
        let _ = write!(words, "{} at first, {} now", counts(first), counts(last));
    }
    if let (Some(first), Some(last)) = (summary.run_ms.first, summary.run_ms.last) {
        let _ = write!(
            words,
            "; a run took {} at first, {} now",
            duration(first),
            duration(last)
        );
    }
    words
}

/// One line of a bar chart made of boxes; `parts` are class and amount.
fn bar_row(label: &str, parts: &[(&str, u64)], most: u64, end: &str) -> String {
    let mut bars = String::new();
    for (class, amount) in parts.iter().filter(|(_, amount)| *amount > 0) {
        let width = (amount * 1_000).checked_div(most).unwrap_or(0);
        let _ = write!(
            bars,
            "<i class=\"{class}\" style=\"width:{}.{}%\"></i>",
            width / 10,
            width % 10
        );
    }
    format!("<dt>{label}</dt><dd><span class=\"bar\">{bars}</span><em>{end}</em></dd>")
}

pub(super) fn sizes(summary: &Summary) -> String {
    let steps = &summary.steps;
    let size = |class: &SizeClass| class.committed + class.reverted;
    let most = steps.by_size.iter().map(size).max().unwrap_or(0);
    if most == 0 {
        return "<p>No step yet.</p>".into();
    }
    let mut html = format!(
        "<p>{} in the median, {} at most.</p><dl>",
        count(steps.median_lines as usize, "line", "lines"),
        steps.largest_lines
    );
    let used = steps.by_size.iter().rposition(|class| size(class) > 0);
    for class in steps.by_size.iter().take(used.map_or(0, |last| last + 1)) {
        let end = match class.reverted {
            0 => class.committed.to_string(),
            reverted => format!("{} + {reverted} taken back", class.committed),
        };
        html.push_str(&bar_row(
            &size_class(class),
            &[("green", class.committed), ("amber", class.reverted)],
            most,
            &end,
        ));
    }
    html.push_str("</dl>");
    html
}

pub(super) fn time(summary: &Summary) -> String {
    let spent = summary.seconds_in;
    let whole = summary.seconds_at_work();
    if whole == 0 {
        return "<p>No time to speak of yet.</p>".into();
    }
    let mut html = format!("<p>{} at work, breaks aside.</p><dl>", span(whole));
    for (name, class, seconds) in [
        ("plan", "plain", spent.plan),
        ("red", "red", spent.red),
        ("green", "green", spent.green),
        ("refactor", "blue", spent.refactor),
        ("done", "plain", spent.done),
    ] {
        if seconds > 0 {
            let end = format!("{} · {}", span(seconds), percent(seconds, whole));
            html.push_str(&bar_row(name, &[(class, seconds)], whole, &end));
        }
    }
    let between = summary.between_commits;
    let _ = write!(
        html,
        "</dl><p>A commit every {} on average, {} at most.</p>",
        span(between.average),
        span(between.longest)
    );
    html
}

pub(super) fn causes(title: &str, class: &str, causes: &Causes) -> String {
    if causes.total == 0 {
        return String::new();
    }
    let mut by_count: Vec<_> = causes.by_cause.iter().collect();
    by_count.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
    let most = by_count.first().map_or(0, |(_, number)| **number);
    let mut html = String::from("<dl class=\"wide\">");
    for (why, number) in by_count {
        let label = Escaped(cause(why)).to_string();
        html.push_str(&bar_row(
            &label,
            &[(class, *number)],
            most,
            &number.to_string(),
        ));
    }
    html.push_str("</dl>");
    format!("<section><h2>{title}</h2>{html}</section>")
}
