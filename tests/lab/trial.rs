//! The trial finds out where tests do not run the lab's own sources.

use std::path::PathBuf;

use super::world::{World, run, wanted};
use git_tcr::lab::{Form, Lab, Results, Said, Trial, Trusted, Why, all_broken};

/// Two tests. The first finds the source by its absolute path, as an editable installation does.
fn world() -> World {
    let world = World::new().with("src.sh", "echo good\n").with("data", "1");
    let here = world.tree.display().to_string();
    let first = format!("test \"$(sh '{here}/src.sh' 2>&1)\" = good\n");
    world
        .with("tests/first.sh", &first)
        .with("tests/second.sh", "test \"$(sh src.sh 2>&1)\" = good\n")
        .with("tests/third.sh", "test -f data\n")
        .with_git()
}

fn results(run: impl Fn(&str) -> i32) -> Results {
    let said = |test: &str| match run(&format!("sh tests/{test}.sh")) {
        0 => (test.to_owned(), Said::Passed),
        _ => (test.to_owned(), Said::Failed),
    };
    ["first", "second", "third"].map(said).into()
}

fn trial(world: &World, lab: &Lab) -> (Trusted, Vec<PathBuf>) {
    let here = |script: &str| {
        let mut command = std::process::Command::new("/bin/sh");
        let status = command
            .args(["-c", script])
            .current_dir(&world.tree)
            .status();
        status.ok().and_then(|status| status.code()).unwrap_or(1)
    };
    let room = lab.enter(&wanted(&[], &[])).expect("a room");
    let same = results(|script| run(&room, script).code);
    drop(room);
    let broken = all_broken(&world.tree, &["src.sh".into()]).expect("a tree");
    let room = lab.enter(&broken).expect("a room");
    let broken = results(|script| run(&room, script).code);
    let opened = room.finish().opened;
    let trial = Trial {
        worktree: &results(here),
        lab: &same,
        broken: &broken,
    };
    (trial.judge().expect("a lab"), opened)
}

#[test]
fn in_an_overlay_a_path_leads_to_the_lab_s_own_source() {
    let world = world();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let (trusted, opened) = trial(&world, &lab);
    assert!(trusted.believes("first") && trusted.believes("second"));
    // It is not about sources.
    assert!(!trusted.believes("third"));
    assert_eq!((trusted.shown, opened), (2, vec![]));
}

#[test]
fn in_a_checkout_what_leads_back_is_found_out() {
    let world = world();
    let lab = world.lab(Form::Checkout).unwrap();
    let (trusted, opened) = trial(&world, &lab);
    assert!(!trusted.believes("first") && trusted.believes("second"));
    if cfg!(target_os = "linux") {
        assert_eq!(opened, [PathBuf::from("src.sh")]);
    }
}

#[test]
fn a_checkout_that_only_runs_the_worktree_s_code_is_no_lab() {
    let both: Results = [("a".to_owned(), Said::Passed)].into();
    let trial = Trial {
        worktree: &both,
        lab: &both,
        broken: &both,
    };
    assert_eq!(trial.judge().unwrap_err().why, Why::Fooled);
}
