//! How tests in JavaScript and TypeScript are read.

use tree_sitter::Language;

use crate::languages::test_words::{Queries, TestWords, head};

const SCRIPT_QUERY: &str = r#"
    (call_expression
      arguments: (arguments
        . (_) @test.name
        [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @test
    (function_declaration name: (identifier) @function.name) @function
    (variable_declarator
      name: (identifier) @function.name
      value: [(arrow_function) (function_expression)]) @function
    (method_definition name: (property_identifier) @function.name) @function
    (call_expression) @call
    (throw_statement) @failure
"#;

const SCRIPT_RETURNS: &str = r#"
    (function_declaration
      parameters: (formal_parameters) @parameters
      body: (statement_block . (return_statement [(string) (number)] @returned) .))
    (method_definition
      parameters: (formal_parameters) @parameters
      body: (statement_block . (return_statement [(string) (number)] @returned) .))
    (variable_declarator
      value: (arrow_function
        parameters: (formal_parameters) @parameters
        body: [
          [(string) (number)] @returned
          (statement_block . (return_statement [(string) (number)] @returned) .)
        ]))
    (if_statement
      condition: (parenthesized_expression
        (binary_expression
          left: (identifier) operator: ["==" "==="] right: [(string) (number)] @compared))
      consequence: [
        (return_statement [(string) (number)] @returned)
        (statement_block . (return_statement [(string) (number)] @returned))
      ])
"#;

static QUERIES: [Queries; 2] = [Queries::new(), Queries::new()];

pub(super) static TYPESCRIPT: TestWords = script(
    || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    &QUERIES[0],
);
/// What is no TypeScript is read by the grammar that takes tags for what they are.
pub(super) static TSX: TestWords =
    script(|| tree_sitter_typescript::LANGUAGE_TSX.into(), &QUERIES[1]);

#[rustfmt::skip]
const fn script(grammar: fn() -> Language, queries: &'static Queries) -> TestWords {
    TestWords {
        grammar,
        query: SCRIPT_QUERY,
        returns: SCRIPT_RETURNS,
        nests: true,
        mocks: &[
            "jest.fn", "jest.mock", "jest.spyOn", "jest.createMockFromModule", "vi.fn",
            "vi.mock", "vi.spyOn", "sinon.stub", "sinon.spy", "sinon.mock", "sinon.fake",
            "sinon.createStubInstance", "sandbox.stub", "sandbox.spy", "sandbox.mock",
            "sandbox.fake", "mock.fn", "mock.method", "t.mock.fn", "t.mock.method",
            "td.func", "td.object", "td.replace",
        ],
        skips: &[
            "it.skip", "test.skip", "describe.skip", "suite.skip", "context.skip",
            "specify.skip", "xit", "xtest", "xdescribe", "xcontext", "xspecify",
            "test.describe.skip", "test.concurrent.skip", "it.concurrent.skip",
        ],
        skips_inside: &["t.skip", "this.skip", "ctx.skip"],
        focuses: &[
            "it.only", "test.only", "describe.only", "suite.only", "context.only",
            "specify.only", "fit", "fdescribe", "fcontext", "ftest",
            "test.describe.only", "test.concurrent.only", "it.concurrent.only",
        ],
        capitals_construct: true,
        test_aware: &["process.env.JEST_WORKER_ID", "process.env.VITEST"],
        declares_test,
        literals: &["string", "number"],
        values: &["string_fragment", "escape_sequence", "unary_expression", "true", "false", "null", "undefined", "array", "object", "pair"],
        inert: &["statement_block", "expression_statement", "empty_statement", "comment", "return_statement", "assignment_expression", "lexical_declaration", "variable_declaration", "variable_declarator", "identifier", "property_identifier"],
        functions: &["function_declaration", "method_definition", "generator_function", "arrow_function", "function_expression"],
        prints: &["console.log", "console.info", "console.debug", "console.error"],
        clocks: &["timers"],
        ..TestWords::with(queries)
    }
}

/// Whether a call declares a test.
fn declares_test(called: &str) -> bool {
    #[rustfmt::skip]
    const WAYS: &[&str] = &[
        "only", "skip", "each", "concurrent", "failing", "fails", "serial", "sequential", "for",
        "skipIf", "runIf", "cb", "prop",
    ];
    let head = head(called);
    let mut parts = head.split('.');
    let first = parts.next().unwrap_or_default();
    let own = ["it", "test", "specify", "fit", "xit", "xtest"].contains(&first);
    (own && parts.all(|part| WAYS.contains(&part)))
        || ["t.test", "Deno.test", "QUnit.test", "tap.test"].contains(&head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_declare_tests() {
        for (called, declares) in [
            ("it", true),
            ("test.only", true),
            ("it.each([1])", true),
            ("test.concurrent.each", true),
            ("t.test", true),
            ("describe", false),
            ("test.describe", false),
            ("items.map", false),
            ("test.beforeEach", false),
        ] {
            assert_eq!(declares_test(called), declares, "{called}");
        }
    }
}
