//! git tcr keeps a coding agent, or a person, honest about test-driven development.
//!
//! Data flows one way:
//!
//! ```text
//! client or hand → gate → (the tool acts)
//!   → step: snapshot → parts → rules ⇄ experiments (worktree or lab) → decision
//!   → effects → branch → message
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `cli`, `commands` | the command line as types, and one file per command: load, decide, apply, render |
//! | `clients`, `event` | what each agent client sends and wants to hear |
//! | `command_line` | a shell command: what it would write, which git it would call |
//! | `rules` | the rules, pure: classes, phases, the gate's table; they ask for experiments or decide |
//! | `languages` | what a file of each language says, pure: tests, changes, hollow functions |
//! | `parts` | a change of a file taken apart: tests, steering, dependencies, layout; pure |
//! | `step` | a step, from snapshot to commit: parts, the interpreter of the rules, effects |
//! | `proof` | the way out: a range proven on its final tree |
//! | `git` | objects, refs, worktree, index; the only place that starts git |
//! | `test_run` | processes, deadlines, aimed runs, reports |
//! | `branch` | what our refs mean: state, journal, sealed config, transactions |
//! | `message`, `error` | all that people and agents read |
//! | `person` | who calls: a person is shown by the processes above, never assumed |
//! | `gate` | a tool call is allowed or denied before it runs |
//! | `tcr_loop` | what was changed is tested, then committed or reverted |
//! | `tcr_out` | out of the WIP branch: squash, push, fetch, verify |
//! | `install` | what `install` puts in place, looks after and takes out |
//! | `config`, `detect` | `.tcr.toml`, and how a project's tests are run |
//! | `lab` | runs tests on any tree without the worktree being touched |
//! | `smells` | anti-patterns in tests |
//! | `env_vars`, `clock`, `this_process` | the only ones to ask for environment, time, and where we are |
//!
//! Only `commands`, `gate`, `step`, `tcr_loop` and `tcr_out` see both the rules and the world. What is
//! public is so for the tests and benchmarks of this repository; nothing is promised about it.

mod branch;
pub mod cli;
pub mod clients;
mod clock;
mod command_line;
mod commands;
pub mod config;
mod detect;
mod env_vars;
pub mod error;
#[doc(hidden)]
pub mod fault;
mod gate;
mod git;
mod install;
pub mod lab;
pub mod languages;
mod message;
pub mod parts;
mod person;
mod proof;
pub mod rules;
pub mod runners;
pub mod smells;
mod step;
mod tcr_loop;
mod tcr_out;
pub mod test_run;
mod this_process;

use std::ffi::OsString;

use error::{Error, ExitStatus};

/// The version, and the commit of a release: `0.1.0 (1a2b3c4d)`.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("GIT_TCR_COMMIT"));

/// Runs the program with its arguments and says how it ended.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let args: Vec<OsString> = args.into_iter().collect();
    let as_json = wants_json(&args);
    if let Err(error) = leave_other_repository(&args) {
        return failed(&error, as_json);
    }
    let cli = match cli::Cli::read(&args) {
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
        Err(error) => failed(&error, as_json),
    }
}

/// Whether a program reads what is printed.
fn wants_json(args: &[OsString]) -> bool {
    let own = args.iter().take_while(|arg| *arg != "--");
    own.into_iter().any(|arg| arg == "--json")
}

/// Inside a hook git's variables point at the hook's repository, which need not be the one around
/// the current folder. Every layer below would obey them, so the program begins again without.
fn leave_other_repository(args: &[OsString]) -> Result<(), Error> {
    use std::os::unix::process::CommandExt;
    let inherited = env_vars::inherited_from_git();
    let (Some(name), false) = (args.first(), inherited.is_empty()) else {
        return Ok(());
    };
    let here = |source| Error::io("start", std::path::Path::new(name), source);
    let mut again = std::process::Command::new(this_process::program()?);
    again.arg0(name).args(&args[1..]);
    // A hook is about the very repository and index that git is at work on.
    if args.get(1).is_some_and(|command| command == "git-hook") {
        again.envs(env_vars::kept_for_hooks());
    }
    for variable in inherited {
        again.env_remove(variable);
    }
    // It only returns if it failed.
    Err(here(again.exec()))
}

fn failed(error: &Error, as_json: bool) -> ExitStatus {
    use std::io::Write;
    let message = message::error(error);
    // A closed stream is no reason to fail differently.
    if as_json {
        drop(writeln!(std::io::stdout(), "{}", message.as_error_json()));
    }
    drop(anstream::stderr().write_all(message.render().as_bytes()));
    error.exit_status()
}
