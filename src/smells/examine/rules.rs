//! The rules about a test, and about source that knows of its tests.

use tree_sitter::Node;

use super::looks;
use super::sleeping;
use super::switched;
use super::tautology;
use super::tree::{Call, Reading, Test};
use super::words;
use crate::languages::test_words::TestWords;
use crate::rules::smell::{ASSERTIONS, BEHAVIOURS, MOCKS, Rule};
use crate::smells::Finding;

/// How much of the code a finding quotes.
const QUOTED: usize = 60;

/// What is wrong with the tests of a file.
pub(super) fn of_tests(reading: &Reading<'_>) -> Vec<Finding> {
    let helpers = reading.asserting_functions();
    let mut found = Vec::new();
    for test in &reading.tests {
        // What does not parse may mean anything.
        if test.node.has_error() {
            continue;
        }
        if looks::at_nothing(reading, test, &helpers) && !is_excused(reading, test) {
            found.push(at(reading, Rule::NoAssertion, test.node, Some(test)));
        }
        found.extend(too_many(reading, test));
        found.extend(sleeping::find(reading, test));
    }
    found.extend(tautology::find(reading));
    found.extend(switched::find(reading));
    found.sort_by_key(|finding| (finding.line, finding.rule));
    found
}

/// Whether it is worth parsing a source file at all.
pub(super) fn may_know_of_tests(words: &TestWords, content: &str) -> bool {
    words.test_aware.iter().any(|words| content.contains(words))
}

/// Source that asks whether it is being tested.
pub(super) fn of_source(
    words: &TestWords,
    content: &str,
    is_test: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for words in words.test_aware {
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
fn is_excused(reading: &Reading<'_>, test: &Test<'_>) -> bool {
    let marks = reading.marks_in(&test.range);
    let is_named = |names: &[&str]| {
        let named = |mark: &Node<'_>| names.iter().any(|name| reading.text(*mark).contains(name));
        marks.iter().any(named)
    };
    words::expects_no_error(&test.name)
        || reading.text(test.node).contains("@ts-expect-error")
        || is_named(reading.words.asserting_marks)
        || is_named(reading.words.skip_marks)
        || reading.calls_in(&test.range).iter().any(|call| {
            let head = words::head(&call.called);
            reading.words.skips.contains(&head) || reading.words.skips_inside.contains(&head)
        })
}

fn too_many(reading: &Reading<'_>, test: &Test<'_>) -> Vec<Finding> {
    let is_own = |node: &Node<'_>| {
        reading
            .test_at(node.start_byte())
            .is_some_and(|innermost| innermost.node == test.node)
    };
    let mocks = reading
        .calls_in(&test.range)
        .iter()
        .filter(|call| is_own(&call.node) && is_mock(reading.words, call))
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

fn is_mock(words: &TestWords, call: &Call<'_>) -> bool {
    let head = words::head(&call.called).trim_start_matches("unittest.");
    // Generated doubles: `MockStore::new`, `mocks.NewMockStore`, `NewMockStore`.
    let made = head.rsplit_once("::").map_or(head, |(kind, _)| kind);
    let name = made.rsplit(['.', ':']).next().unwrap_or(made);
    let is_generated = ["Mock", "NewMock"].iter().any(|start| {
        let rest = name.strip_prefix(start).unwrap_or_default();
        rest.starts_with(char::is_uppercase)
    });
    words.mocks.contains(&head) || is_generated
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
