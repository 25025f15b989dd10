//! `lab-stage`

use std::ffi::OsString;

use clap::Args;

/// `lab-stage`
#[derive(Debug, Args)]
pub struct LabStageArgs {
    /// The stage, what it needs, and the user's command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,
}
