//! `install` says what it accepts, and where git tcr stands afterwards.

use serde_json::json;

use crate::support::Repo;

const TEST: &str = "test = \"./run-tests\"\n";

fn installed() -> Repo {
    Repo::new().installed()
}

#[test]
fn what_changes_in_the_config_is_named() {
    let repo = installed();
    repo.write(
        ".tcr.toml",
        &format!("{TEST}mode = \"tcr\"\ntests = [\"a/**\"]\n\n[[project]]\npath = \"src\"\n"),
    );
    let before = repo.git(&["for-each-ref"]);
    let preview = repo.tcr(&["install", "--dry-run"]).success().stdout;
    assert!(preview.contains("\n+mode = \"tcr\"\n"), "{preview}");
    assert!(preview.contains("\n test = \"./run-tests\"\n"), "{preview}");
    assert!(
        preview.contains("\n  `mode` is `\"tcr\"`, was `\"both\"`\n"),
        "{preview}"
    );
    assert!(!preview.contains("would run the tests"), "{preview}");
    assert_eq!(
        repo.git(&["for-each-ref"]),
        before,
        "a preview does nothing"
    );

    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(
        said.contains("`mode` is `\"tcr\"`, was `\"both\"`"),
        "{said}"
    );
    assert!(
        said.contains("`tests` is `[\"a/**\"]`, was not set"),
        "{said}"
    );
    assert!(said.contains("`project` is changed"), "{said}");
    assert!(!said.contains("timeout_s"), "{said}");

    repo.write(".tcr.toml", TEST);
    let said = repo.tcr(&["install", "--yes", "--json"]).success().json();
    let mode = json!({"key": "mode", "before": "tcr", "after": "both"});
    assert_eq!(said["config_changes"][0], mode, "{said}");
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(said.contains("the config is as accepted before"), "{said}");
    let preview = repo.tcr(&["install", "--dry-run"]).success().stdout;
    assert!(
        preview.contains("the config is as accepted before"),
        "{preview}"
    );
}

#[test]
fn a_config_that_switches_it_off_is_not_called_active() {
    for (line, why) in [
        ("enabled = false\n", "`.tcr.toml` says `enabled = false`"),
        ("mode = \"off\"\n", "the mode on `main` is `off`"),
        (
            "branches = [\"feat/*\"]\n",
            "`main` is not among the `branches`",
        ),
    ] {
        let later = installed();
        let at_first = Repo::new().configured(&format!("{TEST}{line}"));
        later.write(".tcr.toml", &format!("{TEST}{line}"));
        for repo in [later, at_first] {
            let said = repo.tcr(&["install", "--yes"]).success().stdout;
            assert!(said.starts_with("tcr: installed\n"), "{said}");
            assert!(said.contains(why), "{said}");
            assert!(!said.contains("write a failing test"), "{said}");
            let said = repo.tcr(&["install", "--yes", "--json"]).success().json();
            assert!(said["off"].to_string().contains(why), "{said}");
        }
    }
}

#[test]
fn a_test_command_that_is_not_given_is_detected() {
    let repo = Repo::new().configured("mode = \"tcr\"\n");
    repo.tcr(&["install", "--yes"]).exits(2);
    repo.write("Makefile", ".PHONY: test\ntest:\n\t./run-tests\n");
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    let found = "test command `make test`, target `test` in `Makefile`";
    assert!(said.contains(found), "{said}");
    assert_eq!(repo.status()["test"], "make test");
    assert_eq!(
        repo.read(".tcr.toml"),
        "patience = 0\nmode = \"tcr\"\n",
        "left as it is"
    );
    assert_eq!(repo.status()["config_differs"], false);
}

#[test]
fn a_manifest_that_cannot_be_read_is_named() {
    let repo = Repo::new().with("package.json", "{\n  \"scripts\": {,\n");
    repo.remove(".tcr.toml");
    let repo = repo.committed();
    let refused = repo.tcr(&["install", "--yes"]).exits(2);
    assert!(
        refused.stderr.contains("`package.json` can't be read"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("line 2"), "{}", refused.stderr);
    repo.write("Makefile", ".PHONY: test\ntest:\n\t./run-tests\n");
    let preview = repo.tcr(&["install", "--dry-run"]).success().stdout;
    assert!(
        preview.contains("`package.json` can't be read"),
        "{preview}"
    );
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(said.contains("test command `make test`"), "{said}");
    assert!(said.contains("`package.json` can't be read"), "{said}");
}

#[test]
fn a_preview_does_not_promise_what_would_be_refused() {
    let repo = installed();
    repo.git(&["switch", "-q", "--detach"]);
    repo.tcr(&["install", "--dry-run"]).exits(2);
    let unborn = Repo::init(&[]);
    unborn.write(".tcr.toml", TEST);
    unborn.tcr(&["install", "--dry-run"]).exits(2);
}

#[test]
fn a_folder_that_no_project_has_is_named() {
    let repo = Repo::new().configured(&format!("{TEST}[[project]]\npath = \"pakages/a\"\n"));
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(said.contains("no folder `pakages/a`"), "{said}");
}

#[test]
fn defaults_that_cannot_be_read_are_what_is_to_be_mended() {
    let repo = installed();
    let home = repo.around().join("config");
    std::fs::create_dir_all(home.join("git-tcr")).expect("a folder can be made");
    std::fs::write(home.join("git-tcr/config.toml"), "tset = 1\n").expect("it can be written");
    let home = home.display().to_string();
    let refused = repo
        .tcr_in(
            repo.root(),
            &["install", "--yes"],
            &[("XDG_CONFIG_HOME", &home)],
        )
        .exits(2);
    let hint = format!("hint: fix `{home}/git-tcr/config.toml`, then `git tcr install`");
    assert!(refused.stderr.contains(&hint), "{}", refused.stderr);
}

#[test]
fn doctor_looks_at_the_defaults_too() {
    let repo = installed();
    let folder = repo.around().join("home/.config/git-tcr");
    let doctor = || repo.tcr(&["doctor", "--json"]).json();
    let said = |found: &serde_json::Value, words: &str| found["checks"].to_string().contains(words);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let write = |text: &str| {
        std::fs::write(folder.join("config.toml"), text).expect("it can be written");
    };
    write("timeout_s = 120\n");
    let fine = doctor();
    assert!(!said(&fine, "config.toml"), "{fine}");
    write("timeout_s = 7\n");
    let differs = doctor();
    assert!(said(&differs, "config.toml` differs"), "{differs}");
    repo.tcr(&["install", "--yes"]).success();
    let accepted = doctor();
    assert!(!said(&accepted, "config.toml"), "{accepted}");
    write("timeout_s = 0\n");
    let broken = doctor();
    assert!(said(&broken, "config.toml:1:13"), "{broken}");
}

/// The seal as the first version wrote it, with keys that are gone.
fn sealed_by_the_first_version(repo: &Repo) {
    let sealed = include_str!("../fixtures/config/sealed-with-removed-keys.json");
    let file = repo.around().join("config.json");
    std::fs::write(&file, sealed).expect("a file");
    let blob = repo.git(&["hash-object", "-w", &file.display().to_string()]);
    let index = repo.around().join("index");
    let with_index = |args: &[&str]| {
        let mut git = repo.command("git");
        let done = git.args(args).env("GIT_INDEX_FILE", &index).output();
        let done = done.expect("git");
        assert!(done.status.success(), "{args:?}: {done:?}");
        String::from_utf8(done.stdout)
            .expect("text")
            .trim()
            .to_owned()
    };
    with_index(&["read-tree", "refs/tcr/config"]);
    let entry = format!("100644,{},config.json", blob.trim());
    with_index(&["update-index", "--add", "--cacheinfo", &entry]);
    let tree = with_index(&["write-tree"]);
    let parents = ["commit-tree", &tree, "-p", "refs/tcr/config", "-m", "seal"];
    let commit = repo.git(&parents);
    repo.git_past_hooks(&["update-ref", "refs/tcr/config", commit.trim()]);
}

#[test]
fn a_config_that_was_sealed_with_keys_that_are_gone_is_obeyed_without_them() {
    let repo = installed();
    sealed_by_the_first_version(&repo);
    repo.tcr(&["status"]).success();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["why"], "green");

    repo.write(".tcr.toml", &format!("{TEST}retry = 0\n"));
    repo.tcr(&["status"]).success();
    let refused = repo.tcr(&["install", "--yes"]).exits(2).stderr;
    assert!(
        refused.contains(".tcr.toml:2:1: `retry` is no longer a key\nhint: remove it: failing"),
        "{refused}"
    );
    repo.write(".tcr.toml", TEST);
    repo.tcr(&["install", "--yes"]).success();
    assert!(!repo.show("refs/tcr/config:config.json").contains("retry"));
}
