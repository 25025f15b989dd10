//! `git tcr step`

use super::live::Live;
use super::open::Opened;
use super::print;
use crate::cli::StepArgs;
use crate::clock;
use crate::error::{ExitStatus, Result};
use crate::journal::event::EventKind;
use crate::journal::state::Step;
use crate::message::{Message, Tone};

pub(super) fn step(args: &StepArgs) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(args.json))?;
    let mut session = opened.session()?;
    let step = Step { since: clock::timestamp(), why: args.why.clone() };
    session.state.step = Some(step.clone());
    let event = session.event(EventKind::Step, args.why.clone().unwrap_or_default());
    session.record(vec![event])?;
    if args.json {
        print::json(&serde_json::json!({"action": "step", "step": step}))?;
    } else {
        let message = Message::new(Tone::Good, "a longer step is open: edits are not judged one by one");
        print::message(&message.hint("git tcr run"))?;
    }
    Ok(ExitStatus::Done)
}
