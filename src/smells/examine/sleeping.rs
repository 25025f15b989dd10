//! Tests that wait for the clock.

use tree_sitter::Node;

use super::rules::at;
use super::tree::{Call, Reading, Test};
use super::words;
use crate::rules::smell::Rule;
use crate::smells::Finding;

/// Every place where a test waits for the clock itself.
pub(super) fn find(reading: &Reading<'_>, test: &Test<'_>) -> Vec<Finding> {
    if words::turns_the_clock(reading.text_in(&test.range)) || words::is_about_sleep(&test.name) {
        return Vec::new();
    }
    let is_own = |call: &&Call<'_>| {
        let innermost = reading.test_at(call.node.start_byte());
        innermost.is_some_and(|innermost| innermost.node == test.node)
    };
    reading
        .calls_in(&test.range)
        .iter()
        .filter(is_own)
        .filter(|call| {
            is_sleep(reading, call) && is_waited_for(reading, call.node, test)
                || is_promised_timeout(reading, call, test)
        })
        .map(|call| at(reading, Rule::SleepingTest, call.node, Some(test)))
        .collect()
}

/// `sleep(1)`; sleeping for no time only lets others run.
fn is_sleep(reading: &Reading<'_>, call: &Call<'_>) -> bool {
    let arguments = reading.arguments(call.node);
    let Some(time) = arguments.first() else {
        return false;
    };
    // `timers/promises` has its own `setTimeout`, which helpers like to call `delay`.
    let is_number = time.chars().all(|c| c.is_ascii_digit() || c == '_');
    let is_delay = matches!(&*call.called, "delay" | "setTimeout") && is_number;
    time != "0" && (words::sleeps(&call.called, reading.words.clocks) || is_delay)
}

/// Whether the test waits for a call until its end: functions in it may run elsewhere, or never;
/// what is asked for again and again is no wait for the clock; and what is cut short is bounded by
/// something else.
fn is_waited_for(reading: &Reading<'_>, call: Node<'_>, test: &Test<'_>) -> bool {
    let mut above = call.parent();
    while let Some(node) = above {
        if node == test.body || node == test.node {
            return true;
        }
        if is_function(reading, node) || polls(reading, node) || is_bound(reading, node) {
            return false;
        }
        above = node.parent();
    }
    true
}

/// Whether a node is a function of its own; what a subtest does, its test does.
fn is_function(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let parent = node.parent();
    let is_block = reading.words.blocks_are_functions
        && matches!(node.kind(), "do_block" | "block")
        && parent.is_some_and(|parent| parent.kind() == "call");
    let subtest = parent.and_then(|list| list.parent()).is_some_and(|call| {
        let called = call.child_by_field_name("function");
        called.is_some_and(|called| reading.text(called).ends_with(".Run"))
    });
    (reading.words.functions.contains(&node.kind()) && !subtest) || is_block
}

/// A loop that ends when something has happened: `while not ready(): sleep(0.01)`.
fn polls(reading: &Reading<'_>, node: Node<'_>) -> bool {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "break_statement", "return_statement", "break_expression", "return_expression", "break",
        "return",
    ];
    match node.kind() {
        "while_statement" | "while_expression" | "while" | "until" | "until_modifier"
        | "while_modifier" | "do_statement" => {
            let condition = node.child_by_field_name("condition");
            let text = condition.map(|condition| reading.text(condition));
            let forever = text
                .is_some_and(|text| matches!(text.trim_matches(['(', ')']), "true" | "True" | "1"));
            !forever || holds(node, ENDS)
        }
        "for_statement" if has_bare_condition(node) => true,
        "for_statement"
        | "for_in_statement"
        | "enhanced_for_statement"
        | "for_expression"
        | "foreach_statement"
        | "loop_expression"
        | "for" => holds(node, ENDS),
        _ => false,
    }
}

/// Go: `for !ready() { … }`
fn has_bare_condition(node: Node<'_>) -> bool {
    node.named_child(0).is_some_and(|first| {
        first.kind().ends_with("_expression") && node.child_by_field_name("body").is_some()
    }) && node.child_by_field_name("left").is_none()
}

fn holds(node: Node<'_>, kinds: &[&str]) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .any(|child| kinds.contains(&child.kind()) || holds(child, kinds))
}

/// Something that is to end the wait before its time: `with fail_after(1):`, `timeout(d, sleep(…))`,
/// `Promise.race([…])`.
fn is_bound(reading: &Reading<'_>, node: Node<'_>) -> bool {
    let heading = match node.kind() {
        "with_statement" => {
            let body = node.child_by_field_name("body");
            let end = body.map_or(node.end_byte(), |body| body.start_byte());
            reading.text_in(&(node.start_byte()..end))
        }
        "call" | "call_expression" | "method_invocation" => {
            let called = ["function", "name", "method"]
                .iter()
                .find_map(|field| node.child_by_field_name(field));
            called.map_or("", |called| reading.text(called))
        }
        _ => return false,
    };
    words::cuts_short(heading)
}

/// `new Promise((resolve) => setTimeout(resolve, 100))`
fn is_promised_timeout(reading: &Reading<'_>, call: &Call<'_>, test: &Test<'_>) -> bool {
    if call.called != "setTimeout" {
        return false;
    }
    let arguments = reading.arguments(call.node);
    let (Some(then), Some(time)) = (arguments.first(), arguments.get(1)) else {
        return false;
    };
    let waits = time != "0" && then.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut above = call.node.parent();
    for _ in 0..6 {
        let Some(node) = above else { return false };
        if node.kind() == "new_expression" {
            let is_promise = reading.text(node).starts_with("new Promise");
            return waits && is_promise && is_waited_for(reading, node, test);
        }
        above = node.parent();
    }
    false
}
