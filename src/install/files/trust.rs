//! What a person has to do so that a client runs the hooks. It is looked at, never done for them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::clients::{Places, Scope, user_folder};
use super::json_text;
use crate::event::Client;

/// Whether a client trusts the hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It runs them as they are.
    NotNeeded,
    /// The person has given it.
    Given,
    /// The person has not given it: hooks are skipped, mostly without a word.
    Missing,
    /// It can't be told from here.
    Unknown,
}

/// Looks whether a client trusts the hooks in `file`, which has this text. `read` gives a file of
/// the person, if it is there.
pub(crate) fn check(
    client: Client,
    scope: Scope,
    (file, text): (&Path, &str),
    places: Places<'_>,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Trust {
    let of_user = |name: &str| read(&user_folder(client, places).join(name));
    match (client, scope) {
        (Client::ClaudeCode | Client::OpenCode, _) => Trust::NotNeeded,
        (Client::Codex, _) => codex(file, text, of_user("config.toml").as_deref()),
        (Client::Gemini | Client::Copilot | Client::Cursor, Scope::Global) => Trust::NotNeeded,
        (Client::Gemini, _) => gemini(
            places.root,
            of_user("settings.json").as_deref(),
            of_user("trustedFolders.json").as_deref(),
        ),
        (Client::Copilot, _) => copilot(places.root, of_user("config.json").as_deref()),
        (Client::Cursor, _) => Trust::Unknown,
    }
}

/// Each hook is trusted by a hash of what it is, under the place it has in its file.
fn codex(file: &Path, text: &str, config: Option<&str>) -> Trust {
    let config = config.and_then(|text| text.parse::<toml::Table>().ok());
    let state = config
        .as_ref()
        .and_then(|config| config.get("hooks")?.get("state"));
    let mut unsure = false;
    for (key, hash) in codex_hooks(file, text) {
        let trusted = state.and_then(|state| state.get(&key)?.get("trusted_hash")?.as_str());
        match trusted {
            None => return Trust::Missing,
            // Another version may reckon differently.
            Some(trusted) => unsure |= trusted != hash,
        }
    }
    if unsure { Trust::Unknown } else { Trust::Given }
}

fn codex_hooks(file: &Path, text: &str) -> Vec<(String, String)> {
    let settings = json_text::to_value(text).unwrap_or_default();
    let mut found = Vec::new();
    for (event, groups) in settings["hooks"].as_object().into_iter().flatten() {
        for (group_at, group) in groups.as_array().into_iter().flatten().enumerate() {
            for (at, hook) in group["hooks"].as_array().into_iter().flatten().enumerate() {
                let command = hook["command"].as_str().unwrap_or_default();
                if command.contains("git-tcr") {
                    let event = snake_case(event);
                    let key = format!("{}:{event}:{group_at}:{at}", file.display());
                    found.push((key, codex_hash(&event, group, hook)));
                }
            }
        }
    }
    found
}

fn codex_hash(event: &str, group: &Value, hook: &Value) -> String {
    let takes_matcher = !matches!(event, "user_prompt_submit" | "stop" | "session_end");
    // Sorted by key: the maps of this package keep the order they were filled in.
    let handler = json!({
        "async": hook["async"].as_bool().unwrap_or(false),
        "command": hook["command"],
        "timeout": hook["timeout"].as_u64().unwrap_or(600).max(1),
        "type": "command",
    });
    let mut identity = BTreeMap::from([("event_name", json!(event)), ("hooks", json!([handler]))]);
    if takes_matcher && group["matcher"].is_string() {
        identity.insert("matcher", group["matcher"].clone());
    }
    let text = json!(identity).to_string();
    let hash = Sha256::digest(text.as_bytes());
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn gemini(root: &Path, settings: Option<&str>, folders: Option<&str>) -> Trust {
    let value = |text: Option<&str>| text.and_then(|text| json_text::to_value(text).ok());
    let asked = value(settings)
        .and_then(|settings| settings.pointer("/security/folderTrust/enabled")?.as_bool())
        .unwrap_or(true);
    if !asked {
        return Trust::NotNeeded;
    }
    let rules = value(folders).unwrap_or_default();
    let rules = rules.as_object().into_iter().flatten();
    let mut trust = Trust::Missing;
    for (folder, rule) in rules {
        let folder = Path::new(folder);
        match rule.as_str() {
            Some("DO_NOT_TRUST") if folder == root => return Trust::Missing,
            Some("TRUST_FOLDER") if root.starts_with(folder) => trust = Trust::Given,
            Some("TRUST_PARENT")
                if folder.parent().is_some_and(|above| root.starts_with(above)) =>
            {
                trust = Trust::Given;
            }
            _ => {}
        }
    }
    trust
}

fn copilot(root: &Path, config: Option<&str>) -> Trust {
    let config = config
        .and_then(|text| json_text::to_value(text).ok())
        .unwrap_or_default();
    let lists = ["trustedFolders", "trusted_folders"].map(|key| config[key].as_array().cloned());
    let trusted = lists.into_iter().flatten().flatten().any(|folder| {
        folder
            .as_str()
            .is_some_and(|folder| root.starts_with(folder))
    });
    if trusted {
        Trust::Given
    } else {
        Trust::Missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(client: Client, scope: Scope, text: &str, files: &[(&str, String)]) -> Trust {
        let places = Places {
            root: Path::new("/work/repo"),
            home: Path::new("/home/dev"),
            env: &|_| None,
        };
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, text)| text.clone())
        };
        check(
            client,
            scope,
            (Path::new("/work/repo/.codex/hooks.json"), text),
            places,
            &read,
        )
    }

    #[test]
    fn folders() {
        let gemini = "/home/dev/.gemini/trustedFolders.json";
        let copilot = "/home/dev/.copilot/config.json";
        let cases = [
            (Client::Gemini, vec![], Trust::Missing),
            (
                Client::Gemini,
                vec![(gemini, r#"{"/work/repo": "TRUST_FOLDER"}"#)],
                Trust::Given,
            ),
            (
                Client::Gemini,
                vec![(gemini, r#"{"/work": "TRUST_FOLDER"}"#)],
                Trust::Given,
            ),
            (
                Client::Gemini,
                vec![(gemini, r#"{"/work/other": "TRUST_PARENT"}"#)],
                Trust::Given,
            ),
            (
                Client::Gemini,
                vec![(gemini, r#"{"/work/other": "TRUST_FOLDER"}"#)],
                Trust::Missing,
            ),
            (
                Client::Gemini,
                vec![(
                    gemini,
                    r#"{"/work/repo": "DO_NOT_TRUST", "/work": "TRUST_FOLDER"}"#,
                )],
                Trust::Missing,
            ),
            (Client::Gemini, vec![(gemini, "{")], Trust::Missing),
            (
                Client::Gemini,
                vec![(
                    "/home/dev/.gemini/settings.json",
                    r#"{"security": {"folderTrust": {"enabled": false}}}"#,
                )],
                Trust::NotNeeded,
            ),
            (Client::Copilot, vec![], Trust::Missing),
            (
                Client::Copilot,
                vec![(copilot, "// mine\n{\"trustedFolders\": [\"/work/repo\"]}")],
                Trust::Given,
            ),
            (
                Client::Copilot,
                vec![(copilot, r#"{"trusted_folders": ["/work"]}"#)],
                Trust::Given,
            ),
            (
                Client::Copilot,
                vec![(copilot, r#"{"trustedFolders": ["/work/re"]}"#)],
                Trust::Missing,
            ),
            (Client::ClaudeCode, vec![], Trust::NotNeeded),
            (Client::Cursor, vec![], Trust::Unknown),
        ];
        for (client, files, wanted) in cases {
            let files: Vec<_> = files
                .into_iter()
                .map(|(name, text)| (name, text.to_string()))
                .collect();
            assert_eq!(
                trust(client, Scope::Personal, "{}", &files),
                wanted,
                "{client} {files:?}"
            );
        }
        assert_eq!(
            trust(Client::Copilot, Scope::Global, "{}", &[]),
            Trust::NotNeeded
        );
    }

    #[test]
    fn hooks_of_codex() {
        let hooks = r#"{"hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]},
                {"matcher": "*", "hooks": [{"type": "command", "command": "git-tcr gate", "timeout": 10}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "git-tcr session"}]}]}}"#;
        let config = |gate: &str| {
            let text = format!(
                "[hooks.state.\"/work/repo/.codex/hooks.json:pre_tool_use:1:0\"]\ntrusted_hash = \"{gate}\"\n\
                 [hooks.state.\"/work/repo/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:STOP\"\n"
            );
            vec![(
                "/home/dev/.codex/config.toml",
                text.replace("sha256:STOP", STOP),
            )]
        };
        assert_eq!(
            trust(Client::Codex, Scope::Personal, hooks, &[]),
            Trust::Missing
        );
        assert_eq!(
            trust(Client::Codex, Scope::Personal, hooks, &config("sha256:00")),
            Trust::Unknown
        );
        assert_eq!(
            trust(Client::Codex, Scope::Personal, hooks, &config(GATE)),
            Trust::Given
        );
    }

    // What the client stores for these two hooks when a person trusts them.
    const GATE: &str = "sha256:c24701792a16358a7f5e27056b624542a1798468544c2c6f49cc67f7400384fe";
    const STOP: &str = "sha256:205bc436ed289ccd9340b8f446e4bd49a199cefc4d65f1d5902bb9548be0ed95";
}
