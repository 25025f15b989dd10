//! `git tcr phase P`

use super::live::Live;
use super::open::Opened;
use super::print;
use crate::cli::PhaseArgs;
use crate::error::{ExitStatus, Result};
use crate::message::{self, Message, Tone};

pub(super) fn phase(args: &PhaseArgs) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(args.json))?;
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let before = session.state.phase;
    let done = session.declare_phase(args.phase.into(), args.why.as_deref())?;
    let phase = session.state.phase;
    if args.json {
        print::json(&serde_json::json!({
            "action": "phase",
            "phase": before,
            "next_phase": phase,
            "cycle": session.state.cycle,
            "recover": done.recover,
            "parked": done.parked,
        }))?;
        return Ok(ExitStatus::Done);
    }
    let mut message = Message::new(Tone::Good, format!("phase `{before}` → `{phase}`")).fact(
        format!("may be written now: {}", message::allowed_now(phase)),
    );
    if let Some(number) = done.recover {
        message = message.fact(format!(
            "put aside as recover {number} until the next valid red: {}",
            message::path_list(&done.parked)
        ));
    }
    print::message(&message.hint(message::next_step(phase)))?;
    Ok(ExitStatus::Done)
}
