//! What tests do to git in an overlay stays there, also where git's folder lies elsewhere.

use super::world::{World, assert_unchanged, git, prints, run, wanted};
use git_tcr::lab::{Form, Lab};

const GIT: &str = "git -c user.name=A -c user.email=a@b config x.y z && git branch made && echo x >a.txt \
    && git -c user.name=A -c user.email=a@b commit -qam made && git log --format=%s";

#[test]
fn commits_of_tests_stay_in_the_overlay() {
    let world = World::new().with("a.txt", "a").with_git();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let before = world.prints();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(&room, GIT);
    assert_eq!((ended.code, ended.output.as_str()), (0, "made\nbegin\n"));
    drop(room);
    assert_unchanged(&before, &world.prints());
}

#[test]
fn in_a_linked_worktree_the_shared_folder_is_covered_too() {
    let world = World::new().with("a.txt", "a").with_git();
    let linked = world.dir.path().canonicalize().unwrap().join("linked tree");
    git(
        &world.tree,
        &["worktree", "add", "-qb", "linked", linked.to_str().unwrap()],
    );
    if world.lab(Form::Overlay).is_none() {
        return;
    }
    let before = (world.prints(), prints(&linked));
    let lab = Lab::open(&linked, &world.options(Form::Overlay)).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(&room, GIT);
    assert_eq!((ended.code, ended.output.as_str()), (0, "made\nbegin\n"));
    drop(room);
    assert_unchanged(&before.0, &world.prints());
    assert_unchanged(&before.1, &prints(&linked));
}

#[test]
fn the_folder_of_a_submodule_is_covered_too() {
    let inner = World::named("inner").with("a.txt", "a").with_git();
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
    if world.lab(Form::Overlay).is_none() {
        return;
    }
    let before = world.prints();
    let lab = Lab::open(&world.tree.join("sub"), &world.options(Form::Overlay)).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(&room, GIT);
    assert_eq!((ended.code, ended.output.as_str()), (0, "made\nbegin\n"));
    drop(room);
    assert_unchanged(&before, &world.prints());
}
