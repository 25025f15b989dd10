//! Cursor.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, SELF_TEST, ToolCall, ToolOutcome};
use super::hook_shape::{self, message_of, owned};
use super::payload::{BadPayload, Fields};
use super::places::{Scope, UserFolder};
use super::profile::{Entries, Hooks, Profile, Trust};
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply};

const PROFILE: Profile = Profile {
    name: "cursor",
    title: "Cursor",
    parse,
    reply,
    refusal,
    write_call: |root, path, content| {
        json!({
            "conversation_id": SELF_TEST, "generation_id": SELF_TEST, "model": "", "cwd": root,
            "hook_event_name": "preToolUse", "workspace_roots": [root], "tool_name": "Write",
            "tool_input": {"file_path": path, "content": content}, "tool_use_id": SELF_TEST,
        })
    },
    programs: &["cursor-agent", "cursor"],
    signs: &[".cursor", ".cursorrules"],
    marks: &["CURSOR_AGENT"],
    variables: &["CURSOR_TRACE_ID"],
    shared_file: ".cursor/hooks.json",
    user_folder: UserFolder {
        variable: None,
        below: "",
        otherwise: ".cursor",
    },
    user_file: "hooks.json",
    hooks: Hooks::Entries(Entries {
        root: "${CURSOR_PROJECT_DIR:-.}",
        ..Entries::of(include_str!("../../hooks-templates/cursor.json"))
    }),
    trust: |looked| match looked.scope {
        Scope::Global => Trust::NotNeeded,
        Scope::Personal | Scope::Shared => Trust::Unknown,
    },
    how_to_trust: "open the folder in Cursor and trust the workspace",
    protected: &[
        ".cursor/hooks.json",
        ".cursor/hooks/",
        ".cursor/rules/",
        ".cursorrules",
    ],
    guarded: &[".cursor/hooks.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write"),
    (Kind::Edit, "edit strreplace search_replace"),
    (Kind::MultiEdit, "multiedit"),
    (Kind::Notebook, "notebookedit editnotebook"),
    (Kind::Patch, "applypatch apply_patch"),
    (Kind::Shell, "shell bash"),
    (Kind::Delete, "delete"),
    (
        Kind::Reading,
        "askquestion glob grep ls read readlints semanticsearch task todowrite webfetch \
         websearch",
    ),
];

/// Whether a message was sent by Cursor, whichever hook file it runs.
pub(super) fn is_author(fields: Fields<'_>) -> bool {
    fields.has("cursor_version") || fields.has("conversation_id")
}

pub(super) fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let kind = kind(fields)?;
    Ok(AgentEvent {
        client: CLIENT,
        hooks_of: CLIENT,
        session: match fields.filled("conversation_id")? {
            Some(conversation) => Some(conversation.into()),
            None => owned(fields.filled("session_id")?),
        },
        agent: owned(fields.filled("subagent_id")?),
        agent_type: owned(fields.filled("subagent_type")?),
        cwd: folder(fields)?.map(PathBuf::from),
        call: owned(fields.filled("tool_use_id")?),
        kind,
    })
}

fn kind(fields: Fields<'_>) -> Result<EventKind, BadPayload> {
    Ok(match fields.needed_text("hook_event_name")? {
        "preToolUse" | "PreToolUse" => EventKind::BeforeTool(tool(fields)?),
        "beforeShellExecution" => EventKind::BeforeTool(shell(fields)?),
        "beforeMCPExecution" => EventKind::BeforeTool(mcp(fields)?),
        "beforeReadFile" => EventKind::BeforeTool(ToolCall::Reading {
            name: "beforeReadFile".into(),
        }),
        "postToolUse" | "PostToolUse" => EventKind::AfterTool(done(fields)?, ToolOutcome::Ran),
        "postToolUseFailure" | "PostToolUseFailure" => {
            EventKind::AfterTool(done(fields)?, ToolOutcome::Failed(failure(fields)))
        }
        "afterShellExecution" => EventKind::AfterTool(shell(fields)?, ToolOutcome::Ran),
        "afterMCPExecution" => EventKind::AfterTool(mcp(fields)?, ToolOutcome::Ran),
        "afterFileEdit" => {
            let input = Value::Object(fields.0.clone());
            let call = hook_shape::done(TOOLS, "multiedit", &input);
            EventKind::AfterTool(call, ToolOutcome::Ran)
        }
        "sessionStart" | "SessionStart" => EventKind::SessionStart,
        "beforeSubmitPrompt" | "UserPromptSubmit" => EventKind::Prompt,
        "stop" | "Stop" => EventKind::TurnEnd {
            again: fields.value("loop_count").and_then(Value::as_f64) > Some(0.0),
        },
        "subagentStart" | "SubagentStart" => EventKind::SubagentStart,
        "subagentStop" | "SubagentStop" => EventKind::SubagentEnd,
        "sessionEnd" | "SessionEnd" => EventKind::SessionEnd,
        other => EventKind::Other(other.into()),
    })
}

fn tool(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let name = fields.needed_text("tool_name")?;
    let input = input(fields).ok_or_else(|| BadPayload::Missing("tool_input".into()))?;
    let read = tools::read(TOOLS, name, &input);
    // `Write` stands for edits too, not always with the content: then the path alone is judged.
    match read {
        Err(BadPayload::Missing(field)) if field == "content" => Ok(tools::unknown(name, &input)),
        read => read,
    }
}

fn done(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let name = fields.needed_text("tool_name")?;
    Ok(hook_shape::done(
        TOOLS,
        name,
        &input(fields).unwrap_or_default(),
    ))
}

fn shell(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    Ok(ToolCall::Shell {
        command: fields.needed_any_text(&["command"])?.into(),
        cwd: owned(fields.filled("cwd")?),
    })
}

fn mcp(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let name = fields.needed_text("tool_name")?;
    Ok(tools::unknown(
        &format!("MCP:{name}"),
        &input(fields).unwrap_or_default(),
    ))
}

/// The input of a tool, sent as it is or as JSON within a string.
fn input(fields: Fields<'_>) -> Option<Value> {
    let input = fields.value("tool_input")?;
    let unwrapped = input
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    Some(unwrapped.unwrap_or_else(|| input.clone()))
}

fn failure(fields: Fields<'_>) -> String {
    let error = fields.value("error_message").or(fields.value("error"));
    error.map(message_of).unwrap_or_default()
}

fn folder(fields: Fields<'_>) -> Result<Option<&str>, BadPayload> {
    if let Some(cwd) = fields.filled("cwd")? {
        return Ok(Some(cwd));
    }
    let roots = fields.value("workspace_roots").and_then(Value::as_array);
    Ok(roots.and_then(|roots| roots.first()?.as_str()))
}

fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        // An explicit "allow" would answer for the person where Cursor asks.
        Answer::Allow => json!({}),
        Answer::Deny(reason) => denial(reason),
        Answer::Tell(text) => match event.kind {
            // A prompt can be let through or stopped, nothing else.
            EventKind::Prompt => json!({"continue": true}),
            _ => json!({"additional_context": text}),
        },
        Answer::GoOn(reason) => json!({"followup_message": reason}),
    };
    if let Some(text) = to_person {
        out["user_message"] = text.into();
    }
    Reply::any_json(&out)
}

fn denial(reason: &str) -> Value {
    json!({"permission": "deny", "agent_message": reason, "user_message": reason})
}

/// A denial of something that could not be read, in both ways that Cursor knows.
fn refusal(reason: &str) -> Reply {
    Reply {
        stdout: format!("{}\n", denial(reason)),
        ..Reply::refusal(reason)
    }
}
