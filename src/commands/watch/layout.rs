//! What stands where on the screen. Pure: facts in, lines out.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::view::View;
use crate::message::{self, Message, Tone, watch as words};
use crate::rules::{Mode, Phase};

/// How a piece of text looks. It never carries a meaning that the words do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Dim,
    Bold,
    Good,
    Bad,
    Phase(Phase),
}

/// Pieces of one line.
pub(super) type Line = Vec<(Ink, String)>;

/// What the watch is at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Activity {
    Idle,
    Paused,
    Waiting(String),
    /// Something keeps it from working.
    Held(Message),
    Running {
        since: String,
        last_line: String,
    },
}

/// Something that happened.
#[derive(Debug, Clone)]
pub(super) struct Happened {
    /// In seconds since 1970.
    pub(super) at: u64,
    pub(super) message: Message,
}

/// Everything that is shown.
pub(super) struct Shown<'a> {
    pub(super) now: u64,
    pub(super) view: Option<&'a View>,
    pub(super) activity: Activity,
    /// Newest first.
    pub(super) happened: &'a [Happened],
    pub(super) turn: Option<String>,
    /// An answer that is being typed.
    pub(super) prompt: Option<&'a str>,
    /// What the keys do, instead of all else.
    pub(super) help: bool,
}

/// The most failing tests that are named.
const NAMED: usize = 6;

/// Where the keys need more lines than this, their letters have to do.
const MOST_KEY_LINES: usize = 2;

/// The screen, line by line, never more than `height` of them and none wider than `width`.
pub(super) fn lines(shown: &Shown<'_>, width: usize, height: usize) -> Vec<Line> {
    let mut lines = match shown.help {
        true => help(width, height),
        false => overview(shown, width, height),
    };
    lines.truncate(height);
    lines.into_iter().map(|line| clipped(line, width)).collect()
}

fn overview(shown: &Shown<'_>, width: usize, height: usize) -> Vec<Line> {
    let bottom = bottom(shown, width);
    let room = height.saturating_sub(bottom.len());
    let mut lines = body(shown, width, true);
    // In a small window the facts come first: then what follows from them, then air.
    if lines.len() > room {
        lines = body(shown, width, false);
    }
    if lines.len() > room {
        lines.retain(|line| !line.is_empty());
    }
    leave_out_output(&mut lines, room);
    let earlier = earlier(shown, width, room.saturating_sub(lines.len()));
    lines.extend(earlier);
    lines.resize(room, Line::new());
    lines.extend(bottom);
    lines
}

/// What to do next stands below the output of the tests, and is worth more than how that begins.
fn leave_out_output(lines: &mut Vec<Line>, room: usize) {
    let mut too_many = lines.len().saturating_sub(room);
    lines.retain(|line| {
        let is_output = line
            .first()
            .is_some_and(|(_, text)| text.trim_start().starts_with('|'));
        let goes = is_output && too_many > 0;
        too_many -= usize::from(goes);
        !goes
    });
}

fn body(shown: &Shown<'_>, width: usize, in_full: bool) -> Vec<Line> {
    let mut lines = top(shown, width, in_full);
    lines.extend(activity(&shown.activity, width));
    if let Some(view) = shown.view {
        lines.extend(tests(view, width));
    }
    lines.extend(latest(shown, width));
    lines
}

/// What each key does.
fn help(width: usize, height: usize) -> Vec<Line> {
    const INDENT: usize = 4;
    let mut lines = Vec::new();
    for (key, _, what) in words::KEYS {
        let mut said = wrapped(Ink::Plain, what, INDENT, width);
        if let Some((_, text)) = said.first_mut().and_then(|line| line.first_mut()) {
            *text = text.trim_start().to_owned();
        }
        if let Some(first) = said.first_mut() {
            first.insert(0, (Ink::Bold, format!(" {key}  ")));
        }
        lines.extend(said);
    }
    lines.resize(height.saturating_sub(1).max(lines.len()), Line::new());
    lines.push(vec![(Ink::Dim, format!(" {}", words::leave_help()))]);
    lines
}

fn top(shown: &Shown<'_>, width: usize, in_full: bool) -> Vec<Line> {
    let Some(view) = shown.view else {
        return vec![vec![(Ink::Bold, " git tcr watch".into())], Line::new()];
    };
    let mut facts = vec![
        format!("mode {}", view.mode),
        format!("cycle {}", view.cycle),
    ];
    facts.push(message::count(view.commits as usize, "commit", "commits"));
    facts.push(format!("{} taken back", view.reverts));
    let mut lines = vec![two_sided(
        vec![(Ink::Bold, format!(" {}", view.branch))],
        (Ink::Dim, facts.join(" · ")),
        width,
    )];
    lines.push(Line::new());
    if view.mode == Mode::Off {
        return lines;
    }
    let mut time = vec![words::span(shown.now.saturating_sub(view.since))];
    time.extend(shown.turn.clone());
    let time = (Ink::Dim, time.join(" · "));
    let phase = vec![
        (Ink::Plain, " ".into()),
        (Ink::Phase(view.phase), format!(" {} ", name(view.phase))),
    ];
    let next = words::next(view.phase, view.mode);
    let used: usize = phase.iter().map(|(_, text)| text.width()).sum();
    if used + 2 + next.width() <= width {
        let next = (Ink::Plain, format!("  {next}"));
        let phase = phase.into_iter().chain([next]).collect();
        lines.push(two_sided(phase, time, width));
    } else {
        lines.push(two_sided(phase, time, width));
        lines.extend(wrapped(Ink::Plain, next, 1, width));
    }
    if in_full {
        let allowed = format!("may be written now: {}", view.allowed);
        lines.extend(wrapped(Ink::Dim, &allowed, 1, width));
    }
    lines.push(Line::new());
    lines
}

fn name(phase: Phase) -> String {
    phase.to_string().to_uppercase()
}

fn activity(activity: &Activity, width: usize) -> Vec<Line> {
    let (ink, text, below) = match activity {
        Activity::Held(why) => return said(why, Ink::Bad, width),
        Activity::Idle => (Ink::Dim, words::idle().to_owned(), None),
        Activity::Paused => (Ink::Bold, words::paused().to_owned(), None),
        Activity::Waiting(owner) => (Ink::Bold, words::waiting(owner), None),
        Activity::Running { since, last_line } => {
            (Ink::Bold, since.clone(), Some(last_line.as_str()))
        }
    };
    let mut lines = wrapped(ink, &text, 1, width);
    let below = below.filter(|line| !line.trim().is_empty());
    lines.extend(below.map(|line| vec![(Ink::Dim, format!("   {}", printable(line)))]));
    lines.push(Line::new());
    lines
}

fn tests(view: &View, width: usize) -> Vec<Line> {
    let Some(results) = &view.results else {
        return Vec::new();
    };
    let ink = if view.failing.is_empty() {
        Ink::Plain
    } else {
        Ink::Bold
    };
    let mut lines = wrapped(ink, &format!("tests {results}"), 1, width);
    let named = view.failing.iter().take(NAMED);
    lines.extend(named.map(|test| vec![(Ink::Bad, format!("   failing  {}", printable(test)))]));
    if let Some(more) = view
        .failing
        .len()
        .checked_sub(NAMED)
        .filter(|more| *more > 0)
    {
        lines.push(vec![(Ink::Bad, format!("            and {more} more"))]);
    }
    lines.push(Line::new());
    lines
}

fn latest(shown: &Shown<'_>, width: usize) -> Vec<Line> {
    let Some(last) = shown.happened.first() else {
        return Vec::new();
    };
    let ink = match last.message.tone {
        Tone::Good => Ink::Good,
        Tone::Bad => Ink::Bad,
        Tone::Plain => Ink::Bold,
    };
    let mut lines = said(&last.message, ink, width);
    let ago = words::ago(shown.now.saturating_sub(last.at));
    if let Some(first) = lines.first_mut() {
        *first = two_sided(std::mem::take(first), (Ink::Dim, ago), width);
    }
    lines
}

fn said(message: &Message, ink: Ink, width: usize) -> Vec<Line> {
    let mut lines = wrapped(ink, &message.headline, 1, width);
    for fact in message.facts.iter().flat_map(|fact| fact.lines()) {
        lines.extend(wrapped(Ink::Plain, fact, 3, width));
    }
    for hint in &message.hints {
        lines.extend(wrapped(Ink::Dim, &format!("hint: {hint}"), 3, width));
    }
    lines.push(Line::new());
    lines
}

fn earlier(shown: &Shown<'_>, width: usize, room: usize) -> Vec<Line> {
    let older = shown.happened.iter().skip(1);
    let mut lines: Vec<Line> = older
        .map(|happened| {
            let ago = words::ago(shown.now.saturating_sub(happened.at));
            let left = vec![(
                Ink::Dim,
                format!(" {}", printable(&happened.message.headline)),
            )];
            two_sided(left, (Ink::Dim, ago), width)
        })
        .collect();
    lines.truncate(room.saturating_sub(1));
    lines
}

fn bottom(shown: &Shown<'_>, width: usize) -> Vec<Line> {
    if let Some(typed) = shown.prompt {
        let question = words::why_red();
        // What is typed last stays in sight.
        let room = width.saturating_sub(question.width() + 3).max(1);
        return vec![
            vec![
                (Ink::Bold, format!(" {question}")),
                (Ink::Plain, format!("{}▏", end_of(typed, room))),
            ],
            vec![(Ink::Dim, format!(" {}", words::prompt_keys()))],
        ];
    }
    let lines = keys(width);
    if lines.len() <= MOST_KEY_LINES {
        return lines;
    }
    let letters = words::KEYS.iter().map(|(key, ..)| format!(" {key}"));
    vec![vec![(Ink::Bold, letters.collect())]]
}

/// The keys with what they do.
fn keys(width: usize) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    let mut used = 0;
    for (key, what, _) in words::KEYS {
        let needed = what.width() + 4;
        if used > 0 && used + needed > width {
            lines.push(Line::new());
            used = 0;
        }
        used += needed;
        if let Some(line) = lines.last_mut() {
            line.push((Ink::Bold, format!(" {key}")));
            line.push((Ink::Dim, format!(" {what} ")));
        }
    }
    lines
}

/// Text on the left and, if there is room, on the right.
fn two_sided(mut left: Line, right: (Ink, String), width: usize) -> Line {
    let used: usize = left.iter().map(|(_, text)| text.width()).sum();
    let needed = right.1.width() + 1;
    if let Some(gap) = width.checked_sub(used + needed).filter(|gap| *gap >= 2) {
        left.push((Ink::Plain, " ".repeat(gap)));
        left.push(right);
    }
    left
}

/// Text in as many lines as it needs, broken between words.
fn wrapped(ink: Ink, text: &str, indent: usize, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(indent + 1).max(8);
    let mut lines: Vec<String> = vec![String::new()];
    for word in printable(text).split(' ') {
        let used = lines.last().map_or(0, |line| line.width());
        if used > 0 && used + 1 + word.width() > room {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
        .into_iter()
        .map(|line| vec![(ink, format!("{}{line}", " ".repeat(indent)))])
        .collect()
}

/// What would move the cursor is left out.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect()
}

fn end_of(text: &str, width: usize) -> String {
    let mut used = 0;
    let fits = text.chars().rev().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= width
    });
    let end: Vec<char> = fits.collect();
    end.into_iter().rev().collect()
}

fn clipped(line: Line, width: usize) -> Line {
    let mut left = width;
    let clip = |(ink, text): (Ink, String)| {
        let kept: String = text
            .chars()
            .take_while(|c| {
                let needed = c.width().unwrap_or(0);
                let fits = needed <= left;
                left = if fits { left - needed } else { 0 };
                fits
            })
            .collect();
        (ink, kept)
    };
    line.into_iter().map(clip).collect()
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
