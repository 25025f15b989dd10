//! The one place that words what people and agents read.
//!
//! Lower-case start after the prefix, values in backticks, one fact a line, the next command last.

pub(crate) mod allow;
pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod error;
pub(crate) mod evidence;
pub(crate) mod gate;
pub(crate) mod hooks;
pub(crate) mod install;
pub(crate) mod lint;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod outcome;
pub(crate) mod phase;
pub(crate) mod proof;
pub(crate) mod recover;
pub(crate) mod refusals;
pub(crate) mod report;
pub(crate) mod smells;
pub(crate) mod spec;
pub(crate) mod spike;
pub(crate) mod squash;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod step;
pub(crate) mod switch;
pub(crate) mod timeline;
pub(crate) mod uninstall;
pub(crate) mod verify;
pub(crate) mod watch;

use std::fmt::Write as _;

use crate::branch::event::Counts;
use crate::error::Error;

/// How a headline is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Plain,
}

/// A headline, facts, and the next steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) tone: Tone,
    pub(crate) headline: String,
    pub(crate) facts: Vec<String>,
    pub(crate) hints: Vec<String>,
}

impl Message {
    pub(crate) fn new(tone: Tone, headline: impl Into<String>) -> Self {
        Message {
            tone,
            headline: headline.into(),
            facts: Vec::new(),
            hints: Vec::new(),
        }
    }

    pub(crate) fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The text, with colour codes that a plain stream strips.
    pub(crate) fn render(&self) -> String {
        let (on, off) = match self.tone {
            Tone::Good => ("\x1b[32m", "\x1b[0m"),
            Tone::Bad => ("\x1b[31m", "\x1b[0m"),
            Tone::Plain => ("", ""),
        };
        let mut text = format!("{on}tcr:{off} {}\n", self.headline);
        for fact in &self.facts {
            for line in fact.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        for hint in &self.hints {
            let _ = writeln!(text, "hint: {hint}");
        }
        text
    }
}

impl Message {
    /// The text without colour, for agents.
    pub(crate) fn plain(&self) -> String {
        Message {
            tone: Tone::Plain,
            ..self.clone()
        }
        .render()
    }

    /// The same as JSON, where something could not be done.
    pub(crate) fn as_error_json(&self) -> serde_json::Value {
        serde_json::json!({"action": "error", "reason": self.headline, "hints": self.hints})
    }
}

/// The words for an error.
pub(crate) fn error(error: &Error) -> Message {
    let mut message = Message::new(Tone::Bad, error.to_string());
    message.hints.extend(error.hint());
    message
}

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The counts of a run: `3 passed, 1 failed`.
pub(crate) fn counts(counts: Counts) -> String {
    let mut parts = vec![format!("{} passed", counts.passed)];
    if counts.failed > 0 {
        parts.push(format!("{} failed", counts.failed));
    }
    if counts.skipped > 0 {
        parts.push(format!("{} skipped", counts.skipped));
    }
    parts.join(", ")
}

/// `12 ms`, `3.4 s`, `2 min 5 s`.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// The first characters of an object id.
pub(crate) fn short_id(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// The test commands of projects, each with where it runs: `` `npm test` in `a`, `b` ``.
pub(crate) fn project_tests<'a>(tests: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut by_command: Vec<(String, Vec<String>)> = Vec::new();
    for (path, command) in tests {
        let path = path.to_owned();
        match by_command.iter_mut().find(|(known, _)| *known == command) {
            Some((_, paths)) => paths.push(path),
            None => by_command.push((command, vec![path])),
        }
    }
    let said = by_command.iter();
    let said = said.map(|(command, paths)| format!("`{command}` in {}", path_list(paths)));
    said.collect::<Vec<_>>().join("; ")
}

/// A few paths, and how many more.
pub(crate) fn path_list(paths: &[String]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = paths
        .iter()
        .take(NAMED)
        .map(|path| format!("`{path}`"))
        .collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
