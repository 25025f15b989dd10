//! The base branch is the user's: it may move, be renamed, rebased or deleted, and the work on the
//! WIP branch goes on.

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT, WRONG};

fn commit_on(repo: &Repo, branch: &str, path: &str) {
    let elsewhere = repo.around().join("elsewhere");
    let elsewhere = elsewhere.to_str().expect("text");
    repo.git(&["worktree", "add", "-q", "-f", elsewhere, branch]);
    std::fs::write(format!("{elsewhere}/{path}"), "more\n").expect("a file");
    repo.git(&["-C", elsewhere, "add", "-A"]);
    repo.git(&["-C", elsewhere, "commit", "-q", "-m", "by somebody else"]);
    repo.git(&["worktree", "remove", "--force", elsewhere]);
}

#[test]
fn a_base_that_moved_on_does_not_disturb_the_work() {
    let repo = Repo::in_green();
    let fork = repo.status()["fork"].clone();
    commit_on(&repo, "main", "more.txt");
    let moved = repo.commit("main");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.commit("main"), moved, "the base is never touched");
    assert_eq!(repo.status()["fork"], fork);
}

#[test]
fn the_fork_is_where_the_first_wip_commit_starts() {
    let repo = Repo::new().installed().with("notes.txt", "n\n").committed();
    let start = repo.commit("main");
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    assert_eq!(repo.status()["fork"], start.as_str());
    assert_eq!(repo.commit("tcr/main~1"), start);
}

#[test]
fn a_base_that_took_the_work_in_is_the_new_fork() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "take it in", "tcr/main"]);
    let merged = repo.commit("main");
    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.branch(), "tcr/main");
    assert_eq!(repo.commit("tcr/main~1"), merged);
    assert_eq!(repo.status()["fork"], merged.as_str());
}

#[test]
fn a_rename_is_followed_while_head_is_on_the_wip_branch() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    assert_eq!(repo.run_json()["recover"], 1);
    repo.git(&["branch", "-m", "main", "feat/trunk"]);
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["base"], "feat/trunk");
    assert_eq!(repo.branch(), "tcr/feat/trunk");
    assert_eq!(repo.porcelain(), "");
    let refs = repo.git(&["for-each-ref", "--format=%(refname)"]);
    assert!(!refs.contains("refs/heads/tcr/main"), "{refs}");
    assert!(!refs.contains("refs/tcr/state/main"), "{refs}");
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/add.sh"), WRONG);
}

#[test]
fn a_rename_is_followed_while_head_is_on_the_base() {
    let repo = Repo::new().installed();
    repo.git(&["branch", "-m", "trunk"]);
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.branch(), "tcr/trunk");
    let log = repo.tcr(&["log", "--json"]).success().json();
    let first = log
        .as_array()
        .and_then(|events| events.last())
        .expect("events");
    assert_eq!(first["event"], "activate", "the history came along: {log}");
}

#[test]
fn every_command_follows_a_rename() {
    let repo = Repo::in_green();
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.tcr(&["mode", "relaxed"]).success();
    repo.tcr(&["step"]).success();
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["mode"], "relaxed");
    assert_eq!(repo.status()["base"], "trunk");

    let repo = Repo::new().installed();
    repo.git(&["branch", "-m", "trunk"]);
    repo.tcr(&["mode", "tcr"]).success();
    assert_eq!(repo.status()["mode"], "tcr");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["mode"], "tcr");
    assert_eq!(repo.branch(), "tcr/trunk");
}

#[test]
fn a_rename_onto_a_name_that_is_taken_keeps_the_old_names() {
    let repo = Repo::in_green();
    repo.git(&["branch", "tcr/trunk", "main"]);
    let theirs = repo.commit("tcr/trunk");
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.branch(), "tcr/main");
    assert_eq!(
        repo.commit("tcr/trunk"),
        theirs,
        "somebody else's branch stays"
    );
}

#[test]
fn a_base_that_was_deleted_does_not_stop_the_work() {
    let repo = Repo::in_green();
    repo.git(&["branch", "-D", "main"]);
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.porcelain(), "");
    repo.tcr(&["status"]).success();
}

#[test]
fn a_rebased_base_leaves_the_work_where_it_is() {
    let repo = Repo::new().with("a.txt", "a\n").committed().installed();
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    let other = repo.git(&["commit-tree", "-m", "rewritten", "main^{tree}"]);
    repo.git(&["branch", "-f", "main", &other]);
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.commit("main"), other);
}

#[test]
fn reverted_work_is_listed_right_after_a_rename() {
    let repo = Repo::new().installed();
    let source = "def add(a, b):\n    return a + b\n";
    repo.write("src/add.py", source);
    repo.tcr(&["run"]).exits(1);
    repo.git(&["branch", "-m", "main", "trunk"]);
    let list = repo.tcr(&["recover", "--json"]).success().json();
    assert_eq!(list[0]["files"][0], "src/add.py", "{list}");
    repo.tcr(&["recover", "show", "1"]).success();
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/add.py"), source);
}
