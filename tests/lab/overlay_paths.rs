//! Any path can have an overlay: odd names, links on the way, folders below, a lab in a lab.

use super::world::{World, assert_unchanged, run, wanted};
use git_tcr::lab::{Form, Lab};

#[test]
fn odd_names_are_only_names() {
    for name in [
        "with space",
        "a,b:c\\d",
        "ä=ö,upperdir=x",
        "tab\there",
        "lock",
        "rooms",
    ] {
        let world = World::named(name).with("a.txt", "a");
        let Some(lab) = world.lab(Form::Overlay) else {
            return;
        };
        let room = lab
            .enter(&wanted(&[("a.txt", "b"), ("x y,z", "c")], &[]))
            .unwrap();
        assert_eq!(run(&room, "cat a.txt 'x y,z'").output, "bc", "{name}");
    }
}

#[test]
fn through_a_link_the_command_stands_where_it_was_started() {
    let world = World::new().with("a.txt", "a");
    if world.lab(Form::Overlay).is_none() {
        return;
    }
    let link = world.dir.path().join("link");
    std::os::unix::fs::symlink(&world.tree, &link).unwrap();
    let lab = Lab::open(&link, &world.options(Form::Overlay)).unwrap();
    let room = lab.enter(&wanted(&[("a.txt", "b")], &[])).unwrap();
    assert_eq!(room.dir(), link);
    let script = format!(
        "cat a.txt '{}/a.txt' '{}/a.txt'",
        link.display(),
        world.tree.display()
    );
    assert_eq!(run(&room, &script).output, "bbb");
    std::fs::write(world.tree.join("a.txt"), "c").unwrap();
    assert_eq!(room.finish().opened, [std::path::PathBuf::from("a.txt")]);
}

#[test]
fn a_command_may_run_in_a_folder_below() {
    let world = World::new().with("sub/a.txt", "a");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[("sub/a.txt", "b")], &[])).unwrap();
    let mut command = super::world::command(&room, "cat a.txt");
    let output = command
        .current_dir(world.tree.join("sub"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "b");
}

#[test]
fn a_worktree_may_hold_the_user_s_cache() {
    let world = World::new()
        .with("a.txt", "a")
        .with(".cache/x", "")
        .with_git();
    if world.lab(Form::Overlay).is_none() {
        return;
    }
    for form in [Form::Overlay, Form::Checkout] {
        let mut options = world.options(form);
        options.cache = world.tree.join(".cache");
        let before = world.prints();
        let lab = Lab::open(&world.tree, &options).unwrap();
        let room = lab.enter(&wanted(&[("a.txt", "b")], &[])).unwrap();
        assert_eq!(run(&room, "cat a.txt").output, "b");
        assert_eq!(room.finish().opened, [] as [std::path::PathBuf; 0]);
        assert_unchanged(&before, &world.prints());
        Lab::remove(&world.tree, &options.cache).unwrap();
    }
}

/// The test starts itself again in a room, where upper layers can't lie on disk.
#[test]
fn a_lab_works_inside_a_lab() {
    let world = World::new().with("a.txt", "a").with("b.txt", "b");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[("a.txt", "A")], &["b.txt"])).unwrap();
    if std::env::var_os("GIT_TCR_TEST_NESTED").is_some() {
        let ended = run(&room, "cat a.txt; ls; echo >c.txt");
        assert_eq!(ended.output, "Aa.txt\n");
        assert_eq!(room.finish().wrote, ["c.txt"].map(std::path::PathBuf::from));
        println!("nested");
        return;
    }
    let own = std::env::current_exe().unwrap();
    let script = format!(
        "TMPDIR=$PWD GIT_TCR_TEST_NESTED=1 '{}' --nocapture --exact {}",
        own.display(),
        "lab::overlay_paths::a_lab_works_inside_a_lab"
    );
    let ended = run(&room, &script);
    assert!(
        ended.code == 0 && ended.output.contains("nested"),
        "{}",
        ended.output
    );
}
