//! What can't be seen before a command runs: it is run for real, and the loop finds, undoes and
//! reports what it did.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::gate::{call, denied};
use crate::support::{Ran, Repo};

const CASES: &str = include_str!("../fixtures/gate/cases.jsonl");

/// The repository of the cases, in `green` and in a mode.
fn in_green(mode: &str) -> Repo {
    let repo = Repo::from_script(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/gate/fixture.sh"
    ));
    repo.git(&["switch", "-q", "--detach"]);
    repo.git(&["branch", "-q", "-f", "main", "tcr/main"]);
    repo.git(&["branch", "-q", "-D", "tcr/main"]);
    repo.git(&["switch", "-q", "main"]);
    // A red that turns green with a file that no case writes.
    repo.write(
        ".tcr.toml",
        &format!("mode = \"{mode}\"\ntest = \"sh run-it\"\ndebounce_ms = 0\n"),
    );
    repo.write(
        "run-it",
        "echo 1..2; echo ok 1 - old; if test -e src/done.c; then echo ok 2 - new; exit 0; fi\n",
    );
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--no-verify", "-m", "config"]);
    let wanted = "\"not ok 2 - new\"; exit 1\n";
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let script = repo.read("run-it");
    repo.write("run-it", &format!("{script}echo {wanted}"));
    repo.write("tests/test_new.py", "# the next step\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["next_phase"], "green", "{outcome}");
    repo
}

fn shell(repo: &Repo, command: &str) -> Ran {
    let command = command.replace("@REPO@", &repo.root().display().to_string());
    Ran::from(
        repo.command("sh")
            .args(["-c", &command])
            .output()
            .expect("a shell"),
    )
}

/// What the hook before the call says, if it is a denial.
fn before(repo: &Repo, command: &str) -> Option<String> {
    let payload = json!({"cwd": repo.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}});
    denied(&call(repo, "gate", "claude-code", &payload.to_string()))
}

/// What the model is told after the call.
fn after(repo: &Repo, command: &str) -> String {
    let payload = json!({"cwd": repo.root(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_response": {}});
    call(repo, "loop", "claude-code", &payload.to_string())
        .success()
        .stdout
}

/// Frozen files that are not as HEAD has them.
fn tampered(repo: &Repo) -> BTreeSet<String> {
    let changed = repo.git(&[
        "status",
        "--porcelain",
        "--untracked-files=all",
        "--",
        "tests",
        "src/calc_test.rs",
    ]);
    changed
        .lines()
        .filter_map(|line| line.get(3..))
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_a_command_hid_is_undone_and_reported() {
    let mut tried = 0;
    let modes: BTreeMap<&str, Repo> = ["both", "tdd"].map(|mode| (mode, in_green(mode))).into();
    for line in CASES.lines().filter(|line| line.contains("opaque_exec")) {
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        let line = line.replace("/tmp/fx", &elsewhere.path().display().to_string());
        let case: Value = serde_json::from_str(&line).expect("a case is one line of JSON");
        let text = |field: &str| case[field].as_str().unwrap_or("");
        if case.get("debatable").is_some()
            || case.get("limit").is_some()
            || case.get("noexec").is_some()
        {
            continue;
        }
        let repo = modes.get(text("mode")).expect("one of the two").copy();
        shell(&repo, text("setup"));
        let command = case["input"]["command"].as_str().expect("a command");
        let denial = before(&repo, command);
        assert!(
            denial.is_none() || text("pre") == "any",
            "{line}\n{denial:?}"
        );
        shell(&repo, command);
        let hit = tampered(&repo);
        if hit.is_empty() {
            println!("not tried, a program is missing or it is about something else: {command}");
            continue;
        }
        tried += 1;
        let told = after(&repo, command);
        for path in &hit {
            assert!(told.contains(path.as_str()), "{line}\n{path}: {told}");
        }
        match text("mode") {
            // In these modes nothing is touched.
            "tdd" | "relaxed" | "observe" => {}
            _ => assert_eq!(tampered(&repo), BTreeSet::new(), "{line}\n{told}"),
        }
    }
    assert!(tried >= 10, "{tried} were tried");
}

/// Results that vanish are a regression, whatever made them vanish.
#[test]
fn tests_that_are_not_run_any_more_are_missed() {
    let repo = in_green("both");
    repo.write("run-it", "echo 1..1; echo ok 1 - new\n");
    let told = after(&repo, "true");
    assert!(told.contains("reverted"), "{told}");
    assert!(repo.read("run-it").contains("ok 1 - old"));
}
