//! The one place that starts git.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::error::{Error, Result};

/// How often and how long what another git does for a moment is waited for.
const RETRIES: u32 = 40;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// Runs git in `dir` with the given standard input and returns what it printed.
///
/// No hook of the user runs: these calls carry out what was decided already.
pub(crate) fn git(dir: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>> {
    git_with(dir, Hooks::None, args, input)
}

/// Which hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hooks {
    /// None at all.
    None,
    /// All of them, as if anybody had typed the command.
    All,
}

/// The same, with hooks.
pub(crate) fn git_with(dir: &Path, hooks: Hooks, args: &[&str], input: &[u8]) -> Result<Vec<u8>> {
    let mut tries = 0;
    loop {
        let (success, stdout, stderr) = run(dir, hooks, args, input)?;
        if success {
            return Ok(stdout);
        }
        if is_momentary(&stderr) && tries < RETRIES {
            tries += 1;
            std::thread::sleep(PAUSE);
            continue;
        }
        if let Some(lock) = lock_in_the_way(&stderr) {
            return Err(Error::GitLocked(lock.into()));
        }
        return Err(Error::GitCommand {
            command: args.join(" "),
            why: stderr.trim().to_owned(),
        });
    }
}

/// How a git that ran as the user's own ended.
pub(crate) struct Ended {
    pub(crate) success: bool,
    pub(crate) stdout: Vec<u8>,
    /// Nothing where the user saw it.
    pub(crate) stderr: String,
}

/// Runs git as the user would, hooks and signing included. What it says on standard error is for
/// the user's eyes; `variables` say which repository it is at work on.
pub(crate) fn git_as_user(
    dir: &Path,
    args: &[&str],
    variables: &[(&str, &OsStr)],
    input: &[u8],
) -> Result<Ended> {
    let mut command = Command::new("git");
    command.args(args).current_dir(dir).stderr(Stdio::inherit());
    for name in crate::env_vars::GIT_LOCAL {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let output = fed(command, dir, input)?;
    Ok(Ended {
        success: output.status.success(),
        stdout: output.stdout,
        stderr: String::new(),
    })
}

/// Runs git for its exit status too, where a "no" is an answer: what it printed, by whether it
/// succeeded.
pub(crate) fn git_answer(dir: &Path, args: &[&str]) -> Result<Ended> {
    let (success, stdout, stderr) = run(dir, Hooks::None, args, b"")?;
    Ok(Ended {
        success,
        stdout,
        stderr,
    })
}

/// Whether git met another one in the middle of its work.
fn is_momentary(stderr: &str) -> bool {
    // Editors and prompts run `git status`, which holds the index.
    let is_index_held = stderr.contains("index.lock");
    // A worktree that is added or removed meanwhile, also by a replay of our own, is half there:
    // git reads the others before it adds one, and gives up.
    let is_worktree_half_there = stderr.contains("/worktrees/")
        && (stderr.contains("failed to read ") || stderr.contains("Invalid path "));
    is_index_held || is_worktree_half_there
}

/// The lock that git names: `Unable to create '/repo/.git/index.lock': File exists.`
fn lock_in_the_way(stderr: &str) -> Option<&str> {
    let (_, named) = stderr.split_once("Unable to create '")?;
    let (lock, why) = named.split_once("': ")?;
    why.starts_with("File exists").then_some(lock)
}

fn run(dir: &Path, hooks: Hooks, args: &[&str], input: &[u8]) -> Result<(bool, Vec<u8>, String)> {
    let mut command = Command::new("git");
    if hooks == Hooks::None {
        command.args(["-c", "core.hooksPath=/dev/null"]);
    }
    command
        .args(["-c", "core.fsmonitor=false"])
        .args(args)
        .current_dir(dir)
        .stderr(Stdio::piped());
    for name in crate::env_vars::GIT_LOCAL {
        command.env_remove(name);
    }
    command
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C");
    let output = fed(command, dir, input)?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output.status.success(), output.stdout, stderr))
}

/// Runs a command with some input and takes what it prints.
fn fed(mut command: Command, dir: &Path, input: &[u8]) -> Result<Output> {
    command
        .stdin(if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        })
        .stdout(Stdio::piped());
    let started = command.spawn().and_then(|mut child| {
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            // A child that answers before it has read everything must not block us.
            let writer = stdin.map(|mut stdin| scope.spawn(move || stdin.write_all(input)));
            let output = child.wait_with_output();
            if let Some(writer) = writer {
                // A broken pipe shows in git's own words and exit status.
                drop(writer.join());
            }
            output
        })
    });
    started.map_err(|source| Error::Io {
        doing: "run git in",
        path: dir.to_owned(),
        source,
    })
}
