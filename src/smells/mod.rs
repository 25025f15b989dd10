//! Anti-patterns in tests, found by the syntax trees of their files.
//!
//! Nothing here reads a file or the environment: content in, findings out.

mod allow;
mod rules;
mod tables;
mod tree;
mod words;

use crate::policy::smell::Rule;
pub use allow::{AllowProblem, BadAllow};

/// Larger files are no tests that people write.
const LARGEST: usize = 1024 * 1024;

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

/// Whether files of this name can be looked at.
pub fn can_read(path: &str) -> bool {
    tables::table_of(path).is_some()
}

/// Looks at one file; nothing if its language is not known.
pub fn examine(path: &str, content: &[u8], role: Role) -> Option<Examined> {
    let table = tables::table_of(path)?;
    let in_trouble = |trouble| Examined {
        trouble: Some(trouble),
        ..Examined::default()
    };
    if content.len() > LARGEST {
        return Some(in_trouble(Trouble::TooLarge));
    }
    let Ok(text) = std::str::from_utf8(content) else {
        return Some(in_trouble(Trouble::NotText));
    };
    let Some(tree) = tree::parse(table, content) else {
        return Some(in_trouble(Trouble::TooComplex));
    };
    let Some(reading) = tree::Reading::new(table, &tree, content) else {
        return Some(in_trouble(Trouble::TooComplex));
    };
    let mut findings = match role {
        Role::Test | Role::Mixed => rules::of_tests(table, &reading),
        Role::Source => Vec::new(),
    };
    if role != Role::Test {
        let is_test = |at: usize| reading.test_at(at).is_some();
        findings.extend(rules::of_source(table, text, &is_test));
    }
    let (allows, bad_allows) = allow::find(&tree, content);
    let before = findings.len();
    findings.retain(|finding| {
        !allows.iter().any(|allow| {
            let same_test = reading.test_at(allow.at).map(|test| &test.name);
            allow.rule == finding.rule
                && ((same_test.is_some() && same_test == finding.test.as_ref())
                    || allow.line == finding.line
                    || allow.line + 1 == finding.line)
        })
    });
    Some(Examined {
        allowed: before - findings.len(),
        findings,
        bad_allows,
        tests: reading.tests.len(),
        trouble: first_error(tree.root_node()),
    })
}

/// The first place that does not parse.
fn first_error(root: tree_sitter::Node<'_>) -> Option<Trouble> {
    if !root.has_error() {
        return None;
    }
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            let line = node.start_position().row + 1;
            return Some(Trouble::DoesNotParse { line });
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(Trouble::DoesNotParse { line: 1 });
            }
        }
    }
}

#[cfg(test)]
mod tests;
