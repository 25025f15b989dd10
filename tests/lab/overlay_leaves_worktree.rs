//! Whatever tests do in an overlay, the worktree does not change in a byte, a time or an inode.

use super::world::{World, assert_unchanged, run, wanted};
use git_tcr::lab::{Form, Lab};

const SPOIL: &str = "
    echo x >>a.txt; echo new >n.txt; rm b.txt; mv d e 2>/dev/null || cp -r d e
    chmod 000 a.txt; chmod +x c.txt; ln -s a.txt l; ln c.txt hard; touch -d 2001-01-01 c.txt
    mkdir -p x/y; rm -r d; mkdir d; echo >d/other; mkfifo pipe; : >c.txt
    chmod 000 x; echo >.git/spoilt; rm .git/HEAD; exit 0";

#[test]
fn nothing_that_tests_do_is_seen_in_the_worktree() {
    let world = World::new()
        .with("a.txt", "a")
        .with("b.txt", "b")
        .with("c.txt", "c")
        .with("d/f.txt", "f")
        .with_git();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let before = world.prints();
    let room = lab
        .enter(&wanted(&[("a.txt", "other"), ("d/g.txt", "g")], &["c.txt"]))
        .unwrap();
    let ended = run(&room, SPOIL);
    assert_eq!(ended.code, 0, "{}", ended.output);
    let seen = room.finish();
    assert_eq!(seen.opened, [] as [std::path::PathBuf; 0]);
    assert!(seen.watched);
    assert_unchanged(&before, &world.prints());
}

#[test]
fn a_room_leaves_nothing_behind_and_a_lab_can_be_taken_away() {
    let world = World::new()
        .with("a.txt", "a")
        .with("d/f.txt", "f")
        .with_git();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    run(&room, SPOIL);
    let rooms = || super::world::prints(&world.cache()).into_keys();
    let spoilt = |path: &std::path::PathBuf| path.ends_with("n.txt");
    assert!(rooms().any(|path| spoilt(&path)));
    drop(room);
    assert!(!rooms().any(|path| path.parent().is_some_and(|dir| dir.ends_with("rooms"))));
    Lab::remove(&world.tree, &world.cache()).unwrap();
    assert_eq!(rooms().count(), 1);
}

#[test]
fn a_change_of_the_worktree_meanwhile_is_seen() {
    let world = World::new()
        .with("src/a.txt", "a")
        .with("node_modules/x/y", "");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    run(&room, "cat src/a.txt");
    std::fs::write(world.tree.join("src/a.txt"), "b").unwrap();
    std::fs::write(world.tree.join("new"), "").unwrap();
    std::fs::write(world.tree.join("node_modules/x/y"), "b").unwrap();
    assert_eq!(
        room.finish().opened,
        ["new", "src/a.txt"].map(std::path::PathBuf::from)
    );
}
