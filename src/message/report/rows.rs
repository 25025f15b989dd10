//! The timeline of the report: a fold-out for each cycle, a row for each event.

use std::fmt::Write as _;

use super::html::{Escaped, shortened, with_code};
use super::pictures::class_of;
use crate::branch::event::{Event, EventKind};
use crate::clock;
use crate::message::timeline::{EventTone, size, what};
use crate::message::{counts, duration, short_id};

/// This many of the newest cycles are unfolded.
const UNFOLDED: usize = 3;

/// Takes events, newest first, and gives a piece of HTML for each cycle that is complete.
pub(crate) struct Rows {
    offset: i32,
    cycle: Option<u64>,
    rows: String,
    commits: usize,
    reverts: usize,
    denials: usize,
    newest: Option<i64>,
    oldest: Option<i64>,
    made: usize,
    last_id: Option<u64>,
}

impl Rows {
    pub(crate) fn new() -> Rows {
        Rows {
            offset: clock::local_offset(),
            cycle: None,
            rows: String::new(),
            commits: 0,
            reverts: 0,
            denials: 0,
            newest: None,
            oldest: None,
            made: 0,
            last_id: None,
        }
    }

    /// Takes in an event; the cycle before it, if this one begins another.
    pub(crate) fn add(&mut self, event: &Event) -> Option<String> {
        // A declared phase counts to the cycle around it.
        let opens = match self.cycle {
            None => true,
            Some(cycle) => cycle != event.cycle && event.event != EventKind::Phase,
        };
        let done = if opens { self.take() } else { None };
        if opens {
            self.cycle = Some(event.cycle);
        }
        let at = clock::parse(&event.at);
        self.newest = self.newest.or(at);
        self.oldest = at.or(self.oldest);
        match EventTone::of(event) {
            EventTone::Revert => self.reverts += 1,
            EventTone::Denied => self.denials += 1,
            EventTone::Quiet => {}
            EventTone::Red | EventTone::Green | EventTone::Refactor | EventTone::Commit => {
                self.commits += 1;
            }
        }
        let row = self.row(event, at);
        self.rows.push_str(&row);
        done
    }

    /// The cycle at hand.
    pub(crate) fn take(&mut self) -> Option<String> {
        let cycle = self.cycle.take()?;
        let rows = std::mem::take(&mut self.rows);
        let (commits, reverts, denials) = (
            std::mem::take(&mut self.commits),
            std::mem::take(&mut self.reverts),
            std::mem::take(&mut self.denials),
        );
        let (newest, oldest) = (self.newest.take(), self.oldest.take());
        let when = oldest
            .map(|at| clock::day_and_time(at, self.offset))
            .map(|(day, time)| format!("{day} {time}"))
            .unwrap_or_default();
        let took = match (oldest, newest) {
            (Some(oldest), Some(newest)) if newest > oldest => {
                format!(
                    " · {}",
                    crate::message::stats::span((newest - oldest) as u64)
                )
            }
            _ => String::new(),
        };
        let open = if self.made < UNFOLDED { " open" } else { "" };
        self.made += 1;
        // The marks of the picture lead here. It is inside what is folded, so that browsers unfold
        // it. A cycle that was taken up again has one place.
        let id = match self.last_id == Some(cycle) {
            true => String::new(),
            false => format!(" id=\"c{cycle}\""),
        };
        self.last_id = Some(cycle);
        let mut html =
            format!("<details{open}><summary><b>cycle {cycle}</b><time>{when}{took}</time><span>");
        for (class, number, sign) in [
            ("green", commits, "●"),
            ("amber", reverts, "↩"),
            ("violet", denials, "✗"),
        ] {
            if number > 0 {
                let _ = write!(html, "<i class=\"{class}\">{sign} {number}</i>");
            }
        }
        let _ = write!(html, "</span></summary><ol{id}>{rows}</ol></details>");
        Some(html)
    }

    fn row(&self, event: &Event, at: Option<i64>) -> String {
        let tone = EventTone::of(event);
        let time = at
            .map(|at| clock::day_and_time(at, self.offset).1)
            .unwrap_or_default();
        let mut row = format!(
            "<li class=\"{}\"><time>{time}</time><b>{} {}</b>",
            class_of(tone),
            tone.sign(),
            Escaped(what(event))
        );
        let tests = event.tests.map(counts).unwrap_or_default();
        let took = match event.duration_ms {
            0 => String::new(),
            ms => duration(ms),
        };
        let _ = write!(
            row,
            "<span>{tests}</span><span>{}</span><span>{took}</span><small>{}</small>",
            size(event),
            traces(event)
        );
        if !event.note.is_empty() {
            let _ = write!(row, "<p>{}</p>", with_code(&shortened(&event.note, 300)));
        }
        row.push_str("</li>");
        row
    }
}

/// Where to find it again, the phase it led to, and who did it.
fn traces(event: &Event) -> String {
    let mut html = String::new();
    if let Some(number) = event.recover {
        let _ = write!(html, "<a href=\"#r{number}\">recover {number}</a>");
    }
    if let Some(commit) = &event.commit {
        let _ = write!(html, "<code>{}</code>", Escaped(short_id(commit)));
    }
    if event.phase != event.next_phase {
        let _ = write!(html, "<span>→ {}</span>", event.next_phase);
    }
    if let Some(by) = &event.by {
        let _ = write!(html, "<span>by {}</span>", Escaped(&shortened(by, 60)));
    }
    html
}
