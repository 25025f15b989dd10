//! Names: what a file declares, whether tests differ by names only, which libraries it names.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, parse};
use super::language::Language;
use super::syntax::{Kind, named_children, said};
use super::tokens::tokens;

/// Names declared at top level or as members: functions, classes, methods, constants, types.
pub fn declared_names(code: &Code) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in code.items() {
        match item.kind {
            Kind::Function | Kind::Container | Kind::Type | Kind::Value => {
                let names = item.name.split([',', ' ']).filter(|name| !name.is_empty());
                found.extend(names.map(str::to_owned));
            }
            Kind::Import | Kind::Statement => {}
        }
    }
    found
}

/// Whether two test files or bodies are the same but for a one-to-one renaming (old to new).
pub fn same_but_for_names(
    old: &str,
    new: &str,
    language: Language,
    renamed: &BTreeMap<String, String>,
) -> bool {
    let Some(syntax) = language.0.syntaxes.first().copied() else {
        return false;
    };
    let targets: BTreeSet<&String> = renamed.values().collect();
    if targets.len() != renamed.len() {
        return false;
    }
    let trees: Vec<_> = [old, new]
        .into_iter()
        .filter_map(|text| parse(syntax, syntax.extension(), text))
        .collect();
    let [before, after] = trees.as_slice() else {
        return false;
    };
    let before = tokens(syntax, before.root_node(), old);
    let after = tokens(syntax, after.root_node(), new);
    before.len() == after.len()
        && before.iter().zip(&after).all(|(a, b)| {
            let (was, is) = (a.text.as_ref(), b.text.as_ref());
            match renamed.get(was) {
                Some(name) if a.is_name => name == is && b.is_name,
                // A name that stays must not be one that another became.
                Some(_) | None => {
                    was == is && !(a.is_name && targets.contains(&b.text.to_string()))
                }
            }
        })
}

/// Whether source names a test library or runner among its imports.
pub fn names_test_library(code: &Code) -> bool {
    let libraries = code.syntax.words().test_libraries;
    let is_library = |from: &str| {
        libraries.iter().any(|library| {
            from.strip_prefix(library)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let imports = code.items().into_iter().any(|item| {
        !item.is_test_part && item.import.is_some_and(|import| is_library(&import.from))
    });
    imports || requires(code, &is_library)
}

/// Names in texts that some call loads: `require("vitest")`, `importlib.import_module("pytest")`.
fn requires(code: &Code, is_library: &dyn Fn(&str) -> bool) -> bool {
    let mut open = vec![code.root()];
    while let Some(node) = open.pop() {
        let called = said(node, &code.text);
        let loads = matches!(
            node.kind(),
            "call"
                | "call_expression"
                | "function_call_expression"
                | "import_from_statement"
                | "import_statement"
        ) && ["require", "import", "__import__", "importlib", "from"]
            .iter()
            .any(|word| called.starts_with(word));
        if loads {
            let mut parts = called.split(['"', '\'', ' ', '(']);
            if parts.any(is_library) {
                return true;
            }
        }
        open.extend(named_children(node));
    }
    false
}
