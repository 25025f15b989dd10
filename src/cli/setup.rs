//! `uninstall` and `doctor`

use clap::Args;

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
