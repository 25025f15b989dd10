//! `git tcr phase P`

use super::live::Live;
use super::open;
use super::open::Opened;
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message::{self, Message};
use crate::outcome::spec::Ended;
use crate::rules::Phase;
use crate::test_run::progress::Progress;
use clap::Args;
use clap::ValueEnum;

/// `phase`
#[derive(Debug, Args)]
pub(crate) struct PhaseArgs {
    /// The phase to go to.
    #[arg(value_enum)]
    pub(crate) phase: PhaseName,
    /// With `green`: tests that failed before the work began, by name or the end of it. They are to
    /// pass next.
    #[arg(value_name = "TEST")]
    pub(crate) tests: Vec<String>,
    /// Why; needed to go back from `green` to mend a test.
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// With `done`: give the spec cycle up (people only).
    #[arg(long)]
    pub(crate) abandon: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The phases as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PhaseName {
    /// A spec was started; its plan is being written.
    Plan,
    /// Write a failing test.
    Red,
    /// Make the failing tests pass.
    Green,
    /// Reshape the code while the tests stay green.
    Refactor,
    /// The spec cycle is over.
    Done,
}

impl From<PhaseName> for Phase {
    fn from(name: PhaseName) -> Phase {
        match name {
            PhaseName::Plan => Phase::Plan,
            PhaseName::Red => Phase::Red,
            PhaseName::Green => Phase::Green,
            PhaseName::Refactor => Phase::Refactor,
            PhaseName::Done => Phase::Done,
        }
    }
}

pub(crate) fn phase(args: &PhaseArgs) -> Result<ExitStatus> {
    if args.phase == PhaseName::Done {
        return done(args);
    }
    if args.abandon {
        return Err(message::phase::abandon_without_done());
    }
    if !args.tests.is_empty() {
        return wait_for(args);
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

/// Known failures are to pass next.
fn wait_for(args: &PhaseArgs) -> Result<ExitStatus> {
    if args.phase != PhaseName::Green {
        return Err(message::phase::tests_without_green());
    }
    let opened = Opened::new(&mut Live::new(args.json))?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let before = session.state.phase;
    let awaited = session.declare_awaited(&args.tests)?;
    let state = &session.state;
    if args.json {
        print::json(&serde_json::json!({
            "action": "phase", "phase": before, "next_phase": state.phase, "cycle": state.cycle,
            "awaited": awaited,
        }))?;
    } else {
        let allowed = message::spec::allowed_in(state, session.mode());
        let brief = message::phase::awaits(before, &awaited.into_iter().collect::<Vec<_>>());
        let next = session.next_step();
        print::message(&message::phase::with_what_follows(brief, allowed, &next))?;
    }
    Ok(ExitStatus::Done)
}

/// A change of phase that was declared.
pub(crate) struct Declared {
    before: Phase,
    phase: Phase,
    cycle: u64,
    recover: Option<u64>,
    parked: Vec<String>,
    allowed: &'static str,
    next_step: String,
}

/// Goes to a phase, if the rules allow it.
pub(crate) fn declare(
    to: Phase,
    why: Option<&str>,
    progress: &mut dyn Progress,
) -> Result<Declared> {
    if to == Phase::Done {
        // It runs tests and lint, and has more to say than a change of phase.
        return Err(message::phase::done_is_a_command());
    }
    let opened = Opened::new(progress)?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let before = session.state.phase;
    let done = session.declare_phase(to, why)?;
    Ok(Declared {
        before,
        phase: session.state.phase,
        cycle: session.state.cycle,
        recover: done.recover,
        parked: done.parked,
        allowed: message::spec::allowed_in(&session.state, session.mode()),
        next_step: session.next_step(),
    })
}

impl Declared {
    /// What was done, in short.
    pub(super) fn brief(&self) -> Message {
        message::phase::declared(self.before, self.phase, self.recover, &self.parked)
    }

    /// The same with what follows from it.
    pub(super) fn message(&self) -> Message {
        message::phase::with_what_follows(self.brief(), self.allowed, &self.next_step)
    }
}

/// Ends a spec cycle.
fn done(args: &PhaseArgs) -> Result<ExitStatus> {
    if args.abandon {
        open::people_only("phase done --abandon")?;
    }
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
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
