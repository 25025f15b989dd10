//! `git tcr stats`: numbers about a branch.

use serde_json::json;

use crate::support::agent;
use crate::support::example::{RIGHT, WRONG};
use crate::support::{PROGRAM, Ran, Repo};

#[test]
fn numbers_of_a_cycle_with_a_revert() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    repo.run_json();
    repo.write("src/add.sh", "add() {\n  echo $(($1 + $2))\n}\n");
    repo.run_json();
    repo.write("src/early.py", "def early():\n    return 1\n");
    repo.run_json();
    let stats = repo.tcr(&["stats", "--json"]).success().json();
    assert_eq!(stats["base"], "main");
    assert_eq!(stats["cycles"], 1);
    assert_eq!(stats["commits"]["red"], 1, "{stats}");
    assert_eq!(stats["commits"]["green"], 1);
    assert_eq!(
        stats["reverts"],
        json!({"total": 2, "by_cause": {"patience": 1, "unasked": 1}})
    );
    assert_eq!(stats["streak"], json!({"longest": 1, "now": 0}));
    assert_eq!(stats["tests"]["first"]["passed"], 1);
    assert_eq!(stats["tests"]["last"]["passed"], 2);
    assert_eq!(stats["steps"]["largest_lines"], 3);
    let text = repo.tcr(&["stats"]).success().stdout;
    for part in [
        "tcr: 1 cycle on `main`",
        "2 committed, 2 taken back: 50 % held",
        "1 passed at first, 2 passed now",
        "out of patience",
        "source that no test asked for",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn numbers_that_were_kept_are_those_of_the_whole_history() {
    let repo = Repo::in_green();
    let kept = repo.path(".git/tcr/sums-main");
    let stats = || repo.tcr(&["stats", "--json"]).success().json();
    let before = stats();
    assert!(kept.exists());
    assert_eq!(stats(), before);
    let of_before = std::fs::read(&kept).expect("a file");
    repo.write("src/add.sh", WRONG);
    repo.run_json();
    repo.write("src/add.sh", RIGHT);
    repo.run_json();
    let gone_on = stats();
    assert_ne!(gone_on["events"], before["events"]);
    std::fs::remove_file(&kept).expect("it is there");
    assert_eq!(stats(), gone_on);
    // What is garbled, or of another chain, counts for nothing.
    let other = String::from_utf8(of_before).expect("JSON");
    let tip = repo.commit("refs/tcr/state/main^{tree}");
    let at = other.find("\"tip\":\"").expect("a tip") + 7;
    let other = format!("{}{tip}{}", &other[..at], &other[at + tip.len()..]);
    for content in ["", "{}", &other] {
        std::fs::write(&kept, content).expect("a file");
        assert_eq!(stats(), gone_on, "{content}");
    }
}

#[test]
fn observe_denies_nothing_and_the_numbers_say_what_it_would_have_done() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\nmode = \"observe\"\n")
        .installed();
    let call = |tool: &str, input| {
        let payload = json!({
            "session_id": "s", "transcript_path": "/t", "cwd": repo.root(),
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        });
        let ran = agent::call(&repo, "gate", "claude-code", &payload.to_string()).success();
        assert!(!ran.stdout.contains("deny"), "{}", ran.stdout);
    };
    let source = "def add():\n    return 3\n";
    call(
        "Write",
        json!({"file_path": repo.path("src/add.py"), "content": source}),
    );
    repo.write("notes.txt", "mine\n");
    call("Bash", json!({"command": "git reset --hard"}));
    call(
        "Write",
        json!({"file_path": repo.path("tests/a.t"), "content": "true\n"}),
    );
    repo.write("src/add.py", source);
    repo.run_json();
    assert_eq!(repo.read("src/add.py"), source);
    let stats = repo.tcr(&["stats", "--json"]).success().json();
    assert_eq!(
        stats["would_have"],
        json!({"denied": 2, "reverted": 1, "committed": 0}),
        "{stats}"
    );
    assert_eq!(stats["denials"]["total"], 0);
    let text = repo.tcr(&["stats"]).success().stdout;
    assert!(text.contains("would have denied 2, taken back 1"), "{text}");
    let log = repo.tcr(&["log"]).success().stdout;
    assert!(log.contains("✗ observed"), "{log}");
}

#[test]
fn two_thousand_cycles_stay_within_bounded_memory() {
    const KILOBYTES: u64 = 200_000;
    let repo = Repo::new().installed().with_long_history(2_000);
    let line = format!("ulimit -v {KILOBYTES}; exec '{PROGRAM}' stats --json");
    let mut command = repo.command("sh");
    let ran = Ran::from(command.args(["-c", &line]).output().expect("sh runs")).success();
    let stats = ran.json();
    assert_eq!(stats["cycles"], 2_000);
    assert_eq!(stats["reverts"]["by_cause"]["no_progress"], 500);
    assert_eq!(stats["denials"]["total"], 200);
    let buckets = stats["course"].as_array().map(Vec::len);
    assert!(buckets.is_some_and(|length| length <= 240), "{buckets:?}");
}
