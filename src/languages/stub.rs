//! Whether something that was added only declares, or is a stub.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::change::{SourceChange, StubRules};
use super::code::Code;
use super::items::Item;
use super::syntax::{Kind, children, named_children, said};
use super::tokens::{Token, tokens};

/// Marks a body or a file as a stub.
const MARKER: &str = "STUB:TDD";

/// What an added item comes to.
pub(super) fn added(code: &Code, item: &Item<'_>, rules: &StubRules) -> SourceChange {
    let is_plain = item
        .attributes
        .iter()
        .all(|attribute| code.syntax.is_plain_attribute(*attribute, &code.text));
    if !is_plain {
        return SourceChange::Code;
    }
    match item.kind {
        Kind::Import => match item.import.as_ref().is_some_and(|import| import.gives_away) {
            true => SourceChange::Code,
            false => SourceChange::Declares,
        },
        Kind::Type | Kind::Container => declares_if(has_plain_header(code, item)),
        Kind::Value => value(code, item, rules),
        Kind::Function => function(code, item, rules),
        Kind::Statement => declares_if(code.syntax.is_plain_statement(item.node, &code.text)),
    }
}

fn declares_if(plain: bool) -> SourceChange {
    match plain {
        true => SourceChange::Declares,
        false => SourceChange::Code,
    }
}

fn value(code: &Code, item: &Item<'_>, rules: &StubRules) -> SourceChange {
    let is_plain = item
        .body
        .is_none_or(|value| is_plain_value(code, value) || code.syntax.declares(value, &code.text));
    if is_plain {
        return SourceChange::Declares;
    }
    let is_empty = item
        .body
        .is_some_and(|value| is_empty_answer(code, &tokens(code.syntax, value, &code.text)));
    match is_empty || (rules.marker && is_marked(code, item)) {
        true => SourceChange::Stub,
        false => SourceChange::Code,
    }
}

fn function(code: &Code, item: &Item<'_>, rules: &StubRules) -> SourceChange {
    if rules.marker && is_marked(code, item) {
        return SourceChange::Stub;
    }
    if !has_plain_header(code, item) {
        return SourceChange::Code;
    }
    match item.body {
        None => SourceChange::Declares,
        Some(_) if is_stub_function(code, item) => SourceChange::Stub,
        Some(_) => SourceChange::Code,
    }
}

/// Whether a function's body is a stub's. One without statements has none to look at.
pub(super) fn is_stub_function(code: &Code, item: &Item<'_>) -> bool {
    item.body
        .is_some_and(|body| body == item.node || is_stub_body(code, body))
}

/// What a file does when it is loaded, beside declaring: its statements, and values that are computed.
pub fn done_at_load(code: &Code) -> BTreeSet<String> {
    let acts = |item: &&Item<'_>| match item.kind {
        Kind::Statement => !code.syntax.is_plain_statement(item.node, &code.text),
        Kind::Value => item.body.is_some_and(|value| !is_plain_value(code, value)),
        // A function that is put in another one's place: `assert.equal = () => {}`.
        Kind::Function => matches!(
            item.node.kind(),
            "assignment_expression" | "expression_statement"
        ),
        Kind::Container | Kind::Type | Kind::Import => false,
    };
    let items = code.items();
    let items = items.iter().filter(|item| !item.is_test_part);
    let texts = items.filter(acts).map(|item| said(item.node, &code.text));
    texts.map(str::to_owned).collect()
}

/// Whether nothing is computed in what stands around the body.
fn has_plain_header(code: &Code, item: &Item<'_>) -> bool {
    let computing = code.syntax.words().computing;
    let mut open = vec![item.node];
    while let Some(node) = open.pop() {
        let is_around_body = item.body.is_some_and(|body| {
            node.start_byte() <= body.start_byte() && body.end_byte() <= node.end_byte()
        });
        if computing.contains(&node.kind()) && !is_around_body {
            return false;
        }
        let inner = children(node).into_iter().filter(|child| {
            Some(*child) != item.body
                && !item.inner.contains(child)
                && !item.attributes.contains(child)
        });
        open.extend(inner);
    }
    true
}

/// A literal, or a collection of them.
pub(super) fn is_plain_value(code: &Code, value: Node<'_>) -> bool {
    let words = code.syntax.words();
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        let kind = node.kind();
        if words.plain_collections.contains(&kind) {
            open.extend(named_children(node));
        } else if words.comments.contains(&kind) {
            continue;
        } else if !words.literals.contains(&kind) || is_interpolated(node) {
            return false;
        }
    }
    true
}

fn is_interpolated(node: Node<'_>) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if matches!(
            node.kind(),
            "interpolation" | "template_substitution" | "interpolated_expression"
        ) {
            return true;
        }
        open.extend(named_children(node));
    }
    false
}

/// Whether all that a body does is nothing, an empty answer, or to say "not implemented".
pub(super) fn is_stub_body(code: &Code, body: Node<'_>) -> bool {
    statements(code, body)
        .into_iter()
        .all(|statement| is_stub_statement(code, statement))
}

/// The statements of a body, or the expression that it is.
fn statements<'t>(code: &Code, body: Node<'t>) -> Vec<Node<'t>> {
    let words = code.syntax.words();
    if !words.blocks.contains(&body.kind()) {
        return vec![body];
    }
    named_children(body)
        .into_iter()
        .filter(|child| !words.comments.contains(&child.kind()) && !code.syntax.is_silent(*child))
        .flat_map(|child| statements(code, child))
        .collect()
}

fn is_stub_statement(code: &Code, statement: Node<'_>) -> bool {
    let all = tokens(code.syntax, statement, &code.text);
    is_empty_answer(code, &all)
        || says_not_implemented(&all)
        || is_discard(&all)
        || only_asks_its_parent(&all)
}

/// A constructor that only calls its parent's: `super(message)`.
fn only_asks_its_parent(all: &[Token<'_>]) -> bool {
    let said = texts_of(all).concat();
    let given = ["super().__init__(", "parent::__construct(", "super("]
        .iter()
        .find_map(|start| said.strip_prefix(start)?.strip_suffix(')'));
    given.is_some_and(|given| !given.contains(['(', '+', '{', '[']))
}

/// A statement that only uses a name: `_ = x`, `let _ = x`, `void x`, `del x`.
fn is_discard(all: &[Token<'_>]) -> bool {
    let said: Vec<&str> = texts_of(all);
    matches!(
        said.as_slice(),
        ["_", "=", _] | ["let", "_", "=", _] | ["void" | "del", _]
    )
}

fn texts_of<'a>(all: &'a [Token<'_>]) -> Vec<&'a str> {
    let mut said: Vec<&str> = all
        .iter()
        .map(|token| token.text.as_ref())
        .filter(|text| !matches!(*text, "\u{1}" | "\u{2}"))
        .collect();
    if said.last() == Some(&";") {
        said.pop();
    }
    said
}

/// An empty answer: none, null, zero, false, an empty text, list or map, the type's default.
pub(super) fn is_empty_answer(code: &Code, all: &[Token<'_>]) -> bool {
    let mut said = texts_of(all);
    if matches!(said.first(), Some(&"return")) {
        said.remove(0);
    }
    if said.first() == Some(&"(") && said.last() == Some(&")") && said.len() > 2 {
        said = said.get(1..said.len() - 1).unwrap_or_default().to_vec();
    }
    let whole = said.concat();
    is_empty_value(code, &whole)
        || (whole.contains(',') && whole.split(',').all(|one| is_empty_value(code, one)))
}

fn is_empty_value(code: &Code, said: &str) -> bool {
    let is_failure = ["errors.New(", "fmt.Errorf(", "Err(", "Promise.reject("]
        .iter()
        .any(|start| said.starts_with(start));
    if is_failure && said.matches('(').count() <= 3 {
        return means_not_implemented(said);
    }
    if matches!(
        said,
        "" | "0"
            | "0.0"
            | "0n"
            | "0L"
            | "0."
            | "0.0f"
            | "false"
            | "False"
            | "null"
            | "nil"
            | "None"
            | "undefined"
            | "NULL"
            | "nullptr"
            | "\"\""
            | "''"
            | "``"
            | "()"
            | "[]"
            | "{}"
            | "({})"
            | "void0"
    ) {
        return true;
    }
    code.syntax.is_empty_value(said)
}

/// Whether a statement says "not implemented" and does nothing else.
fn says_not_implemented(all: &[Token<'_>]) -> bool {
    let said = texts_of(all);
    let calls = said.iter().filter(|text| **text == "(").count();
    let chooses = said.iter().any(|text| {
        matches!(*text, "if" | "unless" | "?" | "or" | "and" | "else" | "||")
            || text.contains("${")
            || text.contains("#{")
    });
    let first = said.iter().copied().find(|text| *text != "return");
    let (Some(first), false, true) = (first, chooses, calls <= 1) else {
        return false;
    };
    let whole = said.concat();
    match first {
        "todo"
        | "unimplemented"
        | "TODO"
        | "fatalError"
        | "preconditionFailure"
        | "abort"
        | "NotImplemented" => true,
        "std" => matches!(
            whole.as_str(),
            "std::abort()" | "std::terminate()" | "std::unreachable()"
        ),
        "raise" | "throw" | "panic" | "assert" | "die" | "error" | "unreachable" => {
            means_not_implemented(&whole)
        }
        _ => false,
    }
}

/// Whether a message or the name of an exception says that something is not there yet.
fn means_not_implemented(text: &str) -> bool {
    let letters: String = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    [
        "notimplemented",
        "notyetimplemented",
        "unimplemented",
        "unsupportedoperation",
        "todo",
    ]
    .iter()
    .any(|words| letters.contains(words))
}

/// Whether the marker stands in an item, at its end or right above it, or at the top of the file.
fn is_marked(code: &Code, item: &Item<'_>) -> bool {
    if !code.text.contains(MARKER) {
        return false;
    }
    let mut last = item.node;
    while let Some(parent) = last.parent().filter(|parent| {
        parent.end_byte() <= last.end_byte() + 1
            && parent.start_position().row == item.node.start_position().row
    }) {
        last = parent;
    }
    is_marked_file(code)
        || comments(code, item.node)
            .iter()
            .any(|at| holds_marker(code, *at))
        || [item.node, last].into_iter().any(|node| {
            let before = node.prev_sibling().filter(|other| {
                other.end_position().row + 1
                    >= item
                        .node
                        .start_position()
                        .row
                        .saturating_sub(item.attributes.len())
            });
            let after = node
                .next_sibling()
                .filter(|other| other.start_position().row == node.end_position().row);
            before
                .into_iter()
                .chain(after)
                .any(|other| is_comment(code, other) && holds_marker(code, other))
        })
}

/// Whether the marker stands before all code.
fn is_marked_file(code: &Code) -> bool {
    children(code.root())
        .into_iter()
        .take_while(|node| {
            is_comment(code, *node) || code.syntax.is_silent(*node) || node.kind() == "php_tag"
        })
        .any(|node| holds_marker(code, node))
}

fn is_comment(code: &Code, node: Node<'_>) -> bool {
    code.syntax.words().comments.contains(&node.kind())
}

fn holds_marker(code: &Code, node: Node<'_>) -> bool {
    said(node, &code.text).contains(MARKER)
}

fn comments<'t>(code: &Code, node: Node<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if is_comment(code, node) {
            found.push(node);
        } else {
            open.extend(children(node));
        }
    }
    found
}
