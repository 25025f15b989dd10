//! PHP.

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, TestCall, Words, child_of_kind, descendant_of_kind,
    field, named_children, said,
};
use super::test_words::{Queries, TestWords};

/// PHP.
pub(super) struct Php;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "php",
    endings: &["php", "phtml", "inc"],
    interpreters: &["php"],
    test_names: TestNames {
        camel_ends: &["Test", "TestCase", "Cest", "Cept"],
        ..TestNames::NONE
    },
    runners: &["pest", "phpunit"],
    test_place: "tests/{stem}Test.php",
    syntaxes: &[&Php],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &[
        "program",
        "compound_statement",
        "declaration_list",
        "enum_declaration_list",
    ],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[
        "@test",
        "@dataProvider",
        "@group",
        "@requires",
        "@depends",
        "@covers",
    ],
    attributes: &[],
    unseen: &["visibility_modifier"],
    added_members: &["enum_case"],
    added_arms: &[
        "case_statement",
        "default_statement",
        "match_conditional_expression",
        "match_default_expression",
    ],
    computing: &[
        "function_call_expression",
        "member_call_expression",
        "scoped_call_expression",
        "anonymous_function",
        "arrow_function",
    ],
    added_exports: &[],
    literals: &[
        "integer",
        "float",
        "string",
        "encapsed_string",
        "boolean",
        "null",
        "array_element_initializer",
    ],
    plain_collections: &[
        "array_creation_expression",
        "unary_op_expression",
        "parenthesized_expression",
    ],
    guards: &[
        "PHPUNIT_COMPOSER_INSTALL",
        "__PHPUNIT_PHAR__",
        "app()->runningUnitTests()",
    ],
    test_libraries: &["PHPUnit", "Pest", "Mockery", "Codeception", "Prophecy"],
};

impl Syntax for Php {
    fn extension(&self) -> &'static [u8] {
        b"php"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        (extension == b"php").then(|| tree_sitter_php::LANGUAGE_PHP.into())
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
            "php_tag" | "empty_statement" => return,
            "namespace_definition" => match body {
                Some(_) => Found::new(Kind::Container, name, node).body(body),
                None => Found::new(Kind::Statement, "", node),
            },
            "namespace_use_declaration" => Found::new(Kind::Import, "", node),
            "function_definition" | "method_declaration" => {
                Found::new(Kind::Function, name, node).body(body)
            }
            "class_declaration"
            | "interface_declaration"
            | "trait_declaration"
            | "enum_declaration" => Found::new(Kind::Container, name, node).body(body),
            "enum_case" => Found::new(Kind::Type, name, node),
            "const_declaration" | "property_declaration" => value(node, text),
            "expression_statement" => match child_of_kind(node, &["assignment_expression"]) {
                Some(inner) => Found::new(Kind::Value, field(inner, "left", text), node)
                    .body(inner.child_by_field_name("right")),
                None => Found::new(Kind::Statement, "", node),
            },
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        let attributed = item
            .node
            .child_by_field_name("attributes")
            .is_some_and(|list| said(list, text).contains("Test"));
        let commented = item
            .node
            .prev_sibling()
            .is_some_and(|other| other.kind() == "comment" && said(other, text).contains("@test"));
        item.kind == Kind::Function
            && !item.path.is_empty()
            && (item.name.starts_with("test") || attributed || commented)
    }

    fn test_call<'t>(&self, node: Node<'t>, text: &'t str) -> Option<TestCall<'t>> {
        if node.kind() != "function_call_expression" {
            return None;
        }
        let is_group = match field(node, "function", text) {
            "describe" => true,
            "test" | "it" => false,
            _ => return None,
        };
        let given: Vec<Node<'t>> = named_children(node.child_by_field_name("arguments")?)
            .into_iter()
            .filter_map(|argument| argument.named_child(0))
            .collect();
        let first = given
            .first()
            .filter(|first| first.kind() == "string" || first.kind() == "encapsed_string")?;
        let body = given
            .iter()
            .find(|one| matches!(one.kind(), "anonymous_function" | "arrow_function"))
            .and_then(|function| function.child_by_field_name("body"));
        Some(TestCall {
            title: said(*first, text).trim_matches(['"', '\'']).to_owned(),
            is_group,
            body,
        })
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let empty = match answer.empty {
            true => empty_return(function.node, body, text),
            false => None,
        };
        let says =
            empty.unwrap_or_else(|| format!("throw new \\LogicException(\"{}\");", answer.message));
        Some(vec![Edit::insert(
            body.start_byte() + 1,
            format!(" {says}"),
        )])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let group = child_of_kind(node, &["namespace_use_group"]);
        let prefix = match group {
            Some(_) => child_of_kind(node, &["namespace_name"]).map_or("", |name| said(name, text)),
            None => "",
        };
        named_children(group.unwrap_or(node))
            .into_iter()
            .filter(|clause| clause.kind() == "namespace_use_clause")
            .map(|clause| {
                let whole = said(clause, text);
                let joint = if prefix.is_empty() { "" } else { "\\" };
                let from = format!("{prefix}{joint}{whole}");
                let alias = field(clause, "alias", text);
                let name = match alias.is_empty() {
                    true => whole.rsplit('\\').next().unwrap_or(whole),
                    false => alias,
                };
                Import {
                    name: name.to_owned(),
                    statement: format!("use {from};"),
                    from,
                    gives_away: false,
                }
            })
            .collect()
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        matches!(node.kind(), "declare_statement" | "namespace_definition")
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "array()" | "NULL" | "FALSE" | "newArrayObject()" | "collect()"
        )
    }
}

fn value<'t>(node: Node<'t>, text: &'t str) -> Found<'t> {
    let element = child_of_kind(node, &["const_element", "property_element"]).unwrap_or(node);
    let parts = named_children(element);
    let name = parts.first().map_or("", |first| said(*first, text));
    let value = parts.get(1).copied();
    let kind = if value.is_some() {
        Kind::Value
    } else {
        Kind::Type
    };
    Found::new(kind, name, node).body(value)
}

/// `return` with the empty value of the return type; none if it has none.
fn empty_return(function: Node<'_>, body: Node<'_>, text: &str) -> Option<String> {
    let is_generator = descendant_of_kind(body, &["yield_expression"]).is_some();
    let kind = field(function, "return_type", text);
    if is_generator || kind == "void" || field(function, "name", text) == "__construct" {
        return Some("return;".to_owned());
    }
    let value = match kind {
        "" | "null" | "mixed" => "null",
        "int" => "0",
        "float" => "0.0",
        "string" => "''",
        "bool" | "false" => "false",
        "array" | "iterable" => "[]",
        _ if kind.starts_with('?') || kind.split('|').any(|one| one.trim() == "null") => "null",
        _ => return None,
    };
    Some(format!("return {value};"))
}

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    query: r#"
        (method_declaration
          name: (name) @test.name
          body: (compound_statement) @body
          (#match? @test.name "^test")) @test
        (method_declaration
          attributes: (attribute_list (attribute_group (attribute (name) @marked)))
          name: (name) @test.name
          body: (compound_statement) @body
          (#eq? @marked "Test")) @test
        ((comment) @marked
          . (method_declaration name: (name) @test.name body: (compound_statement) @body) @test
          (#match? @marked "@test\\b"))
        (function_call_expression
          function: (name) @word
          arguments: (arguments
            . (argument) @test.name
            (argument [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]))
          (#any-of? @word "it" "test")) @test
        (method_declaration name: (name) @function.name) @function
        (function_definition name: (name) @function.name) @function
        [
          (function_call_expression)
          (member_call_expression)
          (nullsafe_member_call_expression)
          (scoped_call_expression)
        ] @call
        (throw_expression) @failure
        [(attribute_group) (comment)] @mark
    "#,
    returns: r#"
        (function_definition
          parameters: (formal_parameters) @parameters
          body: (compound_statement
            . (return_statement [(string) (encapsed_string) (integer) (float)] @returned) .))
        (method_declaration
          parameters: (formal_parameters) @parameters
          body: (compound_statement
            . (return_statement [(string) (encapsed_string) (integer) (float)] @returned) .))
        (if_statement
          condition: (parenthesized_expression
            (binary_expression
              left: (variable_name) right: [(string) (encapsed_string) (integer)] @compared))
          body: [
            (return_statement [(string) (encapsed_string) (integer) (float)] @returned)
            (compound_statement
              . (return_statement [(string) (encapsed_string) (integer) (float)] @returned))
          ])
    "#,
    mocks: &[
        "$this->createMock", "$this->createStub", "$this->createPartialMock",
        "$this->getMockBuilder", "$this->getMockForAbstractClass", "$this->prophesize",
        "Mockery::mock", "Mockery::spy", "m::mock",
    ],
    skips_inside: &[
        "$this->markTestSkipped", "$this->markTestIncomplete", "self::markTestSkipped",
        "static::markTestSkipped",
    ],
    asserting_marks: &[
        "expectedException", "doesNotPerformAssertions", "DoesNotPerformAssertions",
    ],
    test_aware: &["defined('PHPUNIT_"],
    literals: &["string", "encapsed_string", "integer", "float"],
    values: &["string_content", "escape_sequence", "unary_op_expression", "boolean", "null", "array_creation_expression", "array_element_initializer", "argument"],
    inert: &["compound_statement", "expression_statement", "empty_statement", "comment", "return_statement", "assignment_expression", "variable_name", "name"],
    functions: &["function_definition", "method_declaration", "anonymous_function", "arrow_function"],
    prints: &["print", "print_r", "var_dump", "printf"],
    ..TestWords::with(&QUERIES)
};
