//! `git tcr demo`: the story plays to its end on any machine, and stays in its repository.

use crate::support::Repo;

const PLAY: [&str; 3] = ["demo", "--dir", "story"];

#[test]
fn it_leaves_nothing_outside_its_repository() {
    let repo = Repo::bare_start();
    let told = repo.tcr(&PLAY).success().stdout;
    assert!(told.contains("tcr: installed and active"), "{told}");
    assert!(!told.contains("manual pages"), "{told}");
    let home = std::fs::read_dir(repo.around().join("home")).expect("a home");
    let left: Vec<_> = home.collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn it_plays_where_git_changes_the_ends_of_lines() {
    let repo = Repo::bare_start();
    repo.git(&["config", "--global", "core.autocrlf", "true"]);
    let told = repo.tcr(&PLAY).success().stdout;
    assert!(told.contains("Look around yourself"), "{told}");
}
