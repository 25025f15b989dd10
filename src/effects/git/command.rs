//! The one place that starts git.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::hook_pass::HookPass;
use crate::error::{Error, Result};

/// How often and how long a busy index is waited for.
const LOCK_RETRIES: u32 = 40;
const LOCK_PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// Runs git in `dir` with the given standard input and returns what it printed.
///
/// No hook of the user runs: these calls carry out what was decided already.
pub(crate) fn git(dir: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>> {
    git_with(dir, &Hooks::None, args, input)
}

/// Which hooks run.
#[allow(
    dead_code,
    reason = "the user's run where git tcr commits in the user's name"
)]
pub(crate) enum Hooks<'a> {
    /// None at all.
    None,
    /// The user's, as if the user had typed the command; ours let it pass.
    Users(&'a HookPass),
    /// All of them, ours too, as if anybody had typed the command.
    All,
}

/// The same, with hooks.
pub(crate) fn git_with(
    dir: &Path,
    hooks: &Hooks<'_>,
    args: &[&str],
    input: &[u8],
) -> Result<Vec<u8>> {
    let mut tries = 0;
    loop {
        let (success, stdout, stderr) = run(dir, hooks, args, input)?;
        if success {
            return Ok(stdout);
        }
        // Editors and prompts run `git status`, which holds the index for a moment.
        if stderr.contains("index.lock") && tries < LOCK_RETRIES {
            tries += 1;
            std::thread::sleep(LOCK_PAUSE);
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

/// The lock that git names: `Unable to create '/repo/.git/index.lock': File exists.`
fn lock_in_the_way(stderr: &str) -> Option<&str> {
    let (_, named) = stderr.split_once("Unable to create '")?;
    let (lock, why) = named.split_once("': ")?;
    why.starts_with("File exists").then_some(lock)
}

fn run(
    dir: &Path,
    hooks: &Hooks<'_>,
    args: &[&str],
    input: &[u8],
) -> Result<(bool, Vec<u8>, String)> {
    let mut command = Command::new("git");
    match hooks {
        Hooks::None => {
            command.args(["-c", "core.hooksPath=/dev/null"]);
        }
        Hooks::Users(pass) => {
            let (variable, word) = pass.variable();
            command.env(variable, word);
        }
        Hooks::All => {}
    }
    command
        .args(["-c", "core.fsmonitor=false"])
        .args(args)
        .current_dir(dir)
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("LC_ALL", "C")
        .stdin(if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in crate::env_vars::GIT_LOCAL {
        if *name != "GIT_LITERAL_PATHSPECS" {
            command.env_remove(name);
        }
    }
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
    let output = started.map_err(|source| Error::Io {
        doing: "run git in",
        path: dir.to_owned(),
        source,
    })?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output.status.success(), output.stdout, stderr))
}
