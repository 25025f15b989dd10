//! The commands that lead out of the WIP branch.

use clap::Args;

/// `squash`
#[derive(Debug, Args)]
pub struct SquashArgs {
    /// The message; by default one is proposed from the tests that were made to pass.
    #[arg(short, long, value_name = "MSG", conflicts_with = "by_cycle")]
    pub message: Option<String>,
    /// Open your editor on the message.
    #[arg(short, long)]
    pub edit: bool,
    /// One commit per cycle instead of one for all.
    #[arg(long)]
    pub by_cycle: bool,
    /// Put the work on top of this commit, which has to contain the base branch.
    #[arg(long, value_name = "REF")]
    pub onto: Option<String>,
    /// Put what was there before the first cycle, and commits by hand, in with the rest.
    #[arg(long)]
    pub fold_baseline: bool,
    /// Begin the message as a conventional commit, e.g. `feat` or `fix(parser)`.
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Go back to before the last squash.
    #[arg(long, conflicts_with_all = ["message", "edit", "by_cycle", "onto", "fold_baseline", "kind", "dry_run"])]
    pub undo: bool,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
