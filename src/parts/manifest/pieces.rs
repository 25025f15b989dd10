//! Texts that are read as pieces, one after the other: what all formats of lines share.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::entry::{Entry, Key, Part};

/// One entry and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) key: Key,
    pub(super) part: Part,
    /// Without layout and comments.
    pub(super) value: String,
    /// Whole lines.
    pub(super) span: Range<usize>,
    /// How it is written at the end of a text, if not as it stands.
    pub(super) alone: Option<String>,
    /// Whether it makes sense only where it stands, such as a branch of a condition.
    pub(super) is_bound: bool,
}

/// The pieces as entries.
pub(super) fn entries(pieces: &[Piece]) -> Vec<Entry> {
    pieces
        .iter()
        .map(|piece| Entry {
            key: piece.key.clone(),
            part: piece.part,
            value: Value::from(piece.value.as_str()),
        })
        .collect()
}

/// Gives keys that come again a number.
pub(super) fn number(pieces: &mut [Piece]) {
    number_keys(pieces.iter_mut().map(|piece| &mut piece.key));
}

/// As [`number`], for keys alone.
pub(super) fn number_keys<'a>(keys: impl Iterator<Item = &'a mut Key>) {
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    for key in keys {
        let count = seen.entry(key.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            key.push(format!("#{count}"));
        }
    }
}

/// `base` with these keys as they are in `from`: replaced where they stand, taken out, or put at
/// the end.
pub(super) fn take(
    (base, ours): (&str, &[Piece]),
    (from, theirs): (&str, &[Piece]),
    keys: &[Key],
) -> Option<String> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut end = String::new();
    for key in keys {
        let our = ours.iter().find(|piece| &piece.key == key);
        let their = theirs.iter().find(|piece| &piece.key == key);
        match (our, their) {
            (Some(our), Some(their)) if our.alone.is_none() && their.alone.is_none() => {
                edits.push((our.span.clone(), lines_of(from.get(their.span.clone())?)));
            }
            (our, their) => {
                if [our, their]
                    .into_iter()
                    .flatten()
                    .any(|piece| piece.is_bound)
                {
                    return None;
                }
                if let Some(our) = our {
                    edits.push((our.span.clone(), String::new()));
                }
                if let Some(their) = their {
                    let text = their.alone.as_deref();
                    let text = text.map_or_else(|| from.get(their.span.clone()), Some)?;
                    end.push_str(&lines_of(text));
                }
            }
        }
    }
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = lines_of(base);
    for (span, with) in edits {
        text.replace_range(checked(&text, span)?, &with);
    }
    text.push_str(&end);
    Some(text)
}

fn checked(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    text.get(span.clone()).map(|_| span)
}

/// With an end of line at its end.
fn lines_of(text: &str) -> String {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Each line with its place, the end of line included.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = at..at + line.len();
        at = span.end;
        (span, line.trim_end_matches(['\n', '\r']))
    })
}
