//! Swift.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, field, said,
};

/// Swift.
pub(super) struct Swift;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "swift",
    endings: &["swift"],
    interpreters: &["swift"],
    test_names: TestNames {
        camel_ends: &["Test", "Tests"],
        ..TestNames::NONE
    },
    syntaxes: &[&Swift],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment", "multiline_comment"],
    blocks: &[
        "source_file",
        "function_body",
        "statements",
        "class_body",
        "computed_property",
    ],
    strings: &[],
    free_semicolons: true,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["enum_entry"],
    added_arms: &["switch_entry"],
    computing: &["call_expression", "lambda_literal"],
    added_exports: &[],
    literals: &[
        "integer_literal",
        "real_literal",
        "line_string_literal",
        "multi_line_string_literal",
        "boolean_literal",
        "nil",
    ],
    plain_collections: &[
        "array_literal",
        "dictionary_literal",
        "prefix_expression",
        "tuple_expression",
    ],
    guards: &[
        "XCTestConfigurationFilePath",
        "NSClassFromString(\"XCTest\")",
    ],
    test_libraries: &["XCTest", "Testing", "Quick", "Nimble"],
};

impl Syntax for Swift {
    fn extension(&self) -> &'static [u8] {
        b"swift"
    }

    #[cfg(feature = "more-languages")]
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        (extension == b"swift").then(|| tree_sitter_swift::LANGUAGE.into())
    }

    #[cfg(not(feature = "more-languages"))]
    fn grammar(&self, _extension: &[u8]) -> Option<tree_sitter::Language> {
        None
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let body = node.child_by_field_name("body");
        let name = field(node, "name", text);
        let one = match node.kind() {
            "import_declaration" => Found::new(Kind::Import, "", node),
            "class_declaration" | "protocol_declaration" => {
                Found::new(Kind::Container, name, node).body(body)
            }
            "function_declaration" | "init_declaration" => {
                Found::new(Kind::Function, name, node).body(body)
            }
            "protocol_function_declaration" => {
                Found::new(Kind::Function, name, node).mark("signature")
            }
            "property_declaration" => {
                match (
                    node.child_by_field_name("computed_value"),
                    node.child_by_field_name("value"),
                ) {
                    (Some(computed), _) => {
                        Found::new(Kind::Function, name, node).body(Some(computed))
                    }
                    (None, Some(value)) => Found::new(Kind::Value, name, node).body(Some(value)),
                    (None, None) => Found::new(Kind::Type, name, node),
                }
            }
            "enum_entry"
            | "typealias_declaration"
            | "protocol_property_declaration"
            | "associatedtype_declaration" => Found::new(Kind::Type, said(node, text), node),
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        let attributed = child_of_kind(item.node, &["modifiers"])
            .is_some_and(|modifiers| said(modifiers, text).starts_with("@Test"));
        item.kind == Kind::Function
            && (attributed || (item.name.starts_with("test") && !item.path.is_empty()))
    }

    /// The process ends: Swift throws only where it was declared.
    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let has_accessors = child_of_kind(body, &["computed_getter", "computed_setter"]).is_some();
        if has_accessors {
            return None;
        }
        let empty = match answer.empty {
            true => empty_return(function.node, text),
            false => None,
        };
        let says = empty.unwrap_or_else(|| format!("fatalError(\"{}\")", answer.message));
        Some(vec![Edit::insert(
            body.start_byte() + 1,
            format!(" if true {{ {says} }};"),
        )])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let statement = said(node, text).trim();
        let from = statement.rsplit(' ').next().unwrap_or(statement);
        vec![Import {
            name: from.to_owned(),
            statement: statement.to_owned(),
            from: from.to_owned(),
            gives_away: false,
        }]
    }
}

/// `return` of the empty value of the declared type; none if it has none that is known.
fn empty_return(function: Node<'_>, text: &str) -> Option<String> {
    if function.kind() != "function_declaration" {
        return None;
    }
    let all = children(function);
    let arrow = all.iter().position(|child| child.kind() == "->");
    let Some(kind) = arrow.and_then(|at| all.get(at + 1)) else {
        return Some("return".to_owned());
    };
    let whole = said(*kind, text);
    let value = match whole {
        _ if whole.ends_with('?') => "nil",
        "Int" | "Double" | "Float" | "UInt" | "Int64" => "0",
        "Bool" => "false",
        "String" => "\"\"",
        "Void" | "()" => return Some("return".to_owned()),
        _ if whole.starts_with('[') && whole.contains(':') => "[:]",
        _ if whole.starts_with('[') => "[]",
        _ => return None,
    };
    Some(format!("return {value}"))
}
