//! `spike`

use clap::{Args, Subcommand};

/// `spike`
#[derive(Debug, Args)]
pub struct SpikeArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: SpikeAction,
    /// Print JSON.
    #[arg(long, global = true)]
    pub json: bool,
}

/// What `spike` can do.
#[derive(Debug, Clone, Subcommand)]
pub enum SpikeAction {
    /// Begin: nothing is denied, tested, committed or taken back until the spike is over.
    Start {
        /// What it is to find out; kept in the log.
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
    },
    /// End it and go back to where it began; the work is kept for `git tcr recover`.
    Drop,
    /// End it and commit the work as `untested`; the squash says so.
    Keep,
}
