//! Where the file system has no symbolic links (`core.symlinks`), git checks a link out as a file with
//! its target in it. It is a link all the same.

use crate::support::Repo;
use crate::support::world::MODE_TCR;

fn with_link_as_file() -> Repo {
    let repo = Repo::new();
    repo.link("first.t", "tests/link.t");
    let repo = repo.committed().configured(MODE_TCR);
    repo.git(&["config", "core.symlinks", "false"]);
    repo.remove("tests/link.t");
    repo.git(&["checkout", "-q", "--", "tests/link.t"]);
    assert_eq!(repo.read("tests/link.t"), "first.t");
    // As a file it would be run as a test, and there is no such command.
    repo.write("first.t", "exit 0\n");
    repo.git(&["add", "first.t"]);
    repo.git(&["commit", "-q", "-m", "what it leads to"]);
    repo.installed()
}

fn mode_of_link(repo: &Repo) -> String {
    repo.git(&["ls-tree", "--format=%(objectmode)", "HEAD", "tests/link.t"])
}

#[test]
fn it_is_no_change_and_stays_a_link() {
    let repo = with_link_as_file();
    assert_eq!(mode_of_link(&repo), "120000", "after the baseline");
    repo.write("tests/more.t", "true\n");
    let expected = repo.tree_by_git();
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(repo.tree("HEAD"), expected);
    assert_eq!(mode_of_link(&repo), "120000");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn another_target_is_reverted_restored_and_committed() {
    let repo = with_link_as_file();
    let committed = repo.files();
    repo.write("tests/link.t", "other.t");
    repo.write("tests/more.t", "false\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    assert_eq!(repo.files(), committed);
    assert_eq!(repo.porcelain(), "");
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("tests/link.t"), "other.t");
    repo.write("tests/more.t", "true\n");
    repo.write("other.t", "exit 0\n");
    let expected = repo.tree_by_git();
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(repo.tree("HEAD"), expected);
    assert_eq!(mode_of_link(&repo), "120000");
}
