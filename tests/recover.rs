//! What was reverted can be listed, looked at and brought back.

use crate::support::Repo;
use crate::support::example::{RIGHT, WRONG};

#[test]
fn list_show_and_restore() {
    let repo = Repo::in_green();
    let empty = repo.tcr(&["recover", "list"]).success();
    assert!(
        empty.stdout.contains("nothing was taken back"),
        "{}",
        empty.stdout
    );
    repo.write("src/add.sh", WRONG);
    repo.run_json();
    repo.write("src/add.sh", "add() { echo 5; }\n");
    repo.run_json();
    let list = repo.tcr(&["recover", "list", "--json"]).success().json();
    assert_eq!(list[0]["number"], 2, "{list}");
    assert_eq!(list[1]["files"], serde_json::json!(["src/add.sh"]));
    let newest = repo.tcr(&["recover", "list", "-n", "1"]).success().stdout;
    assert!(
        newest.contains("   2  ") && !newest.contains("   1  "),
        "{newest}"
    );
    assert!(
        newest.contains("1 older: `git tcr recover list -n 2`"),
        "{newest}"
    );
    let show = repo.tcr(&["recover", "show", "1"]).success().stdout;
    assert!(show.contains("+add() { echo 4; }"), "{show}");
    let missing = repo.changes_nothing(&["recover", "restore", "9"]).exits(2);
    assert!(
        missing.stderr.contains("hint: git tcr recover list"),
        "{}",
        missing.stderr
    );
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/add.sh"), WRONG);
}

#[test]
fn a_restore_over_present_work_saves_it_first() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    assert_eq!(repo.run_json()["recover"], 1);
    repo.write("src/add.sh", "add() { echo mine; }\n");
    repo.write("src/other.sh", "other() { :; }\n");
    let restored = repo
        .tcr(&["recover", "restore", "1", "--json"])
        .success()
        .json();
    assert_eq!(restored["saved"], 2, "{restored}");
    assert_eq!(repo.read("src/add.sh"), WRONG);
    assert_eq!(
        repo.read("src/other.sh"),
        "other() { :; }\n",
        "what is not in the entry stays"
    );
    repo.tcr(&["recover", "restore"]).success();
    assert_eq!(
        repo.read("src/add.sh"),
        "add() { echo mine; }\n",
        "the last one without a number"
    );
}

#[test]
fn a_restored_deletion_deletes_again() {
    let repo = Repo::new()
        .with("src/lib.py", "def lib():\n    return 1\n")
        .committed()
        .installed();
    repo.remove("src/lib.py");
    let outcome = repo.run_json();
    let gone = serde_json::json!([{"path": "src/lib.py", "why": "unasked"}]);
    assert_eq!(outcome["taken_back"], gone, "{outcome}");
    assert!(repo.exists("src/lib.py"));
    repo.tcr(&["recover", "restore", "1"]).success();
    assert!(!repo.exists("src/lib.py"));
}

#[test]
fn restored_work_is_judged_again_once_it_changes() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.run_json();
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.run_json()["action"], "keep");
    repo.write("src/add.sh", "add() { echo 6; }\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    repo.tcr(&["recover", "restore", "1"]).success();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn back_to_the_last_green_keeps_the_present_work() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    let green = repo.tree("HEAD");
    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/sub.sh", "sub() { echo 9; }\n");
    repo.write("README.md", "# mine\n");
    let back = repo.tcr(&["recover", "green", "--json"]).success().json();
    assert!(!repo.exists("src/sub.sh") && !repo.exists("tests/sub.t"));
    assert_eq!(repo.read("README.md"), "# mine\n", "docs stay");
    assert!(repo.reaches("sub() { echo 9; }\n"), "{back}");
    repo.remove("README.md");
    repo.git(&["rm", "-q", "--cached", "--ignore-unmatch", "README.md"]);
    assert_eq!(repo.git(&["diff", "--name-only", &green]), "");
    // The result of the green counts again.
    let status = repo.status();
    assert_eq!(status["phase"], "red");
    let outcome = repo.run_json();
    assert_eq!(outcome["verdict"], "green", "{outcome}");
    repo.write("tests/mul.t", "[ \"$(mul 3 2)\" = 6 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    repo.tcr(&["recover", "restore", &back["saved"].to_string()])
        .success();
    assert_eq!(repo.read("src/sub.sh"), "sub() { echo 9; }\n");
}

#[test]
fn facts_as_json() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.run_json();
    let status = repo.status();
    for field in [
        "version",
        "enabled",
        "mode",
        "phase",
        "cycle",
        "fork",
        "accepted_tree",
        "spec",
        "plan",
        "known_failures",
        "test_results",
        "stats",
        "authors",
        "started_at",
        "phase_entered_at",
        "step",
        "hold",
        "pending",
        "base",
        "branch",
        "test",
    ] {
        assert!(status.get(field).is_some(), "{field}: {status}");
    }
    for field in [
        "commits",
        "reverts",
        "revert_streak",
        "last_revert_reason",
        "denials",
        "last_activity",
        "session_start",
    ] {
        assert!(status["stats"].get(field).is_some(), "{field}: {status}");
    }
    assert_eq!(status["stats"]["reverts"], 1);
    let log = repo.tcr(&["log", "--json"]).success().json();
    let kinds: Vec<&str> = log
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    assert_eq!(kinds, ["revert", "commit", "activate"]);
    let one = repo.tcr(&["log", "--json", "-n", "1"]).success().json();
    assert_eq!(one.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_restored_deletion_of_a_file_takes_no_folder() {
    let repo = Repo::new().with("thing", "a file\n").committed();
    let repo = repo.installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.remove("thing");
    repo.write("other.json", "{}\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    repo.remove("thing");
    repo.write("thing/inside.json", "new work\n");
    let restored = repo.tcr(&["recover", "restore", "1", "--json"]).success();
    assert_eq!(restored.json()["files"], serde_json::json!(["other.json"]));
    assert_eq!(repo.read("thing/inside.json"), "new work\n");
    assert_eq!(repo.read("other.json"), "{}\n");
}
