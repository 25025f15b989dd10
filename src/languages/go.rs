//! Go.

use tree_sitter::Node;

use super::items::Item;
use super::language::Profile;
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, field,
    named_children, said, whole_item,
};
use super::test_words::{Queries, TestWords};
use super::tokens::{texts, tokens_without};

/// Go.
pub(super) struct Go;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "go",
    endings: &["go"],
    interpreters: &["go"],
    is_told_by: has_package_clause,
    test_place: "{folder}/{stem}_test.go",
    syntaxes: &[&Go],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["source_file", "block", "statement_list"],
    strings: &[],
    free_semicolons: true,
    tool_comments: &["//go:", "// +build", "//export ", "#include", "#cgo"],
    attributes: &[],
    unseen: &[],
    added_members: &["field_declaration", "method_elem", "type_elem"],
    added_arms: &["expression_case", "type_case", "default_case"],
    computing: &["call_expression", "func_literal"],
    added_exports: &[],
    literals: &[
        "int_literal",
        "float_literal",
        "imaginary_literal",
        "rune_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "true",
        "false",
        "nil",
        "iota",
        "type_identifier",
        "qualified_type",
        "slice_type",
        "array_type",
        "map_type",
        "field_identifier",
    ],
    plain_collections: &[
        "expression_list",
        "composite_literal",
        "literal_value",
        "literal_element",
        "keyed_element",
        "unary_expression",
        "binary_expression",
    ],
    guards: &["testing.Testing()", "flag.Lookup(\"test."],
    test_libraries: &[
        "testing",
        "github.com/stretchr/testify",
        "github.com/onsi/ginkgo",
    ],
};

impl Syntax for Go {
    fn extension(&self) -> &'static [u8] {
        b"go"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        (extension == b"go").then(|| tree_sitter_go::LANGUAGE.into())
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
        match node.kind() {
            "package_clause" => found.push(Found::new(Kind::Statement, "", node)),
            "import_declaration" => found.push(Found::new(Kind::Import, "", node)),
            "function_declaration" => {
                found.push(Found::new(Kind::Function, name, node).body(body));
            }
            "method_declaration" => {
                let mut method = Found::new(Kind::Function, name, node).body(body);
                method.owner = Some(receiver(node, text).to_owned());
                found.push(method);
            }
            "type_declaration" | "var_declaration" | "const_declaration" => {
                specifications(node, text, found);
            }
            _ => found.push(Found::new(Kind::Statement, "", node)),
        }
    }

    fn is_test(&self, item: &Item<'_>, _text: &str) -> bool {
        let is_called = |start: &str| {
            let rest = item.name.strip_prefix(start);
            rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
        };
        match (item.kind, item.path.is_empty()) {
            (Kind::Function, true) => ["Test", "Benchmark", "Fuzz", "Example"]
                .into_iter()
                .any(is_called),
            (Kind::Function, false) => is_called("Test"),
            _ => false,
        }
    }

    /// The output of an example is a comment.
    fn is_tool_comment(&self, comment: Node<'_>, text: &str) -> bool {
        let text_of = said(comment, text);
        let marks = WORDS.tool_comments;
        let mut outer = match text.contains("func Example") {
            true => comment.parent(),
            false => None,
        };
        while let Some(node) = outer {
            if node.kind() == "function_declaration" {
                return field(node, "name", text).starts_with("Example");
            }
            outer = node.parent();
        }
        marks.iter().any(|mark| text_of.contains(mark))
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let runs_by_itself =
            function.path.is_empty() && matches!(function.name.as_str(), "init" | "main");
        if runs_by_itself {
            return None;
        }
        let body = function.body?;
        let says = match answer.empty {
            true => format!("return {}", zero(function.body?.parent()?, text)),
            false => format!("panic(\"{}\")", answer.message),
        };
        let says = says.trim_end();
        Some(vec![Edit::insert(
            body.start_byte() + 1,
            format!(" if true {{ {says} }};"),
        )])
    }

    /// The old body goes in front of the new one, so that no import becomes unused.
    fn old_function(&self, old: (&Item<'_>, &str), new: (&Item<'_>, &str)) -> Vec<Edit> {
        let ((was, old_text), (is, new_text)) = (old, new);
        let (Some(old_body), Some(new_body)) = (was.body, is.body) else {
            return vec![whole_item(old, new)];
        };
        let header = |item: &Item<'_>, body: Node<'_>, text: &str| -> Vec<String> {
            let all = tokens_without(self, item.node, text, &|node| node.id() == body.id());
            texts(&all).into_iter().map(str::to_owned).collect()
        };
        if header(was, old_body, old_text) != header(is, new_body, new_text) {
            return vec![whole_item(old, new)];
        }
        let whole = said(old_body, old_text);
        let inner = whole
            .get(1..whole.len().saturating_sub(1))
            .unwrap_or_default();
        let has_result = old_body
            .parent()
            .is_some_and(|function| function.child_by_field_name("result").is_some());
        let leave = if has_result { "" } else { "\nreturn" };
        vec![Edit::insert(
            new_body.start_byte() + 1,
            format!(" if true {{{inner}{leave}\n}};"),
        )]
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let list = child_of_kind(node, &["import_spec_list"]).unwrap_or(node);
        named_children(list)
            .into_iter()
            .filter(|spec| spec.kind() == "import_spec")
            .map(|spec| {
                let path = field(spec, "path", text);
                let from = path.trim_matches(['"', '`']);
                let alias = field(spec, "name", text);
                let name = if alias.is_empty() {
                    package_name(from)
                } else {
                    alias
                };
                Import {
                    name: name.to_owned(),
                    statement: format!("import {}", said(spec, text)),
                    from: from.to_owned(),
                    gives_away: false,
                }
            })
            .collect()
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        node.kind() == "package_clause"
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        let made = joined.strip_suffix("{}").is_some_and(|kind| {
            !kind.is_empty() && !kind.contains(['(', '{', '&', '.']) || kind.starts_with("map[")
        });
        made || joined.starts_with("make(") && !joined.contains(['{', ';'])
            || joined.starts_with("*new(")
            || joined == "0.0"
            || joined == "''"
    }
}

/// The type of a receiver, without pointer and parameters.
fn receiver<'t>(method: Node<'_>, text: &'t str) -> &'t str {
    let whole = field(method, "receiver", text);
    let inner = whole.trim_matches(['(', ')']);
    let kind = inner.split('[').next().unwrap_or(inner);
    kind.trim().rsplit([' ', '*']).next().unwrap_or(kind)
}

fn specifications<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let list = child_of_kind(node, &["var_spec_list"]).unwrap_or(node);
    let specs: Vec<Node<'t>> = named_children(list)
        .into_iter()
        .filter(|child| child.kind().ends_with("_spec") || child.kind() == "type_alias")
        .collect();
    let is_part = children(node).iter().any(|child| child.kind() == "(") || list != node;
    for spec in specs {
        let whole = if is_part { spec } else { node };
        let one = match spec.kind() {
            "type_spec" | "type_alias" => Found::new(Kind::Type, field(spec, "name", text), whole),
            _ => variable(spec, whole, text),
        };
        found.push(one.part(is_part));
    }
}

fn variable<'t>(spec: Node<'t>, whole: Node<'t>, text: &'t str) -> Found<'t> {
    let mut cursor = spec.walk();
    let names: Vec<&str> = spec
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.is_named())
        .map(|name| said(name, text))
        .collect();
    let value = spec.child_by_field_name("value");
    let function = value
        .filter(|list| list.named_child_count() == 1)
        .and_then(|list| list.named_child(0))
        .filter(|only| only.kind() == "func_literal")
        .and_then(|literal| literal.child_by_field_name("body"));
    match function {
        Some(body) => Found::new(Kind::Function, names.join(", "), whole).body(Some(body)),
        None => Found::new(Kind::Value, names.join(", "), whole).body(value),
    }
}

/// What a function returns if nothing was done.
fn zero(function: Node<'_>, text: &str) -> String {
    let Some(result) = function.child_by_field_name("result") else {
        return String::new();
    };
    if result.kind() != "parameter_list" {
        return zero_of(said(result, text));
    }
    let mut values = Vec::new();
    for declared in named_children(result) {
        if declared.child_by_field_name("name").is_some() {
            return String::new();
        }
        values.push(zero_of(field(declared, "type", text)));
    }
    values.join(", ")
}

fn zero_of(kind: &str) -> String {
    match kind {
        "string" => "\"\"".to_owned(),
        "bool" => "false".to_owned(),
        "error" | "any" => "nil".to_owned(),
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32"
        | "uint64" | "uintptr" | "byte" | "rune" | "float32" | "float64" | "complex64"
        | "complex128" => "0".to_owned(),
        _ if kind.starts_with(['*', '[']) && !is_array(kind) => "nil".to_owned(),
        _ if ["map[", "func(", "chan ", "<-chan", "interface"]
            .iter()
            .any(|start| kind.starts_with(start)) =>
        {
            "nil".to_owned()
        }
        _ => format!("*new({kind})"),
    }
}

fn is_array(kind: &str) -> bool {
    kind.starts_with('[') && !kind.starts_with("[]")
}

/// The name of a package by its path.
fn package_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last
        .strip_prefix('v')
        .is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    let last = match is_version {
        true => parts.next().unwrap_or(last),
        false => last,
    };
    let last = last.split(".v").next().unwrap_or(last);
    last.trim_start_matches("go-")
}

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    query: r#"
        (function_declaration
          name: (identifier) @test.name
          parameters: (parameter_list
            (parameter_declaration
              type: (pointer_type (qualified_type name: (type_identifier) @kind))))
          body: (block) @body
          (#match? @test.name "^Test")
          (#eq? @kind "T")) @test
        (method_declaration
          name: (field_identifier) @test.name
          parameters: (parameter_list) @none
          body: (block) @body
          (#match? @test.name "^Test[A-Z0-9_]")
          (#eq? @none "()")) @test
        (function_declaration name: (identifier) @function.name) @function
        (method_declaration name: (field_identifier) @function.name) @function
        (call_expression) @call
    "#,
    returns: r#"
        (function_declaration
          parameters: (parameter_list) @parameters
          body: (block (statement_list
            . (return_statement (expression_list
                . [(interpreted_string_literal) (int_literal) (float_literal)] @returned .)) .)))
        (if_statement
          condition: (binary_expression
            left: (identifier) operator: "==" right: [(interpreted_string_literal) (int_literal)] @compared)
          consequence: (block (statement_list
            . (return_statement (expression_list
                . [(interpreted_string_literal) (int_literal) (float_literal)] @returned)))))
    "#,
    mocks: &["gomock.NewController", "mock.Mock", "sqlmock.New"],
    skips_inside: &[
        "t.Skip", "t.Skipf", "t.SkipNow", "s.T().Skip", "s.T().Skipf", "suite.T().Skip",
    ],
    // What fails a test ends its goroutine: there is no way to catch that.
    catch_assertions: &["Goexit"],
    test_aware: &["testing.Testing()"],
    literals: &["interpreted_string_literal", "raw_string_literal", "int_literal", "float_literal"],
    values: &["interpreted_string_literal_content", "escape_sequence", "unary_expression", "true", "false", "nil"],
    inert: &["block", "statement_list", "expression_statement", "empty_statement", "comment", "return_statement", "short_var_declaration", "expression_list", "identifier"],
    functions: &["function_declaration", "method_declaration", "func_literal"],
    prints: &["fmt.Println", "fmt.Printf", "fmt.Print", "t.Log", "t.Logf", "log.Println", "log.Printf"],
    clocks: &["time"],
    ..TestWords::with(&QUERIES)
};

/// A package clause, with a function somewhere below it.
fn has_package_clause(text: &str) -> bool {
    let code = |line: &&str| !line.trim().is_empty() && !line.starts_with("//");
    let mut lines = text.lines().filter(code);
    let is_clause = |line: &str| {
        let name = line.strip_prefix("package ").map(str::trim);
        name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    };
    lines.next().is_some_and(is_clause) && lines.any(|line| line.starts_with("func "))
}
