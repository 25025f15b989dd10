//! A checkout has a git directory of its own that borrows the objects.

use super::world::{World, assert_unchanged, git, run, wanted};
use git_tcr::lab::{Form, Lab};

const ASK: &str = "git log --format=%s; git describe --tags; git status --porcelain; git ls-files";

#[test]
fn git_says_the_same_as_in_the_worktree() {
    let world = World::new()
        .with("a.txt", "a")
        .with_git()
        .with("b.txt", "b");
    git(&world.tree, &["tag", "-a", "v1", "-m", "v1"]);
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[("a.txt", "A")], &[])).unwrap();
    assert_eq!(
        run(&room, ASK).output,
        "begin\nv1\n M a.txt\n?? b.txt\na.txt\n"
    );
    drop(room);
    // A commit made meanwhile is there, too.
    git(&world.tree, &["add", "b.txt"]);
    git(&world.tree, &["commit", "-qm", "next"]);
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let output = run(&room, ASK).output;
    assert!(output.starts_with("next\nbegin\nv1-1-g"), "{output}");
    assert_eq!(git(&world.tree, &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn any_repository_will_do() {
    for args in [
        &["init", "-q", "--object-format=sha256"][..],
        &["init", "-q", "--ref-format=reftable"][..],
    ] {
        let world = World::new().with("a.txt", "a");
        git(&world.tree, args);
        // Nothing committed yet.
        let lab = world.lab(Form::Checkout).unwrap();
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        assert_eq!(
            run(&room, "git status --porcelain").output,
            "?? a.txt\n",
            "{args:?}"
        );
        drop(room);
        git(&world.tree, &["add", "-A"]);
        git(&world.tree, &["commit", "-qm", "begin"]);
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        let ended = run(&room, "git log --format=%s; git status --porcelain");
        assert_eq!(ended.output, "begin\n", "{args:?}");
    }
}

#[test]
fn a_linked_worktree_has_a_checkout_too() {
    let world = World::new().with("a.txt", "a").with_git();
    let linked = world.dir.path().join("linked");
    git(
        &world.tree,
        &["worktree", "add", "-qb", "other", linked.to_str().unwrap()],
    );
    let before = world.prints();
    let lab = Lab::open(&linked, &world.options(Form::Checkout)).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(&room, "git branch made; git log --format=%s");
    assert_eq!(ended.output, "begin\n");
    assert_unchanged(&before, &world.prints());
}

#[test]
fn files_of_submodules_are_there() {
    let inner = World::named("inner").with("a.txt", "inner").with_git();
    let world = World::new().with("b.txt", "b").with_git();
    let from = inner.tree.to_str().unwrap();
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        from,
        "sub",
    ];
    git(&world.tree, &add);
    let lab = world.lab(Form::Checkout).unwrap();
    for _ in 0..2 {
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        assert_eq!(run(&room, "cat sub/a.txt b.txt").output, "innerb");
    }
}

#[test]
fn without_git_there_is_no_checkout() {
    let world = World::new().with("a.txt", "a");
    let none = Lab::open(&world.tree, &world.options(Form::Checkout)).unwrap_err();
    assert!(matches!(none.why, git_tcr::lab::Why::Git { .. }), "{none}");
}
