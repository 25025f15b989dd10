//! Nodes of a syntax tree: where they are, and what is written there.

use std::ops::Range;

use tree_sitter::Node;

/// Whether a node lies in one of the ranges.
pub(super) fn is_in(ranges: &[Range<usize>], node: Node<'_>) -> bool {
    ranges
        .iter()
        .any(|range| range.contains(&node.start_byte()))
}

/// The nodes, in order, that begin within a range of the file.
pub(super) fn nodes_in<'n, 't>(nodes: &'n [Node<'t>], range: &Range<usize>) -> &'n [Node<'t>] {
    let start = nodes.partition_point(|node| node.start_byte() < range.start);
    let end = nodes.partition_point(|node| node.start_byte() < range.end);
    nodes.get(start..end).unwrap_or_default()
}

/// What is written in a range of the file.
pub(super) fn text_of(content: &[u8], range: Range<usize>) -> &str {
    let bytes = content.get(range).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The node that holds the arguments of a call.
pub(super) fn arguments(call: Node<'_>) -> Option<Node<'_>> {
    call.child_by_field_name("arguments").or_else(|| {
        let mut cursor = call.walk();
        call.named_children(&mut cursor)
            .find(|node| matches!(node.kind(), "token_tree" | "argument_list" | "do_block"))
    })
}

/// The arguments of a macro, which are tokens without a grammar.
pub(super) fn split_tokens(tree: &str) -> Vec<String> {
    let inside = tree
        .trim()
        .trim_start_matches(['(', '[', '{'])
        .trim_end_matches([')', ']', '}']);
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut parts = vec![String::new()];
    for c in inside.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let trimmed = parts.iter().map(|part| part.trim().to_owned());
    trimmed.filter(|part| !part.is_empty()).collect()
}

/// The name of a test without its quotes, on one line.
pub(super) fn plain_name(text: &str) -> String {
    const LONGEST: usize = 80;
    let name = text.trim_matches(['"', '\'', '`']);
    let one_line: Vec<&str> = name.split_whitespace().collect();
    one_line.join(" ").chars().take(LONGEST).collect()
}

/// The range of a test with the decorators and attributes that belong to it.
pub(super) fn with_marks(test: Node<'_>) -> Range<usize> {
    let whole = test
        .parent()
        .filter(|parent| parent.kind() == "decorated_definition")
        .unwrap_or(test);
    let mut start = whole.start_byte();
    let mut before = whole.prev_named_sibling();
    while let Some(node) = before {
        let belongs = node.kind() == "attribute_item" || node.kind().contains("comment");
        if !belongs {
            break;
        }
        start = node.start_byte();
        before = node.prev_named_sibling();
    }
    start..whole.end_byte()
}

pub(super) fn is_within_function(node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(parent) = above {
        if matches!(
            parent.kind(),
            "function_definition" | "function_item" | "method"
        ) {
            return true;
        }
        above = parent.parent();
    }
    false
}
