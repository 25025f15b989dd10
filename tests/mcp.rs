//! `git tcr mcp`: what agents may do, as tools; whatever is sent to it, it goes on.

use serde_json::{Value, json};

use crate::support::mcp_session::Session;
use crate::support::{PROGRAM, Repo, programs};

#[test]
fn a_cycle_by_tools() {
    let repo = Repo::new().installed();
    let mut mcp = Session::open(&repo);
    assert_eq!(
        mcp.call("status", json!({}))["structuredContent"]["phase"],
        "red"
    );
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let red = mcp.call("run", json!({}));
    assert_eq!(red["structuredContent"]["why"], "red", "{red}");
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let reverted = mcp.call("run", json!({}));
    assert_eq!(reverted["structuredContent"]["action"], "take_back");
    let list = mcp.call("recover_list", json!({}));
    assert_eq!(list["structuredContent"]["entries"][0]["number"], 1);
    let shown = mcp.call("recover_show", json!({"number": 1}));
    assert!(shown.to_string().contains("echo 4"), "{shown}");
    let red = mcp.call("check", json!({"gate": "red"}));
    assert_eq!(red["structuredContent"]["holds"], true, "{red}");
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(
        mcp.call("run", json!({}))["structuredContent"]["why"],
        "green"
    );
    let phase = mcp.call("phase", json!({"phase": "refactor"}));
    assert_eq!(phase["structuredContent"]["next_phase"], "refactor");
    let preview = mcp.call("squash_preview", json!({}));
    assert_eq!(
        preview["structuredContent"]["squash"]["dry_run"], true,
        "{preview}"
    );
    let newest = mcp.call("log", json!({"count": 1}));
    assert_eq!(
        newest["structuredContent"]["entries"][0]["event"], "phase",
        "{newest}"
    );
    // What came by this way is an agent's.
    let log = repo.tcr(&["log", "--json"]).success().json();
    assert_eq!(log[0]["by"], "mcp", "{log}");
    assert_eq!(mcp.close(), Some(0));
    repo.assert_tidy("after a session");
}

#[test]
fn the_state_the_rules_and_the_prompt() {
    let repo = Repo::in_green();
    let mut mcp = Session::open(&repo);
    let state = mcp.ask("resources/read", json!({"uri": "tcr://state"}));
    let text = state["result"]["contents"][0]["text"]
        .as_str()
        .expect("a text");
    let state: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(state["phase"], "green");
    let rules = mcp.ask("resources/read", json!({"uri": "tcr://rules"}));
    assert!(rules.to_string().contains("tests are frozen"), "{rules}");
    let prompt = mcp.ask("prompts/get", json!({"name": "cycle"}));
    assert!(prompt.to_string().contains("one failing test"), "{prompt}");
}

#[test]
fn every_tool_answers_and_none_is_for_people() {
    let repo = Repo::in_green();
    let mut mcp = Session::open(&repo);
    let listed = mcp.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for people in [
        "allow",
        "off",
        "on",
        "mode",
        "install",
        "uninstall",
        "spike",
        "squash",
    ] {
        assert!(!names.contains(&people), "{people}");
        let answer = mcp.ask("tools/call", json!({"name": people, "arguments": {}}));
        assert!(answer["error"].is_object(), "{answer}");
    }
    for name in names {
        let arguments = match name {
            "check" => json!({"gate": "red"}),
            "phase" => json!({"phase": "red", "why": "a test is wrong"}),
            "recover_show" => json!({"number": 99}),
            _ => json!({}),
        };
        let answer = mcp.call(name, arguments);
        assert!(answer["content"][0]["text"].is_string(), "{name}: {answer}");
    }
}

#[test]
fn a_refusal_is_an_error_with_the_way_on() {
    let repo = Repo::in_green();
    let mut mcp = Session::open(&repo);
    let refused = mcp.call("phase", json!({"phase": "refactor"}));
    assert_eq!(refused["isError"], true);
    let said = refused["content"][0]["text"].as_str().expect("a text");
    assert!(said.contains("hint: git tcr run"), "{said}");
}

#[test]
fn whatever_is_sent_it_goes_on() {
    let repo = Repo::in_green();
    let mut mcp = Session::open(&repo);
    for line in [
        "",
        "not JSON",
        "{",
        "[]",
        "null",
        "{\"jsonrpc\": \"2.0\"}",
        "{\"jsonrpc\": \"1.0\", \"id\": 900, \"method\": \"tools/list\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 901, \"method\": \"no/such\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 902, \"method\": \"tools/call\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 903, \"method\": \"tools/call\", \"params\": {\"name\": 5}}",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"tools/list\"}",
        "\u{0}\u{1}\u{2}",
    ] {
        mcp.send(line);
        let status = mcp.call("status", json!({}));
        assert_eq!(
            status["structuredContent"]["phase"], "green",
            "after {line:?}"
        );
    }
    mcp.send(&format!(
        "{{\"jsonrpc\": \"2.0\", \"x\": \"{}\"}}",
        "y".repeat(1 << 20)
    ));
    for (tool, arguments) in [
        ("status", json!({"surprise": true})),
        ("check", json!({})),
        ("check", json!({"gate": "red; rm -rf ."})),
        ("recover_show", json!({"number": "1"})),
        ("no_such_tool", json!({})),
    ] {
        let answer = mcp.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_object(), "{answer}");
    }
    assert_eq!(mcp.close(), Some(0));
}

#[test]
fn many_requests_at_once() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    let mut mcp = Session::open(&repo);
    let mut open: Vec<u64> = Vec::new();
    for number in 0..20 {
        let tool = ["status", "run", "log", "recover_list"][number % 4];
        open.push(mcp.request("tools/call", json!({"name": tool, "arguments": {}})));
    }
    let mut committed = 0;
    while !open.is_empty() {
        let answer = mcp.next();
        assert!(answer["error"].is_null(), "{answer}");
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        committed += usize::from(answer["result"]["structuredContent"]["action"] == "commit");
        open.retain(|number| answer["id"] != *number);
    }
    assert_eq!(committed, 1);
    assert_eq!(mcp.close(), Some(0));
    repo.assert_tidy("after many requests");
}

#[test]
fn outside_of_a_repository_it_says_so() {
    let repo = Repo::new();
    let ran = repo.tcr_in(&repo.around(), &["mcp"], &[]).exits(2);
    assert!(
        ran.stderr.contains("not inside a git repository"),
        "{}",
        ran.stderr
    );
}

/// The inspector's command line; `tests/setup.sh` puts it on the path.
#[test]
fn the_inspector_lists_and_calls_every_tool() {
    if !programs::were_set_up(&["mcp-inspector"]) {
        return;
    }
    let repo = Repo::in_green();
    let inspect = |arguments: &[&str]| -> Value {
        let mut command = repo.command("mcp-inspector");
        command
            .args(["--cli", PROGRAM, "mcp", "--method"])
            .args(arguments);
        let output = command.output().expect("the inspector runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let listed = inspect(&["tools/list"]);
    let tools = listed["tools"].as_array().expect("a list");
    for tool in tools.iter().filter_map(|tool| tool["name"].as_str()) {
        let mut call = vec!["tools/call", "--tool-name", tool];
        match tool {
            "check" => call.extend(["--tool-arg", "gate=red"]),
            "phase" => call.extend(["--tool-arg", "phase=red", "why=a test is wrong"]),
            "recover_show" => call.extend(["--tool-arg", "number=1"]),
            _ => {}
        }
        let answer = inspect(&call);
        assert!(answer["content"][0]["text"].is_string(), "{tool}: {answer}");
    }
    assert_eq!(
        inspect(&["resources/list"])["resources"][0]["uri"],
        "tcr://state"
    );
    assert_eq!(inspect(&["prompts/list"])["prompts"][0]["name"], "cycle");
}
