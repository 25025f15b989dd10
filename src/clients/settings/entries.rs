//! The hook entries that belong into each client's settings.

use serde_json::{Map, Value};

use crate::clients::Client;
use crate::clients::profile::Entries;

/// How long a client waits for a hook, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// For the gate, which decides within its own, shorter deadline.
    pub(crate) gate_s: u32,
    /// For what may run the tests: above their timeout.
    pub(crate) loop_s: u32,
}

const SHIM: &str = include_str!("../../../hooks-templates/agent-hook.sh");

/// The first words of the plugin, by which it is known as ours.
pub(super) const PLUGIN_HEAD: &str = "// git-tcr:";

const MISSING: &str = "tcr: git-tcr is not on PATH, so this can not be checked. \
    hint: install git-tcr again, or start the client with GIT_TCR=off";

/// Ends every command of ours, followed by what [`super`] has to remember.
pub(super) const MARK: &str = "' git-tcr";

/// The settings with nothing but our entries.
pub(super) fn settings(client: Client, own: &Entries, times: Times) -> Map<String, Value> {
    let mut settings = serde_json::from_str(own.template);
    if let Ok(settings) = &mut settings {
        fill(settings, client, own, times);
    }
    match settings {
        Ok(Value::Object(fields)) => fields,
        // A test makes sure that every template is one.
        _ => Map::new(),
    }
}

/// A plugin of ours.
pub(super) fn plugin(template: &str, times: Times) -> String {
    template
        .replace("@GATE_MS@", &(u64::from(times.gate_s) * 1000).to_string())
        .replace("@LOOP_MS@", &(u64::from(times.loop_s) * 1000).to_string())
        .replace("@MISSING@", MISSING)
}

fn fill(value: &mut Value, client: Client, own: &Entries, times: Times) {
    match value {
        Value::Array(entries) => entries
            .iter_mut()
            .for_each(|entry| fill(entry, client, own, times)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| fill(field, client, own, times)),
        Value::String(text) => {
            *value = match text.as_str() {
                "@GATE@" => command(client, own, "gate").into(),
                "@LOOP@" => command(client, own, "loop").into(),
                "@SESSION@" => command(client, own, "session").into(),
                "@GATE_TIMEOUT@" => (u64::from(times.gate_s) * own.second).into(),
                "@LOOP_TIMEOUT@" => (u64::from(times.loop_s) * own.second).into(),
                _ => return,
            };
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// One line for whichever shell the client uses: `sh` is named, and nothing needs its quotes.
fn command(client: Client, own: &Entries, command: &str) -> String {
    let script = SHIM.split_whitespace().collect::<Vec<_>>().join(" ");
    let script = script
        .replace("@ROOT@", own.root)
        .replace("@FAILURE@", failure(command))
        .replace("@COMMAND@", command)
        .replace("@CLIENT@", client.name())
        .replace("@MISSING@", &missing(own, command));
    format!("sh -c '{script}{MARK}")
}

/// 2 is a "no" before a tool call and reaches the model after it; at the end of a turn or with a
/// prompt it would hold up the person.
fn failure(command: &str) -> &'static str {
    if command == "session" { "1" } else { "2" }
}

fn missing(own: &Entries, command: &str) -> String {
    match own.missing.filter(|_| command == "gate") {
        Some(denial) => denial.replace("@MISSING@", MISSING),
        None => format!(r#"echo "{MISSING}" >&2; exit {}"#, failure(command)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{Hooks, claude_code, copilot, gemini};

    fn own(client: Client) -> Option<&'static Entries> {
        match &client.0.hooks {
            Hooks::Entries(own) => Some(own),
            Hooks::Plugin(_) => None,
        }
    }

    fn command_of(client: Client, name: &str) -> String {
        command(client, own(client).unwrap(), name)
    }

    const TIMES: Times = Times {
        gate_s: 10,
        loop_s: 180,
    };

    #[test]
    fn commands_are_one_quoted_line() {
        for client in Client::all().filter(|client| own(*client).is_some()) {
            for name in ["gate", "loop", "session"] {
                let command = command_of(client, name);
                assert_eq!(command.matches('\'').count(), 2, "{command}");
                assert!(!command.contains(['@', '\n', '`']), "{command}");
                assert!(command.ends_with(MARK));
            }
        }
    }

    #[test]
    fn every_placeholder_is_filled() {
        for client in Client::all() {
            let text = match &client.hooks {
                Hooks::Entries(own) => {
                    let settings = settings(client, own, TIMES);
                    assert!(settings.contains_key("hooks"), "{client}");
                    Value::Object(settings).to_string()
                }
                Hooks::Plugin(template) => plugin(template, TIMES),
            };
            assert!(!text.contains("@GATE") && !text.contains("@LOOP"), "{text}");
            assert!(
                !text.contains("@SESSION") && !text.contains("@MISSING"),
                "{text}"
            );
        }
        let times = |client| Value::Object(settings(client, own(client).unwrap(), TIMES));
        assert_eq!(
            times(gemini::CLIENT)["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"],
            10_000
        );
        assert_eq!(
            times(claude_code::CLIENT)["hooks"]["PostToolUse"][0]["hooks"][0]["timeout"],
            180
        );
        assert_eq!(
            times(copilot::CLIENT)["hooks"]["preToolUse"][0]["timeoutSec"],
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
            let mut found = run(&command_of(claude_code::CLIENT, name), &programs, tcr);
            // Shells word the end of a killed child as they like.
            if programs.contains(&says("kill -9 $$")) {
                found.2.clear();
            }
            assert_eq!(found, wanted, "{name} {programs:?} {tcr}");
        }
    }

    #[test]
    fn copilot_is_told_in_json() {
        let (code, out, _) = run(&command_of(copilot::CLIENT, "gate"), &[INSTALLED], "");
        let out: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, Some(0));
        assert_eq!(out["permissionDecision"], "deny");
        assert_eq!(out["permissionDecisionReason"], MISSING);
    }
}
