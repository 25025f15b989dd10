//! HEAD may be switched by hand at any time. Work is only committed where it belongs.

use crate::support::Repo;

#[test]
fn on_the_base_beside_a_wip_branch_the_loop_stands_aside() {
    let repo = Repo::in_green();
    repo.git(&["switch", "-q", "main"]);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let ran = repo.changes_nothing(&["run"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: HEAD is on `main` while its work is on `tcr/main`: nothing was touched
    hint: git switch tcr/main
    ");
    repo.git(&["switch", "-q", "tcr/main"]);
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn what_stands_aside_is_said_by_every_command_that_judges() {
    let repo = Repo::in_green();
    repo.git(&["switch", "-q", "main"]);
    repo.changes_nothing(&["phase", "red", "--why", "x"])
        .exits(2);
    repo.changes_nothing(&["step"]).exits(2);
    repo.changes_nothing(&["recover", "green"]).exits(2);
    let status = repo.changes_nothing(&["status"]).success();
    assert!(
        status.stdout.contains("git switch tcr/main"),
        "{}",
        status.stdout
    );
}

#[test]
fn another_branch_becomes_active_and_what_is_there_is_its_first_step() {
    let repo = Repo::in_green();
    repo.git(&["switch", "-q", "-c", "other", "main"]);
    let wip = repo.commit("tcr/main");
    repo.write("src/new.sh", "new() { echo 1; }\n");
    repo.write("tests/new.t", "[ \"$(new)\" = 2 ]\n");
    let first = repo.run_json();
    assert_eq!(first["why"], "red", "{first}");
    assert_eq!(first["next_phase"], "green", "{first}");
    assert_eq!(repo.read("src/new.sh"), "new() { echo 1; }\n");
    assert_eq!(repo.branch(), "tcr/other");
    assert_eq!(
        repo.commit("tcr/main"),
        wip,
        "the other work is where it was"
    );
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_base_checked_out_in_a_second_worktree_is_not_made_active_there() {
    let repo = Repo::new().installed();
    let second = repo.linked_worktree("second", &["-f"], "main");
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    let before = repo.world();
    let there = repo.tcr_in(&second, &["run"], &[]).exits(2);
    assert_eq!(repo.world(), before);
    assert!(
        there
            .stderr
            .contains("`tcr/main` is checked out in another worktree"),
        "{}",
        there.stderr
    );
    assert!(
        there
            .stderr
            .contains(&format!("hint: cd {}\n", repo.root().display())),
        "{}",
        there.stderr
    );
    let install = repo.tcr_in(&second, &["install", "--yes"], &[]).exits(2);
    assert!(
        install.stderr.contains("checked out in another worktree"),
        "{}",
        install.stderr
    );
    assert_eq!(repo.world(), before);
}

#[test]
fn linked_worktrees_have_their_own_branch_and_state() {
    let repo = Repo::in_green();
    let second = repo.linked_worktree("second", &["-b", "feat/x"], "main");
    let first = repo
        .tcr_in(&second, &["run", "--json"], &[])
        .success()
        .json();
    assert_eq!(first["action"], "none", "{first}");
    assert_eq!(first["base"], "feat/x", "{first}");
    std::fs::write(second.join("tests/sub.t"), "[ \"$(sub 3 2)\" = 1 ]\n").expect("a file");
    let red = repo
        .tcr_in(&second, &["run", "--json"], &[])
        .success()
        .json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["branch"], "tcr/feat/x");
    assert_eq!(
        repo.git(&[
            "-C",
            second.to_str().expect("text"),
            "status",
            "--porcelain"
        ]),
        ""
    );
    assert_eq!(repo.branch(), "tcr/main");
    assert_eq!(repo.status()["phase"], "green");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn a_wip_branch_deleted_by_hand_stays_reachable() {
    let repo = Repo::in_green();
    let tip = repo.commit("tcr/main");
    repo.git(&["switch", "-q", "main"]);
    repo.git_past_hooks(&["branch", "-q", "-D", "tcr/main"]);
    repo.write("tests/other.t", "false\n");
    let red = repo.run_json();
    assert_eq!(red["action"], "commit", "{red}");
    let reachable = repo.git(&["rev-list", "--all"]);
    assert!(reachable.contains(&tip), "the deleted branch's tip is kept");
    let list = repo.tcr(&["recover", "list"]).success();
    assert!(list.stdout.contains("tests/add.t"), "{}", list.stdout);
}

#[test]
fn a_branch_of_somebody_else_is_never_moved() {
    let repo = Repo::new().installed();
    let theirs = repo.git(&["commit-tree", "-m", "theirs", "main^{tree}"]);
    repo.git(&["branch", "tcr/main", &theirs]);
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(
        ran.stderr.contains("`tcr/main` can't be made"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("hint: git branch -m tcr/main NEW-NAME"),
        "{}",
        ran.stderr
    );
    assert_eq!(repo.commit("tcr/main"), theirs);
    assert_eq!(repo.branch(), "main");
    assert!(repo.exists("tests/add.t"));
}

#[test]
fn a_branch_switched_while_the_tests_run_gets_no_commit() {
    let repo = Repo::in_green();
    repo.git(&["branch", "other", "tcr/main"]);
    let other = repo.commit("other");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    repo.during_next_test("git switch -q other");
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(ran.stderr.contains("HEAD"), "{}", ran.stderr);
    assert_eq!(repo.commit("other"), other);
    assert_eq!(repo.commit("tcr/main"), other);
    assert_eq!(repo.porcelain(), "?? src/");
    assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n");
}

#[test]
fn a_branch_that_is_another_name_for_one_is_not_made_active() {
    let repo = Repo::new();
    repo.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    let ran = repo.tcr(&["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: branch `alias` is only another name for `main`
    hint: git switch main
    ");
}

#[test]
fn a_branch_whose_name_is_no_text_is_not_made_active() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new();
    let mut command = repo.command("git");
    command.args(["switch", "-q", "-c"]);
    let made = command
        .arg(std::ffi::OsStr::from_bytes(b"caf\xe9"))
        .status();
    assert!(made.expect("git runs").success());
    let ran = repo.tcr(&["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: the name of branch `caf�` is not UTF-8, and git tcr could not tell it from others
    hint: git branch -m NEW-NAME
    ");
}

#[test]
fn a_wip_branch_deleted_under_head_comes_back_by_its_tip() {
    let repo = Repo::in_green();
    let tip = repo.commit("HEAD");
    repo.git_past_hooks(&["update-ref", "-d", "refs/heads/tcr/main"]);
    let ran = repo.tcr(&["run"]).exits(2);
    let (short, back) = (&tip[..8], format!("update-ref refs/heads/tcr/main {tip}"));
    assert_eq!(
        ran.stderr,
        format!(
            "tcr: branch `tcr/main` was deleted; its last commit was `{short}`\nhint: git {back}\n"
        )
    );
    repo.git(&back.split(' ').collect::<Vec<_>>());
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    assert_eq!(repo.commit("HEAD~1"), tip);
}

#[test]
fn a_report_makes_no_branch_active() {
    let repo = Repo::new().installed();
    repo.git(&["switch", "-q", "-c", "other"]);
    repo.write("src/mine.sh", "mine() { :; }\n");
    let ran = repo.changes_nothing(&["run", "--report"]).exits(2);
    assert!(ran.stderr.contains("hint: git tcr on"), "{}", ran.stderr);
}

#[test]
fn what_becomes_the_baseline_is_said() {
    let repo = Repo::new().installed();
    repo.git(&["switch", "-q", "-c", "other"]);
    repo.write("tests/first.t", "true # mine\n");
    let said = repo.tcr(&["on"]).success().stdout;
    assert!(
        said.contains("uncommitted work is recorded as baseline"),
        "{said}"
    );
    assert!(said.contains("on `tcr/other`: `tests/first.t`"), "{said}");
}

#[test]
fn a_run_on_another_branch_records_no_baseline() {
    let repo = Repo::new().installed();
    repo.git(&["switch", "-q", "-c", "other"]);
    repo.write("src/mine.py", "def mine():\n    return 1\n");
    let first = repo.run_json();
    let taken = serde_json::json!([{"path": "src/mine.py", "why": "unasked"}]);
    assert_eq!(first["taken_back"], taken, "{first}");
    assert_eq!(repo.branch(), "other", "nothing was committed");
}
