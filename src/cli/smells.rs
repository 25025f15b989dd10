//! The command line of `smells`.

use std::path::PathBuf;

use clap::Args;

/// `smells`
#[derive(Debug, Args)]
pub struct SmellsArgs {
    /// Files or folders to look at; by default every file that git does not ignore, and the
    /// order of the work on this branch.
    #[arg(value_name = "FILE", conflicts_with_all = ["staged", "range"])]
    pub files: Vec<PathBuf>,
    /// Only what the staged changes bring.
    #[arg(long, conflicts_with = "range")]
    pub staged: bool,
    /// Only what these commits bring, and their order, such as `main..HEAD`.
    #[arg(long, value_name = "R")]
    pub range: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
