//! Commits that are not TCR's are new baselines: they are never built over, reverted or lost.

use crate::support::example::{ASKS, RIGHT, WRONG};
use crate::support::{Ran, Repo};

#[test]
fn a_commit_by_hand_is_a_new_baseline() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    let by_hand = repo.commit("HEAD");
    let ran = repo.run_json();
    assert_ne!(ran["action"], "take_back", "{ran}");
    assert_eq!(repo.commit("HEAD"), by_hand);
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.commit("HEAD~1"), by_hand);
    let log = repo.tcr(&["log"]).success();
    assert!(log.stdout.contains("by-hand"), "{}", log.stdout);
}

#[test]
fn main_merged_into_the_wip_branch_is_a_new_baseline() {
    let repo = Repo::in_green();
    let tree = repo.git(&["write-tree"]);
    let theirs = repo.git(&["commit-tree", "-p", "main", "-m", "theirs", &tree]);
    repo.git(&["branch", "-f", "main", &theirs]);
    repo.git(&["merge", "-q", "-m", "main into wip", "main"]);
    let merge = repo.commit("HEAD");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.commit("HEAD~1"), merge);
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_wip_branch_rewound_by_hand_keeps_its_old_tip() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    let tip = repo.commit("HEAD");
    repo.git_past_hooks(&["reset", "-q", "--hard", "HEAD~1"]);
    let rewound = repo.commit("HEAD");
    repo.tcr(&["run"]);
    assert_eq!(repo.commit("HEAD"), rewound, "the rewind stands");
    assert!(
        repo.git(&["rev-list", "--all"]).contains(&tip),
        "the old tip is kept"
    );
    let list = repo.tcr(&["recover", "list"]).success();
    assert!(list.stdout.contains("src/add.sh"), "{}", list.stdout);
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/add.sh"), RIGHT);
}

#[test]
fn a_commit_made_while_the_tests_run_is_not_dropped() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_next_test("git commit -q --allow-empty -m meanwhile");
    let ran = repo.tcr(&["run"]);
    let meanwhile = repo.git(&["log", "--all", "--format=%H %s"]);
    assert!(
        meanwhile.contains("meanwhile"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert!(
        repo.git(&["log", "--format=%s", "tcr/main"])
            .contains("meanwhile")
    );
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert!(
        repo.git(&["log", "--format=%s", "tcr/main"])
            .contains("meanwhile")
    );
}

#[test]
fn stashed_work_stays_stashed_and_comes_back() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.git(&["stash", "-u", "-q"]);
    let stash = repo.commit("refs/stash");
    let ran = repo.run_json();
    assert_eq!(ran["action"], "none", "{ran}");
    assert_eq!(repo.commit("refs/stash"), stash);
    repo.git(&["stash", "pop", "-q"]);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.show("HEAD:src/add.sh"), RIGHT.trim_end());
}

#[test]
fn edited_docs_do_not_hide_the_result_of_a_commit_by_hand() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", ASKS);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "a failing test"]);
    repo.write("guide.md", "being written\n");
    let red = repo.run_json();
    assert_eq!(red["next_phase"], "green", "{red}");
    let again = repo.run_json();
    assert_eq!(again["action"], "none", "its result is known: {again}");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn a_clock_that_was_wrong_once_hides_no_history() {
    let repo = Repo::in_green();
    let commit_at = |date: &str| {
        let mut command = repo.command("git");
        command.env("GIT_COMMITTER_DATE", date);
        command.args(["commit", "-q", "--allow-empty", "-m", date]);
        Ran::from(command.output().expect("git runs"))
    };
    commit_at("2099-01-01T00:00:00Z").success();
    repo.tcr(&["run"]);
    // The hook lets it through: nothing is taken away.
    commit_at("2020-01-01T00:00:00Z").success();
    repo.tcr(&["run"]);
    let entries = repo.tcr(&["recover", "list", "--json"]).success().json();
    assert_eq!(entries, serde_json::json!([]), "nothing was rewound");
    assert_eq!(repo.status()["phase"], "green");
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "tcr/main"]);
    let ran = repo.tcr(&["run"]);
    assert_ne!(ran.status, 2, "main has it all: {}", ran.stderr);
}

#[test]
fn a_commit_made_while_the_tests_run_is_not_reverted() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    repo.during_next_test("git add -A && git commit -q -m meanwhile");
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(ran.stderr.contains("hint: "), "{}", ran.stderr);
    assert_eq!(repo.read("src/add.sh"), "add() { echo 4; }\n");
    assert_eq!(repo.porcelain(), "", "as it was committed");
    let ran = repo.run_json();
    assert_ne!(ran["action"], "take_back", "it is the new baseline: {ran}");
    assert_eq!(repo.porcelain(), "");
}
