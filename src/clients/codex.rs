//! Codex: Claude Code's shape, and patches for every change of a file.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::event::{AgentEvent, EventKind, ToolOutcome};
use super::hook_shape;
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Entries, Hooks, Profile, Trust, Trusting};
use super::settings::dialect::Foreign;
use super::settings::json_text;
use super::tools::{Kind, Vocabulary};
use super::{Answer, Client, Reply, claude_code};

const PROFILE: Profile = Profile {
    name: "codex",
    title: "Codex",
    tried: Some("0.166.0"),
    parse,
    reply,
    write_call: |root, path, content| {
        let patch = format!("*** Begin Patch\n*** Add File: {path}\n+{content}*** End Patch");
        hook_shape::write_call(
            root,
            "PreToolUse",
            "apply_patch",
            &json!({"command": patch}),
        )
    },
    tells_agents_apart: true,
    programs: &["codex"],
    signs: &[".codex"],
    marks: &["CODEX_SANDBOX", "CODEX_THREAD_ID"],
    variables: &["CODEX_*"],
    shared_file: ".codex/hooks.json",
    user_folder: UserFolder::named("CODEX_HOME", ".codex"),
    user_file: "hooks.json",
    hooks: Hooks::Entries(Entries::of(include_str!(
        "../../hooks-templates/codex.json"
    ))),
    not_read: &[
        Foreign::Comment,
        Foreign::TrailingComma,
        Foreign::ByteOrderMark,
    ],
    trust,
    how_to_trust: "start `codex` here, enter `/hooks` and trust the hooks of git-tcr",
    options_past_hooks: &[
        "--dangerously-bypass-hook-trust",
        "--ignore-user-config",
        "--ignore-rules",
    ],
    variables_past_hooks: &["CODEX_HOME"],
    protected: &[".codex/config.toml", ".codex/hooks.json", ".codex/hooks/"],
    guarded: &[".codex/hooks.json", ".codex/config.toml"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Patch, "apply_patch"),
    (
        Kind::Shell,
        "bash shell shell_command exec_command local_shell",
    ),
    (Kind::ShellInput, "write_stdin"),
    (
        Kind::Reading,
        "close_agent get_goal grep_files list_agents list_dir list_mcp_resource_templates \
         list_mcp_resources multi_agent_v1close_agent multi_agent_v1resume_agent \
         multi_agent_v1send_input multi_agent_v1spawn_agent multi_agent_v1wait_agent \
         read_file read_mcp_resource request_user_input resume_agent send_input \
         send_message spawn_agent update_plan view_image wait_agent web_search",
    ),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let moment = hook_shape::moment(fields.needed_text("hook_event_name")?);
    hook_shape::read(CLIENT, fields, moment, TOOLS)
}

fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    // There is no event of its own for a call that failed.
    let ran = match &event.kind {
        EventKind::AfterTool(call, _) => EventKind::AfterTool(call.clone(), ToolOutcome::Ran),
        other => other.clone(),
    };
    let event = AgentEvent {
        kind: ran,
        ..event.clone()
    };
    claude_code::reply(&event, answer, to_person)
}

/// Each hook is trusted by a hash of what it is, under the place it has in its file.
fn trust(looked: &Trusting<'_>) -> Trust {
    let config = (looked.of_person)("config.toml");
    let config = config.and_then(|text| text.parse::<toml::Table>().ok());
    let state = config
        .as_ref()
        .and_then(|config| config.get("hooks")?.get("state"));
    let mut unsure = false;
    for (key, hash) in own_hooks(looked.file, looked.text) {
        let trusted = state.and_then(|state| state.get(&key)?.get("trusted_hash")?.as_str());
        match trusted {
            None => return Trust::Missing,
            // Another version may reckon differently.
            Some(trusted) => unsure |= trusted != hash,
        }
    }
    if unsure { Trust::Unknown } else { Trust::Given }
}

fn own_hooks(file: &Path, text: &str) -> Vec<(String, String)> {
    let settings = json_text::to_value(text).unwrap_or_default();
    let mut found = Vec::new();
    for (event, groups) in settings["hooks"].as_object().into_iter().flatten() {
        for (group_at, group) in groups.as_array().into_iter().flatten().enumerate() {
            for (at, hook) in group["hooks"].as_array().into_iter().flatten().enumerate() {
                let command = hook["command"].as_str().unwrap_or_default();
                if command.contains("git-tcr") {
                    let event = snake_case(event);
                    let key = format!("{}:{event}:{group_at}:{at}", file.display());
                    found.push((key, hash_of(&event, group, hook)));
                }
            }
        }
    }
    found
}

fn hash_of(event: &str, group: &Value, hook: &Value) -> String {
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
