//! Wherever it is run from, it acts on the repository around the current folder, and the user's
//! tests see nothing of git's own variables.

use crate::support::{PROGRAM, Ran, Repo};

#[test]
fn variables_of_another_repository_have_no_say() {
    let other = Repo::in_green();
    let repo = Repo::in_green();
    let git_dir = other.path(".git");
    let text = |path: &std::path::Path| path.to_str().expect("text").to_owned();
    let (git_dir, index, objects) = (
        text(&git_dir),
        text(&git_dir.join("index")),
        text(&git_dir.join("objects")),
    );
    let root = text(other.root());
    let variables: Vec<(&str, &str)> = vec![
        ("GIT_DIR", &git_dir),
        ("GIT_COMMON_DIR", &git_dir),
        ("GIT_WORK_TREE", &root),
        ("GIT_INDEX_FILE", &index),
        ("GIT_OBJECT_DIRECTORY", &objects),
        ("GIT_NAMESPACE", "elsewhere"),
        ("GIT_PREFIX", "tests/"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.worktree"),
        ("GIT_CONFIG_VALUE_0", "/nowhere"),
        ("GIT_CONFIG_PARAMETERS", "'core.bare'='true'"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_REFLOG_ACTION", "hook"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
    ];
    repo.during_tests(
        "env | grep '^GIT_' > \"$HOME/seen\"; git rev-parse --show-toplevel >> \"$HOME/seen\"",
    );
    let before = other.world();
    for (body, action) in [
        ("add() { echo 4; }\n", "take_back"),
        ("add() { echo 3; }\n", "commit"),
    ] {
        repo.write("src/add.sh", body);
        let ran = repo.tcr_in(repo.root(), &["run", "--json"], &variables);
        assert_eq!(ran.json()["action"], action, "{}{}", ran.stdout, ran.stderr);
        assert_eq!(other.world(), before, "the other repository is not touched");
    }
    assert_eq!(repo.porcelain(), "");
    let seen = std::fs::read_to_string(repo.around().join("home/seen")).expect("a file");
    let stray: Vec<&str> = seen
        .lines()
        .filter(|line| line.starts_with("GIT_") && !line.starts_with("GIT_TCR_"))
        .filter(|line| !line.starts_with("GIT_AUTHOR") && !line.starts_with("GIT_COMMITTER"))
        .filter(|line| {
            !line.starts_with("GIT_CONFIG_GLOBAL") && !line.starts_with("GIT_CONFIG_NOSYSTEM")
        })
        .collect();
    assert_eq!(stray, Vec::<&str>::new());
    assert!(
        seen.ends_with(&format!("{}\n", repo.root().display())),
        "{seen}"
    );
}

#[test]
fn from_inside_a_hook_of_another_repository() {
    let other = Repo::new();
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let hook = format!(
        "#!/bin/sh\ncd {} && {} run --json > {}/out 2>&1\n",
        repo.root().display(),
        crate::support::PROGRAM,
        repo.around().display()
    );
    other.write(".git/hooks/pre-commit", &hook);
    other.make_executable(".git/hooks/pre-commit");
    other.write("new.txt", "new\n");
    other.git(&["add", "-A"]);
    let mut commit = repo.command("git");
    commit
        .current_dir(other.root())
        .args(["commit", "-q", "-m", "with a hook"]);
    assert!(commit.status().expect("git runs").success());
    let out = std::fs::read_to_string(repo.around().join("out")).expect("a file");
    assert!(out.contains("\"why\":\"green\""), "{out}");
    assert_eq!(repo.show("tcr/main:src/add.sh"), "add() { echo 3; }");
    assert_eq!(repo.porcelain(), "");
    assert_eq!(other.git(&["show", "--name-only", "--format="]), "new.txt");
    assert_eq!(other.git(&["for-each-ref", "refs/tcr"]), "");
    assert_eq!(other.porcelain(), "");
}

#[test]
fn from_a_subfolder() {
    let repo = Repo::in_green();
    let below = repo.path("tests");
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let ran = repo.tcr_in(&below, &["run", "--json"], &[]).json();
    assert_eq!(ran["action"], "take_back", "{ran}");
    repo.tcr_in(&below, &["allow", "add.t", "../run-tests", "--once"], &[])
        .success();
    let paths: Vec<_> = repo.status()["waivers"].as_array().expect("a list").clone();
    assert_eq!(paths[0]["path"], "tests%2Fadd.t");
    assert_eq!(paths[1]["path"], "run-tests");
    let outside = repo
        .tcr_in(&below, &["allow", "../../x", "--once"], &[])
        .exits(2);
    assert!(
        outside.stderr.contains("not a path inside this worktree"),
        "{}",
        outside.stderr
    );
}

#[test]
fn through_a_symbolic_link_to_the_worktree() {
    let repo = Repo::in_green();
    let link = repo.around().join("link");
    std::os::unix::fs::symlink(repo.root(), &link).expect("a link");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let ran = repo.tcr_in(&link, &["run", "--json"], &[]).json();
    assert_eq!(ran["why"], "green", "{ran}");
    repo.tcr_in(&link, &["allow", "src/add.sh", "--once"], &[])
        .success();
}

#[test]
fn in_a_submodule_the_submodule_is_meant() {
    let repo = Repo::new();
    let origin = Repo::new();
    repo.add_submodule(&origin, "lib");
    let repo = repo.committed();
    let lib = repo.path("lib");
    let before = repo.git(&["for-each-ref"]);
    repo.tcr_in(&lib, &["install", "--yes"], &[]).success();
    std::fs::write(lib.join("tests/add.t"), "false\n").expect("a file");
    let red = repo.tcr_in(&lib, &["run", "--json"], &[]).json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.git(&["for-each-ref"]), before);
    assert!(
        repo.git(&["-C", "lib", "for-each-ref"])
            .contains("refs/tcr/state/main")
    );
}

#[test]
fn a_git_dir_that_lies_elsewhere() {
    let repo = Repo::new();
    let elsewhere = repo.around().join("git-dir");
    repo.git(&[
        "init",
        "-q",
        "--separate-git-dir",
        elsewhere.to_str().expect("text"),
    ]);
    assert!(repo.path(".git").is_file());
    let repo = repo.installed();
    repo.write("tests/add.t", "false\n");
    assert_eq!(repo.run_json()["why"], "red");
    assert_eq!(repo.porcelain(), "");
}

/// Some programs that start others block the signal that tells of a child's end, and it stays so.
#[test]
fn from_a_program_that_blocks_signals() {
    // The command ends some time after its output.
    let test = "./run-tests; s=$?; exec >&- 2>&-; sleep 0.1; exit $s";
    let repo = Repo::new()
        .configured(&format!("test = \"{test}\"\ntimeout_s = 20\n"))
        .installed();
    let blocking = |program: &str, args: &[&str]| {
        let mut command = repo.command("env");
        command.arg("--block-signal=CHLD").arg(program).args(args);
        Ran::from(command.output().expect("env runs"))
    };
    if blocking("true", &[]).status != 0 {
        println!("skipped: `env` blocks no signals here");
        return;
    }
    repo.write("tests/add.t", "false\n");
    let ran = blocking(PROGRAM, &["run", "--json"]).success().json();
    assert_eq!(ran["why"], "red", "{ran}");
    let took = ran["test_results"]["duration_ms"].as_u64();
    assert!(took < Some(20_000), "it waited for the timeout: {took:?}");
}

#[test]
fn doctor_makes_no_folder_for_the_manual() {
    let repo = Repo::new().installed();
    let program = repo.around().join("bin/git-tcr");
    std::fs::create_dir(repo.around().join("bin")).expect("a folder");
    std::fs::copy(PROGRAM, &program).expect("a copy");
    let ran = Ran::from(repo.command(&program).arg("doctor").output().expect("runs"));
    assert!(ran.stdout.contains("man"), "{}", ran.stdout);
    assert!(!repo.around().join("share").exists());
}
