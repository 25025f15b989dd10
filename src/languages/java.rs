//! Java.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, field,
    named_children, said,
};
use super::test_words::{Queries, TestWords};

/// Java.
pub(super) struct Java;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "java",
    endings: &["java", "jsp"],
    interpreters: &["java"],
    // `*Spec` is left out: `KeySpec`, `PodSpec` are ordinary classes.
    test_names: TestNames {
        camel_ends: &["Test", "Tests", "TestCase", "TestSuite", "IT", "ITCase"],
        camel_starts: &["Test"],
        ..TestNames::NONE
    },
    runners: &["junit", "testng"],
    test_place: "{apart}/{stem}Test.java",
    syntaxes: &[&Java],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["line_comment", "block_comment"],
    blocks: &[
        "program",
        "block",
        "class_body",
        "constructor_body",
        "interface_body",
    ],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["enum_constant", "formal_parameter"],
    added_arms: &["switch_block_statement_group", "switch_rule"],
    computing: &[
        "method_invocation",
        "object_creation_expression",
        "lambda_expression",
    ],
    added_exports: &[],
    literals: &[
        "decimal_integer_literal",
        "hex_integer_literal",
        "octal_integer_literal",
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "hex_floating_point_literal",
        "string_literal",
        "character_literal",
        "true",
        "false",
        "null_literal",
    ],
    plain_collections: &[
        "array_initializer",
        "unary_expression",
        "parenthesized_expression",
    ],
    guards: &["org.junit", "\"junit\""],
    test_libraries: &[
        "org.junit",
        "org.testng",
        "org.mockito",
        "org.assertj",
        "org.hamcrest",
        "junit",
        "net.jqwik",
        "org.springframework.boot.test",
    ],
};

/// Annotations that make a test of a method.
const TEST_ANNOTATIONS: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Property",
    "Theory",
];

impl Syntax for Java {
    fn extension(&self) -> &'static [u8] {
        b"java"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        (extension == b"java").then(|| tree_sitter_java::LANGUAGE.into())
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn test_words(&self, _extension: &[u8]) -> Option<&'static TestWords> {
        Some(&TEST_WORDS)
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let body = node.child_by_field_name("body");
        let name = field(node, "name", text);
        let one = match node.kind() {
            "package_declaration" => Found::new(Kind::Statement, "", node),
            "import_declaration" => Found::new(Kind::Import, "", node),
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => Found::new(Kind::Container, name, node).body(body),
            "enum_constant" => match body {
                Some(_) => Found::new(Kind::Container, name, node).body(body),
                None => Found::new(Kind::Type, name, node),
            },
            "method_declaration" => Found::new(Kind::Function, name, node).body(body),
            "constructor_declaration" | "compact_constructor_declaration" => {
                Found::new(Kind::Function, name, node)
                    .body(body)
                    .mark("new")
            }
            "field_declaration" | "constant_declaration" => return fields(node, text, found),
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn statement_blocks<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        match node.kind() {
            "enum_body_declarations" => vec![node],
            _ => Vec::new(),
        }
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        if item.kind != Kind::Function {
            return false;
        }
        let annotated = child_of_kind(item.node, &["modifiers"]).is_some_and(|modifiers| {
            named_children(modifiers).into_iter().any(|annotation| {
                let name = field(annotation, "name", text);
                let last = name.rsplit('.').next().unwrap_or(name);
                TEST_ANNOTATIONS.contains(&last)
            })
        });
        let class = item.node.parent().and_then(|body| body.parent());
        let is_case =
            class.is_some_and(|class| field(class, "superclass", text).ends_with("TestCase"));
        annotated || (is_case && item.name.starts_with("test"))
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let at = child_of_kind(body, &["explicit_constructor_invocation"])
            .map_or(body.start_byte() + 1, |call| call.end_byte());
        let empty = match answer.empty {
            true => empty_return(function.node, text),
            false => None,
        };
        let says = empty.unwrap_or_else(|| {
            format!(
                "throw new UnsupportedOperationException(\"{}\");",
                answer.message
            )
        });
        Some(vec![Edit::insert(at, format!(" if (true) {says}"))])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let statement = said(node, text);
        let from = statement
            .trim_start_matches("import")
            .trim()
            .trim_start_matches("static ")
            .trim_end_matches(';')
            .trim();
        vec![Import {
            name: from.rsplit('.').next().unwrap_or(from).to_owned(),
            statement: statement.to_owned(),
            from: from.to_owned(),
            gives_away: false,
        }]
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        matches!(
            node.kind(),
            "enum_body_declarations" | "package_declaration"
        )
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "List.of()"
                | "Set.of()"
                | "Map.of()"
                | "Optional.empty()"
                | "Stream.empty()"
                | "Collections.emptyList()"
                | "Collections.emptyMap()"
                | "Collections.emptySet()"
                | "newArrayList<>()"
                | "newHashMap<>()"
                | "newHashSet<>()"
                | "newLinkedList<>()"
                | "newTreeMap<>()"
                | "newStringBuilder()"
                | "0f"
                | "0d"
                | "0l"
                | "'\\0'"
                | "newObject()"
        ) || joined.starts_with("new") && joined.ends_with("[0]")
    }
}

fn fields<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let mut cursor = node.walk();
    let declared: Vec<Node<'t>> = node
        .children_by_field_name("declarator", &mut cursor)
        .collect();
    let is_part = declared.len() > 1;
    for one in declared {
        let whole = if is_part { one } else { node };
        let value = one.child_by_field_name("value");
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

/// `return` with the empty value of the return type; none for constructors.
fn empty_return(method: Node<'_>, text: &str) -> Option<String> {
    let kind = method.child_by_field_name("type")?;
    let whole = said(kind, text);
    let plain = whole.split('<').next().unwrap_or(whole);
    let has_dimensions = children(method)
        .iter()
        .any(|child| child.kind() == "dimensions");
    let value = match plain.rsplit('.').next().unwrap_or(plain) {
        _ if has_dimensions || whole.ends_with(']') => "null",
        "void" => return Some("return;".to_owned()),
        "boolean" => "false",
        "byte" | "short" | "int" | "long" | "char" | "float" | "double" => "0",
        "String" => "\"\"",
        "Optional" => "java.util.Optional.empty()",
        "List" | "Collection" | "Iterable" => "java.util.Collections.emptyList()",
        "Map" => "java.util.Collections.emptyMap()",
        "Set" => "java.util.Collections.emptySet()",
        _ => "null",
    };
    Some(format!("return {value};"))
}

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    query: r#"
        (method_declaration
          (modifiers
            [(marker_annotation name: (identifier) @marked) (annotation name: (identifier) @marked)])
          name: (identifier) @test.name
          body: (block) @body
          (#any-of? @marked "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "Property")) @test
        (method_declaration
          type: (void_type)
          name: (identifier) @test.name
          parameters: (formal_parameters) @none
          body: (block) @body
          (#match? @test.name "^test[A-Z0-9_]")
          (#eq? @none "()")) @test
        (method_declaration name: (identifier) @function.name) @function
        (method_invocation) @call
        (assert_statement) @assertion
        (throw_statement) @failure
        [(marker_annotation) (annotation)] @mark
    "#,
    returns: r#"
        (method_declaration
          parameters: (formal_parameters) @parameters
          body: (block
            . (return_statement
                [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @returned) .))
        (if_statement
          condition: (parenthesized_expression
            (binary_expression
              left: (identifier) operator: "==" right: (decimal_integer_literal) @compared))
          consequence: [
            (return_statement
              [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @returned)
            (block . (return_statement
              [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @returned))
          ])
    "#,
    mocks: &[
        "mock", "spy", "Mockito.mock", "Mockito.spy", "Mockito.mockStatic", "mockStatic",
        "EasyMock.createMock", "createMock", "mockk",
    ],
    skip_marks: &["Disabled", "Ignore"],
    asserting_marks: &["expected", "ExpectedException", "Property", "TestFactory"],
    capitals_construct: true,
    catch_assertions: &["Throwable", "Error", "AssertionError"],
    literals: &["string_literal", "decimal_integer_literal", "decimal_floating_point_literal"],
    values: &["string_fragment", "escape_sequence", "character_literal", "unary_expression", "true", "false", "null_literal"],
    inert: &["block", "expression_statement", "line_comment", "block_comment", "return_statement", "assignment_expression", "local_variable_declaration", "variable_declarator", "integral_type", "floating_point_type", "boolean_type", "identifier"],
    functions: &["method_declaration", "lambda_expression"],
    prints: &["System.out.println", "System.out.print", "System.out.printf", "System.err.println", "e.printStackTrace"],
    clocks: &["Thread", "TimeUnit", "java"],
    ..TestWords::with(&QUERIES)
};
