//! `report`

use std::path::PathBuf;

use clap::Args;

/// `report`
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Where to write the page; `-` is standard output. By default inside the git directory.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print JSON about the page that was written.
    #[arg(long)]
    pub json: bool,
}
