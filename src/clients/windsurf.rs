//! Windsurf: hooks of its agent, Cascade, which say "no" by an exit status alone.

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, SELF_TEST, ToolCall, ToolOutcome};
use super::hook_shape::owned;
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Entries, Hooks, Profile};
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply};

const PROFILE: Profile = Profile {
    name: "windsurf",
    title: "Windsurf",
    parse,
    reply,
    write_call: |_, path, content| {
        json!({
            "agent_action_name": "pre_write_code", "trajectory_id": SELF_TEST, "execution_id": SELF_TEST,
            "tool_info": {"file_path": path, "edits": [{"old_string": "", "new_string": content}]},
        })
    },
    // No program of its own runs agents: what a person starts in the editor is the person's.
    signs: &[".windsurf", ".windsurfrules"],
    shared_file: ".windsurf/hooks.json",
    user_folder: UserFolder {
        variable: None,
        below: "",
        otherwise: ".codeium/windsurf",
    },
    user_file: "hooks.json",
    hooks: Hooks::Entries(Entries::of(include_str!(
        "../../hooks-templates/windsurf.json"
    ))),
    protected: &[".windsurf/hooks.json", ".windsurf/hooks/"],
    guarded: &[".codeium/hooks.json", ".codeium/windsurf/hooks.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const WRITING: Vocabulary = &[(Kind::MultiEdit, "write_code")];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let info = fields.object("tool_info")?;
    let call = |action| {
        call(
            action,
            info.ok_or_else(|| BadPayload::Missing("tool_info".into()))?,
        )
    };
    let done = |action| {
        let call = call(action).unwrap_or_else(|_| tools::unknown(action, &Value::Null));
        EventKind::AfterTool(call, ToolOutcome::Ran)
    };
    let kind = match fields.needed_text("agent_action_name")? {
        "pre_user_prompt" => EventKind::Prompt,
        // Nothing holds up the end of a turn, so none is a second one.
        "post_cascade_response" => EventKind::TurnEnd { again: true },
        name => match name.split_once('_') {
            Some(("pre", action)) => EventKind::BeforeTool(call(action)?),
            Some(("post", action)) => done(action),
            _ => EventKind::Other(name.into()),
        },
    };
    Ok(AgentEvent {
        client: CLIENT,
        hooks_of: CLIENT,
        session: owned(fields.filled("trajectory_id")?),
        agent: None,
        agent_type: None,
        // Hooks run at the root of the workspace; commands say for themselves where they run.
        cwd: None,
        call: None,
        kind,
    })
}

fn call(action: &str, info: Fields<'_>) -> Result<ToolCall, BadPayload> {
    match action {
        "read_code" => Ok(ToolCall::Reading {
            name: action.into(),
        }),
        "write_code" if info.has("edits") => {
            tools::read(WRITING, action, &Value::Object(info.0.clone()))
        }
        "run_command" => Ok(ToolCall::Shell {
            command: info.needed_text("command_line")?.into(),
            cwd: owned(info.filled("cwd")?),
        }),
        "mcp_tool_use" => {
            let tool = info.needed_text("mcp_tool_name")?;
            let server = info.text("mcp_server_name")?.unwrap_or_default();
            let input = info.value("mcp_tool_arguments").unwrap_or(&Value::Null);
            Ok(tools::unknown(&format!("mcp__{server}__{tool}"), input))
        }
        // Without its edits the path alone is judged.
        _ => Ok(tools::unknown(action, &Value::Object(info.0.clone()))),
    }
}

/// After a tool the agent reads what comes with the status that says "no" before one; anything else
/// is for the person.
fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    let to_agent = match (answer, &event.kind) {
        (Answer::Deny(reason), _) => Reply::refusal(reason),
        (Answer::Tell(text), EventKind::AfterTool(..)) => Reply::refusal(text),
        (Answer::Tell(text) | Answer::GoOn(text), _) => Reply {
            stdout: format!("{text}\n"),
            ..Reply::default()
        },
        (Answer::Allow, _) => Reply::default(),
    };
    match to_person {
        Some(text) => Reply {
            stdout: format!("{}{text}\n", to_agent.stdout),
            ..to_agent
        },
        None => to_agent,
    }
}
