//! Any other client: the JSON of `docs/any-client.md`, sent by whatever its hooks can run.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, ToolCall, ToolOutcome};
use super::hook_shape::{self, message_of, owned};
use super::payload::{BadPayload, Fields};
use super::profile::Profile;
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply};

/// No hook of it can be installed: whoever has one calls us.
pub(super) const PROFILE: Profile = Profile {
    name: "generic",
    title: "Any other client",
    parse: |fields| read(CLIENT, fields, TOOLS),
    reply: |_, answer, to_person| reply(answer, to_person),
    refusal: |reason| reply(&Answer::Deny(reason.into()), None),
    tells_agents_apart: true,
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write"),
    (Kind::Edit, "edit"),
    (Kind::MultiEdit, "edits"),
    (Kind::Patch, "patch"),
    (Kind::Notebook, "notebook"),
    (Kind::Shell, "shell"),
    (Kind::Delete, "delete"),
    (Kind::Reading, "read"),
];

/// Reads a message; the tools are the client's own.
pub(super) fn read(
    client: Client,
    fields: Fields<'_>,
    vocabulary: Vocabulary,
) -> Result<AgentEvent, BadPayload> {
    let kind = match fields.needed_text("event")? {
        "before_tool" => EventKind::BeforeTool(before(fields, vocabulary)?),
        "after_tool" => EventKind::AfterTool(after(fields, vocabulary)?, outcome(fields)),
        "session_start" => EventKind::SessionStart,
        "prompt" => EventKind::Prompt,
        "turn_end" => EventKind::TurnEnd {
            again: fields.flag("again")?,
        },
        "session_end" => EventKind::SessionEnd,
        other => EventKind::Other(other.into()),
    };
    Ok(AgentEvent {
        client,
        hooks_of: client,
        session: owned(fields.filled("session")?),
        agent: owned(fields.filled("agent")?),
        agent_type: owned(fields.filled("agent_type")?),
        cwd: fields.filled("cwd")?.map(PathBuf::from),
        call: owned(fields.filled("call")?),
        kind,
    })
}

fn before(fields: Fields<'_>, vocabulary: Vocabulary) -> Result<ToolCall, BadPayload> {
    let input = fields
        .value("input")
        .ok_or_else(|| BadPayload::Missing("input".into()))?;
    tools::read(vocabulary, fields.needed_text("tool")?, input)
}

fn after(fields: Fields<'_>, vocabulary: Vocabulary) -> Result<ToolCall, BadPayload> {
    let input = fields.value("input").unwrap_or(&Value::Null);
    Ok(hook_shape::done(
        vocabulary,
        fields.needed_text("tool")?,
        input,
    ))
}

fn outcome(fields: Fields<'_>) -> ToolOutcome {
    match fields.value("error") {
        Some(error) => ToolOutcome::Failed(message_of(error)),
        None => ToolOutcome::Ran,
    }
}

/// A "no" is said in three ways, so that a hook can use whichever it understands.
fn reply(answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        Answer::Allow => json!({"decision": "allow"}),
        Answer::Deny(reason) => json!({"decision": "deny", "reason": reason}),
        Answer::Tell(text) => json!({"decision": "allow", "tell": text}),
        Answer::GoOn(reason) => json!({"decision": "go_on", "reason": reason}),
    };
    if let Some(text) = to_person {
        out["person"] = text.into();
    }
    let plain = match answer {
        Answer::Deny(reason) => Reply::refusal(reason),
        Answer::Allow | Answer::Tell(_) | Answer::GoOn(_) => Reply::default(),
    };
    Reply {
        stdout: format!("{out}\n"),
        ..plain
    }
}
