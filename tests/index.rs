//! The user's index after a loop: as git itself would have left it.

use crate::support::Repo;

/// Any change is judged green and committed.
const ALWAYS_GREEN: &str = "mode = \"tcr\"\ntest = \"true\"\n";

fn repo() -> Repo {
    Repo::new()
        .with("src/a/one.sh", "one\n")
        .with("src/a/two.sh", "two\n")
        .with("src/b/deep/er/three.sh", "three\n")
        .with("src/b.sh", "beside the folder\n")
        .with("top.sh", "top\n")
        .configured(ALWAYS_GREEN)
        .installed()
}

/// Runs the loop, which has to commit, and compares the index with what git makes of HEAD.
fn committed_and_exact(repo: &Repo) {
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    exact(repo);
}

fn exact(repo: &Repo) {
    assert_eq!(repo.porcelain(), "");
    assert_eq!(
        entries(repo),
        repo.git(&["ls-tree", "-r", "HEAD"])
            .replace(" blob ", " ")
            .replace(" commit ", " ")
    );
    assert_eq!(
        repo.git(&["write-tree"]),
        repo.git(&["rev-parse", "HEAD^{tree}"])
    );
    // The trees that the index remembers count when only a part of it is written anew.
    repo.write("src/b/probe.sh", "probe\n");
    repo.git(&["add", "src/b/probe.sh"]);
    let with_memory = repo.git(&["write-tree"]);
    let entries = repo.git(&["ls-files", "-s"]);
    repo.remove("src/b/probe.sh");
    repo.git(&["rm", "-q", "--cached", "src/b/probe.sh"]);
    assert_eq!(with_memory, tree_of_entries(repo, &entries));
}

fn entries(repo: &Repo) -> String {
    let listed = repo.git(&["ls-files", "-s"]);
    listed.replace(" 0\t", "\t")
}

/// The tree of these entries, made with an index that remembers nothing.
fn tree_of_entries(repo: &Repo, entries: &str) -> String {
    let index = repo.around().join("fresh-index");
    let _ = std::fs::remove_file(&index);
    let list = repo.around().join("entries");
    std::fs::write(&list, format!("{entries}\n")).expect("a file");
    let mut add = repo.command("git");
    add.env("GIT_INDEX_FILE", &index)
        .args(["update-index", "--index-info"]);
    add.stdin(std::fs::File::open(&list).expect("it was just written"));
    assert!(add.status().expect("git runs").success());
    let mut write = repo.command("git");
    let tree = write
        .env("GIT_INDEX_FILE", &index)
        .arg("write-tree")
        .output()
        .expect("git runs");
    String::from_utf8_lossy(&tree.stdout).trim_end().to_owned()
}

#[test]
fn every_kind_of_change_ends_up_in_the_index() {
    let changes: [(&str, &dyn Fn(&Repo)); 10] = [
        ("a changed file", &|repo| repo.write("src/a/one.sh", "1\n")),
        ("a new file", &|repo| repo.write("src/a/three.sh", "3\n")),
        ("a new folder", &|repo| repo.write("lib/x/y/z.sh", "z\n")),
        ("a deleted file", &|repo| repo.remove("src/a/two.sh")),
        ("a deleted folder", &|repo| {
            std::fs::remove_dir_all(repo.path("src/b")).expect("a folder to remove");
        }),
        ("an executable", &|repo| repo.make_executable("top.sh")),
        ("a link", &|repo| {
            repo.remove("top.sh");
            std::os::unix::fs::symlink("src/b.sh", repo.path("top.sh")).expect("a link");
        }),
        ("a folder for a file", &|repo| {
            repo.remove("top.sh");
            repo.write("top.sh/now/a/folder.sh", "x\n");
        }),
        ("a file for a folder", &|repo| {
            std::fs::remove_dir_all(repo.path("src/a")).expect("a folder to remove");
            repo.write("src/a", "now a file\n");
        }),
        ("staged and changed again", &|repo| {
            repo.write("src/a/one.sh", "staged\n");
            repo.git(&["add", "-A"]);
            repo.write("src/a/one.sh", "newer\n");
        }),
    ];
    for (what, change) in changes {
        println!("{what}");
        let repo = repo();
        change(&repo);
        committed_and_exact(&repo);
        // What the index remembers of the first commit is there for the second one.
        repo.write("src/b.sh", "another change\n");
        committed_and_exact(&repo);
    }
}

#[test]
fn an_index_of_another_kind_stays_of_that_kind() {
    let kinds: [(&str, &dyn Fn(&Repo)); 3] = [
        ("version 4", &|repo| {
            drop(repo.git(&["update-index", "--index-version", "4"]))
        }),
        ("split", &|repo| {
            repo.git(&["config", "core.splitIndex", "true"]);
            repo.git(&["update-index", "--split-index"]);
        }),
        ("with a list of untracked files", &|repo| {
            repo.git(&["update-index", "--force-untracked-cache"]);
            repo.git(&["status"]);
        }),
    ];
    for (what, prepare) in kinds {
        println!("{what}");
        let repo = repo();
        prepare(&repo);
        let kind = |repo: &Repo| {
            let bytes = std::fs::read(repo.path(".git/index")).expect("an index");
            let has = |name: &[u8]| bytes.windows(4).any(|window| window == name);
            (
                bytes.get(..8).map(<[u8]>::to_vec),
                has(b"link"),
                has(b"UNTR"),
            )
        };
        let before = kind(&repo);
        repo.write("src/a/one.sh", "1\n");
        repo.write("src/a/new.sh", "new\n");
        let outcome = repo.run_json();
        assert_eq!(outcome["action"], "commit", "{outcome}");
        assert_eq!(kind(&repo), before);
        exact(&repo);
    }
}

#[test]
fn marks_of_other_entries_stay() {
    let repo = repo();
    repo.git(&["update-index", "--assume-unchanged", "src/b.sh"]);
    repo.git(&["config", "core.sparseCheckout", "true"]);
    repo.git(&["update-index", "--skip-worktree", "src/a/two.sh"]);
    repo.remove("src/a/two.sh");
    repo.write("src/a/one.sh", "1\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(outcome["files"], serde_json::json!(["src/a/one.sh"]));
    let marks = repo.git(&["ls-files", "-v", "src"]);
    assert!(marks.contains("h src/b.sh"), "{marks}");
    assert!(marks.contains("S src/a/two.sh"), "{marks}");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_file_saved_in_the_second_of_the_commit_is_seen() {
    let repo = repo();
    for round in 0..10 {
        repo.write("src/a/one.sh", &format!("a{round}\n"));
        assert_eq!(repo.run_json()["action"], "commit");
        // The same length, perhaps the same second.
        repo.write("src/a/one.sh", &format!("b{round}\n"));
        assert_eq!(repo.porcelain(), " M src/a/one.sh");
        assert_eq!(repo.run_json()["action"], "commit");
        assert_eq!(repo.show("HEAD:src/a/one.sh"), format!("b{round}"));
    }
}

#[test]
fn many_reverts_leave_an_index_that_git_agrees_with() {
    let repo = repo()
        .configured("mode = \"tcr\"\ntest = \"false\"\n")
        .installed();
    for round in 0..15 {
        repo.write("src/a/one.sh", &format!("wrong {round}\n"));
        repo.write("src/a/two.sh", &format!("wrong {round}\n"));
        repo.write("src/new.sh", "wrong\n");
        let outcome = repo.run_json();
        assert_eq!(outcome["action"], "take_back", "{outcome}");
    }
    exact(&repo);
}

#[test]
fn an_index_that_is_locked_is_waited_for_and_then_named() {
    let repo = repo();
    repo.write("src/a/one.sh", "1\n");
    repo.write(".git/index.lock", "");
    let outcome = repo.tcr(&["run"]);
    assert_eq!(outcome.status, 2, "{}", outcome.stdout);
    assert!(outcome.stderr.contains("index.lock"), "{}", outcome.stderr);
    repo.remove(".git/index.lock");
    repo.tcr(&["status"]).success();
    repo.tcr(&["run"]);
    exact(&repo);
}
