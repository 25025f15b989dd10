//! Values that a test expects, written into the source for the very input of the test.

use tree_sitter::{Node, QueryCursor, StreamingIterator, Tree};

use super::nodes::text_of;
use super::tree::Reading;
use crate::languages::test_words::TestWords;
use crate::rules::smell::Rule;
use crate::smells::{Finding, Values};

/// The values that are written out in tests.
pub(super) fn values(tree: &Tree, reading: &Reading<'_>) -> Values {
    let mut values = Values::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_value = reading.words.literals.contains(&node.kind());
        if is_value && reading.test_at(node.start_byte()).is_some() {
            values.insert(plain(reading.text(node)).to_owned());
        }
        if !is_value && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return values;
            }
        }
    }
}

/// Functions that only return a value that a test expects, and conditions that return one for a
/// value that a test puts in.
pub(super) fn find(
    words: &TestWords,
    tree: &Tree,
    content: &[u8],
    expected: &Values,
) -> Vec<Finding> {
    let Some(query) = words.returns().filter(|_| !expected.is_empty()) else {
        return Vec::new();
    };
    let names = query.capture_names();
    let mut found = Vec::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), content);
    while let Some(matched) = matches.next() {
        let text = |wanted: &str| -> Option<(Node<'_>, &str)> {
            let named = |index: u32| names.get(index as usize) == Some(&wanted);
            let capture = matched
                .captures()
                .iter()
                .find(|capture| named(capture.index))?;
            Some((capture.node, text_of(content, capture.node.byte_range())))
        };
        let Some((node, returned)) = text("returned") else {
            continue;
        };
        let copied = match (text("compared"), text("parameters")) {
            (Some((_, compared)), _) => expected.contains(plain(compared)),
            (None, Some((_, parameters))) => takes_something(parameters) && is_telling(returned),
            (None, None) => false,
        };
        if copied && expected.contains(plain(returned)) {
            found.push(Finding {
                rule: Rule::CopiedValue,
                line: node.start_position().row + 1,
                test: None,
                quoted: format!("return {returned}"),
                count: 1,
            });
        }
    }
    found
}

/// A value without its quotes.
fn plain(value: &str) -> &str {
    value.trim_matches(['"', '\'', '`'])
}

/// Whether a function has more to go by than its own object.
fn takes_something(parameters: &str) -> bool {
    let inside = parameters.trim_matches(['(', ')']);
    let mut names = inside.split(',').map(str::trim);
    names.any(|name| !["", "self", "cls", "&self", "&mut self", "this"].contains(&name))
}

/// Whether a value says something: `0`, `1` and one letter are everywhere.
fn is_telling(value: &str) -> bool {
    !["0", "1", "0.0", "1.0"].contains(&value) && !plain(value).is_empty() && value.len() > 3
        || value.parse::<f64>().is_ok_and(|number| number > 1.0)
}
