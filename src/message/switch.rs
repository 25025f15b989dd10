//! The words of `git tcr on`, `git tcr off` and `git tcr mode`.

use super::{Message, Tone, outcome, phase};
use crate::journal::state::TestResults;
use crate::policy::{Mode, Phase};
use crate::tcr_loop::off::Off;

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

/// It is off now.
pub(crate) fn off(base: &str) -> Message {
    let headline = format!("off for `{base}`; nothing in the worktree changed");
    Message::new(Tone::Good, headline).hint("git tcr on")
}

/// Another mode holds, or will once nothing keeps git tcr from acting.
pub(crate) fn mode(mode: Mode, base: &str, off: Option<Off>) -> Message {
    let message = Message::new(Tone::Good, format!("mode `{mode}` on `{base}`"));
    match off {
        Some(off) => {
            let (why, hint) = phase::off(off, base);
            message.fact(why).hint(hint)
        }
        None => message,
    }
}
