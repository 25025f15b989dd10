//! `push` and `fetch`: evidence goes to other machines and back, nothing is rewound, and what two
//! machines have of one branch is both kept.

use crate::support::Repo;
use crate::support::example::RIGHT;

/// A squashed cycle, pushed to a remote on disk.
fn pushed() -> Repo {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["squash"]).success();
    let repo = repo.with_remote();
    repo.git(&["push", "-q", "origin", "main"]);
    repo.tcr(&["push"]).success();
    repo
}

fn refs(repo: &Repo, place: &std::path::Path) -> String {
    repo.git(&[
        "-C",
        place.to_str().expect("text"),
        "for-each-ref",
        "--format=%(objectname) %(refname)",
    ])
}

#[test]
fn another_clone_can_verify() {
    let repo = pushed();
    let other = repo.clone_of_remote("main", "other");
    let ran = repo.tcr_in(&other, &["fetch"], &[]).success();
    assert!(ran.stdout.contains("notes merged"), "{}", ran.stdout);
    let ran = repo.tcr_in(&other, &["verify", "--replay"], &[]).success();
    assert!(ran.stdout.contains("1 cycle, 2 commits"), "{}", ran.stdout);
    repo.tcr_in(&other, &["verify", "HEAD~1..HEAD"], &[])
        .success();
    let note = repo.git(&[
        "-C",
        other.to_str().expect("text"),
        "notes",
        "--ref=tcr",
        "show",
        "HEAD",
    ]);
    assert!(note.contains("phase: squash"), "{note}");
    let found = refs(&repo, &other);
    assert!(
        !found.contains(" refs/notes/tcr-results"),
        "results of others are never used: {found}"
    );
    let before = refs(&repo, &other);
    repo.tcr_in(&other, &["fetch"], &[]).success();
    assert_eq!(
        refs(&repo, &other),
        before,
        "a second fetch has nothing to do"
    );
}

#[test]
fn one_byte_of_a_test_changed_over_there_is_caught() {
    let repo = pushed();
    let other = repo.clone_of_remote("main", "other");
    repo.tcr_in(&other, &["fetch"], &[]).success();
    let at = other.to_str().expect("text");
    let name = repo.git(&[
        "-C",
        at,
        "for-each-ref",
        "--format=%(refname)",
        "refs/tcr/remotes/origin/*/archive/main/1",
    ]);
    let green = repo.git(&["-C", at, "rev-parse", &name]);
    let message = repo.git(&["-C", at, "log", "-1", "--format=%B", &green]);
    repo.write("../changed", "[ \"$(add 1 2)\" = 4 ]\n");
    let blob = repo.git(&[
        "-C",
        at,
        "hash-object",
        "-w",
        repo.around().join("changed").to_str().expect("text"),
    ]);
    repo.git(&["-C", at, "read-tree", &green]);
    repo.git(&[
        "-C",
        at,
        "update-index",
        "--cacheinfo",
        &format!("100644,{blob},tests/add.t"),
    ]);
    let tree = repo.git(&["-C", at, "write-tree"]);
    let forged = repo.git(&[
        "-C",
        at,
        "commit-tree",
        "-p",
        &format!("{green}^"),
        "-m",
        &message,
        &tree,
    ]);
    repo.git(&["-C", at, "update-ref", &name, &forged]);
    for args in [&["verify"][..], &["verify", "--replay"]] {
        let ran = repo.tcr_in(&other, args, &[]).exits(1);
        assert!(ran.stdout.contains(&forged[..8]), "{}", ran.stdout);
        assert!(
            ran.stdout
                .contains("tests changed between red and green: `tests/add.t`"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn reverted_work_is_pushed_only_when_asked() {
    let repo = pushed();
    let remote = repo.remote();
    repo.write("src/more.py", "def more(n):\n    return n + 1\n");
    repo.tcr(&["run"]).exits(1);
    repo.tcr(&["push"]).success();
    assert!(!refs(&repo, &remote).contains("/reverts/"));
    repo.tcr(&["push", "--reverts"]).success();
    let found = refs(&repo, &remote);
    assert!(found.contains("/reverts/main/1"), "{found}");
    assert!(!found.contains("/pending/"), "{found}");
}

#[test]
fn two_machines_with_one_branch_are_both_kept() {
    let repo = pushed();
    let remote = repo.remote();
    let other = repo.clone_of_remote("main", "other");
    repo.tcr_in(&other, &["install", "--yes"], &[]).success();
    std::fs::write(other.join("tests/sub.t"), "[ \"$(sub 3 1)\" = 2 ]\n").expect("a file");
    repo.tcr_in(&other, &["run"], &[]).success();
    repo.tcr_in(&other, &["push"], &[]).success();
    let found = refs(&repo, &remote);
    let states: Vec<&str> = found
        .lines()
        .filter(|line| line.ends_with("/state/main"))
        .collect();
    assert_eq!(states.len(), 2, "{found}");
    repo.tcr(&["fetch"]).success();
    let here = refs(&repo, repo.root());
    let theirs: Vec<&str> = here
        .lines()
        .filter(|line| line.contains("refs/tcr/remotes/origin/"))
        .collect();
    assert!(
        theirs.iter().any(|line| line.ends_with("/state/main")),
        "{here}"
    );
    assert!(
        !theirs.iter().any(|line| line.contains("/archive/")),
        "our own stays out: {here}"
    );
    repo.tcr(&["run"]).success();
}

#[test]
fn a_copied_clone_takes_an_id_of_its_own() {
    let repo = pushed();
    let remote = repo.remote();
    let copy = repo.copy();
    for (one, name) in [(&repo, "sub"), (&copy, "mul")] {
        one.write(&format!("tests/{name}.t"), &format!("{name} 1\n"));
        assert_eq!(one.run_json()["why"], "red");
    }
    repo.tcr(&["push"]).success();
    let before = refs(&repo, &remote);
    let ran = copy.tcr(&["push"]).success();
    assert!(ran.stdout.contains("a new id"), "{}", ran.stdout);
    let after = refs(&repo, &remote);
    for line in before.lines() {
        assert!(after.contains(line), "{line} is gone: {after}");
    }
    assert_eq!(
        after
            .lines()
            .filter(|line| line.ends_with("/state/main"))
            .count(),
        2,
        "{after}"
    );
    copy.tcr(&["push"]).success();
}

#[test]
fn what_went_back_over_there_stays_here() {
    let repo = pushed();
    let remote = repo.remote();
    let other = repo.clone_of_remote("main", "other");
    repo.tcr_in(&other, &["fetch"], &[]).success();
    let found = refs(&repo, &remote);
    let state = found.lines().find_map(|line| {
        line.split(' ')
            .nth(1)
            .filter(|name| name.ends_with("/state/main"))
    });
    let state = state.expect("a state");
    let at = remote.to_str().expect("text");
    repo.git(&["-C", at, "update-ref", state, &format!("{state}~1")]);
    let before = refs(&repo, &other);
    let ran = repo.tcr_in(&other, &["fetch"], &[]).exits(1);
    assert!(
        ran.stdout.contains("went back over there"),
        "{}",
        ran.stdout
    );
    assert_eq!(refs(&repo, &other), before);
}

#[test]
fn failures_are_told_in_git_s_words() {
    let repo = Repo::new().installed();
    let ran = repo.tcr(&["push"]).exits(2);
    assert!(ran.stderr.contains("no remote"), "{}", ran.stderr);
    let ran = repo.tcr(&["fetch", "/nowhere/at/all"]).exits(2);
    assert!(ran.stderr.contains("/nowhere/at/all"), "{}", ran.stderr);
    let ran = repo.tcr(&["push", "/nowhere/at/all"]).exits(2);
    assert!(ran.stderr.contains("/nowhere/at/all"), "{}", ran.stderr);
}

/// Killed anywhere, a push or a fetch is done by doing it again, and the remote lost nothing.
#[test]
fn killed_and_done_again() {
    let repo = pushed();
    let remote = repo.remote();
    let other = repo.clone_of_remote("main", "other");
    repo.write("tests/sub.t", "sub 1\n");
    assert_eq!(repo.run_json()["why"], "red");
    for point in ["clone-named", "pushed", "refs-locked", "objects-written"] {
        let fault = format!("kill:{point}#1");
        let there = refs(&repo, &remote);
        repo.tcr_in(repo.root(), &["push"], &[("GIT_TCR_FAULT", &fault)]);
        let now = refs(&repo, &remote);
        let names = |text: &str| -> Vec<String> {
            text.lines()
                .filter_map(|line| line.split(' ').nth(1))
                .map(str::to_owned)
                .collect()
        };
        assert!(
            names(&there).iter().all(|name| names(&now).contains(name)),
            "{point}: {now}"
        );
        repo.tcr(&["push"]).success();
    }
    for point in ["fetched", "notes-merged", "refs-locked"] {
        let fault = format!("kill:{point}#1");
        let killed = repo.tcr_in(&other, &["fetch"], &[("GIT_TCR_FAULT", &fault)]);
        assert!(
            matches!(killed.status, -1 | 0),
            "{point}: {}",
            killed.stderr
        );
        repo.tcr_in(&other, &["fetch"], &[]).success();
        repo.tcr_in(&other, &["verify"], &[]).success();
        let at = other.to_str().expect("text");
        repo.git(&["-C", at, "update-ref", "-d", "refs/notes/tcr"]);
    }
    repo.tcr_in(&other, &["fetch"], &[]).success();
}

#[test]
fn a_clone_stays_itself_when_it_is_set_up_again() {
    let repo = pushed();
    let remote = repo.remote();
    repo.tcr(&["uninstall"]).success();
    repo.tcr(&["install", "--yes"]).success();
    let ran = repo.tcr(&["push"]).success();
    assert!(!ran.stdout.contains("new id"), "{}", ran.stdout);
    let clones = refs(&repo, &remote);
    let configs = clones.lines().filter(|line| line.ends_with("/config"));
    assert_eq!(configs.count(), 1, "{clones}");
}
