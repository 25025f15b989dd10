//! Jest: our reporter's lines, its JSON, and its text.

use std::sync::LazyLock;

use regex::Regex;

use super::cause;
use super::collect::Outcome;
use crate::policy::verdict::Cause;

/// Why a test failed, from the messages of its failures. Jest's matchers throw plain errors: one is an
/// assertion if it reads like one and its first stack frame is a matcher.
pub(super) fn of_messages(messages: &[&str]) -> Outcome {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s+at (?:async )?(?:\S+\.)?(to[A-Z]\w*|assertions|hasAssertions|fail|resolves|rejects|expect)\b")
            .expect("the pattern is constant")
    });
    static FIRST_FRAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\s+at .*$").expect("the pattern is constant"));
    let mut strongest = Outcome::Inconclusive;
    for message in messages {
        let text = message.trim_start();
        let words = text.strip_prefix("Error: ").unwrap_or(text);
        let outcome = if words.starts_with("expect(") || words.starts_with("expect.") {
            let by_matcher = FIRST_FRAME
                .find(text)
                .is_none_or(|frame| FRAME.is_match(frame.as_str()));
            if by_matcher {
                Outcome::Failed(Cause::Assertion)
            } else {
                Outcome::Failed(Cause::Error)
            }
        } else {
            cause::of_text(text, Cause::Error)
        };
        strongest = stronger(strongest, outcome);
    }
    strongest
}

/// Of two failures of one test the one that tells more.
pub(super) fn stronger(one: Outcome, other: Outcome) -> Outcome {
    match (one, other) {
        (Outcome::Failed(one), Outcome::Failed(other)) => Outcome::Failed(one.max(other)),
        (Outcome::Failed(_), _) => one,
        _ => other,
    }
}
