//! Doctests in Python files: the `>>>` blocks of docstrings.

use std::ops::Range;

use crate::rules::python_lines::logical_lines;
use crate::rules::scan::Kind;

/// What every line of a doctest begins with.
const PROMPT: &str = ">>>";

/// The ranges of a text that are tests.
pub(super) fn tests(text: &str) -> Vec<Range<usize>> {
    if !text.contains(PROMPT) {
        return Vec::new();
    }
    let (lines, _) = logical_lines(text);
    lines
        .iter()
        .filter_map(|line| match line.tokens.as_slice() {
            [only] if only.kind == Kind::Literal => Some(only),
            _ => None,
        })
        .flat_map(|docstring| {
            let quotes = docstring.text.len() - docstring.text.trim_end_matches(['"', '\'']).len();
            let body = docstring
                .text
                .get(..docstring.text.len() - quotes.min(3))
                .unwrap_or_default();
            blocks(body)
                .into_iter()
                .map(|r| docstring.start + r.start..docstring.start + r.end)
        })
        .collect()
}

/// From a line with `>>>` to the next blank line or the end.
fn blocks(docstring: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in docstring.split_inclusive('\n') {
        let said = line.trim();
        let prompt = line.find(PROMPT).filter(|_| {
            said.trim_start_matches(['"', '\'', 'r', 'R', 'u', 'U'])
                .trim_start()
                .starts_with(PROMPT)
        });
        if let (None, Some(offset)) = (open, prompt) {
            open = Some(at + offset);
        } else if said.is_empty() {
            let end = docstring.get(..at).map_or(at, |text| text.trim_end().len());
            found.extend(open.take().map(|start| start..end));
        }
        at += line.len();
    }
    let end = docstring.trim_end().len();
    found.extend(open.map(|start| start..end));
    found
}
