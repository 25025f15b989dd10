//! `git tcr phase P`

use super::live::Live;
use super::open;
use super::open::Opened;
use super::print;
use crate::cli::{PhaseArgs, PhaseName};
use crate::error::{Error, ExitStatus, Result};
use crate::message::{self, Message, Tone};
use crate::policy::Phase;
use crate::tcr_loop::progress::Progress;
use crate::tcr_loop::spec_cycle::done::Ended;

pub(super) fn phase(args: &PhaseArgs) -> Result<ExitStatus> {
    if args.phase == PhaseName::Done {
        return done(args);
    }
    if args.abandon {
        return Err(Error::Usage {
            what: "`--abandon` goes with `done`".into(),
            hint: "git tcr phase done --abandon".into(),
        });
    }
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
    allowed: &'static str,
    next_step: String,
}

/// Goes to a phase, if the rules allow it.
pub(super) fn declare(
    to: Phase,
    why: Option<&str>,
    progress: &mut dyn Progress,
) -> Result<Declared> {
    if to == Phase::Done {
        // It runs tests and lint, and has more to say than a change of phase.
        return Err(Error::Refused {
            what: "the end of a spec cycle has a command of its own".into(),
            hint: "git tcr phase done".into(),
        });
    }
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
        allowed: message::spec::allowed_now(&session.state),
        next_step: session.next_step(),
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
        let allowed = format!("may be written now: {}", self.allowed);
        message.facts.insert(0, allowed);
        message.hint(self.next_step.clone())
    }
}

/// Ends a spec cycle.
fn done(args: &PhaseArgs) -> Result<ExitStatus> {
    if args.abandon {
        open::people_only("phase done --abandon")?;
    }
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let before = session.state.phase;
    let ended = session.phase_done(args.abandon, &mut live)?;
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
        print::message(&message::spec::done::ended(&ended, state))?;
    }
    Ok(match ended {
        Ended::Done(_) | Ended::Abandoned => ExitStatus::Done,
        Ended::Refused { .. } => ExitStatus::No,
    })
}
