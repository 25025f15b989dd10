//! The report: one page of HTML without scripts, fonts or anything else from outside.
//!
//! It is made in pieces, so that a long history need not be in memory.

mod entries;
mod html;
mod numbers;
mod pictures;
mod rows;

use std::fmt::Write as _;
use std::path::Path;

pub(crate) use entries::{Reverted, evidence, evidence_head, revert, reverts_end, reverts_head};
pub(crate) use rows::Rows;

use super::stats::{span, would_have};
use super::{Message, Tone, count};
use crate::branch::event::Event;
use crate::branch::state::State;
use crate::branch::summary::Summary;
use crate::clock;
use crate::error::Error;
use html::Escaped;
use numbers::{causes, sizes, tests_in_words, tiles, time};

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

/// The page is written.
pub(crate) fn written(path: &Path, bytes: u64) -> Message {
    let headline = format!("the report is in `{}`", path.display());
    Message::new(Tone::Good, headline).fact(format!(
        "{} kB, one file, nothing from outside",
        bytes.div_ceil(1_000)
    ))
}

/// The same, where nothing opens the page by itself.
pub(crate) fn written_to_open(path: &Path, bytes: u64) -> Message {
    written(path, bytes).hint("open it in a browser")
}

/// A place that is git's.
pub(crate) fn inside_git_dir(wanted: &Path) -> Error {
    elsewhere(wanted, "is inside the git directory")
}

/// A file of the user's.
pub(crate) fn no_report(wanted: &Path) -> Error {
    elsewhere(wanted, "is there already, and is no report")
}

fn elsewhere(wanted: &Path, why: &str) -> Error {
    Error::Usage {
        what: format!("`{}` {why}", wanted.display()),
        hint: "git tcr report --out NEW-FILE".into(),
    }
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
            "<p>Commits upwards, what was taken back or denied downwards.</p>{picture}{}",
            legend_of(&EVENTS)
        );
        page.push_str(&section("course", "The whole course", &body));
    }
    if let Some(picture) = pictures::tests(&facts.summary.course) {
        let body = format!(
            "<p>{}</p>{picture}{}",
            tests_in_words(facts.summary),
            legend_of(&TESTS)
        );
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
    page.push_str(&causes(
        "Taken back, by cause",
        "amber",
        &facts.summary.reverts,
    ));
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
        links.push_str("<a href=\"#reverts\">taken back</a>");
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
    format!(
        "{shown}{}{}",
        pictures::path(facts.newest),
        legend_of(&EVENTS)
    )
}

/// What a colour stands for: class, sign, name.
type Sign = (&'static str, &'static str, &'static str);

const EVENTS: [Sign; 6] = [
    ("red", "●", "red: a failing test"),
    ("green", "●", "green: it passes"),
    ("blue", "●", "refactor"),
    ("plain", "●", "other commits"),
    ("amber", "⊗", "taken back"),
    ("violet", "◆", "denied"),
];
const TESTS: [Sign; 3] = [
    ("green", "■", "passed"),
    ("red", "■", "failed"),
    ("quiet", "■", "skipped"),
];

fn legend_of(signs: &[Sign]) -> String {
    let mut html = String::from("<p class=\"legend\">");
    for (class, sign, name) in signs {
        let _ = write!(html, "<span><i class=\"{class}\">{sign}</i> {name}</span>");
    }
    html.push_str("</p>");
    html
}

/// The beginning of the timeline.
pub(crate) fn timeline_head() -> &'static str {
    "<section id=\"timeline\"><h2>Timeline</h2><div class=\"filter\">\
     <input type=\"radio\" name=\"f\" id=\"f-all\" checked><label for=\"f-all\">everything</label>\
     <input type=\"radio\" name=\"f\" id=\"f-commits\"><label for=\"f-commits\">commits</label>\
     <input type=\"radio\" name=\"f\" id=\"f-reverts\"><label for=\"f-reverts\">taken back</label>\
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
