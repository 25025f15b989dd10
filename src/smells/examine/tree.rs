//! What a file's syntax tree holds, gathered in one pass of its language's query.

use std::ops::Range;

use tree_sitter::{Node, QueryCursor, StreamingIterator, Tree};

use super::nodes::{arguments, is_within_function, nodes_in, plain_name, split_tokens};
use super::nodes::{text_of, with_marks};
use super::words;
use crate::languages::test_words::TestWords;

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
    pub(super) words: &'t TestWords,
    pub(super) content: &'t [u8],
    pub(super) tests: Vec<Test<'t>>,
    pub(super) calls: Vec<Call<'t>>,
    /// Statements that assert, and calls that do.
    pub(super) assertions: Vec<Node<'t>>,
    pub(super) failures: Vec<Node<'t>>,
    pub(super) marks: Vec<Node<'t>>,
    pub(super) functions: Vec<(Node<'t>, String)>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(words: &'t TestWords, tree: &'t Tree, content: &'t [u8]) -> Option<Self> {
        let query = words.query()?;
        let names = query.capture_names();
        let mut reading = Reading {
            words,
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
        reading.put_in_order(words);
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
            if !is_for_others && (!is_call || (self.words.declares_test)(&self.called(test))) {
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

    fn put_in_order(&mut self, words: &TestWords) {
        self.tests.sort_by_key(|test| {
            (
                test.node.start_byte(),
                std::cmp::Reverse(test.node.end_byte()),
            )
        });
        self.tests.dedup_by_key(|test| test.node.id());
        if !words.nests {
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

    /// The innermost test around a place.
    pub(super) fn test_at(&self, at: usize) -> Option<&Test<'t>> {
        self.tests
            .iter()
            .rev()
            .find(|test| test.range.contains(&at))
    }
}
