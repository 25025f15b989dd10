//! Anti-patterns in tests, found by the syntax trees of their files.
//!
//! Nothing here reads a file or the environment: content in, findings out.

mod examine;

pub use examine::{can_read, examine, values_in_tests};

use std::collections::BTreeSet;

use crate::rules::smell::Rule;

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It holds tests.
    Test,
    /// It holds source.
    Source,
    /// It holds both.
    Mixed,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub rule: Rule,
    /// Where, from 1.
    pub line: usize,
    /// In which test.
    pub test: Option<String>,
    /// The beginning of the code that is meant.
    pub quoted: String,
    /// How many, where that is the point.
    pub count: usize,
}

/// Why a file could not be looked at as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It is too large.
    TooLarge,
    /// It is not UTF-8.
    NotText,
    /// It is not what its name says, or has a mistake, first in this line.
    DoesNotParse {
        /// The line, from 1.
        line: usize,
    },
    /// The parser did not come to an end.
    TooComplex,
}

/// What was found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examined {
    /// What is wrong, by line.
    pub findings: Vec<Finding>,
    /// Findings that a comment allows.
    pub allowed: usize,
    /// Comments that are to allow something and do not count.
    pub bad_allows: Vec<BadAllow>,
    /// How many tests there are.
    pub tests: usize,
    /// Why it could not be looked at as a whole.
    pub trouble: Option<Trouble>,
}

impl Examined {
    /// Takes out what was there before: the same thing in the same test.
    pub fn without(&mut self, before: &Examined) {
        let same = |one: &Finding, other: &Finding| {
            (one.rule, &one.test, &one.quoted) == (other.rule, &other.test, &other.quoted)
        };
        let mut old: Vec<&Finding> = before.findings.iter().collect();
        self.findings.retain(|finding| {
            let at = old.iter().position(|known| same(known, finding));
            at.map(|at| old.swap_remove(at)).is_none()
        });
    }
}

/// A comment that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAllow {
    /// Where it is.
    pub line: usize,
    /// What is wrong with it.
    pub problem: AllowProblem,
}

/// How a comment begins that allows a finding.
const ALLOW_MARK: &str = "tcr:allow";

/// A text in which comments that are not in `known` allow nothing.
pub fn without_new_allowances(text: &[u8], known: &[u8]) -> Vec<u8> {
    let known: std::collections::BTreeSet<&[u8]> = known
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .collect();
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let at = line
            .windows(ALLOW_MARK.len())
            .position(|part| part == ALLOW_MARK.as_bytes());
        match at {
            Some(at) if !known.contains(line.trim_ascii()) => {
                let mut line = line.to_vec();
                // As long as before, so that every line and place stays.
                if let Some(colon) = line.get_mut(at + "tcr".len()) {
                    *colon = b'-';
                }
                out.extend(line);
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

/// What is wrong with a comment that is to allow a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowProblem {
    /// It gives no reason.
    NoReason(Rule),
    /// It names no rule that there is.
    UnknownRule(String),
}

/// Values that are written out in tests.
pub type Values = BTreeSet<String>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_are_new_allow_nothing() {
        let known = b"a()  # tcr:allow sleeping: it waits\n";
        let text = b"if x:\n    a()  # tcr:allow sleeping: it waits\n    b()  # tcr:allow no_assertion: so\n";
        let expected = b"if x:\n    a()  # tcr:allow sleeping: it waits\n    b()  # tcr-allow no_assertion: so\n";
        assert_eq!(without_new_allowances(text, known), expected);
        assert_eq!(
            without_new_allowances(expected, b""),
            without_new_allowances(text, b"")
        );
    }
}
