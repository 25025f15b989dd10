//! `git-hook`

use std::ffi::OsString;

use clap::Args;

/// `git-hook`
#[derive(Debug, Args)]
pub struct GitHookArgs {
    /// The hook, as git calls it.
    pub name: String,
    /// What git gave to it.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,
}
