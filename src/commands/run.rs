//! `git tcr run`

use super::live::Live;
use super::{open, print};
use crate::cli::RunArgs;
use crate::effects::test_run::TestCommand;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::tcr_loop::outcome::Outcome;
use crate::tcr_loop::{self, Done, LoopRequest};

pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let by = crate::env_vars::calling_agent().map(str::to_owned);
    let seen = match by {
        Some(_) => crate::tcr_gate::caller::take(&repo, "run")?,
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
    let done = tcr_loop::run(&repo, &request, &mut Live::new(args.json))?;
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
pub(super) fn render(done: &Done) -> Result<()> {
    let limit = done.show_output.then_some(done.output_limit);
    let mut next = Some(&done.outcome);
    while let Some(outcome) = next {
        print::message(&message::outcome(outcome, limit))?;
        next = outcome.then.as_deref();
    }
    Ok(())
}

/// The exit status that an outcome stands for.
pub(super) fn exit_status(outcome: &Outcome) -> ExitStatus {
    if outcome.is_undecided() {
        ExitStatus::Undecided
    } else if outcome.is_no() {
        ExitStatus::No
    } else {
        ExitStatus::Done
    }
}
