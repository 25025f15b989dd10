//! What unfolds at the end of the report: reverted work with its diff, and evidence documents.

use std::fmt::Write as _;

use super::html::{Escaped, shortened, with_code};
use crate::clock;
use crate::message::{count, short_id};

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

/// The beginning of the reverts.
pub(crate) fn reverts_head() -> &'static str {
    "<section id=\"reverts\"><h2>Taken back, with its content</h2>\
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
