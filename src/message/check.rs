//! The words of `git tcr check`.

use super::{Message, Tone, outcome};
use crate::outcome::check::Checked;

/// Nothing is known that a result could be compared with.
pub(crate) const NOTHING_BEFORE: &str =
    "which tests passed before is known only where git tcr is installed";

/// Whether a gate holds, and on what that rests.
pub(crate) fn checked(gate: &str, checked: &Checked) -> Message {
    let (tone, word) = match checked.holds {
        Some(true) => (Tone::Good, "holds"),
        Some(false) => (Tone::Bad, "does not hold"),
        None => (Tone::Bad, "can't be told"),
    };
    let mut message = Message::new(tone, format!("`{gate}` {word}"));
    if !checked.reason.is_empty() {
        message = message.fact(checked.reason.clone());
    }
    message.fact(format!(
        "tests: {}",
        outcome::results(&checked.test_results)
    ))
}
