//! What many loops leave behind is packed when git itself would pack it.

use crate::support::Repo;

/// A repository in which git would pack, with many loose objects.
fn with_many_loose_objects() -> Repo {
    let repo = Repo::new();
    for number in 0..1_000 {
        repo.write(&format!("data/{number}.txt"), &format!("{number}\n"));
    }
    let repo = repo.committed().installed();
    repo.git(&["config", "gc.auto", "1"]);
    repo.git(&["config", "gc.autoDetach", "false"]);
    repo.git(&["config", "maintenance.autoDetach", "false"]);
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo
}

fn packs(repo: &Repo) -> String {
    let counted = repo.git(&["count-objects", "-v"]);
    let line = counted.lines().find(|line| line.starts_with("packs: "));
    line.expect("a count of packs").to_owned()
}

#[test]
fn many_loose_objects_are_packed_after_a_loop() {
    let repo = with_many_loose_objects();
    assert_eq!(packs(&repo), "packs: 0");
    assert_eq!(repo.run_json()["why"], "red");
    assert_ne!(packs(&repo), "packs: 0");
    repo.git(&["fsck", "--connectivity-only"]);
    assert_eq!(repo.status()["phase"], "green");
}

#[test]
fn nothing_is_packed_where_the_user_switched_that_off() {
    for (key, value) in [("gc.auto", "0"), ("maintenance.auto", "false")] {
        let repo = with_many_loose_objects();
        repo.git(&["config", key, value]);
        assert_eq!(repo.run_json()["why"], "red");
        assert_eq!(packs(&repo), "packs: 0", "{key}");
    }
}
