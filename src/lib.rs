//! git tcr keeps a coding agent, or a person, honest about test-driven development.
//!
//! Data flows one way:
//!
//! ```text
//! intake → event → policy → decision → effects → journal → message
//! ```
//!
//! Only `commands`, `tcr_loop` and `tcr_gate` see both sides.

pub mod cli;
mod clock;
mod commands;
pub mod config;
pub mod detect;
pub mod effects;
mod env_vars;
pub mod error;
pub mod event;
pub mod intake;
mod journal;
mod message;
pub mod policy;
mod tcr_gate;
mod tcr_loop;

use std::ffi::OsString;

use clap::Parser;

use error::ExitStatus;

/// Runs the program with its arguments and says how it ended.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let cli = match cli::Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors.
            let status = if error.use_stderr() {
                ExitStatus::Undecided
            } else {
                ExitStatus::Done
            };
            drop(error.print());
            return status;
        }
    };
    match commands::dispatch(cli) {
        Ok(status) => status,
        Err(error) => {
            use std::io::Write;
            let text = message::error(&error).render();
            // A closed standard error is no reason to fail differently.
            drop(anstream::stderr().write_all(text.as_bytes()));
            error.exit_status()
        }
    }
}
