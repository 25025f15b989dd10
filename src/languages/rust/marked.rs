//! Tests in Rust files: items under `#[cfg(test)]` and `#[test]`, test macros, and the code in doc
//! comments.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::items::Item;
use crate::languages::syntax::{Documented, HiddenTest, children, field, named_children, said};

/// Attributes that make a test of a function, by the last word of their path.
const TEST_ATTRIBUTES: &[&str] = &[
    "bench",
    "parameterized",
    "proptest",
    "quickcheck",
    "rstest",
    "test",
    "test_case",
    "test_matrix",
    "test_log",
    "wasm_bindgen_test",
];

/// Macros that hold test functions.
const TEST_MACROS: &[&str] = &["proptest", "quickcheck"];

/// Whether an attribute makes a test of a function.
pub(super) fn is_test_attribute(attribute: Node<'_>, text: &str) -> bool {
    let (path, _) = parts(attribute, text);
    let last = path.rsplit("::").next().unwrap_or(path);
    TEST_ATTRIBUTES.contains(&last)
}

/// The path and the arguments of `#[…]`.
fn parts<'t>(attribute: Node<'_>, text: &'t str) -> (&'t str, &'t str) {
    let inside = said(attribute, text)
        .trim_start_matches(['#', '!'])
        .trim_start()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .trim();
    let end = inside.find(['(', '=']).unwrap_or(inside.len());
    let (path, arguments) = inside.split_at(end);
    (path.trim(), arguments)
}

/// `(test)` or `(all(test, …))`. `any(test, …)` also builds into the product.
fn is_test_condition(attribute: Node<'_>, text: &str) -> bool {
    let (path, arguments) = parts(attribute, text);
    if path != "cfg" {
        return false;
    }
    let plain: String = arguments.split_whitespace().collect();
    let Some(inner) = plain
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return false;
    };
    let all = inner
        .strip_prefix("all(")
        .and_then(|rest| rest.strip_suffix(')'));
    inner == "test" || all.is_some_and(|all| at_top(all).contains(&"test"))
}

/// What stands between commas outside brackets.
fn at_top(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0usize, 0);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found
}

/// Whether an item stands in the test part.
pub(super) fn is_test_part(attributes: &[Node<'_>], node: Node<'_>, text: &str) -> bool {
    let marked = attributes.iter().any(|attribute| {
        is_test_attribute(*attribute, text) || is_test_condition(*attribute, text)
    });
    if marked || !text.contains("#![cfg(") {
        return marked || is_test_macro(node, text);
    }
    let begins_with_condition = |body: Node<'_>| {
        named_children(body)
            .into_iter()
            .take_while(|child| {
                matches!(
                    child.kind(),
                    "inner_attribute_item" | "line_comment" | "block_comment"
                )
            })
            .any(|child| child.kind() == "inner_attribute_item" && is_test_condition(child, text))
    };
    let in_test_file = node
        .parent()
        .is_some_and(|root| root.kind() == "source_file" && begins_with_condition(root));
    let is_test_module = node.kind() == "mod_item"
        && node
            .child_by_field_name("body")
            .is_some_and(begins_with_condition);
    in_test_file || is_test_module || is_test_macro(node, text)
}

fn is_test_macro(node: Node<'_>, text: &str) -> bool {
    let called = match node.kind() {
        "expression_statement" => node
            .named_child(0)
            .filter(|only| only.kind() == "macro_invocation"),
        "macro_invocation" => Some(node),
        _ => None,
    };
    called.is_some_and(|called| {
        let name = field(called, "macro", text);
        let last = name.rsplit("::").next().unwrap_or(name);
        TEST_MACROS.contains(&last)
    })
}

/// Doctests and test functions in macros; none if the parts can't be told apart.
pub(super) fn hidden(root: Node<'_>, text: &str) -> Option<Vec<HiddenTest>> {
    if text.contains("cfg(") && has_test_fields(root, text) {
        return None;
    }
    let mut found = Vec::new();
    if !["```", "proptest!", "quickcheck!"]
        .iter()
        .any(|mark| text.contains(mark))
    {
        return Some(found);
    }
    let mut open = vec![root];
    while let Some(body) = open.pop() {
        doctests(body, text, &mut found)?;
        for child in named_children(body) {
            if is_test_macro(child, text) {
                found.extend(macro_tests(child, text));
            }
            open.extend(
                child
                    .child_by_field_name("body")
                    .filter(|body| holds_items(*body)),
            );
        }
    }
    found.sort_by_key(|test| test.ranges.first().map(|range| range.start));
    Some(found)
}

/// What may hold documented declarations; what is documented in a function is never run.
fn holds_items(body: Node<'_>) -> bool {
    matches!(
        body.kind(),
        "declaration_list" | "field_declaration_list" | "enum_variant_list"
    )
}

/// Whether something smaller than an item is there in tests only.
fn has_test_fields(root: Node<'_>, text: &str) -> bool {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "attribute_item" && is_test_condition(node, text) && !stands_on_item(node)
        {
            return true;
        }
        if node.kind() != "token_tree" && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

fn stands_on_item(attribute: Node<'_>) -> bool {
    attribute
        .parent()
        .is_some_and(|parent| matches!(parent.kind(), "source_file" | "declaration_list"))
}

/// `fn name` in a macro, all in the range of the macro.
fn macro_tests(node: Node<'_>, text: &str) -> Vec<HiddenTest> {
    let whole = said(node, text);
    let words: Vec<&str> = whole
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let names = words.windows(2).filter_map(|pair| match pair {
        ["fn", name] => Some((*name).to_owned()),
        _ => None,
    });
    names
        .map(|name| HiddenTest {
            name,
            path: containers(node, text),
            ranges: vec![node.byte_range()],
            documents: None,
        })
        .collect()
}

/// The names of the modules and types around a node, from outside.
fn containers(node: Node<'_>, text: &str) -> Vec<String> {
    let mut path = Vec::new();
    let mut outer = node.parent();
    while let Some(node) = outer {
        path.extend(name_of(node, text));
        outer = node.parent();
    }
    path.reverse();
    path
}

fn name_of(node: Node<'_>, text: &str) -> Option<String> {
    let named = match node.kind() {
        "impl_item" => field(node, "type", text),
        _ => field(node, "name", text),
    };
    (!named.is_empty()).then(|| named.to_owned())
}

/// The doc comments among a node's children: each run of lines with the item it documents.
fn doctests(node: Node<'_>, text: &str, found: &mut Vec<HiddenTest>) -> Option<()> {
    let all = children(node);
    let mut at = 0;
    while let Some(first) = all.get(at) {
        let comment = said(*first, text);
        let is_block_doc = comment.starts_with("/**") || comment.starts_with("/*!");
        if first.kind() == "block_comment" && is_block_doc && comment.contains("```") {
            return None;
        }
        let Some((_, is_inner)) = doc_text(*first, text) else {
            at += 1;
            continue;
        };
        let run: Vec<Node<'_>> = all
            .iter()
            .skip(at)
            .take_while(|next| doc_text(**next, text).is_some_and(|(_, inner)| inner == is_inner))
            .copied()
            .collect();
        at += run.len();
        let fences = fences(&run, text)?;
        if fences.is_empty() {
            continue;
        }
        let mut path = containers(*first, text);
        let item = all.iter().skip(at).find(|next| {
            !matches!(
                next.kind(),
                "attribute_item" | "line_comment" | "block_comment"
            )
        });
        let (name, owner) = match (is_inner, item) {
            (true, _) if node.kind() == "source_file" => (String::new(), Documented::File),
            (true, _) => (path.pop().unwrap_or_default(), Documented::Inside),
            (false, Some(item)) => (
                name_of(*item, text).unwrap_or_default(),
                Documented::Item(item.start_byte()),
            ),
            (false, None) => (String::new(), Documented::Inside),
        };
        let tests = fences.into_iter();
        found.extend(tests.map(|range| documented(&name, &path, range, owner)));
    }
    Some(())
}

fn documented(name: &str, path: &[String], range: Range<usize>, owner: Documented) -> HiddenTest {
    HiddenTest {
        name: name.to_owned(),
        path: path.to_vec(),
        ranges: vec![range],
        documents: Some(owner),
    }
}

/// The text of a doc comment line, and whether it documents what it stands in.
fn doc_text<'t>(node: Node<'_>, text: &'t str) -> Option<(&'t str, bool)> {
    if node.kind() != "line_comment" {
        return None;
    }
    let comment = said(node, text);
    let outer = comment
        .strip_prefix("///")
        .filter(|rest| !rest.starts_with('/'));
    match outer {
        Some(prose) => Some((prose, false)),
        None => comment.strip_prefix("//!").map(|prose| (prose, true)),
    }
}

/// The fenced code in a run of doc lines, from fence to fence; none if a fence stays open.
fn fences(run: &[Node<'_>], text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut open: Option<(bool, usize)> = None;
    for line in run {
        let (prose, _) = doc_text(*line, text)?;
        let Some(info) = prose.trim().strip_prefix("```") else {
            continue;
        };
        match open.take() {
            None => open = Some((is_code(info), line.start_byte())),
            Some((true, start)) => {
                let end = line.start_byte() + said(*line, text).trim_end().len();
                found.push(start..end);
            }
            Some((false, _)) => {}
        }
    }
    open.is_none().then_some(found)
}

fn is_code(info: &str) -> bool {
    info.split([',', ' '])
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .all(|word| {
            matches!(
                word,
                "rust" | "should_panic" | "no_run" | "ignore" | "compile_fail"
            ) || word.starts_with("edition")
                || word.starts_with("ignore-")
        })
}

/// The doc lines of an item, or of the file.
pub(super) fn documentation(item: Option<&Item<'_>>, root: Node<'_>) -> Option<Range<usize>> {
    let Some(item) = item else {
        let lines: Vec<Node<'_>> = children(root)
            .into_iter()
            .take_while(|node| is_doc(*node, "inner"))
            .collect();
        return Some(match (lines.first(), lines.last()) {
            (Some(first), Some(last)) => first.start_byte()..last.end_byte(),
            _ => 0..0,
        });
    };
    let mut start = item.attributes.first().copied().unwrap_or(item.node);
    let place = start.start_byte();
    let mut end = None;
    while let Some(line) = start.prev_sibling().filter(|node| is_doc(*node, "outer")) {
        end = end.or(Some(line.end_byte()));
        start = line;
    }
    Some(match end {
        Some(end) => start.start_byte()..end,
        None => place..place,
    })
}

fn is_doc(node: Node<'_>, which: &str) -> bool {
    node.kind() == "line_comment" && node.child_by_field_name(which).is_some()
}
