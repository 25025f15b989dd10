//! The commands of the snippets in `docs/ci.md` do what the page says.

use std::path::Path;

use crate::support::{PROGRAM, Ran, Repo};

const PAGE: &str = include_str!("../docs/ci.md");

/// The fenced block that begins with this line.
fn block(first: &str) -> Vec<&'static str> {
    let lines = PAGE.lines().skip_while(|line| *line != first);
    lines.take_while(|line| *line != "```").collect()
}

/// What a shell would run: steps of the one kind, or of the other.
fn commands(first: &str) -> Vec<String> {
    let is_step = |line: &&str| line.contains("git ") || line.contains("cargo ");
    let steps = block(first).into_iter().filter(is_step).map(|line| {
        let line = line
            .trim()
            .trim_start_matches("- ")
            .trim_start_matches("run: ");
        line.replace("${{ github.base_ref }}", "main")
    });
    let found: Vec<String> = steps.collect();
    assert!(found.len() >= 3, "{found:?}");
    found
}

/// Runs the commands in a folder where `git tcr` is this program, until one fails.
fn run(repo: &Repo, dir: &Path, commands: &[String]) -> Ran {
    let tools = repo.around().join("tools");
    if !tools.exists() {
        std::fs::create_dir(&tools).expect("a folder");
        std::os::unix::fs::symlink(PROGRAM, tools.join("git-tcr")).expect("a link");
    }
    let path = std::env::var("PATH").expect("a path");
    let script: Vec<&String> = commands
        .iter()
        .filter(|line| !line.starts_with("cargo "))
        .collect();
    let script = script
        .into_iter()
        .fold("set -e\n".to_owned(), |text, line| text + line + "\n");
    let mut command = repo.command("sh");
    command
        .current_dir(dir)
        .args(["-c", &script])
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
    Ran::from(command.output().expect("sh runs"))
}

/// A branch with one cycle on it, and a remote on disk.
fn worked() -> Repo {
    let repo = Repo::new().with_remote();
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["switch", "-q", "-c", "feat"]);
    let repo = repo.installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo
}

#[test]
fn the_snippets_verify_a_branch() {
    let repo = worked();
    run(&repo, repo.root(), &commands("git tcr squash")).success();
    for (name, first) in [
        ("github", "# .github/workflows/tcr.yml"),
        ("gitlab", "# .gitlab-ci.yml"),
    ] {
        let clone = repo.clone_of_remote("feat", name);
        let ran = run(&repo, &clone, &commands(first)).success();
        assert!(
            ran.stdout.contains("verified: 1 history holds"),
            "{name}: {}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains("1 commit with evidence, 0 without"),
            "{name}: {}",
            ran.stdout
        );
    }
}

#[test]
fn a_branch_without_evidence_is_not_waved_through() {
    let repo = worked();
    repo.git(&["push", "-q", "--no-verify", "origin", "tcr/feat:feat"]);
    let clone = repo.clone_of_remote("feat", "clone");
    run(&repo, &clone, &commands("# .github/workflows/tcr.yml")).exits(2);
}
