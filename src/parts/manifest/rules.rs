//! Tables from keys to parts, for formats that are trees.

use serde_json::Value;

use super::entry::{Entry, Key, Part};

/// A path, with `*` for any one name, and the part that it and all below it belong to. In a table
/// the first that fits counts; what none fits is description.
pub(super) type Rule = (&'static str, Part);

/// The entries of a document: as deep as the longest rule that could fit asks for.
pub(super) fn entries(document: &Value, rules: &[Rule]) -> Vec<Entry> {
    let rules: Vec<(Vec<&str>, Part)> = rules
        .iter()
        .map(|(path, part)| (path.split('.').collect(), *part))
        .collect();
    let mut found = Vec::new();
    walk(&mut Vec::new(), document, &rules, &mut found);
    found
}

fn walk(path: &mut Key, value: &Value, rules: &[(Vec<&str>, Part)], found: &mut Vec<Entry>) {
    let goes_deeper = |path: &Key| {
        path.is_empty()
            || rules
                .iter()
                .any(|(rule, _)| rule.len() > path.len() && fits(rule, path))
    };
    match value {
        // An empty table that a rule names is an entry too: it may be what a tool looks for.
        Value::Object(table) if goes_deeper(path) && (path.is_empty() || !table.is_empty()) => {
            for (name, value) in table {
                path.push(name.clone());
                walk(path, value, rules, found);
                path.pop();
            }
        }
        _ => found.push(Entry {
            key: path.clone(),
            part: part_of(path, rules),
            value: value.clone(),
        }),
    }
}

fn part_of(path: &Key, rules: &[(Vec<&str>, Part)]) -> Part {
    rules
        .iter()
        .find(|(rule, _)| rule.len() <= path.len() && fits(rule, path))
        .map_or(Part::About, |(_, part)| *part)
}

/// Whether the names that both have are the same.
fn fits(rule: &[&str], path: &Key) -> bool {
    rule.iter()
        .zip(path)
        .all(|(rule, name)| *rule == "*" || rule == name)
}
