//! Real coding agents that reach git tcr over MCP, beside the hooks: each tool is offered to the
//! model, called by it, and answered.

use serde_json::{Value, json};

use super::clients::{Client, Step};
use super::model::{Call, Model};
use super::{JAVASCRIPT, as_person, is_set_up, only_these_on_path};
use crate::support::{PROGRAM, Ran, Repo};

/// What the model does, and words that it must be told after it.
enum Act {
    Tool(&'static str, Value, &'static str),
    Own(Step, &'static str),
}

fn story() -> Vec<Act> {
    let (test, content) = JAVASCRIPT.test;
    let right = Step::Edit(JAVASCRIPT.source, JAVASCRIPT.line, JAVASCRIPT.right);
    vec![
        Act::Tool("status", json!({}), "\"red\""),
        Act::Own(Step::Write(test, content), "committed as red"),
        Act::Tool("check", json!({"gate": "red"}), "holds"),
        Act::Tool("phase", json!({"phase": "refactor"}), "hint: git tcr run"),
        Act::Own(Step::Read(JAVASCRIPT.source), "sub"),
        Act::Own(right, "committed as green"),
        Act::Tool("run", json!({}), "\"none\""),
        Act::Tool("phase", json!({"phase": "refactor"}), "refactor"),
        Act::Tool("log", json!({"count": 3}), "green"),
        Act::Tool("recover_list", json!({}), "entries"),
        Act::Tool("recover_show", json!({"number": 7}), "7"),
        Act::Tool("smells", json!({}), "findings"),
        Act::Tool("squash_preview", json!({}), "dry_run"),
        Act::Tool("evidence", json!({}), "evidence"),
    ]
}

fn go_through(client: Client) {
    if !is_set_up(client, &JAVASCRIPT) {
        return;
    }
    let repo = Repo::bare_start();
    for (path, content) in JAVASCRIPT.files {
        repo.write(path, content);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    let bin = only_these_on_path(&repo, client, &JAVASCRIPT);
    let tcr = |args: &[&str]| {
        let mut command = as_person(&repo, &bin, PROGRAM);
        Ran::from(command.args(args).output().expect("it runs")).success()
    };
    tcr(&["install", "--yes"]);

    let story = story();
    let script = story.iter().map(|act| match act {
        Act::Tool(tool, args, _) => Call {
            tool: name(client, tool),
            args: args.clone(),
        },
        Act::Own(step, _) => client.call(step, repo.root()),
    });
    let model = Model::with_script(script.collect());
    client.set_up(&repo, model.port);
    let mut command = as_person(&repo, &bin, "timeout");
    command.args(["-k", "10", "600", client.program()]);
    client.arrange(&mut command, model.port);
    offer(client, &repo, &mut command);
    let ran = Ran::from(command.output().expect("it starts"));

    for (number, act) in story.iter().enumerate() {
        let (what, words) = match act {
            Act::Tool(tool, _, words) => (format!("the tool {tool}"), words),
            Act::Own(step, words) => (format!("{step:?}"), words),
        };
        let told = model.told(number);
        assert!(
            told.contains(words),
            "{what}: no {words:?} in {told:?}\n{}{}",
            ran.stdout,
            ran.stderr
        );
    }
    // What comes by this way is the client's.
    let log = tcr(&["log", "--json", "-n", "1"]).json();
    let by = match client {
        Client::OpenCode => "opencode",
        _ => "claude-code",
    };
    assert_eq!(
        (&log[0]["event"], &log[0]["by"]),
        (&"phase".into(), &by.into()),
        "{log}"
    );
}

/// What a client calls a tool of the server `git-tcr`.
fn name(client: Client, tool: &str) -> &'static str {
    let name = match client {
        Client::OpenCode => format!("git-tcr_{tool}"),
        _ => format!("mcp__git-tcr__{tool}"),
    };
    // It is needed until the test's process ends.
    name.leak()
}

/// Tells the client of the server, as the documentation says.
fn offer(client: Client, repo: &Repo, command: &mut std::process::Command) {
    let home = repo.around().join("home");
    match client {
        Client::OpenCode => {
            let path = home.join(".config/opencode/opencode.json");
            let text = std::fs::read_to_string(&path).expect("it was set up");
            let mut config: Value = serde_json::from_str(&text).expect("JSON");
            config["mcp"] = json!({"git-tcr": {"type": "local", "command": ["git", "tcr", "mcp"]}});
            std::fs::write(path, config.to_string()).expect("a file");
        }
        _ => {
            let path = home.join("mcp.json");
            let servers = json!({"git-tcr": {"command": "git", "args": ["tcr", "mcp"]}});
            let config = json!({ "mcpServers": servers }).to_string();
            std::fs::write(&path, config).expect("a file");
            command
                .arg("--allowedTools=Read,Write,Edit,Bash,mcp__git-tcr")
                .arg(format!("--mcp-config={}", path.display()));
        }
    }
}

#[test]
fn opencode_calls_every_tool() {
    go_through(Client::OpenCode);
}

#[test]
fn claude_code_calls_every_tool() {
    go_through(Client::ClaudeCode);
}
