//! The words and columns of the timeline: `git tcr log`, and the report.

use std::fmt::Write as _;

use super::{Message, Tone, count, counts, duration, short_id};
use crate::branch::event::{Event, EventKind, Would};
use crate::clock;
use crate::git::line_count::Lines;

/// There is no event to show.
pub(crate) fn nothing_yet() -> Message {
    Message::new(Tone::Plain, "nothing has happened on this branch yet")
}

/// How an event is meant; each tone has a colour, and a sign for where there are no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventTone {
    Red,
    Green,
    Refactor,
    /// Committed, and none of the three.
    Commit,
    Revert,
    Denied,
    Quiet,
}

impl EventTone {
    pub(crate) fn of(event: &Event) -> EventTone {
        match event.event {
            EventKind::Commit | EventKind::Activate => match event.label.as_deref() {
                Some("red") => EventTone::Red,
                Some("green" | "tcr") => EventTone::Green,
                Some("refactor") => EventTone::Refactor,
                _ => EventTone::Commit,
            },
            EventKind::Revert | EventKind::Undo => EventTone::Revert,
            EventKind::Denied | EventKind::Disarmed => EventTone::Denied,
            EventKind::Squash => EventTone::Commit,
            EventKind::Keep
            | EventKind::Record
            | EventKind::Phase
            | EventKind::Step
            | EventKind::Allow
            | EventKind::Switch
            | EventKind::Restore
            | EventKind::Save
            | EventKind::Other => EventTone::Quiet,
        }
    }

    pub(crate) fn sign(self) -> char {
        match self {
            EventTone::Red | EventTone::Green | EventTone::Refactor | EventTone::Commit => '●',
            EventTone::Revert => '↩',
            EventTone::Denied => '✗',
            EventTone::Quiet => '·',
        }
    }

    /// The code that switches its colour on.
    pub(crate) fn ansi(self) -> &'static str {
        match self {
            EventTone::Red => "\x1b[31m",
            EventTone::Green => "\x1b[32m",
            EventTone::Refactor => "\x1b[36m",
            EventTone::Commit => "\x1b[34m",
            EventTone::Revert => "\x1b[33m",
            EventTone::Denied => "\x1b[35m",
            EventTone::Quiet => "\x1b[2m",
        }
    }
}

/// What happened, in one word.
pub(crate) fn what(event: &Event) -> &str {
    match event.event {
        EventKind::Commit => event.label.as_deref().unwrap_or("commit"),
        EventKind::Activate => "active",
        EventKind::Revert | EventKind::Undo => "taken back",
        EventKind::Keep => "kept",
        EventKind::Record => "recorded",
        EventKind::Phase => event.label.as_deref().unwrap_or("declared"),
        EventKind::Step => "step",
        EventKind::Allow => "allowed",
        EventKind::Switch => "switched",
        EventKind::Restore => "restored",
        EventKind::Save => "saved",
        EventKind::Denied if event.would == Some(Would::Deny) => "observed",
        EventKind::Denied => "denied",
        EventKind::Disarmed => "disarmed",
        EventKind::Squash if event.recover.is_some() => "went back",
        EventKind::Squash => "squashed",
        EventKind::Other => event.label.as_deref().unwrap_or("other"),
    }
}

/// `+12 −3`
pub(crate) fn lines(lines: Lines) -> String {
    format!("+{} −{}", lines.added, lines.removed)
}

/// `2 files +12 −3`; nothing where nothing changed.
pub(crate) fn size(event: &Event) -> String {
    if event.files == 0 {
        return String::new();
    }
    let files = count(event.files, "file", "files");
    match event.lines {
        Some(lines) => format!("{files} {}", self::lines(lines)),
        None => files,
    }
}

/// Where to find it again, the phase it led to, and who did it.
fn traces(event: &Event) -> String {
    let mut parts = Vec::new();
    if let Some(commit) = &event.commit {
        parts.push(short_id(commit).to_owned());
    }
    if let Some(number) = event.recover {
        parts.push(format!("recover {number}"));
    }
    if event.phase != event.next_phase {
        parts.push(format!("→ {}", event.next_phase));
    }
    if let Some(by) = &event.by {
        parts.push(format!("by {by}"));
    }
    parts.join("  ")
}

/// The log, line by line, newest first: a heading for each day, a row for each event.
pub(crate) struct Timeline {
    offset: i32,
    cycle_width: usize,
    tests_width: usize,
    size_width: usize,
    /// Sizes and times are left out where each row would take two lines with them.
    is_narrow: bool,
    day: String,
}

/// How wide rows with all columns are, or a little more.
const ALL_COLUMNS: usize = 104;

impl Timeline {
    /// `cycle` is the newest one; it makes the widest number. `width` is that of the terminal, if the
    /// rows go to one.
    pub(crate) fn new(cycle: u64, width: Option<usize>) -> Timeline {
        Timeline {
            offset: clock::local_offset(),
            cycle_width: cycle.to_string().len(),
            tests_width: "99 passed, 9 failed".len(),
            size_width: "9 files +99 -99".len(),
            is_narrow: width.is_some_and(|width| width < ALL_COLUMNS),
            day: String::new(),
        }
    }

    /// The lines of one event.
    pub(crate) fn row(&mut self, event: &Event) -> String {
        const DIM: &str = "\x1b[2m";
        const OFF: &str = "\x1b[0m";
        let mut text = String::new();
        let (day, time) = match clock::parse(&event.at) {
            Some(seconds) => clock::day_and_time(seconds, self.offset),
            None => (event.at.clone(), String::new()),
        };
        if day != self.day {
            let gap = if self.day.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}\x1b[1m{day}{OFF}");
            self.day = day;
        }
        let tone = EventTone::of(event);
        let tests = event.tests.map(counts).unwrap_or_default();
        let size = size(event);
        // The rows are not known beforehand: a column that has to grow stays wide.
        self.cycle_width = self.cycle_width.max(event.cycle.to_string().len());
        self.tests_width = self.tests_width.max(tests.chars().count());
        self.size_width = self.size_width.max(size.chars().count());
        let took = match event.duration_ms {
            0 => String::new(),
            ms => duration(ms),
        };
        let traces = traces(event);
        let row = format!(
            "{DIM}{time:<8}{OFF}  {:>width$}  {:<8}  {}{} {:<10}{OFF}",
            event.cycle,
            event.phase.to_string(),
            tone.ansi(),
            tone.sign(),
            what(event),
            width = self.cycle_width,
        );
        let tests_width = self.tests_width;
        let facts = match self.is_narrow {
            true => format!("  {tests:<tests_width$}  {traces}"),
            false => format!(
                "  {tests:<tests_width$}  {size:<size_width$}  {took:>10}  {traces}",
                size_width = self.size_width,
            ),
        };
        let _ = writeln!(text, "{row}{}", facts.trim_end());
        for line in event.note.lines() {
            let indent = 8 + 2 + self.cycle_width + 2 + 8 + 4;
            let _ = writeln!(text, "{:indent$}{DIM}{line}{OFF}", "");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(width: Option<usize>) -> String {
        let event = serde_json::json!({
            "at": "2026-11-16T03:21:35Z", "event": "commit", "label": "red", "phase": "red",
            "next_phase": "green", "cycle": 1, "files": 12, "duration_ms": 8_000,
            "tests": {"passed": 21, "failed": 1, "skipped": 0},
            "lines": {"added": 10, "removed": 2},
            "commit": "0123456789abcdef0123456789abcdef01234567",
        });
        let event: Event = serde_json::from_value(event).unwrap();
        let row = Timeline::new(1, width).row(&event);
        anstream::adapter::strip_str(&row).to_string()
    }

    #[test]
    fn a_row_fits_on_a_line_of_a_terminal() {
        let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
        for (width, in_full) in [(None, true), (Some(200), true), (Some(80), false)] {
            let row = row(width);
            assert!(widest(&row) <= width.or(Some(ALL_COLUMNS)), "{row}");
            assert_eq!(row.contains("12 files +10 −2"), in_full, "{row}");
            assert_eq!(row.contains("8.0 s"), in_full, "{row}");
            assert!(row.contains("  01234567  → green"), "{row}");
        }
    }
}
