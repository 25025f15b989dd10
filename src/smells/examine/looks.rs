//! Whether a test looks at anything.
//!
//! A test that only calls may well be meant: it fails if the call does. So a test without an
//! assertion is only found wanting where not even that can happen, or where something was plainly
//! forgotten: nothing is done, what goes wrong is caught and dropped, what comes out is kept in a
//! variable and not looked at, or printed for a person to look at, or a function is called with
//! values that are written out and no word says what for.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::nodes::is_in;
use super::tree::{Call, Reading, Test};
use crate::languages::test_words::TestWords;

/// What catches everything, by name; a handler that names no type at all does so too.
#[rustfmt::skip]
const CATCHERS: &[&str] = &[
    "Exception", "BaseException", "AssertionError", "Throwable", "Error", "RuntimeException",
    "StandardError",
];

/// Whether a test can't fail, or leaves out what it was to look at.
pub(super) fn at_nothing(reading: &Reading<'_>, test: &Test<'_>, helpers: &BTreeSet<&str>) -> bool {
    let swallowed = swallowed(reading, test);
    let lost: Vec<Range<usize>> = swallowed
        .iter()
        .filter(|part| part.catches_assertions(reading.words))
        .map(|part| part.range.clone())
        .collect();
    if reading.asserts(test, helpers, &lost) {
        return false;
    }
    let calls = reading.calls_in(&test.body.byte_range());
    let all: Vec<Range<usize>> = swallowed.into_iter().map(|part| part.range).collect();
    let is_lost = |call: &Call<'_>| is_in(&all, call.node) || is_print(reading, call);
    if !all.is_empty() && calls.iter().all(is_lost) {
        return true;
    }
    let statements = statements(test.body);
    let does_nothing = calls.is_empty() && statements.iter().all(|one| is_inert(reading, *one));
    does_nothing
        || statements
            .last()
            .is_some_and(|last| is_forgotten(reading, *last) || is_only_printed(reading, *last))
        || is_lone_call(reading, test, &statements)
}

/// The statements of a body, comments left out.
pub(super) fn statements(body: Node<'_>) -> Vec<Node<'_>> {
    let mut body = body;
    while let Some(inner) = body
        .named_child(0)
        .filter(|inner| ["statement_list", "body_statement", "block_body"].contains(&inner.kind()))
    {
        body = inner;
    }
    // `() => add(1, 2)` has none: the expression is all there is.
    let is_expression = body.kind().contains("call") || body.kind() == "await_expression";
    if is_expression {
        return vec![body];
    }
    let mut cursor = body.walk();
    body.named_children(&mut cursor)
        .filter(|node| !node.kind().contains("comment"))
        .collect()
}

fn is_inert(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let known = reading.words.inert.contains(&node.kind()) || is_kind_of_value(reading, node);
    let mut cursor = node.walk();
    let mut inner = node.named_children(&mut cursor);
    known && inner.all(|inner| is_inert(reading, inner))
}

fn is_value(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let mut inner = node.named_children(&mut cursor);
    is_kind_of_value(reading, node) && inner.all(|inner| is_value(reading, inner))
}

fn is_kind_of_value(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let words = reading.words;
    words.literals.contains(&node.kind()) || words.values.contains(&node.kind())
}

/// `result = add(1, 2)` at the end of a test: whatever it is, nobody looks at it. A name with an
/// underscore in front says that this is meant, and a type may be what is tested.
fn is_forgotten(reading: &Reading<'_>, statement: Node<'_>) -> bool {
    let binding = match statement.kind() {
        "expression_statement"
        | "lexical_declaration"
        | "variable_declaration"
        | "local_variable_declaration" => last_named(statement),
        _ => Some(statement),
    };
    let Some(binding) = binding else {
        return false;
    };
    let field = |names: [&str; 3]| {
        let mut found = names
            .iter()
            .filter_map(|name| binding.child_by_field_name(name));
        found.next()
    };
    let is_binding = matches!(
        binding.kind(),
        "assignment" | "assignment_expression" | "variable_declarator" | "let_declaration"
    );
    let (Some(name), Some(value)) = (
        field(["left", "name", "pattern"]),
        field(["right", "value", "value"]),
    ) else {
        return false;
    };
    let is_variable = matches!(name.kind(), "identifier" | "variable_name");
    let is_meant = reading.text(name).trim_start_matches('$').starts_with('_');
    let is_typed = binding
        .child_by_field_name("type")
        .is_some_and(|kind| kind.kind() == "type_annotation");
    is_binding && is_variable && !is_meant && !is_typed && call_of(reading, value).is_some()
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    let last = u32::try_from(node.named_child_count())
        .ok()?
        .checked_sub(1)?;
    node.named_child(last)
}

/// The call that a statement or an expression consists of.
fn call_of<'r, 't>(reading: &'r Reading<'t>, node: Node<'_>) -> Option<&'r Call<'t>> {
    let mut node = node;
    while matches!(
        node.kind(),
        "expression_statement" | "await" | "await_expression" | "return_statement"
    ) {
        node = node.named_child(0)?;
    }
    let calls = reading.calls_in(&node.byte_range());
    calls.iter().find(|call| call.node.id() == node.id())
}

fn is_print(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    reading.words.prints.contains(&call.called.as_str())
}

/// `print(add(1, 2))` at the end of a test: it needs a person to look.
fn is_only_printed(reading: &Reading<'_>, statement: Node<'_>) -> bool {
    if statement.kind() == "echo_statement" {
        return !reading.calls_in(&statement.byte_range()).is_empty();
    }
    call_of(reading, statement).is_some_and(|call| {
        let arguments = reading.arguments(call.node);
        let says_more = |argument: &String| argument.contains('(');
        // The arguments of a macro are no calls to the grammar, and may fail all the same.
        let may_fail = |argument: &String| {
            [".unwrap", ".expect(", "?"]
                .iter()
                .any(|way| argument.contains(way))
        };
        is_print(reading, call)
            && arguments.iter().any(says_more)
            && !arguments.iter().any(may_fail)
    })
}

/// `add(1, 2)` and nothing else, not even a word.
fn is_lone_call(reading: &Reading<'_>, test: &Test<'_>, statements: &[Node<'_>]) -> bool {
    let [only] = statements else {
        return false;
    };
    let Some(call) = call_of(reading, *only) else {
        return false;
    };
    let is_plain = call.called.chars().all(|c| c.is_alphanumeric() || c == '_');
    let constructs =
        reading.words.capitals_construct && call.called.starts_with(char::is_uppercase);
    let Some(list) = call.node.child_by_field_name("arguments") else {
        return false;
    };
    let mut cursor = list.walk();
    is_plain
        && !constructs
        && list.named_child_count() > 0
        && list
            .named_children(&mut cursor)
            .all(|argument| is_value(reading, argument))
        && !has_words(reading, test.node)
}

/// Whether a comment says anything; one that is to allow a finding is not about the test.
fn has_words(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let is_comment = node.kind().contains("comment");
    is_comment && !reading.text(node).contains(crate::smells::ALLOW_MARK)
        || node
            .named_children(&mut cursor)
            .any(|child| has_words(reading, child))
}

/// A part of a test in which errors are caught and dropped.
struct Swallowed {
    range: Range<usize>,
    /// What is caught, by name; nothing: everything.
    caught: Vec<String>,
}

impl Swallowed {
    fn catches_assertions(&self, words: &TestWords) -> bool {
        let names = words.catch_assertions;
        names.is_empty()
            || self
                .caught
                .iter()
                .any(|name| names.contains(&name.as_str()))
    }
}

fn swallowed(reading: &Reading<'_>, test: &Test<'_>) -> Vec<Swallowed> {
    const SIGNS: &[&str] = &["try", "rescue", "suppress", "recover", "catch_unwind"];
    let text = reading.text(test.body);
    let mut found = Vec::new();
    if SIGNS.iter().any(|sign| text.contains(sign)) {
        gather(reading, test.body, test.body, &mut found);
    }
    found
}

fn gather(reading: &Reading<'_>, body: Node<'_>, node: Node<'_>, found: &mut Vec<Swallowed>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    for handler in &children {
        let catches = matches!(handler.kind(), "except_clause" | "catch_clause" | "rescue");
        if !catches || !drops(reading, *handler) {
            continue;
        }
        if let Some(caught) = caught_by(reading, *handler) {
            // What comes after the first handler is another one, or no longer guarded.
            let end = children
                .iter()
                .find(|child| child.kind() == handler.kind())
                .map_or(node.end_byte(), Node::start_byte);
            found.push(Swallowed {
                range: node.start_byte()..end,
                caught,
            });
        }
    }
    let whole = |range: Range<usize>| Swallowed {
        range,
        caught: CATCHERS.iter().map(|&name| name.to_owned()).collect(),
    };
    match node.kind() {
        "with_statement" => {
            let manager = reading.text(node).lines().next().unwrap_or_default();
            if manager.contains("suppress(") && manager.contains("Exception") {
                found.push(whole(node.byte_range()));
            }
        }
        "expression_statement" if reading.text(node) == "recover()" => {
            found.push(whole(body.byte_range()));
        }
        "let_declaration" => {
            let text = reading.text(node);
            if text.starts_with("let _ =") && text.contains("catch_unwind(") {
                found.push(whole(node.byte_range()));
            }
        }
        _ => {}
    }
    for child in children {
        gather(reading, body, child, found);
    }
}

/// Whether a handler does nothing with what it caught.
fn drops(reading: &Reading<'_>, handler: Node<'_>) -> bool {
    let range = handler.byte_range();
    let calls = reading.calls_in(&range);
    !reading.may_fail(&range, &[]) && calls.iter().all(|call| is_print(reading, call))
}

/// What a handler catches, if that is everything there is.
fn caught_by(reading: &Reading<'_>, handler: Node<'_>) -> Option<Vec<String>> {
    let mut cursor = handler.walk();
    let header_ends = handler
        .named_children(&mut cursor)
        .find(|child| {
            matches!(
                child.kind(),
                "block" | "statement_block" | "compound_statement" | "then"
            )
        })
        .map_or(handler.end_byte(), |body| body.start_byte());
    let header = reading.text_in(&(handler.start_byte()..header_ends));
    // A name for what is caught stands behind `as`; types may be written small: `zlib.error`.
    let is_small = reading.words.errors_are_small;
    let header = match is_small {
        true => header.split(" as ").next().unwrap_or_default(),
        false => header,
    };
    let words = header.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let types: Vec<String> = words
        .filter(|word| {
            word.starts_with(char::is_uppercase) || (is_small && !matches!(*word, "" | "except"))
        })
        .map(str::to_owned)
        .collect();
    let catches_all =
        types.is_empty() || types.iter().any(|name| CATCHERS.contains(&name.as_str()));
    catches_all.then_some(types)
}
