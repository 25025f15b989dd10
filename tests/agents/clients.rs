//! How each client is started without an account, and what its tools are called.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::model::Call;
use crate::support::Repo;

/// What the model wants to do, whichever client it runs in.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Read(&'static str),
    Write(&'static str, &'static str),
    /// A file, the text that goes, the text that comes.
    Edit(&'static str, &'static str, &'static str),
    Shell(String),
    /// A tool of our own.
    Own(&'static str),
}

/// A client, and how it is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Client {
    OpenCode,
    ClaudeCode,
    Codex,
    Gemini,
    Copilot,
    QwenCode,
    Pi,
}

impl Client {
    pub(super) fn program(self) -> &'static str {
        match self {
            Client::OpenCode => "opencode",
            Client::ClaudeCode => "claude",
            Client::Codex => "codex",
            Client::Gemini => "gemini",
            Client::Copilot => "copilot",
            Client::QwenCode => "qwen",
            Client::Pi => "pi",
        }
    }

    /// The file that `git tcr install` puts its hooks into.
    pub(super) fn settings(self) -> &'static str {
        match self {
            Client::OpenCode => ".opencode/plugins/git-tcr.ts",
            Client::ClaudeCode => ".claude/settings.local.json",
            Client::Codex => ".codex/hooks.json",
            Client::Gemini => ".gemini/settings.json",
            Client::Copilot => ".github/hooks/git-tcr.json",
            Client::QwenCode => ".qwen/settings.json",
            Client::Pi => ".pi/extensions/git-tcr.ts",
        }
    }

    /// A settings file that a person had before, which has to be the same in the end.
    pub(super) fn earlier_settings(self) -> Option<&'static str> {
        match self {
            Client::ClaudeCode => {
                Some("{\n  \"permissions\": {\"allow\": [\"Write\", \"Edit\", \"Bash\"]}\n}\n")
            }
            Client::Gemini => Some("{ \"ui\": {\"hideTips\": true} }\n"),
            // Without the version of their form it rewrites them when it starts.
            Client::QwenCode => Some("{ \"$version\": 4, \"ui\": {\"hideTips\": true} }\n"),
            Client::OpenCode | Client::Codex | Client::Copilot | Client::Pi => None,
        }
    }

    /// The call that makes a step.
    pub(super) fn call(self, step: &Step, root: &Path) -> Call {
        let at = |path: &str| root.join(path).display().to_string();
        match self {
            Client::OpenCode => match step {
                Step::Read(path) => call("read", json!({"filePath": at(path)})),
                Step::Write(path, text) => {
                    call("write", json!({"filePath": at(path), "content": text}))
                }
                Step::Edit(path, old, new) => call(
                    "edit",
                    json!({"filePath": at(path), "oldString": old, "newString": new}),
                ),
                Step::Shell(line) => {
                    call("bash", json!({"command": line, "description": "a command"}))
                }
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::ClaudeCode => match step {
                Step::Read(path) => call("Read", json!({"file_path": at(path)})),
                Step::Write(path, text) => {
                    call("Write", json!({"file_path": at(path), "content": text}))
                }
                Step::Edit(path, old, new) => call(
                    "Edit",
                    json!({"file_path": at(path), "old_string": old, "new_string": new}),
                ),
                Step::Shell(line) => {
                    call("Bash", json!({"command": line, "description": "a command"}))
                }
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::Codex => match step {
                Step::Read(path) => call("exec_command", json!({"cmd": format!("cat {path}")})),
                Step::Write(path, text) => call("apply_patch", patch_to_add(path, text)),
                Step::Edit(path, old, new) => call("apply_patch", patch_to_edit(path, old, new)),
                Step::Shell(line) => call("exec_command", json!({"cmd": line})),
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::Gemini => match step {
                Step::Read(path) => call("read_file", json!({"file_path": at(path)})),
                Step::Write(path, text) => call(
                    "write_file",
                    json!({"file_path": at(path), "content": text}),
                ),
                Step::Edit(path, old, new) => call(
                    "replace",
                    json!({"file_path": at(path), "instruction": "-", "old_string": old, "new_string": new}),
                ),
                Step::Shell(line) => call(
                    "run_shell_command",
                    json!({"command": line, "description": "a command"}),
                ),
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::Pi => match step {
                Step::Read(path) => call("read", json!({"path": at(path)})),
                Step::Write(path, text) => {
                    call("write", json!({"path": at(path), "content": text}))
                }
                Step::Edit(path, old, new) => call(
                    "edit",
                    json!({"path": at(path), "edits": [{"oldText": old, "newText": new}]}),
                ),
                Step::Shell(line) => call("bash", json!({"command": line})),
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::QwenCode => match step {
                Step::Read(path) => call("read_file", json!({"file_path": at(path)})),
                Step::Write(path, text) => call(
                    "write_file",
                    json!({"file_path": at(path), "content": text}),
                ),
                Step::Edit(path, old, new) => call(
                    "edit",
                    json!({"file_path": at(path), "old_string": old, "new_string": new}),
                ),
                Step::Shell(line) => call(
                    "run_shell_command",
                    json!({"command": line, "description": "a command", "is_background": false}),
                ),
                Step::Own(tool) => call(tool, json!({})),
            },
            Client::Copilot => match step {
                Step::Read(path) => call("view", json!({"path": at(path)})),
                Step::Write(path, text) => {
                    call("create", json!({"path": at(path), "file_text": text}))
                }
                Step::Edit(path, old, new) => call(
                    "edit",
                    json!({"path": at(path), "old_str": old, "new_str": new}),
                ),
                Step::Shell(line) => {
                    call("bash", json!({"command": line, "description": "a command"}))
                }
                Step::Own(tool) => call(tool, json!({})),
            },
        }
    }

    /// Points the client at the scripted model, and trusts the folder as a person would have to.
    pub(super) fn set_up(self, repo: &Repo, port: u16) {
        let home = repo.around().join("home");
        let put = |path: &str, text: String| {
            let path = home.join(path);
            std::fs::create_dir_all(path.parent().expect("below the home")).expect("folders");
            std::fs::write(path, text).expect("a file");
        };
        let root = repo.root().display();
        match self {
            Client::OpenCode => put(
                ".config/opencode/opencode.json",
                opencode_config(port).to_string(),
            ),
            Client::ClaudeCode | Client::QwenCode => {}
            Client::Pi => put(
                ".pi/agent/models.json",
                json!({"providers": {"scripted": {
                    "baseUrl": format!("http://127.0.0.1:{port}/v1"), "apiKey": "x",
                    "api": "openai-completions", "models": [{"id": "scripted"}],
                }}})
                .to_string(),
            ),
            Client::Codex => put(
                ".codex/config.toml",
                format!(
                    "model = \"gpt-5.5\"\nmodel_provider = \"scripted\"\napproval_policy = \"never\"\n\
                     sandbox_mode = \"danger-full-access\"\ncheck_for_update_on_startup = false\n\
                     [analytics]\nenabled = false\n\
                     [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n\
                     wire_api = \"responses\"\nrequires_openai_auth = false\nrequest_max_retries = 0\n\
                     [projects.\"{root}\"]\ntrust_level = \"trusted\"\n"
                ),
            ),
            Client::Gemini => {
                put(
                    ".gemini/settings.json",
                    json!({
                        "security": {"auth": {"selectedType": "gemini-api-key"}},
                        "telemetry": {"enabled": false}, "privacy": {"usageStatisticsEnabled": false},
                        "general": {"enableAutoUpdate": false},
                    })
                    .to_string(),
                );
                let folders = json!({ root.to_string(): "TRUST_FOLDER" });
                put(".gemini/trustedFolders.json", folders.to_string());
            }
            Client::Copilot => put(
                ".copilot/config.json",
                json!({"trustedFolders": [root.to_string()]}).to_string(),
            ),
        }
    }

    /// The arguments and variables of a turn without a screen.
    pub(super) fn arrange(self, command: &mut Command, port: u16) {
        let here = format!("http://127.0.0.1:{port}");
        match self {
            Client::OpenCode => command
                .args(["run", "go on"])
                .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
                .env("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            Client::ClaudeCode => command
                .args([
                    "-p",
                    "--model",
                    "scripted",
                    "--permission-mode",
                    "acceptEdits",
                ])
                .args(["--allowedTools=Read,Write,Edit,Bash", "go on"])
                .env("ANTHROPIC_BASE_URL", here)
                .env("ANTHROPIC_API_KEY", "x")
                .env("DISABLE_AUTOUPDATER", "1")
                .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            // The hooks are ours, and nobody is there to approve them.
            Client::Codex => command.args(["exec", "--dangerously-bypass-hook-trust", "go on"]),
            Client::Gemini => command
                .args([
                    "-m",
                    "gemini-2.5-flash",
                    "--approval-mode",
                    "yolo",
                    "-p",
                    "go on",
                ])
                .env("GEMINI_API_KEY", "x")
                .env("GOOGLE_GEMINI_BASE_URL", here),
            Client::Pi => command
                .args([
                    "--provider",
                    "scripted",
                    "--model",
                    "scripted",
                    "-p",
                    "go on",
                ])
                .env("PI_OFFLINE", "1"),
            Client::QwenCode => command
                .args(["--auth-type", "openai", "--approval-mode", "yolo"])
                .args(["-p", "go on"])
                .env("OPENAI_API_KEY", "x")
                .env("OPENAI_BASE_URL", format!("{here}/v1"))
                .env("OPENAI_MODEL", "scripted"),
            Client::Copilot => command
                .args(["--allow-all-tools", "--no-color", "-p", "go on"])
                .env("COPILOT_OFFLINE", "true")
                .env("COPILOT_AUTO_UPDATE", "false")
                .env("COPILOT_PROVIDER_BASE_URL", format!("{here}/v1"))
                .env("COPILOT_PROVIDER_API_KEY", "x")
                .env("COPILOT_MODEL", "scripted"),
        };
    }
}

fn call(tool: &'static str, args: Value) -> Call {
    Call { tool, args }
}

fn patch_to_add(path: &str, text: &str) -> Value {
    let added: String = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch").into()
}

fn patch_to_edit(path: &str, old: &str, new: &str) -> Value {
    let marked = |mark: char, text: &str| -> String {
        text.lines().map(|line| format!("{mark}{line}\n")).collect()
    };
    let (gone, come) = (marked('-', old), marked('+', new));
    format!("*** Begin Patch\n*** Update File: {path}\n@@\n{gone}{come}*** End Patch").into()
}

fn opencode_config(port: u16) -> Value {
    json!({
        "autoupdate": false, "share": "disabled", "permission": {"*": "allow"},
        "model": "scripted/scripted", "small_model": "scripted/scripted",
        "enabled_providers": ["scripted"],
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible", "name": "Scripted",
            "options": {"baseURL": format!("http://127.0.0.1:{port}/v1"), "apiKey": "x"},
            "models": {"scripted": {"name": "scripted", "tool_call": true,
                "limit": {"context": 100_000, "output": 4_000}}},
        }},
    })
}
