//! `git tcr step`

use super::live::Live;
use super::open::Opened;
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message;
use clap::Args;

/// `step`
#[derive(Debug, Args)]
pub(crate) struct StepArgs {
    /// What the step is about; kept in the log.
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn step(args: &StepArgs) -> Result<ExitStatus> {
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
