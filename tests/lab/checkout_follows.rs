//! A checkout is brought from tree to tree, whatever tests and people did meanwhile.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::world::{World, run, wanted};
use git_tcr::lab::{Form, Lab};

fn world() -> World {
    World::new()
        .with("a.txt", "a")
        .with("src/b.txt", "b")
        .with("src/c.txt", "c")
        .with(".gitignore", "*.db\n")
        .with_git()
        .with("new.txt", "new")
        .with("x.db", "db")
}

#[test]
fn the_command_sees_the_wanted_tree_outside_of_the_worktree() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    assert_eq!(lab.form(), Form::Checkout);
    let room = lab
        .enter(&wanted(&[("a.txt", "A"), ("d/e.txt", "e")], &["src/b.txt"]))
        .unwrap();
    assert!(!room.dir().starts_with(&world.tree) && room.dir().ends_with("tree"));
    assert!(room.prefix().is_empty());
    let ended = run(&room, "cat a.txt d/e.txt new.txt x.db; ls src; echo $PWD");
    let here = room.dir().display();
    assert_eq!(ended.output, format!("Aenewdbc.txt\n{here}\n"));
}

#[test]
fn the_next_tree_has_nothing_of_the_last_one_and_nothing_that_tests_left() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab
        .enter(&wanted(&[("a.txt", "A"), ("d/e.txt", "e")], &["src/b.txt"]))
        .unwrap();
    let spoil = "echo x >left.txt; echo y >src/c.txt; rm new.txt; echo z >x.db; git branch made; mkdir -p q/r; echo >q/r/s";
    assert_eq!(run(&room, spoil).code, 0);
    drop(room);
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(
        &room,
        "find . -type f -not -path './.git/*' | sort | xargs tail -n +1; git branch --list made",
    );
    let expected = "==> ./.gitignore <==\n*.db\n\n==> ./a.txt <==\na\n==> ./new.txt <==\nnew\n\
        ==> ./src/b.txt <==\nb\n==> ./src/c.txt <==\nc\n==> ./x.db <==\ndb";
    assert_eq!(ended.output, expected);
}

#[test]
fn what_people_change_in_the_worktree_is_followed() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    drop(lab.enter(&wanted(&[], &[])).unwrap());
    fs::remove_file(world.tree.join("a.txt")).unwrap();
    fs::remove_file(world.tree.join("new.txt")).unwrap();
    fs::write(world.tree.join("src/b.txt"), "B").unwrap();
    fs::create_dir(world.tree.join("new.txt")).unwrap();
    fs::write(world.tree.join("new.txt/f"), "f").unwrap();
    fs::write(world.tree.join("x.db"), "DB").unwrap();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(&room, "ls; cat src/b.txt new.txt/f x.db");
    assert_eq!(ended.output, "new.txt\nsrc\nx.db\nBfDB");
}

#[test]
fn what_changes_is_later_by_whole_seconds_and_what_does_not_keeps_its_time() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let mut times = Vec::new();
    let mut still = Vec::new();
    for text in ["1", "2", "3", "4"] {
        let room = lab.enter(&wanted(&[("a.txt", text)], &[])).unwrap();
        times.push(fs::metadata(room.dir().join("a.txt")).unwrap().mtime());
        still.push(fs::metadata(room.dir().join("src/c.txt")).unwrap().mtime());
    }
    assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
    assert!(still.windows(2).all(|pair| pair[0] == pair[1]), "{still:?}");
    // The worktree's own file is later again, once it is back.
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    assert!(fs::metadata(room.dir().join("a.txt")).unwrap().mtime() > times[3]);
}

#[test]
fn a_broken_checkout_is_made_anew() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[("a.txt", "A")], &[])).unwrap();
    let dir = room.dir().to_path_buf();
    drop(room);
    for spoil in ["manifest", "checkout"] {
        if spoil == "manifest" {
            let own = dir.parent().unwrap().with_extension("lab");
            fs::write(own.join("manifest"), "nonsense").unwrap();
        } else {
            fs::remove_dir_all(&dir).unwrap();
        }
        let lab = world.lab(Form::Checkout).unwrap();
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        assert_eq!(run(&room, "cat a.txt src/b.txt").output, "ab", "{spoil}");
    }
}

#[test]
fn one_experiment_at_a_time() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let busy = lab.enter(&wanted(&[], &[])).unwrap_err();
    assert_eq!(busy.why, git_tcr::lab::Why::Busy);
    drop(room);
    assert!(lab.enter(&wanted(&[], &[])).is_ok());
}

#[test]
fn it_can_be_taken_away() {
    let world = world();
    drop(world.lab(Form::Checkout).unwrap());
    assert!(world.cache().join("git-tcr").exists());
    Lab::remove(&world.tree, &world.cache()).unwrap();
    assert!(!world.cache().join("git-tcr").exists());
}
