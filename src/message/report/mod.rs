//! The report: one page of HTML without scripts, fonts or anything else from outside.
//!
//! It is made in pieces, so that a long history need not be in memory.

mod html;
mod pictures;
mod rows;

use std::fmt::Write as _;

pub(crate) use rows::Rows;

use super::stats::{cause, percent, size_class, span, would_have};
use super::{count, counts, duration, short_id};
use crate::clock;
use crate::journal::event::Event;
use crate::journal::state::State;
use crate::journal::summary::{Causes, SizeClass, Summary};
use html::{Escaped, shortened, with_code};

/// What every report begins with, so that it can be told from other files.
pub(crate) const MARK: &str = "<!doctype html>\n<!-- made by git tcr -->\n";
const STYLE: &str = include_str!("page.css");
/// How many events the picture of the way shows.
pub(crate) const ON_THE_WAY: usize = 150;

/// What the page is about.
pub(crate) struct Facts<'a> {
    pub(crate) base: &'a str,
    pub(crate) state: &'a State,
    pub(crate) summary: &'a Summary,
    /// The newest events, oldest first, at most [`ON_THE_WAY`].
    pub(crate) newest: &'a [Event],
    pub(crate) reverts: usize,
    pub(crate) evidence: usize,
}

/// Work that was reverted, with its diff.
pub(crate) struct Reverted<'a> {
    pub(crate) number: u64,
    pub(crate) at: &'a str,
    pub(crate) why: &'a str,
    pub(crate) files: &'a [String],
    pub(crate) diff: &'a str,
    /// Some of the diff was left out.
    pub(crate) is_cut: bool,
}

/// Everything down to the timeline.
pub(crate) fn head(facts: &Facts<'_>) -> String {
    let base = Escaped(facts.base);
    let mut page = format!(
        "{MARK}<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{base} · git tcr</title><style>{STYLE}</style></head><body>"
    );
    page.push_str(&header(facts));
    page.push_str(&tiles(facts));
    page.push_str(&section("path", "The way through the phases", &way(facts)));
    if facts.summary.events > facts.newest.len() as u64 {
        let picture = pictures::course(&facts.summary.course);
        let body = format!(
            "<p>Commits upwards, reverts and denials downwards.</p>{picture}{}",
            legend()
        );
        page.push_str(&section("course", "The whole course", &body));
    }
    if let Some(picture) = pictures::tests(&facts.summary.course) {
        let body = format!("<p>{}</p>{picture}", tests_in_words(facts.summary));
        page.push_str(&section("tests", "Tests over time", &body));
    }
    page.push_str("<div class=\"pair\">");
    page.push_str(&section(
        "sizes",
        "Size of the steps",
        &sizes(facts.summary),
    ));
    page.push_str(&section("time", "Time in each phase", &time(facts.summary)));
    page.push_str("</div>");
    page.push_str(&causes("Reverts by cause", "amber", &facts.summary.reverts));
    page.push_str(&causes(
        "Denials by cause",
        "violet",
        &facts.summary.denials,
    ));
    page
}

fn header(facts: &Facts<'_>) -> String {
    let summary = facts.summary;
    let day = |at: &Option<String>| {
        let at = at.as_deref().and_then(clock::parse);
        at.map(|at| clock::day_and_time(at, clock::local_offset()).0)
            .unwrap_or_default()
    };
    let (since, until) = (day(&summary.since), day(&summary.until));
    let days = match since == until {
        true => since,
        false => format!("{since} – {until}"),
    };
    let mut links = String::from("<a href=\"#path\">way</a><a href=\"#timeline\">timeline</a>");
    if facts.reverts > 0 {
        links.push_str("<a href=\"#reverts\">reverts</a>");
    }
    if facts.evidence > 0 {
        links.push_str("<a href=\"#evidence\">evidence</a>");
    }
    let would = would_have(summary)
        .map(|would| format!("<p class=\"would\">In mode <b>observe</b> git tcr {would}.</p>"))
        .unwrap_or_default();
    format!(
        "<header><p class=\"kind\">git tcr report</p><h1>{}</h1>\
         <p>{days} · {} of work · now in <b class=\"{phase}\">{phase}</b>, cycle {}</p>{would}<nav>{links}</nav></header><main>",
        Escaped(facts.base),
        span(summary.seconds_at_work()),
        facts.state.cycle,
        phase = facts.state.phase,
    )
}

fn tiles(facts: &Facts<'_>) -> String {
    let summary = facts.summary;
    let steps = summary.commits.total + summary.reverts.total;
    let passing = summary.tests.last.map(|tests| tests.passed.to_string());
    let mut html = String::from("<section class=\"tiles\" aria-label=\"numbers\">");
    for (number, name) in [
        (summary.cycles.to_string(), "cycles"),
        (summary.commits.total.to_string(), "commits"),
        (summary.reverts.total.to_string(), "reverts"),
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

fn section(id: &str, title: &str, body: &str) -> String {
    format!("<section id=\"{id}\"><h2>{title}</h2>{body}</section>")
}

fn way(facts: &Facts<'_>) -> String {
    let shown = match facts.summary.events > facts.newest.len() as u64 {
        true => format!(
            "<p>The newest {} events; a mark leads to its cycle.</p>",
            facts.newest.len()
        ),
        false => "<p>Every event from left to right; a mark leads to its cycle.</p>".into(),
    };
    format!("{shown}{}{}", pictures::path(facts.newest), legend())
}

fn legend() -> String {
    let mut html = String::from("<p class=\"legend\">");
    for (class, sign, name) in [
        ("red", "●", "red: a failing test"),
        ("green", "●", "green: it passes"),
        ("blue", "●", "refactor"),
        ("plain", "●", "other commits"),
        ("amber", "⊗", "reverted"),
        ("violet", "◆", "denied"),
    ] {
        let _ = write!(html, "<span><i class=\"{class}\">{sign}</i> {name}</span>");
    }
    html.push_str("</p>");
    html
}

fn tests_in_words(summary: &Summary) -> String {
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

fn sizes(summary: &Summary) -> String {
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
            reverted => format!("{} + {reverted} reverted", class.committed),
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

fn time(summary: &Summary) -> String {
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

fn causes(title: &str, class: &str, causes: &Causes) -> String {
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

/// The beginning of the timeline.
pub(crate) fn timeline_head() -> &'static str {
    "<section id=\"timeline\"><h2>Timeline</h2><div class=\"filter\">\
     <input type=\"radio\" name=\"f\" id=\"f-all\" checked><label for=\"f-all\">everything</label>\
     <input type=\"radio\" name=\"f\" id=\"f-commits\"><label for=\"f-commits\">commits</label>\
     <input type=\"radio\" name=\"f\" id=\"f-reverts\"><label for=\"f-reverts\">reverts</label>\
     <input type=\"radio\" name=\"f\" id=\"f-denials\"><label for=\"f-denials\">denials</label>\
     <div class=\"cycles\">"
}

/// The end of the timeline; `left_out` events of all found no room.
pub(crate) fn timeline_end(left_out: u64, all: u64) -> String {
    let rest = match left_out {
        0 => String::new(),
        _ => format!(
            "<p>{} not shown here: <code>git tcr log -n {all}</code></p>",
            count(left_out as usize, "older event", "older events")
        ),
    };
    format!("</div></div>{rest}</section>")
}

/// The beginning of the reverts.
pub(crate) fn reverts_head() -> &'static str {
    "<section id=\"reverts\"><h2>Reverts, with their content</h2>\
     <p>Nothing is lost: <code>git tcr recover restore N</code> brings an entry back.</p>"
}

/// One entry of the reverts.
pub(crate) fn revert(reverted: &Reverted<'_>) -> String {
    const FILES: usize = 5;
    let named: Vec<String> = reverted
        .files
        .iter()
        .take(FILES)
        .map(|path| Escaped(&shortened(path, 120)).to_string())
        .collect();
    let more = match reverted.files.len().saturating_sub(FILES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (day, time) = clock::parse(reverted.at)
        .map(|at| clock::day_and_time(at, clock::local_offset()))
        .unwrap_or_default();
    let mut html = format!(
        "<details class=\"revert\"><summary><b>recover {number}</b> <time>{day} {time}</time> <span>{}</span> <code>{}{more}</code></summary><pre class=\"diff\" id=\"r{number}\">",
        with_code(&shortened(reverted.why, 300)),
        named.join(", "),
        number = reverted.number,
    );
    for line in reverted.diff.lines() {
        let text = Escaped(line);
        let _ = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => writeln!(html, "<b>{text}</b>"),
            [b'@', ..] => writeln!(html, "<i>{text}</i>"),
            [b'+', ..] => writeln!(html, "<ins>{text}</ins>"),
            [b'-', ..] => writeln!(html, "<del>{text}</del>"),
            _ => writeln!(html, "{text}"),
        };
    }
    html.push_str("</pre>");
    if reverted.is_cut {
        let _ = write!(
            html,
            "<p>The rest: <code>git tcr recover show {}</code></p>",
            reverted.number
        );
    }
    html.push_str("</details>");
    html
}

/// The end of the reverts; `left_out` entries found no room.
pub(crate) fn reverts_end(left_out: usize) -> String {
    let rest = match left_out {
        0 => String::new(),
        _ => format!(
            "<p>{} not shown here: <code>git tcr recover list</code></p>",
            count(left_out, "older entry", "older entries")
        ),
    };
    format!("{rest}</section>")
}

/// The beginning of the evidence.
pub(crate) fn evidence_head() -> &'static str {
    "<section id=\"evidence\"><h2>Evidence</h2>"
}

/// One evidence document: its number, commit and files.
pub(crate) fn evidence(number: &str, commit: &str, files: &[(String, String)]) -> String {
    let mut html = format!(
        "<details><summary><b>evidence {}</b> <code>{}</code></summary>",
        Escaped(number),
        short_id(commit)
    );
    for (name, text) in files {
        let (name, text) = (Escaped(name), Escaped(text));
        // What programs read stays folded.
        let _ = match is_for_people(name.0) {
            true => write!(html, "<pre>{text}</pre>"),
            false => write!(
                html,
                "<details><summary>{name}</summary><pre>{text}</pre></details>"
            ),
        };
    }
    html.push_str("</details>");
    html
}

fn is_for_people(name: &str) -> bool {
    name.ends_with(".md")
}

/// The end of the page.
pub(crate) fn foot() -> String {
    let now = clock::day_and_time(clock::seconds_now() as i64, clock::local_offset());
    format!(
        "</main><footer>made {} {} by git tcr {}</footer></body></html>\n",
        now.0,
        now.1,
        crate::VERSION
    )
}
