//! What git ignores is carried over to a checkout: copied, linked or made by a recipe, or refused.

use std::fs;
use std::path::PathBuf;

use super::world::{World, assert_unchanged, run, wanted};
use git_tcr::lab::{Form, Lab, Why};

fn ignoring(ignored: &str) -> World {
    World::new()
        .with("a.txt", "a")
        .with(".gitignore", ignored)
        .with_git()
}

#[test]
fn ignored_files_are_copied_with_their_times_up_to_a_limit() {
    let world = ignoring("*.db\ndist/\nbig/\n")
        .with("x.db", "db")
        .with("dist/deep/out.js", "out")
        .with("big/one", &"x".repeat(3000));
    let mut options = world.options(Form::Checkout);
    options.copy_limit = 2000;
    let lab = Lab::open(&world.tree, &options).unwrap();
    assert_eq!(lab.left_out(), [PathBuf::from("big")]);
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    assert_eq!(
        run(&room, "cat x.db dist/deep/out.js; ls").output,
        "dboutmain".replace("main", "a.txt\ndist\nx.db\n")
    );
    let time = |root: &std::path::Path| {
        fs::metadata(root.join("dist/deep/out.js"))
            .unwrap()
            .modified()
            .unwrap()
    };
    assert_eq!(time(&world.tree), time(room.dir()));
    let time = |root: &std::path::Path| {
        fs::metadata(root.join("a.txt"))
            .unwrap()
            .modified()
            .unwrap()
    };
    assert!(time(room.dir()) > time(&world.tree));
}

#[test]
fn an_ignored_folder_is_there_even_if_it_is_empty() {
    let world = ignoring("logs/\n");
    fs::create_dir_all(world.tree.join("logs/deep")).unwrap();
    let lab = world.lab(Form::Checkout).unwrap();
    for _ in 0..2 {
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        assert_eq!(run(&room, "echo x >logs/deep/x; ls logs").output, "deep\n");
    }
}

#[test]
fn a_folder_that_no_recipe_knows_means_no_lab_unless_a_setup_makes_it() {
    for folder in ["vendor", "Pods", "deps"] {
        let world = ignoring(&format!("{folder}/\n")).with(&format!("{folder}/x"), "");
        let mut options = world.options(Form::Checkout);
        let none = Lab::open(&world.tree, &options).unwrap_err();
        assert_eq!(none.why, Why::UnknownFolder(folder.into()));
        options.setup = Some(format!("mkdir {folder} && echo made >{folder}/y"));
        let lab = Lab::open(&world.tree, &options).unwrap();
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        assert_eq!(run(&room, &format!("cat {folder}/*")).output, "made\n");
    }
}

#[test]
fn a_setup_that_fails_says_so_and_is_tried_again() {
    let world = ignoring("");
    let mut options = world.options(Form::Checkout);
    options.setup = Some("echo no such tool; exit 1".to_owned());
    for _ in 0..2 {
        let none = Lab::open(&world.tree, &options).unwrap_err();
        let Why::Setup { output } = none.why else {
            panic!("{none}")
        };
        assert_eq!(output, "no such tool\n");
    }
}

#[test]
fn a_build_folder_of_cmake_holds_paths() {
    let world = ignoring("build/\n").with("build/CMakeCache.txt", "");
    let none = Lab::open(&world.tree, &world.options(Form::Checkout)).unwrap_err();
    assert!(matches!(none.why, Why::NotCarried { .. }), "{none}");
}

#[test]
fn cargo_has_a_target_folder_of_its_own() {
    let world = ignoring("/target\n")
        .with("Cargo.toml", "")
        .with("target/.rustc_info.json", "{}")
        .with("target/debug/out", "old");
    let before = world.prints();
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(
        &room,
        "cat $CARGO_TARGET_DIR/debug/out; echo new >$CARGO_TARGET_DIR/debug/out",
    );
    assert_eq!(ended.output, "old");
    drop(room);
    // What was built there stays.
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    assert_eq!(run(&room, "cat target/debug/out").output, "new\n");
    assert_unchanged(&before, &world.prints());
}

#[test]
fn composer_s_autoloader_is_copied_and_its_packages_are_linked() {
    let world = ignoring("vendor/\n")
        .with("vendor/autoload.php", "x")
        .with("vendor/composer/autoload_real.php", "y")
        .with("vendor/acme/lib/src.php", "z");
    let lab = world.lab(Form::Checkout).unwrap();
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(
        &room,
        "cat vendor/autoload.php vendor/composer/* vendor/acme/lib/src.php; readlink vendor vendor/acme/lib",
    );
    assert_eq!(
        ended.output,
        format!("xyz{}\n", world.tree.join("vendor/acme/lib").display())
    );
}

#[test]
fn a_virtual_environment_is_linked_and_stays() {
    let world = ignoring(".venv/\nodd*/\n")
        .with(".venv/pyvenv.cfg", "")
        .with("odd [x] y/pyvenv.cfg", "");
    let lab = world.lab(Form::Checkout).unwrap();
    for _ in 0..2 {
        let room = lab.enter(&wanted(&[], &[])).unwrap();
        let ended = run(&room, "readlink .venv 'odd [x] y'; git status --porcelain");
        let (one, two) = (world.tree.join(".venv"), world.tree.join("odd [x] y"));
        assert_eq!(
            ended.output,
            format!("{}\n{}\n", one.display(), two.display())
        );
    }
}
