//! `git tcr phase P`

use super::live::Live;
use super::open::Opened;
use super::print;
use crate::cli::PhaseArgs;
use crate::error::{ExitStatus, Result};
use crate::message::{self, Message, Tone};
use crate::policy::Phase;
use crate::tcr_loop::progress::Progress;

pub(super) fn phase(args: &PhaseArgs) -> Result<ExitStatus> {
    let declared = declare(
        args.phase.into(),
        args.why.as_deref(),
        &mut Live::new(args.json),
    )?;
    if args.json {
        print::json(&serde_json::json!({
            "action": "phase",
            "phase": declared.before,
            "next_phase": declared.phase,
            "cycle": declared.cycle,
            "recover": declared.recover,
            "parked": declared.parked,
        }))?;
    } else {
        print::message(&declared.message())?;
    }
    Ok(ExitStatus::Done)
}

/// A change of phase that was declared.
pub(super) struct Declared {
    before: Phase,
    phase: Phase,
    cycle: u64,
    recover: Option<u64>,
    parked: Vec<String>,
}

/// Goes to a phase, if the rules allow it.
pub(super) fn declare(
    to: Phase,
    why: Option<&str>,
    progress: &mut dyn Progress,
) -> Result<Declared> {
    let opened = Opened::new(progress)?;
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let before = session.state.phase;
    let done = session.declare_phase(to, why)?;
    Ok(Declared {
        before,
        phase: session.state.phase,
        cycle: session.state.cycle,
        recover: done.recover,
        parked: done.parked,
    })
}

impl Declared {
    /// What was done, in short.
    pub(super) fn brief(&self) -> Message {
        let headline = format!("phase `{}` → `{}`", self.before, self.phase);
        let message = Message::new(Tone::Good, headline);
        match self.recover {
            Some(number) => message.fact(format!(
                "put aside as recover {number} until the next valid red: {}",
                message::path_list(&self.parked)
            )),
            None => message,
        }
    }

    /// The same with what follows from it.
    pub(super) fn message(&self) -> Message {
        let mut message = self.brief();
        let allowed = message::allowed_now(self.phase);
        let allowed = format!("may be written now: {allowed}");
        message.facts.insert(0, allowed);
        message.hint(message::next_step(self.phase))
    }
}
