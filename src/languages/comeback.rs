//! Names that the new file dropped and that functions taken from the old one need.

use std::collections::BTreeSet;

use super::code::Code;
use super::items::Item;
use super::syntax::{Edit, Kind};
use super::tokens::tokens;

/// What stands before the imports of a file.
const BEFORE_IMPORTS: &[&str] = &[
    "package_clause",
    "package_declaration",
    "future_import_statement",
    "inner_attribute_item",
    "namespace_definition",
    "declare_statement",
];

/// An item that comes back, and how.
pub(super) struct Back<'a, 't> {
    pub(super) item: &'a Item<'t>,
    pub(super) edit: Edit,
}

/// All items of the old file that are needed and that the new one lacks.
pub(super) fn dropped<'a, 't>(
    (old, old_items): (&'t Code, &'a [Item<'t>]),
    (new, new_items): (&'t Code, &'a [Item<'t>]),
    taken: &[&Item<'t>],
) -> Vec<Back<'a, 't>> {
    let mut needed = BTreeSet::new();
    for item in taken {
        needed.extend(names(old, item));
    }
    let mut back: Vec<usize> = Vec::new();
    loop {
        let more = old_items.iter().enumerate().find(|(at, item)| {
            !back.contains(at)
                && can_come_back(item)
                && needed.contains(&item.name)
                && !is_there(new_items, old_items, item)
        });
        let Some((at, item)) = more else {
            break;
        };
        needed.extend(names(old, item));
        back.push(at);
    }
    back.sort_unstable();
    back.into_iter()
        .filter_map(|at| {
            let item = old_items.get(at)?;
            let edit = place((old, old_items), (new, new_items), at)?;
            Some(Back { item, edit })
        })
        .collect()
}

fn can_come_back(item: &Item<'_>) -> bool {
    let is_declared = match item.kind {
        Kind::Function | Kind::Container | Kind::Type | Kind::Value | Kind::Import => true,
        Kind::Statement => false,
    };
    is_declared && !item.is_test_part && !item.is_part
}

/// Whether the new file has the name, or the container around it has to come back first.
fn is_there(new_items: &[Item<'_>], old_items: &[Item<'_>], item: &Item<'_>) -> bool {
    let has_name = new_items
        .iter()
        .any(|other| other.path == item.path && other.name == item.name && !other.is_test_part);
    let lacks_container = item
        .parent
        .and_then(|at| old_items.get(at))
        .is_some_and(|parent| !new_items.iter().any(|other| other.key == parent.key));
    has_name || lacks_container
}

fn names<'t>(code: &'t Code, item: &Item<'t>) -> Vec<String> {
    item.attributes
        .iter()
        .chain([&item.node])
        .flat_map(|node| tokens(code.syntax, *node, &code.text))
        .filter(|token| token.is_name)
        .map(|token| token.text.into_owned())
        .filter(|name| *name != item.name)
        .collect()
}

fn place<'t>(
    (old, old_items): (&'t Code, &[Item<'t>]),
    (new, new_items): (&'t Code, &[Item<'t>]),
    at: usize,
) -> Option<Edit> {
    let item = old_items.get(at)?;
    if let Some(import) = &item.import {
        let first = new_items
            .iter()
            .find(|other| !BEFORE_IMPORTS.contains(&other.node.kind()))?;
        let start = line_start(&new.text, first.range.start);
        return Some(Edit::insert(start, format!("{}\n", import.statement)));
    }
    let text = old.text.get(item.range.clone())?;
    let indent = " ".repeat(item.node.start_position().column);
    let before = old_items
        .get(..at)?
        .iter()
        .rev()
        .filter(|other| other.parent == item.parent && other.kind != Kind::Import)
        .find_map(|other| {
            new_items
                .iter()
                .find(|now| now.key == other.key && !now.is_part)
        });
    if let Some(sibling) = before {
        let end = statement_end(&new.text, sibling.range.end);
        return Some(Edit::insert(end, format!("\n\n{indent}{text}\n")));
    }
    let parent_key = item
        .parent
        .and_then(|parent| old_items.get(parent))
        .map(|parent| parent.key.as_str());
    let first = new_items.iter().find(|other| {
        let key = other.parent.and_then(|parent| new_items.get(parent));
        key.map(|parent| parent.key.as_str()) == parent_key
            && other.kind != Kind::Import
            && !BEFORE_IMPORTS.contains(&other.node.kind())
    })?;
    let start = line_start(&new.text, first.range.start);
    Some(Edit::insert(start, format!("{indent}{text}\n\n")))
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1)
}

/// The end of the line where a statement ends, if nothing else stands there.
fn statement_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let after = line.trim_start_matches([';', ',']).trim();
    let is_free = after.is_empty() || after.starts_with("//") || after.starts_with('#');
    match is_free {
        true => at + line.len(),
        false => at,
    }
}
