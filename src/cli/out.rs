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
    /// Let cycles through whose tests pass without their source; it is logged and stands in the commit.
    #[arg(long)]
    pub accept_unproven: bool,
    /// Put what was there before the first cycle, and commits by hand, in with the rest.
    #[arg(long)]
    pub fold_baseline: bool,
    /// Begin the message as a conventional commit, e.g. `feat` or `fix(parser)`.
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Go back to before the last squash.
    #[arg(long, conflicts_with_all = ["message", "edit", "by_cycle", "onto", "fold_baseline", "accept_unproven", "kind", "dry_run"])]
    pub undo: bool,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `verify`
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The commits to look at, e.g. `origin/main..HEAD`; by default every history that is here.
    pub range: Option<String>,
    /// Run the tests of every cycle again, in fresh checkouts, and believe nothing recorded.
    #[arg(long)]
    pub replay: bool,
    /// How many checkouts are tested at a time.
    #[arg(long, value_name = "N", requires = "replay")]
    pub jobs: Option<usize>,
    /// What to run in a fresh checkout before its tests, e.g. `npm ci`.
    #[arg(long, value_name = "CMD", requires = "replay")]
    pub setup: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `push`
#[derive(Debug, Args)]
pub struct PushArgs {
    /// The remote; by default the branch's own, or `origin`.
    pub remote: Option<String>,
    /// Push work that was taken back too.
    #[arg(long)]
    pub reverts: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `fetch`
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// The remote; by default the branch's own, or `origin`.
    pub remote: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
