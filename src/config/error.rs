//! What is wrong with a config file, and where.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::keys::{Scope, hint_for_unknown};

/// Beyond this many problems a file is not worth reading out.
const SHOWN: usize = 20;

/// Everything that is wrong with the config files, in the order it is written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The problems, the first of them if there are very many.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file it is in.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// The nearest right key, the allowed values, or what to do.
    pub hint: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem {
            file,
            line,
            column,
            what,
            hint,
        } = self;
        write!(f, "{}:{line}:{column}: {what}", file.display())?;
        match hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        match self.more {
            0 => Ok(()),
            1 => write!(f, "\nand 1 more problem"),
            more => write!(f, "\nand {more} more problems"),
        }
    }
}

impl std::error::Error for ConfigError {}

/// Collects what is wrong with one file.
pub(super) struct Findings {
    found: Vec<Finding>,
}

struct Finding {
    at: usize,
    what: String,
    hint: Hint,
}

/// The way out of a problem.
pub(super) enum Hint {
    /// None is known.
    Nothing,
    /// This one.
    Text(String),
    /// The right key for a wrong one; searched only if the problem is shown.
    RightKey(Scope, String),
}

impl Hint {
    fn into_text(self) -> Option<String> {
        match self {
            Hint::Nothing => None,
            Hint::Text(text) => Some(text),
            Hint::RightKey(scope, wrong) => Some(hint_for_unknown(scope, &wrong)),
        }
    }
}

impl Findings {
    pub(super) fn new() -> Self {
        Findings { found: Vec::new() }
    }

    /// Notes a problem at a place in the file.
    pub(super) fn add(&mut self, span: Range<usize>, what: String, hint: Hint) {
        self.found.push(Finding {
            at: span.start,
            what,
            hint,
        });
    }

    /// Moves everything found into `error`, in the order of the file, with line and column.
    pub(super) fn report(mut self, file: &Path, text: &str, error: &mut ConfigError) {
        self.found.sort_by_key(|finding| finding.at);
        for finding in self.found {
            if error.problems.len() >= SHOWN {
                error.more += 1;
                continue;
            }
            let (line, column) = position(text, finding.at);
            error.problems.push(Problem {
                file: file.to_owned(),
                line,
                column,
                what: finding.what,
                hint: finding.hint.into_text(),
            });
        }
    }
}

/// Line and column, both from 1, of a byte offset.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let text = "a = 1\r\nä = ü\n";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 7), (2, 1));
        assert_eq!(position(text, 12), (2, 5));
        assert_eq!(position(text, 999), (3, 1));
        assert_eq!(position(text, 8), (3, 1), "inside a character: the end");
    }
}
