//! `git tcr spike`: a time-out from the rules, and what becomes of the work done in it.

use serde_json::Value;

use crate::support::example::RIGHT;
use crate::support::{PROGRAM, Repo};

fn started() -> Repo {
    let repo = Repo::in_green();
    repo.tcr(&["spike", "start", "--why", "is it fast enough?"])
        .success();
    repo
}

#[test]
fn while_it_is_open_nothing_is_tested_committed_or_reverted() {
    let repo = started();
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write("src/add.sh", "if\n");
    repo.write("tests/add.t", "true\n");
    let ran = repo.run_json();
    assert_eq!(ran["action"], "none");
    assert_eq!(ran["test_results"], Value::Null);
    assert_eq!(repo.read("src/add.sh"), "if\n");
    assert_eq!(repo.read("tests/add.t"), "true\n");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    let status = repo.tcr(&["status"]).success();
    assert!(
        status.stdout.contains("a spike is open"),
        "{}",
        status.stdout
    );
    assert!(status.stdout.contains("hint: git tcr spike drop"));
}

#[test]
fn dropped_the_work_is_kept_for_recover() {
    let repo = started();
    let before = repo.git(&["rev-parse", "HEAD"]);
    repo.write("src/add.sh", RIGHT);
    repo.write("notes/idea.md", "an idea\n");
    repo.remove("tests/first.t");
    let dropped = repo.tcr(&["spike", "drop", "--json"]).success().json();
    assert_eq!(repo.porcelain(), "");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), before);
    assert!(!repo.exists("notes"));
    let number = dropped["recover"].as_u64().expect("an entry");
    let kept = format!("refs/tcr/reverts/main/{number}");
    assert_eq!(repo.show(&format!("{kept}:src/add.sh")), RIGHT.trim_end());
    assert_eq!(repo.show(&format!("{kept}:notes/idea.md")), "an idea");
    let state = repo.status();
    assert_eq!(
        (&state["phase"], &state["mode"]),
        (&"green".into(), &"both".into())
    );
    repo.tcr(&["recover", "restore", &number.to_string()])
        .success();
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    repo.assert_tidy("after a spike");
}

#[test]
fn what_was_uncommitted_before_comes_back() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "# half a thought\n");
    repo.write("data.cfg", "1\n");
    repo.git(&["add", "data.cfg"]);
    let started = repo.tcr(&["spike", "start", "--json"]).success().json();
    assert!(started["recover"].is_u64(), "{started}");
    repo.write("src/add.sh", RIGHT);
    repo.remove("data.cfg");
    repo.tcr(&["spike", "drop"]).success();
    assert_eq!(repo.read("src/add.sh"), "# half a thought\n");
    assert_eq!(repo.read("data.cfg"), "1\n");
}

#[test]
fn commits_made_in_a_dropped_spike_stay_in_the_history() {
    let repo = started();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "an experiment"]);
    let experiment = repo.git(&["rev-parse", "HEAD"]);
    repo.tcr(&["spike", "drop"]).success();
    assert_eq!(repo.git(&["rev-parse", "HEAD^{tree}"]), tree);
    assert_eq!(repo.git(&["rev-parse", "HEAD^"]), experiment);
    assert_eq!(repo.porcelain(), "");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn kept_it_is_named_as_untested_in_the_squash() {
    let repo = started();
    repo.write("src/add.sh", RIGHT);
    let kept = repo.tcr(&["spike", "keep", "--json"]).success().json();
    assert_eq!(kept["files"], serde_json::json!(["src/add.sh"]));
    assert_eq!(repo.porcelain(), "");
    let message = repo.git(&["log", "-1", "--format=%B", "tcr/main"]);
    assert!(message.contains("TCR-Phase: spike"), "{message}");
    assert!(message.contains("TCR-Untested: src/add.sh"), "{message}");
    repo.tcr(&["run"]).success();
    let squash = repo.tcr(&["squash", "--json"]).success().json();
    let body = squash["body"].as_str().expect("a text");
    assert!(
        body.contains("Untested, kept from a spike:\n\n- `src/add.sh`"),
        "{body}"
    );
    let message = repo.git(&["log", "-1", "--format=%B", "main"]);
    assert!(message.contains("TCR-Untested: 1"), "{message}");
}

#[test]
fn commits_made_in_a_kept_spike_are_untested_too() {
    let repo = started();
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "an experiment"]);
    let kept = repo.tcr(&["spike", "keep", "--json"]).success().json();
    assert_eq!(kept["files"], serde_json::json!(["src/add.sh"]));
}

#[test]
fn a_spike_that_changed_nothing_leaves_nothing() {
    for end in ["drop", "keep"] {
        let repo = started();
        let head = repo.git(&["rev-parse", "HEAD"]);
        repo.tcr(&["spike", end]).success();
        assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
        assert_eq!(
            repo.tcr(&["recover", "--json"]).success().json(),
            serde_json::json!([])
        );
        assert_eq!(repo.status()["mode"], "both");
        repo.assert_tidy(end);
    }
}

#[test]
fn one_at_a_time_and_only_where_the_rules_hold() {
    let repo = started();
    repo.tcr(&["spike", "start"]).exits(1);
    // Both would take what the spike holds for tested work.
    repo.tcr(&["on"]).exits(1);
    repo.tcr(&["squash"]).exits(1);
    repo.tcr(&["spike", "drop"]).success();
    repo.tcr(&["spike", "drop"]).exits(1);
    repo.tcr(&["spike", "keep"]).exits(1);
    repo.tcr(&["off"]).success();
    repo.tcr(&["spike", "start"]).exits(1);
}

#[test]
fn it_is_for_people() {
    let repo = Repo::in_green();
    for action in ["start", "drop", "keep"] {
        let mut command = repo.command(PROGRAM);
        command.args(["spike", action]).env("CLAUDECODE", "1");
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("is for people"), "{said}");
    }
}

#[test]
fn what_waits_for_its_end_names_the_way_out() {
    let repo = started();
    for args in [
        &["phase", "red", "--why", "x"][..],
        &["step"],
        &["phase", "refactor"],
    ] {
        let refused = repo.tcr(args).exits(1);
        assert!(
            refused.stderr.contains("hint: git tcr spike drop"),
            "{args:?}: {}",
            refused.stderr
        );
    }
}
