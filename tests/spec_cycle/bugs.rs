//! A certified test that is said to be wrong.

use super::*;

fn reported(repo: &Repo) -> Value {
    let args = [
        "test-bug",
        "tests/adds-nothing.t:1",
        "4 + 0 is 5 here",
        "--json",
    ];
    repo.tcr(&args).success().json()
}

#[test]
fn source_waits_for_a_persons_decision() {
    let repo = frozen();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let bug = reported(&repo);
    assert_eq!(bug["test_bug"]["number"], 1);
    assert!(
        !repo.exists("src/add.sh"),
        "what is uncommitted is put aside"
    );
    let coder = Agent {
        repo: &repo,
        id: None,
    };
    let reason = coder
        .write("src/add.py", "x = 1\n")
        .expect_err("a person decides");
    assert!(reason.contains("a person decides"), "{reason}");
    assert!(coder.shell("git tcr test-bug accept 1").is_err());
    repo.write("src/more.sh", RIGHT);
    repo.run_json();
    assert!(!repo.exists("src/more.sh"), "the loop puts it back too");
    repo.tcr(&["phase", "done"]).exits(1);
    repo.tcr(&["phase", "refactor"]).exits(1);
    repo.tcr(&["test-bug", "tests/first.t:1", "another"])
        .exits(1);
    let status = repo.tcr(&["status"]).success();
    assert!(
        status.stdout.contains("git tcr test-bug accept 1"),
        "{}",
        status.stdout
    );

    repo.tcr(&["test-bug", "reject", "1"]).success();
    assert_eq!(repo.status()["phase"], "green");
    assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n", "back again");
    repo.tcr(&["test-bug", "reject", "1"]).exits(1);
    repo.assert_tidy("after a rejection");
}

/// While a bug is open somebody edits the file that was put aside.
fn edited_while_open() -> Repo {
    let repo = frozen();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    reported(&repo);
    repo.write("src/add.sh", "add() { echo edited; }\n");
    repo
}

#[test]
fn what_is_edited_while_a_bug_is_open_is_not_overwritten_by_its_rejection() {
    let repo = edited_while_open();
    let ran = repo.tcr(&["test-bug", "reject", "1"]).success();
    assert_eq!(repo.read("src/add.sh"), "add() { echo edited; }\n");
    let left = "recover 1 is back, but for `src/add.sh`: `git tcr recover show 1`";
    assert!(ran.stdout.contains(left), "{}", ran.stdout);
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n");
}

#[test]
fn what_is_edited_while_a_bug_is_open_is_put_aside_by_its_acceptance() {
    let repo = edited_while_open();
    repo.tcr(&["test-bug", "accept", "1"]).success();
    assert!(!repo.exists("src/add.sh"));
    for (number, content) in [
        ("1", "add() { echo 3; }\n"),
        ("2", "add() { echo edited; }\n"),
    ] {
        repo.tcr(&["recover", "restore", number]).success();
        assert_eq!(repo.read("src/add.sh"), content);
    }
}

#[test]
fn an_accepted_bug_goes_back_to_red_and_the_source_comes_back_with_the_freeze() {
    let repo = frozen();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["action"], "commit", "one of two passes");
    repo.write("src/add.sh", RIGHT);
    reported(&repo);
    let oracle = repo.git(&["rev-parse", "refs/tcr/oracle/main"]);
    let ran = repo.tcr(&["test-bug", "accept", "1"]).success();
    assert!(ran.stdout.contains("put aside"), "{}", ran.stdout);
    let state = repo.status();
    assert_eq!(state["phase"], "red");
    assert_eq!(state["test_bugs"][0]["status"], "accepted");
    assert_eq!(
        repo.git(&["rev-parse", "refs/tcr/archive/main/oracle-1"]),
        oracle
    );
    assert!(
        !repo.exists("src/add.sh"),
        "so that the mended test can fail"
    );
    assert_eq!(repo.porcelain(), "");

    repo.write("tests/adds-nothing.t", "[ \"$(add 5 0)\" = 5 ]\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert!(!repo.exists("src/add.sh"), "not yet");
    freeze(&repo).success();
    assert_eq!(repo.read("src/add.sh"), RIGHT, "the source is back");
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
    let evidence = repo.tcr(&["evidence"]).success().stdout;
    assert!(
        evidence.contains("accepted: `tests/adds-nothing.t:1`"),
        "{evidence}"
    );
    assert!(logged(&repo, "test-bug", "accepted 1"), "{:?}", log(&repo));
}

#[test]
fn the_place_has_to_be_in_a_frozen_file() {
    let repo = frozen();
    for (place, status) in [
        ("tests/none.t:1", 1),
        ("src/add.sh:1", 1),
        ("tests/adds-nothing.t:99", 1),
        ("tests/adds-nothing.t:0", 1),
        ("tests/adds-nothing.t", 2),
        ("../x:1", 2),
    ] {
        repo.tcr(&["test-bug", place, "wrong"]).exits(status);
    }
    repo.tcr(&["test-bug"]).exits(2);
    repo.tcr(&["test-bug", "accept", "7"]).exits(1);
}
