//! OpenCode: our plugin passes on what its hooks are given, and obeys the reply.
//!
//! A message is `{"hook": NAME, "input": …, "output": …}` for a hook with two arguments, or
//! `{"hook": "event", "event": …}`, with `directory`, and `parent` and `agent` where the plugin
//! knows them. A reply is `{"deny": REASON}`, `{"tell": TEXT}`, each with `person`, or `{}`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::hook_shape::{self, owned};
use super::payload::{BadPayload, Fields};
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Reply};
use crate::event::{AgentEvent, Client, EventKind, ToolOutcome};

const TOOLS: Vocabulary = &[
    (Kind::Write, &["write"]),
    (Kind::Edit, &["edit"]),
    (Kind::MultiEdit, &["multiedit"]),
    (Kind::Patch, &["apply_patch", "patch"]),
    (Kind::Shell, &["bash"]),
    (
        Kind::Reading,
        &[
            "codesearch",
            "glob",
            "grep",
            "invalid",
            "list",
            "lsp",
            "plan_enter",
            "plan_exit",
            "question",
            "read",
            "skill",
            "task",
            "tcr_run",
            "tcr_squash",
            "tcr_status",
            "todoread",
            "todowrite",
            "webfetch",
            "websearch",
        ],
    ),
];

pub(super) fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let hook = fields.needed_text("hook")?;
    let (kind, own, call) = match hook {
        "tool.execute.before" => before(fields)?,
        "tool.execute.after" => after(fields)?,
        "chat.message" => {
            let session = fields.needed_object("input")?.filled("sessionID")?;
            (EventKind::Prompt, session, None)
        }
        "event" => session_event(fields)?,
        other => (EventKind::Other(other.into()), None, None),
    };
    let parent = fields.filled("parent")?;
    // A sub-agent is a session with a parent; authors are known by the parent's.
    let (session, agent) = match parent {
        Some(parent) => (Some(parent), own),
        None => (own, None),
    };
    Ok(AgentEvent {
        client: Client::OpenCode,
        hooks_of: Client::OpenCode,
        session: owned(session),
        agent: owned(agent),
        agent_type: owned(fields.filled("agent")?),
        cwd: fields.filled("directory")?.map(PathBuf::from),
        call: owned(call),
        kind,
    })
}

/// What happens, in which session, by which call.
type Told<'a> = (EventKind, Option<&'a str>, Option<&'a str>);

fn before(fields: Fields<'_>) -> Result<Told<'_>, BadPayload> {
    let input = fields.needed_object("input")?;
    let args = fields
        .needed_object("output")?
        .value("args")
        .ok_or_else(|| BadPayload::Missing("args".into()))?;
    let call = tools::read(TOOLS, input.needed_text("tool")?, args)?;
    let kind = EventKind::BeforeTool(call);
    Ok((kind, input.filled("sessionID")?, input.filled("callID")?))
}

fn after(fields: Fields<'_>) -> Result<Told<'_>, BadPayload> {
    let input = fields.needed_object("input")?;
    let args = input.value("args").unwrap_or(&Value::Null);
    let call = hook_shape::done(TOOLS, input.needed_text("tool")?, args);
    let kind = EventKind::AfterTool(call, ToolOutcome::Ran);
    Ok((kind, input.filled("sessionID")?, input.filled("callID")?))
}

fn session_event(fields: Fields<'_>) -> Result<Told<'_>, BadPayload> {
    let event = fields.needed_object("event")?;
    let name = event.needed_text("type")?;
    let session = match event.object("properties")? {
        Some(properties) => properties.filled("sessionID")?,
        None => None,
    };
    let kind = match name {
        "session.created" => EventKind::SessionStart,
        // No hook of this client makes a turn go on, so none is a second end.
        "session.idle" => EventKind::TurnEnd { again: false },
        "session.deleted" => EventKind::SessionEnd,
        other => EventKind::Other(other.into()),
    };
    Ok((kind, session, None))
}

pub(super) fn reply(answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        Answer::Allow => json!({}),
        Answer::Deny(reason) => json!({"deny": reason}),
        // A turn can't be made to go on: the model reads it with the next prompt.
        Answer::Tell(text) | Answer::GoOn(text) => json!({"tell": text}),
    };
    if let Some(text) = to_person {
        out["person"] = text.into();
    }
    Reply {
        stdout: format!("{out}\n"),
        ..Reply::default()
    }
}

/// A denial of something that could not be read.
pub(super) fn refusal(reason: &str) -> Reply {
    reply(&Answer::Deny(reason.into()), None)
}
