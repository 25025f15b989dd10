//! Submodules are reported and never reverted; other repositories in the worktree are never
//! committed.

use crate::support::Repo;

fn nested(repo: &Repo, path: &str, commits: bool) {
    repo.git(&["init", "-q", path]);
    repo.write(&format!("{path}/inside.sh"), "inside\n");
    if commits {
        repo.git(&["-C", path, "add", "-A"]);
        repo.git(&["-C", path, "commit", "-q", "-m", "inside"]);
    }
}

#[test]
fn a_repository_in_the_worktree_is_left_alone() {
    for commits in [false, true] {
        for (test, action) in [("true\n", "commit"), ("false\n", "take_back")] {
            let repo = Repo::in_mode_tcr();
            nested(&repo, "vendor/lib", commits);
            repo.write("tests/second.t", test);
            let ran = repo.run_json();
            assert_eq!(ran["action"], action, "{ran}");
            assert_eq!(repo.read("vendor/lib/inside.sh"), "inside\n");
            assert!(repo.exists("vendor/lib/.git/HEAD"));
            let remarks = ran["remarks"].to_string();
            assert!(remarks.contains("vendor/lib"), "{ran}");
            assert!(
                !repo
                    .git(&["ls-tree", "-r", "--name-only", "HEAD"])
                    .contains("vendor")
            );
        }
    }
}

#[test]
fn not_even_when_it_was_staged() {
    let repo = Repo::in_mode_tcr();
    nested(&repo, "vendor/lib", true);
    repo.git(&["add", "-A"]);
    assert!(
        repo.git(&["ls-files", "-s", "vendor/lib"])
            .starts_with("160000")
    );
    repo.write("tests/second.t", "true\n");
    let ran = repo.run_json();
    assert_eq!(ran["action"], "commit", "{ran}");
    assert_eq!(repo.git(&["ls-tree", "-r", "HEAD", "vendor"]), "", "{ran}");
    assert_eq!(repo.read("vendor/lib/inside.sh"), "inside\n");
}

/// A repository with a submodule `lib`.
fn with_submodule() -> Repo {
    let repo = Repo::new();
    let origin = repo.around().join("origin");
    let origin = origin.to_str().expect("text").to_owned();
    repo.git(&["init", "-q", &origin]);
    for number in ["1", "2"] {
        std::fs::write(format!("{origin}/lib.txt"), number).expect("a file");
        repo.git(&["-C", &origin, "add", "-A"]);
        repo.git(&["-C", &origin, "commit", "-q", "-m", number]);
    }
    repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &origin,
        "lib",
    ]);
    repo.committed()
        .configured(crate::support::world::MODE_TCR)
        .installed()
}

#[test]
fn a_changed_submodule_is_reported_and_never_taken_back() {
    let repo = with_submodule();
    repo.git(&["-C", "lib", "checkout", "-q", "HEAD~1"]);
    let older = repo.git(&["-C", "lib", "rev-parse", "HEAD"]);
    repo.write("tests/second.t", "false\n");
    let red = repo.run_json();
    assert_eq!(red["action"], "take_back", "{red}");
    assert_eq!(repo.git(&["-C", "lib", "rev-parse", "HEAD"]), older);
    assert!(red["remarks"].to_string().contains("`lib`"), "{red}");
    repo.write("tests/second.t", "true\n");
    let green = repo.run_json();
    assert_eq!(green["action"], "commit", "{green}");
    assert!(
        repo.git(&["ls-tree", "HEAD", "lib"]).contains(&older),
        "it was tested like that"
    );
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn work_inside_a_submodule_is_not_ours() {
    let repo = with_submodule();
    repo.write("lib/lib.txt", "edited\n");
    repo.write("lib/new.txt", "new\n");
    repo.write("tests/second.t", "false\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    assert_eq!(repo.read("lib/lib.txt"), "edited\n");
    assert_eq!(repo.read("lib/new.txt"), "new\n");
}

#[test]
fn a_submodule_that_is_not_checked_out_is_no_change() {
    let repo = with_submodule();
    repo.git(&["submodule", "--quiet", "deinit", "-f", "lib"]);
    repo.write("tests/second.t", "true\n");
    let green = repo.run_json();
    assert_eq!(
        green["files"],
        serde_json::json!(["tests/second.t"]),
        "{green}"
    );
    assert!(repo.git(&["ls-tree", "HEAD", "lib"]).starts_with("160000"));
}

#[test]
fn a_staged_repository_that_moved_on_does_not_keep_the_loop_from_deciding() {
    let repo = Repo::in_mode_tcr();
    nested(&repo, "vendor/lib", true);
    repo.git(&["add", "-A"]);
    repo.git(&[
        "-C",
        "vendor/lib",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "more",
    ]);
    repo.write("tests/second.t", "true\n");
    let ran = repo.run_json();
    assert_eq!(ran["action"], "commit", "{ran}");
    assert_eq!(ran["files"], serde_json::json!(["tests/second.t"]));
}
