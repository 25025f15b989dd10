//! Copilot CLI: messages of its own without the event's name, and Claude Code's shape where it runs
//! those hook files. VS Code reads the same hook files and sends that shape too.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, SELF_TEST, ToolCall, ToolOutcome};
use super::hook_shape::{self, message_of, owned};
use super::payload::{BadPayload, Fields};
use super::places::{Scope, UserFolder};
use super::profile::{Entries, Hooks, Profile, Trust, Trusting};
use super::settings::dialect::Foreign;
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply, claude_code};

const PROFILE: Profile = Profile {
    name: "copilot",
    title: "Copilot CLI",
    tried: Some("1.0.102"),
    parse,
    reply: |event, answer, _| reply(event, answer),
    refusal,
    write_call: |root, path, content| {
        json!({
            "sessionId": SELF_TEST, "timestamp": 0, "cwd": root, "toolName": "create",
            "toolArgs": {"path": path, "file_text": content},
        })
    },
    tells_agents_apart: true,
    programs: &["copilot"],
    signs: &[".github/hooks", ".github/copilot-instructions.md"],
    marks: &["COPILOT_CLI"],
    variables: &["COPILOT_AGENT", "COPILOT_MODEL"],
    shared_file: ".github/hooks/git-tcr.json",
    user_folder: UserFolder::named("COPILOT_HOME", ".copilot"),
    user_file: "hooks/git-tcr.json",
    hooks: Hooks::Entries(Entries {
        // The reason is shown only if it is told in JSON.
        missing: Some(
            r#"echo "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"@MISSING@\"}""#,
        ),
        ..Entries::of(include_str!("../../hooks-templates/copilot.json"))
    }),
    switches: &[("/disableAllHooks", true)],
    not_read: &[
        Foreign::Comment,
        Foreign::TrailingComma,
        Foreign::ByteOrderMark,
    ],
    trust,
    how_to_trust: "start `copilot` here and trust the folder for future sessions",
    options_past_hooks: &["--no-hooks", "--disable-hooks"],
    protected: &[".github/copilot/", ".github/hooks/"],
    guarded: &[
        ".copilot/config.json",
        ".copilot/hooks/",
        ".copilot/settings.json",
    ],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "create write create_file"),
    (Kind::Edit, "edit replace_string_in_file"),
    (Kind::Editor, "str_replace_editor"),
    (Kind::Patch, "apply_patch"),
    (Kind::Notebook, "notebookedit edit_notebook_file"),
    (Kind::Shell, "bash powershell run_in_terminal"),
    (Kind::ShellInput, "write_bash write_powershell"),
    (
        Kind::Reading,
        "agent ask_user exit_plan_mode fetch_copilot_cli_documentation file_search glob \
         grep grep_search list_agents list_bash list_dir list_powershell read read_agent \
         read_bash read_file read_powershell report_intent rg show_file skill sql stop_bash \
         stop_powershell store_memory task task_complete update_todo view web_fetch \
         web_search",
    ),
];

/// Whether a message in Claude Code's shape was sent by Copilot: that client never says when, and
/// always where its transcript is.
pub(super) fn is_author(fields: Fields<'_>) -> bool {
    let own_names = fields.has("sessionId") || fields.has("toolName");
    let transcript = match fields.value("transcript_path") {
        Some(path) => path.as_str().is_some_and(|path| path.contains(".copilot")),
        None => true,
    };
    own_names || (fields.has("timestamp") && transcript)
}

pub(super) fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    match fields.any_text(&["hook_event_name", "hookEventName"])? {
        Some(name) => claude_style(fields, name),
        None => own_style(fields),
    }
}

fn claude_style(fields: Fields<'_>, name: &str) -> Result<AgentEvent, BadPayload> {
    let event = hook_shape::read(CLIENT, fields, hook_shape::moment(name), TOOLS)?;
    let own_session = owned(fields.filled("sessionId")?);
    Ok(AgentEvent {
        session: event.session.or(own_session),
        ..event
    })
}

fn own_style(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let kind = kind(fields)?;
    // A sub-agent has a session of its own; its parent's is the one that authors are known by.
    let agent = owned(fields.filled("agentId")?);
    let parent = owned(fields.filled("parentAgentId")?);
    let own = owned(fields.filled("sessionId")?);
    Ok(AgentEvent {
        client: CLIENT,
        hooks_of: CLIENT,
        session: if agent.is_some() { parent.or(own) } else { own },
        agent,
        agent_type: owned(fields.filled("agentType")?),
        cwd: fields.filled("cwd")?.map(PathBuf::from),
        call: None,
        kind,
    })
}

/// The event by the fields that only it has.
fn kind(fields: Fields<'_>) -> Result<EventKind, BadPayload> {
    if fields.has("toolName") || fields.has("toolArgs") {
        return tool_event(fields);
    }
    if fields.has("stopReason") {
        return Ok(EventKind::TurnEnd {
            again: fields.flag("stop_hook_active")?,
        });
    }
    if fields.has("prompt") {
        return Ok(EventKind::Prompt);
    }
    if fields.has("source") {
        return Ok(EventKind::SessionStart);
    }
    if fields.has("reason") {
        return Ok(EventKind::SessionEnd);
    }
    if fields.has("agentName") {
        return Ok(EventKind::SubagentStart);
    }
    Err(BadPayload::Missing("toolName".into()))
}

fn tool_event(fields: Fields<'_>) -> Result<EventKind, BadPayload> {
    let name = fields.needed_text("toolName")?;
    let args = fields.value("toolArgs");
    if let Some(error) = fields.value("error") {
        let outcome = ToolOutcome::Failed(message_of(error));
        return Ok(EventKind::AfterTool(done(name, args), outcome));
    }
    if fields.has("toolResult") {
        return Ok(EventKind::AfterTool(done(name, args), ToolOutcome::Ran));
    }
    let args = args.ok_or_else(|| BadPayload::Missing("toolArgs".into()))?;
    Ok(EventKind::BeforeTool(tools::read(
        TOOLS,
        name,
        &unwrapped(args),
    )?))
}

fn done(name: &str, args: Option<&Value>) -> ToolCall {
    hook_shape::done(TOOLS, name, &args.map(unwrapped).unwrap_or_default())
}

/// Some versions send the arguments as JSON within a string.
fn unwrapped(args: &Value) -> Value {
    args.as_str()
        .and_then(|text| serde_json::from_str(text).ok())
        .filter(Value::is_object)
        .unwrap_or_else(|| args.clone())
}

/// In both forms: the command line client reads the top level, VS Code the part for the event.
fn reply(event: &AgentEvent, answer: &Answer) -> Reply {
    let out = match answer {
        Answer::Allow => json!({}),
        Answer::Deny(reason) => denial(reason),
        Answer::Tell(text) => tell(&event.kind, text),
        Answer::GoOn(reason) => json!({"decision": "block", "reason": reason}),
    };
    Reply::json(&out)
}

fn denial(reason: &str) -> Value {
    json!({
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        },
    })
}

fn tell(kind: &EventKind, text: &str) -> Value {
    let mut out = json!({"additionalContext": text});
    if let Some(name) = claude_code::event_name(kind) {
        out["hookSpecificOutput"] = json!({"hookEventName": name, "additionalContext": text});
    }
    out
}

/// A denial of something that could not be read: an exit status would lose the reason.
fn refusal(reason: &str) -> Reply {
    Reply::json(&denial(reason))
}

/// The folders of a list are trusted, with all that is in them.
fn trust(looked: &Trusting<'_>) -> Trust {
    if looked.scope == Scope::Global {
        return Trust::NotNeeded;
    }
    let config = looked.json_of_person("config.json").unwrap_or_default();
    let lists = ["trustedFolders", "trusted_folders"].map(|key| config[key].as_array().cloned());
    let trusted = lists.into_iter().flatten().flatten().any(|folder| {
        folder
            .as_str()
            .is_some_and(|folder| looked.places.root.starts_with(folder))
    });
    if trusted {
        Trust::Given
    } else {
        Trust::Missing
    }
}
