//! The spec cycle: scenarios, a plan, certified tests, then code that may not touch them.

mod bugs;
mod cheats;
mod cycle;
mod evidence;
mod freeze;
mod refused;
mod roles;
mod surroundings;
mod validator;

use serde_json::{Value, json};

use crate::support::agent;
use crate::support::example::{ASKS, RIGHT};
use crate::support::{PROGRAM, RUNNER, Ran, Repo};

/// The certifier of most tests; Ada is the git identity of all that is written.
const GRACE: &str = "Grace <grace@example.com>";

const SPEC: &str = "\
---
id: sums
status: active
---
# Sums

### Requirement: Addition

#### Scenario: Adds two numbers
- **GIVEN** 1 and 2
- **WHEN** they are added
- **THEN** the sum is 3

#### Scenario: Adds nothing
- **WHEN** 0 is added
- **THEN** the number stays
";

const PLAN: &str = "\
---
must_haves:
  artifacts:
    - src/add.sh
  truths:
    - it is fast
---
# Plan
";

/// The runner of the tests, whose failures are assertions.
fn runner() -> String {
    RUNNER.replace(
        "echo \"not ok $n - $t\"; failed=1",
        "echo \"not ok $n - $t\"; printf '  ---\\n  failureType: testCodeFailure\\n  message: AssertionError\\n  ...\\n'; failed=1",
    )
}

/// An installed repository with a spec and a plan that are not committed yet.
fn with_spec() -> Repo {
    with_config("test = \"./run-tests\"\nred_needs = \"error\"\n")
}

fn with_config(config: &str) -> Repo {
    let repo = Repo::new();
    repo.write("run-tests", &runner());
    repo.write(".tcr.toml", config);
    let repo = repo.committed().installed();
    repo.write("docs/sums.md", SPEC);
    repo.write("docs/plan.md", PLAN);
    repo
}

fn start(repo: &Repo) -> Value {
    repo.tcr(&["start", "--spec", "docs/sums.md", "--json"])
        .success()
        .json()
}

/// In `red`: spec and plan are accepted.
fn planned() -> Repo {
    let repo = with_spec();
    plan(&repo);
    repo
}

fn plan(repo: &Repo) {
    start(repo);
    repo.tcr(&["plan", "docs/plan.md"]).success();
}

fn write_tests(repo: &Repo) {
    repo.write("tests/adds_two_numbers.t", ASKS);
    repo.write("tests/adds-nothing.t", "[ \"$(add 4 0)\" = 4 ]\n");
}

/// In `red`, with failing tests for both scenarios committed.
pub(crate) fn tested() -> Repo {
    let repo = planned();
    red(&repo);
    repo
}

fn red(repo: &Repo) {
    write_tests(repo);
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "red", "{outcome}");
    assert_eq!(outcome["next_phase"], "red", "{outcome}");
}

fn freeze(repo: &Repo) -> Ran {
    repo.tcr(&["freeze", "--verdict", "pass", "--by", GRACE])
}

/// In `green`, under a frozen oracle.
pub(crate) fn frozen() -> Repo {
    let repo = tested();
    freeze(&repo).success();
    repo
}

/// Calls a hook command as Claude Code does.
fn hook(repo: &Repo, command: &str, payload: &Value) -> Ran {
    agent::call(repo, command, "claude-code", &payload.to_string())
}

/// An agent of Claude Code: a main agent, or a sub-agent with an id.
struct Agent<'r> {
    repo: &'r Repo,
    id: Option<&'static str>,
}

impl Agent<'_> {
    fn payload(&self, event: &str, tool: &str, input: Value) -> Value {
        let mut payload = json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": self.repo.root(),
            "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        });
        if let Some(id) = self.id {
            payload["agent_id"] = id.into();
            payload["agent_type"] = "tcr-role".into();
        }
        payload
    }

    fn identity(&self) -> String {
        match self.id {
            Some(id) => format!("claude-code:s1/{id}"),
            None => "claude-code:s1".into(),
        }
    }

    /// What the gate has against a call.
    fn denied(&self, tool: &str, input: Value) -> Option<String> {
        agent::denied(&hook(
            self.repo,
            "gate",
            &self.payload("PreToolUse", tool, input),
        ))
    }

    fn loops(&self, tool: &str, input: Value) -> String {
        let mut payload = self.payload("PostToolUse", tool, input);
        payload["tool_response"] = json!({});
        hook(self.repo, "loop", &payload).stdout
    }

    /// Writes a file through the gate and the loop; the reason if it was denied.
    fn write(&self, path: &str, content: &str) -> Result<String, String> {
        let input = json!({"file_path": self.repo.path(path), "content": content});
        if let Some(reason) = self.denied("Write", input.clone()) {
            return Err(reason);
        }
        self.repo.write(path, content);
        Ok(self.loops("Write", input))
    }

    /// Runs a shell command through the gate and the loop; the reason if it was denied.
    fn shell(&self, command: &str) -> Result<Ran, String> {
        let input = json!({"command": command});
        if let Some(reason) = self.denied("Bash", input.clone()) {
            return Err(reason);
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let folder = std::path::Path::new(PROGRAM).parent().expect("a folder");
        let ran = self
            .repo
            .command("sh")
            .args(["-c", command])
            .env("PATH", format!("{}:{path}", folder.display()))
            .env("CLAUDECODE", "1")
            .output()
            .expect("sh runs");
        self.loops("Bash", input);
        Ok(Ran::from(ran))
    }
}

/// The events of the log, newest first: label or kind, and note.
fn log(repo: &Repo) -> Vec<(String, String)> {
    let log = repo.tcr(&["log", "--json"]).success().json();
    let entries = log.as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    entries
        .iter()
        .map(|entry| {
            let label = entry.get("label").filter(|label| label.is_string());
            (text(label.unwrap_or(&entry["event"])), text(&entry["note"]))
        })
        .collect()
}

fn logged(repo: &Repo, kind: &str, words: &str) -> bool {
    log(repo)
        .iter()
        .any(|(found, note)| found == kind && note.contains(words))
}
