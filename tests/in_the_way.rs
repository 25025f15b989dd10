//! What stands where a revert has to put something is left alone and named, and is in nobody's way
//! afterwards.

use serde_json::json;

use crate::support::Repo;

/// A file in phase `green` that git keeps although its folder is ignored.
fn with_ignored_folder() -> Repo {
    let repo = Repo::new().with(".gitignore", "/out\n").committed();
    repo.write("out/made.json", "{}\n");
    repo.git(&["add", "-f", "out/made.json"]);
    repo.git(&["commit", "-q", "-m", "what is made"]);
    let repo = repo.installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo
}

#[test]
fn an_ignored_file_where_a_folder_has_to_come_back() {
    let repo = with_ignored_folder();
    std::fs::remove_dir_all(repo.path("out")).expect("a folder");
    repo.write("out", "ignored\n");
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    assert_eq!(outcome["edited_meanwhile"], json!(["out/made.json"]));
    assert_eq!(repo.read("out"), "ignored\n");
    assert!(!repo.exists("src/add.sh"));
    repo.assert_tidy("after the revert");
    // Once it is gone there is room again.
    repo.remove("out");
    assert_eq!(repo.run_json()["action"], "take_back");
    assert_eq!(repo.read("out/made.json"), "{}\n");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_pipe_where_a_folder_has_to_come_back() {
    let repo = with_ignored_folder();
    std::fs::remove_dir_all(repo.path("out")).expect("a folder");
    let made = repo.command("mkfifo").arg("out").status();
    assert!(made.expect("mkfifo runs").success());
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    assert_eq!(outcome["edited_meanwhile"], json!(["out/made.json"]));
    repo.assert_tidy("after the revert");
    repo.tcr(&["off"]).success();
}

#[test]
fn docs_in_a_folder_where_source_comes_back_are_named_too() {
    let repo = Repo::new()
        .with("src/a.py", "def a():\n    return 1\n")
        .committed()
        .installed();
    repo.remove("src/a.py");
    repo.write("src/a.py/guide.md", "how to\n");
    let outcome = repo.run_json();
    let taken = json!([
        {"path": "src/a.py", "why": "unasked"},
        {"path": "src/a.py/guide.md", "why": "unasked"},
    ]);
    assert_eq!(outcome["taken_back"], taken, "{outcome}");
    assert_eq!(repo.read("src/a.py"), "def a():\n    return 1\n");
    assert!(repo.reaches("how to\n"));

    let repo = Repo::in_green();
    repo.write("src/b.sh", "b() { echo b; }\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "more source"]);
    repo.remove("src/b.sh");
    repo.write("src/b.sh/guide.md", "how to\n");
    repo.write("src/b.sh/inner.sh", "b() { echo inner; }\n");
    let outcome = repo.run_json();
    let files = json!(["src/b.sh", "src/b.sh/guide.md", "src/b.sh/inner.sh"]);
    assert_eq!(outcome["files"], files, "{outcome}");
    assert!(repo.reaches("how to\n"));
}

#[test]
fn nothing_begins_where_a_folder_is_read_only_and_off_gets_out() {
    let repo = Repo::in_green();
    repo.write("src/deep/new.sh", "new() { :; }\n");
    let deep = repo.path("src/deep");
    let writable = |yes: bool| {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(if yes { 0o755 } else { 0o555 });
        std::fs::set_permissions(&deep, mode).expect("a folder's mode");
    };
    writable(false);
    let Some(ran) = repo.tcr_unprivileged(&["run"]) else {
        println!("skipped: permissions count for nobody here");
        return;
    };
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("src/deep/new.sh"), "{}", ran.stderr);
    let off = repo.tcr_unprivileged(&["off"]).expect("as before");
    writable(true);
    assert_eq!(off.status, 0, "{}{}", off.stdout, off.stderr);
    let had_nothing_to_finish = off.stdout.contains("nothing in the worktree changed");
    assert!(had_nothing_to_finish, "{}", off.stdout);
    assert_eq!(repo.read("src/deep/new.sh"), "new() { :; }\n");
}
