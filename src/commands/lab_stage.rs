//! `git tcr lab-stage …`: our own program between the lab and a test command.

use crate::cli::LabStageArgs;
use crate::error::{ExitStatus, Result};
use crate::lab;

/// Ends with the very status of the command.
pub(super) fn lab_stage(args: &LabStageArgs) -> Result<ExitStatus> {
    std::process::exit(lab::stage(&args.args))
}
