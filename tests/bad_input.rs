//! Whatever is wrong with what is read: the message says what and what to do, and nothing changes.

use std::os::unix::fs::PermissionsExt;

use crate::support::Repo;
use crate::support::world::MODE_TCR;

/// Puts a state of this content on top of the chain.
fn write_state(repo: &Repo, json: &str) {
    let tree = repo.tree_with("state.json", json);
    let tip = repo.commit("refs/tcr/state/main");
    let commit = repo.git(&["commit-tree", "-p", &tip, "-m", "by somebody", &tree]);
    repo.put_ref("refs/tcr/state/main", &commit);
}

const COMMANDS: [&[&str]; 7] = [
    &["run"],
    &["status"],
    &["phase", "refactor"],
    &["step"],
    &["mode", "tcr"],
    &["allow", "x", "--once"],
    &["log"],
];

#[test]
fn a_broken_config_names_file_line_and_nearest_key() {
    let repo = Repo::new()
        .with(".tcr.toml", "mode = \"both\"\ntset = \"./run-tests\"\n")
        .committed();
    let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
    assert!(ran.stderr.contains(".tcr.toml"), "{}", ran.stderr);
    assert!(ran.stderr.contains("tset"), "{}", ran.stderr);
    assert!(ran.stderr.contains('2'), "{}", ran.stderr);
    assert!(ran.stderr.contains("`test`"), "{}", ran.stderr);
    for (text, line) in [
        ("test = \n", "1"),
        ("test = 'x'\nmode = 'loud'\n", "2"),
        ("\u{0}", "1"),
    ] {
        repo.write(".tcr.toml", text);
        let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
        assert!(
            ran.stderr.contains(&format!(".tcr.toml:{line}")),
            "{text:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains("hint: "), "{text:?}: {}", ran.stderr);
    }
}

#[test]
fn a_changed_config_is_left_alone_and_not_obeyed() {
    let repo = Repo::in_green();
    for text in ["test = \"true\"\nmode = \"off\"\n", "not toml at all ["] {
        repo.write(".tcr.toml", text);
        repo.write("src/add.sh", "add() { echo 4; }\n");
        let red = repo.run_json();
        assert_eq!(red["action"], "take_back", "{red}");
        assert_eq!(red["mode"], "both");
        assert_eq!(repo.read(".tcr.toml"), text, "it is left alone");
        let status = repo.tcr(&["status"]).success();
        assert!(
            status.stdout.contains("`.tcr.toml` differs"),
            "{}",
            status.stdout
        );
        assert!(
            status.stdout.contains("hint: git tcr install"),
            "{}",
            status.stdout
        );
    }
    repo.remove(".tcr.toml");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
}

#[test]
fn a_config_accepted_again_is_obeyed() {
    let repo = Repo::new().installed();
    repo.write(".tcr.toml", MODE_TCR);
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.status()["mode"], "tcr");
    assert_eq!(repo.status()["config_differs"], false);
}

#[test]
fn a_state_that_is_no_state_is_refused_and_install_starts_anew() {
    for json in ["{", "[]", "{\"version\": 1}", "{\"version\": \"one\"}", ""] {
        let repo = Repo::in_green();
        write_state(&repo, json);
        let broken = repo.commit("refs/tcr/state/main");
        for command in COMMANDS {
            let ran = repo.changes_nothing(command).exits(2);
            assert!(
                ran.stderr.contains("`refs/tcr/state/main` can't be read"),
                "{command:?}: {}",
                ran.stderr
            );
            assert!(
                ran.stderr.contains("git tcr install"),
                "{command:?}: {}",
                ran.stderr
            );
        }
        repo.write("src/new.sh", "kept\n");
        repo.tcr(&["install", "--yes"]).success();
        assert_eq!(repo.read("src/new.sh"), "kept\n");
        let chain = repo.git(&["rev-list", "refs/tcr/state/main"]);
        assert!(chain.contains(&broken), "the chain goes on: {json:?}");
        assert_eq!(repo.branch(), "tcr/main");
        repo.remove("src/new.sh");
        repo.write("src/add.sh", "add() { echo 3; }\n");
        assert_eq!(
            repo.run_json()["why"],
            "green",
            "the newest readable link counts: {json:?}"
        );
    }
}

#[test]
fn a_plan_that_cannot_be_read_is_set_aside_with_all_it_holds() {
    for plan in ["{", "[]", "{\"branch\": 7}"] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", "add() { echo in flight; }\n");
        let tree = repo.tree_by_git();
        let message = format!("work in flight\n\n{plan}\n");
        let commit = repo.git(&["commit-tree", "-p", "HEAD", "-m", &message, &tree]);
        repo.git_past_hooks(&["update-ref", "refs/tcr/pending/main", &commit]);
        repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
        assert_eq!(repo.run_json()["why"], "green", "{plan}");
        assert!(repo.reaches("add() { echo in flight; }\n"));
        let kept = repo.tcr(&["recover", "list"]).success();
        assert!(kept.stdout.contains("work in flight"), "{}", kept.stdout);
    }
}

#[test]
fn a_newer_state_is_refused_and_not_mangled() {
    let repo = Repo::in_green();
    write_state(&repo, "{\"version\": 2, \"other\": \"shape\"}");
    for command in COMMANDS {
        let ran = repo.changes_nothing(command).exits(2);
        assert!(
            ran.stderr
                .contains("written by a newer git tcr (version 2, this one reads 1)"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("hint: update git tcr"),
            "{}",
            ran.stderr
        );
    }
    let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
    assert!(ran.stderr.contains("newer git tcr"), "{}", ran.stderr);
}

#[test]
fn what_a_later_version_added_is_kept() {
    let repo = Repo::in_green();
    let mut state: serde_json::Value =
        serde_json::from_str(&repo.show("refs/tcr/state/main:state.json")).expect("JSON");
    state["invented_later"] = serde_json::json!({"deep": [1, 2]});
    write_state(&repo, &state.to_string());
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["why"], "green");
    let state: serde_json::Value =
        serde_json::from_str(&repo.show("refs/tcr/state/main:state.json")).expect("JSON");
    assert_eq!(state["invented_later"]["deep"][1], 2);
}

fn delete_object(repo: &Repo, name: &str) -> String {
    let id = repo.commit(name);
    let path = repo.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644))
        .expect("a loose object");
    std::fs::remove_file(path).expect("a loose object");
    id
}

#[test]
fn missing_objects_are_named_and_nothing_changes() {
    for name in [
        "refs/tcr/state/main",
        "refs/tcr/state/main:state.json",
        "refs/tcr/config:config.json",
    ] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", "add() { echo 3; }\n");
        delete_object(&repo, name);
        let files = repo.files();
        let ran = repo.tcr(&["run"]).exits(2);
        assert!(
            ran.stderr.contains("can't be read"),
            "{name}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("git tcr install"),
            "{name}: {}",
            ran.stderr
        );
        assert_eq!(repo.files(), files, "{name}");
        repo.tcr(&["install", "--yes"]).success();
        assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n", "{name}");
    }
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    delete_object(&repo, "HEAD:tests");
    let files = repo.files();
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(ran.stderr.starts_with("tcr: could not "), "{}", ran.stderr);
    assert_eq!(repo.files(), files);
}

/// The only link that knew of the WIP branch is the one that can't be read.
#[test]
fn the_branch_at_work_is_found_again_without_the_newest_link() {
    let repo = Repo::in_green();
    delete_object(&repo, "refs/tcr/state/main:state.json");
    repo.tcr(&["install", "--yes"]).success();
    let status = repo.status();
    assert_eq!(
        (&status["base"], &status["branch"]),
        (&"main".into(), &"tcr/main".into())
    );
    repo.write("tests/sub.t", "false\n");
    repo.tcr(&["run"]);
    assert_eq!(repo.git(&["branch", "--list", "tcr/tcr/*"]), "");
}

/// As a crash of the machine leaves what was written last.
fn empty_object(repo: &Repo, name: &str) {
    let id = delete_object(repo, name);
    repo.write(&format!(".git/objects/{}/{}", &id[..2], &id[2..]), "");
}

#[test]
fn work_in_flight_that_never_reached_the_disk_is_no_dead_end() {
    for damage in [empty_object, |repo: &Repo, name: &str| {
        delete_object(repo, name);
    }] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", "add() { echo 3; }\n");
        let fault = [("GIT_TCR_FAULT", "kill:plan-written#1")];
        assert_eq!(repo.tcr_in(repo.root(), &["run"], &fault).status, -1);
        damage(&repo, "refs/tcr/pending/main");
        assert_eq!(repo.run_json()["why"], "green");
        repo.assert_tidy("green");
    }
}

#[test]
fn results_that_cannot_be_read_are_made_anew() {
    for name in ["refs/notes/tcr-results", "refs/notes/tcr-results^{tree}"] {
        for notes in ["tcr-results", "tcr"] {
            let name = name.replace("tcr-results", notes);
            let repo = Repo::in_green();
            repo.write("src/add.sh", "add() { echo 3; }\n");
            empty_object(&repo, &name);
            assert_eq!(repo.run_json()["why"], "green", "{name}");
            let known = repo.git(&["notes", "--ref", notes, "list"]);
            assert!(!known.is_empty(), "{name}");
        }
    }
}

#[test]
fn a_test_command_that_does_not_exist_commits_and_reverts_nothing() {
    let repo = Repo::new().configured("test = \"no-such-command --all\"\n");
    let install = repo.tcr(&["install", "--yes"]).success();
    assert!(
        install.stdout.contains("no-such-command"),
        "{}",
        install.stdout
    );
    repo.write("tests/add.t", "false\n");
    let head = repo.commit("HEAD");
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(kept["verdict"], "broken");
    assert_eq!(repo.commit("HEAD"), head);
    assert!(repo.exists("tests/add.t"));
    let text = repo.tcr(&["run"]).exits(2).stdout;
    assert!(text.contains("no-such-command"), "{text}");
}

#[test]
fn no_test_command_at_all() {
    let repo = Repo::bare_start().with("a.txt", "a\n").committed();
    let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r#"
    tcr: no test command was found in this repository
    hint: write one into `.tcr.toml`, e.g. test = "make test", then `git tcr install`
    "#);
}

fn without_identity(repo: &Repo, args: &[&str]) -> crate::support::Ran {
    let mut command = repo.command(crate::support::PROGRAM);
    for name in [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ] {
        command.env_remove(name);
    }
    crate::support::Ran::from(command.args(args).output().expect("it runs"))
}

#[test]
fn no_identity() {
    let repo = Repo::new();
    let before = repo.world();
    let ran = without_identity(&repo, &["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: git has no identity to commit with
    hint: git config user.name NAME && git config user.email ADDRESS
    ");
    assert_eq!(repo.world(), before);
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let before = repo.world();
    without_identity(&repo, &["run"]).exits(2);
    assert_eq!(repo.world(), before);
    without_identity(&repo, &["status"]).success();
}

#[test]
fn a_read_only_repository() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let before = repo.world();
    for folder in [".git", ".git/refs/tcr/state", ".git/objects"] {
        let closed = std::fs::Permissions::from_mode(0o555);
        std::fs::set_permissions(repo.path(folder), closed).expect("a mode");
    }
    let ran = repo.tcr_unprivileged(&["run"]);
    let status = repo.tcr_unprivileged(&["status", "--json"]);
    for folder in [".git", ".git/refs/tcr/state", ".git/objects"] {
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(repo.path(folder), open).expect("a mode");
    }
    let (Some(ran), Some(status)) = (ran, status) else {
        println!("skipped: permissions don't count here");
        return;
    };
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(".git"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: `ls -ld "), "{}", ran.stderr);
    assert_eq!(repo.files(), before.worktree);
    assert_eq!(
        status.status, 0,
        "reading needs no right to write: {}",
        status.stderr
    );
}

#[test]
fn a_branch_in_the_way_of_the_wip_branch() {
    let repo = Repo::new();
    repo.git(&["branch", "tcr"]);
    let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: branch `tcr/main` can't be made: `refs/heads/tcr` is in the way
    hint: git branch -m tcr NEW-NAME
    ");
    repo.git(&["branch", "-m", "tcr", "else"]);
    let repo = repo.installed();
    // It may come later too.
    repo.git(&["branch", "tcr"]);
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let ran = repo.changes_nothing(&["run"]).exits(2);
    assert!(
        ran.stderr.contains("hint: git branch -m tcr NEW-NAME"),
        "{}",
        ran.stderr
    );

    let repo = Repo::new();
    repo.git(&["branch", "tcr/main/below"]);
    let ran = repo.changes_nothing(&["install", "--yes"]).exits(2);
    assert!(
        ran.stderr
            .contains("hint: git branch -m tcr/main/below NEW-NAME"),
        "{}",
        ran.stderr
    );
}

#[test]
fn places_where_there_is_nothing_to_work_on() {
    let repo = Repo::in_green();
    repo.git(&["checkout", "-q", "--detach"]);
    for command in COMMANDS {
        let ran = repo.changes_nothing(command).exits(2);
        assert_eq!(
            ran.stderr,
            "tcr: HEAD is detached: git tcr works on a branch\nhint: git switch BRANCH\n"
        );
    }

    let unborn = Repo::bare_start().with(".tcr.toml", "test = \"true\"\n");
    let ran = unborn.tcr(&["install", "--yes"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r#"
    tcr: branch `main` has no commit yet
    hint: git commit --allow-empty -m "first commit"
    "#);

    let bare = Repo::init(&["--bare"]);
    let ran = bare.tcr(&["run"]).exits(2);
    assert!(
        ran.stderr.contains("is a bare repository"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("hint: run it in a worktree"),
        "{}",
        ran.stderr
    );

    let ran = repo.tcr_in(&repo.around(), &["run"], &[]).exits(2);
    assert!(
        ran.stderr.contains("is not inside a git repository"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("hint: cd into a repository"),
        "{}",
        ran.stderr
    );

    let new = Repo::new();
    let ran = new.changes_nothing(&["run"]).exits(2);
    insta::assert_snapshot!(ran.stderr, @r"
    tcr: git tcr is not installed in this repository
    hint: git tcr install
    ");
}

#[test]
fn references_in_a_format_that_cannot_be_read() {
    let made = std::panic::catch_unwind(|| Repo::init(&["--ref-format=reftable"]));
    let Ok(repo) = made else {
        println!("skipped: this git has no reftable");
        return;
    };
    let repo = repo.with("a.txt", "a\n").committed();
    for command in [&["install", "--yes"][..], &["run"], &["status"]] {
        let ran = repo.tcr(command).exits(2);
        assert!(ran.stderr.contains("`reftable` format"), "{}", ran.stderr);
        assert!(
            ran.stderr
                .contains("hint: git refs migrate --ref-format=files"),
            "{}",
            ran.stderr
        );
    }
    assert!(!repo.exists(".git/refs/tcr"));
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_branch_that_the_config_leaves_out() {
    let only_features = "test = \"./run-tests\"\nbranches = [\"feat/*\"]\n";
    let repo = Repo::new().configured(only_features);
    repo.write("src/add.sh", "add() { echo 4; }\n");
    repo.write("tests/add.t", "false\n");
    let install = repo.tcr(&["install", "--yes"]).success();
    assert!(
        install.stdout.contains("not among the `branches`"),
        "{}",
        install.stdout
    );
    assert_eq!(repo.branch(), "main", "nothing is recorded there");
    for command in ["run", "on"] {
        let ran = repo.changes_nothing(&[command]).exits(2);
        assert_eq!(
            ran.stderr,
            "tcr: `main` is not among the `branches` of `.tcr.toml`\nhint: add it there, then `git tcr install`\n"
        );
    }
    repo.git(&["switch", "-q", "-c", "feat/x"]);
    let first = repo.run_json();
    assert_eq!(
        first["why"], "red",
        "what is there is its first step: {first}"
    );
    assert_eq!(repo.branch(), "tcr/feat/x");

    // A branch that was at work is left alone as soon as the config says so.
    let repo = Repo::in_green();
    repo.write(".tcr.toml", only_features);
    repo.tcr(&["install", "--yes"]).success();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let ran = repo.changes_nothing(&["run"]).success();
    assert!(
        ran.stdout.contains("not among the `branches`"),
        "{}",
        ran.stdout
    );
    let status = repo.changes_nothing(&["status"]).success();
    assert!(
        status.stdout.contains("not among the `branches`"),
        "{}",
        status.stdout
    );
}

#[test]
fn a_git_config_that_cannot_be_read() {
    let repo = Repo::in_green();
    repo.write(".git/config", "[core\n");
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(
        !ran.stderr.contains("not inside a git repository"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("could not open the repository"),
        "{}",
        ran.stderr
    );
}

/// What stops the tests may lie outside the repository, and be mended there.
#[test]
fn tests_that_did_not_run_are_run_again_though_nothing_changed() {
    let repo = Repo::new().configured("test = \"\\\"$HOME/runner\\\"\"\n");
    let installed = repo.tcr(&["install", "--yes"]).success().stdout;
    let hint =
        "hint: make the tests run, then `git tcr run`; their command is `test` in `.tcr.toml`";
    assert!(installed.contains(hint), "{installed}");
    let doctor = repo.tcr(&["doctor"]).exits(1).stdout;
    assert!(
        doctor.contains("finding: the tests have not run yet: "),
        "{doctor}"
    );
    let still = repo.tcr(&["run"]).exits(2).stdout;
    assert!(still.contains(hint), "{still}");

    let runner = repo.around().join("home/runner");
    std::fs::write(&runner, crate::support::RUNNER).expect("a file");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&runner, mode).expect("its mode");
    let ran = repo.run_json();
    assert_eq!(ran["verdict"], "green", "{ran}");
    let doctor = repo.tcr(&["doctor"]).stdout;
    assert!(!doctor.contains("have not run"), "{doctor}");
    let status = repo.tcr(&["status"]).success().stdout;
    assert!(status.contains("write a failing test"), "{status}");
    assert_eq!(repo.run_json()["action"], "none");
}

#[test]
fn what_could_not_be_done_is_json_for_those_who_asked_for_json() {
    let repo = Repo::new();
    for (args, status) in [
        (&["status"][..], 2),
        (&["run"], 2),
        (&["recover", "show", "7"], 2),
        (&["install", "--config-from", "nowhere", "--yes"], 2),
    ] {
        let plain = repo.tcr(args).exits(status);
        assert_eq!(plain.stdout, "", "{args:?}");
        let asked = repo.tcr(&[args, &["--json"]].concat()).exits(status);
        assert_eq!(asked.stderr, plain.stderr, "{args:?}");
        let said = asked.json();
        assert_eq!(said["action"], "error", "{args:?}: {said}");
        let reason = said["reason"].as_str().unwrap_or_default();
        assert!(plain.stderr.contains(reason), "{args:?}: {said}");
    }
    let refused = repo.installed().tcr(&["phase", "green", "--json"]).exits(1);
    let said = refused.json();
    assert_eq!(said["hints"][0], "write a failing test, then `git tcr run`");
}
