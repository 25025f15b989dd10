//! Codex: Claude Code's shape, and patches for every change of a file.

use super::hook_shape;
use super::payload::{BadPayload, Fields};
use super::tools::{Kind, Vocabulary};
use super::{Answer, Reply, claude_code};
use crate::event::{AgentEvent, Client, EventKind, ToolOutcome};

const TOOLS: Vocabulary = &[
    (Kind::Patch, &["apply_patch"]),
    (
        Kind::Shell,
        &[
            "bash",
            "shell",
            "shell_command",
            "exec_command",
            "local_shell",
        ],
    ),
    (Kind::ShellInput, &["write_stdin"]),
    (
        Kind::Reading,
        &[
            "close_agent",
            "get_goal",
            "grep_files",
            "list_agents",
            "list_dir",
            "list_mcp_resource_templates",
            "list_mcp_resources",
            "multi_agent_v1close_agent",
            "multi_agent_v1resume_agent",
            "multi_agent_v1send_input",
            "multi_agent_v1spawn_agent",
            "multi_agent_v1wait_agent",
            "read_file",
            "read_mcp_resource",
            "request_user_input",
            "resume_agent",
            "send_input",
            "send_message",
            "spawn_agent",
            "update_plan",
            "view_image",
            "wait_agent",
            "web_search",
        ],
    ),
];

pub(super) fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let moment = hook_shape::moment(fields.needed_text("hook_event_name")?);
    hook_shape::read(Client::Codex, fields, moment, TOOLS)
}

pub(super) fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
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
