//! Auggie, the client of Augment Code: Claude Code's names, and messages of its own.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, ToolCall, ToolOutcome};
use super::hook_shape::{self, message_of, owned};
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Entries, Hooks, Profile};
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply, claude_code};

const PROFILE: Profile = Profile {
    name: "auggie",
    title: "Auggie",
    parse,
    reply,
    write_call: |root, path, content| {
        json!({
            "hook_event_name": "PreToolUse", "conversation_id": super::event::SELF_TEST,
            "workspace_roots": [root], "tool_name": "save-file",
            "tool_input": {"path": path, "file_content": content},
        })
    },
    programs: &["auggie"],
    signs: &[".augment"],
    marks: &["AUGMENT_AGENT"],
    personal_file: Some(".augment/settings.local.json"),
    shared_file: ".augment/settings.json",
    user_folder: UserFolder {
        variable: None,
        below: "",
        otherwise: ".augment",
    },
    user_file: "settings.json",
    hooks: Hooks::Entries(Entries {
        second: 1000,
        ..Entries::of(include_str!("../../hooks-templates/auggie.json"))
    }),
    options_past_hooks: &["--augment-cache-dir", "--plugin-dir"],
    protected: &[
        ".augment/hooks/",
        ".augment/settings.json",
        ".augment/settings.local.json",
    ],
    guarded: &[".augment/settings.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

/// What edits and deletes names files, and is judged by these.
const TOOLS: Vocabulary = &[
    (Kind::Patch, "apply_patch"),
    (Kind::Shell, "launch-process"),
    (
        Kind::Reading,
        "codebase-retrieval git-commit-retrieval grep-search kill-process list-processes \
         read-process read-terminal search-untruncated view view-range-untruncated web-fetch \
         web-search",
    ),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let kind = match fields.needed_text("hook_event_name")? {
        "PreToolUse" => EventKind::BeforeTool(before(fields)?),
        "PostToolUse" => EventKind::AfterTool(after(fields)?, outcome(fields)),
        "SessionStart" => EventKind::SessionStart,
        "PromptSubmit" => EventKind::Prompt,
        // It does not say whether the turn goes on because of a hook: none is held up.
        "Stop" => EventKind::TurnEnd { again: true },
        "SessionEnd" => EventKind::SessionEnd,
        other => EventKind::Other(other.into()),
    };
    let roots = fields.value("workspace_roots").and_then(Value::as_array);
    let root = roots.and_then(|roots| roots.first()?.as_str());
    Ok(AgentEvent {
        client: CLIENT,
        hooks_of: CLIENT,
        session: owned(fields.filled("conversation_id")?),
        agent: None,
        agent_type: None,
        cwd: root.map(PathBuf::from),
        call: None,
        kind,
    })
}

fn before(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let input = fields
        .value("tool_input")
        .ok_or_else(|| BadPayload::Missing("tool_input".into()))?;
    tools::read(TOOLS, fields.needed_text("tool_name")?, input)
}

fn after(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let input = fields.value("tool_input").unwrap_or(&Value::Null);
    Ok(hook_shape::done(
        TOOLS,
        fields.needed_text("tool_name")?,
        input,
    ))
}

fn outcome(fields: Fields<'_>) -> ToolOutcome {
    match fields.value("tool_error") {
        Some(error) => ToolOutcome::Failed(message_of(error)),
        None => ToolOutcome::Ran,
    }
}

fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    let name = match event.kind {
        // There is no event of its own for a call that failed.
        EventKind::AfterTool(..) => Some("PostToolUse"),
        EventKind::SessionStart => Some("SessionStart"),
        _ => None,
    };
    let mut out = match (answer, name) {
        (Answer::Tell(text), Some(name)) => {
            json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})
        }
        (Answer::Tell(text), None) => json!({"additionalContext": text}),
        (Answer::GoOn(reason), _) => {
            json!({"hookSpecificOutput": {"hookEventName": "Stop", "decision": "block", "reason": reason}})
        }
        (Answer::Allow, _) => json!({}),
        (Answer::Deny(_), _) => return claude_code::reply(event, answer, to_person),
    };
    if let Some(text) = to_person {
        out["systemMessage"] = text.into();
    }
    Reply::json(&out)
}
