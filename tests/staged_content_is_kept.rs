//! What was staged and is nowhere else stays reachable, whatever the verdict.

use crate::support::Repo;

const STAGED: &str = "add() { echo staged; }\n";

/// A staged version of `src/add.sh` that differs from HEAD and from the worktree.
fn stage(repo: &Repo, worktree: &str) {
    repo.write("src/add.sh", STAGED);
    repo.git(&["add", "-A"]);
    repo.write("src/add.sh", worktree);
}

#[test]
fn by_a_green() {
    let repo = Repo::in_green();
    stage(&repo, "add() { echo 3; }\n");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert!(repo.reaches(STAGED));
    assert!(
        !repo.git(&["log", "-p", "tcr/main"]).contains("staged"),
        "it was never tested"
    );
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn by_a_revert() {
    let repo = Repo::in_green();
    stage(&repo, "add() { echo 4; }\n");
    let red = repo.run_json();
    assert_eq!(red["action"], "take_back", "{red}");
    assert!(repo.reaches(STAGED));
    assert!(repo.reaches("add() { echo 4; }\n"));
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn by_what_is_unasked() {
    const STAGED: &str = "def add():\n    return 5\n";
    let repo = Repo::new().installed();
    repo.write("src/add.py", STAGED);
    repo.git(&["add", "-A"]);
    repo.write("src/add.py", "def add():\n    return 4\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "unasked", "{outcome}");
    assert!(!repo.exists("src/add.py"));
    assert!(repo.reaches(STAGED));
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn by_a_keep() {
    let repo = Repo::in_green();
    stage(&repo, "add() { echo 3\n");
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(
        repo.show(":src/add.sh"),
        STAGED.trim_end(),
        "the index is as it was"
    );
    assert_eq!(repo.read("src/add.sh"), "add() { echo 3\n");
}

#[test]
fn by_the_baseline() {
    let repo = Repo::new();
    stage(&repo, "add() { echo 3; }\n");
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.branch(), "tcr/main");
    assert!(repo.reaches(STAGED));
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn when_the_worktree_went_back_to_head() {
    let repo = Repo::in_mode_tcr();
    repo.write("tests/first.t", "true # staged\n");
    repo.git(&["add", "-A"]);
    repo.write("tests/first.t", "true\n");
    repo.write("other.txt", "x\n");
    let green = repo.run_json();
    assert_eq!(green["action"], "commit", "{green}");
    assert_eq!(
        repo.git(&["diff", "--name-only", "HEAD~1", "HEAD"]),
        "other.txt"
    );
    let in_index = repo.show(":tests/first.t") == "true # staged";
    assert!(in_index || repo.reaches("true # staged\n"));
}

#[test]
fn when_it_was_staged_while_the_tests_ran() {
    for (body, action) in [("true # 2\n", "commit"), ("false\n", "take_back")] {
        for path in ["tests/first.t", "tests/new.t"] {
            let repo = Repo::in_mode_tcr();
            repo.write(path, body);
            repo.during_next_test(&format!(
                "id=$(echo meanwhile | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$id,{path}",
            ));
            let ran = repo.run_json();
            assert_eq!(ran["action"], action, "{ran}");
            let in_index = repo.git(&["ls-files", "-s", path]).contains("a609058");
            assert!(in_index || repo.reaches("meanwhile\n"), "{path} {ran}");
        }
    }
}

#[test]
fn when_only_the_mode_was_staged() {
    let repo = Repo::in_mode_tcr();
    repo.git(&["update-index", "--chmod=+x", "tests/first.t"]);
    repo.write("other.txt", "x\n");
    let green = repo.run_json();
    assert_eq!(green["action"], "commit", "{green}");
    assert!(
        repo.git(&["ls-tree", "HEAD", "tests/first.t"])
            .starts_with("100644"),
        "as the worktree has it"
    );
}

#[test]
fn when_the_staged_file_is_gone_from_the_worktree() {
    for (test, action) in [("true\n", "commit"), ("false\n", "take_back")] {
        let repo = Repo::in_mode_tcr();
        repo.write("only-staged.txt", "only staged\n");
        repo.git(&["add", "-A"]);
        repo.remove("only-staged.txt");
        repo.write("tests/second.t", test);
        let ran = repo.run_json();
        assert_eq!(ran["action"], action, "{ran}");
        let in_index = !repo.git(&["ls-files", "only-staged.txt"]).is_empty();
        assert!(in_index || repo.reaches("only staged\n"), "{ran}");
    }
}

#[test]
fn what_stays_in_the_index_needs_no_entry() {
    let repo = Repo::in_mode_tcr();
    repo.write("tests/first.t", "true # staged\n");
    repo.write("only-staged.txt", "only staged\n");
    repo.git(&["add", "-A"]);
    repo.write("tests/first.t", "true\n");
    repo.remove("only-staged.txt");
    for name in ["one.txt", "two.txt"] {
        repo.write(name, "x\n");
        let green = repo.run_json();
        assert_eq!(green["action"], "commit", "{green}");
        assert_eq!(green["remarks"], serde_json::json!([]));
    }
    assert_eq!(repo.show(":tests/first.t"), "true # staged");
    assert_eq!(repo.show(":only-staged.txt"), "only staged");
    let entries = repo.tcr(&["recover", "list", "--json"]).success().json();
    assert_eq!(entries, serde_json::json!([]));
    // A file where the index has a folder takes its place.
    repo.write("folder/only-staged.txt", "in a folder\n");
    repo.git(&["add", "folder"]);
    std::fs::remove_dir_all(repo.path("folder")).expect("a folder");
    repo.write("folder", "a file\n");
    assert_eq!(repo.run_json()["action"], "commit");
    assert_eq!(repo.show("HEAD:folder"), "a file");
    assert!(repo.reaches("in a folder\n"));
}

/// A staged version of a page that differs from HEAD and from the worktree.
fn stage_docs(repo: &Repo) {
    repo.write("guide.md", "staged\n");
    repo.git(&["add", "-A"]);
    repo.write("guide.md", "in the worktree\n");
}

#[test]
fn by_going_back_to_the_last_green() {
    let repo = Repo::new().installed();
    repo.write("tests/second.t", "true\n");
    assert_eq!(repo.run_json()["action"], "commit");
    stage_docs(&repo);
    repo.tcr(&["recover", "green"]).success();
    assert_eq!(repo.read("guide.md"), "in the worktree\n");
    assert!(repo.reaches("staged\n"));
}

#[test]
fn by_dropping_a_spike_that_changed_no_file() {
    let repo = Repo::new().installed();
    repo.write("guide.md", "in the worktree\n");
    repo.tcr(&["spike", "start"]).success();
    stage_docs(&repo);
    repo.tcr(&["spike", "drop"]).success();
    assert_eq!(repo.read("guide.md"), "in the worktree\n");
    assert!(repo.reaches("staged\n"));
}

#[test]
fn and_it_can_be_looked_at_and_staged_again() {
    let repo = Repo::in_green();
    stage(&repo, "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["action"], "commit");
    let shown = repo.tcr(&["recover", "show", "1"]).success().stdout;
    assert!(shown.contains("+add() { echo staged; }"), "{shown}");
    let hint = shown
        .lines()
        .find_map(|line| line.strip_prefix("hint: git "))
        .expect("a way to stage it again")
        .replace("PATH", "src/add.sh");
    repo.git(&hint.split(' ').collect::<Vec<_>>());
    assert_eq!(repo.show(":src/add.sh"), STAGED.trim_end());
    let json = repo.tcr(&["recover", "show", "1", "--json"]).json();
    let diff = json["staged"]["diff"].as_str().expect("a diff");
    assert!(diff.contains("+add() { echo staged; }"), "{json}");
}
