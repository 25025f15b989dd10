//! In the middle of git's own operations the loop touches nothing and says what to do.

use crate::support::Repo;

/// A green repository on `tcr/main`, and a branch `rival` that conflicts with it.
fn with_rival() -> Repo {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo.git(&["branch", "rival", "main"]);
    let second = repo.around().join("second");
    let second = second.to_str().expect("text");
    repo.git(&["worktree", "add", "-q", second, "rival"]);
    std::fs::create_dir(format!("{second}/src")).expect("a folder");
    std::fs::write(format!("{second}/src/add.sh"), "add() { echo three; }\n").expect("a file");
    repo.git(&["-C", second, "add", "-A"]);
    repo.git(&["-C", second, "commit", "-q", "-m", "rival"]);
    repo.git(&["worktree", "remove", "--force", second]);
    repo
}

#[test]
fn during_a_conflict_nothing_is_touched() {
    let operations: [(&[&str], &str, &str); 4] = [
        (
            &["merge", "rival"],
            "a merge is in progress",
            "git merge --abort",
        ),
        (
            &["cherry-pick", "rival"],
            "a cherry-pick is in progress",
            "git cherry-pick --abort",
        ),
        (
            &["rebase", "--no-verify", "rival"],
            "a rebase is in progress",
            "git rebase --abort",
        ),
        (
            &["revert", "--no-edit", "HEAD~1"],
            "a revert is in progress",
            "git revert --abort",
        ),
    ];
    for (operation, says, way_out) in operations {
        let repo = with_rival();
        if operation[0] == "revert" {
            // Reverting the red after its test was changed by hand conflicts.
            repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ] # changed\n");
            repo.git(&["commit", "-q", "-n", "-a", "-m", "by hand"]);
            repo.git(&["commit", "-q", "--allow-empty", "-m", "by hand"]);
            let red = repo.git(&["log", "--format=%H", "--diff-filter=A", "--", "tests/add.t"]);
            assert_ne!(repo.try_git(&["revert", "--no-edit", &red]).status, 0);
        } else {
            assert_ne!(repo.try_git(operation).status, 0, "{operation:?} conflicts");
        }
        for command in [
            &["run"][..],
            &["phase", "refactor"],
            &["step"],
            &["recover", "green"],
        ] {
            let ran = repo.changes_nothing(command).exits(2);
            assert!(ran.stderr.contains(says), "{command:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(way_out), "{command:?}: {}", ran.stderr);
        }
        let install = repo.changes_nothing(&["install", "--yes"]).exits(2);
        assert!(install.stderr.contains(says), "{}", install.stderr);
    }
}

#[test]
fn during_a_bisect_nothing_is_touched() {
    let repo = with_rival();
    repo.git(&["bisect", "start", "HEAD", "main"]);
    let ran = repo.changes_nothing(&["run"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: a bisect is in progress: nothing was touched
    hint: git bisect reset
    ");
    repo.git(&["bisect", "reset"]);
    repo.tcr(&["run"]).success();
}

#[test]
fn unmerged_entries_alone_are_enough() {
    let repo = with_rival();
    repo.write("src/add.sh", "add() { echo drei; }\n");
    repo.git(&["stash"]);
    repo.write("src/add.sh", "add() { echo  3; }\n");
    repo.git(&["commit", "-q", "-n", "-a", "-m", "by hand"]);
    assert_ne!(repo.try_git(&["stash", "pop"]).status, 0);
    let ran = repo.changes_nothing(&["run"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: 1 path in the index is unmerged: nothing was touched
    hint: git status, then git add the resolved paths
    ");
}

#[test]
fn once_it_is_over_the_loop_goes_on() {
    let repo = with_rival();
    assert_ne!(repo.try_git(&["merge", "rival"]).status, 0);
    repo.write("src/add.sh", "add() { echo 3; } # merged\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "merge"]);
    let ran = repo.run_json();
    assert_eq!(ran["verdict"], "green", "{ran}");
    assert_eq!(repo.porcelain(), "");
}
