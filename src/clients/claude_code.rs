//! Claude Code; its hook files are run by Copilot and Cursor too.

use serde_json::json;

use super::event::{AgentEvent, EventKind, ToolOutcome};
use super::hook_shape::{self, Moment};
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Entries, Hooks, Profile};
use super::roles::Roles;
use super::settings::dialect::Foreign;
use super::tools::{Kind, Vocabulary};
use super::{Answer, Client, Reply, copilot, cursor};

const PROFILE: Profile = Profile {
    name: "claude-code",
    title: "Claude Code",
    tried: Some("2.1.325"),
    parse,
    tells_agents_apart: true,
    programs: &["claude"],
    signs: &[".claude", "CLAUDE.md"],
    marks: &["CLAUDECODE"],
    variables: &["CLAUDE_CODE", "CLAUDE_CODE_*"],
    personal_file: Some(".claude/settings.local.json"),
    shared_file: ".claude/settings.json",
    user_folder: UserFolder::named("CLAUDE_CONFIG_DIR", ".claude"),
    user_file: "settings.json",
    hooks: Hooks::Entries(Entries {
        root: "${CLAUDE_PROJECT_DIR:-.}",
        ..Entries::of(include_str!("../../hooks-templates/claude-code.json"))
    }),
    roles: Some(Roles {
        folder: ".claude",
        front,
    }),
    switches: &[("/disableAllHooks", true)],
    not_read: &[Foreign::Comment, Foreign::TrailingComma],
    options_past_hooks: &[
        "--settings",
        "--setting-sources",
        "--bare",
        "--safe-mode",
        "--plugin-dir",
    ],
    variables_past_hooks: &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE"],
    protected: &[
        ".claude/agents/tcr-coder.md",
        ".claude/agents/tcr-planner.md",
        ".claude/agents/tcr-test-author.md",
        ".claude/agents/tcr-validator.md",
        ".claude/commands/tcr.md",
        ".claude/hooks/",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ],
    guarded: &[".claude/settings.json", ".claude/settings.local.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

/// `MultiEdit`, `LS`, `NotebookRead`, `TodoRead` and `KillBash` are of earlier versions.
const TOOLS: Vocabulary = &[
    (Kind::Write, "write"),
    (Kind::Edit, "edit"),
    (Kind::MultiEdit, "multiedit"),
    (Kind::Notebook, "notebookedit"),
    (Kind::Patch, "apply_patch"),
    (Kind::Shell, "bash monitor powershell"),
    (
        Kind::Reading,
        "agent askuserquestion bashoutput croncreate crondelete cronlist enterplanmode \
         exitplanmode glob grep killbash killshell listmcpresourcestool ls lsp notebookread \
         pushnotification read readmcpresourcedirtool readmcpresourcetool schedulewakeup \
         sendmessage sendusermessage skill slashcommand structuredoutput task taskcreate \
         taskget tasklist taskoutput taskstop taskupdate todoread todowrite toolsearch \
         webfetch websearch",
    ),
];

const NOTICES: &[&str] = &[
    "<task-notification>",
    "<teammate-message",
    "<channel",
    "<system-reminder>",
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    if cursor::is_author(fields) {
        return cursor::parse(fields);
    }
    if copilot::is_author(fields) {
        return copilot::parse(fields);
    }
    let moment = match hook_shape::moment(fields.needed_text("hook_event_name")?) {
        Moment::Prompt if is_notice(fields)? => Moment::Other("notice".into()),
        moment => moment,
    };
    hook_shape::read(CLIENT, fields, moment, TOOLS)
}

/// Whether a prompt comes from the client itself, such as word of a task in the background.
fn is_notice(fields: Fields<'_>) -> Result<bool, BadPayload> {
    let prompt = fields.text("prompt")?.unwrap_or_default().trim_start();
    Ok(NOTICES.iter().any(|tag| prompt.starts_with(tag)))
}

/// Codex answers in the same words.
pub(super) fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        Answer::Allow => json!({}),
        Answer::Deny(reason) => match &event.kind {
            EventKind::BeforeTool(_) => json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }}),
            _ => return Reply::refusal(reason),
        },
        Answer::Tell(text) => match event_name(&event.kind) {
            Some(name) => json!({"hookSpecificOutput": {
                "hookEventName": name,
                "additionalContext": text,
            }}),
            None => json!({"systemMessage": text}),
        },
        Answer::GoOn(reason) => json!({"decision": "block", "reason": reason}),
    };
    if let Some(text) = to_person {
        out["systemMessage"] = text.into();
    }
    Reply::json(&out)
}

/// The events that take context for the model.
pub(super) fn event_name(kind: &EventKind) -> Option<&'static str> {
    match kind {
        EventKind::BeforeTool(_) => Some("PreToolUse"),
        EventKind::AfterTool(_, ToolOutcome::Ran) => Some("PostToolUse"),
        EventKind::AfterTool(_, ToolOutcome::Failed(_)) => Some("PostToolUseFailure"),
        EventKind::SessionStart => Some("SessionStart"),
        EventKind::Prompt => Some("UserPromptSubmit"),
        EventKind::SubagentStart => Some("SubagentStart"),
        EventKind::TurnEnd { .. }
        | EventKind::SubagentEnd
        | EventKind::SessionEnd
        | EventKind::Other(_) => None,
    }
}

/// What is said of a role at the top of its file.
fn front(name: &str, about: &str) -> String {
    let tools = match name {
        "validator" => "Read, Grep, Glob, Bash",
        _ => "Read, Grep, Glob, Bash, Write, Edit",
    };
    format!("name: tcr-{name}\ndescription: \"{about}\"\ntools: {tools}")
}
