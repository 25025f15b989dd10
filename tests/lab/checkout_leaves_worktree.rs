//! Whatever tests do in a checkout, the worktree stays as it is; what leads back to it is seen.

use std::path::PathBuf;

use super::world::{World, assert_unchanged, run, wanted};
use git_tcr::lab::Form;

fn world() -> World {
    World::new()
        .with("a.txt", "a")
        .with("src/b.txt", "b")
        .with(".gitignore", "*.db\nlogs/\n")
        .with_git()
        .with("x.db", "db")
        .with("logs/l", "l")
}

#[test]
fn nothing_that_tests_do_is_seen_in_the_worktree() {
    let world = world();
    let before = world.prints();
    let objects = world.tree.join(".git/objects");
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab
        .enter(&wanted(&[("a.txt", "A")], &["src/b.txt"]))
        .unwrap();
    let script = "echo x >>a.txt; echo x >>x.db; rm -r src logs; echo y >n; chmod 000 a.txt; \
        git -c user.name=A -c user.email=a@b commit -qam made; git config x.y z; git branch made; exit 0";
    assert_eq!(run(&room, script).code, 0);
    let seen = room.finish();
    assert_eq!(seen.opened, [] as [PathBuf; 0]);
    assert!(seen.watched || !cfg!(target_os = "linux"));
    // A test that makes an object which the repository has already makes git note its use.
    let mut after = world.prints();
    for (path, print) in before
        .iter()
        .filter(|(path, _)| path.starts_with(objects.as_path()))
    {
        after.insert(path.clone(), print.clone());
    }
    assert_unchanged(&before, &after);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_of_the_worktree_that_is_opened_names_the_leak() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    // A variable that we rewrite would lead to the checkout; a path in a script does not.
    let tree = world.tree.display();
    run(
        &room,
        &format!("cat '{tree}/src/b.txt'; ls '{tree}' '{tree}/logs'; echo >'{tree}/w'"),
    );
    assert_eq!(room.finish().opened, ["src/b.txt", "w"].map(PathBuf::from));
}

#[test]
#[cfg(target_os = "linux")]
fn a_change_is_not_forgotten_when_tools_are_asked() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    std::fs::write(world.tree.join("a.txt"), "other").unwrap();
    room.environment(Vec::new());
    assert_eq!(room.finish().opened, [PathBuf::from("a.txt")]);
}

/// To remove or write through such a link would be to touch the worktree.
#[test]
fn links_that_tests_make_are_not_followed() {
    let world = World::new()
        .with("src/b.txt", "b")
        .with("src/deep/c.txt", "c")
        .with("pack/index.js", "")
        .with(".gitignore", "node_modules/\nout/\n/target/\n")
        .with_git()
        .with("pack/node_modules/x/index.js", "")
        .with("pack/out/o", "o")
        .with("Cargo.toml", "")
        .with("target/.rustc_info.json", "");
    let before = world.prints();
    let lab = world.lab(Form::Checkout).unwrap();
    let tree = world.tree.display();
    let spoil = format!(
        "for x in src pack target .git; do rm -rf $x; ln -s '{tree}'/$x $x; done; echo >src/new 2>/dev/null; rm src/new"
    );
    for _ in 0..2 {
        let room = lab
            .enter(&wanted(&[("src/b.txt", "B")], &["src/deep/c.txt"]))
            .unwrap();
        assert_eq!(
            run(&room, "cat src/b.txt pack/out/o; ls src").output,
            "Bob.txt\n"
        );
        run(&room, &spoil);
    }
    drop(
        lab.enter(&wanted(&[], &["src/b.txt", "src/deep/c.txt"]))
            .unwrap(),
    );
    // Its own folder was touched by the test itself.
    let mut after = world.prints();
    let touched = world.tree.join("src");
    after.insert(touched.clone(), before[&touched].clone());
    assert_unchanged(&before, &after);
}

#[test]
fn variables_lead_to_the_checkout() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let given = [
        ("RUBYLIB", world.tree.join("src")),
        ("GIT_DIR", world.tree.join(".git")),
    ];
    let given = given.map(|(name, value)| (name.into(), value.into()));
    let made = room.environment(given.to_vec());
    assert!(made.contains(&("RUBYLIB".into(), room.dir().join("src").into())));
    assert!(!made.iter().any(|(name, _)| name == "GIT_DIR"));
}
