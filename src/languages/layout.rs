//! Tokens that formatters put in and take out: trailing commas, parentheses around a whole value.

use tree_sitter::Node;

use super::syntax::{children, said};

/// Kinds in which one comma makes a tuple, or may mean something to a macro.
const ONE_COMMA_COUNTS: &[&str] = &[
    "tuple",
    "tuple_expression",
    "tuple_type",
    "tuple_pattern",
    "subscript",
    "token_tree",
];

/// What a value may stand in as a whole, in parentheses or without.
const HOLDS_A_VALUE: &[&str] = &[
    "return_statement",
    "raise_statement",
    "throw_statement",
    "assert_statement",
    "assignment",
    "augmented_assignment",
    "assignment_expression",
    "variable_declarator",
    "keyword_argument",
    "pair",
    "arrow_function",
];

/// Whether a child of a node says nothing where it stands.
pub(super) fn is_layout(
    (parent, node): (Option<Node<'_>>, Node<'_>),
    all: &[Node<'_>],
    at: usize,
    text: &str,
) -> bool {
    let kind = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", Node::kind);
    match kind(Some(at)) {
        "," => {
            let ends = matches!(kind(Some(at + 1)), ")" | "]" | "}" | ">")
                || (node.kind() == "match_arm" && at + 1 == all.len());
            let is_hole = matches!(kind(at.checked_sub(1)), "," | "(" | "[" | "{" | "");
            ends && !is_hole && !needs_its_comma(parent, node, all)
        }
        "(" | ")" => parent.is_some_and(|parent| may_go_without_parentheses(parent, node, text)),
        _ => false,
    }
}

fn needs_its_comma(parent: Option<Node<'_>>, node: Node<'_>, all: &[Node<'_>]) -> bool {
    let is_call = parent.is_some_and(|parent| parent.kind() == "macro_invocation");
    let commas = all.iter().filter(|child| child.kind() == ",").count();
    ONE_COMMA_COUNTS.contains(&node.kind()) && !is_call && commas < 2
}

fn may_go_without_parentheses(parent: Node<'_>, node: Node<'_>, text: &str) -> bool {
    let inner = || children(node).into_iter().filter(Node::is_named);
    match node.kind() {
        // `let x = (a, b)` declares one name, `let x = a, b` two.
        "parenthesized_expression" => {
            HOLDS_A_VALUE.contains(&parent.kind())
                && inner().all(|child| child.kind() != "sequence_expression")
        }
        // Without a comma it is nothing at all.
        "tuple" => {
            matches!(parent.kind(), "return_statement" | "assignment") && inner().next().is_some()
        }
        "formal_parameters" if parent.kind() == "arrow_function" => {
            let is_name = |child: Node<'_>| {
                let word = said(child, text);
                word.chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
            };
            inner().count() == 1 && inner().all(is_name)
        }
        _ => false,
    }
}
