//! The freeze gate.

use super::*;

fn refusal(repo: &Repo) -> Value {
    let ran = repo.tcr(&["freeze", "--verdict", "pass", "--by", GRACE, "--json"]);
    ran.exits(1).json()
}

#[test]
fn a_scenario_without_a_test_is_shown() {
    let repo = planned();
    repo.write("tests/adds_two_numbers.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo.tcr(&["run"]);
    let ran = freeze(&repo).exits(1);
    assert!(
        ran.stdout.contains("Adds nothing      missing"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("Adds two numbers  `tests/adds_two_numbers.t`"),
        "{}",
        ran.stdout
    );
    repo.write(
        "tests/zero.t",
        "# Scenario: Adds nothing\n[ \"$(add 4 0)\" = 4 ]\n",
    );
    repo.tcr(&["run"]);
    freeze(&repo).success();
}

#[test]
fn a_test_that_passes_already_is_named() {
    let repo = tested();
    repo.write("tests/always.t", "true\n");
    repo.tcr(&["run"]);
    let found = refusal(&repo);
    assert_eq!(
        found["unfit"],
        json!([{"test": "tests/always.t", "why": "passes_already"}])
    );
    let ran = freeze(&repo).exits(1);
    assert!(
        ran.stdout.contains("`tests/always.t` passes already"),
        "{}",
        ran.stdout
    );
    repo.remove("tests/always.t");
    repo.tcr(&["run"]);
    freeze(&repo).success();
}

#[test]
fn nobody_certifies_their_own_tests() {
    let repo = tested();
    for own in ["Ada <ada@example.com>", "Ada", "ada@example.com", "ADA"] {
        let ran = repo
            .tcr(&["freeze", "--verdict", "pass", "--by", own])
            .exits(1);
        assert!(
            ran.stdout.contains("can't certify"),
            "{own}: {}",
            ran.stdout
        );
    }
    repo.tcr(&["freeze", "--verdict", "pass", "--by", " "])
        .exits(1);
    assert!(
        logged(&repo, "denied", "freeze refused"),
        "{:?}",
        log(&repo)
    );
    freeze(&repo).success();
}

#[test]
fn an_agent_that_the_gate_did_not_see_freezes_nothing() {
    let repo = tested();
    let args = ["freeze", "--verdict", "pass", "--by", "claude-code:s1/x"];
    let ran = repo
        .tcr_in(repo.root(), &args, &[("CLAUDECODE", "1")])
        .exits(1);
    assert!(
        ran.stdout.contains("can't be told who certifies"),
        "{}",
        ran.stdout
    );
    assert_eq!(repo.status()["phase"], "red");
}

#[test]
fn concerns_are_recorded_and_send_the_work_back() {
    let repo = tested();
    repo.write("note.md", "the second test is thin\n");
    for verdict in ["concerns", "blocker"] {
        let args = [
            "freeze",
            "--verdict",
            verdict,
            "--by",
            GRACE,
            "--note",
            "note.md",
        ];
        let ran = repo.tcr(&args).success();
        assert!(ran.stdout.contains("test author:"), "{}", ran.stdout);
    }
    let state = repo.status();
    assert_eq!(state["phase"], "red");
    assert_eq!(state["concerns"][1]["verdict"], "blocker");
    assert_eq!(state["concerns"][0]["notes"], "the second test is thin\n");
    assert!(
        logged(&repo, "concerns", "the second test is thin"),
        "{:?}",
        log(&repo)
    );
    freeze(&repo).success();
}

#[test]
fn results_that_an_agent_brings_freeze_nothing() {
    let repo = planned();
    repo.write("tests/adds_two_numbers.t", "true\n");
    repo.write("tests/adds_nothing.t", "true\n");
    repo.tcr(&["run"]);
    repo.write(
        "results.json",
        r#"{"passed": [], "failed": ["tests/adds_two_numbers.t", "tests/adds_nothing.t"]}"#,
    );
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "results"]);
    repo.tcr(&["run"]);
    repo.tcr_in(
        repo.root(),
        &["ingest", "results.json"],
        &[("CLAUDECODE", "1")],
    );
    let found = refusal(&repo);
    assert_eq!(found["test_results"]["verdict"], "green", "{found}");
    let accepted = repo.status();
    assert_ne!(
        accepted["spec_cycle"]["needs"][0]["met"], true,
        "{accepted}"
    );
}

#[test]
fn an_unconfirmed_red_freezes_nothing() {
    let repo = with_config("test = \"test ! -e tests/adds_two_numbers.t\"\n");
    plan(&repo);
    write_tests(&repo);
    assert_eq!(repo.run_json()["why"], "unconfirmed");
    let ran = freeze(&repo).exits(1);
    assert!(ran.stdout.contains("has to be judged"), "{}", ran.stdout);
}
