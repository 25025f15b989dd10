//! Why a test failed, where a runner's JUnit XML needs its own reading.

use super::case::Case;
use super::{Failure, Word};
use crate::effects::test_run::report::collect::Outcome;
use crate::effects::test_run::report::{cause, gtest};
use crate::policy::verdict::Cause;

pub(super) fn pytest_failure(failure: &Failure) -> Outcome {
    let message = failure.message.trim_start();
    if failure.word == Some(Word::Error) {
        return Outcome::Inconclusive;
    }
    if message.starts_with("assert ") || message == "assert" {
        return Outcome::Failed(Cause::Assertion);
    }
    cause::of_text(message, Cause::Error)
}

pub(super) fn mocha_failure(failure: &Failure) -> Outcome {
    // The message, an optional diff, then the stack, which begins with the type.
    let stack = failure.text.lines().find_map(cause::leading_type);
    match stack {
        Some((kind, message)) => cause::of_raised(kind, message),
        None => cause::of_text(&failure.text, Cause::Error),
    }
}

pub(super) fn node_failure(failure: &Failure) -> Outcome {
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
pub(super) fn xunit_failure(failure: &Failure) -> Outcome {
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

pub(super) fn ctest_outcome(case: &Case) -> Outcome {
    let message = case
        .failures
        .first()
        .map_or("", |failure| failure.message.as_str());
    if !message.is_empty() && !message.eq_ignore_ascii_case("failed") {
        return Outcome::Inconclusive;
    }
    gtest::of_single_test_output(&case.output)
}
