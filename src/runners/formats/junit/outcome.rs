//! How a test ended, and why it failed, where a runner's JUnit XML needs its own reading.

use super::case::Case;
use super::dialect::Dialect;
use super::java_stack;
use super::{Failure, Word};
use crate::rules::verdict::Cause;
use crate::runners::formats::cause;
use crate::runners::formats::collect::Outcome;
use crate::runners::{bats, gtest, jest, rspec, rust, vitest};

impl Dialect {
    /// How a test ended.
    pub(super) fn outcome(self, case: &Case) -> Outcome {
        if case.skipped
            // A list of tests that were not asked to run.
            || (self == Dialect::GTest && case.status.is_empty() && case.failures.is_empty())
            || matches!(case.status.as_str(), "notrun" | "disabled" | "skipped")
            || matches!(case.result.as_str(), "skipped" | "suppressed")
        {
            return Outcome::Skipped;
        }
        // PHPUnit gives a test no time if its class could not be set up.
        if self == Dialect::PhpUnit && case.took_no_time && !case.failures.is_empty() {
            return Outcome::Inconclusive;
        }
        if self == Dialect::CTest && !case.failures.is_empty() {
            return ctest_outcome(case);
        }
        // A test that failed more than once is judged by what tells most.
        case.failures
            .iter()
            .map(|failure| self.failure(case, failure))
            .max_by_key(|outcome| match outcome {
                Outcome::Failed(cause) => 2 + *cause as u8,
                Outcome::Inconclusive => 1,
                Outcome::Passed | Outcome::Skipped => 0,
            })
            .unwrap_or(Outcome::Passed)
    }

    fn failure(self, case: &Case, failure: &Failure) -> Outcome {
        let words = failure.words();
        match self {
            Dialect::Pytest => pytest_failure(failure),
            Dialect::Nextest => match failure.kind.as_str() {
                kind if kind.starts_with("test failure") => rust::of_panic(words),
                _ => Outcome::Inconclusive,
            },
            Dialect::GTest => gtest::of_failure(&failure.message),
            Dialect::Jest => jest::of_messages(&[failure.text.as_str()]),
            Dialect::Deno => cause::of_text(words, Cause::Error),
            Dialect::Vitest => {
                let kind = if failure.kind.is_empty() {
                    "Error"
                } else {
                    &failure.kind
                };
                vitest::of_raised(kind, &failure.message)
            }
            Dialect::Rspec if rspec::is_of_hook(&failure.text) => Outcome::Inconclusive,
            Dialect::Mocha => mocha_failure(failure),
            Dialect::Node => node_failure(failure),
            Dialect::Bats => bats::of_diagnostics(&failure.text),
            Dialect::Prove if failure.kind == "TodoTestSucceeded" => Outcome::Passed,
            Dialect::PhpUnit if failure.kind.ends_with("RiskyTestError") => Outcome::Passed,
            Dialect::Other if java_stack::is_of_fixture(case, failure) => Outcome::Inconclusive,
            _ => xunit_failure(failure),
        }
    }
}

impl Failure {
    /// Only PHPUnit has such ones.
    pub(super) fn is_warning(&self) -> bool {
        self.word == Some(Word::Warning)
    }

    /// The message, or else the text.
    pub(super) fn words(&self) -> &str {
        if self.message.trim().is_empty() {
            self.text.trim()
        } else if self.text.contains(self.message.trim()) {
            // The text says the same and more.
            self.text.trim()
        } else {
            self.message.trim()
        }
    }
}

fn pytest_failure(failure: &Failure) -> Outcome {
    let message = failure.message.trim_start();
    if failure.word == Some(Word::Error) {
        return Outcome::Inconclusive;
    }
    if message.starts_with("assert ") || message == "assert" {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_text(message, Cause::Error)
}

fn mocha_failure(failure: &Failure) -> Outcome {
    // The message, an optional diff, then the stack, which begins with the type.
    let stack = failure.text.lines().find_map(cause::leading_type);
    match stack {
        Some((kind, message)) => cause::of_raised(kind, message),
        None => cause::of_text(&failure.text, Cause::Error),
    }
}

fn node_failure(failure: &Failure) -> Outcome {
    if failure.kind != "testCodeFailure" {
        return Outcome::Inconclusive;
    }
    let cause = failure
        .text
        .split_once("\n  cause: ")
        .map(|(_, cause)| cause);
    match cause {
        Some(cause) if cause.starts_with("AssertionError") => Outcome::Failed(Cause::Assertion),
        Some(cause) => cause::of_text(cause, Cause::Error),
        None => cause::of_text(failure.words(), Cause::Error),
    }
}

/// By the letter of xUnit a `<failure>` is an assertion and an `<error>` is not; but many runners write
/// every failure as one of them, and tell by the type.
fn xunit_failure(failure: &Failure) -> Outcome {
    let words = failure.words();
    let looks_raised =
        |kind: &str| kind.ends_with("Error") || kind.ends_with("Exception") || kind.contains("::");
    if cause::is_assertion_type(&failure.kind) || looks_raised(&failure.kind) {
        let message = if failure.message.is_empty() {
            phpunit_message(failure)
        } else {
            &failure.message
        };
        return cause::of_raised(&failure.kind, message);
    }
    match failure.word {
        Some(Word::Error) => match cause::of_text(words, Cause::Error) {
            Outcome::Failed(Cause::Assertion) => Outcome::Failed(Cause::Error),
            outcome => outcome,
        },
        _ => cause::of_text(words, Cause::Assertion),
    }
}

/// A warning of PHPUnit begins with the name of a test, or with a word for want of one.
pub(super) fn without_first_line(text: &str) -> &str {
    text.split_once('\n')
        .map_or(text, |(_, rest)| rest.trim_start())
}

/// PHPUnit's text begins with the name of the test.
pub(super) fn without_test_name(text: &str) -> &str {
    match text.trim().split_once('\n') {
        Some((first, rest)) if first.contains("::") => rest.trim_start(),
        _ => text.trim(),
    }
}

fn phpunit_message(failure: &Failure) -> &str {
    let text = without_test_name(&failure.text);
    cause::leading_type(text).map_or(text, |(_, message)| message)
}

/// What a test printed that says more than CTest does.
pub(super) fn ctest_message(case: &Case) -> &str {
    let told = case.failures.first().map_or("", Failure::words);
    match ctest_outcome(case) {
        Outcome::Failed(_) => gtest::failure_in(&case.output).unwrap_or(told),
        _ => told,
    }
}

fn ctest_outcome(case: &Case) -> Outcome {
    let message = case
        .failures
        .first()
        .map_or("", |failure| failure.message.as_str());
    if !message.is_empty() && !message.eq_ignore_ascii_case("failed") {
        return Outcome::Inconclusive;
    }
    gtest::of_single_test_output(&case.output)
}
