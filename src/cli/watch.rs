//! `watch`

use clap::Args;

/// `watch`
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// Ring the bell when work was taken back or could not be judged.
    #[arg(long)]
    pub bell: bool,
    /// Show each result as a desktop notification, too.
    #[arg(long)]
    pub notify: bool,
    /// Take turns: say so when this many minutes are over.
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub timer: Option<u32>,
    /// Who takes turns, in this order: `--with Ada,Grace`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "timer")]
    pub with: Vec<String>,
    /// Print lines instead of a screen, as is done where there is no terminal.
    #[arg(long)]
    pub plain: bool,
    /// Print JSON, one result a line, as `git tcr run --json` does.
    #[arg(long)]
    pub json: bool,
}
