//! The names that imports and exports of JavaScript and TypeScript bind.

use tree_sitter::Node;

use crate::languages::syntax::{Import, child_of_kind, children, field, named_children, said};

/// `require("…")`, or a member of it.
pub(super) fn is_require(value: Node<'_>, text: &str) -> bool {
    match value.kind() {
        "member_expression" => value
            .child_by_field_name("object")
            .is_some_and(|object| is_require(object, text)),
        "call_expression" => {
            let given = value.child_by_field_name("arguments").map(named_children);
            field(value, "function", text) == "require"
                && given.is_some_and(
                    |given| matches!(given.as_slice(), [one] if one.kind() == "string"),
                )
        }
        _ => false,
    }
}

/// The names that an import or a list of exports binds.
pub(super) fn imports(node: Node<'_>, text: &str) -> Vec<Import> {
    match node.kind() {
        "export_statement" => exports(node, text),
        "variable_declarator" => required(node, text),
        _ => imported(node, text),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// Whether a module is not of this project, as far as its name tells.
fn is_outside(from: &str) -> bool {
    !from.starts_with(['.', '/', '~', '#']) && !from.starts_with("@/") && !from.starts_with("src/")
}

fn imported(node: Node<'_>, text: &str) -> Vec<Import> {
    let is_type = children(node).iter().any(|child| child.kind() == "type");
    let word = if is_type { "import type" } else { "import" };
    let source = field(node, "source", text);
    let one = |name: &str, spelled: String| Import {
        name: name.to_owned(),
        statement: format!("{word} {spelled} from {source};"),
        from: unquoted(source).to_owned(),
        gives_away: false,
    };
    let Some(clause) = child_of_kind(node, &["import_clause"]) else {
        let from = match child_of_kind(node, &["import_require_clause"]) {
            Some(clause) => field(clause, "source", text),
            None => source,
        };
        return vec![Import {
            name: String::new(),
            statement: said(node, text).trim_end_matches(';').to_owned() + ";",
            from: unquoted(from).to_owned(),
            gives_away: false,
        }];
    };
    let mut found = Vec::new();
    for child in named_children(clause) {
        match child.kind() {
            "identifier" => found.push(one(said(child, text), said(child, text).to_owned())),
            "namespace_import" => {
                let name = said(child, text).rsplit(' ').next().unwrap_or_default();
                found.push(one(name, format!("* as {name}")));
            }
            "named_imports" => {
                for specifier in named_children(child) {
                    let (name, alias) = (
                        field(specifier, "name", text),
                        field(specifier, "alias", text),
                    );
                    let bound = if alias.is_empty() { name } else { alias };
                    if specifier.kind() == "import_specifier" {
                        found.push(one(bound, format!("{{ {} }}", said(specifier, text))));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn exports(node: Node<'_>, text: &str) -> Vec<Import> {
    let source = field(node, "source", text);
    let is_type = children(node).iter().any(|child| child.kind() == "type");
    let word = if is_type { "export type" } else { "export" };
    let tail = match source.is_empty() {
        true => String::new(),
        false => format!(" from {source}"),
    };
    let comes_from_outside = |name: &str| match source.is_empty() {
        true => outside_names(node, text).contains(&name),
        false => is_outside(unquoted(source)),
    };
    let one = |name: &str, local: &str, spelled: &str| Import {
        name: format!("export {name}"),
        statement: format!("{word} {spelled}{tail};"),
        from: unquoted(source).to_owned(),
        gives_away: !is_type && comes_from_outside(local),
    };
    let Some(clause) = child_of_kind(node, &["export_clause"]) else {
        let spelled = child_of_kind(node, &["namespace_export"]).map_or("*", |all| said(all, text));
        return vec![one("*", "*", spelled)];
    };
    named_children(clause)
        .into_iter()
        .filter(|child| child.kind() == "export_specifier")
        .map(|child| {
            let name = field(child, "name", text);
            one(name, name, &format!("{{ {} }}", said(child, text)))
        })
        .collect()
}

/// The names that the file imports from outside the project.
pub(super) fn outside_names<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let mut root = node;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    let mut found = Vec::new();
    for statement in named_children(root) {
        let named: Vec<Node<'_>> = match statement.kind() {
            "import_statement" if is_outside(unquoted(field(statement, "source", text))) => {
                vec![statement]
            }
            "lexical_declaration" | "variable_declaration" => named_children(statement)
                .into_iter()
                .filter(|one| requires_outside(*one, text))
                .filter_map(|one| one.child_by_field_name("name"))
                .collect(),
            _ => Vec::new(),
        };
        let mut open = named;
        while let Some(node) = open.pop() {
            if matches!(
                node.kind(),
                "identifier" | "shorthand_property_identifier_pattern"
            ) {
                found.push(said(node, text));
            }
            open.extend(named_children(node));
        }
    }
    found
}

fn requires_outside(declarator: Node<'_>, text: &str) -> bool {
    let Some(value) = declarator.child_by_field_name("value") else {
        return false;
    };
    let from = said(value, text).split(['"', '\'', '`']).nth(1);
    is_require(value, text) && from.is_some_and(is_outside)
}

/// `const { a, b } = require("c")`.
fn required(node: Node<'_>, text: &str) -> Vec<Import> {
    let value = field(node, "value", text);
    let from = value.split(['"', '\'', '`']).nth(1).unwrap_or_default();
    let one = |name: &str, spelled: String| Import {
        name: name.to_owned(),
        statement: format!("const {spelled} = {value};"),
        from: from.to_owned(),
        gives_away: false,
    };
    let Some(pattern) = node.child_by_field_name("name") else {
        return Vec::new();
    };
    if pattern.kind() != "object_pattern" {
        let name = said(pattern, text);
        return vec![one(name, name.to_owned())];
    }
    named_children(pattern)
        .into_iter()
        .map(|child| {
            let name = match child.child_by_field_name("value") {
                Some(value) => said(value, text),
                None => said(child, text),
            };
            one(name, format!("{{ {} }}", said(child, text)))
        })
        .collect()
}
