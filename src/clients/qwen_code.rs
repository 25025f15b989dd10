//! Qwen Code: a relative of Gemini CLI by its tools, of Claude Code by its messages.

use super::event::AgentEvent;
use super::hook_shape::{self, Moment};
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Entries, Hooks, Profile};
use super::settings::dialect::Foreign;
use super::tools::{Kind, Vocabulary};
use super::{Client, gemini};

const PROFILE: Profile = Profile {
    name: "qwen-code",
    title: "Qwen Code",
    tried: Some("0.24.4"),
    parse,
    write_call: |root, path, content| {
        let input = serde_json::json!({"file_path": path, "content": content});
        hook_shape::write_call(root, "PreToolUse", "write_file", &input)
    },
    tells_agents_apart: true,
    programs: &["qwen"],
    signs: &[".qwen", "QWEN.md"],
    marks: &["QWEN_CODE"],
    variables: &["QWEN_CODE_*"],
    shared_file: ".qwen/settings.json",
    user_folder: UserFolder::named("QWEN_HOME", ".qwen"),
    user_file: "settings.json",
    hooks: Hooks::Entries(Entries {
        root: "${QWEN_PROJECT_DIR:-.}",
        ..Entries::of(include_str!("../../hooks-templates/qwen-code.json"))
    }),
    switches: &[("/disableAllHooks", true)],
    not_read: &[Foreign::TrailingComma, Foreign::ByteOrderMark],
    trust: |looked| gemini::trust_in_folders(looked, false),
    how_to_trust: "start `qwen` here and trust the folder, or enter `/permissions trust`",
    options_past_hooks: &["--bare", "--safe-mode"],
    variables_past_hooks: &["QWEN_HOME", "QWEN_CODE_SYSTEM_SETTINGS_PATH"],
    protected: &[".qwen/hooks/", ".qwen/settings.json"],
    guarded: &[".qwen/settings.json", ".qwen/trustedFolders.json"],
    ..Profile::PLAIN
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write_file"),
    (Kind::Edit, "edit replace"),
    (Kind::Notebook, "notebook_edit"),
    (Kind::Shell, "run_shell_command monitor"),
    (
        Kind::Reading,
        "agent ask_user_question cron_create cron_delete cron_list enter_plan_mode \
         exit_plan_mode get_goal glob grep_search list_agents list_directory loop_wakeup \
         lsp propose_goal read_file read_mcp_resource report_findings send_message skill \
         structured_output task_create task_list task_stop task_update todo_write \
         tool_search update_goal web_fetch web_search zoom_image",
    ),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let moment = match hook_shape::moment(fields.needed_text("hook_event_name")?) {
        Moment::Prompt if !is_of_person(fields)? => Moment::Other("continuation".into()),
        moment => moment,
    };
    hook_shape::read(CLIENT, fields, moment, TOOLS)
}

/// After each tool call there is a prompt of the client itself; what a person entered comes along as
/// such, in versions that number prompts.
fn is_of_person(fields: Fields<'_>) -> Result<bool, BadPayload> {
    let field = match fields.has("prompt_id") {
        true => "submitted_prompt",
        false => "prompt",
    };
    Ok(fields.filled(field)?.is_some())
}
