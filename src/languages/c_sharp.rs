//! C#.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, field,
    named_children, said,
};

/// C#.
pub(super) struct CSharp;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "csharp",
    endings: &["cs", "csx", "razor", "cshtml"],
    test_names: TestNames {
        camel_ends: &["Test", "Tests", "Specs"],
        ..TestNames::NONE
    },
    syntaxes: &[&CSharp],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["compilation_unit", "block", "declaration_list"],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["enum_member_declaration"],
    added_arms: &["switch_section", "switch_expression_arm"],
    computing: &[
        "invocation_expression",
        "object_creation_expression",
        "lambda_expression",
    ],
    added_exports: &[],
    literals: &[
        "integer_literal",
        "real_literal",
        "string_literal",
        "verbatim_string_literal",
        "raw_string_literal",
        "character_literal",
        "boolean_literal",
        "null_literal",
    ],
    plain_collections: &[
        "initializer_expression",
        "prefix_unary_expression",
        "parenthesized_expression",
        "collection_expression",
    ],
    guards: &["\"xunit\"", "\"nunit\""],
    test_libraries: &[
        "Xunit",
        "NUnit",
        "Microsoft.VisualStudio.TestTools",
        "Moq",
        "FluentAssertions",
        "NSubstitute",
    ],
};

const TEST_ATTRIBUTES: &[&str] = &[
    "Fact",
    "Theory",
    "Test",
    "TestCase",
    "TestMethod",
    "DataTestMethod",
    "TestCaseSource",
];

impl Syntax for CSharp {
    fn extension(&self) -> &'static [u8] {
        b"cs"
    }

    #[cfg(feature = "more-languages")]
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        matches!(extension, b"cs" | b"csx").then(|| tree_sitter_c_sharp::LANGUAGE.into())
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
            "using_directive" => Found::new(Kind::Import, "", node),
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "record_declaration"
            | "namespace_declaration" => Found::new(Kind::Container, name, node).body(body),
            "enum_declaration" | "delegate_declaration" | "event_field_declaration" => {
                Found::new(Kind::Type, name, node)
            }
            "method_declaration" | "operator_declaration" | "local_function_statement" => {
                Found::new(Kind::Function, name, node).body(body)
            }
            "constructor_declaration" => Found::new(Kind::Function, name, node)
                .body(body)
                .mark("new"),
            "property_declaration" => return property(node, text, found),
            "field_declaration" => return fields(node, text, found),
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        item.kind == Kind::Function
            && children(item.node)
                .into_iter()
                .filter(|child| child.kind() == "attribute_list")
                .flat_map(named_children)
                .any(|attribute| {
                    let name = field(attribute, "name", text);
                    let last = name.rsplit('.').next().unwrap_or(name);
                    TEST_ATTRIBUTES.contains(&last)
                })
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let kind = match function.node.kind() {
            "property_declaration" => field(function.node, "type", text),
            "constructor_declaration" => "void",
            _ => field(function.node, "returns", text),
        };
        let is_setter = body.parent().is_some_and(|accessor| {
            accessor.kind() == "accessor_declaration" && field(accessor, "name", text) != "get"
        });
        let is_async = children(function.node)
            .into_iter()
            .any(|child| child.kind() == "modifier" && said(child, text) == "async");
        let is_void =
            is_setter || kind == "void" || (is_async && matches!(kind, "Task" | "ValueTask"));
        let is_reference = kind.starts_with("ref ");
        let says = match answer.empty && !is_reference {
            true if is_void => "if (true) return;".to_owned(),
            true => "if (true) return default;".to_owned(),
            false => format!(
                "if (true) throw new System.NotImplementedException(\"{}\");",
                answer.message
            ),
        };
        if body.kind() != "arrow_expression_clause" {
            return Some(vec![Edit::insert(
                body.start_byte() + 1,
                format!(" {says}"),
            )]);
        }
        let expression = named_children(body).into_iter().next()?;
        let is_property = function.node.kind() == "property_declaration"
            && body.parent().is_some_and(|parent| parent == function.node);
        let (open, close) = match is_property {
            true => ("{ get {", "} }"),
            false => ("{", "}"),
        };
        let leave = if is_void { "" } else { "return " };
        let end = body
            .next_sibling()
            .filter(|next| next.kind() == ";")
            .map_or(body.end_byte(), |next| next.end_byte());
        Some(vec![
            Edit {
                range: body.start_byte()..expression.start_byte(),
                text: format!("{open} {says} {leave}"),
            },
            Edit {
                range: expression.end_byte()..end,
                text: format!("; {close}"),
            },
        ])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let statement = said(node, text);
        let from = named_children(node)
            .into_iter()
            .next_back()
            .map_or("", |name| said(name, text));
        vec![Import {
            name: field(node, "name", text).to_owned(),
            statement: statement.to_owned(),
            from: from.to_owned(),
            gives_away: false,
        }]
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        node.kind() == "file_scoped_namespace_declaration"
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "default" | "default!" | "string.Empty" | "Task.CompletedTask" | "newobject()"
        ) || joined.starts_with("=>") && self.is_empty_value(joined.trim_start_matches("=>"))
            || matches!(joined, "=>null" | "=>0" | "=>false" | "=>\"\"")
            || joined == "=>thrownewNotImplementedException()"
            || joined.starts_with("Array.Empty<")
            || joined.starts_with("Enumerable.Empty<")
            || joined.starts_with("newList<") && joined.ends_with(">()")
    }
}

fn property<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let name = field(node, "name", text);
    let value = node.child_by_field_name("value");
    if let Some(arrow) = value.filter(|value| value.kind() == "arrow_expression_clause") {
        found.push(Found::new(Kind::Function, name, node).body(Some(arrow)));
        return;
    }
    let accessors = node
        .child_by_field_name("accessors")
        .map(named_children)
        .unwrap_or_default();
    let bodies = accessors
        .iter()
        .filter_map(|accessor| accessor.child_by_field_name("body"));
    let before = found.len();
    found.extend(bodies.map(|body| {
        let word = body
            .parent()
            .map_or("", |accessor| field(accessor, "name", text));
        Found::new(Kind::Function, name, node)
            .body(Some(body))
            .mark(word)
    }));
    if found.len() == before {
        let kind = if value.is_some() {
            Kind::Value
        } else {
            Kind::Type
        };
        found.push(Found::new(kind, name, node).body(value));
    }
}

fn fields<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let Some(list) = child_of_kind(node, &["variable_declaration"]) else {
        return;
    };
    let declared: Vec<Node<'t>> = named_children(list)
        .into_iter()
        .filter(|child| child.kind() == "variable_declarator")
        .collect();
    let is_part = declared.len() > 1;
    for one in declared {
        let whole = if is_part { one } else { node };
        let value = named_children(one).into_iter().nth(1);
        let kind = if value.is_some() {
            Kind::Value
        } else {
            Kind::Type
        };
        found.push(
            Found::new(kind, field(one, "name", text), whole)
                .body(value)
                .part(is_part),
        );
    }
}
