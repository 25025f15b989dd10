//! The guard: who is a person, what outlives an agent's call, the seal, and cheats put together by
//! chance.

mod blunted;
mod calls;
mod commits;
mod killed;
mod person;
mod red_team;
mod seal;
mod threat_model;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::agent::denied;
use crate::support::world::feed;
use crate::support::{PROGRAM, Ran, Repo};

/// A client of this name, with real processes: what it runs has it as an ancestor.
pub(super) struct Client<'r> {
    pub repo: &'r Repo,
    program: PathBuf,
    calls: std::cell::Cell<u32>,
}

impl<'r> Client<'r> {
    pub(super) fn new(repo: &'r Repo) -> Client<'r> {
        Client::named(repo, "claude")
    }

    pub(super) fn named(repo: &'r Repo, name: &str) -> Client<'r> {
        Client {
            repo,
            program: shell_named(repo, name),
            calls: std::cell::Cell::new(0),
        }
    }

    /// A command that the client's process starts.
    fn below(&self, words: &[&str]) -> Command {
        let mut command = really(self.repo, &self.program);
        command
            .args(["-c", "\"$@\"; exit $?", "client"])
            .args(words);
        command
    }

    fn hook(&self, command: &str, event: &str, more: &Value) -> Ran {
        let mut payload = json!({
            "session_id": "s", "transcript_path": "/t", "cwd": self.repo.root(),
            "hook_event_name": event, "tool_use_id": format!("u{}", self.calls.get()),
        });
        if let (Value::Object(fields), Value::Object(more)) = (&mut payload, more) {
            fields.extend(more.clone());
        }
        let command = self.below(&[PROGRAM, command, "--client", "claude-code"]);
        feed(command, payload.to_string().as_bytes())
    }

    pub(super) fn starts(&self) {
        self.hook("session", "SessionStart", &json!({"source": "startup"}));
    }

    pub(super) fn is_prompted(&self) -> Ran {
        self.hook("session", "UserPromptSubmit", &json!({"prompt": "go on"}))
    }

    pub(super) fn stops(&self) -> Ran {
        self.hook("session", "Stop", &json!({"stop_hook_active": true}))
    }

    /// What the gate says of a call.
    pub(super) fn asks(&self, tool: &str, input: &Value) -> Option<String> {
        self.calls.set(self.calls.get() + 1);
        let call = json!({"tool_name": tool, "tool_input": input});
        denied(&self.hook("gate", "PreToolUse", &call))
    }

    /// Tells that the call has ended.
    pub(super) fn has_called(&self, tool: &str, input: &Value) -> Ran {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_response": {}});
        self.hook("loop", "PostToolUse", &call)
    }

    /// Runs a command as the client's shell tool does, if the gate lets it.
    pub(super) fn shell(&self, command: &str) -> Result<Ran, String> {
        let input = json!({"command": command});
        if let Some(reason) = self.asks("Bash", &input) {
            return Err(reason);
        }
        let ran = self.runs(command);
        self.has_called("Bash", &input);
        Ok(ran)
    }

    /// Runs a command in a shell below the client, whatever the gate says.
    pub(super) fn runs(&self, command: &str) -> Ran {
        let mut shell = self.below(&["sh", "-c", command]);
        Ran::from(shell.env("CLAUDECODE", "1").output().expect("sh runs"))
    }

    /// Writes a file, if the gate lets it.
    pub(super) fn writes(&self, path: &str, content: &str) -> Result<(), String> {
        let input = json!({"file_path": self.repo.path(path), "content": content});
        if let Some(reason) = self.asks("Write", &input) {
            return Err(reason);
        }
        self.repo.write(path, content);
        self.has_called("Write", &input);
        Ok(())
    }
}

/// A shell under another name, as processes show it.
pub(super) fn shell_named(repo: &Repo, name: &str) -> PathBuf {
    let program = repo.around().join("programs").join(name);
    if !program.exists() {
        std::fs::create_dir_all(program.parent().expect("a folder")).expect("a new folder");
        // Not by ourselves: what another thread starts meanwhile would have it open for writing.
        let copied = Command::new("cp").arg("/bin/bash").arg(&program).status();
        assert!(
            copied.is_ok_and(|status| status.success()),
            "a copy of the shell"
        );
    }
    program
}

/// A command of which the program asks the processes whose it is.
pub(super) fn really(repo: &Repo, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = repo.command(program);
    command.env_remove("GIT_TCR_TRUST_ENVIRONMENT");
    command
}

/// Whether these tests are run by an agent: then nobody here is a person.
pub(super) fn run_by_agent() -> bool {
    let repo = Repo::new().installed();
    let asked = really(&repo, PROGRAM).args(["mode", "both"]).output();
    let refused = !asked.expect("the program runs").status.success();
    if refused {
        eprintln!("not tried: these tests are run by an agent");
    }
    refused
}

/// Waits until something is so.
pub(super) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    const LONGEST: Duration = Duration::from_secs(30);
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LONGEST, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether the tool is on, and as strict as it was.
pub(super) fn is_armed(repo: &Repo) -> bool {
    let status = repo.status();
    status["enabled"] == true && status["mode"] == "both"
}
