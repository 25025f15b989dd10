use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::event::EventKind::{self, AfterTool, BeforeTool};
use super::event::{Edit, ToolCall, ToolOutcome};
use super::*;

fn fixture(client: Client) -> Map<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/agents");
    let text = std::fs::read_to_string(folder.join(format!("{client}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn captured(client: Client) -> Map<String, Value> {
    let fixture = fixture(client).into_iter();
    fixture
        .map(|(name, entry)| {
            let payload = match entry.get("means") {
                Some(_) => entry["payload"].clone(),
                None if client == opencode::CLIENT => as_plugin_sends(&name, entry),
                None => entry,
            };
            (name, payload)
        })
        .collect()
}

/// A fixture may say of each payload what it means: then nothing else has to.
#[test]
fn payloads_mean_what_their_fixture_says() {
    let mut seen = 0;
    for client in Client::callers() {
        for (name, entry) in fixture(client) {
            let Some(means) = entry.get("means") else {
                continue;
            };
            let event = read(client, &entry["payload"]).map(|event| event.kind);
            let found = event.map_or_else(|why| format!("{why}"), |kind| format!("{kind:?}"));
            assert_eq!(Value::from(found), *means, "{client} {name}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// What the plugin makes of the arguments its hook is given.
fn as_plugin_sends(name: &str, given: Value) -> Value {
    let hook = name.split('-').next().unwrap();
    if hook == "event" {
        let parent = given.pointer("/properties/info/parentID").cloned();
        return json!({"hook": "event", "event": given, "directory": "/repo", "parent": parent});
    }
    json!({"hook": hook, "input": given["input"], "output": given["output"], "directory": "/repo"})
}

fn event(client: Client, name: &str) -> AgentEvent {
    let payload = captured(client)
        .remove(name)
        .unwrap_or_else(|| panic!("no payload `{name}` of {client}"));
    read(client, &payload).unwrap()
}

fn read(client: Client, payload: &Value) -> Result<AgentEvent, BadPayload> {
    parse(client, payload.to_string().as_bytes())
}

fn write(path: &str, content: &str) -> ToolCall {
    ToolCall::Write {
        path: path.into(),
        content: content.into(),
    }
}

fn edit(path: &str, old: &str, new: &str) -> ToolCall {
    ToolCall::Edit {
        path: path.into(),
        edits: vec![Edit {
            old: old.into(),
            new: new.into(),
            all: false,
        }],
    }
}

fn shell(command: &str) -> ToolCall {
    ToolCall::Shell {
        command: command.into(),
        cwd: None,
    }
}

fn patch(text: &str) -> ToolCall {
    ToolCall::Patch { text: text.into() }
}

fn reading(name: &str) -> ToolCall {
    ToolCall::Reading { name: name.into() }
}

fn ran(call: ToolCall) -> EventKind {
    AfterTool(call, ToolOutcome::Ran)
}

fn failed(call: ToolCall, message: &str) -> EventKind {
    AfterTool(call, ToolOutcome::Failed(message.into()))
}

fn other(name: &str) -> EventKind {
    EventKind::Other(name.into())
}

const TURN_END: EventKind = EventKind::TurnEnd { again: false };

/// Every payload of a client is listed, so that none is forgotten.
fn expect_kinds(client: Client, expected: Vec<(&str, EventKind)>) {
    let names: Vec<String> = captured(client).keys().cloned().collect();
    let mut listed: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(listed, wanted, "{client}");
    for (name, kind) in expected {
        assert_eq!(event(client, name).kind, kind, "{client} {name}");
    }
}

#[test]
fn claude_code_payloads() {
    let hi = shell("echo hi; env | grep -iE '^(claude|ai_agent|agent)' | cut -d= -f1 | sort");
    expect_kinds(
        claude_code::CLIENT,
        vec![
            (
                "PreToolUse-Write",
                BeforeTool(write("/repo/a.txt", "alpha\n")),
            ),
            (
                "PreToolUse-Write-subagent",
                BeforeTool(write("/repo/sub.txt", "from sub\n")),
            ),
            (
                "PreToolUse-Edit",
                BeforeTool(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("PreToolUse-Bash", BeforeTool(hi.clone())),
            ("PreToolUse-Agent", BeforeTool(reading("Agent"))),
            ("PostToolUse-Write", ran(write("/repo/a.txt", "alpha\n"))),
            (
                "PostToolUse-Write-subagent",
                ran(write("/repo/sub.txt", "from sub\n")),
            ),
            (
                "PostToolUse-Edit",
                ran(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("PostToolUse-Bash", ran(hi)),
            ("PostToolUse-Agent", ran(reading("Agent"))),
            (
                "PostToolUseFailure-Bash",
                failed(shell("exit 3"), "Exit code 3"),
            ),
            ("PostToolBatch", other("PostToolBatch")),
            ("SessionStart", EventKind::SessionStart),
            ("SessionEnd", EventKind::SessionEnd),
            ("UserPromptSubmit", EventKind::Prompt),
            ("Stop", TURN_END),
            ("SubagentStart", EventKind::SubagentStart),
            ("SubagentStop", EventKind::SubagentEnd),
        ],
    );
}

#[test]
fn codex_payloads() {
    let hi = shell("echo hi; env | grep -i -E '^(codex|ai_agent|agent)' | cut -d= -f1 | sort");
    let two = patch(
        "*** Begin Patch\n*** Add File: p.txt\n+one\n*** Update File: seed.txt\n@@\n-hello\n+hello2\n*** End Patch",
    );
    let one = patch("*** Begin Patch\n*** Add File: n.txt\n+one\n*** End Patch");
    let sub = shell("echo fromsub > sub.txt");
    expect_kinds(
        codex::CLIENT,
        vec![
            ("PreToolUse-Bash", BeforeTool(hi.clone())),
            ("PreToolUse-Bash-codemode", BeforeTool(shell("echo nested"))),
            ("PreToolUse-Bash-subagent", BeforeTool(sub.clone())),
            ("PreToolUse-apply_patch", BeforeTool(two.clone())),
            ("PreToolUse-apply_patch-codemode", BeforeTool(one.clone())),
            (
                "PreToolUse-multi_agent_v1wait_agent",
                BeforeTool(reading("multi_agent_v1wait_agent")),
            ),
            ("PreToolUse-spawn_agent", BeforeTool(reading("spawn_agent"))),
            ("PostToolUse-Bash", ran(hi)),
            ("PostToolUse-Bash-codemode", ran(shell("echo nested"))),
            ("PostToolUse-Bash-subagent", ran(sub)),
            ("PostToolUse-apply_patch", ran(two)),
            ("PostToolUse-apply_patch-codemode", ran(one)),
            (
                "PostToolUse-multi_agent_v1wait_agent",
                ran(reading("multi_agent_v1wait_agent")),
            ),
            ("PostToolUse-spawn_agent", ran(reading("spawn_agent"))),
            ("SessionStart", EventKind::SessionStart),
            ("SessionStart-codemode", EventKind::SessionStart),
            ("SessionEnd", EventKind::SessionEnd),
            ("SessionEnd-codemode", EventKind::SessionEnd),
            ("UserPromptSubmit", EventKind::Prompt),
            ("UserPromptSubmit-codemode", EventKind::Prompt),
            ("Stop", TURN_END),
            ("Stop-codemode", TURN_END),
            ("SubagentStart", EventKind::SubagentStart),
            ("SubagentStop", EventKind::SubagentEnd),
        ],
    );
}

#[test]
fn gemini_payloads() {
    let hi = shell("echo hi; env | grep -iE '^(gemini|ai_agent|agent)' | cut -d= -f1 | sort");
    expect_kinds(
        gemini::CLIENT,
        vec![
            (
                "BeforeTool-write_file",
                BeforeTool(write("/repo/a.txt", "alpha\n")),
            ),
            (
                "BeforeTool-write_file-subagent",
                BeforeTool(write("/repo/sub.txt", "from sub\n")),
            ),
            (
                "BeforeTool-replace",
                BeforeTool(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("BeforeTool-run_shell_command", BeforeTool(hi.clone())),
            (
                "BeforeTool-invoke_agent",
                BeforeTool(reading("invoke_agent")),
            ),
            ("AfterTool-write_file", ran(write("/repo/a.txt", "alpha\n"))),
            (
                "AfterTool-write_file-subagent",
                ran(write("/repo/sub.txt", "from sub\n")),
            ),
            (
                "AfterTool-replace",
                ran(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("AfterTool-run_shell_command", ran(hi)),
            ("AfterTool-invoke_agent", ran(reading("invoke_agent"))),
            ("BeforeAgent", EventKind::Prompt),
            ("AfterAgent", TURN_END),
            ("SessionStart", EventKind::SessionStart),
            ("SessionEnd", EventKind::SessionEnd),
        ],
    );
}

#[test]
fn copilot_payloads() {
    let one = patch("*** Begin Patch\n*** Add File: p.txt\n+one\n*** End Patch");
    let expected = vec![
        (
            "PreToolUse-Write-claudestyle",
            BeforeTool(write("/repo/a.txt", "alpha\n")),
        ),
        (
            "PreToolUse-Edit-claudestyle",
            BeforeTool(edit("/repo/a.txt", "alpha", "beta")),
        ),
        ("PreToolUse-Bash-claudestyle", BeforeTool(shell("echo hi"))),
        (
            "PostToolUse-Write-claudestyle",
            ran(write("/repo/a.txt", "alpha\n")),
        ),
        (
            "PostToolUse-Edit-claudestyle",
            ran(edit("/repo/a.txt", "alpha", "beta")),
        ),
        ("PostToolUse-Bash-claudestyle", ran(shell("echo hi"))),
        ("SessionStart-claudestyle", EventKind::SessionStart),
        ("SessionEnd-claudestyle", EventKind::SessionEnd),
        ("UserPromptSubmit-claudestyle", EventKind::Prompt),
        ("Stop-claudestyle", TURN_END),
        (
            "preToolUse-create",
            BeforeTool(write("/repo/a.txt", "alpha\n")),
        ),
        (
            "preToolUse-create-subagent",
            BeforeTool(write("/repo/sub.txt", "from sub\n")),
        ),
        (
            "preToolUse-edit",
            BeforeTool(edit("/repo/a.txt", "alpha", "beta")),
        ),
        ("preToolUse-bash", BeforeTool(shell("echo POSTEXIT2"))),
        ("preToolUse-apply_patch", BeforeTool(one.clone())),
        ("preToolUse-task", BeforeTool(reading("task"))),
        ("postToolUse-create", ran(write("/repo/a.txt", "alpha\n"))),
        (
            "postToolUse-create-subagent",
            ran(write("/repo/sub.txt", "from sub\n")),
        ),
        (
            "postToolUse-edit",
            ran(edit("/repo/a.txt", "alpha", "beta")),
        ),
        ("postToolUse-bash", ran(shell("echo POSTEXIT2"))),
        ("postToolUse-apply_patch", ran(one)),
        ("postToolUse-task", ran(reading("task"))),
        (
            "postToolUseFailure-edit",
            failed(edit("/repo/a.txt", "nonexistent", "zz"), "No match found"),
        ),
        ("sessionStart", EventKind::SessionStart),
        ("sessionEnd", EventKind::SessionEnd),
        ("userPromptSubmitted", EventKind::Prompt),
        ("agentStop", EventKind::SubagentEnd),
        ("subagentStart", EventKind::SubagentStart),
        ("subagentStop", EventKind::SubagentEnd),
    ];
    expect_kinds(copilot::CLIENT, expected.clone());
    for (name, kind) in expected {
        if name.ends_with("claudestyle") {
            let payload = captured(copilot::CLIENT).remove(name).unwrap();
            let event = read(claude_code::CLIENT, &payload).unwrap();
            assert_eq!(
                (event.client, event.hooks_of),
                (copilot::CLIENT, claude_code::CLIENT)
            );
            assert_eq!(event.kind, kind, "{name}");
        }
    }
}

#[test]
fn cursor_payloads() {
    let mcp = ToolCall::Unknown {
        name: "MCP:write_file".into(),
        input: json!({"path": "/repo/a.txt", "content": "x"}),
    };
    let path_only = ToolCall::Unknown {
        name: "Write".into(),
        input: json!({"file_path": "/repo/a.txt"}),
    };
    let in_folder = |command: &str, cwd: &str| ToolCall::Shell {
        command: command.into(),
        cwd: Some(cwd.into()),
    };
    expect_kinds(
        cursor::CLIENT,
        vec![
            (
                "preToolUse-Shell",
                BeforeTool(in_folder("npm test", "/repo")),
            ),
            (
                "preToolUse-Write",
                BeforeTool(write("/repo/a.txt", "alpha\n")),
            ),
            ("preToolUse-Write-path-only", BeforeTool(path_only)),
            (
                "preToolUse-Delete",
                BeforeTool(ToolCall::Delete {
                    path: "/repo/a.txt".into(),
                }),
            ),
            (
                "beforeShellExecution",
                BeforeTool(in_folder("echo hi", "/repo/sub")),
            ),
            ("beforeMCPExecution", BeforeTool(mcp)),
            ("postToolUse-Write", ran(write("/repo/a.txt", "alpha\n"))),
            (
                "postToolUseFailure-Shell",
                failed(shell("exit 3"), "Exit code 3"),
            ),
            ("afterFileEdit", ran(edit("/repo/a.txt", "alpha", "beta"))),
            ("sessionStart", EventKind::SessionStart),
            ("beforeSubmitPrompt", EventKind::Prompt),
            ("stop", TURN_END),
            ("stop-again", EventKind::TurnEnd { again: true }),
            ("subagentStop", EventKind::SubagentEnd),
        ],
    );
    let payload = captured(cursor::CLIENT).remove("preToolUse-Write").unwrap();
    let event = read(claude_code::CLIENT, &payload).unwrap();
    assert_eq!(
        (event.client, event.hooks_of),
        (cursor::CLIENT, claude_code::CLIENT)
    );
    assert_eq!(
        event.cwd,
        Some(PathBuf::from("/repo")),
        "an empty folder is none"
    );
}

#[test]
fn opencode_payloads() {
    let hi = shell("echo hi $TCR_SESSION; env | grep -i -E 'opencode|agent|session' | sort");
    let two = patch(
        "*** Begin Patch\n*** Add File: p.txt\n+one\n+two\n*** Update File: seed.txt\n@@\n-hello\n+hello2\n*** End Patch",
    );
    let denied = patch("*** Begin Patch\n*** Add File: pd.txt\n+DENYME\n*** End Patch");
    expect_kinds(
        opencode::CLIENT,
        vec![
            (
                "tool.execute.before-write",
                BeforeTool(write("/repo/a.txt", "alpha\n")),
            ),
            (
                "tool.execute.before-write-denied",
                BeforeTool(write("/repo/deny.txt", "DENYME\n")),
            ),
            (
                "tool.execute.before-edit",
                BeforeTool(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("tool.execute.before-bash", BeforeTool(hi.clone())),
            ("tool.execute.before-apply_patch", BeforeTool(two.clone())),
            ("tool.execute.before-apply_patch-denied", BeforeTool(denied)),
            ("tool.execute.before-task", BeforeTool(reading("task"))),
            (
                "tool.execute.after-write",
                ran(write("/repo/a.txt", "alpha\n")),
            ),
            (
                "tool.execute.after-edit",
                ran(edit("/repo/a.txt", "alpha", "beta")),
            ),
            ("tool.execute.after-bash", ran(hi)),
            ("tool.execute.after-apply_patch", ran(two)),
            ("tool.execute.after-task", ran(reading("task"))),
            ("chat.message", EventKind::Prompt),
            ("event-session.created", EventKind::SessionStart),
            ("event-session.created-subagent", EventKind::SubagentStart),
            ("event-session.idle", TURN_END),
            ("event-session.status", other("session.status")),
            ("dispose", other("dispose")),
            ("init", other("init")),
            ("shell.env", other("shell.env")),
        ],
    );
}

#[test]
fn who_acts_where() {
    let cases = [
        (
            claude_code::CLIENT,
            "PreToolUse-Write-subagent",
            "3ab8b654-47d0-4c64-bc26-5a25b38e36d9",
            Some("a0b16729390077320"),
            Some("general-purpose"),
            Some("toolu_16_0"),
        ),
        (
            claude_code::CLIENT,
            "PreToolUse-Write",
            "3ab8b654-47d0-4c64-bc26-5a25b38e36d9",
            None,
            None,
            Some("toolu_1_0"),
        ),
        (
            codex::CLIENT,
            "PreToolUse-Bash-subagent",
            "01a1e206-2290-7f62-b353-d3b0f5681b88",
            Some("01a1e206-2582-7770-aa1a-51b1184fe5f3"),
            Some("default"),
            Some("call_3_0"),
        ),
        (
            gemini::CLIENT,
            "BeforeTool-write_file",
            "1dd25c4a-9784-4fe0-badb-04cd100d724d",
            None,
            None,
            None,
        ),
        (
            copilot::CLIENT,
            "preToolUse-create-subagent",
            "b9909052-cfd3-4a94-b3fb-160cd3d81da3",
            Some("bb4916ff-194d-4c11-8426-2d1eaea8ea49"),
            Some("general-purpose"),
            None,
        ),
        (
            copilot::CLIENT,
            "preToolUse-create",
            "b9909052-cfd3-4a94-b3fb-160cd3d81da3",
            None,
            None,
            None,
        ),
        (
            opencode::CLIENT,
            "tool.execute.before-write",
            "ses_e1e054401ffeW9l6LCH9mY4CsP",
            None,
            None,
            Some("call_2_0"),
        ),
        (
            opencode::CLIENT,
            "event-session.created-subagent",
            "ses_e1e054401ffeW9l6LCH9mY4CsP",
            Some("ses_e1e0526efffeW2mN4sHDTmuuas"),
            None,
            None,
        ),
        (
            cursor::CLIENT,
            "preToolUse-Shell",
            "c1",
            None,
            None,
            Some("t1"),
        ),
    ];
    for (client, name, session, agent, agent_type, call) in cases {
        let event = event(client, name);
        let found = (
            event.session.as_deref(),
            event.agent.as_deref(),
            event.agent_type.as_deref(),
            event.call.as_deref(),
            event.cwd,
        );
        let wanted = (
            Some(session),
            agent,
            agent_type,
            call,
            Some(PathBuf::from("/repo")),
        );
        assert_eq!(found, wanted, "{client} {name}");
    }
}

/// A prompt, or the end of a turn, is a person's only if no sub-agent is named.
#[test]
fn subagents_are_no_persons() {
    let payload = |hook: &str, kind: &str| match hook {
        "event" => {
            json!({"hook": "event", "event": {"type": kind, "properties": {"sessionID": "c"}}, "parent": "p"})
        }
        _ => json!({"hook": hook, "input": {"sessionID": "c"}, "parent": "p"}),
    };
    let cases = [
        (
            opencode::CLIENT,
            payload("chat.message", ""),
            EventKind::SubagentStart,
        ),
        (
            opencode::CLIENT,
            payload("event", "session.created"),
            EventKind::SubagentStart,
        ),
        (
            opencode::CLIENT,
            payload("event", "session.idle"),
            EventKind::SubagentEnd,
        ),
        (
            claude_code::CLIENT,
            json!({"hook_event_name": "UserPromptSubmit", "agent_id": "a"}),
            EventKind::SubagentStart,
        ),
        (
            claude_code::CLIENT,
            json!({"hook_event_name": "Stop", "agent_id": "a"}),
            EventKind::SubagentEnd,
        ),
        (
            copilot::CLIENT,
            json!({"prompt": "go", "agentId": "a"}),
            EventKind::SubagentStart,
        ),
    ];
    for (client, payload, wanted) in cases {
        assert_eq!(
            read(client, &payload).unwrap().kind,
            wanted,
            "{client} {payload}"
        );
    }
}

#[test]
fn a_notice_of_the_client_is_no_prompt() {
    let prompt = |text: &str| json!({"hook_event_name": "UserPromptSubmit", "prompt": text});
    let kind = |text: &str| read(claude_code::CLIENT, &prompt(text)).unwrap().kind;
    assert_eq!(
        kind("<task-notification>\n<task-id>a</task-id>"),
        other("notice")
    );
    assert_eq!(kind("what is a <task-notification>?"), EventKind::Prompt);
}

fn claude_call(tool: &str, input: Value) -> Result<AgentEvent, BadPayload> {
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "cwd": "/repo",
        "tool_name": tool, "tool_input": input, "tool_use_id": "u",
    });
    read(claude_code::CLIENT, &payload)
}

#[test]
fn tools_of_other_versions() {
    let all = ToolCall::Edit {
        path: "a.rs".into(),
        edits: vec![
            Edit {
                old: "a".into(),
                new: "b".into(),
                all: true,
            },
            Edit {
                old: "c".into(),
                new: "d".into(),
                all: false,
            },
        ],
    };
    let notebook = |source: &str| ToolCall::Notebook {
        path: "n.ipynb".into(),
        source: source.into(),
    };
    let cases = [
        (
            "MultiEdit",
            json!({"file_path": "a.rs", "edits": [
            {"old_string": "a", "new_string": "b", "replace_all": true},
            {"old_string": "c", "new_string": "d"}]}),
            all,
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "n.ipynb", "cell_id": "1", "new_source": "x = 1"}),
            notebook("x = 1"),
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "n.ipynb", "cell_id": "1", "edit_mode": "delete"}),
            notebook(""),
        ),
        (
            "apply_patch",
            json!({"input": "*** Begin Patch"}),
            patch("*** Begin Patch"),
        ),
        (
            "apply_patch",
            json!({"patchText": "*** Begin Patch"}),
            patch("*** Begin Patch"),
        ),
        (
            "apply_patch",
            json!("*** Begin Patch"),
            patch("*** Begin Patch"),
        ),
        ("bash", json!({"command": ""}), shell("")),
        (
            "write",
            json!({"file_path": "a.rs", "content": "", "later": 1}),
            write("a.rs", ""),
        ),
        (
            "mcp__files__write_file",
            json!({"path": "a.rs"}),
            ToolCall::Unknown {
                name: "mcp__files__write_file".into(),
                input: json!({"path": "a.rs"}),
            },
        ),
    ];
    for (tool, input, wanted) in cases {
        assert_eq!(
            claude_call(tool, input).unwrap().kind,
            BeforeTool(wanted),
            "{tool}"
        );
    }
}

#[test]
fn what_cannot_be_known_is_refused() {
    let cases = [
        ("Write", json!({"content": "x"})),
        ("Write", json!({"file_path": "a.rs"})),
        ("Write", json!({"file_path": "", "content": "x"})),
        ("Write", json!({"file_path": null, "content": "x"})),
        ("Write", json!({"file_path": 1, "content": "x"})),
        (
            "Write",
            json!({"file_path": "docs/a.md", "path": "src/a.rs", "content": "x"}),
        ),
        ("Write", json!("a.rs")),
        ("Edit", json!({"file_path": "a.rs", "old_string": "a"})),
        (
            "Edit",
            json!({"file_path": "a.rs", "old_string": "a", "new_string": "b", "replace_all": "yes"}),
        ),
        ("MultiEdit", json!({"file_path": "a.rs"})),
        (
            "MultiEdit",
            json!({"file_path": "a.rs", "edits": {"old_string": "a"}}),
        ),
        (
            "MultiEdit",
            json!({"file_path": "a.rs", "edits": [{"file_path": "b.rs", "old_string": "a", "new_string": "b"}]}),
        ),
        ("NotebookEdit", json!({"notebook_path": "n.ipynb"})),
        ("Bash", json!({"command": ["rm", "a.rs"]})),
        ("Bash", json!({})),
        ("apply_patch", json!({"command": "x", "input": "y"})),
        ("apply_patch", json!(["x"])),
    ];
    for (tool, input) in cases {
        let read = claude_call(tool, input.clone());
        assert!(read.is_err(), "{tool} {input}: {read:?}");
    }
    for bytes in [
        &b""[..],
        b"{",
        b"[]",
        b"null",
        b"\"x\"",
        b"{} {}",
        b"{\"hook_event_name\": \xff}",
    ] {
        for client in Client::all() {
            assert!(parse(client, bytes).is_err(), "{client} {bytes:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let payload = captured(cursor::CLIENT).remove("preToolUse-Write").unwrap();
    let bytes = [
        &b"\xef\xbb\xbf"[..],
        payload.to_string().as_bytes(),
        b"\r\n",
    ]
    .concat();
    assert!(parse(cursor::CLIENT, &bytes).is_ok());
}

/// A copy for each field, at every depth, that goes without it or has another type.
fn mutations(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.shift_remove(name);
                found.push(Value::Object(without));
                let others = [
                    json!(null),
                    json!(7),
                    json!(true),
                    json!([]),
                    json!({}),
                    json!("zz"),
                ];
                for other in mutations(inner).into_iter().chain(others) {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), other);
                    found.push(Value::Object(changed));
                }
            }
        }
        Value::Array(entries) => {
            for (at, inner) in entries.iter().enumerate() {
                for other in mutations(inner) {
                    let mut changed = entries.clone();
                    changed[at] = other;
                    found.push(Value::Array(changed));
                }
            }
        }
        _ => {}
    }
    found
}

#[test]
fn no_mutation_of_a_changing_call_looks_harmless() {
    let mut tried = 0;
    for client in Client::all() {
        for (name, payload) in captured(client) {
            let BeforeTool(call) = read(client, &payload).unwrap().kind else {
                continue;
            };
            if matches!(call, ToolCall::Reading { .. }) {
                continue;
            }
            for mutated in mutations(&payload) {
                tried += 1;
                if let Ok(AgentEvent {
                    kind: BeforeTool(ToolCall::Reading { .. }),
                    ..
                }) = read(client, &mutated)
                {
                    panic!("{client} {name} became harmless: {mutated}");
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn replies_in_the_clients_own_words() {
    use Answer::{Allow, Deny, GoOn, Tell};
    let deny = || Deny("why".into());
    let tell = || Tell("news".into());
    let cases = [
        (
            auggie::CLIENT,
            "PromptSubmit",
            tell(),
            r#"{"additionalContext":"news"}"#,
        ),
        (
            auggie::CLIENT,
            "PostToolUse-launch-process-failed",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"news"}}"#,
        ),
        (
            qwen_code::CLIENT,
            "PreToolUse-edit",
            deny(),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}"#,
        ),
        (
            pi::CLIENT,
            "turn_end",
            GoOn("red".into()),
            r#"{"decision":"go_on","reason":"red"}"#,
        ),
        (
            generic::CLIENT,
            "turn_end",
            Allow,
            r#"{"decision":"allow"}"#,
        ),
        (claude_code::CLIENT, "PreToolUse-Write", Allow, ""),
        (
            claude_code::CLIENT,
            "PreToolUse-Write",
            deny(),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}"#,
        ),
        (
            claude_code::CLIENT,
            "PostToolUse-Write",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"news"}}"#,
        ),
        (
            claude_code::CLIENT,
            "PostToolUseFailure-Bash",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"news"}}"#,
        ),
        (
            claude_code::CLIENT,
            "SessionStart",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"news"}}"#,
        ),
        (
            claude_code::CLIENT,
            "UserPromptSubmit",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"news"}}"#,
        ),
        (
            claude_code::CLIENT,
            "Stop",
            tell(),
            r#"{"systemMessage":"news"}"#,
        ),
        (
            claude_code::CLIENT,
            "Stop",
            GoOn("red".into()),
            r#"{"decision":"block","reason":"red"}"#,
        ),
        (
            codex::CLIENT,
            "PreToolUse-apply_patch",
            deny(),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}"#,
        ),
        (
            codex::CLIENT,
            "PostToolUse-Bash",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"news"}}"#,
        ),
        (
            gemini::CLIENT,
            "BeforeTool-replace",
            deny(),
            r#"{"decision":"deny","reason":"why"}"#,
        ),
        (
            gemini::CLIENT,
            "AfterTool-replace",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"news"}}"#,
        ),
        (
            gemini::CLIENT,
            "SessionStart",
            tell(),
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"news"}}"#,
        ),
        (
            gemini::CLIENT,
            "AfterAgent",
            GoOn("red".into()),
            r#"{"decision":"deny","reason":"red"}"#,
        ),
        (
            copilot::CLIENT,
            "preToolUse-create",
            deny(),
            r#"{"permissionDecision":"deny","permissionDecisionReason":"why","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}"#,
        ),
        (
            copilot::CLIENT,
            "postToolUse-edit",
            tell(),
            r#"{"additionalContext":"news","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"news"}}"#,
        ),
        (
            copilot::CLIENT,
            "Stop-claudestyle",
            GoOn("red".into()),
            r#"{"decision":"block","reason":"red"}"#,
        ),
        (cursor::CLIENT, "preToolUse-Write", Allow, "{}"),
        (
            cursor::CLIENT,
            "preToolUse-Write",
            deny(),
            r#"{"permission":"deny","agent_message":"why","user_message":"why"}"#,
        ),
        (
            cursor::CLIENT,
            "postToolUse-Write",
            tell(),
            r#"{"additional_context":"news"}"#,
        ),
        (
            cursor::CLIENT,
            "beforeSubmitPrompt",
            tell(),
            r#"{"continue":true}"#,
        ),
        (
            cursor::CLIENT,
            "stop",
            GoOn("red".into()),
            r#"{"followup_message":"red"}"#,
        ),
        (opencode::CLIENT, "tool.execute.before-write", Allow, "{}"),
        (
            opencode::CLIENT,
            "tool.execute.before-write",
            deny(),
            r#"{"deny":"why"}"#,
        ),
        (
            opencode::CLIENT,
            "tool.execute.after-write",
            tell(),
            r#"{"tell":"news"}"#,
        ),
    ];
    for (client, name, answer, wanted) in cases {
        let reply = reply(&event(client, name), &answer, None);
        assert_eq!(reply.stdout.trim_end(), wanted, "{client} {name}");
        assert_eq!(
            (reply.stderr.as_str(), reply.exit),
            ("", 0),
            "{client} {name}"
        );
    }
}

#[test]
fn a_failed_tool_of_gemini_keeps_its_words() {
    let mut payload = captured(gemini::CLIENT)
        .remove("AfterTool-replace")
        .unwrap();
    payload["tool_response"]["error"] = json!({"message": "no match"});
    let event = read(gemini::CLIENT, &payload).unwrap();
    let reply = reply(&event, &Answer::Tell("news".into()), Some("stuck"));
    assert_eq!(
        reply.stdout.trim_end(),
        r#"{"decision":"deny","reason":"news\n\nno match","systemMessage":"stuck"}"#
    );
}

#[test]
fn windsurf_is_answered_by_exit_status() {
    let says = |name, answer| {
        let reply = reply(&event(windsurf::CLIENT, name), &answer, None);
        (reply.exit, reply.stdout, reply.stderr)
    };
    let (news, none) = (|| "news\n".to_owned(), String::new);
    assert_eq!(says("pre_write_code", Answer::Allow), (0, none(), none()));
    assert_eq!(
        says("pre_write_code", Answer::Deny("news".into())),
        (2, none(), news())
    );
    assert_eq!(
        says("post_write_code", Answer::Tell("news".into())),
        (2, none(), news())
    );
    // With a status of 2 the person's prompt would be stopped.
    assert_eq!(
        says("pre_user_prompt", Answer::Tell("news".into())),
        (0, news(), none())
    );
}

#[test]
fn refusals_of_what_could_not_be_read() {
    for client in Client::all() {
        let reply = refusal(client, "why");
        let denies = match client.name() {
            "cursor" => reply.stdout.contains(r#""permission":"deny""#) && reply.exit == 2,
            "opencode" => reply.stdout.contains(r#""deny":"why""#),
            "copilot" => reply.stdout.contains(r#""permissionDecision":"deny""#),
            _ => reply.exit == 2,
        };
        assert!(denies, "{client} {reply:?}");
        assert!(format!("{}{}", reply.stdout, reply.stderr).contains("why"));
    }
}

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "hook_event_name",
        "tool_name",
        "tool_input",
        "toolName",
        "toolArgs",
        "hook",
        "input",
        "output",
        "args",
        "tool",
        "event",
        "type",
        "file_path",
        "content",
        "command",
        "edits",
        "cwd",
        "session_id",
        "cursor_version",
        "timestamp",
        "properties",
        "sessionID",
    ]);
    let words = prop::sample::select(vec![
        "PreToolUse",
        "BeforeTool",
        "preToolUse",
        "tool.execute.before",
        "event",
        "Write",
        "Bash",
        "write_file",
        "MultiEdit",
        "create",
        "apply_patch",
        "",
        "session.idle",
        "{\"a\": 1}",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names.clone(), inner, 0..8).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(k, v)| (k.into(), v)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn random_messages_never_panic(value in any_json(), bytes: Vec<u8>) {
        for client in Client::all() {
            if let Ok(event) = read(client, &value) {
                for answer in [Answer::Allow, Answer::Deny("a".into()), Answer::Tell("a".into()), Answer::GoOn("a".into())] {
                    reply(&event, &answer, Some("b"));
                }
            }
            let _ = parse(client, &bytes);
        }
    }
}
