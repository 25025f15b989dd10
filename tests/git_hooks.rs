//! Git's own hooks hold everybody to the rules, and are in nobody's way otherwise.

use crate::support::example::{ASKS, RIGHT, WRONG};
use crate::support::world::feed;
use crate::support::{Ran, Repo};

impl Repo {
    /// Runs a piece of shell in the repository.
    pub(crate) fn shell(&self, script: &str) -> Ran {
        Ran::from(
            self.command("sh")
                .args(["-c", script])
                .output()
                .expect("sh runs"),
        )
    }
}

/// Git refuses, and says what we have against it.
fn refused(repo: &Repo, args: &[&str], why: &str) {
    let before = repo.git(&["for-each-ref"]);
    let ran = repo.try_git(args);
    assert_ne!(ran.status, 0, "git {args:?} went through");
    assert!(ran.stderr.contains(why), "git {args:?}: {}", ran.stderr);
    assert_eq!(repo.git(&["for-each-ref"]), before, "git {args:?}");
}

#[test]
fn a_git_directory_apart_from_its_worktree_is_guarded() {
    let repo = Repo::new();
    repo.git(&["init", "-q", "--separate-git-dir", "../apart"]);
    let repo = repo.installed();
    let own = "belongs to git tcr";
    refused(&repo, &["update-ref", "refs/tcr/new", "HEAD"], own);
    let elsewhere = repo.shell("cd / && git --git-dir=\"$OLDPWD/../apart\" update-ref refs/tcr/new $(git -C \"$OLDPWD\" rev-parse HEAD)");
    assert!(elsewhere.stderr.contains(own), "{}", elsewhere.stderr);
    // The other hooks find the worktree as well.
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("tests/add.t", "true\n");
    let ran = repo.try_git(&["commit", "-qam", "weaker"]);
    assert!(ran.stderr.contains("`tests/add.t`"), "{}", ran.stderr);
    repo.tcr(&["uninstall"]).success();
}

#[test]
fn a_bare_repository_with_worktrees_is_guarded() {
    let repo = Repo::new();
    repo.shell(
        "git clone -q --bare . ../bare.git && git -C ../bare.git worktree add -q ../work main",
    )
    .success();
    let work = repo.around().join("work");
    repo.tcr_in(&work, &["install", "--yes"], &[]).success();
    let own = "belongs to git tcr";
    for folder in ["work", "bare.git"] {
        let line = format!("git -C ../{folder} update-ref -d refs/tcr/config");
        let ran = repo.shell(&line);
        assert!(ran.stderr.contains(own), "{folder}: {}", ran.stderr);
    }
    // It can be pushed to as any other.
    repo.git(&["push", "-q", "../bare.git", "main:refs/heads/other"]);
    repo.tcr_in(&work, &["uninstall"], &[]).success();
    repo.shell("git -C ../bare.git update-ref refs/tcr/new refs/heads/main")
        .success();
}

#[test]
fn nobody_but_git_tcr_moves_its_refs_and_notes() {
    let repo = Repo::in_green();
    let own = "belongs to git tcr";
    for name in [
        "refs/tcr/config",
        "refs/tcr/state/main",
        "refs/notes/tcr",
        "refs/notes/tcr-results",
    ] {
        refused(&repo, &["update-ref", name, "HEAD~1"], own);
        refused(&repo, &["update-ref", "-d", name], own);
    }
    refused(&repo, &["update-ref", "refs/tcr/new", "HEAD"], own);
    refused(
        &repo,
        &["symbolic-ref", "refs/tcr/new", "refs/heads/main"],
        own,
    );
    refused(
        &repo,
        &["notes", "--ref", "tcr", "add", "-f", "-m", "mine"],
        own,
    );
    refused(&repo, &["fetch", "-q", ".", "main:refs/tcr/new"], own);
    // One of ours among others stops all of them.
    let mut command = repo.command("git");
    command.args(["update-ref", "--stdin"]);
    let lines = b"create refs/heads/other HEAD\ndelete refs/tcr/config\n";
    assert_ne!(feed(command, lines).status, 0);
    assert_ne!(
        repo.try_git(&["rev-parse", "-q", "--verify", "other"])
            .status,
        0
    );
}

#[test]
fn one_of_ours_at_the_end_of_a_long_list_is_seen() {
    let repo = Repo::in_green();
    let script =
        "i=0; while [ $i -lt 400 ]; do echo \"create refs/tags/t$i HEAD\"; i=$((i+1)); done";
    let all = format!("({script}; echo 'delete refs/tcr/config') | git update-ref --stdin");
    assert_ne!(repo.shell(&all).status, 0);
    repo.git(&["rev-parse", "refs/tcr/config"]);
    repo.shell(&format!("({script}) | git update-ref --stdin"))
        .success();
    assert_eq!(repo.git(&["tag"]).lines().count(), 400);
}

#[test]
fn the_wip_branch_is_neither_deleted_nor_rewound() {
    let repo = Repo::in_green();
    refused(
        &repo,
        &["commit", "-q", "--amend", "-m", "other"],
        "would lose commits",
    );
    refused(
        &repo,
        &["update-ref", "refs/heads/tcr/main", "main"],
        "would lose commits",
    );
    refused(
        &repo,
        &["reset", "-q", "--soft", "HEAD~1"],
        "would lose commits",
    );
    repo.git(&["switch", "-q", "main"]);
    refused(&repo, &["branch", "-D", "tcr/main"], "is not deleted");
    refused(
        &repo,
        &["branch", "-f", "tcr/main", "main"],
        "would lose commits",
    );
    refused(
        &repo,
        &["update-ref", "-d", "refs/heads/tcr/main"],
        "is not deleted",
    );
}

#[test]
fn the_way_out_of_a_refused_amend_or_reset_loses_no_edit() {
    let repo = Repo::in_green();
    repo.write("data.json", "{}\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "data"]);
    repo.write("data.json", "[]\n");
    let amend = ["commit", "-q", "-a", "--amend", "--no-edit"];
    let ran = repo.try_git(&amend);
    assert!(ran.stderr.contains("`git stash`"), "{}", ran.stderr);
    repo.git(&["stash", "-q"]);
    assert_eq!(repo.porcelain(), "");
    assert!(repo.reaches("[]\n"));
    // Of this one git finds out only after it has changed the files.
    let ran = repo.try_git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert!(ran.stderr.contains("`git stash`"), "{}", ran.stderr);
    repo.git(&["stash", "-q"]);
    assert_eq!(repo.porcelain(), "");
    assert_eq!(repo.read("data.json"), "{}\n");
}

#[test]
fn branches_that_only_look_like_ours_are_free() {
    let repo = Repo::in_green();
    repo.git(&["branch", "tcr/mine", "main"]);
    repo.git(&["branch", "-f", "tcr/mine", "HEAD"]);
    repo.git(&["branch", "-D", "tcr/mine"]);
    repo.git(&["notes", "--ref", "other", "add", "-m", "mine"]);
}

#[test]
fn everyday_git_goes_through_on_the_wip_branch() {
    let repo = Repo::in_green().with_remote();
    repo.write("src/add.sh", RIGHT);
    repo.git(&["stash", "-u", "-q"]);
    repo.git(&["stash", "pop", "-q"]);
    repo.git(&["pack-refs", "--all", "--prune"]);
    assert_eq!(repo.run_json()["why"], "green");
    repo.git(&["pack-refs", "--all", "--prune"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.git(&[
        "maintenance",
        "run",
        "--task=gc",
        "--task=pack-refs",
        "--quiet",
    ]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["update-ref", "refs/remotes/origin/gone", "HEAD"]);
    repo.git(&["fetch", "-q", "--prune", "origin"]);
    assert!(!repo.git(&["for-each-ref"]).contains("origin/gone"));
    repo.git(&["tag", "v1"]);
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked", "main"]);
    repo.git(&["worktree", "remove", "--force", "../linked"]);
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    let before = repo.status();
    assert_eq!(before["phase"], "red", "{before}");
    // The state survived the packing.
    repo.git(&["rev-parse", "refs/tcr/config"]);
    repo.tcr(&["log"]).success();
}

#[test]
fn a_commit_by_hand_is_held_to_the_phase() {
    let repo = Repo::in_green();
    repo.write("tests/add.t", "true\n");
    refused(
        &repo,
        &["commit", "-q", "-a", "-m", "weaker"],
        "`tests/add.t`",
    );
    repo.git(&["restore", "tests/add.t"]);
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    let message = repo.git(&["log", "-1", "--format=%B"]);
    assert_eq!(message.trim(), "by hand\n\nTCR-Phase: hand\nTCR-Cycle: 1");
}

#[test]
fn what_is_not_staged_is_not_held_against_a_commit() {
    let repo = Repo::in_green();
    repo.write("tests/add.t", "true\n");
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "src/add.sh"]);
    repo.git(&["commit", "-q", "-m", "source only"]);
    repo.write("src/more.sh", "more() { :; }\n");
    repo.git(&["add", "-N", "src/more.sh"]);
    refused(
        &repo,
        &["commit", "-q", "-m", "paths", "src/more.sh", "tests/add.t"],
        "`tests/add.t`",
    );
    repo.git(&["commit", "-q", "-m", "path", "src/more.sh"]);
}

#[test]
fn source_without_a_failing_test_is_refused_and_may_be_allowed() {
    let repo = Repo::new().installed();
    repo.write("notes.md", "a change that begins the WIP branch\n");
    repo.write("tests/more.t", "true\n");
    repo.run_json();
    assert_eq!(repo.branch(), "tcr/main");
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    refused(
        &repo,
        &["commit", "-q", "-m", "source first"],
        "`src/add.sh`",
    );
    repo.tcr(&["allow", "src/add.sh", "--once"]).success();
    repo.git(&["commit", "-q", "-m", "allowed"]);
}

#[test]
fn a_mode_that_only_reports_lets_the_commit_through() {
    let repo = Repo::in_green();
    repo.tcr(&["mode", "tdd"]).success();
    repo.write("tests/add.t", "true\n");
    let ran = repo.try_git(&["commit", "-q", "-a", "-m", "weaker"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("tests/add.t"), "{}", ran.stderr);
}

#[test]
fn the_base_branch_is_free_and_gets_no_trailers() {
    let repo = Repo::new().installed();
    repo.write("src/any.sh", "any() { :; }\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "on main"]);
    assert_eq!(repo.git(&["log", "-1", "--format=%B"]).trim(), "on main");
    repo.git(&["commit", "-q", "--amend", "-m", "again"]);
}

#[test]
fn an_empty_message_still_gives_a_commit_up() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    let before = repo.commit("HEAD");
    let editor = "core.editor=sh -c 'echo \"# only a comment\" >\"$1\"' -";
    let ran = repo.try_git(&["-c", editor, "commit", "-q"]);
    assert_ne!(ran.status, 0);
    assert_eq!(repo.commit("HEAD"), before);
}

#[test]
fn a_merge_that_had_conflicts_can_be_concluded() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "mine"]);
    repo.git(&["switch", "-q", "main"]);
    repo.write("src/add.sh", "add() { echo 5; }\n");
    repo.write("tests/first.t", "true # theirs\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "theirs"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    assert_ne!(repo.try_git(&["merge", "-q", "main"]).status, 0);
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "merged"]);
}

#[test]
fn the_wip_branch_does_not_leave_by_accident() {
    let repo = Repo::in_green().with_remote();
    let stays = "stays here";
    refused(&repo, &["push", "origin", "tcr/main"], stays);
    refused(&repo, &["push", "origin", "HEAD"], stays);
    refused(&repo, &["push", "origin", "HEAD:refs/heads/main"], stays);
    let id = repo.commit("HEAD");
    refused(
        &repo,
        &["push", "origin", &format!("{id}:refs/heads/x")],
        stays,
    );
    refused(
        &repo,
        &["push", "origin", "main:refs/heads/tcr/main"],
        stays,
    );
    refused(&repo, &["push", "--mirror", "origin"], "");
    refused(
        &repo,
        &["push", "origin", "refs/tcr/config"],
        "git tcr push",
    );
    refused(&repo, &["push", "origin", "refs/notes/tcr"], "git tcr push");
    assert_eq!(repo.git(&["ls-remote", "origin"]), "");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["push", "-q", "--no-verify", "origin", "tcr/main"]);
    repo.git(&["push", "-q", "origin", "--delete", "tcr/main"]);
}

#[test]
fn a_rebase_of_the_wip_branch_is_refused_before_it_begins() {
    let repo = Repo::in_green();
    let tree = repo.git(&["write-tree"]);
    let theirs = repo.git(&["commit-tree", "-p", "main", "-m", "theirs", &tree]);
    repo.git(&["branch", "-f", "main", &theirs]);
    refused(&repo, &["rebase", "main"], "git tcr squash");
    assert!(!repo.exists(".git/rebase-merge"));
    repo.git(&["branch", "feat", "main~1"]);
    repo.git(&["switch", "-q", "feat"]);
    refused(&repo, &["rebase", "main", "tcr/main"], "git tcr squash");
    repo.git(&["rebase", "-q", "main"]);
    assert_eq!(repo.commit("feat"), repo.commit("main"));
}

#[test]
fn a_new_linked_worktree_gets_the_agent_files() {
    let repo = Repo::new();
    repo.tcr(&[
        "install", "--yes", "--client", "codex", "--client", "opencode",
    ])
    .success();
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked"]);
    for file in [".codex/hooks.json", ".opencode/plugins/git-tcr.ts"] {
        let linked = repo.around().join("linked").join(file);
        let text = std::fs::read_to_string(&linked).expect(file);
        assert_eq!(text, repo.read(file));
    }
    let status = repo.git(&["-C", "../linked", "status", "--porcelain"]);
    assert_eq!(status, "");
    repo.tcr(&["uninstall"]).success();
    assert!(!repo.around().join("linked/.codex").exists());
}

#[test]
fn worktrees_that_were_there_get_the_agent_files_with_the_installation() {
    let repo = Repo::new();
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked"]);
    repo.tcr(&["install", "--yes", "--client", "codex"])
        .success();
    assert!(repo.around().join("linked/.codex/hooks.json").exists());
}

#[test]
fn a_missing_program_stops_only_what_has_to_be_checked() {
    let repo = Repo::in_green();
    // The shims know the program's place too: without it on PATH they still find it.
    let no_program = |script: &str, shims: &str| {
        let script = format!("{shims} PATH=/usr/bin:/bin; {script}");
        repo.shell(&script)
    };
    let lost = "sed -i 's#/[^ ]*/git-tcr#/nowhere/git-tcr#' .git/hooks/*[a-z];";
    no_program("git commit -q --allow-empty -m found", "").success();
    let ran = no_program("git commit -q --allow-empty -m lost", lost);
    assert_ne!(ran.status, 0);
    assert!(
        ran.stderr.contains("git-tcr is not on PATH"),
        "{}",
        ran.stderr
    );
    assert_ne!(
        no_program("git update-ref -d refs/tcr/config", "").status,
        0
    );
    no_program("GIT_TCR=off git commit -q --allow-empty -m off", "").success();
    no_program(
        "git switch -q main && git commit -q --allow-empty -m main",
        "",
    )
    .success();
}

#[test]
fn hooks_run_from_other_places_find_the_repository() {
    let repo = Repo::in_green();
    let root = repo.root().to_str().expect("text").to_owned();
    let refused = |script: String| {
        let ran = repo.shell(&script);
        assert_ne!(ran.status, 0, "{script}");
        assert!(
            ran.stderr.contains("belongs to git tcr"),
            "{script}: {}",
            ran.stderr
        );
    };
    refused(format!(
        "cd / && git -C '{root}' update-ref -d refs/tcr/config"
    ));
    refused("cd tests && git update-ref -d refs/tcr/config".into());
    refused("cd .git && git update-ref -d refs/tcr/config".into());
    refused(format!(
        "cd / && git --git-dir='{root}/.git' --work-tree='{root}' update-ref -d refs/tcr/config"
    ));
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked", "main"]);
    refused("cd ../linked && git update-ref -d refs/tcr/config".into());
    refused(
        "cd ../linked && git branch -f tcr/main main || git update-ref -d refs/tcr/config".into(),
    );
}

#[test]
fn bare_repositories_are_refused() {
    let repo = Repo::new().with_remote();
    let bare = repo.around().join("remote.git");
    let ran = repo.tcr_in(&bare, &["install", "--yes"], &[]).exits(2);
    assert!(ran.stderr.contains("bare repository"), "{}", ran.stderr);
    assert!(!bare.join("hooks/reference-transaction").exists());
}
