//! `git tcr step`

use super::live::Live;
use super::open::Opened;
use super::print;
use crate::cli::StepArgs;
use crate::error::{ExitStatus, Result};
use crate::message;

pub(super) fn step(args: &StepArgs) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(args.json))?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let step = session.declare_step(args.why.clone())?;
    if args.json {
        print::json(&serde_json::json!({"action": "step", "step": step}))?;
    } else {
        print::message(&message::phase::step_open())?;
    }
    Ok(ExitStatus::Done)
}
