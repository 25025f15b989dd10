//! The action, the job and the hook in `hooks-templates/ci` do what they say, run as CI runs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{CALC, SUB, TEST_SUB, calc, commit, with_test};
use crate::support::{PROGRAM, Ran, Repo};

fn template(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// A clone of a repository whose branch adds a function, with its test or without.
fn clone(is_tested: bool) -> (Repo, PathBuf) {
    let repo = calc().with_remote();
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["switch", "-q", "-c", "feat"]);
    repo.write("calc.py", &format!("{CALC}{SUB}"));
    if is_tested {
        repo.write("test_calc.py", &with_test(TEST_SUB));
    }
    commit(&repo, "subtract");
    repo.git(&["push", "-q", "origin", "feat"]);
    let clone = repo.clone_of_remote("feat", "clone");
    (repo, clone)
}

/// A shell where `git tcr` is this program.
fn sh(repo: &Repo, dir: &Path) -> Command {
    let tools = repo.around().join("tools");
    if !tools.exists() {
        std::fs::create_dir(&tools).expect("a folder");
        std::os::unix::fs::symlink(PROGRAM, tools.join("git-tcr")).expect("a link");
    }
    let path = std::env::var("PATH").expect("a path");
    let mut command = repo.command("sh");
    command
        .current_dir(dir)
        .env("PATH", format!("{}:{path}", tools.display()));
    command
}

#[test]
fn the_action_proves_a_pull_request_and_writes_its_summary() {
    let page = std::fs::read_to_string(template("action.yml")).expect("the action");
    let steps: Vec<String> = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix("run: ").map(str::to_owned))
        .collect();
    assert_eq!(steps.len(), 2, "{page}");
    for (is_tested, status, said) in [(true, 0, "all proven"), (false, 1, "untested")] {
        let (repo, clone) = clone(is_tested);
        repo.git(&["-C", text(&clone), "checkout", "-q", "--detach"]);
        let temp = repo.around().join("temp");
        let summary = repo.around().join("summary.md");
        let ran = sh(&repo, &clone)
            .args(["-c", &steps.join("\n")])
            .env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"))
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_STEP_SUMMARY", &summary)
            .env("RUNNER_TEMP", &temp)
            .output()
            .expect("sh runs");
        Ran::from(ran).exits(status);
        let summary = std::fs::read_to_string(&summary).expect("a summary");
        assert!(summary.contains(said), "{summary}");
        assert!(temp.join("audit.sarif").exists());
        assert_eq!(repo.git(&["-C", text(&clone), "status", "--porcelain"]), "");
    }
}

#[test]
fn what_could_not_be_told_fails_unless_it_may_pass() {
    for (unknown, status) in [("fail", 2), ("pass", 0)] {
        let (repo, clone) = clone(true);
        let ran = sh(&repo, &clone)
            .arg(template("hooks-templates/ci/audit.sh"))
            .env("GITHUB_BASE_REF", "main")
            .env("RUNNER_TEMP", repo.around().join("temp"))
            .env("TCR_TEST", "true")
            .env("TCR_UNKNOWN", unknown)
            .output()
            .expect("sh runs");
        Ran::from(ran).exits(status);
    }
}

#[test]
fn the_job_proves_a_merge_request() {
    let page = std::fs::read_to_string(template("hooks-templates/ci/gitlab.yml")).expect("a job");
    let script: String = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- git "))
        .fold("set -e\n".to_owned(), |script, line| {
            script + "git " + line + "\n"
        });
    for (is_tested, status) in [(true, 0), (false, 1)] {
        let (repo, clone) = clone(is_tested);
        let ran = sh(&repo, &clone)
            .args(["-c", &script])
            .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
            .env("TCR_SETUP", "")
            .output()
            .expect("sh runs");
        Ran::from(ran).exits(status);
        assert!(clone.join("audit.md").exists() && clone.join("audit.sarif").exists());
    }
}

#[test]
fn the_hook_stops_what_is_not_proven() {
    for (is_tested, status) in [(true, 0), (false, 1)] {
        let repo = calc().with_remote();
        repo.git(&["push", "-q", "origin", "main"]);
        let hook = repo.path(".git/hooks/pre-push");
        std::fs::create_dir_all(repo.path(".git/hooks")).expect("a folder");
        std::fs::copy(template("hooks-templates/ci/pre-push.sh"), &hook).expect("a hook");
        repo.make_executable(".git/hooks/pre-push");
        repo.git(&["switch", "-q", "-c", "feat"]);
        repo.write("calc.py", &format!("{CALC}{SUB}"));
        if is_tested {
            repo.write("test_calc.py", &with_test(TEST_SUB));
        }
        commit(&repo, "subtract");
        let ran = repo.try_git(&["push", "-q", "origin", "feat"]);
        assert_eq!(ran.status, status, "{}", ran.stderr);
        let is_said = ran.stderr.contains("untested");
        assert_eq!(is_said, !is_tested, "{}", ran.stderr);
    }
}
