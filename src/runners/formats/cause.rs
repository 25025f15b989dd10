//! Why a test failed, from the name of what was raised and its message.

use std::sync::LazyLock;

use regex::Regex;

use super::RUNNERS;
use super::collect::{Outcome, cut};
use super::text::regex;
use crate::rules::verdict::Cause;

/// How much of a message is looked at.
const LOOK: usize = 600;

/// The outcome of a failure of which the raised type is known.
pub(crate) fn of_raised(kind: &str, message: &str) -> Outcome {
    if proves_nothing(kind, message) {
        Outcome::Inconclusive
    } else if is_assertion_type(kind) {
        Outcome::Failed(Cause::Assertion)
    } else if is_stub(kind, message) {
        Outcome::Failed(Cause::Stub)
    } else {
        Outcome::Failed(Cause::Error)
    }
}

/// The outcome of a failure told by text alone, `AssertionError: 1 != 2` or the like; an assertion if
/// `otherwise` says so and the text names nothing that was raised.
pub(crate) fn of_text(text: &str, otherwise: Cause) -> Outcome {
    let text = text.trim_start();
    match leading_type(text) {
        Some((kind, message)) => of_raised(kind, message),
        None if proves_nothing("", text) => Outcome::Inconclusive,
        None if is_stub("", text) => Outcome::Failed(Cause::Stub),
        None => Outcome::Failed(otherwise),
    }
}

/// Splits `TypeError: message`, `Uncaught Error [CODE]: message`, `java.lang.X: message`.
pub(crate) fn leading_type(text: &str) -> Option<(&str, &str)> {
    static LEADING: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"^(?:Uncaught |Unhandled )?(?:\(in promise\) )?((?:[A-Za-z_][\w.:\\$]*?)?(?:Error|Exception|Failure|Failed|Assertion|Interrupt|Exit))(?: \[[A-Z_]+\])?(?:\s*\([^)]*\))?(?::\s*|\s*\n|\s*$)",
        )
    });
    let text = text.trim_start();
    let found = LEADING.captures(cut(text, LOOK))?;
    let whole = found.get(0)?;
    Some((
        found.get(1)?.as_str(),
        text.get(whole.end()..).unwrap_or_default(),
    ))
}

/// Whether a type is what an assertion raises when it does not hold.
pub(crate) fn is_assertion_type(kind: &str) -> bool {
    let name = kind.rsplit(['.', ':', '\\', '$']).next().unwrap_or(kind);
    const NAMES: [&str; 19] = [
        "Assertion",
        "AssertionError",
        "AssertionFailed",
        "AssertionFailedError",
        "AssertionFailedException",
        "AssertionFailure",
        "AssertionException",
        "ComparisonFailure",
        "ConditionNotSatisfiedError",
        "DocTestFailure",
        "ExpectationError",
        "ExpectationFailed",
        "ExpectationFailedException",
        "ExpectationNotMetError",
        "Failed",
        "MultipleAssertionsError",
        "MultipleFailuresError",
        "SnapshotMismatchError",
        "SpockComparisonFailure",
    ];
    let mut own = RUNNERS.iter().flat_map(|one| one.assertions);
    NAMES.contains(&name)
        || own.any(|start| kind.starts_with(start))
        || kind.starts_with("org.mockito.exceptions.verification.")
        || kind.starts_with("Mockery\\Exception\\")
}

/// Whether something was raised on purpose to say "not implemented yet". A name that could not be found
/// is never one, whatever its message.
pub(crate) fn is_stub(kind: &str, message: &str) -> bool {
    static STUB: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i:not[ _-]?(?:yet[ _-]?)?implemented|(?:not )?yet to be implemented|unimplemented|not supported yet|implement me)|\bTODO\b|(?i:^\W*(?:todo|stub)\b)|STUB:TDD|NotImplemented(?:Error|Exception)",
        )
    });
    let name = kind.rsplit(['.', ':', '\\']).next().unwrap_or(kind);
    if matches!(
        name,
        "ReferenceError"
            | "TypeError"
            | "NameError"
            | "AttributeError"
            | "NoMethodError"
            | "UndefinedFunctionError"
            | "ImportError"
            | "ModuleNotFoundError"
    ) {
        return false;
    }
    let first = message.trim_start().lines().next().unwrap_or_default();
    name.starts_with("NotImplemented")
        || STUB.is_match(cut(first, LOOK))
        || (name == "UnsupportedOperationException" && first.is_empty())
}

/// Failures that say nothing about the code under test: time-outs, workers that died, tests that tried to
/// leave, or that passed though marked as failing.
pub(crate) fn proves_nothing(kind: &str, message: &str) -> bool {
    static TELLING: LazyLock<Regex> = LazyLock::new(|| {
        let patterns = [
            // time-outs
            r"^(?:test|this test) timed out\b",
            r"\btimed out after \d",
            r"^test timed out after ",
            // workers and processes that died
            r"^(?:process|child process) (?:aborted|exited unexpectedly|was killed)",
            // tests that tried to leave
            r"^process\.exit(?: unexpectedly)? called with",
            // tests marked as failing that passed
            r"^(?:this )?test (?:is )?marked (?:as|with) [`.]?(?:failing|todo)(?:\(\))?`? (?:but|passed|did not throw)",
        ];
        let own = RUNNERS.iter().flat_map(|one| one.proves_nothing);
        let all: Vec<&str> = patterns.iter().chain(own).copied().collect();
        regex(&format!("(?i:{})", all.join("|")))
    });
    let name = kind.rsplit(['.', ':', '\\']).next().unwrap_or(kind);
    matches!(
        name,
        "TimeoutError" | "TestTimedOutException" | "PendingExampleFixedError"
    ) && (name != "TimeoutError" || kind == "ExUnit.TimeoutError")
        || TELLING.is_match(cut(
            message.trim_start().lines().next().unwrap_or_default(),
            LOOK,
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSERTION: Outcome = Outcome::Failed(Cause::Assertion);
    const STUB: Outcome = Outcome::Failed(Cause::Stub);
    const ERROR: Outcome = Outcome::Failed(Cause::Error);

    #[test]
    fn what_was_raised_tells_the_cause() {
        for (kind, message, expected) in [
            (
                "AssertionError",
                "not implemented is what it says",
                ASSERTION,
            ),
            ("builtins.AssertionError", "", ASSERTION),
            ("_pytest.outcomes.Failed", "DID NOT RAISE", ASSERTION),
            ("Minitest::Assertion", "Expected: 4", ASSERTION),
            ("org.opentest4j.AssertionFailedError", "", ASSERTION),
            (
                r"PHPUnit\Framework\ExpectationFailedException",
                "",
                ASSERTION,
            ),
            ("RSpec::Mocks::MockExpectationError", "", ASSERTION),
            ("builtins.NotImplementedError", "", STUB),
            ("Error", "not implemented", STUB),
            ("RuntimeError", "add is not yet implemented", STUB),
            ("java.lang.UnsupportedOperationException", "", STUB),
            (
                "java.lang.UnsupportedOperationException",
                "immutable",
                ERROR,
            ),
            (
                "NoMethodError",
                "undefined method `sub'\nDid you mean? stub",
                ERROR,
            ),
            ("NameError", "name 'todo' is not defined", ERROR),
            ("ValueError", "bad", ERROR),
            (
                "Error",
                "Exceeded timeout of 5000 ms for a test.",
                Outcome::Inconclusive,
            ),
            (
                "_pytest.outcomes.Failed",
                "Timeout >1.0s",
                Outcome::Inconclusive,
            ),
            (
                "Error",
                "test did not finish before its parent and was cancelled",
                Outcome::Inconclusive,
            ),
            (
                "_pytest.outcomes.Failed",
                "Timeout (>1.0s) from pytest-timeout.",
                Outcome::Inconclusive,
            ),
            (
                "_pytest.outcomes.Failed",
                "async def functions are not natively supported.",
                Outcome::Inconclusive,
            ),
            ("doctest.DocTestFailure", "Expected:\n    4", ASSERTION),
            ("ExUnit.TimeoutError", "", Outcome::Inconclusive),
            // a test of `unittest` that pytest ran
            (
                "_pytest.outcomes.Failed",
                "Unexpected success",
                Outcome::Inconclusive,
            ),
            (
                "Error",
                "test marked with .failing() did not throw",
                Outcome::Inconclusive,
            ),
            // one that production code raised
            ("TimeoutError", "no answer", ERROR),
        ] {
            assert_eq!(of_raised(kind, message), expected, "{kind}: {message}");
        }
    }

    #[test]
    fn text_is_split_into_type_and_message() {
        for (text, expected) in [
            ("AssertionError [ERR_ASSERTION]: 1 == 2", ASSERTION),
            ("Uncaught AssertionError: x", ASSERTION),
            ("TypeError: null", ERROR),
            ("java.lang.AssertionError\n\tat x", ASSERTION),
            ("NotImplementedError\nlib/calc.rb:3", STUB),
            ("Error: not implemented", STUB),
            ("expected 1 to be 2", ASSERTION),
        ] {
            assert_eq!(of_text(text, Cause::Assertion), expected, "{text}");
        }
        assert_eq!(of_text("boom", Cause::Error), ERROR);
    }
}
