//! How tests are read for what is wrong with them: a query for the grammar, and a few words.
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

use tree_sitter::{Language, Query, Tree};

use super::code::parse_by;

/// The words of one language.
pub(crate) struct TestWords {
    pub(super) grammar: fn() -> Language,
    pub(super) query: &'static str,
    /// Functions that do nothing but return a value (`@returned`) whatever their `@parameters`, and
    /// conditions on a value (`@compared`) that lead to one.
    pub(super) returns: &'static str,
    /// Where the compiled queries are kept.
    pub(super) queries: &'static Queries,
    /// Whether a call declares a test, where the query can't tell.
    pub(crate) declares_test: fn(&str) -> bool,
    /// Whether nobody can say that a call asserts nothing.
    pub(crate) hides_assertions: fn(&str) -> bool,
    /// Tests are calls, and may stand within one another; elsewhere a function within a test is
    /// none of its own.
    pub(crate) nests: bool,
    /// Ways to call something that makes it a double.
    pub(crate) mocks: &'static [&'static str],
    /// Calls that declare a test, or a group of them, that does not run.
    pub(crate) skips: &'static [&'static str],
    /// Calls within a test that end it early.
    pub(crate) skips_inside: &'static [&'static str],
    /// Calls that declare a test, or a group of them, besides which nothing runs.
    pub(crate) focuses: &'static [&'static str],
    /// Marks on a test, or a group of them, that does not run.
    pub(crate) skip_marks: &'static [&'static str],
    /// Marks of a test that is to fail, or that asserts by itself.
    pub(crate) asserting_marks: &'static [&'static str],
    /// A name with a capital is that of a type: to call it makes a value.
    pub(crate) capitals_construct: bool,
    /// What has to be caught to catch a failed assertion; nothing: whatever catches errors does.
    pub(crate) catch_assertions: &'static [&'static str],
    /// Types of errors may be written in small letters.
    pub(crate) errors_are_small: bool,
    /// Blocks behind a call are functions of their own.
    pub(crate) blocks_are_functions: bool,
    /// Kinds of values that are written out.
    pub(crate) literals: &'static [&'static str],
    /// Kinds of other values that are written out, and of what belongs to them.
    pub(crate) values: &'static [&'static str],
    /// Kinds that do nothing by themselves.
    pub(crate) inert: &'static [&'static str],
    /// Kinds of functions.
    pub(crate) functions: &'static [&'static str],
    /// Functions that show something to a person.
    pub(crate) prints: &'static [&'static str],
    /// What functions that wait for the clock belong to.
    pub(crate) clocks: &'static [&'static str],
    /// Source that asks whether it is being tested.
    pub(crate) test_aware: &'static [&'static str],
}

/// Queries, compiled when a file of the language is first met: nothing is done at start-up.
pub(crate) struct Queries {
    tests: OnceLock<Option<Query>>,
    returns: OnceLock<Option<Query>>,
}

impl Queries {
    pub(super) const fn new() -> Queries {
        Queries {
            tests: OnceLock::new(),
            returns: OnceLock::new(),
        }
    }
}

impl TestWords {
    /// No words yet.
    pub(super) const fn with(queries: &'static Queries) -> TestWords {
        TestWords {
            grammar: || tree_sitter_rust::LANGUAGE.into(),
            query: "",
            returns: "",
            queries,
            declares_test: |_| true,
            hides_assertions: |_| false,
            nests: false,
            mocks: &[],
            skips: &[],
            skips_inside: &[],
            focuses: &[],
            skip_marks: &[],
            asserting_marks: &[],
            capitals_construct: false,
            catch_assertions: &[],
            errors_are_small: false,
            blocks_are_functions: false,
            literals: &[],
            values: &[],
            inert: &[],
            functions: &[],
            prints: &[],
            clocks: &[],
            test_aware: &[],
        }
    }

    /// Parses a file, errors and all; nothing if it takes too long.
    pub(crate) fn parse(&self, text: &str) -> Option<Tree> {
        parse_by(&(self.grammar)(), text)
    }

    /// The query for tests.
    pub(crate) fn query(&self) -> Option<&Query> {
        let compiled = || Query::new(&(self.grammar)(), self.query).ok();
        self.queries.tests.get_or_init(compiled).as_ref()
    }

    /// The query for values that are returned.
    pub(crate) fn returns(&self) -> Option<&Query> {
        let compiled = || Query::new(&(self.grammar)(), self.returns).ok();
        self.queries.returns.get_or_init(compiled).as_ref()
    }
}

/// The beginning of what is called that is a plain path: `it.each` of `it.each([1, 2])(…)`.
pub(crate) fn head(called: &str) -> &str {
    let plain = |c: char| c.is_alphanumeric() || "_$.:>-!?@\\".contains(c);
    let end = called.find(|c| !plain(c)).unwrap_or(called.len());
    called[..end].trim_end_matches(['!', '.'])
}
