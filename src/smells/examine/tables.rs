//! What each language calls things: a grammar, a query, and a few words.
//!
//! The captures of a query:
//!
//! - `@test` a test, with its `@test.name` and its `@body`
//! - `@call` a call; what is called stands before its arguments
//! - `@assertion` a statement that asserts
//! - `@failure` a statement that makes a test fail
//! - `@function` another function, with its `@function.name`
//! - `@mark` a decorator, annotation or attribute

use std::sync::OnceLock;

use tree_sitter::{Language, Query};

use crate::languages as language;

/// A language and how its tests are read.
pub(super) struct Table {
    grammar: fn() -> Language,
    query: &'static str,
    /// Functions that do nothing but return a value (`@returned`) whatever their `@parameters`, and
    /// conditions on a value (`@compared`) that lead to one.
    returns: &'static str,
    compiled: OnceLock<Option<Query>>,
    compiled_returns: OnceLock<Option<Query>>,
    /// Tests are calls, and may stand within one another; elsewhere a function within a test is
    /// none of its own.
    pub(super) nests: bool,
    /// Ways to call something that makes it a double.
    pub(super) mocks: &'static [&'static str],
    /// Calls that declare a test, or a group of them, that does not run.
    pub(super) skips: &'static [&'static str],
    /// Calls within a test that end it early.
    pub(super) skips_inside: &'static [&'static str],
    /// Calls that declare a test, or a group of them, besides which nothing runs.
    pub(super) focuses: &'static [&'static str],
    /// Marks on a test, or a group of them, that does not run.
    pub(super) skip_marks: &'static [&'static str],
    /// Marks of a test that is to fail, or that asserts by itself.
    pub(super) asserting_marks: &'static [&'static str],
    /// A name with a capital is that of a type: to call it makes a value.
    pub(super) capitals_construct: bool,
    /// What has to be caught to catch a failed assertion; nothing: whatever catches errors does.
    pub(super) catch_assertions: &'static [&'static str],
    /// Source that asks whether it is being tested.
    pub(super) test_aware: &'static [&'static str],
}

impl Table {
    pub(super) fn grammar(&self) -> Language {
        (self.grammar)()
    }

    /// The query. Compiled when a file of the language is first met: nothing is done at start-up.
    pub(super) fn query(&self) -> Option<&Query> {
        self.compiled
            .get_or_init(|| Query::new(&self.grammar(), self.query).ok())
            .as_ref()
    }

    /// The query for values that are returned.
    pub(super) fn returns(&self) -> Option<&Query> {
        self.compiled_returns
            .get_or_init(|| Query::new(&self.grammar(), self.returns).ok())
            .as_ref()
    }
}

/// The table for a file, by its name.
pub(super) fn table_of(path: &str) -> Option<&'static Table> {
    use language::Language as L;
    let extension = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let found = match (language::Language::of_path(path.as_bytes())?, &*extension) {
        (L::Python, "py" | "pyi" | "pyw") => &PYTHON,
        (L::JavaScript, "ts" | "mts" | "cts") => &TYPESCRIPT,
        (L::JavaScript, "js" | "mjs" | "cjs" | "jsx" | "tsx") => &TSX,
        (L::Rust, _) => &RUST,
        (L::Go, _) => &GO,
        (L::Java, "java") => &JAVA,
        (L::Ruby, "rb") => &RUBY,
        (L::Php, "php") => &PHP,
        _ => return None,
    };
    Some(found)
}

/// Every table, with its name.
#[cfg(test)]
pub(super) const ALL: [(&str, &Table); 8] = [
    ("python", &PYTHON),
    ("typescript", &TYPESCRIPT),
    ("tsx", &TSX),
    ("rust", &RUST),
    ("go", &GO),
    ("java", &JAVA),
    ("ruby", &RUBY),
    ("php", &PHP),
];

#[rustfmt::skip]
static PYTHON: Table = Table {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    query: r#"
        (function_definition
          name: (identifier) @test.name
          body: (block) @body
          (#match? @test.name "^test")) @test
        (function_definition name: (identifier) @function.name) @function
        (call) @call
        (assert_statement) @assertion
        (raise_statement) @failure
        (decorator) @mark
    "#,
    returns: r#"
        (function_definition
          parameters: (parameters) @parameters
          body: (block
            . (expression_statement (string))?
            . (return_statement [(string) (integer) (float)] @returned) .))
        (if_statement
          condition: (comparison_operator
            (identifier) . "==" . [(string) (integer) (float)] @compared)
          consequence: (block . (return_statement [(string) (integer) (float)] @returned)))
    "#,
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
    nests: false,
    mocks: &[
        "Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock", "create_autospec",
        "mock.Mock", "mock.MagicMock", "mock.AsyncMock", "mock.create_autospec", "patch",
        "patch.object", "patch.dict", "patch.multiple", "mock.patch", "mock.patch.object",
        "mock.patch.dict", "mocker.patch", "mocker.patch.object", "mocker.patch.dict",
        "mocker.Mock", "mocker.MagicMock", "mocker.stub", "mocker.spy",
    ],
    skips: &[],
    skips_inside: &["pytest.skip", "self.skipTest"],
    focuses: &[],
    skip_marks: &["pytest.mark.skip", "mark.skip", "unittest.skip", "skip"],
    asserting_marks: &["xfail", "expectedFailure", "raises"],
    capitals_construct: true,
    catch_assertions: &[],
    test_aware: &[
        "PYTEST_CURRENT_TEST", "\"pytest\" in sys.modules", "'pytest' in sys.modules",
    ],
    // `unittest` in `sys.modules` is asked for by libraries that offer helpers for it.
};

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

static TYPESCRIPT: Table = script(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
static TSX: Table = script(|| tree_sitter_typescript::LANGUAGE_TSX.into());

#[rustfmt::skip]
const fn script(grammar: fn() -> Language) -> Table {
    Table {
        grammar,
        query: SCRIPT_QUERY,
        returns: SCRIPT_RETURNS,
        compiled: OnceLock::new(),
        compiled_returns: OnceLock::new(),
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
        skip_marks: &[],
        asserting_marks: &[],
        capitals_construct: true,
        catch_assertions: &[],
        test_aware: &["process.env.JEST_WORKER_ID", "process.env.VITEST"],
    }
}

#[rustfmt::skip]
static RUST: Table = Table {
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
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
    nests: false,
    mocks: &[],
    skips: &[],
    skips_inside: &[],
    focuses: &[],
    skip_marks: &["ignore"],
    asserting_marks: &["should_panic", "quickcheck", "test_case"],
    capitals_construct: true,
    catch_assertions: &[],
    test_aware: &["cfg!(test)", "#[cfg(not(test))]"],
};

#[rustfmt::skip]
static GO: Table = Table {
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
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
    nests: false,
    mocks: &["gomock.NewController", "mock.Mock", "sqlmock.New"],
    skips: &[],
    skips_inside: &[
        "t.Skip", "t.Skipf", "t.SkipNow", "s.T().Skip", "s.T().Skipf", "suite.T().Skip",
    ],
    focuses: &[],
    skip_marks: &[],
    asserting_marks: &[],
    capitals_construct: false,
    // What fails a test ends its goroutine: there is no way to catch that.
    catch_assertions: &["Goexit"],
    test_aware: &["testing.Testing()"],
};

#[rustfmt::skip]
static JAVA: Table = Table {
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
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
    nests: false,
    mocks: &[
        "mock", "spy", "Mockito.mock", "Mockito.spy", "Mockito.mockStatic", "mockStatic",
        "EasyMock.createMock", "createMock", "mockk",
    ],
    skips: &[],
    skips_inside: &[],
    focuses: &[],
    skip_marks: &["Disabled", "Ignore"],
    asserting_marks: &["expected", "ExpectedException", "Property", "TestFactory"],
    capitals_construct: true,
    catch_assertions: &["Throwable", "Error", "AssertionError"],
    test_aware: &[],
};

#[rustfmt::skip]
static RUBY: Table = Table {
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
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
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
    skip_marks: &[],
    asserting_marks: &[],
    capitals_construct: true,
    catch_assertions: &["Exception"],
    test_aware: &["Rails.env.test?"],
};

#[rustfmt::skip]
static PHP: Table = Table {
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
    compiled: OnceLock::new(),
    compiled_returns: OnceLock::new(),
    nests: false,
    mocks: &[
        "$this->createMock", "$this->createStub", "$this->createPartialMock",
        "$this->getMockBuilder", "$this->getMockForAbstractClass", "$this->prophesize",
        "Mockery::mock", "Mockery::spy", "m::mock",
    ],
    skips: &[],
    skips_inside: &[
        "$this->markTestSkipped", "$this->markTestIncomplete", "self::markTestSkipped",
        "static::markTestSkipped",
    ],
    focuses: &[],
    skip_marks: &[],
    asserting_marks: &[
        "expectedException", "doesNotPerformAssertions", "DoesNotPerformAssertions",
    ],
    capitals_construct: false,
    catch_assertions: &[],
    test_aware: &["defined('PHPUNIT_"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_fits_its_grammar() {
        for (name, table) in ALL {
            let compiled = Query::new(&table.grammar(), table.query);
            assert!(compiled.is_ok(), "{name}: {}", compiled.unwrap_err());
            let returns = Query::new(&table.grammar(), table.returns);
            assert!(returns.is_ok(), "{name}: {}", returns.unwrap_err());
        }
    }

    #[test]
    fn a_table_is_found_by_the_name_of_the_file() {
        for (path, found) in [
            ("tests/test_a.py", true),
            ("a/b.test.tsx", true),
            ("a/B.JS", true),
            ("src/lib.rs", true),
            ("a_test.go", true),
            ("ATest.java", true),
            ("a_spec.rb", true),
            ("ATest.php", true),
            ("a.ipynb", false),
            ("a.vue", false),
            ("a.kt", false),
            ("Makefile", false),
            ("", false),
        ] {
            assert_eq!(table_of(path).is_some(), found, "{path}");
        }
    }
}
