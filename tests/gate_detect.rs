//! What can't be seen before a command runs: it is run for real, and the loop finds, undoes and
//! reports what it did.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::agent::{call, denied};
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
        &format!("mode = \"{mode}\"\ntest = \"sh run-it\"\ndebounce_ms = 0\npatience = 0\n"),
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
        // Where nothing is committed the test of the red is new to git.
        let accepted = tampered(&repo);
        shell(&repo, text("setup"));
        let command = case["input"]["command"].as_str().expect("a command");
        let denial = before(&repo, command);
        assert!(
            denial.is_none() || text("pre") == "any",
            "{line}\n{denial:?}"
        );
        shell(&repo, command);
        let hit = &tampered(&repo) - &accepted;
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

/// Just enough of a test runner: TAP for Python's test functions, and for Rust's by their
/// attributes.
const PYTEST: &str = r##"#!/usr/bin/env python3
import importlib.util, pathlib, sys
sys.path.insert(0, "src")
import unittest
number = failed = 0
def report(ok, name, skipped=False):
    global number, failed
    number += 1
    failed |= not ok
    print("ok" if ok else "not ok", number, "-", name, "# SKIP" if skipped else "", flush=True)
if not hasattr(unittest, "TestCase"):
    sys.exit(unittest.main())
ignored = "--ignore=tests" in pathlib.Path("pyproject.toml").read_text()
for file in [] if ignored else sorted(pathlib.Path("tests").glob("test_*.py")):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        print("Bail out!", file, error)
        sys.exit(2)
    for name in [name for name in vars(module) if name.startswith("test_")]:
        try:
            vars(module)[name]()
            report(True, f"{file}::{name}")
        except Exception:
            report(False, f"{file}::{name}")
for file in sorted(pathlib.Path("src").glob("*_test.rs")):
    if "#[test]" in file.read_text():
        report(True, file, skipped="#[ignore]" in file.read_text())
print(f"1..{number}")
sys.exit(failed)
"##;

/// The repository of the cases with its own Makefile, in a mode and a phase.
fn with_runner(mode: &str, phase: &str) -> Repo {
    let repo = Repo::from_script(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/gate/fixture.sh"
    ));
    repo.write("../home/bin/pytest", PYTEST);
    repo.make_executable("../home/bin/pytest");
    repo.git(&["switch", "-q", "--detach"]);
    repo.git(&["branch", "-q", "-f", "main", "tcr/main"]);
    repo.git(&["branch", "-q", "-D", "tcr/main"]);
    repo.git(&["switch", "-q", "main"]);
    let test = r#"PATH=\"$HOME/bin:$PATH\" make -s test"#;
    repo.write(
        ".tcr.toml",
        &format!("mode = \"{mode}\"\ntest = \"{test}\"\ndebounce_ms = 0\npatience = 0\n"),
    );
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--no-verify", "-m", "config"]);
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    if phase == "green" {
        let test = "def test_mul():\n    from calc import mul\n    assert mul(2, 3) == 6\n";
        repo.write("tests/test_next.py", test);
        repo.run_json();
    }
    assert_eq!(repo.status()["phase"], phase);
    repo
}

/// What the model is told after a file tool did what a case says.
fn after_tool(repo: &Repo, case: &Value) -> String {
    let input = case["input"].to_string();
    let input = input.replace("@REPO@", &repo.root().display().to_string());
    let input: Value = serde_json::from_str(&input).expect("it was JSON");
    let text = |field: &str| input[field].as_str().unwrap_or("");
    let path = text("file_path");
    let tool = match case["tool"].as_str() {
        Some("write") => {
            repo.write(path, text("content"));
            "Write"
        }
        _ => {
            let before = std::fs::read_to_string(path).expect("the file of the fixture");
            assert!(before.contains(text("old_string")), "{case}");
            let edited = before.replacen(text("old_string"), text("new_string"), 1);
            repo.write(path, &edited);
            "Edit"
        }
    };
    let payload = json!({"cwd": repo.root(), "hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_input": input, "tool_response": {}});
    call(repo, "loop", "claude-code", &payload.to_string())
        .success()
        .stdout
}

/// Tests that are weakened, switched off or kept from running: each is seen by what the run says,
/// and none of it unlocks anything.
#[test]
fn what_a_tool_did_to_the_tests_is_seen() {
    let seen = [
        ("harness_tamper-014", "taken back: 1 file"),
        ("harness_tamper-015", "tests that passed no longer do"),
        ("harness_tamper-018", "left no result"),
        ("reward_hack_source-001", "the tests could not run"),
        ("red_phase_weakening-002", "tests that passed no longer do"),
        ("red_phase_weakening-003", "tests still fail"),
        ("red_phase_weakening-006", "bailed out"),
        ("red_phase_weakening-007", "Bail out!"),
    ];
    let mut tried = BTreeSet::new();
    for line in CASES.lines().filter(|line| line.contains("\"detect\"")) {
        let case: Value = serde_json::from_str(line).expect("a case is one line of JSON");
        let text = |field: &str| case[field].as_str().unwrap_or("");
        let left_out = ["limit", "noexec", "debatable"];
        if text("tool") == "bash" || left_out.iter().any(|mark| case.get(mark).is_some()) {
            continue;
        }
        let id = text("id");
        let repo = with_runner(text("mode"), text("phase"));
        let head = repo.git(&["rev-parse", "HEAD"]);
        let told = after_tool(&repo, &case);
        let (_, word) = seen
            .iter()
            .find(|(known, _)| *known == id)
            .unwrap_or_else(|| panic!("{id} is not expected: {told}"));
        assert!(told.contains(word), "{id}: {told}");
        // A test that was written may be a red of its own; nothing else moves on.
        let moves = matches!(id, "red_phase_weakening-002" | "red_phase_weakening-003");
        if !moves {
            assert_eq!(repo.git(&["rev-parse", "HEAD"]), head, "{id}: {told}");
            assert_eq!(repo.status()["phase"], text("phase"), "{id}: {told}");
        }
        tried.insert(id.to_owned());
    }
    assert_eq!(tried.len(), seen.len(), "{tried:?}");
}

/// In mode `tdd` nothing is committed, so the test of the red is still new to git; it was accepted
/// all the same and is nobody's breach.
#[test]
fn what_was_accepted_without_a_commit_is_no_breach() {
    let repo = with_runner("tdd", "green");
    repo.write("src/note.py", "# nothing yet\n");
    let told = after(&repo, "true");
    assert!(!told.contains("does not allow"), "{told}");
}

/// Results that vanish are a regression, whatever made them vanish.
#[test]
fn tests_that_are_not_run_any_more_are_missed() {
    let repo = in_green("both");
    repo.write("run-it", "echo 1..1; echo ok 1 - new\n");
    let told = after(&repo, "true");
    assert!(told.contains("taken back: 1 file"), "{told}");
    assert!(repo.read("run-it").contains("ok 1 - old"));
}
