//! `git tcr loop` and `git tcr session`, as clients call them.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

use crate::support::agent::call;
use crate::support::example::{ASKS, RIGHT, WRONG};
use crate::support::{PROGRAM, Ran, Repo};

fn tell(repo: &Repo, command: &str, event: &str, more: &Value) -> Ran {
    let mut payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(), "hook_event_name": event,
    });
    if let (Value::Object(fields), Value::Object(more)) = (&mut payload, more) {
        fields.extend(more.clone());
    }
    call(repo, command, "claude-code", &payload.to_string()).success()
}

/// What a client says after a call.
fn after(tool: &str) -> Value {
    json!({"tool_name": tool, "tool_input": {"file_path": "x", "content": ""}, "tool_response": {}})
}

/// What the model is told after a write.
fn after_write(repo: &Repo) -> String {
    tell(repo, "loop", "PostToolUse", &after("Write")).stdout
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

#[test]
fn a_tool_that_only_reads_causes_no_look() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    let told = tell(&repo, "loop", "PostToolUse", &after("Read")).stdout;
    assert!(!told.contains("committed"), "{told}");
    let told = after_write(&repo);
    assert!(told.contains("committed as green"), "{told}");
}

#[test]
fn a_call_that_is_alone_is_judged_without_a_pause() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\ndebounce_ms = 60000\n")
        .installed();
    repo.write("tests/add.t", ASKS);
    let began = Instant::now();
    let told = after_write(&repo);
    assert!(told.contains("committed as red"), "{told}");
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn calls_that_come_together_are_judged_once() {
    const CALLS: u64 = 4;
    let test = "test = [\"sh\", \"-c\", \"echo >> .git/ran; ./run-tests\"]\n";
    let repo = Repo::new().configured(test).installed();
    repo.write("tests/add.t", ASKS);
    std::fs::remove_file(repo.path(".git/ran")).expect("install ran the tests");
    let payload = repo.around().join("payload.json");
    let said = json!({"session_id": "s", "cwd": repo.root(), "hook_event_name": "PostToolUse"});
    let (Value::Object(mut fields), Value::Object(call)) = (said, after("Write")) else {
        unreachable!("both are objects");
    };
    fields.extend(call);
    std::fs::write(&payload, Value::Object(fields).to_string()).expect("a file");
    // Nobody gets to judge before all of them are there.
    let lock = std::fs::File::create(repo.path(".git/tcr/lock")).expect("a file");
    flock(&lock, FlockOperation::LockExclusive).expect("a lock");
    let start = |_| {
        let mut command = repo.command(PROGRAM);
        command
            .args(["loop", "--client", "claude-code"])
            .stdin(std::fs::File::open(&payload).expect("a file"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the program runs")
    };
    let calls: Vec<_> = (0..CALLS).map(start).collect();
    let waiting = || std::fs::metadata(repo.path(".git/tcr/calls")).map_or(0, |file| file.len());
    while waiting() < CALLS {
        std::thread::sleep(Duration::from_millis(5));
    }
    flock(&lock, FlockOperation::Unlock).expect("it is held");
    let ended = |call: std::process::Child| Ran::from(call.wait_with_output().expect("it ends"));
    let told: Vec<String> = (calls.into_iter())
        .map(|call| ended(call).success().stdout)
        .collect();
    let judged = told.iter().filter(|text| text.contains("committed as red"));
    assert_eq!(judged.count(), 1, "{told:?}");
    assert_eq!(repo.read(".git/ran"), "\n");
}
