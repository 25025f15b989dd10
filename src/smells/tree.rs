//! What a file's syntax tree holds, gathered in one pass of its language's query.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, Parser, QueryCursor, StreamingIterator, Tree};

use super::tables::Table;
use super::words;

/// A parser that has reported so often and is not done has lost its way.
const PATIENCE: usize = 1_000_000;

/// How far an assertion may be from the test that calls it.
const HELPERS_OF_HELPERS: usize = 8;

/// Parses a file; nothing if it takes too long.
pub(super) fn parse(table: &Table, content: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&table.grammar()).ok()?;
    let mut looks = 0;
    let mut give_up = |_: &tree_sitter::ParseState| {
        looks += 1;
        match looks > PATIENCE {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    parser.parse_with_options(
        &mut |at, _| content.get(at..).unwrap_or_default(),
        None,
        Some(options),
    )
}

/// A test.
pub(super) struct Test<'t> {
    pub(super) name: String,
    pub(super) node: Node<'t>,
    pub(super) body: Node<'t>,
    /// All of it, with what is marked on it.
    pub(super) range: Range<usize>,
}

/// A call.
pub(super) struct Call<'t> {
    pub(super) node: Node<'t>,
    /// What is called: all that stands before the arguments.
    pub(super) called: String,
}

/// Everything the rules look at, in the order of the file.
pub(super) struct Reading<'t> {
    pub(super) content: &'t [u8],
    pub(super) tests: Vec<Test<'t>>,
    pub(super) calls: Vec<Call<'t>>,
    /// Statements that assert, and calls that do.
    pub(super) assertions: Vec<Node<'t>>,
    pub(super) failures: Vec<Node<'t>>,
    pub(super) marks: Vec<Node<'t>>,
    functions: Vec<(Node<'t>, String)>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(table: &'t Table, tree: &'t Tree, content: &'t [u8]) -> Option<Self> {
        let query = table.query()?;
        let names = query.capture_names();
        let mut reading = Reading {
            content,
            tests: Vec::new(),
            calls: Vec::new(),
            assertions: Vec::new(),
            failures: Vec::new(),
            marks: Vec::new(),
            functions: Vec::new(),
        };
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(query, tree.root_node(), content);
        while let Some(found) = matches.next() {
            let node = |wanted: &str| {
                found
                    .captures()
                    .iter()
                    .find(|capture| names.get(capture.index as usize) == Some(&wanted))
                    .map(|capture| capture.node)
            };
            reading.take_in(&node);
        }
        reading.put_in_order(table);
        Some(reading)
    }

    fn take_in(&mut self, node: &dyn Fn(&str) -> Option<Node<'t>>) {
        if let Some(call) = node("call") {
            let called = self.called(call);
            self.calls.push(Call { node: call, called });
        } else if let (Some(test), Some(name), Some(body)) =
            (node("test"), node("test.name"), node("body"))
        {
            let is_call = test.kind() == "call_expression";
            // A function that says what it returns is meant for somebody else.
            let returns = test.child_by_field_name("return_type");
            let is_for_others = test.kind() == "function_definition"
                && returns.is_some_and(|kind| self.text(kind) != "None");
            if !is_for_others && (!is_call || words::declares_script_test(&self.called(test))) {
                self.tests.push(Test {
                    name: plain_name(self.text(name)),
                    range: with_marks(test),
                    node: test,
                    body,
                });
            }
        } else if let (Some(function), Some(name)) = (node("function"), node("function.name")) {
            let name = self.text(name).to_owned();
            self.functions.push((function, name));
        } else if let Some(assertion) = node("assertion") {
            self.assertions.push(assertion);
        } else if let Some(failure) = node("failure") {
            self.failures.push(failure);
        } else if let Some(mark) = node("mark") {
            self.marks.push(mark);
        }
    }

    fn put_in_order(&mut self, table: &Table) {
        self.tests.sort_by_key(|test| {
            (
                test.node.start_byte(),
                std::cmp::Reverse(test.node.end_byte()),
            )
        });
        self.tests.dedup_by_key(|test| test.node.id());
        if !table.nests {
            let mut end = 0;
            self.tests.retain(|test| {
                let is_outer = test.node.start_byte() >= end;
                end = end.max(test.node.end_byte());
                is_outer && !is_within_function(test.node)
            });
        }
        let fixtures: Vec<Range<usize>> = self
            .marks
            .iter()
            .filter(|mark| self.text(**mark).contains("fixture"))
            .map(Node::byte_range)
            .collect();
        self.tests.retain(|test| {
            let is_on = |mark: &Range<usize>| test.range.contains(&mark.start);
            !fixtures.iter().any(is_on)
        });
        let asserting: Vec<Node<'t>> = self
            .calls
            .iter()
            .filter(|call| words::asserts(&call.called))
            .map(|call| call.node)
            .collect();
        self.assertions.extend(asserting);
        let order = |node: &Node<'_>| (node.start_byte(), std::cmp::Reverse(node.end_byte()));
        self.calls.sort_by_key(|call| order(&call.node));
        self.assertions.sort_by_key(order);
        self.failures.sort_by_key(order);
        self.marks.sort_by_key(order);
        // `expect(a).toBe(b)` is one assertion, though `expect(a)` is a call of its own.
        let mut end = 0;
        self.assertions.retain(|node| {
            let is_outer = node.start_byte() >= end;
            end = end.max(node.end_byte());
            is_outer
        });
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        text_of(self.content, node.byte_range())
    }

    pub(super) fn text_in(&self, range: &Range<usize>) -> &'t str {
        text_of(self.content, range.clone())
    }

    /// What is called: all that stands before the arguments.
    fn called(&self, call: Node<'_>) -> String {
        let arguments = arguments(call);
        let end = arguments.map_or(call.end_byte(), |node| node.start_byte());
        let text = text_of(self.content, call.start_byte()..end);
        let called: String = text.split_whitespace().collect();
        // `t['throws']` is `t.throws`, for engines to which `throws` is a word of the language.
        match called
            .strip_suffix("']")
            .and_then(|rest| rest.rsplit_once("['"))
        {
            Some((object, name)) => format!("{object}.{name}"),
            None => called,
        }
    }

    /// The arguments of a call as they are written.
    pub(super) fn arguments(&self, call: Node<'_>) -> Vec<String> {
        let Some(list) = arguments(call) else {
            return Vec::new();
        };
        if list.kind() == "token_tree" {
            return split_tokens(self.text(list));
        }
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .filter(|node| !node.kind().contains("comment"))
            .map(|node| self.text(node).trim().to_owned())
            .collect()
    }

    /// Calls within a range of the file.
    pub(super) fn calls_in(&self, range: &Range<usize>) -> &[Call<'t>] {
        let start = self
            .calls
            .partition_point(|call| call.node.start_byte() < range.start);
        let end = self
            .calls
            .partition_point(|call| call.node.start_byte() < range.end);
        self.calls.get(start..end).unwrap_or_default()
    }

    /// Assertions within a range of the file.
    pub(super) fn assertions_in(&self, range: &Range<usize>) -> &[Node<'t>] {
        nodes_in(&self.assertions, range)
    }

    /// Marks within a range of the file.
    pub(super) fn marks_in(&self, range: &Range<usize>) -> &[Node<'t>] {
        nodes_in(&self.marks, range)
    }

    /// Whether something in a range may make a test fail, the functions of this file aside. What
    /// lies in one of the `lost` ranges does not.
    pub(super) fn may_fail(&self, range: &Range<usize>, lost: &[Range<usize>]) -> bool {
        let counts = |node: &Node<'_>| !is_in(lost, *node);
        let may_call = |call: &Call<'_>| {
            // `is_send::<T>()` asserts when it compiles.
            let is_typed = call.called.ends_with('>') && self.arguments(call.node).is_empty();
            let may = words::may_assert(&call.called) || words::is_opaque_macro(&call.called);
            (may || is_typed) && counts(&call.node)
        };
        self.assertions_in(range).iter().any(counts)
            || nodes_in(&self.failures, range).iter().any(counts)
            || self.calls_in(range).iter().any(may_call)
    }

    /// Whether a test asserts anything, by itself or through functions of this file. A method that
    /// is not defined here may do so too.
    pub(super) fn asserts(
        &self,
        test: &Test<'_>,
        helpers: &BTreeSet<&str>,
        lost: &[Range<usize>],
    ) -> bool {
        let is_defined = |name: &str| self.functions.iter().any(|(_, known)| known == name);
        let counts = |call: &&Call<'_>| !is_in(lost, call.node);
        self.may_fail(&test.range, lost)
            || self
                .calls_in(&test.range)
                .iter()
                .filter(counts)
                .any(|call| {
                    let name = words::last(&call.called);
                    let is_inherited = ["self.", "this.", "$this->", "super.", "super()."]
                        .iter()
                        .any(|own| call.called.strip_prefix(own) == Some(name));
                    let is_bare = call.called == name;
                    helpers.contains(name)
                        || (is_inherited && !is_defined(name))
                        || (is_bare && self.arguments(call.node).iter().any(|arg| arg == "t"))
                })
    }

    /// The functions of this file that may make a test fail.
    pub(super) fn asserting_functions(&self) -> BTreeSet<&str> {
        let mut asserting: BTreeSet<&str> = self
            .functions
            .iter()
            .filter(|(node, _)| self.may_fail(&node.byte_range(), &[]))
            .map(|(_, name)| name.as_str())
            .collect();
        for _ in 0..HELPERS_OF_HELPERS {
            let through: Vec<&str> = self
                .functions
                .iter()
                .filter(|(_, name)| !asserting.contains(name.as_str()))
                .filter(|(node, _)| {
                    self.calls_in(&node.byte_range())
                        .iter()
                        .any(|call| asserting.contains(words::last(&call.called)))
                })
                .map(|(_, name)| name.as_str())
                .collect();
            if through.is_empty() {
                break;
            }
            asserting.extend(through);
        }
        asserting
    }

    /// The innermost test around a place.
    pub(super) fn test_at(&self, at: usize) -> Option<&Test<'t>> {
        self.tests
            .iter()
            .rev()
            .find(|test| test.range.contains(&at))
    }
}

/// Whether a node lies in one of the ranges.
pub(super) fn is_in(ranges: &[Range<usize>], node: Node<'_>) -> bool {
    ranges
        .iter()
        .any(|range| range.contains(&node.start_byte()))
}

fn nodes_in<'n, 't>(nodes: &'n [Node<'t>], range: &Range<usize>) -> &'n [Node<'t>] {
    let start = nodes.partition_point(|node| node.start_byte() < range.start);
    let end = nodes.partition_point(|node| node.start_byte() < range.end);
    nodes.get(start..end).unwrap_or_default()
}

pub(super) fn text_of(content: &[u8], range: Range<usize>) -> &str {
    let bytes = content.get(range).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The node that holds the arguments of a call.
fn arguments(call: Node<'_>) -> Option<Node<'_>> {
    call.child_by_field_name("arguments").or_else(|| {
        let mut cursor = call.walk();
        call.named_children(&mut cursor)
            .find(|node| matches!(node.kind(), "token_tree" | "argument_list" | "do_block"))
    })
}

/// The arguments of a macro, which are tokens without a grammar.
fn split_tokens(tree: &str) -> Vec<String> {
    let inside = tree
        .trim()
        .trim_start_matches(['(', '[', '{'])
        .trim_end_matches([')', ']', '}']);
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut parts = vec![String::new()];
    for c in inside.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let trimmed = parts.iter().map(|part| part.trim().to_owned());
    trimmed.filter(|part| !part.is_empty()).collect()
}

/// The name of a test without its quotes, on one line.
fn plain_name(text: &str) -> String {
    const LONGEST: usize = 80;
    let name = text.trim_matches(['"', '\'', '`']);
    let one_line: Vec<&str> = name.split_whitespace().collect();
    one_line.join(" ").chars().take(LONGEST).collect()
}

/// The range of a test with the decorators and attributes that belong to it.
fn with_marks(test: Node<'_>) -> Range<usize> {
    let whole = test
        .parent()
        .filter(|parent| parent.kind() == "decorated_definition")
        .unwrap_or(test);
    let mut start = whole.start_byte();
    let mut before = whole.prev_named_sibling();
    while let Some(node) = before {
        let belongs = node.kind() == "attribute_item" || node.kind().contains("comment");
        if !belongs {
            break;
        }
        start = node.start_byte();
        before = node.prev_named_sibling();
    }
    start..whole.end_byte()
}

fn is_within_function(node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(parent) = above {
        if matches!(
            parent.kind(),
            "function_definition" | "function_item" | "method"
        ) {
            return true;
        }
        above = parent.parent();
    }
    false
}
