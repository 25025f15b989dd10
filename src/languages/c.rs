//! C, and what C++ shares with it.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, descendant_of_kind, field, named_children,
    said,
};

/// C.
pub(super) struct C;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "c",
    endings: &["c", "h"],
    test_names: TestNames {
        starts: &["test_"],
        ..TestNames::NONE
    },
    is_in_fixture: super::googletest::is_in_fixture,
    syntaxes: &[&C],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["translation_unit", "compound_statement", "declaration_list"],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["field_declaration", "enumerator"],
    added_arms: &["case_statement"],
    computing: &["call_expression"],
    added_exports: &[],
    literals: LITERALS,
    plain_collections: PLAIN_COLLECTIONS,
    guards: &["UNIT_TEST", "TESTING"],
    test_libraries: &["check.h", "unity.h", "cmocka.h", "criterion/", "CUnit/"],
};

/// Kinds of plain values.
pub(super) const LITERALS: &[&str] = &[
    "number_literal",
    "string_literal",
    "char_literal",
    "true",
    "false",
    "null",
];

/// Kinds that are plain if all their parts are.
pub(super) const PLAIN_COLLECTIONS: &[&str] = &[
    "initializer_list",
    "unary_expression",
    "parenthesized_expression",
];

impl Syntax for C {
    fn extension(&self) -> &'static [u8] {
        b"c"
    }

    #[cfg(feature = "more-languages")]
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        matches!(extension, b"c" | b"h").then(|| tree_sitter_c::LANGUAGE.into())
    }

    #[cfg(not(feature = "more-languages"))]
    fn grammar(&self, _extension: &[u8]) -> Option<tree_sitter::Language> {
        None
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        found.extend(item(node, text));
    }

    fn statement_blocks<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        conditional_blocks(node)
    }

    fn is_test(&self, item: &Item<'_>, _text: &str) -> bool {
        item.kind == Kind::Function && item.body.is_some() && item.name.starts_with("test_")
    }

    /// The process ends: C has nothing to throw. `perror` needs no include and no buffer.
    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body.filter(|_| function.name != "main")?;
        let kind = field(function.node, "type", text);
        let is_pointer = function
            .node
            .child_by_field_name("declarator")
            .is_some_and(|declarator| declarator.kind() == "pointer_declarator");
        let is_struct = kind.starts_with("struct") || kind.starts_with("union");
        let says = match (answer.empty, kind, is_pointer) {
            (true, "void", false) => "if (1) return;".to_owned(),
            (true, _, true) => "if (1) return 0;".to_owned(),
            (true, _, false) if !is_struct && is_arithmetic(kind) => "if (1) return 0;".to_owned(),
            (true | false, _, _) => format!(
                "{{ extern void perror(const char *); extern void abort(void); if (1) {{ perror(\"{}\"); abort(); }} }}",
                answer.message
            ),
        };
        Some(vec![Edit::insert(
            body.start_byte() + 1,
            format!(" {says}"),
        )])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        includes(node, text)
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        is_plain_directive(node)
    }

    fn declares(&self, value: Node<'_>, text: &str) -> bool {
        is_plain_macro(value, text)
    }
}

fn is_arithmetic(kind: &str) -> bool {
    let words = [
        "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool",
        "size_t", "ssize_t",
    ];
    kind.split_whitespace()
        .all(|word| words.contains(&word) || word.starts_with("int") || word.starts_with("uint"))
}

/// The items inside `#if`.
pub(super) fn conditional_blocks(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        "preproc_ifdef" | "preproc_if" | "preproc_else" | "preproc_elif" => vec![node],
        _ => Vec::new(),
    }
}

pub(super) fn is_plain_directive(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "preproc_ifdef" | "preproc_if" | "preproc_else" | "preproc_elif" | "preproc_call"
    )
}

/// A macro for a number or a text.
pub(super) fn is_plain_macro(value: Node<'_>, text: &str) -> bool {
    let said = said(value, text).trim();
    value.kind() == "preproc_arg"
        && (said.starts_with('"') || said.parse::<f64>().is_ok() || said.starts_with("0x"))
}

pub(super) fn includes(node: Node<'_>, text: &str) -> Vec<Import> {
    let from = field(node, "path", text).trim_matches(['"', '<', '>']);
    vec![Import {
        name: String::new(),
        statement: said(node, text).trim().to_owned(),
        from: from.to_owned(),
        gives_away: false,
    }]
}

/// The name that a declarator declares.
pub(super) fn declared<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    let mut node = node;
    while let Some(inner) = node.child_by_field_name("declarator") {
        node = inner;
    }
    let plain = descendant_of_kind(
        node,
        &[
            "identifier",
            "field_identifier",
            "destructor_name",
            "operator_name",
        ],
    );
    match node.kind() {
        "qualified_identifier" => said(node, text),
        _ => plain.map_or(said(node, text), |name| said(name, text)),
    }
}

/// What a declaration of C is.
pub(super) fn item<'t>(node: Node<'t>, text: &'t str) -> Option<Found<'t>> {
    Some(match node.kind() {
        "preproc_include" => Found::new(Kind::Import, "", node),
        "preproc_def" => {
            let value = node.child_by_field_name("value");
            let kind = if value.is_some() {
                Kind::Value
            } else {
                Kind::Type
            };
            Found::new(kind, field(node, "name", text), node).body(value)
        }
        "function_definition" => Found::new(Kind::Function, declared(node, text), node)
            .body(node.child_by_field_name("body")),
        "declaration" | "field_declaration" => declaration(node, text),
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            Found::new(Kind::Type, field(node, "name", text), node)
        }
        "type_definition" | "alias_declaration" | "using_declaration" => {
            Found::new(Kind::Type, said(node, text), node)
        }
        "identifier" | "preproc_arg" | ";" | "access_specifier" => return None,
        _ => Found::new(Kind::Statement, "", node),
    })
}

fn declaration<'t>(node: Node<'t>, text: &'t str) -> Found<'t> {
    let name = declared(node, text);
    let value = descendant_of_kind(node, &["init_declarator"])
        .and_then(|declarator| declarator.child_by_field_name("value"))
        .or_else(|| node.child_by_field_name("default_value"));
    let is_function = named_children(node)
        .into_iter()
        .any(|child| descendant_of_kind(child, &["function_declarator"]).is_some());
    match (value, is_function) {
        (Some(_), _) => Found::new(Kind::Value, name, node).body(value),
        (None, true) => Found::new(Kind::Function, name, node).mark("signature"),
        (None, false) => Found::new(Kind::Type, name, node),
    }
}
