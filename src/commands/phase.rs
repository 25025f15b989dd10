//! `git tcr phase P`

use super::live::Live;
use super::open;
use super::open::Opened;
use super::print;
use crate::cli::{PhaseArgs, PhaseName};
use crate::error::{Error, ExitStatus, Result};
use crate::message::{self, Message, Tone};
use crate::tcr_loop::session::Session;
use crate::tcr_loop::spec_cycle::done::Ended;

pub(super) fn phase(args: &PhaseArgs) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(args.json))?;
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    if args.phase == PhaseName::Done {
        return done(args, &mut session);
    }
    if args.abandon {
        return Err(Error::Usage {
            what: "`--abandon` goes with `done`".into(),
            hint: "git tcr phase done --abandon".into(),
        });
    }
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
    let mut message =
        Message::new(Tone::Good, format!("phase `{before}` → `{phase}`")).fact(format!(
            "may be written now: {}",
            message::spec::allowed_now(&session.state)
        ));
    if let Some(number) = done.recover {
        message = message.fact(format!(
            "put aside as recover {number} until the next valid red: {}",
            message::path_list(&done.parked)
        ));
    }
    print::message(&message.hint(message::spec::next_in(
        &session.state,
        session.is_ready_to_freeze(),
    )))?;
    Ok(ExitStatus::Done)
}

/// Ends a spec cycle.
fn done(args: &PhaseArgs, session: &mut Session<'_>) -> Result<ExitStatus> {
    if args.abandon {
        open::people_only("phase done --abandon")?;
    }
    let before = session.state.phase;
    let ended = session.phase_done(args.abandon, &mut Live::new(args.json))?;
    let state = &session.state;
    if args.json {
        let (handoff, refusal) = match &ended {
            Ended::Done(handoff) => (Some(handoff), None),
            Ended::Abandoned => (None, None),
            Ended::Refused { refusal, .. } => (
                None,
                Some(message::spec::refusal(*refusal, "phase done", state.phase).0),
            ),
        };
        print::json(&serde_json::json!({
            "action": "phase", "phase": before, "next_phase": state.phase, "cycle": state.cycle,
            "abandoned": matches!(ended, Ended::Abandoned), "handoff": handoff, "refusal": refusal,
        }))?;
    } else {
        print::message(&message::spec::ended(&ended, state))?;
    }
    Ok(match ended {
        Ended::Done(_) | Ended::Abandoned => ExitStatus::Done,
        Ended::Refused { .. } => ExitStatus::No,
    })
}
