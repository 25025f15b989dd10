//! Files that hold both source and tests: which part is which, and how to put one part back.

mod python;
mod rust;
mod script;

use std::ops::Range;

use super::stub::grows_only_by_stubs;
use super::write_gate::{Change, SourcePart, TestPart};
use crate::languages::Language;

/// The two parts of a file. Blank lines before a test belong to neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// Tests, doctests included.
    pub test: String,
    /// All the rest.
    pub source: String,
}

/// The parts of a text; none if they can't be told apart.
pub fn split(language: Language, text: &str) -> Option<Parts> {
    Some(Layout::of(language, text)?.parts())
}

/// The source part of one text with the test part of another; none if it isn't clear where the
/// tests belong.
pub fn merge(language: Language, source_from: &str, tests_from: &str) -> Option<String> {
    let source = Layout::of(language, source_from)?;
    let tests = Layout::of(language, tests_from)?;
    let wanted = Parts {
        test: tests.parts().test,
        source: source.parts().source,
    };
    // Whatever the way, the outcome is checked: it must have exactly the two parts.
    [
        source.with_tests_in_place(&tests),
        source.with_tests_at_end(&tests),
    ]
    .into_iter()
    .flatten()
    .find(|merged| split(language, merged).as_ref() == Some(&wanted))
}

/// What a change from one text to another does, and whether the file holds both parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentChange {
    /// The old or the new text holds tests, or it can't be told.
    pub is_mixed: bool,
    /// What happens.
    pub change: Change,
}

/// Judges the content of a source file that may hold tests. An absent file is an empty one.
pub fn judge_content(language: Language, old: &str, new: &str) -> ContentChange {
    let (Some(before), Some(after)) = (split(language, old), split(language, new)) else {
        return ContentChange {
            is_mixed: true,
            change: Change::Content,
        };
    };
    let source = if before.source == after.source {
        SourcePart::Same
    } else if grows_only_by_stubs(language, &before.source, &after.source) {
        SourcePart::Stub
    } else {
        SourcePart::Changed
    };
    let is_mixed = !before.test.is_empty() || !after.test.is_empty();
    let change = match (is_mixed, source) {
        (true, source) => Change::Parts {
            tests: match before.test == after.test {
                true => TestPart::Same,
                false => TestPart::Changed,
            },
            source,
        },
        // An empty file, as `__init__.py` often is, holds nothing that a test could ask for.
        (false, SourcePart::Same | SourcePart::Stub) => Change::Stub,
        (false, SourcePart::Changed) => Change::Content,
    };
    ContentChange { is_mixed, change }
}

/// Where the tests are in a text.
struct Layout<'t> {
    text: &'t str,
    /// Whole lines where possible, in order, without overlap.
    tests: Vec<Range<usize>>,
}

impl<'t> Layout<'t> {
    fn of(language: Language, text: &'t str) -> Option<Layout<'t>> {
        let found = match language {
            Language::Rust => rust::tests(text)?,
            Language::Python => python::tests(text),
            Language::JavaScript => script::tests(text)?,
            _ => Vec::new(),
        };
        let mut tests: Vec<Range<usize>> = Vec::new();
        let mut found: Vec<_> = found.into_iter().map(|r| whole_lines(text, r)).collect();
        found.sort_by_key(|range| (range.start, range.end));
        for range in found {
            match tests.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                Some(_) | None => tests.push(range),
            }
        }
        Some(Layout { text, tests })
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// The text between the tests: one piece more than there are tests.
    fn between(&self) -> Vec<&'t str> {
        let ends = std::iter::once(0).chain(self.tests.iter().map(|range| range.end));
        let starts = self.tests.iter().map(|range| range.start);
        ends.zip(starts.chain([self.text.len()]))
            .map(|(from, to)| self.slice(from..to))
            .collect()
    }

    fn parts(&self) -> Parts {
        let mut between = self.between();
        let last = between.pop().unwrap_or_default();
        let mut source: String = between.into_iter().map(without_blank_end).collect();
        if self.tests.is_empty() || !last.trim().is_empty() {
            source.push_str(last);
        }
        Parts {
            test: self
                .tests
                .iter()
                .map(|range| self.slice(range.clone()))
                .collect(),
            source,
        }
    }

    /// Each test in the place of the one that stood there.
    fn with_tests_in_place(&self, other: &Layout<'_>) -> Option<String> {
        if self.tests.len() != other.tests.len() {
            return None;
        }
        let mut merged = String::new();
        let between = self.between();
        for (at, piece) in between.iter().enumerate() {
            merged.push_str(piece);
            if let Some(range) = other.tests.get(at) {
                merged.push_str(other.slice(range.clone()));
            }
        }
        Some(merged)
    }

    /// The tests behind all source, where both texts have them there, or this one has none.
    fn with_tests_at_end(&self, other: &Layout<'_>) -> Option<String> {
        let tests_come_last = |layout: &Layout<'_>| {
            let between = layout.between();
            between.iter().skip(1).all(|piece| piece.trim().is_empty())
        };
        if !tests_come_last(self) || !tests_come_last(other) {
            return None;
        }
        let mut merged = without_blank_end(self.between().first()?).to_owned();
        if let Some(first) = other.tests.first() {
            let glue = if merged.is_empty() || merged.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            let blank = if merged.is_empty() { "" } else { "\n" };
            let tail = other.slice(first.start..other.text.len());
            merged.extend([glue, blank, tail]);
        }
        Some(merged)
    }
}

/// A text up to the end of its last line that says something.
fn without_blank_end(text: &str) -> &str {
    let said = text.trim_end().len();
    let rest = text.get(said..).unwrap_or_default();
    let end = rest.find('\n').map_or(text.len(), |at| said + at + 1);
    if said == 0 {
        ""
    } else {
        text.get(..end).unwrap_or(text)
    }
}

/// The range with the white space around it, as far as it fills its lines.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let fills_start = before.len() == indent
        || before
            .get(..before.len() - indent)
            .is_some_and(|t| t.ends_with('\n'));
    let start = if fills_start {
        range.start - indent
    } else {
        range.start
    };
    let after = text.get(range.end..).unwrap_or_default();
    let blank = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
    let end = match after.get(blank..).and_then(|rest| rest.chars().next()) {
        Some('\n') if fills_start => range.end + blank + 1,
        None => text.len(),
        Some(_) => range.end,
    };
    start..end
}

#[cfg(test)]
mod tests;
