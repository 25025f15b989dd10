//! Calls of the program as coding agents' clients make them.

use serde_json::Value;

use super::world::feed;
use super::{PROGRAM, Ran, Repo};

/// Every client there is.
pub const CLIENTS: [&str; 6] = [
    "claude-code",
    "opencode",
    "codex",
    "gemini",
    "copilot",
    "cursor",
];

impl Repo {
    /// Runs `git tcr install --yes` for every client.
    pub fn install_for_all_clients(&self) {
        let mut args = vec!["install", "--yes"];
        for client in CLIENTS {
            args.extend(["--client", client]);
        }
        self.tcr(&args).success();
    }
}

/// Calls `gate`, `loop` or `session` with what a client has to say.
pub fn call(repo: &Repo, command: &str, client: &str, payload: &str) -> Ran {
    let mut program = repo.command(PROGRAM);
    program.args([command, "--client", client]);
    feed(program, payload.as_bytes())
}

/// The reason, if the gate denied a call of Claude Code.
pub fn denied(ran: &Ran) -> Option<String> {
    if ran.status == 2 {
        return Some(ran.stderr.clone());
    }
    let reply: Value = serde_json::from_str(&ran.stdout).ok()?;
    let decision = &reply["hookSpecificOutput"];
    (decision["permissionDecision"] == "deny").then(|| {
        decision["permissionDecisionReason"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    })
}
