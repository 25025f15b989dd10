//! OpenCode: our plugin passes on what its hooks are given, and obeys the reply.
//!
//! A message is `{"hook": NAME, "input": …, "output": …}` for a hook with two arguments, or
//! `{"hook": "event", "event": …}`, with `directory`, and `parent` and `agent` where the plugin
//! knows them. A reply is `{"deny": REASON}`, `{"tell": TEXT}`, each with `person`, or `{}`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::event::{AgentEvent, EventKind, SELF_TEST, ToolOutcome};
use super::hook_shape::{self, owned};
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Hooks, Profile};
use super::roles::Roles;
use super::tools::{self, Kind, Vocabulary};
use super::{Answer, Client, Reply};

const PROFILE: Profile = Profile {
    name: "opencode",
    title: "OpenCode",
    tried: Some("1.18.33"),
    parse,
    reply: |_, answer, to_person| reply(answer, to_person),
    refusal: |reason| reply(&Answer::Deny(reason.into()), None),
    write_call: |root, path, content| {
        json!({
            "hook": "tool.execute.before", "directory": root,
            "input": {"tool": "write", "sessionID": SELF_TEST, "callID": SELF_TEST},
            "output": {"args": {"filePath": path, "content": content}},
        })
    },
    tells_agents_apart: true,
    programs: &["opencode"],
    signs: &[".opencode", "opencode.json", "opencode.jsonc"],
    marks: &["OPENCODE"],
    variables: &["OPENCODE_*"],
    shared_file: ".opencode/plugins/git-tcr.ts",
    user_folder: UserFolder {
        variable: Some("XDG_CONFIG_HOME"),
        below: "opencode",
        otherwise: ".config/opencode",
    },
    user_file: "plugins/git-tcr.ts",
    hooks: Hooks::Plugin(include_str!("../../hooks-templates/opencode.ts")),
    roles: Some(Roles {
        folder: ".opencode",
        front: |_, about| format!("description: \"{about}\"\nmode: subagent"),
    }),
    options_past_hooks: &["--pure"],
    variables_past_hooks: &[
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_CONFIG_CONTENT",
    ],
    protected: &[
        ".opencode/agents/tcr-coder.md",
        ".opencode/agents/tcr-planner.md",
        ".opencode/agents/tcr-test-author.md",
        ".opencode/agents/tcr-validator.md",
        ".opencode/commands/tcr.md",
        ".opencode/opencode.json",
        ".opencode/opencode.jsonc",
        ".opencode/plugin/",
        ".opencode/plugins/",
        "opencode.json",
        "opencode.jsonc",
    ],
    guarded: &[".config/opencode/plugins/", ".config/opencode/plugin/"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write"),
    (Kind::Edit, "edit"),
    (Kind::MultiEdit, "multiedit"),
    (Kind::Patch, "apply_patch patch"),
    (Kind::Shell, "bash"),
    (
        Kind::Reading,
        "codesearch glob grep invalid list lsp plan_enter plan_exit question read skill \
         task tcr_run tcr_squash tcr_status todoread todowrite webfetch websearch",
    ),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
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
        client: CLIENT,
        hooks_of: CLIENT,
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

fn reply(answer: &Answer, to_person: Option<&str>) -> Reply {
    let mut out = match answer {
        Answer::Allow => json!({}),
        Answer::Deny(reason) => json!({"deny": reason}),
        // A turn can't be made to go on: the model reads it with the next prompt.
        Answer::Tell(text) | Answer::GoOn(text) => json!({"tell": text}),
    };
    if let Some(text) = to_person {
        out["person"] = text.into();
    }
    Reply::any_json(&out)
}
