//! `git tcr run`

use super::live::Live;
use super::{open, print};
use crate::cli::RunArgs;
use crate::effects::test_run::TestCommand;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::tcr_loop::outcome::Outcome;
use crate::tcr_loop::{self, LoopRequest};

pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let mut live = Live::new(args.json);
    let command = (!args.command.is_empty()).then(|| TestCommand::Args(args.command.clone()));
    let request = LoopRequest {
        force: args.force,
        report_only: args.report || command.is_some(),
        command,
        by: crate::env_vars::calling_agent().map(str::to_owned),
    };
    let done = tcr_loop::run(&repo, &request, &mut live)?;
    let limit = done.show_output.then_some(done.output_limit);
    render(&done.outcome, args.json, limit)?;
    Ok(exit_status(&done.outcome, args))
}

fn render(outcome: &Outcome, json: bool, limit: Option<usize>) -> Result<()> {
    if json {
        return print::json(outcome);
    }
    let mut next = Some(outcome);
    while let Some(outcome) = next {
        print::message(&message::outcome(outcome, limit))?;
        next = outcome.then.as_deref();
    }
    Ok(())
}

fn exit_status(outcome: &Outcome, args: &RunArgs) -> ExitStatus {
    if args.report {
        ExitStatus::Done
    } else if outcome.is_undecided() {
        ExitStatus::Undecided
    } else if outcome.is_no() {
        ExitStatus::No
    } else {
        ExitStatus::Done
    }
}
