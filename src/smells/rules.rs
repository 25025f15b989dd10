//! The rules about a test, and about source that knows of its tests.

use tree_sitter::Node;

use super::Finding;
use super::looks;
use super::tables::Table;
use super::tautology;
use super::tree::{Call, Reading, Test};
use super::words;
use crate::policy::smell::{ASSERTIONS, BEHAVIOURS, MOCKS, Rule};

/// How much of the code a finding quotes.
const QUOTED: usize = 60;

/// What is wrong with the tests of a file.
pub(super) fn of_tests(table: &Table, reading: &Reading<'_>) -> Vec<Finding> {
    let helpers = reading.asserting_functions();
    let mut found = Vec::new();
    for test in &reading.tests {
        // What does not parse may mean anything.
        if test.node.has_error() {
            continue;
        }
        if looks::at_nothing(table, reading, test, &helpers) && !is_excused(table, reading, test) {
            found.push(at(reading, Rule::NoAssertion, test.node, Some(test)));
        }
        found.extend(too_many(table, reading, test));
        found.extend(sleeping(reading, test));
    }
    found.extend(tautology::find(reading));
    found.extend(switched(table, reading));
    found.sort_by_key(|finding| (finding.line, finding.rule));
    found
}

/// Whether it is worth parsing a source file at all.
pub(super) fn may_know_of_tests(table: &Table, content: &str) -> bool {
    table.test_aware.iter().any(|words| content.contains(words))
}

/// Source that asks whether it is being tested.
pub(super) fn of_source(
    table: &Table,
    content: &str,
    is_test: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for words in table.test_aware {
        for (at, _) in content.match_indices(words) {
            let line_start = content[..at].rfind('\n').map_or(0, |end| end + 1);
            let before = content[line_start..at].trim_start();
            let is_comment = ["//", "#", "*", "\"\"\""]
                .iter()
                .any(|start| before.starts_with(start) && !before.starts_with("#["));
            if is_comment || is_test(at) {
                continue;
            }
            found.push(Finding {
                rule: Rule::TestAwareSource,
                line: line_at(content, at),
                test: None,
                quoted: (*words).to_owned(),
                count: 1,
            });
        }
    }
    found
}

fn line_at(content: &str, at: usize) -> usize {
    content[..at].matches('\n').count() + 1
}

/// A finding at a node.
pub(super) fn at(
    reading: &Reading<'_>,
    rule: Rule,
    node: Node<'_>,
    test: Option<&Test<'_>>,
) -> Finding {
    let first_line = reading.text(node).lines().next().unwrap_or_default();
    Finding {
        rule,
        line: node.start_position().row + 1,
        test: test.map(|test| test.name.clone()),
        quoted: first_line.trim().chars().take(QUOTED).collect(),
        count: 1,
    }
}

/// A test that does not run, or that is to fail, need not assert.
fn is_excused(table: &Table, reading: &Reading<'_>, test: &Test<'_>) -> bool {
    let marks = reading.marks_in(&test.range);
    let is_named = |names: &[&str]| {
        let named = |mark: &Node<'_>| names.iter().any(|name| reading.text(*mark).contains(name));
        marks.iter().any(named)
    };
    words::expects_no_error(&test.name)
        || reading.text(test.node).contains("@ts-expect-error")
        || is_named(table.asserting_marks)
        || is_named(table.skip_marks)
        || reading.calls_in(&test.range).iter().any(|call| {
            let head = words::head(&call.called);
            table.skips.contains(&head) || table.skips_inside.contains(&head)
        })
}

fn too_many(table: &Table, reading: &Reading<'_>, test: &Test<'_>) -> Vec<Finding> {
    let is_own = |node: &Node<'_>| {
        reading
            .test_at(node.start_byte())
            .is_some_and(|innermost| innermost.node == test.node)
    };
    let mocks = reading
        .calls_in(&test.range)
        .iter()
        .filter(|call| is_own(&call.node) && is_mock(table, call))
        .count();
    let assertions: Vec<Node<'_>> = reading
        .assertions_in(&test.range)
        .iter()
        .filter(|node| is_own(node))
        .copied()
        .collect();
    let rounds = rounds(test, &assertions);
    // Many rounds have many assertions: that is one thing to mend, not two.
    let asserted = match rounds > BEHAVIOURS {
        true => 0,
        false => assertions.len(),
    };
    [
        (Rule::ManyMocks, mocks, MOCKS),
        (Rule::ManyAssertions, asserted, ASSERTIONS),
        (Rule::ManyBehaviours, rounds, BEHAVIOURS),
    ]
    .into_iter()
    .filter(|(_, count, most)| count > most)
    .map(|(rule, count, _)| Finding {
        count,
        ..at(reading, rule, test.node, Some(test))
    })
    .collect()
}

fn is_mock(table: &Table, call: &Call<'_>) -> bool {
    let head = words::head(&call.called).trim_start_matches("unittest.");
    // Generated doubles: `MockStore::new`, `mocks.NewMockStore`, `NewMockStore`.
    let made = head.rsplit_once("::").map_or(head, |(kind, _)| kind);
    let name = made.rsplit(['.', ':']).next().unwrap_or(made);
    let is_generated = ["Mock", "NewMock"].iter().any(|start| {
        let rest = name.strip_prefix(start).unwrap_or_default();
        rest.starts_with(char::is_uppercase)
    });
    table.mocks.contains(&head) || is_generated
}

/// How often a test acts and then asserts, by the statements of its body.
fn rounds(test: &Test<'_>, assertions: &[Node<'_>]) -> usize {
    let mut rounds = 0;
    let mut was_assertion = false;
    for statement in looks::statements(test.body) {
        let range = statement.byte_range();
        let asserts = assertions
            .iter()
            .any(|node| range.contains(&node.start_byte()));
        rounds += usize::from(asserts && !was_assertion);
        was_assertion = asserts;
    }
    rounds
}

fn sleeping(reading: &Reading<'_>, test: &Test<'_>) -> Vec<Finding> {
    if words::turns_the_clock(reading.text_in(&test.range)) {
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
            let sleeps = words::sleeps(&call.called) && is_done_by_test(call.node, test);
            sleeps || is_promised_timeout(reading, call, test)
        })
        // Sleeping for no time only lets others run.
        .filter(|call| {
            reading
                .arguments(call.node)
                .first()
                .is_some_and(|time| time != "0")
        })
        .map(|call| at(reading, Rule::SleepingTest, call.node, Some(test)))
        .collect()
}

/// Whether the test itself makes a call: functions in it may run elsewhere, or never.
fn is_done_by_test(call: Node<'_>, test: &Test<'_>) -> bool {
    #[rustfmt::skip]
    const FUNCTIONS: &[&str] = &[
        "function_definition", "lambda", "arrow_function", "function_expression",
        "closure_expression", "async_block", "func_literal", "lambda_expression",
        "anonymous_function", "do_block", "block",
    ];
    let mut above = call.parent();
    while let Some(node) = above {
        if node == test.body || node == test.node {
            return true;
        }
        // In Ruby a block is a function, elsewhere it is just braces.
        let is_block = node.kind().ends_with("block") && node.kind() != "async_block";
        let is_function = !is_block || node.parent().is_some_and(|parent| parent.kind() == "call");
        if FUNCTIONS.contains(&node.kind()) && is_function {
            return false;
        }
        above = node.parent();
    }
    true
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
            return waits && is_promise && is_done_by_test(node, test);
        }
        above = node.parent();
    }
    false
}

/// Tests that are switched off, or that switch the others off.
fn switched(table: &Table, reading: &Reading<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for mark in &reading.marks {
        let name = mark_name(reading.text(*mark));
        let test = reading.test_at(mark.start_byte());
        if table.skip_marks.contains(&name) && !test.is_some_and(|test| is_chosen(reading, test)) {
            found.push(at(reading, Rule::SkippedTest, *mark, test));
        }
    }
    for call in &reading.calls {
        let head = words::head(&call.called);
        let test = reading.test_at(call.node.start_byte());
        let declares = reading.arguments(call.node).len() >= 2 || head == call.called;
        let ends_test = table.skips_inside.contains(&head)
            && test.is_some_and(|test| is_unconditional(call.node, test));
        let has_name = !reading.arguments(call.node).is_empty();
        let is_declared = declares && has_name && !call.called.is_empty();
        if ends_test || (is_declared && table.skips.contains(&head) && declares_more(reading, call))
        {
            found.push(at(reading, Rule::SkippedTest, call.node, test));
        }
        if is_declared && table.focuses.contains(&head) && declares_more(reading, call) {
            found.push(at(reading, Rule::FocusedTest, call.node, test));
        }
    }
    found
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
