//! The hook entries that belong into each client's settings.

use serde_json::{Map, Value};

use crate::event::Client;

/// How long a client waits for a hook, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// For the gate, which decides within its own, shorter deadline.
    pub(crate) gate_s: u32,
    /// For what may run the tests: above their timeout.
    pub(crate) loop_s: u32,
}

const SHIM: &str = include_str!("../../../hooks-templates/agent-hook.sh");
const PLUGIN: &str = include_str!("../../../hooks-templates/opencode.ts");

/// The first words of the plugin, by which it is known as ours.
pub(super) const PLUGIN_HEAD: &str = "// git-tcr:";

const MISSING: &str = "tcr: git-tcr is not on PATH, so this can not be checked. \
    hint: install git-tcr again, or start the client with GIT_TCR=off";

/// Ends every command of ours, followed by what [`super::agent_settings`] has to remember.
pub(super) const MARK: &str = "' git-tcr";

/// The settings with nothing but our entries; OpenCode has none.
pub(super) fn settings(client: Client, times: Times) -> Option<Map<String, Value>> {
    let template = match client {
        Client::ClaudeCode => include_str!("../../../hooks-templates/claude-code.json"),
        Client::Codex => include_str!("../../../hooks-templates/codex.json"),
        Client::Gemini => include_str!("../../../hooks-templates/gemini.json"),
        Client::Copilot => include_str!("../../../hooks-templates/copilot.json"),
        Client::Cursor => include_str!("../../../hooks-templates/cursor.json"),
        Client::OpenCode => return None,
    };
    let mut settings =
        serde_json::from_str(template).expect("the templates are JSON, as a test makes sure");
    fill(&mut settings, client, times);
    match settings {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// The OpenCode plugin.
pub(super) fn plugin(times: Times) -> String {
    PLUGIN
        .replace("@GATE_MS@", &(u64::from(times.gate_s) * 1000).to_string())
        .replace("@LOOP_MS@", &(u64::from(times.loop_s) * 1000).to_string())
        .replace("@MISSING@", MISSING)
}

fn fill(value: &mut Value, client: Client, times: Times) {
    match value {
        Value::Array(entries) => entries
            .iter_mut()
            .for_each(|entry| fill(entry, client, times)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| fill(field, client, times)),
        Value::String(text) => {
            *value = match text.as_str() {
                "@GATE@" => command(client, "gate").into(),
                "@LOOP@" => command(client, "loop").into(),
                "@SESSION@" => command(client, "session").into(),
                "@GATE_TIMEOUT@" => duration(client, times.gate_s).into(),
                "@LOOP_TIMEOUT@" => duration(client, times.loop_s).into(),
                _ => return,
            };
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn duration(client: Client, seconds: u32) -> u64 {
    match client {
        Client::Gemini => u64::from(seconds) * 1000,
        Client::ClaudeCode
        | Client::OpenCode
        | Client::Codex
        | Client::Copilot
        | Client::Cursor => u64::from(seconds),
    }
}

/// One line for whichever shell the client uses: `sh` is named, and nothing needs its quotes.
fn command(client: Client, command: &str) -> String {
    let script = SHIM.split_whitespace().collect::<Vec<_>>().join(" ");
    let script = script
        .replace("@ROOT@", root(client))
        .replace("@FAILURE@", failure(command))
        .replace("@COMMAND@", command)
        .replace("@CLIENT@", client.name())
        .replace("@MISSING@", &missing(client, command));
    format!("sh -c '{script}{MARK}")
}

/// The project's folder: the agent may have left it, and must not leave the rules with it.
fn root(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode => "${CLAUDE_PROJECT_DIR:-.}",
        Client::Gemini => "${GEMINI_PROJECT_DIR:-.}",
        Client::Cursor => "${CURSOR_PROJECT_DIR:-.}",
        Client::OpenCode | Client::Codex | Client::Copilot => ".",
    }
}

/// 2 is a "no" before a tool call and reaches the model after it; at the end of a turn or with a
/// prompt it would hold up the person.
fn failure(command: &str) -> &'static str {
    if command == "session" { "1" } else { "2" }
}

fn missing(client: Client, command: &str) -> String {
    // Copilot shows the reason only if it is told in JSON.
    if client == Client::Copilot && command == "gate" {
        return format!(
            r#"echo "{{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"{MISSING}\"}}""#
        );
    }
    format!(r#"echo "{MISSING}" >&2; exit {}"#, failure(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: Times = Times {
        gate_s: 10,
        loop_s: 180,
    };

    #[test]
    fn commands_are_one_quoted_line() {
        for client in Client::ALL {
            for name in ["gate", "loop", "session"] {
                let command = command(client, name);
                assert_eq!(command.matches('\'').count(), 2, "{command}");
                assert!(!command.contains(['@', '\n', '`']), "{command}");
                assert!(command.ends_with(MARK));
            }
        }
    }

    #[test]
    fn every_placeholder_is_filled() {
        for client in Client::ALL {
            let text = match settings(client, TIMES) {
                Some(settings) => Value::Object(settings).to_string(),
                None => plugin(TIMES),
            };
            assert!(!text.contains("@GATE") && !text.contains("@LOOP"), "{text}");
            assert!(
                !text.contains("@SESSION") && !text.contains("@MISSING"),
                "{text}"
            );
        }
        let times = |client| Value::Object(settings(client, TIMES).unwrap());
        assert_eq!(
            times(Client::Gemini)["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"],
            10_000
        );
        assert_eq!(
            times(Client::ClaudeCode)["hooks"]["PostToolUse"][0]["hooks"][0]["timeout"],
            180
        );
        assert_eq!(
            times(Client::Copilot)["hooks"]["preToolUse"][0]["timeoutSec"],
            10
        );
    }

    /// Runs a hook's command with nothing on PATH but these programs, and says how it ended.
    fn run(command: &str, programs: &[(&str, &str)], tcr: &str) -> (Option<i32>, String, String) {
        use std::io::Write;
        use std::os::unix::fs::PermissionsExt;
        use std::process::{Command, Stdio};
        let folder = tempfile::tempdir().unwrap();
        let programs = programs
            .iter()
            .chain(&[("cat", "exec /bin/cat"), ("sh", "exec /bin/sh \"$@\"")]);
        for (name, body) in programs {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut child = Command::new("/bin/sh")
            .args(["-c", command])
            .env_clear()
            .env("PATH", folder.path())
            .env("GIT_TCR", tcr)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended without reading.
        let _ = child.stdin.take().unwrap().write_all(b"{}");
        let done = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    }

    const INSTALLED: (&str, &str) = ("git", "exit 0");
    const ELSEWHERE: (&str, &str) = ("git", "exit 1");

    #[test]
    fn the_shim_fails_closed_and_stands_aside() {
        let says = |body| ("git-tcr", body);
        let quiet = |code| (Some(code), String::new(), String::new());
        let told = |code| (Some(code), String::new(), format!("{MISSING}\n"));
        let cases = [
            ("gate", vec![INSTALLED], "", told(2)),
            ("loop", vec![INSTALLED], "", told(2)),
            ("session", vec![INSTALLED], "", told(1)),
            ("gate", vec![ELSEWHERE], "", quiet(0)),
            ("session", vec![ELSEWHERE], "", quiet(0)),
            ("gate", vec![INSTALLED], "off", quiet(0)),
            ("gate", vec![INSTALLED, says("exit 2")], "off", quiet(0)),
            ("gate", vec![INSTALLED, says("exit 0")], "", quiet(0)),
            ("gate", vec![INSTALLED, says("exit 1")], "", quiet(2)),
            ("gate", vec![INSTALLED, says("kill -9 $$")], "", quiet(2)),
            ("session", vec![INSTALLED, says("exit 2")], "", quiet(1)),
            (
                "gate",
                vec![says("echo \"$@\"; cat; echo why >&2; exit 2")],
                "",
                (
                    Some(2),
                    "gate --client claude-code\n{}".into(),
                    "why\n".into(),
                ),
            ),
        ];
        for (name, programs, tcr, wanted) in cases {
            let mut found = run(&command(Client::ClaudeCode, name), &programs, tcr);
            // Shells word the end of a killed child as they like.
            if programs.contains(&says("kill -9 $$")) {
                found.2.clear();
            }
            assert_eq!(found, wanted, "{name} {programs:?} {tcr}");
        }
    }

    #[test]
    fn copilot_is_told_in_json() {
        let (code, out, _) = run(&command(Client::Copilot, "gate"), &[INSTALLED], "");
        let out: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, Some(0));
        assert_eq!(out["permissionDecision"], "deny");
        assert_eq!(out["permissionDecisionReason"], MISSING);
    }
}
