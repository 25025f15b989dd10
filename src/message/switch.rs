//! The words of `git tcr on`, `git tcr off` and `git tcr mode`.

use super::{Message, Tone, outcome};
use crate::error::Error;
use crate::journal::state::TestResults;
use crate::policy::{Mode, Phase};

/// It was on before.
pub(crate) fn already_on(base: &str) -> Message {
    Message::new(Tone::Plain, format!("already on for `{base}`"))
}

/// It is on now.
pub(crate) fn on(base: &str, phase: Phase, results: &TestResults, next_step: &str) -> Message {
    Message::new(Tone::Good, format!("on for `{base}`, phase `{phase}`"))
        .fact(format!("tests: {}", outcome::results(results)))
        .hint(next_step)
}

/// It is off now, also if what an earlier command began could not be finished.
pub(crate) fn off(base: &str, unfinished: Option<&Error>) -> Message {
    let Some(error) = unfinished else {
        let headline = format!("off for `{base}`; nothing in the worktree changed");
        return Message::new(Tone::Good, headline).hint("git tcr on");
    };
    let message = Message::new(Tone::Good, format!("off for `{base}`"))
        .fact(format!("what was under way is not finished: {error}"));
    match error.hint() {
        Some(hint) => message.hint(hint),
        None => message.hint("git tcr on"),
    }
}

/// Another mode holds.
pub(crate) fn mode(mode: Mode, base: &str) -> Message {
    Message::new(Tone::Good, format!("mode `{mode}` on `{base}`"))
}
