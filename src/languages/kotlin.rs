//! Kotlin.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, descendant_of_kind,
    named_children, said,
};

/// Kotlin.
pub(super) struct Kotlin;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "kotlin",
    endings: &["kt", "kts"],
    interpreters: &["kotlin"],
    test_names: TestNames {
        camel_ends: &["Test", "Tests", "TestCase", "Spec", "IT"],
        camel_starts: &["Test"],
        ..TestNames::NONE
    },
    syntaxes: &[&Kotlin],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["line_comment", "block_comment", "multiline_comment"],
    blocks: &["source_file", "block", "class_body", "enum_class_body"],
    strings: &[],
    free_semicolons: true,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["enum_entry", "class_parameter"],
    added_arms: &["when_entry"],
    computing: &["call_expression", "lambda_literal"],
    added_exports: &[],
    literals: &[
        "number_literal",
        "float_literal",
        "string_literal",
        "character_literal",
        "boolean_literal",
        "null",
    ],
    plain_collections: &["unary_expression", "parenthesized_expression"],
    guards: &["\"junit\""],
    test_libraries: &[
        "org.junit",
        "kotlin.test",
        "io.kotest",
        "io.mockk",
        "org.mockito",
    ],
};

const TEST_ANNOTATIONS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory"];

impl Syntax for Kotlin {
    fn extension(&self) -> &'static [u8] {
        b"kt"
    }

    #[cfg(feature = "more-languages")]
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        matches!(extension, b"kt" | b"kts").then(|| tree_sitter_kotlin_ng::LANGUAGE.into())
    }

    #[cfg(not(feature = "more-languages"))]
    fn grammar(&self, _extension: &[u8]) -> Option<tree_sitter::Language> {
        None
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let name = name(node, text);
        let body = child_of_kind(node, &["class_body", "enum_class_body"]);
        let one = match node.kind() {
            "import" => Found::new(Kind::Import, "", node),
            "class_declaration" | "object_declaration" | "companion_object" => {
                Found::new(Kind::Container, name, node).body(body)
            }
            "function_declaration" => {
                Found::new(Kind::Function, name, node).body(function_body(node))
            }
            "secondary_constructor" => Found::new(Kind::Function, "constructor", node)
                .body(child_of_kind(node, &["block"])),
            "property_declaration" => property(node, name),
            "enum_entry" | "type_alias" => Found::new(Kind::Type, name, node),
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        item.kind == Kind::Function
            && child_of_kind(item.node, &["modifiers"]).is_some_and(|modifiers| {
                named_children(modifiers).into_iter().any(|annotation| {
                    let name = said(annotation, text).trim_start_matches('@');
                    let name = name.split('(').next().unwrap_or(name);
                    annotation.kind() == "annotation"
                        && TEST_ANNOTATIONS.contains(&name.rsplit('.').next().unwrap_or(name))
                })
            })
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let empty = match answer.empty {
            true => empty_of(function.node, body, text),
            false => None,
        };
        let throws = format!("throw NotImplementedError(\"{}\")", answer.message);
        if body.kind() == "block" {
            let says = empty.map_or(throws, |value| format!("return {value}"));
            return Some(vec![Edit::insert(
                body.start_byte() + 1,
                format!(" if (true) {};", says.trim_end()),
            )]);
        }
        let says = empty.filter(|value| !value.is_empty()).unwrap_or(throws);
        Some(vec![
            Edit::insert(body.start_byte(), format!("if (true) {says} else (")),
            Edit::insert(body.end_byte(), ")"),
        ])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let statement = said(node, text).trim();
        let from = statement.trim_start_matches("import").trim();
        vec![Import {
            name: from.rsplit(['.', ' ']).next().unwrap_or(from).to_owned(),
            statement: statement.to_owned(),
            from: from.to_owned(),
            gives_away: false,
        }]
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        node.kind() == "package_header"
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "emptyList()"
                | "emptyMap()"
                | "emptySet()"
                | "listOf()"
                | "mapOf()"
                | "setOf()"
                | "mutableListOf()"
                | "mutableMapOf()"
                | "Unit"
                | "0f"
                | "TODO()"
        )
    }
}

fn name<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    match node.kind() {
        "companion_object" => "Companion",
        _ => match node.child_by_field_name("name") {
            Some(name) => said(name, text),
            None => descendant_of_kind(node, &["identifier"]).map_or("", |name| said(name, text)),
        },
    }
}

/// The block of a function, or the expression that it is.
fn function_body(node: Node<'_>) -> Option<Node<'_>> {
    let body = child_of_kind(node, &["function_body"])?;
    named_children(body).into_iter().next()
}

fn property<'t>(node: Node<'t>, name: &str) -> Found<'t> {
    if let Some(getter) = child_of_kind(node, &["getter"]) {
        return Found::new(Kind::Function, name, node).body(function_body(getter));
    }
    let all = children(node);
    let value = all
        .iter()
        .position(|child| child.kind() == "=")
        .and_then(|at| all.get(at + 1))
        .copied();
    let kind = if value.is_some() {
        Kind::Value
    } else {
        Kind::Type
    };
    Found::new(kind, name, node).body(value)
}

/// The empty value of the declared type; an empty text for none.
fn empty_of(function: Node<'_>, body: Node<'_>, text: &str) -> Option<String> {
    let kind = children(function)
        .into_iter()
        .filter(|child| child.end_byte() <= body.start_byte())
        .rfind(|child| child.kind().ends_with("_type"))
        .filter(|kind| {
            kind.prev_sibling()
                .is_some_and(|before| before.kind() == ":")
        });
    let Some(kind) = kind else {
        return (body.kind() == "block").then(String::new);
    };
    let whole = said(kind, text);
    let value = match whole.split('<').next().unwrap_or(whole) {
        _ if whole.ends_with('?') => "null",
        "Unit" => "",
        "Int" | "Long" | "Short" | "Byte" => "0",
        "Double" => "0.0",
        "Float" => "0f",
        "Boolean" => "false",
        "String" => "\"\"",
        "List" | "Collection" | "Iterable" => "emptyList()",
        "Map" => "emptyMap()",
        "Set" => "emptySet()",
        _ => return None,
    };
    Some(value.to_owned())
}
