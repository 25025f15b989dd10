//! `squash`: the WIP branch becomes the base branch's next commits, its history stays, and on any
//! doubt nothing changes.

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT, WRONG};
use serde_json::Value;

const SUB: &str = "sub() { echo $(($1 - $2)); }\n";

/// One cycle: `add`.
fn one_cycle() -> Repo {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo
}

fn cycle(repo: &Repo, name: &str, test: &str, source: &str) {
    repo.write(&format!("tests/{name}.t"), test);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write(&format!("src/{name}.sh"), source);
    assert_eq!(repo.run_json()["why"], "green");
}

/// Two cycles: `add` and `sub`.
fn two_cycles() -> Repo {
    let repo = one_cycle();
    cycle(&repo, "sub", "[ \"$(sub 3 1)\" = 2 ]\n", SUB);
    repo
}

fn message(repo: &Repo, commit: &str) -> String {
    repo.git(&["log", "-1", "--format=%B", commit])
}

fn squash_json(repo: &Repo, args: &[&str]) -> Value {
    let mut all = vec!["squash", "--json"];
    all.extend(args);
    repo.tcr(&all).success().json()
}

/// A commit on the base by somebody else, while HEAD is on the WIP branch.
fn move_base(repo: &Repo, path: &str, content: &str) {
    repo.git(&["switch", "-q", "main"]);
    repo.write(path, content);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by somebody else"]);
    repo.git(&["switch", "-q", "tcr/main"]);
}

fn hook(repo: &Repo, name: &str, script: &str) {
    repo.write(
        &format!(".git/hooks/{name}"),
        &format!("#!/bin/sh\n{script}\n"),
    );
    repo.make_executable(&format!(".git/hooks/{name}"));
}

/// What was squashed is the last commit of the archived history, which was tested as a `sync`.
fn assert_tested_before(repo: &Repo) {
    let archive = "refs/tcr/archive/main/1";
    let archived = repo.git(&["log", "-1", "--notes=tcr", "--format=%B%N", archive]);
    assert!(
        archived.contains("TCR-Phase: sync") && archived.contains("verdict: green"),
        "{archived}"
    );
    assert_eq!(repo.tree("main"), repo.tree(archive));
}

#[test]
fn all_cycles_become_one_commit() {
    let repo = two_cycles();
    let (start, tip) = (repo.commit("main"), repo.commit("HEAD"));
    let tree = repo.tree("HEAD");
    let ran = repo.tcr(&["squash"]).success();
    assert_eq!(repo.branch(), "main");
    assert_eq!(repo.porcelain(), "");
    assert_eq!(repo.tree("main"), tree);
    assert_eq!(repo.commit("main^"), start);
    assert_eq!(repo.commit("refs/tcr/archive/main/1"), tip);
    assert_ne!(
        repo.try_git(&["rev-parse", "--verify", "-q", "tcr/main"])
            .status,
        0
    );
    let text = message(&repo, "main");
    assert!(
        text.starts_with("Add, sub\n\nTests made to pass:\n\n- tests/add.t\n- tests/sub.t\n"),
        "{text}"
    );
    assert!(
        text.contains(&format!(
            "\nTCR-Cycles: 2\nTCR-Evidence: refs/tcr/archive/main/1 {tip}"
        )),
        "{text}"
    );
    assert!(!text.contains("Weakened"), "{text}");
    let note = repo.git(&["notes", "--ref=tcr", "show", "main"]);
    assert!(
        note.contains("cycles: 2") && note.contains("verdict: green"),
        "{note}"
    );
    assert!(
        ran.stdout.contains("- `tests/sub.t`"),
        "a body for the pull request: {}",
        ran.stdout
    );
    repo.assert_tidy("after a squash");
}

#[test]
fn the_next_cycle_begins_on_the_new_commit() {
    let repo = one_cycle();
    repo.tcr(&["squash"]).success();
    let squashed = repo.commit("main");
    cycle(&repo, "sub", "[ \"$(sub 3 1)\" = 2 ]\n", SUB);
    assert_eq!(repo.commit("tcr/main~2"), squashed);
    let second = squash_json(&repo, &[]);
    assert_eq!(
        second["squash"]["archive"], "refs/tcr/archive/main/2",
        "{second}"
    );
    assert_eq!(repo.commit("main^"), squashed);
    assert!(message(&repo, "main").contains("TCR-Cycles: 1"));
}

#[test]
fn each_cycle_can_be_a_commit() {
    let repo = two_cycles();
    repo.write("README.md", "# Sums\n");
    let greens = repo.git(&["log", "--format=%T", "--grep=TCR-Phase: green"]);
    squash_json(&repo, &["--by-cycle"]);
    let subjects = repo.git(&["log", "--format=%s", "-2"]);
    assert_eq!(subjects, "Sub\nAdd");
    assert_eq!(
        repo.tree("main~1"),
        greens.lines().last().expect("two greens")
    );
    assert_eq!(repo.show("main:README.md"), "# Sums");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn the_message_can_be_given_typed_and_edited() {
    let repo = two_cycles();
    let preview = squash_json(&repo, &["--dry-run", "--type", "feat"]);
    let text = preview["squash"]["commits"][0]["message"]
        .as_str()
        .expect("text")
        .to_owned();
    assert!(text.starts_with("feat: add, sub\n"), "{text}");
    repo.write(
        "../home/editor",
        "#!/bin/sh\nsed -i 's/^Sums.*/Sums, edited/' \"$1\"\ncp \"$1\" \"$HOME/seen\"\n",
    );
    repo.make_executable("../home/editor");
    let editor = repo.around().join("home/editor");
    let editor = editor.to_str().expect("text");
    let variables = [("GIT_EDITOR", editor)];
    repo.tcr_in(
        repo.root(),
        &["squash", "-m", "Sums\n\nWhy.", "--edit"],
        &variables,
    )
    .success();
    let text = message(&repo, "main");
    assert!(
        text.starts_with("Sums, edited\n\nWhy.\n\nTCR-Cycles: 2\n"),
        "{text}"
    );
    let seen = std::fs::read_to_string(repo.around().join("home/seen")).expect("a file");
    assert!(seen.contains("#   TCR-Cycles: 2"), "{seen}");
}

#[test]
fn an_empty_message_changes_nothing() {
    let repo = one_cycle();
    let before = repo.world();
    let ran = repo
        .tcr_in(
            repo.root(),
            &["squash", "--edit"],
            &[("GIT_EDITOR", "truncate -s 0")],
        )
        .exits(1);
    assert!(
        ran.stderr.contains("the message is empty"),
        "{}",
        ran.stderr
    );
    let ran = repo
        .tcr_in(
            repo.root(),
            &["squash", "--edit"],
            &[("GIT_EDITOR", "false")],
        )
        .exits(1);
    assert!(ran.stderr.contains("editor"), "{}", ran.stderr);
    assert_eq!(repo.world(), before);
}

#[test]
fn a_preview_changes_nothing_and_agents_may_have_it() {
    let repo = two_cycles();
    repo.changes_nothing(&["squash", "--dry-run"]).success();
    let agent = [("CLAUDECODE", "1")];
    let before = repo.world();
    repo.tcr_in(repo.root(), &["squash", "--dry-run"], &agent)
        .success();
    for args in [
        &["squash"][..],
        &["squash", "--undo"],
        &["squash", "-m", "x"],
    ] {
        let ran = repo.tcr_in(repo.root(), args, &agent).exits(1);
        assert!(ran.stderr.contains("for people"), "{}", ran.stderr);
    }
    assert_eq!(repo.world(), before);
}

#[test]
fn red_and_dirty_are_refused() {
    let repo = Repo::in_green();
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(
        ran.stderr.contains("do not pass") && ran.stderr.contains("tests/add.t"),
        "{}",
        ran.stderr
    );
    let repo = one_cycle();
    repo.write("src/add.sh", WRONG);
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(
        ran.stderr.contains("uncommitted") && ran.stderr.contains("src/add.sh"),
        "{}",
        ran.stderr
    );
    let repo = Repo::new().installed();
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(ran.stderr.contains("nothing to squash"), "{}", ran.stderr);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let repo = one_cycle();
    repo.write(".git/MERGE_HEAD", &format!("{}\n", repo.commit("main")));
    let ran = repo.changes_nothing(&["squash"]).exits(2);
    assert!(
        ran.stderr.contains("a merge is in progress"),
        "{}",
        ran.stderr
    );
    repo.remove(".git/MERGE_HEAD");

    let elsewhere = repo.linked_worktree("elsewhere", &[], "main");
    let ran = repo.changes_nothing(&["squash"]).exits(2);
    assert!(ran.stderr.contains("another worktree"), "{}", ran.stderr);
    // The work is here: the other one has to let go of the branch.
    let way_out = format!("hint: git -C {} switch --detach", elsewhere.display());
    assert!(ran.stderr.contains(&way_out), "{}", ran.stderr);
    repo.git(&["worktree", "remove", elsewhere.to_str().expect("text")]);

    repo.git(&["branch", "-q", "-D", "main"]);
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(ran.stderr.contains("`main` is gone"), "{}", ran.stderr);
}

#[test]
fn hooks_see_the_commit_as_git_would_show_it() {
    let repo = one_cycle();
    hook(
        &repo,
        "pre-commit",
        "git diff --cached --name-only > \"$HOME/staged\"\ngit symbolic-ref HEAD > \"$HOME/head\"",
    );
    hook(&repo, "prepare-commit-msg", "sed -i '1s/^/[T-1] /' \"$1\"");
    hook(&repo, "commit-msg", "echo 'Reviewed-by: Bo' >> \"$1\"");
    hook(&repo, "post-commit", "git rev-parse HEAD > \"$HOME/after\"");
    repo.tcr(&["squash"]).success();
    let seen = |name: &str| {
        std::fs::read_to_string(repo.around().join("home").join(name)).expect("a file")
    };
    assert_eq!(seen("staged"), "src/add.sh\ntests/add.t\n");
    assert_eq!(seen("head"), "refs/heads/main\n");
    assert_eq!(seen("after").trim(), repo.commit("main"));
    let text = message(&repo, "main");
    assert!(
        text.starts_with("[T-1] Add\n") && text.contains("Reviewed-by: Bo"),
        "{text}"
    );
    assert_eq!(repo.porcelain(), "");
    repo.assert_tidy("after hooks");
}

#[test]
fn a_hook_that_refuses_changes_nothing() {
    let repo = one_cycle();
    hook(&repo, "pre-commit", "echo no tabs please; exit 1");
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(
        ran.stderr.contains("no tabs please") && ran.stderr.contains("`pre-commit` hook refused"),
        "{}",
        ran.stderr
    );
    repo.remove(".git/hooks/pre-commit");
    hook(&repo, "commit-msg", "exit 1");
    let ran = repo.changes_nothing(&["squash"]).exits(1);
    assert!(ran.stderr.contains("refused the message"), "{}", ran.stderr);
}

#[test]
fn what_a_hook_reformats_is_tested_first() {
    // With and without an end in failure, as the common hook runners do it.
    for end in ["git add -A", "exit 1"] {
        let repo = one_cycle();
        hook(
            &repo,
            "pre-commit",
            &format!(
                "grep -q formatted src/add.sh || {{ echo '# formatted' >> src/add.sh; {end}; }}"
            ),
        );
        let ran = repo.tcr(&["squash"]).success();
        assert!(
            ran.stdout
                .contains("reformatted by your `pre-commit` hook, and tested"),
            "{}",
            ran.stdout
        );
        assert!(repo.show("main:src/add.sh").ends_with("# formatted"));
        assert_eq!(repo.porcelain(), "");
        assert_tested_before(&repo);
    }
}

#[test]
fn what_a_hook_breaks_goes_back() {
    let repo = one_cycle();
    let (tip, files) = (repo.commit("HEAD"), repo.files());
    hook(
        &repo,
        "pre-commit",
        "echo 'add() { echo 4; }' > src/add.sh; git add -A",
    );
    let ran = repo.tcr(&["squash"]).exits(1);
    assert!(
        ran.stderr.contains("the tests do not pass: `tests/add.t`"),
        "{}",
        ran.stderr
    );
    assert_eq!((repo.commit("HEAD"), repo.files()), (tip, files));
    assert_eq!(repo.branch(), "tcr/main");
    assert_eq!(repo.porcelain(), "");
    assert!(repo.reaches(WRONG), "what the hook wrote is kept");
    repo.remove(".git/hooks/pre-commit");
    repo.tcr(&["squash"]).success();
}

#[test]
fn the_user_s_signature_and_identity_are_used() {
    let repo = one_cycle();
    repo.write("../home/sign", "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\nmine\\n-----END PGP SIGNATURE-----\\n'\n");
    repo.make_executable("../home/sign");
    let program = repo.around().join("home/sign");
    repo.git(&["config", "gpg.program", program.to_str().expect("text")]);
    repo.git(&["config", "commit.gpgSign", "true"]);
    let bo = [
        ("GIT_AUTHOR_NAME", "Bo"),
        ("GIT_AUTHOR_EMAIL", "bo@example.com"),
    ];
    repo.tcr_in(repo.root(), &["squash"], &bo).success();
    let raw = repo.git(&["cat-file", "commit", "main"]);
    assert!(
        raw.contains("gpgsig -----BEGIN PGP SIGNATURE-----"),
        "{raw}"
    );
    assert!(
        raw.contains("author Bo <bo@example.com>") && raw.contains("committer Ada"),
        "{raw}"
    );
    repo.git(&["config", "gpg.program", "false"]);
    cycle(&repo, "sub", "[ \"$(sub 3 1)\" = 2 ]\n", SUB);
    let before = repo.commit("main");
    repo.tcr(&["squash"]).exits(1);
    assert_eq!(
        (repo.commit("main"), repo.branch()),
        (before, "tcr/main".into())
    );
}

#[test]
fn a_base_that_moved_on_gets_the_work_on_top() {
    let repo = two_cycles();
    move_base(&repo, "src/theirs.sh", "theirs() { echo theirs; }\n");
    let theirs = repo.commit("main");
    let preview = repo.changes_nothing(&["squash", "--dry-run"]).success();
    assert!(
        preview.stdout.contains("carried over"),
        "{}",
        preview.stdout
    );
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.commit("main^"), theirs);
    assert_eq!(repo.git(&["rev-list", "--count", "--merges", "main"]), "0");
    assert!(repo.exists("src/theirs.sh") && repo.exists("src/sub.sh"));
    assert_eq!(repo.porcelain(), "");
    assert_tested_before(&repo);
}

#[test]
fn cycles_are_carried_over_one_by_one() {
    let repo = two_cycles();
    move_base(&repo, "src/theirs.sh", "theirs() { echo theirs; }\n");
    repo.tcr(&["squash", "--by-cycle"]).success();
    assert_eq!(
        repo.git(&["log", "--format=%s", "-3"]),
        "Sub\nAdd\nby somebody else"
    );
    let first = repo.git(&["ls-tree", "-r", "--name-only", "main~1"]);
    assert!(
        first.contains("src/theirs.sh") && !first.contains("src/sub.sh"),
        "{first}"
    );
}

#[test]
fn a_conflict_changes_nothing() {
    let repo = one_cycle();
    move_base(&repo, "src/add.sh", "add() { echo theirs; }\n");
    for args in [&["squash"][..], &["squash", "--dry-run"]] {
        let ran = repo.changes_nothing(args).exits(1);
        assert!(
            ran.stderr
                .contains("conflicts with the work in `src/add.sh`"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("git merge main"), "{}", ran.stderr);
    }
    // The way out that the hint names.
    repo.try_git(&["merge", "main"]);
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Merge main"]);
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    assert_eq!(repo.porcelain(), "");
    assert_eq!(repo.branch(), "main");
}

#[test]
fn what_is_red_on_the_new_base_goes_back() {
    let repo = one_cycle();
    move_base(&repo, "tests/theirs.t", "! add 1 1\n");
    let (tip, files, moved) = (repo.commit("HEAD"), repo.files(), repo.commit("main"));
    let ran = repo.tcr(&["squash"]).exits(1);
    assert!(
        ran.stderr
            .contains("carried over to `main`, the tests do not pass: `tests/theirs.t`"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        (repo.commit("tcr/main"), repo.files(), repo.commit("main")),
        (tip, files, moved)
    );
    assert_eq!(
        (repo.branch(), repo.porcelain()),
        ("tcr/main".into(), String::new())
    );
    cycle(&repo, "sub", "[ \"$(sub 3 1)\" = 2 ]\n", SUB);
}

#[test]
fn an_edit_while_the_tests_run_does_not_speak_for_the_new_base() {
    let repo = one_cycle();
    move_base(&repo, "tests/theirs.t", "! add 1 1\n");
    let (tip, moved) = (repo.commit("HEAD"), repo.commit("main"));
    repo.during_next_test("echo true > tests/theirs.t");
    let ran = repo.tcr(&["squash"]).exits(1);
    assert!(
        ran.stderr.contains("uncommitted changes: `tests/theirs.t`"),
        "{}",
        ran.stderr
    );
    assert_eq!((repo.commit("tcr/main"), repo.commit("main")), (tip, moved));
    assert_eq!(repo.read("tests/theirs.t"), "true\n");
    repo.assert_tidy("refused");
}

#[test]
fn what_was_made_by_hand_stays_as_it_is() {
    let repo = Repo::new()
        .with("src/old.sh", "")
        .committed()
        .with("src/old.sh", "old() { echo old; }\n");
    let repo = repo.installed();
    cycle(&repo, "add", ASKS, RIGHT);
    repo.write("notes.txt", "mine\n");
    repo.git(&["add", "-A"]);
    repo.git(&[
        "commit",
        "-q",
        "--author=Bo <bo@example.com>",
        "-m",
        "Notes\n\nBy hand.",
    ]);
    cycle(&repo, "sub", "[ \"$(sub 3 1)\" = 2 ]\n", SUB);
    let folded = squash_json(&repo, &["--dry-run", "--fold-baseline"]);
    assert_eq!(
        folded["squash"]["commits"].as_array().map(Vec::len),
        Some(1),
        "{folded}"
    );
    repo.tcr(&["squash"]).success();
    let log = repo.git(&["log", "--format=%an|%s", "-4"]);
    assert_eq!(
        log,
        "Ada|Sub\nBo|Notes\nAda|Add\nAda|Work from before the first cycle: src/old.sh"
    );
    assert_eq!(message(&repo, "main~1").trim(), "Notes\n\nBy hand.");
    assert_eq!(
        repo.git(&["diff", "--name-only", "main~2", "main~1"]),
        "notes.txt"
    );
}

#[test]
fn co_authors_and_agents_are_named() {
    let repo = Repo::in_green();
    repo.write("notes.txt", "mine\n");
    repo.git(&["add", "-A"]);
    repo.git(&[
        "commit",
        "-q",
        "-m",
        "Notes\n\nCo-authored-by: Cy <cy@example.com>",
    ]);
    repo.write("src/add.sh", RIGHT);
    let green = repo
        .tcr_in(repo.root(), &["run", "--json"], &[("CLAUDECODE", "1")])
        .success()
        .json();
    assert_eq!(green["why"], "green");
    repo.tcr(&["squash"]).success();
    let text = message(&repo, "main");
    assert!(
        text.contains("Made by hand on the way:\n\n- Notes\n"),
        "in the middle of a cycle: {text}"
    );
    assert!(
        text.contains("\nCo-authored-by: Cy <cy@example.com>\nAgent-Type: claude-code\n"),
        "{text}"
    );
}

#[test]
fn removed_tests_are_counted() {
    let repo = Repo::new()
        .with("tests/second.t", "true\n")
        .committed()
        .installed();
    repo.remove("tests/second.t");
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    let ran = repo.tcr(&["squash"]).success();
    assert!(
        message(&repo, "main").contains("\nTCR-Tests-Removed: 1"),
        "{}",
        message(&repo, "main")
    );
    assert!(
        ran.stdout.contains("Tests removed:\n\n- `tests/second.t`"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_was_merged_from_elsewhere_is_a_further_parent() {
    let repo = one_cycle();
    repo.git(&["switch", "-q", "-c", "other", "main"]);
    repo.write("other.txt", "other\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "other"]);
    let other = repo.commit("other");
    repo.git(&["switch", "-q", "tcr/main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge other", "other"]);
    repo.tcr(&["squash", "--fold-baseline"]).success();
    assert_eq!(repo.commit("main^2"), other);
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn an_empty_change_makes_no_commit() {
    let repo = Repo::in_mode_tcr();
    let start = repo.commit("main");
    repo.write("src/a.sh", "a() { :; }\n");
    assert_eq!(repo.run_json()["action"], "commit");
    repo.remove("src/a.sh");
    assert_eq!(repo.run_json()["action"], "commit");
    let tip = repo.commit("HEAD");
    let ran = repo.tcr(&["squash"]).success();
    assert!(
        ran.stdout.contains("no commit was needed"),
        "{}",
        ran.stdout
    );
    assert_eq!((repo.commit("main"), repo.branch()), (start, "main".into()));
    assert_eq!(repo.commit("refs/tcr/archive/main/1"), tip);
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_squash_can_be_undone() {
    let repo = two_cycles();
    let (start, tip, status) = (repo.commit("main"), repo.commit("HEAD"), repo.status());
    repo.tcr(&["squash"]).success();
    let squashed = repo.commit("main");
    repo.tcr(&["squash", "--undo"]).success();
    assert_eq!(
        (repo.commit("main"), repo.commit("HEAD")),
        (start, tip.clone())
    );
    assert_eq!(
        (repo.branch(), repo.porcelain()),
        ("tcr/main".into(), String::new())
    );
    for fact in ["phase", "cycle", "fork"] {
        assert_eq!(repo.status()[fact], status[fact], "{fact}");
    }
    assert_eq!(
        repo.commit("refs/tcr/reverts/main/1"),
        squashed,
        "nothing is lost"
    );
    repo.changes_nothing(&["squash", "--undo"]).exits(1);
    repo.tcr(&["squash"]).success();
    assert_eq!(
        repo.commit("refs/tcr/archive/main/2"),
        tip,
        "numbers are not used twice"
    );
}

#[test]
fn what_was_built_upon_is_not_undone() {
    let repo = one_cycle();
    repo.tcr(&["squash"]).success();
    repo.git(&["commit", "-q", "--allow-empty", "-m", "more"]);
    let ran = repo.changes_nothing(&["squash", "--undo"]).exits(1);
    assert!(ran.stderr.contains("moved on"), "{}", ran.stderr);
    repo.git(&["reset", "-q", "--hard", "HEAD^"]);
    repo.write("tests/sub.t", "[ \"$(sub 3 1)\" = 2 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    let ran = repo.changes_nothing(&["squash", "--undo"]).exits(1);
    assert!(ran.stderr.contains("new work"), "{}", ran.stderr);
}

#[test]
fn it_works_from_the_base_too() {
    let repo = two_cycles();
    let tree = repo.tree("HEAD");
    repo.git(&["switch", "-q", "main"]);
    repo.tcr(&["squash", "--dry-run"]).success();
    assert_eq!(repo.branch(), "main");
    repo.tcr(&["squash"]).success();
    assert_eq!(
        (repo.branch(), repo.porcelain()),
        ("main".into(), String::new())
    );
    assert_eq!(repo.tree("main"), tree);
}

#[test]
fn another_commit_can_be_the_ground() {
    let repo = one_cycle();
    repo.git(&["switch", "-q", "-c", "next", "main"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
    let next = repo.commit("next");
    repo.git(&["switch", "-q", "tcr/main"]);
    repo.tcr(&["squash", "--onto", "next"]).success();
    assert_eq!(repo.commit("main^"), next);
    let repo = one_cycle();
    repo.git(&["branch", "aside", "main"]);
    move_base(&repo, "b.txt", "b\n");
    let ran = repo
        .changes_nothing(&["squash", "--onto", "aside"])
        .exits(1);
    assert!(
        ran.stderr.contains("has commits that `aside` has not"),
        "{}",
        ran.stderr
    );
    repo.changes_nothing(&["squash", "--onto", "nowhere"])
        .exits(2);
}

#[test]
fn linked_worktrees_squash_their_own_branch() {
    let repo = Repo::new().installed();
    let linked = repo.linked_worktree("linked", &["-b", "feat/x"], "HEAD");
    let tcr = |args: &[&str]| repo.tcr_in(&linked, args, &[]);
    tcr(&["run"]);
    std::fs::write(linked.join("tests/add.t"), ASKS).expect("a file");
    tcr(&["run"]).success();
    std::fs::create_dir_all(linked.join("src")).expect("a folder");
    std::fs::write(linked.join("src/add.sh"), RIGHT).expect("a file");
    tcr(&["run"]).success();
    hook(
        &repo,
        "pre-commit",
        "git diff --cached --name-only > \"$HOME/staged\"",
    );
    tcr(&["squash"]).success();
    let at = linked.to_str().expect("text");
    assert_eq!(
        repo.git(&["-C", at, "symbolic-ref", "--short", "HEAD"]),
        "feat/x"
    );
    assert_eq!(repo.git(&["-C", at, "status", "--porcelain"]), "");
    let staged = std::fs::read_to_string(repo.around().join("home/staged")).expect("a file");
    assert_eq!(staged, "src/add.sh\ntests/add.t\n");
    assert!(message(&repo, "feat/x").contains("refs/tcr/archive/feat%2Fx/1"));
}

#[test]
fn submodules_come_along() {
    let library = Repo::new();
    let repo = Repo::new();
    repo.add_submodule(&library, "lib");
    let repo = repo.committed().installed();
    cycle(&repo, "add", ASKS, RIGHT);
    library.git(&["commit", "-q", "--allow-empty", "-m", "more"]);
    let newer = library.commit("HEAD");
    repo.git(&[
        "-C",
        "lib",
        "-c",
        "protocol.file.allow=always",
        "fetch",
        "-q",
    ]);
    repo.git(&["-C", "lib", "checkout", "-q", &newer]);
    repo.git(&["commit", "-q", "-am", "Newer library"]);
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.porcelain(), "");
    assert_eq!(repo.commit("main:lib"), newer);
}

#[test]
fn names_and_paths_may_be_odd() {
    let repo = Repo::new();
    repo.git(&["switch", "-q", "-c", "feat/größe"]);
    let repo = repo.installed();
    cycle(&repo, "größe", ASKS, RIGHT);
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.branch(), "feat/größe");
    assert!(
        message(&repo, "HEAD").starts_with("Größe\n"),
        "{}",
        message(&repo, "HEAD")
    );
    assert_eq!(repo.porcelain(), "");
}
