//! `git tcr run`

use super::live::Live;
use super::{open, print};
use crate::error::{ExitStatus, Result};
use crate::message::{self, Message};
use crate::outcome::step::Outcome;
use crate::step::request::LoopRequest;
use crate::step::rounds::{self, Done};
use crate::test_run::TestCommand;
use clap::Args;
use std::ffi::OsString;

/// `run`
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Run the tests even if the result for this very tree is known.
    #[arg(long)]
    pub(crate) force: bool,
    /// Only report: commit nothing and take nothing back, exit 0.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Run this command instead of the configured one; from an agent its result is only recorded,
    /// and a run of some of the tests commits nothing.
    #[arg(last = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

pub(crate) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let by = crate::person::calling_agent().map(str::to_owned);
    let seen = match by {
        Some(_) => crate::branch::caller::take(&repo, "run")?,
        None => None,
    };
    let request = LoopRequest {
        force: args.force,
        report_only: args.report,
        command: (!args.command.is_empty()).then(|| TestCommand::Args(args.command.clone())),
        identity: seen,
        by,
        ..LoopRequest::default()
    };
    let done = rounds::run(&repo, &request, &mut Live::new(args.json))?;
    if args.json {
        print::json(&done.outcome)?;
    } else {
        render(&done)?;
    }
    if args.report {
        return Ok(ExitStatus::Done);
    }
    Ok(exit_status(&done.outcome))
}

/// Says what was done, round by round.
pub(crate) fn render(done: &Done) -> Result<()> {
    messages(done).iter().try_for_each(print::message)
}

/// What was done, a message for each round.
pub(crate) fn messages(done: &Done) -> Vec<Message> {
    let limit = done.shown_output();
    done.rounds()
        .map(|outcome| message::outcome::message(outcome, limit))
        .collect()
}

/// The exit status that an outcome stands for.
pub(crate) fn exit_status(outcome: &Outcome) -> ExitStatus {
    if outcome.is_undecided() {
        ExitStatus::Undecided
    } else if outcome.is_no() {
        ExitStatus::No
    } else {
        ExitStatus::Done
    }
}
