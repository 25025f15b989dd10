//! Ruby.

use tree_sitter::Node;

use super::fixtures::{Frame, is_in_fixture};
use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, TestCall, Words, child_of_kind, field,
    named_children, said,
};
use super::test_words::{Queries, TestWords};

/// Ruby.
pub(super) struct Ruby;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "ruby",
    endings: &["rb", "rake", "ru"],
    interpreters: &["jruby", "ruby"],
    test_names: TestNames {
        ends: &["_spec"],
        starts: &["test_"],
        ..TestNames::NONE
    },
    runners: &["minitest", "rspec"],
    is_in_fixture: |source, line, _| {
        let closes = |text: &str| text.trim() == "end";
        !source.lines().nth(line - 1).is_some_and(closes) && is_in_fixture(&Ruby, source, line)
    },
    test_place: "test/{stem}_test.rb",
    syntaxes: &[&Ruby],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["program", "body_statement", "block_body", "then", "else"],
    strings: &[],
    free_semicolons: true,
    tool_comments: &["#!", "frozen_string_literal", "coding:"],
    attributes: &[],
    unseen: &[],
    added_members: &[],
    added_arms: &["when", "else", "elsif", "in_clause"],
    computing: &["call", "lambda"],
    added_exports: &[],
    literals: &[
        "integer",
        "float",
        "string",
        "simple_symbol",
        "true",
        "false",
        "nil",
        "hash_key_symbol",
        "rational",
        "bare_string",
        "bare_symbol",
    ],
    plain_collections: &[
        "array",
        "hash",
        "pair",
        "unary",
        "string_array",
        "symbol_array",
    ],
    guards: &[
        "Rails.env.test?",
        "defined?(RSpec)",
        "defined?(Minitest)",
        "ENV[\"RAILS_ENV\"]==\"test\"",
        "ENV[\"RACK_ENV\"]==\"test\"",
    ],
    test_libraries: &[
        "rspec",
        "minitest",
        "test/unit",
        "test-unit",
        "shoulda",
        "cucumber",
    ],
};

/// Calls that declare members or who may see them.
const DECLARING_CALLS: &[&str] = &[
    "attr_reader",
    "attr_writer",
    "attr_accessor",
    "private",
    "public",
    "protected",
    "private_constant",
    "private_class_method",
    "module_function",
];

impl Syntax for Ruby {
    fn extension(&self) -> &'static [u8] {
        b"rb"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        matches!(extension, b"rb" | b"rake" | b"ru").then(|| tree_sitter_ruby::LANGUAGE.into())
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn frames_tests(&self, node: Node<'_>, text: &str) -> Option<Frame> {
        let is_block = node.kind() == "call" && node.child_by_field_name("block").is_some();
        let name = field(node, if is_block { "method" } else { "name" }, text);
        match (node.kind(), name) {
            ("method", "setup" | "teardown" | "before_setup" | "after_setup") => {
                Some(Frame::Fixture)
            }
            ("method", "before_teardown" | "after_teardown") => Some(Frame::Fixture),
            ("method", _) => Some(Frame::Test),
            ("call", "before" | "after" | "setup" | "teardown") if is_block => Some(Frame::Fixture),
            ("call", "it" | "test" | "specify" | "should") => Some(Frame::Test),
            _ => None,
        }
    }

    fn test_words(&self, extension: &[u8]) -> Option<&'static TestWords> {
        (extension == b"rb").then_some(&TEST_WORDS)
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let body = node.child_by_field_name("body");
        let name = field(node, "name", text);
        let one = match node.kind() {
            "module" | "class" => Found::new(Kind::Container, name, node).body(body),
            "singleton_class" => Found::new(Kind::Container, "self", node).body(body),
            "method" => Found::new(Kind::Function, name, node).body(body.or(Some(node))),
            "singleton_method" => Found::new(Kind::Function, name, node)
                .body(body.or(Some(node)))
                .mark("self"),
            "assignment" => assignment(node, text),
            "call" => return call(node, text, found),
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, _text: &str) -> bool {
        item.kind == Kind::Function && item.name.starts_with("test_") && !item.path.is_empty()
    }

    fn test_call<'t>(&self, node: Node<'t>, text: &'t str) -> Option<TestCall<'t>> {
        if node.kind() != "call" {
            return None;
        }
        let block = node.child_by_field_name("block");
        let given = node.child_by_field_name("arguments").map(named_children);
        let first = given.as_ref().and_then(|given| given.first());
        let receiver = field(node, "receiver", text);
        let is_group = match field(node, "method", text) {
            "describe" | "context" | "feature" | "xdescribe" | "fdescribe" | "xcontext"
            | "fcontext" | "shared_examples" => true,
            "it" | "specify" | "example" | "scenario" | "xit" | "fit" | "test" => false,
            _ => return None,
        };
        let is_ours = receiver.is_empty() || receiver == "RSpec";
        let has_content = block.is_some() || first.is_some_and(|first| first.kind() == "string");
        (is_ours && has_content).then(|| TestCall {
            title: first.map(|first| title(*first, text)).unwrap_or_default(),
            is_group: is_group && block.is_some(),
            body: block,
        })
    }

    fn front(&self, function: &Item<'_>, _text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let raises = format!("raise NotImplementedError, \"{}\"; ", answer.message);
        let method = match body.kind() {
            "method" | "singleton_method" => body,
            _ => body.parent()?,
        };
        let Some(end) = child_of_kind(method, &["end"]) else {
            let open = match answer.empty {
                true => "nil && (".to_owned(),
                false => format!("({raises}"),
            };
            return Some(vec![
                Edit::insert(body.start_byte(), open),
                Edit::insert(body.end_byte(), ")"),
            ]);
        };
        let at = match body == method {
            true => end.start_byte(),
            false => body.start_byte(),
        };
        let says = if answer.empty {
            "return; ".to_owned()
        } else {
            raises
        };
        Some(vec![Edit::insert(at, says)])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let statement = said(node, text);
        let from = statement.split(['"', '\'']).nth(1).unwrap_or_default();
        vec![Import {
            name: String::new(),
            statement: statement.to_owned(),
            from: from.to_owned(),
            gives_away: false,
        }]
    }

    fn is_plain_statement(&self, node: Node<'_>, text: &str) -> bool {
        match node.kind() {
            "identifier" => DECLARING_CALLS.contains(&said(node, text)),
            "call" => {
                let plain = node.child_by_field_name("arguments").is_none_or(|given| {
                    named_children(given)
                        .iter()
                        .all(|one| matches!(one.kind(), "simple_symbol" | "string"))
                });
                plain && DECLARING_CALLS.contains(&field(node, "method", text))
            }
            "string" | "nil" => true,
            _ => false,
        }
    }

    fn declares(&self, value: Node<'_>, text: &str) -> bool {
        let made = format!(
            "{}.{}",
            field(value, "receiver", text),
            field(value, "method", text)
        );
        let is_frozen = field(value, "method", text) == "freeze";
        value.child_by_field_name("block").is_none()
            && (matches!(
                made.as_str(),
                "Struct.new" | "Class.new" | "Module.new" | "Data.define" | "Set.new"
            ) || is_frozen)
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "Set.new"
                | "Hash.new"
                | "Array.new"
                | "String.new"
                | ":nil"
                | "[].freeze"
                | "{}.freeze"
        )
    }
}

fn assignment<'t>(node: Node<'t>, text: &'t str) -> Found<'t> {
    let is_constant = node
        .child_by_field_name("left")
        .is_some_and(|left| left.kind() == "constant");
    match is_constant {
        true => Found::new(Kind::Value, field(node, "left", text), node)
            .body(node.child_by_field_name("right")),
        false => Found::new(Kind::Statement, "", node),
    }
}

fn call<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let method = field(node, "method", text);
    let given = node
        .child_by_field_name("arguments")
        .map(named_children)
        .unwrap_or_default();
    let is_plain_load = given.iter().all(|one| one.kind() == "string") && !given.is_empty();
    match (method, given.as_slice()) {
        ("require" | "require_relative", _) if is_plain_load => {
            found.push(Found::new(Kind::Import, "", node));
        }
        (_, [inner]) if matches!(inner.kind(), "method" | "singleton_method") => {
            Ruby.find(*inner, text, found);
        }
        _ => found.push(Found::new(Kind::Statement, "", node)),
    }
}

fn title(node: Node<'_>, text: &str) -> String {
    let whole = said(node, text);
    match node.kind() {
        "string" => whole.trim_matches(['"', '\'']).to_owned(),
        _ => whole.to_owned(),
    }
}

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    query: r#"
        (call
          !receiver
          method: (identifier) @word
          arguments: (argument_list . (_) @test.name)
          block: [(do_block) (block)] @body
          (#any-of? @word "it" "test" "specify" "scenario" "example" "fit" "xit")) @test
        (call
          !receiver
          !arguments
          method: (identifier) @test.name
          block: [(do_block) (block)] @body
          (#any-of? @test.name "it" "specify" "example")) @test
        (method
          name: (identifier) @test.name
          body: (body_statement) @body
          (#match? @test.name "^test_")) @test
        (method
          !body
          name: (identifier) @test.name
          (#match? @test.name "^test_")) @test @body
        (method name: (identifier) @function.name) @function
        (call) @call
        (body_statement (identifier) @call (#any-of? @call "skip" "pending" "flunk"))
    "#,
    returns: r#"
        (method
          parameters: (method_parameters) @parameters
          body: (body_statement . [(string) (integer) (float)] @returned .))
        (if
          condition: (binary
            left: (identifier) operator: "==" right: [(string) (integer)] @compared)
          consequence: (then . [
            [(string) (integer) (float)] @returned
            (return (argument_list [(string) (integer) (float)] @returned))
          ]))
        (if_modifier
          body: (return (argument_list [(string) (integer) (float)] @returned))
          condition: (binary
            left: (identifier) operator: "==" right: [(string) (integer)] @compared))
        (when
          pattern: (pattern [(string) (integer)] @compared)
          body: (then . [(string) (integer) (float)] @returned .))
    "#,
    nests: true,
    mocks: &[
        "double", "instance_double", "class_double", "object_double", "spy", "instance_spy",
        "Minitest::Mock.new", "mock", "stub",
    ],
    skips: &[
        "xit", "xdescribe", "xcontext", "xspecify", "xexample", "xscenario",
    ],
    skips_inside: &["skip", "pending"],
    focuses: &[
        "fit", "fdescribe", "fcontext", "fspecify", "fexample", "fscenario",
    ],
    capitals_construct: true,
    catch_assertions: &["Exception"],
    test_aware: &["Rails.env.test?"],
    blocks_are_functions: true,
    literals: &["string", "integer", "float"],
    values: &["string_content", "escape_sequence", "unary", "true", "false", "nil", "array", "hash", "pair", "simple_symbol", "hash_key_symbol"],
    inert: &["block", "do_block", "block_body", "body_statement", "comment", "return", "assignment", "identifier"],
    functions: &["method", "lambda"],
    prints: &["print", "puts", "p", "pp", "printf"],
    clocks: &["Kernel"],
    ..TestWords::with(&QUERIES)
};
