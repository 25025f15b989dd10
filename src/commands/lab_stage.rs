//! `git tcr lab-stage …`: our own program between the lab and a test command.

use crate::error::{ExitStatus, Result};
use crate::lab;
use clap::Args;
use std::ffi::OsString;

/// `lab-stage`
#[derive(Debug, Args)]
pub(crate) struct LabStageArgs {
    /// The stage, what it needs, and the user's command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
}

/// Ends with the very status of the command.
pub(crate) fn lab_stage(args: &LabStageArgs) -> Result<ExitStatus> {
    std::process::exit(lab::stage(&args.args))
}
