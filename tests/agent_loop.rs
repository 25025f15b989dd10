//! `git tcr loop` and `git tcr session`, as clients call them.

use serde_json::{Value, json};

use crate::support::agent::call;
use crate::support::example::{ASKS, WRONG};
use crate::support::{Ran, Repo};

fn tell(repo: &Repo, command: &str, event: &str, more: &Value) -> Ran {
    let mut payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(), "hook_event_name": event,
    });
    if let (Value::Object(fields), Value::Object(more)) = (&mut payload, more) {
        fields.extend(more.clone());
    }
    call(repo, command, "claude-code", &payload.to_string()).success()
}

/// What the model is told after a write.
fn after_write(repo: &Repo) -> String {
    let call = json!({"tool_name": "Write", "tool_input": {"file_path": "x", "content": ""}, "tool_response": {}});
    tell(repo, "loop", "PostToolUse", &call).stdout
}

fn prompt(repo: &Repo) {
    tell(
        repo,
        "session",
        "UserPromptSubmit",
        &json!({"prompt": "go on"}),
    );
}

#[test]
fn what_is_left_to_do_keeps_a_turn_from_ending_once() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", ASKS);
    let ran = tell(
        &repo,
        "session",
        "Stop",
        &json!({"stop_hook_active": false}),
    );
    let reply = ran.json();
    assert_eq!(reply["decision"], "block", "{reply}");
    assert!(ran.stdout.contains("committed as red"), "{}", ran.stdout);
    repo.write("src/add.sh", WRONG);
    let ran = tell(&repo, "session", "Stop", &json!({"stop_hook_active": true}));
    assert!(ran.stdout.contains("kept, not committed"), "{}", ran.stdout);
    assert!(
        repo.exists("src/add.sh"),
        "the end of a turn wears on nobody's patience"
    );
    assert!(!ran.stdout.contains("block"), "{}", ran.stdout);
}

#[test]
fn a_turn_that_ends_in_green_ends() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let ran = tell(
        &repo,
        "session",
        "Stop",
        &json!({"stop_hook_active": false}),
    );
    assert!(ran.stdout.contains("committed as green"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("block"), "{}", ran.stdout);
}

#[test]
fn trigger_turn_judges_when_the_turn_ends() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\ntrigger = \"turn\"\n")
        .installed();
    repo.write("tests/add.t", ASKS);
    assert_eq!(after_write(&repo), "");
    let ran = tell(
        &repo,
        "session",
        "Stop",
        &json!({"stop_hook_active": false}),
    );
    assert!(ran.stdout.contains("committed as red"), "{}", ran.stdout);
}

#[test]
fn what_the_loop_left_of_an_agent_is_not_taken_for_a_persons() {
    let repo = Repo::in_green();
    repo.write("src/broken.sh", "add() {\n");
    let told = after_write(&repo);
    assert!(told.contains("kept"), "{told}");
    repo.write("src/mine.sh", "# mine\n");
    prompt(&repo);
    assert_eq!(repo.show("tcr/main:src/mine.sh"), "# mine");
    assert_ne!(
        repo.try_git(&["cat-file", "-e", "tcr/main:src/broken.sh"])
            .status,
        0
    );
    assert!(repo.exists("src/broken.sh"));
    // Mended by the person it is the person's.
    repo.write("src/broken.sh", "# mended\n");
    prompt(&repo);
    assert_eq!(repo.show("tcr/main:src/broken.sh"), "# mended");
}

#[test]
fn with_a_manual_trigger_a_prompt_takes_nothing_for_a_persons() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\ntrigger = \"manual\"\n")
        .installed();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    prompt(&repo);
    assert_eq!(repo.branch(), "main");
    assert!(repo.exists("src/add.sh"));
}

#[test]
fn our_entries_in_a_tracked_file_are_neither_committed_nor_undone() {
    let settings = ".gemini/settings.json";
    let theirs = "{ \"ui\": {\"hideTips\": true} }\n";
    let repo = Repo::new().with(settings, theirs).committed();
    repo.tcr(&["install", "--yes", "--client", "gemini"])
        .success();
    let installed = repo.read(settings);
    assert_ne!(installed, theirs);
    tell(
        &repo,
        "session",
        "SessionStart",
        &json!({"source": "startup"}),
    );
    assert_eq!(
        repo.branch(),
        "main",
        "there is nothing of the person's to record"
    );
    repo.write("tests/add.t", ASKS);
    assert!(after_write(&repo).contains("committed as red"));
    assert_eq!(repo.read(settings), installed);
    assert_eq!(
        repo.show(&format!("tcr/main:{settings}")),
        theirs.trim_end()
    );
    // What a person changes in the file is a change.
    repo.write(settings, &installed.replace("true", "false"));
    prompt(&repo);
    assert!(repo.show(&format!("tcr/main:{settings}")).contains("false"));
}

#[test]
fn what_could_not_be_put_back_is_kept_and_named() {
    let repo = Repo::in_green();
    // The moment the test is to be put back somebody edits it.
    repo.git(&[
        "config",
        "filter.busy.smudge",
        "echo again > tests/add.t; cat",
    ]);
    repo.git(&["config", "filter.busy.clean", "cat"]);
    repo.write(".git/info/attributes", "tests/add.t filter=busy\n");
    repo.write("tests/add.t", "true\n");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let ran = repo.tcr(&["run", "--json"]).exits(1);
    let outcome = ran.json();
    assert_eq!(outcome["action"], "keep", "{outcome}");
    assert_eq!(outcome["edited_meanwhile"], json!(["tests/add.t"]));
    assert_eq!(repo.read("tests/add.t"), "again\n");
    assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n");
}
