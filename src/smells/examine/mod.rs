//! One file: content in, findings out.
//!
//! What differs between the languages stands in their files, [`tree`] gathers what the syntax tree
//! of a file holds, and [`rules`] asks of each test, one file per kind of question, what is wrong.

mod allow;
mod asserting;
mod copied;
mod looks;
mod nodes;
mod rules;
mod sleeping;
mod switched;
mod tautology;
mod tree;
mod words;

#[cfg(test)]
mod styles_tests;
#[cfg(test)]
mod tests;

use super::{Examined, Finding, Role, Trouble, Values};
use crate::languages::test_words::TestWords;
use crate::languages::{first_error, test_words_for};

/// Larger files are no tests that people write.
const LARGEST: usize = 1024 * 1024;

/// Whether files of this name can be looked at.
pub fn can_read(path: &str) -> bool {
    test_words_for(path.as_bytes()).is_some()
}

/// Looks at one file; nothing if its language is not known. Source that returns one of `expected`,
/// values that its tests write out, is looked at for that.
pub fn examine(path: &str, content: &[u8], role: Role, expected: &Values) -> Option<Examined> {
    let words = test_words_for(path.as_bytes())?;
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
    // Most files that could hold tests hold none, and are as quick as other source.
    let is_plain = role == Role::Mixed && !text.contains("test");
    if role == Role::Source || is_plain {
        return Some(source(words, text, expected));
    }
    let Some(tree) = words.parse(text) else {
        return Some(in_trouble(Trouble::TooComplex));
    };
    let Some(reading) = tree::Reading::new(words, &tree, content) else {
        return Some(in_trouble(Trouble::TooComplex));
    };
    // Benchmarks look like tests, and measure instead.
    let mut findings = match is_benchmark(path) {
        true => Vec::new(),
        false => rules::of_tests(&reading),
    };
    if role == Role::Mixed {
        let is_test = |at: usize| reading.test_at(at).is_some();
        findings.extend(rules::of_source(words, text, &is_test));
        findings.extend(copied::find(words, &tree, content, expected));
        findings.sort_by_key(|finding| (finding.line, finding.rule));
    }
    let test_of = |at: usize| reading.test_at(at).map(|test| test.name.clone());
    Some(Examined {
        tests: reading.tests.len(),
        trouble: first_error(tree.root_node()).map(|line| Trouble::DoesNotParse { line }),
        ..with_allowed(findings, &tree, content, &test_of)
    })
}

/// Source alone. Most of it is not worth parsing, and what does not parse is for its compiler to say.
fn source(words: &TestWords, text: &str, expected: &Values) -> Examined {
    let content = text.as_bytes();
    if expected.is_empty() && !rules::may_know_of_tests(words, text) {
        return Examined::default();
    }
    let Some(tree) = words.parse(text) else {
        return Examined::default();
    };
    let mut findings = rules::of_source(words, text, &|_| false);
    findings.extend(copied::find(words, &tree, content, expected));
    findings.sort_by_key(|finding| (finding.line, finding.rule));
    with_allowed(findings, &tree, content, &|_| None)
}

/// The findings that no comment allows.
fn with_allowed(
    mut findings: Vec<Finding>,
    tree: &tree_sitter::Tree,
    content: &[u8],
    test_of: &dyn Fn(usize) -> Option<String>,
) -> Examined {
    let (allows, bad_allows) = allow::find(tree, content);
    let before = findings.len();
    findings.retain(|finding| {
        !allows.iter().any(|allow| {
            let test = test_of(allow.at);
            allow.rule == finding.rule
                && ((test.is_some() && test == finding.test)
                    || allow.line == finding.line
                    || allow.line + 1 == finding.line)
        })
    });
    Examined {
        allowed: before - findings.len(),
        findings,
        bad_allows,
        ..Examined::default()
    }
}

/// The values that are written out in the tests of a file.
pub fn values_in_tests(path: &str, content: &[u8]) -> Values {
    let readable = test_words_for(path.as_bytes()).filter(|_| content.len() <= LARGEST);
    let (Some(words), Ok(text)) = (readable, std::str::from_utf8(content)) else {
        return Values::new();
    };
    let Some(tree) = words.parse(text) else {
        return Values::new();
    };
    match tree::Reading::new(words, &tree, content) {
        Some(reading) => copied::values(&tree, &reading),
        None => Values::new(),
    }
}

fn is_benchmark(path: &str) -> bool {
    path.split('/')
        .any(|part| part.to_lowercase().starts_with("bench"))
}
