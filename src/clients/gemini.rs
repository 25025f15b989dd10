//! Gemini CLI.

use std::path::Path;

use serde_json::json;

use super::event::{AgentEvent, EventKind, ToolOutcome};
use super::hook_shape::{self, Moment};
use super::payload::{BadPayload, Fields};
use super::places::{Scope, UserFolder};
use super::profile::{Entries, Hooks, Profile, Trust, Trusting};
use super::settings::dialect::Foreign;
use super::tools::{Kind, Vocabulary};
use super::{Answer, Client, Reply};

const PROFILE: Profile = Profile {
    name: "gemini",
    title: "Gemini CLI",
    tried: Some("0.61.0"),
    parse,
    reply,
    write_call: |root, path, content| {
        let input = json!({"file_path": path, "content": content});
        hook_shape::write_call(root, "BeforeTool", "write_file", &input)
    },
    programs: &["gemini"],
    signs: &[".gemini", "GEMINI.md"],
    marks: &["GEMINI_CLI"],
    shared_file: ".gemini/settings.json",
    user_folder: UserFolder {
        variable: Some("GEMINI_CLI_HOME"),
        below: ".gemini",
        otherwise: ".gemini",
    },
    user_file: "settings.json",
    hooks: Hooks::Entries(Entries {
        second: 1000,
        root: "${GEMINI_PROJECT_DIR:-.}",
        ..Entries::of(include_str!("../../hooks-templates/gemini.json"))
    }),
    switches: &[
        ("/hooksConfig/enabled", false),
        ("/hooks/enabled", false),
        ("/tools/enableHooks", false),
    ],
    not_read: &[Foreign::TrailingComma, Foreign::ByteOrderMark],
    trust: |looked| trust_in_folders(looked, true),
    how_to_trust: "start `gemini` here and trust the folder, or enter `/permissions trust`",
    variables_past_hooks: &["GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
    protected: &[".gemini/hooks/", ".gemini/settings.json"],
    guarded: &[".gemini/settings.json", ".gemini/trustedFolders.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write_file"),
    (Kind::Edit, "replace edit"),
    (Kind::Shell, "run_shell_command"),
    (
        Kind::Reading,
        "activate_skill ask_user cli_help codebase_investigator complete_task \
         delegate_to_agent enter_plan_mode exit_plan_mode get_internal_docs glob \
         google_web_search grep_search invoke_agent list_background_processes \
         list_directory list_mcp_resources read_background_output read_file read_many_files \
         read_mcp_resource search_file_content update_topic web_fetch write_todos",
    ),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let moment = match fields.needed_text("hook_event_name")? {
        "BeforeTool" => Moment::BeforeTool,
        "AfterTool" => Moment::AfterTool,
        "SessionStart" => Moment::SessionStart,
        "BeforeAgent" => Moment::Prompt,
        "AfterAgent" => Moment::TurnEnd,
        "SessionEnd" => Moment::SessionEnd,
        other => Moment::Other(other.into()),
    };
    hook_shape::read(CLIENT, fields, moment, TOOLS)
}

fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
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

/// Folders are trusted, one by one or with all that is around them, where the person asks for that or
/// else by default.
pub(super) fn trust_in_folders(looked: &Trusting<'_>, by_default: bool) -> Trust {
    let asked = looked
        .json_of_person("settings.json")
        .and_then(|settings| settings.pointer("/security/folderTrust/enabled")?.as_bool())
        .unwrap_or(by_default);
    if !asked || looked.scope == Scope::Global {
        return Trust::NotNeeded;
    }
    let root = looked.places.root;
    let rules = looked.json_of_person("trustedFolders.json");
    let rules = rules.unwrap_or_default();
    let rules = rules.as_object().into_iter().flatten();
    let mut trust = Trust::Missing;
    for (folder, rule) in rules {
        let folder = Path::new(folder);
        match rule.as_str() {
            Some("DO_NOT_TRUST") if folder == root => return Trust::Missing,
            Some("TRUST_FOLDER") if root.starts_with(folder) => trust = Trust::Given,
            Some("TRUST_PARENT")
                if folder.parent().is_some_and(|above| root.starts_with(above)) =>
            {
                trust = Trust::Given;
            }
            _ => {}
        }
    }
    trust
}
