//! git tcr keeps a coding agent, or a person, honest about test-driven development.
//!
//! Data flows one way:
//!
//! ```text
//! client or hand → gate → (the tool acts)
//!   → step: snapshot → parts → rules ⇄ experiments (worktree or lab) → decision
//!   → effects → branch → message
//! at the end: squash → proof: range → rules ⇄ experiments (lab) → commit
//! ```
//!
//! | room | holds |
//! | --- | --- |
//! | `cli`, `commands` | the table of commands and its help; one file per command: its arguments, what it does |
//! | `clients` | SHELF: one file per agent client: its messages, its answers, its hook files, how it is disarmed |
//! | `runners` | SHELF: one file per test runner: recognise it, ask for a report, read it, aim it at some tests |
//! | `languages` | SHELF: one file per language: grammar, functions and tests, hollow bodies, patterns, words of smells |
//! | `rules` | PURE: classes, phases, the gate's table; facts → one more experiment or a decision |
//! | `parts` | PURE: a change of a file taken apart: tests, steering, dependencies, layout |
//! | `gate` | a tool call is allowed or denied before it runs |
//! | `command_line` | a shell command: what it would write, which git it would call |
//! | `person` | who calls: a person is shown by the processes above, never assumed |
//! | `step` | a step: snapshot, parts, the interpreter of the rules, effects; rounds of it, becoming active, declared phases |
//! | `lab` | a place of its own, brought to any tree and ready to run tests |
//! | `proof` | the way out: a range proven on its final tree |
//! | `spec_cycle` | start, plan, freeze, test bugs, evidence |
//! | `squash`, `verify`, `share` | the ways out of the WIP branch |
//! | `audit` | the same proof for any history, whoever made it |
//! | `test_run`, `detect` | processes, deadlines, what was printed; how a project's tests are run |
//! | `branch` | what our refs mean: state, journal, sealed config, transactions |
//! | `install`, `config` | what `install` puts in place, looks after and takes out; `.tcr.toml` |
//! | `smells` | anti-patterns in tests |
//! | `git` | objects, refs, worktree, index; the only place that starts git |
//! | `outcome`, `error` | what the program did, found and could not do, as values |
//! | `message` | all that people and agents read: words for those values |
//! | `env_vars`, `clock`, `this_process` | the only ones to ask for environment, time, and where we are |
//!
//! For example, pytest reports a failing test in `green`: `runners/pytest.rs` reads it, `step/answers.rs`
//! says what it means next to the accepted tree, `rules/step.rs` decides (`source_in_green`).
//!
//! The rooms form a graph without cycles (`room_tests`): each uses only rooms below it.
//!
//! What is public is so for the tests and benchmarks of this repository; nothing is promised about it.

mod audit;
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
mod outcome;
pub mod parts;
mod person;
mod proof;
#[cfg(test)]
mod room_tests;
pub mod rules;
pub mod runners;
mod share;
pub mod smells;
mod spec_cycle;
mod squash;
mod step;
pub mod test_run;
mod this_process;
mod verify;

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
    match cli::dispatch(cli) {
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
