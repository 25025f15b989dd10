//! Tests that are switched off, or that switch the others off.

use tree_sitter::Node;

use super::rules::at;
use super::tree::{Call, Reading, Test};
use super::words;
use crate::rules::smell::Rule;
use crate::smells::Finding;

/// Tests that are switched off, or that switch the others off.
pub(super) fn find(reading: &Reading<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for mark in &reading.marks {
        let test = reading.test_at(mark.start_byte());
        if test.is_some_and(|test| is_chosen(reading, test) || is_in_body(*mark, test)) {
            continue;
        }
        let text = reading.text(*mark);
        if reading.words.skip_marks.contains(&mark_name(text)) || is_disabled_by_argument(text) {
            found.push(at(reading, Rule::SkippedTest, *mark, test));
        }
    }
    for call in &reading.calls {
        let head = words::head(&call.called);
        let test = reading.test_at(call.node.start_byte());
        let ends_test = [head, &call.called]
            .iter()
            .any(|name| reading.words.skips_inside.contains(name))
            && test.is_some_and(|test| is_unconditional(call.node, test));
        let rule = match ends_test || is_mark_of_module(reading, call) {
            true => Some(Rule::SkippedTest),
            false => declared(reading, call),
        };
        found.extend(rule.map(|rule| at(reading, rule, call.node, test)));
    }
    found
}

/// What a call that declares a test, or a group of them, says about whether it runs.
fn declared(reading: &Reading<'_>, call: &Call<'_>) -> Option<Rule> {
    let arguments = reading.arguments(call.node);
    if let Some(rule) = by_chained_call(&call.called, &arguments) {
        return Some(rule);
    }
    let head = words::head(&call.called);
    let declares = arguments.len() >= 2 || head == call.called;
    if !declares || arguments.is_empty() || !declares_more(reading, call) {
        return None;
    }
    // `it.only.each` is `it.only` for each of them.
    let is_listed = |list: &[&str]| {
        list.iter().any(|name| {
            let rest = head.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    if is_listed(reading.words.skips) {
        Some(Rule::SkippedTest)
    } else if is_listed(reading.words.focuses) {
        Some(Rule::FocusedTest)
    } else if words::declares_group_or_test(head) {
        arguments.iter().skip(1).find_map(|one| by_option(one))
    } else {
        None
    }
}

/// An option of a declaration: `{ skip: true }`, `:focus`, `skip: "later"`.
fn by_option(argument: &str) -> Option<Rule> {
    let option: String = argument.split_whitespace().collect();
    let inside = option
        .strip_prefix('{')
        .map(|rest| rest.trim_end_matches('}'));
    let is_pair = option.starts_with("skip:") || option.starts_with("focus:");
    if let Some(pairs) = inside.or(is_pair.then_some(option.as_str())) {
        return pairs.split(',').find_map(|pair| {
            let (name, value) = pair.split_once(':')?;
            let is_set = value == "true" || value.starts_with(['"', '\'']);
            match name {
                "skip" if is_set => Some(Rule::SkippedTest),
                "only" | "focus" if value == "true" => Some(Rule::FocusedTest),
                _ => None,
            }
        });
    }
    match &*option {
        ":skip" => Some(Rule::SkippedTest),
        ":focus" => Some(Rule::FocusedTest),
        _ => None,
    }
}

/// PHP's Pest: `it('…', function () { … })->only()`. With a condition it is fine to skip.
fn by_chained_call(called: &str, arguments: &[String]) -> Option<Rule> {
    let declares = ["it(", "test(", "describe("];
    if !declares.iter().any(|start| called.starts_with(start)) {
        return None;
    }
    let is_condition = |argument: &String| !argument.starts_with(['"', '\'']);
    match called.rsplit_once(")->")?.1 {
        "only" => Some(Rule::FocusedTest),
        "skip" if !arguments.iter().any(is_condition) => Some(Rule::SkippedTest),
        _ => None,
    }
}

/// `pytestmark = pytest.mark.skip("…")`, which is meant for all of the file.
fn is_mark_of_module(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    let assigned = call
        .node
        .parent()
        .filter(|node| node.kind() == "assignment");
    let name = assigned.and_then(|node| node.child_by_field_name("left"));
    name.is_some_and(|name| reading.text(name) == "pytestmark")
        && reading
            .words
            .skip_marks
            .contains(&words::head(&call.called))
}

/// Java's TestNG: `@Test(enabled = false)`.
fn is_disabled_by_argument(mark: &str) -> bool {
    let text: String = mark.split_whitespace().collect();
    text.starts_with("@Test(") && text.contains("enabled=false")
}

/// Whether a mark is on something within a test: what the test is about, not whether it runs.
fn is_in_body(mark: Node<'_>, test: &Test<'_>) -> bool {
    test.body.byte_range().contains(&mark.start_byte())
}

/// Whether a test is only there under a condition: then it stands in for another one.
fn is_chosen(reading: &Reading<'_>, test: &Test<'_>) -> bool {
    reading.marks_in(&test.range).iter().any(|mark| {
        let name = mark_name(reading.text(*mark));
        name == "cfg" || name.starts_with("rustversion::")
    })
}

/// Whether a call holds a function or a block: a declaration, not a condition
/// (`test.skip(isWindows)`).
fn declares_more(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    let text = reading.text(call.node);
    call.node.child_by_field_name("block").is_some()
        || text.contains("=>")
        || text.contains("function")
}

/// The name in a decorator, annotation or attribute: `pytest.mark.skip` of
/// `@pytest.mark.skip(reason="…")`.
fn mark_name(mark: &str) -> &str {
    let inside = mark.trim_start_matches(['@', '#', '[', '!', ' ']);
    let end = inside
        .find(|c: char| !(c.is_alphanumeric() || "_.:".contains(c)))
        .unwrap_or(inside.len());
    &inside[..end]
}

/// Whether nothing between a call and its test decides if the call is made.
fn is_unconditional(call: Node<'_>, test: &Test<'_>) -> bool {
    #[rustfmt::skip]
    const STRAIGHT: &[&str] = &[
        "expression_statement", "block", "statement_block", "body_statement", "do_block",
        "compound_statement", "call", "statement_list",
    ];
    let mut above = call.parent();
    while let Some(node) = above {
        if node == test.body || node == test.node {
            return true;
        }
        if !STRAIGHT.contains(&node.kind()) {
            return false;
        }
        above = node.parent();
    }
    true
}
