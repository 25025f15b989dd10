//! Whether the clients trust the hooks.

use std::path::Path;

use super::places::{self, Places, Scope};
use super::{Client, Trust, claude_code, codex, copilot, cursor, gemini};

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
    places::trust(
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
        (gemini::CLIENT, vec![], Trust::Missing),
        (
            gemini::CLIENT,
            vec![(gemini, r#"{"/work/repo": "TRUST_FOLDER"}"#)],
            Trust::Given,
        ),
        (
            gemini::CLIENT,
            vec![(gemini, r#"{"/work": "TRUST_FOLDER"}"#)],
            Trust::Given,
        ),
        (
            gemini::CLIENT,
            vec![(gemini, r#"{"/work/other": "TRUST_PARENT"}"#)],
            Trust::Given,
        ),
        (
            gemini::CLIENT,
            vec![(gemini, r#"{"/work/other": "TRUST_FOLDER"}"#)],
            Trust::Missing,
        ),
        (
            gemini::CLIENT,
            vec![(
                gemini,
                r#"{"/work/repo": "DO_NOT_TRUST", "/work": "TRUST_FOLDER"}"#,
            )],
            Trust::Missing,
        ),
        (gemini::CLIENT, vec![(gemini, "{")], Trust::Missing),
        (
            gemini::CLIENT,
            vec![(
                "/home/dev/.gemini/settings.json",
                r#"{"security": {"folderTrust": {"enabled": false}}}"#,
            )],
            Trust::NotNeeded,
        ),
        (copilot::CLIENT, vec![], Trust::Missing),
        (
            copilot::CLIENT,
            vec![(copilot, "// mine\n{\"trustedFolders\": [\"/work/repo\"]}")],
            Trust::Given,
        ),
        (
            copilot::CLIENT,
            vec![(copilot, r#"{"trusted_folders": ["/work"]}"#)],
            Trust::Given,
        ),
        (
            copilot::CLIENT,
            vec![(copilot, r#"{"trustedFolders": ["/work/re"]}"#)],
            Trust::Missing,
        ),
        (claude_code::CLIENT, vec![], Trust::NotNeeded),
        (cursor::CLIENT, vec![], Trust::Unknown),
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
        trust(copilot::CLIENT, Scope::Global, "{}", &[]),
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
        trust(codex::CLIENT, Scope::Personal, hooks, &[]),
        Trust::Missing
    );
    assert_eq!(
        trust(codex::CLIENT, Scope::Personal, hooks, &config("sha256:00")),
        Trust::Unknown
    );
    assert_eq!(
        trust(codex::CLIENT, Scope::Personal, hooks, &config(GATE)),
        Trust::Given
    );
}

// What the client stores for these two hooks when a person trusts them.
const GATE: &str = "sha256:c24701792a16358a7f5e27056b624542a1798468544c2c6f49cc67f7400384fe";
const STOP: &str = "sha256:205bc436ed289ccd9340b8f446e4bd49a199cefc4d65f1d5902bb9548be0ed95";
