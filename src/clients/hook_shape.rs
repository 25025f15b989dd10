//! The shape of a message that Claude Code brought up and others took over.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Client;
use super::event::{AgentEvent, EventKind, SELF_TEST, ToolCall, ToolOutcome};
use super::payload::{BadPayload, Fields};
use super::tools::{self, Vocabulary};

/// When a hook is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Moment {
    BeforeTool,
    AfterTool,
    AfterFailure,
    SessionStart,
    Prompt,
    TurnEnd,
    SubagentStart,
    SubagentEnd,
    SessionEnd,
    Other(String),
}

/// The events of Claude Code, and of those that use its names.
pub(super) fn moment(name: &str) -> Moment {
    match name {
        "PreToolUse" => Moment::BeforeTool,
        "PostToolUse" => Moment::AfterTool,
        "PostToolUseFailure" => Moment::AfterFailure,
        "SessionStart" => Moment::SessionStart,
        "UserPromptSubmit" => Moment::Prompt,
        "Stop" => Moment::TurnEnd,
        "SubagentStart" => Moment::SubagentStart,
        "SubagentStop" => Moment::SubagentEnd,
        "SessionEnd" => Moment::SessionEnd,
        other => Moment::Other(other.into()),
    }
}

/// Reads a message with `hook_event_name`, `tool_name` and `tool_input`.
pub(super) fn read(
    client: Client,
    fields: Fields<'_>,
    moment: Moment,
    vocabulary: Vocabulary,
) -> Result<AgentEvent, BadPayload> {
    let kind = match moment {
        Moment::BeforeTool => EventKind::BeforeTool(before(fields, vocabulary)?),
        Moment::AfterTool => EventKind::AfterTool(after(fields, vocabulary)?, outcome(fields)),
        Moment::AfterFailure => EventKind::AfterTool(after(fields, vocabulary)?, failure(fields)),
        Moment::SessionStart => EventKind::SessionStart,
        Moment::Prompt => EventKind::Prompt,
        Moment::TurnEnd => EventKind::TurnEnd {
            again: fields.flag("stop_hook_active")?,
        },
        Moment::SubagentStart => EventKind::SubagentStart,
        Moment::SubagentEnd => EventKind::SubagentEnd,
        Moment::SessionEnd => EventKind::SessionEnd,
        Moment::Other(name) => EventKind::Other(name),
    };
    Ok(AgentEvent {
        client,
        hooks_of: client,
        session: owned(fields.filled("session_id")?),
        agent: owned(fields.filled("agent_id")?),
        agent_type: owned(fields.filled("agent_type")?),
        cwd: fields.filled("cwd")?.map(PathBuf::from),
        call: owned(fields.filled("tool_use_id")?),
        kind,
    })
}

fn before(fields: Fields<'_>, vocabulary: Vocabulary) -> Result<ToolCall, BadPayload> {
    let input = fields
        .value("tool_input")
        .ok_or_else(|| BadPayload::Missing("tool_input".into()))?;
    tools::read(vocabulary, fields.needed_text("tool_name")?, input)
}

fn after(fields: Fields<'_>, vocabulary: Vocabulary) -> Result<ToolCall, BadPayload> {
    let name = fields.needed_text("tool_name")?;
    let input = fields.value("tool_input").unwrap_or(&Value::Null);
    Ok(done(vocabulary, name, input))
}

/// A call that is over. That its input can't be read must not keep the loop from looking.
pub(super) fn done(vocabulary: Vocabulary, name: &str, input: &Value) -> ToolCall {
    tools::read(vocabulary, name, input).unwrap_or_else(|_| tools::unknown(name, input))
}

/// A response may carry an error.
fn outcome(fields: Fields<'_>) -> ToolOutcome {
    let error = fields
        .value("tool_response")
        .and_then(|response| response.get("error"))
        .filter(|error| !error.is_null());
    error.map_or(ToolOutcome::Ran, |error| {
        ToolOutcome::Failed(message_of(error))
    })
}

fn failure(fields: Fields<'_>) -> ToolOutcome {
    ToolOutcome::Failed(fields.value("error").map(message_of).unwrap_or_default())
}

/// The words of an error that is a string or an object with a message.
pub(super) fn message_of(error: &Value) -> String {
    match (error.as_str(), error.get("message").and_then(Value::as_str)) {
        (Some(text), _) | (None, Some(text)) => text.into(),
        (None, None) => error.to_string(),
    }
}

pub(super) fn owned(text: Option<&str>) -> Option<String> {
    text.map(Into::into)
}

/// The message before a call that writes.
pub(super) fn write_call(root: &Path, event: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": SELF_TEST, "transcript_path": "", "cwd": root, "hook_event_name": event,
        "tool_name": tool, "tool_input": input, "tool_use_id": SELF_TEST,
    })
}
