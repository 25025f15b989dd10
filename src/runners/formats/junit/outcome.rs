//! How a test ended, and why it failed, by the letter of xUnit.

use super::{Failure, Word};
use crate::rules::verdict::Cause;
use crate::runners::formats::cause;
use crate::runners::formats::collect::Outcome;

impl Failure {
    /// Only PHPUnit has such ones.
    pub(crate) fn is_warning(&self) -> bool {
        self.word == Some(Word::Warning)
    }

    /// The message, or else the text.
    pub(crate) fn words(&self) -> &str {
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

/// By the letter of xUnit a `<failure>` is an assertion and an `<error>` is not; but many runners write
/// every failure as one of them, and tell by the type.
pub(crate) fn xunit_failure(failure: &Failure) -> Outcome {
    let words = failure.words();
    let looks_raised =
        |kind: &str| kind.ends_with("Error") || kind.ends_with("Exception") || kind.contains("::");
    if cause::is_assertion_type(&failure.kind) || looks_raised(&failure.kind) {
        let message = if failure.message.is_empty() {
            first_message(failure)
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

/// The text may begin with the name of the test.
pub(crate) fn without_test_name(text: &str) -> &str {
    match text.trim().split_once('\n') {
        Some((first, rest)) if first.contains("::") => rest.trim_start(),
        _ => text.trim(),
    }
}

fn first_message(failure: &Failure) -> &str {
    let text = without_test_name(&failure.text);
    cause::leading_type(text).map_or(text, |(_, message)| message)
}
