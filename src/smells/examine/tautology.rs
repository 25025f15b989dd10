//! Assertions that can't fail.

use tree_sitter::Node;

use super::rules::at;
use super::tree::{Call, Reading};
use super::words;
use crate::rules::smell::Rule;
use crate::smells::Finding;

/// Every assertion that can't fail.
pub(super) fn find(reading: &Reading<'_>) -> Vec<Finding> {
    let by_statement = reading
        .assertions
        .iter()
        .filter(|node| node.kind() == "assert_statement" && is_always_true(reading, **node));
    let by_call = reading
        .calls
        .iter()
        .filter(|call| says_nothing(reading, call))
        .map(|call| &call.node);
    by_statement
        .chain(by_call)
        .filter(|node| !node.has_error() && !is_about_equality(reading, **node))
        .map(|node| {
            let test = reading.test_at(node.start_byte());
            at(reading, Rule::Tautology, *node, test)
        })
        .collect()
}

/// Whether the other assertions of a test are about the same value: then it is its equality that is
/// tested, and what is compared with itself may well differ.
fn is_about_equality(reading: &Reading<'_>, tautology: Node<'_>) -> bool {
    let Some(test) = reading.test_at(tautology.start_byte()) else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    // The last word is the value: `assert x == x`, `expect(x).toEqual(x)`.
    let text = reading.text(tautology);
    let value = text.split(|c| !is_word(c)).rfind(|word| !word.is_empty());
    let is_name =
        |word: &str| words::literal_truth(word).is_none() && !word.starts_with(char::is_numeric);
    let Some(value) = value.filter(|word| is_name(word) && !text.ends_with(['"', '\''])) else {
        return false;
    };
    reading.assertions_in(&test.range).iter().any(|other| {
        let mentions = || {
            reading
                .text(*other)
                .split(|c| !is_word(c))
                .any(|word| word == value)
        };
        !other.byte_range().contains(&tautology.start_byte()) && mentions()
    })
}

/// `assert True`, `assert x == x`, `assert ("a", "b")`
fn is_always_true(reading: &Reading<'_>, statement: Node<'_>) -> bool {
    let Some(asserted) = statement.named_child(0) else {
        return false;
    };
    match asserted.kind() {
        "true" => true,
        "integer" => reading.text(asserted) != "0",
        "string" => reading.text(asserted).len() > 2,
        "tuple" => asserted.named_child_count() > 0,
        "boolean_operator" => words::settled_truth(reading.text(asserted)) == Some(true),
        "not_operator" => reading.text(asserted) == "not False",
        "comparison_operator" if asserted.named_child_count() == 2 => {
            let side = |index| asserted.named_child(index).map(|node| reading.text(node));
            let operator = asserted.child(1).map(|node| reading.text(node));
            let is_length = side(0).is_some_and(|left| left.starts_with("len("));
            let is_no_length = (operator, side(1)) == (Some(">="), Some("0"));
            is_length && is_no_length
                || matches!(operator, Some("==" | "is" | "<=" | ">="))
                    && side(0).is_some_and(|left| side(1) == Some(left) && is_plain(left))
        }
        _ => false,
    }
}

/// Chai: `expect(true).to.be.true`, where nothing is called after `expect`.
fn is_true_property(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    let mut whole = call.node;
    while let Some(outer) = whole
        .parent()
        .filter(|node| node.kind() == "member_expression")
    {
        whole = outer;
    }
    let text = reading.text(whole);
    let wanted = match text.rsplit_once(").") {
        Some((_, "to.be.true" | "to.be.ok")) => true,
        Some((_, "to.be.false")) => false,
        _ => return false,
    };
    let arguments = reading.arguments(call.node);
    let is_settled = |value: &String| words::settled_truth(value) == Some(wanted);
    call.called == "expect" && arguments.first().is_some_and(is_settled)
}

fn says_nothing(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    if is_true_property(reading, call) {
        return true;
    }
    let last = words::last(&call.called);
    // Ruby: `expect(x).to eq(x)`
    let (last, own) = match last {
        "to" => match matcher(reading, call.node) {
            Some((name, arguments)) => (name, arguments),
            None => return false,
        },
        _ if words::asserts(&call.called) => (last.to_owned(), reading.arguments(call.node)),
        _ => return false,
    };
    let mut values = expected_of(reading, call.node);
    values.extend(own);
    // The handle of the test comes first in Go.
    if values.first().is_some_and(|first| first == "t") {
        values.remove(0);
    }
    if let Some(wanted) = words::wants_truth(&last) {
        return !marks_a_place(reading, call.node)
            && values
                .first()
                .is_some_and(|value| words::settled_truth(value) == Some(wanted));
    }
    match values.as_slice() {
        [one, other, ..] if words::compares_equal(&last) => one == other && is_plain(one),
        _ => false,
    }
}

/// Whether an assertion that can't fail marks a place that has to be reached: a test says how many
/// assertions it makes, or that it fails elsewhere.
fn marks_a_place(reading: &Reading<'_>, node: Node<'_>) -> bool {
    const WAYS: &[&str] = &[
        "plan",
        "assertions",
        "hasAssertions",
        "fail",
        "Fail",
        "flunk",
    ];
    let around = reading
        .tests
        .iter()
        .filter(|test| test.range.contains(&node.start_byte()));
    around
        .flat_map(|test| reading.calls_in(&test.range))
        .any(|call| WAYS.contains(&words::last(&call.called)))
}

/// What an assertion is about, where it stands before it: `x` of `expect(x).toBe(x)`.
fn expected_of(reading: &Reading<'_>, call: Node<'_>) -> Vec<String> {
    let mut node = call;
    let mut negated = false;
    while let Some(inner) = ["function", "object", "receiver"]
        .iter()
        .find_map(|field| node.child_by_field_name(field))
    {
        let called = reading.text(inner);
        negated |= called.ends_with(".not") || called.ends_with("->not");
        if inner.kind().contains("call") || inner.kind() == "method_invocation" {
            let starts = ["expect(", "assertThat(", "expect ("];
            if starts.iter().any(|start| called.starts_with(start)) && !called.contains(").") {
                // The opposite of a tautology fails by itself.
                return match negated {
                    true => vec![String::new()],
                    false => reading.arguments(inner),
                };
            }
        }
        node = inner;
    }
    Vec::new()
}

/// The matcher of `expect(x).to eq(x)`, with its arguments.
fn matcher(reading: &Reading<'_>, call: Node<'_>) -> Option<(String, Vec<String>)> {
    let list = call.child_by_field_name("arguments")?;
    let matcher = list.named_child(0)?;
    match matcher.kind() {
        "call" => {
            let name = matcher.child_by_field_name("method")?;
            Some((reading.text(name).to_owned(), reading.arguments(matcher)))
        }
        "identifier" => Some((reading.text(matcher).to_owned(), Vec::new())),
        _ => None,
    }
}

/// Whether a value is the same each time it is asked for: nothing is called for it.
fn is_plain(value: &str) -> bool {
    let is_string = value.starts_with(['"', '\'', '`']);
    // What looks like a field may be a getter.
    !value.is_empty() && (is_string || !value.contains(['(', '*', '+', '{', '.', '[']))
}
