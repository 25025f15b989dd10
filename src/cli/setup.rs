//! The arguments of the commands that set TCR up, and what belongs to a shell.

use std::path::PathBuf;

use clap::Args;

use crate::clients::Client;

/// `uninstall`
#[derive(Debug, Clone, Copy, Args)]
pub struct UninstallArgs {
    /// Also take the hooks out of the clients' user-level files, which other repositories may use.
    #[arg(long)]
    pub global: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `doctor`
#[derive(Debug, Clone, Copy, Args)]
pub struct DoctorArgs {
    /// Fail unless a denial was seen through the installed hooks of a client.
    #[arg(long)]
    pub require: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `install`
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Put hooks in for this client; may be given several times. By default for all that are in use.
    #[arg(long, value_enum, value_name = "NAME")]
    pub client: Vec<Client>,
    /// Put the hooks into files that are committed, for all who clone the repository.
    #[arg(long, conflicts_with = "global")]
    pub shared: bool,
    /// Put the hooks into the clients' user-level files; they act only where TCR is installed.
    #[arg(long)]
    pub global: bool,
    /// Take `.tcr.toml` as this commit or branch has it, instead of the one in the worktree.
    #[arg(long, value_name = "REF")]
    pub config_from: Option<String>,
    /// Put the roles of a spec cycle in place, as sub-agents of the clients that have them,
    /// and the command `/tcr` that walks it.
    #[arg(long)]
    pub roles: bool,
    /// Ask nothing; fail where an answer would be needed.
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would be done, and do nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Put the pages where `man` (and so `git tcr --help`) finds them.
    #[arg(long)]
    pub install: bool,
    /// The `man` folder to put them in, instead of the one that belongs to this program.
    #[arg(long, value_name = "DIR", requires = "install")]
    pub dir: Option<PathBuf>,
}
