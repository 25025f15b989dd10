//! How tests in Rust are read for what is wrong with them.

use crate::languages::test_words::{Queries, TestWords};

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
pub(super) static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    query: r#"
        ((attribute_item
            (attribute [(identifier) @marked (scoped_identifier name: (identifier) @marked)]))
          . [(attribute_item) (line_comment) (block_comment)]*
          . (function_item name: (identifier) @test.name body: (block) @body) @test
          (#any-of? @marked "test" "rstest" "test_case" "quickcheck" "test_log" "wasm_bindgen_test"))
        (function_item name: (identifier) @function.name) @function
        [(call_expression) (macro_invocation)] @call
        (try_expression) @failure
        (attribute_item) @mark
    "#,
    returns: r#"
        (function_item
          parameters: (parameters) @parameters
          body: (block
            . [(string_literal) (integer_literal) (float_literal)] @returned .))
        (if_expression
          condition: (binary_expression
            left: (identifier) operator: "==" right: [(string_literal) (integer_literal)] @compared)
          consequence: (block
            . [(string_literal) (integer_literal) (float_literal)] @returned .))
        (match_arm
          pattern: (match_pattern [(string_literal) (integer_literal)] @compared)
          value: [(string_literal) (integer_literal) (float_literal)] @returned)
    "#,
    skip_marks: &["ignore"],
    asserting_marks: &["should_panic", "quickcheck", "test_case"],
    capitals_construct: true,
    test_aware: &["cfg!(test)", "#[cfg(not(test))]"],
    hides_assertions: is_opaque_macro,
    literals: &["string_literal", "raw_string_literal", "integer_literal", "float_literal"],
    values: &["string_content", "escape_sequence", "char_literal", "unary_expression", "negative_literal", "boolean_literal", "array_expression", "tuple_expression", "unit_expression"],
    inert: &["block", "expression_statement", "empty_statement", "line_comment", "block_comment", "return_expression", "assignment_expression", "let_declaration", "identifier"],
    functions: &["function_item", "closure_expression", "async_block"],
    prints: &["println!", "print!", "eprintln!", "eprint!", "dbg!"],
    clocks: &["thread", "std", "tokio", "async_std", "smol", "futures_timer"],
    ..TestWords::with(&QUERIES)
};

/// Rust macros that only build or print something.
#[rustfmt::skip]
const PLAIN_MACROS: &[&str] = &[
    "println!", "print!", "eprintln!", "eprint!", "vec!", "format!", "dbg!", "write!",
    "writeln!", "concat!", "stringify!", "include_str!", "include_bytes!", "env!", "line!",
    "file!", "cfg!",
];

/// Whether a call of a Rust macro may hide an assertion.
fn is_opaque_macro(called: &str) -> bool {
    called.ends_with('!') && !PLAIN_MACROS.contains(&called)
}
