//! The words of `git tcr on`, `git tcr off` and `git tcr mode`.

use super::{Message, Tone, install, outcome, phase};
use crate::branch::off::Off;
use crate::error::Error;
use crate::outcome::activated::Activated;
use crate::rules::Mode;

/// It was on before.
pub(crate) fn already_on(base: &str) -> Message {
    Message::new(Tone::Plain, format!("already on for `{base}`"))
}

/// It is on now.
pub(crate) fn on(activated: &Activated<'_>) -> Message {
    let session = &activated.session;
    let (base, phase) = (&session.base, session.state.phase);
    let mut message = Message::new(Tone::Good, format!("on for `{base}`, phase `{phase}`"))
        .fact(format!("tests: {}", outcome::results(&activated.results)));
    message.facts.extend(install::baseline(activated));
    message.facts.extend(session.remarks.iter().cloned());
    message.hint(session.next_step())
}

/// It is off now, whatever keeps an earlier command from being finished.
pub(crate) fn off(base: &str, unfinished: Option<&Error>) -> Message {
    let Some(error) = unfinished else {
        let headline = format!("off for `{base}`; nothing in the worktree changed");
        return Message::new(Tone::Good, headline).hint("git tcr on");
    };
    let message = Message::new(Tone::Good, format!("off for `{base}`"))
        .fact(format!("an earlier command could not be finished: {error}"));
    match error.hint() {
        Some(hint) => message.hint(hint),
        None => message.hint("git tcr on"),
    }
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
