//! Coding agents' clients: their messages become events, our answers their replies. One file per
//! client.

pub(crate) mod apply_patch;
mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod foreign_command;
mod gemini;
mod hook_shape;
mod opencode;
pub(crate) mod patched_text;
mod payload;
#[cfg(test)]
mod tests;
mod tools;
mod unknown;

use serde_json::Value;

pub(crate) use foreign_command::may_run;
pub(crate) use payload::BadPayload;
pub(crate) use unknown::may_write;

use crate::event::{AgentEvent, Client, EventKind};
use payload::Fields;

/// The folders of a project that clients keep their settings in.
pub(crate) fn project_folders() -> impl Iterator<Item = &'static str> {
    [
        ".claude",
        ".codex",
        ".gemini",
        ".cursor",
        ".opencode",
        ".copilot",
    ]
    .into_iter()
}

/// What we answer a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing stands against it, and there is nothing to say. The client's own permissions apply.
    Allow,
    /// The tool must not be called, for this reason.
    Deny(String),
    /// The model is told this: after a tool call, at the start of a session or with a prompt.
    Tell(String),
    /// The turn is not over yet, for this reason.
    GoOn(String),
}

/// What the process prints and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reply {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

impl Reply {
    /// An object, or nothing where there is nothing to say.
    fn json(out: &Value) -> Self {
        let is_empty = out.as_object().is_some_and(|fields| fields.is_empty());
        Reply {
            stdout: if is_empty {
                String::new()
            } else {
                format!("{out}\n")
            },
            ..Reply::default()
        }
    }

    /// The exit status that every client but one takes for a "no", with the reason.
    fn refusal(reason: &str) -> Self {
        Reply {
            stdout: String::new(),
            stderr: format!("{}\n", reason.trim_end()),
            exit: 2,
        }
    }
}

/// Reads what a client sent. What can't be read is no allow.
pub(crate) fn parse(client: Client, bytes: &[u8]) -> Result<AgentEvent, BadPayload> {
    let fields = payload::read(bytes)?;
    let fields = Fields(&fields);
    let event = match client {
        Client::ClaudeCode => claude_code::parse(fields),
        Client::OpenCode => opencode::parse(fields),
        Client::Codex => codex::parse(fields),
        Client::Gemini => gemini::parse(fields),
        Client::Copilot => copilot::parse(fields),
        Client::Cursor => cursor::parse(fields),
    }?;
    Ok(AgentEvent {
        hooks_of: client,
        kind: of_subagent(event.kind, event.agent.is_some()),
        ..event
    })
}

/// Clients tell of a sub-agent's turns as of the main agent's, but no person stands behind them.
fn of_subagent(kind: EventKind, is_subagent: bool) -> EventKind {
    match kind {
        EventKind::SessionStart | EventKind::Prompt if is_subagent => EventKind::SubagentStart,
        EventKind::TurnEnd { .. } if is_subagent => EventKind::SubagentEnd,
        kind => kind,
    }
}

/// The answer in the client's own form; `to_person` is shown to the person where the client can.
pub(crate) fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    match event.client {
        Client::ClaudeCode => claude_code::reply(event, answer, to_person),
        Client::OpenCode => opencode::reply(answer, to_person),
        Client::Codex => codex::reply(event, answer, to_person),
        Client::Gemini => gemini::reply(event, answer, to_person),
        Client::Copilot => copilot::reply(event, answer),
        Client::Cursor => cursor::reply(event, answer, to_person),
    }
}

/// The "no" to a message before a tool call that could not be read.
pub(crate) fn refusal(client: Client, reason: &str) -> Reply {
    match client {
        Client::ClaudeCode | Client::Codex | Client::Gemini => Reply::refusal(reason),
        Client::OpenCode => opencode::refusal(reason),
        Client::Copilot => copilot::refusal(reason),
        Client::Cursor => cursor::refusal(reason),
    }
}
