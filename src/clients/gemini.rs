//! Gemini CLI.

use serde_json::json;

use super::hook_shape::{self, Moment};
use super::payload::{BadPayload, Fields};
use super::tools::{Kind, Vocabulary};
use super::{Answer, Reply};
use crate::event::{AgentEvent, Client, EventKind, ToolOutcome};

const TOOLS: Vocabulary = &[
    (Kind::Write, &["write_file"]),
    (Kind::Edit, &["replace", "edit"]),
    (Kind::Shell, &["run_shell_command"]),
    (
        Kind::Reading,
        &[
            "activate_skill",
            "ask_user",
            "cli_help",
            "codebase_investigator",
            "complete_task",
            "delegate_to_agent",
            "enter_plan_mode",
            "exit_plan_mode",
            "get_internal_docs",
            "glob",
            "google_web_search",
            "grep_search",
            "invoke_agent",
            "list_background_processes",
            "list_directory",
            "list_mcp_resources",
            "read_background_output",
            "read_file",
            "read_many_files",
            "read_mcp_resource",
            "search_file_content",
            "update_topic",
            "web_fetch",
            "write_todos",
        ],
    ),
];

pub(super) fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let moment = match fields.needed_text("hook_event_name")? {
        "BeforeTool" => Moment::BeforeTool,
        "AfterTool" => Moment::AfterTool,
        "SessionStart" => Moment::SessionStart,
        "BeforeAgent" => Moment::Prompt,
        "AfterAgent" => Moment::TurnEnd,
        "SessionEnd" => Moment::SessionEnd,
        other => Moment::Other(other.into()),
    };
    hook_shape::read(Client::Gemini, fields, moment, TOOLS)
}

pub(super) fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        Answer::Allow => json!({}),
        Answer::Deny(reason) | Answer::GoOn(reason) => {
            json!({"decision": "deny", "reason": reason})
        }
        Answer::Tell(text) => tell(&event.kind, text),
    };
    if let Some(text) = to_person {
        out["systemMessage"] = text.into();
    }
    Reply::json(&out)
}

fn tell(kind: &EventKind, text: &str) -> serde_json::Value {
    let name = match kind {
        // Context is lost when the tool failed; a denial replaces the tool's own words, so they
        // are said again.
        EventKind::AfterTool(_, ToolOutcome::Failed(error)) => {
            return json!({"decision": "deny", "reason": format!("{text}\n\n{error}")});
        }
        EventKind::AfterTool(_, ToolOutcome::Ran) => "AfterTool",
        EventKind::SessionStart => "SessionStart",
        EventKind::Prompt => "BeforeAgent",
        EventKind::BeforeTool(_)
        | EventKind::TurnEnd { .. }
        | EventKind::SubagentStart
        | EventKind::SubagentEnd
        | EventKind::SessionEnd
        | EventKind::Other(_) => return json!({"systemMessage": text}),
    };
    json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})
}
