//! Whether a line of a test file belongs to what runs before or after each test, for runners that
//! tell no more of a failure than its place.

use tree_sitter::Node;

use super::code::parse;
use super::syntax::{Syntax, children};

/// What a piece of a test file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// It runs before or after tests.
    Fixture,
    /// It is one.
    Test,
}

/// Whether a line, counted from 1, is in a fixture and in no test.
pub(super) fn is_in_fixture(syntax: &dyn Syntax, source: &str, line: usize) -> bool {
    let Some(tree) = parse(syntax, syntax.extension(), source) else {
        return false;
    };
    let row = line.saturating_sub(1);
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if (node.start_position().row..=node.end_position().row).contains(&row) {
            found.extend(syntax.frames_tests(node, source));
            open.extend(children(node));
        }
    }
    found.contains(&Frame::Fixture) && !found.contains(&Frame::Test)
}
