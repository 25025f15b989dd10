//! The source part of one version with the test part of another.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::code::Code;
use super::items::Item;
use super::splice::splice;
use super::syntax::{Answer, Documented, Edit};
use super::test_items::{holds, merged, test_part, test_part_change};
use super::tokens::tokens;

/// The source of one version with the tests of another. `None` as an argument: the file is not
/// there. Files that hold no tests count as source. None: it can't be told how. An empty text:
/// nothing is left of the file.
pub fn combine(source_of: Option<&Code>, tests_of: Option<&Code>) -> Option<String> {
    match (source_of, tests_of) {
        (None, None) => None,
        (Some(source), None) => without_tests(source),
        (None, Some(tests)) => tests_only(tests),
        (Some(source), Some(tests)) => both(source, tests),
    }
}

/// The tests of a file as they stand in it: whole lines, with the comments above them. None: they
/// can't be told from the rest.
pub fn tests_text(code: &Code) -> Option<String> {
    let pieces = with_comments_of_all(code)?.into_iter();
    Some(pieces.filter_map(|range| code.text.get(range)).collect())
}

/// All that is no test. Blank lines before a test belong to neither. None: it can't be told.
pub fn source_text(code: &Code) -> Option<String> {
    let tests = with_comments_of_all(code)?;
    let mut source = String::new();
    let mut at = 0;
    for range in &tests {
        source.push_str(
            code.text
                .get(at..end_of_said(&code.text, range.start).max(at))?,
        );
        at = range.end;
    }
    let rest = code.text.get(at..)?;
    if tests.is_empty() || !rest.trim().is_empty() {
        source.push_str(rest);
    }
    Some(source)
}

/// Where the tests stand, in whole lines, with the comments above them.
fn with_comments_of_all(code: &Code) -> Option<Vec<Range<usize>>> {
    let mut ranges = test_part(code)?;
    let items = code.items();
    let marked = items.iter().filter(|item| item.is_test_part);
    ranges.extend(marked.map(|item| with_comments(code, item)));
    let whole = ranges
        .into_iter()
        .map(|range| whole_lines(&code.text, range));
    Some(merged(whole.collect()))
}

/// The end of the last line before a place that says something.
fn end_of_said(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let said = before.trim_end().len();
    let line_end = before.get(said..).and_then(|blank| blank.find('\n'));
    match line_end {
        _ if said == 0 => 0,
        Some(end) => said + end + 1,
        None => at,
    }
}

/// What goes with tests that are taken out: their lines, at the end of a file the blank ones before
/// them too.
fn taken_out(text: &str, range: Range<usize>) -> Range<usize> {
    let is_last = text
        .get(range.end..)
        .is_none_or(|rest| rest.trim().is_empty());
    match is_last {
        true => end_of_said(text, range.start)..text.len(),
        false => range,
    }
}

fn without_tests(code: &Code) -> Option<String> {
    let edits = cut(code)?;
    checked(splice(&code.text, edits).text, Some(code), None)
}

/// Edits that take the test part out.
fn cut(code: &Code) -> Option<Vec<Edit>> {
    let part = test_part(code)?;
    let edits = part.into_iter().map(|range| Edit {
        range: taken_out(&code.text, whole_lines(&code.text, range)),
        text: String::new(),
    });
    Some(edits.collect())
}

fn tests_only(code: &Code) -> Option<String> {
    if !code.is_mixed() {
        return Some(String::new());
    }
    let pieces = Pieces::of(code)?;
    if !pieces.documentation.is_empty() || pieces.places.keys().any(|place| !place.is_empty()) {
        return None;
    }
    let all: String = pieces
        .places
        .values()
        .flatten()
        .filter_map(|range| code.text.get(range.clone()))
        .collect();
    checked(all, None, Some(code))
}

fn both(source: &Code, tests: &Code) -> Option<String> {
    if !source.is_mixed() && !tests.is_mixed() {
        return Some(source.text.clone());
    }
    let (here, there) = (Pieces::of(source)?, Pieces::of(tests)?);
    let mut edits = documentation(source, tests, &here, &there)?;
    for (place, ranges) in &here.places {
        let wanted = there.places.get(place).cloned().unwrap_or_default();
        let in_place = wanted.len() == ranges.len();
        for (at, range) in ranges.iter().enumerate() {
            let from = match in_place {
                true => wanted.get(at..at + 1),
                false if at == 0 => Some(wanted.as_slice()),
                false => None,
            };
            let text = said(tests, from.unwrap_or_default());
            let range = match text.is_empty() {
                true => taken_out(&source.text, range.clone()),
                false => range.clone(),
            };
            edits.push(Edit { range, text });
        }
    }
    let new_places = there
        .places
        .iter()
        .filter(|(place, _)| !here.places.contains_key(*place));
    for (place, ranges) in new_places {
        let at = end_of_container(source, place)?;
        let before = source.text.get(..at)?;
        let glue = if before.is_empty() || before.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let blank = if before.trim().is_empty() { "" } else { "\n" };
        edits.push(Edit::insert(
            at,
            format!("{glue}{blank}{}", said(tests, ranges)),
        ));
    }
    checked(splice(&source.text, edits).text, Some(source), Some(tests))
}

fn said(code: &Code, ranges: &[Range<usize>]) -> String {
    let pieces = ranges
        .iter()
        .filter_map(|range| code.text.get(range.clone()));
    pieces
        .map(|piece| match piece.ends_with('\n') {
            true => piece.to_owned(),
            false => format!("{piece}\n"),
        })
        .collect()
}

/// A text, if it has exactly the two parts that were wanted.
fn checked(text: String, source: Option<&Code>, tests: Option<&Code>) -> Option<String> {
    let like = source.or(tests)?;
    let made = Code::read(&like.path, text.as_bytes()).ok()?;
    let same_source = source_tokens(&made)? == source.map_or(Some(Vec::new()), source_tokens)?;
    let same_tests = match tests {
        Some(tests) => test_part_change(tests, &made).is_none(),
        None => !made.is_mixed(),
    };
    (same_source && same_tests).then_some(text)
}

fn source_tokens(code: &Code) -> Option<Vec<String>> {
    let part = test_part(code)?;
    let all = tokens(code.syntax, code.root(), &code.text);
    let source = all
        .into_iter()
        .filter(|token| !holds(&part, token.at) && token.text != "\u{2}");
    Some(source.map(|token| token.text.into_owned()).collect())
}

/// Where the tests of a file stand.
struct Pieces {
    /// By the keys of the containers that they stand in, as whole lines.
    places: BTreeMap<Vec<String>, Vec<Range<usize>>>,
    /// The keys of items with tests in their documentation; an empty one for the file.
    documentation: BTreeSet<String>,
    /// Tests in documentation of what has no key.
    inside: Vec<String>,
}

impl Pieces {
    fn of(code: &Code) -> Option<Pieces> {
        let items = code.items();
        let mut pieces = Pieces {
            places: BTreeMap::new(),
            documentation: BTreeSet::new(),
            inside: Vec::new(),
        };
        for item in items.iter().filter(|item| item.is_test_part) {
            let parent = item.parent.and_then(|at| items.get(at));
            if parent.is_none_or(|parent| !parent.is_test_part) {
                let place = containers(&items, item);
                pieces.push(place, whole_lines(&code.text, with_comments(code, item)));
            }
        }
        for hidden in code.syntax.hidden_tests(code.root(), &code.text)? {
            let Some(documented) = hidden.documents else {
                continue;
            };
            let item = match documented {
                Documented::Item(start) => {
                    items.iter().find(|item| item.node.start_byte() == start)
                }
                Documented::File | Documented::Inside => None,
            };
            if let Some(item) = item {
                pieces.documentation.insert(item.key.clone());
            } else if documented == Documented::File {
                pieces.documentation.insert(String::new());
            } else {
                pieces.inside.push(said(code, &hidden.ranges));
            }
        }
        Some(pieces)
    }

    fn push(&mut self, place: Vec<String>, range: Range<usize>) {
        let there = self.places.entry(place).or_default();
        match there.last() {
            Some(last) if range.start < last.end => {}
            Some(_) | None => there.push(range),
        }
    }
}

fn containers(items: &[Item<'_>], item: &Item<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut parent = item.parent;
    while let Some(container) = parent.and_then(|at| items.get(at)) {
        found.insert(0, container.key.clone());
        parent = container.parent;
    }
    found
}

/// The place before the closing bracket of a container, or the end of the file.
fn end_of_container(code: &Code, place: &[String]) -> Option<usize> {
    let Some(key) = place.last() else {
        return Some(code.text.len());
    };
    let items = code.items();
    let container = items.iter().find(|item| item.key == *key)?;
    let end = container.body?.end_byte();
    let close = code.text.get(..end)?.rfind('}')?;
    Some(whole_lines(&code.text, close..close).start)
}

/// Comments right above an item belong to it.
fn with_comments(code: &Code, item: &Item<'_>) -> Range<usize> {
    let comments = code.syntax.words().comments;
    let first = item.attributes.first().copied().unwrap_or(item.node);
    let mut start = first;
    while let Some(before) = start.prev_sibling() {
        let text = code.text.get(before.byte_range()).unwrap_or_default();
        let last_row = before.start_position().row + text.trim_end().matches('\n').count();
        let behind_code = before.prev_sibling().is_some_and(|other| {
            other.end_position().row == before.start_position().row
                && !comments.contains(&other.kind())
        });
        let belongs = comments.contains(&before.kind())
            && !text.starts_with("//!")
            && last_row + 1 == start.start_position().row
            && !behind_code;
        if !belongs {
            break;
        }
        start = before;
    }
    start.start_byte()..item.range.end
}

/// Edits that give each documented item the documentation with the wanted tests.
fn documentation(source: &Code, tests: &Code, here: &Pieces, there: &Pieces) -> Option<Vec<Edit>> {
    let (source_items, test_items) = (source.items(), tests.items());
    if here.inside != there.inside {
        return None;
    }
    let mut edits = Vec::new();
    for key in here.documentation.union(&there.documentation) {
        let range_in = |code: &Code, items: &[Item<'_>]| match key.is_empty() {
            true => code.syntax.documentation(None, code.root()),
            false => {
                let item = items.iter().find(|item| item.key == *key)?;
                code.syntax.documentation(Some(item), code.root())
            }
        };
        match (
            range_in(source, &source_items),
            range_in(tests, &test_items),
        ) {
            (Some(here), Some(there)) => {
                edits.extend(replaced((source, here), (tests, there))?);
            }
            (Some(here), None) => {
                let part = test_part(source)?;
                let inside = part
                    .into_iter()
                    .filter(|range| here.start <= range.start && range.end <= here.end);
                edits.extend(inside.map(|range| Edit {
                    range,
                    text: String::new(),
                }));
            }
            (None, Some(_)) => edits.push(hollow_item(source, tests, &test_items, key)?),
            (None, None) => return None,
        }
    }
    Some(edits)
}

fn replaced(
    (source, here): (&Code, Range<usize>),
    (tests, there): (&Code, Range<usize>),
) -> Option<Vec<Edit>> {
    let text = tests.text.get(there.clone())?;
    let had = source.text.get(here.clone())?;
    let text = match (had.is_empty(), text.is_empty()) {
        (true, false) => {
            let before = source.text.get(..here.start)?;
            let line = before.rsplit('\n').next().unwrap_or_default();
            match line.trim().is_empty() {
                true => format!("{}\n{line}", text.trim_end_matches('\n')),
                false => format!("{text}; "),
            }
        }
        (false, true) => {
            let part = test_part(source)?;
            let inside = part
                .into_iter()
                .filter(|range| here.start <= range.start && range.end <= here.end);
            return Some(
                inside
                    .map(|range| Edit {
                        range,
                        text: String::new(),
                    })
                    .collect(),
            );
        }
        (true, true) | (false, false) => text.to_owned(),
    };
    Some(vec![Edit { range: here, text }])
}

/// An item that only the other version has, hollow, so that its documentation has a place.
fn hollow_item(source: &Code, tests: &Code, items: &[Item<'_>], key: &str) -> Option<Edit> {
    let item = items.iter().find(|item| item.key == key)?;
    if !item.path.is_empty() {
        return None;
    }
    let answer = Answer {
        message: "not implemented".to_owned(),
        empty: false,
        unheard: true,
    };
    let front = tests.syntax.front(item, &tests.text, &answer)?;
    let documentation = tests.syntax.documentation(Some(item), tests.root())?;
    let start = item.range.start.min(documentation.start);
    let whole = splice(&tests.text, front);
    let piece = whole
        .text
        .get(whole.start_of(start)..whole.end_of(item.range.end))?;
    Some(Edit::insert(source.text.len(), format!("\n\n{piece}\n")))
}

/// The range with the white space around it, as far as it fills its lines.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    let trimmed = before.trim_end_matches([' ', '\t']);
    let fills_start = trimmed.is_empty() || trimmed.ends_with('\n');
    let start = if fills_start {
        trimmed.len()
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
