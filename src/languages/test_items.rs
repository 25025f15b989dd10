//! The tests that stand in a file, and what a change does to them.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::code::Code;
use super::items::Item;
use super::syntax::{Kind, children};
use super::tokens::{BLOCK_END, Token, tokens, tokens_without};

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The name of its function, or its title.
    pub name: String,
    /// The classes, groups or modules around it; of a doctest, what the documented item stands in.
    pub path: Vec<String>,
    /// The line (from 1) where it begins, after its decorators.
    pub line: usize,
    /// All its lines, from 1, decorators included.
    pub lines: Range<usize>,
}

/// What a change does to tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestChange {
    /// Tests that were not there.
    pub added: Vec<Test>,
    /// Tests whose body, parameters, marks or groups changed, as they are now.
    pub changed: Vec<Test>,
    /// Tests that are gone, as they were.
    pub removed: Vec<Test>,
    /// Test code that is no test changed: helpers, fixtures, imports, statements.
    pub other: bool,
}

impl TestChange {
    /// Whether nothing changed.
    pub fn is_none(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty() && !self.other
    }
}

impl Code {
    /// The tests that stand in this file, in order.
    pub fn tests(&self) -> Vec<Test> {
        let found = Found::of(self);
        found.tests.into_iter().map(|placed| placed.test).collect()
    }

    /// Whether this is source that holds tests.
    pub fn is_mixed(&self) -> bool {
        test_part(self).is_none_or(|ranges| !ranges.is_empty())
    }
}

/// Where the test part of a source file stands; none if it can't be told.
pub(super) fn test_part(code: &Code) -> Option<Vec<Range<usize>>> {
    code.test_part.get_or_init(|| find_test_part(code)).clone()
}

fn find_test_part(code: &Code) -> Option<Vec<Range<usize>>> {
    let items = code.items();
    let mut ranges: Vec<Range<usize>> = items
        .iter()
        .filter(|item| item.is_test_part)
        .map(|item| item.range.clone())
        .collect();
    let hidden = code.syntax.hidden_tests(code.root(), &code.text)?;
    ranges.extend(hidden.into_iter().flat_map(|test| test.ranges));
    Some(merged(ranges))
}

/// Ranges in order, without overlap.
pub(super) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut found: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match found.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            Some(_) | None => found.push(range),
        }
    }
    found
}

/// Whether a place is in one of some ordered ranges.
pub(super) fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= at);
    after
        .checked_sub(1)
        .and_then(|index| ranges.get(index))
        .is_some_and(|range| at < range.end)
}

/// What a change does to tests. An absent file has none.
pub(super) fn test_change(old: Option<&Code>, new: Option<&Code>) -> TestChange {
    let is_mixed = old.is_some_and(Code::is_mixed) || new.is_some_and(Code::is_mixed);
    change_in(old, new, is_mixed)
}

/// What a change does to the test part alone.
pub(super) fn test_part_change(old: &Code, new: &Code) -> TestChange {
    change_in(Some(old), Some(new), true)
}

fn change_in(old: Option<&Code>, new: Option<&Code>, is_mixed: bool) -> TestChange {
    if old.map(Code::text) == new.map(Code::text) {
        return TestChange::default();
    }
    let (before, after) = (Side::of(old, is_mixed), Side::of(new, is_mixed));
    let mut change = TestChange {
        other: before.rest != after.rest,
        ..TestChange::default()
    };
    for (key, (test, said)) in &after.tests {
        match before.tests.get(key) {
            None => change.added.push(test.clone()),
            Some((_, was)) if was != said => change.changed.push(test.clone()),
            Some(_) => {}
        }
    }
    let gone = before
        .tests
        .iter()
        .filter(|(key, _)| !after.tests.contains_key(*key));
    change
        .removed
        .extend(gone.map(|(_, (test, _))| test.clone()));
    for tests in [&mut change.added, &mut change.changed, &mut change.removed] {
        tests.sort_by_key(|test| test.line);
    }
    change
}

type Key = (Vec<String>, String, usize);

/// The tests of one version and the test code around them.
struct Side {
    tests: BTreeMap<Key, (Test, Vec<String>)>,
    rest: Vec<String>,
}

impl Side {
    fn of(code: Option<&Code>, is_mixed: bool) -> Side {
        let mut side = Side {
            tests: BTreeMap::new(),
            rest: Vec::new(),
        };
        let Some(code) = code else {
            return side;
        };
        let found = Found::of(code);
        let part = match is_mixed {
            true => test_part(code),
            false => None,
        };
        let all = tokens(code.syntax, code.root(), &code.text);
        side.rest = all
            .iter()
            .filter(|token| part.as_ref().is_none_or(|part| holds(part, token.at)))
            .filter(|token| !holds(&found.covered, token.at))
            .filter(|token| token.text != BLOCK_END || !found.group_ends.contains(&token.at))
            .map(|token| token.text.to_string())
            .collect();
        for placed in found.tests {
            let mut key = (placed.test.path.clone(), placed.test.name.clone(), 0);
            while side.tests.contains_key(&key) {
                key.2 += 1;
            }
            side.tests.insert(key, (placed.test, placed.said));
        }
        side
    }
}

/// A test and all that it says, its groups' headers included.
struct Placed {
    test: Test,
    said: Vec<String>,
}

/// All tests of a file.
struct Found {
    tests: Vec<Placed>,
    /// What belongs to tests and their groups.
    covered: Vec<Range<usize>>,
    /// The last bytes of groups' bodies.
    group_ends: Vec<usize>,
}

impl Found {
    fn of(code: &Code) -> Found {
        let mut found = Found {
            tests: Vec::new(),
            covered: Vec::new(),
            group_ends: Vec::new(),
        };
        let items = code.items();
        for item in &items {
            if code.syntax.is_test(item, &code.text) {
                found.item(code, &items, item);
            }
        }
        let mut groups = Vec::new();
        found.calls(code, code.root(), &mut groups);
        found.hidden(code);
        found.tests.sort_by_key(|placed| placed.test.line);
        found.covered = merged(std::mem::take(&mut found.covered));
        found
    }

    fn item(&mut self, code: &Code, items: &[Item<'_>], item: &Item<'_>) {
        let mut said = Vec::new();
        let mut parent = item.parent;
        while let Some(group) = parent.and_then(|at| items.get(at)) {
            said.extend(strings(&with_attributes(code, group)));
            self.cover_group(group.range.clone(), group.body);
            parent = group.parent;
        }
        said.extend(strings(&with_attributes(code, item)));
        self.push(code, (&item.name, &item.path), item.range.clone(), said);
        if let Some(last) = self.tests.last_mut() {
            last.test.line = code.line_of(item.node.start_byte());
        }
    }

    fn push(
        &mut self,
        code: &Code,
        (name, path): (&str, &[String]),
        range: Range<usize>,
        said: Vec<String>,
    ) {
        let line = code.line_of(range.start);
        let last = code.line_of(range.end.saturating_sub(1).max(range.start));
        self.tests.push(Placed {
            test: Test {
                name: name.to_owned(),
                path: path.to_vec(),
                line,
                lines: line..last + 1,
            },
            said,
        });
        self.covered.push(range);
    }

    /// The header of a group and its end, without what stands in it.
    fn cover_group(&mut self, range: Range<usize>, body: Option<Node<'_>>) {
        let Some(body) = body else {
            return;
        };
        let inside = children(body);
        let is_brace = |node: Option<&Node<'_>>| {
            node.is_some_and(|n| matches!(n.kind(), "{" | "}" | "do" | "end"))
        };
        let open = match inside.first() {
            first if is_brace(first) => first.map_or(body.start_byte(), Node::end_byte),
            _ => body.start_byte(),
        };
        let close = match inside.last() {
            last if is_brace(last) => last.map_or(body.end_byte(), Node::start_byte),
            _ => body.end_byte(),
        };
        self.covered.push(range.start..open);
        self.covered.push(close..range.end);
        self.group_ends.push(body.end_byte().saturating_sub(1));
    }

    /// Tests that are calls.
    fn calls<'t>(
        &mut self,
        code: &'t Code,
        node: Node<'t>,
        groups: &mut Vec<(String, Vec<String>)>,
    ) {
        let Some(call) = code.syntax.test_call(node, &code.text) else {
            for child in children(node) {
                if child.named_child_count() > 0 {
                    self.calls(code, child, groups);
                }
            }
            return;
        };
        let path: Vec<String> = groups.iter().map(|(title, _)| title.clone()).collect();
        if !call.is_group {
            let mut said: Vec<String> = groups.iter().flat_map(|(_, said)| said.clone()).collect();
            said.extend(strings(&tokens(code.syntax, node, &code.text)));
            self.push(code, (&call.title, &path), node.byte_range(), said);
            return;
        }
        let Some(body) = call.body else {
            return;
        };
        let header = tokens_without(code.syntax, node, &code.text, &|inner| inner == body);
        groups.push((call.title, strings(&header)));
        let before = self.tests.len();
        for child in children(body) {
            self.calls(code, child, groups);
        }
        if self.tests.len() > before {
            self.cover_group(node.byte_range(), Some(body));
        }
        groups.pop();
    }

    fn hidden(&mut self, code: &Code) {
        let hidden = code.syntax.hidden_tests(code.root(), &code.text);
        for test in hidden.unwrap_or_default() {
            let (Some(first), Some(last)) = (test.ranges.first(), test.ranges.last()) else {
                continue;
            };
            let said = test
                .ranges
                .iter()
                .filter_map(|range| code.text.get(range.clone()))
                .flat_map(|piece| piece.lines().map(|line| line.trim().to_owned()))
                .collect();
            let whole = first.start..last.end;
            self.push(code, (&test.name, &test.path), whole, said);
            self.covered.pop();
            self.covered.extend(test.ranges);
        }
    }
}

fn with_attributes<'t>(code: &'t Code, item: &Item<'t>) -> Vec<Token<'t>> {
    let mut found: Vec<Token<'t>> = item
        .attributes
        .iter()
        .flat_map(|attribute| tokens(code.syntax, *attribute, &code.text))
        .collect();
    match item.kind {
        Kind::Container => found.extend(item.own_tokens(code)),
        _ => found.extend(tokens(code.syntax, item.node, &code.text)),
    }
    found
}

fn strings(tokens: &[Token<'_>]) -> Vec<String> {
    tokens.iter().map(|token| token.text.to_string()).collect()
}
