//! An ordinary user has the overlay too, with the same ids and without any privilege.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use super::world::{PROGRAM, World, assert_unchanged, program, run, wanted};
use git_tcr::lab::Form;

/// The same test, as root, starts itself as an ordinary user.
#[test]
fn an_ordinary_user_has_the_overlay() {
    let world = World::new()
        .with("a.txt", "a")
        .with("d/b.txt", "b")
        .with_git();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    if rustix::process::geteuid().is_root() {
        return again_as_user(&world);
    }
    let before = world.prints();
    let room = lab.enter(&wanted(&[("a.txt", "b")], &["d/b.txt"])).unwrap();
    let script =
        "cat a.txt; ls; id -u; grep CapEff /proc/self/status; echo x >a.txt; mkdir d; echo >d/c";
    let ended = run(&room, script);
    let id = rustix::process::geteuid().as_raw();
    assert_eq!(
        ended.output,
        format!("ba.txt\n{id}\nCapEff:\t0000000000000000\n")
    );
    drop(room);
    assert_unchanged(&before, &world.prints());
    println!("as user {id}");
}

fn again_as_user(world: &World) {
    let open = Permissions::from_mode(0o755);
    fs::set_permissions(world.dir.path(), open).expect("to work");
    let copy = |from: PathBuf, name: &str| {
        let to = world.dir.path().join(name);
        fs::copy(from, &to).expect("to work");
        to
    };
    let tests = copy(std::env::current_exe().expect("to work"), "tests");
    // The tests' own temporary folder may belong to root alone.
    let temporary = world.dir.path().join("temporary");
    fs::create_dir(&temporary).expect("to work");
    fs::set_permissions(&temporary, Permissions::from_mode(0o777)).expect("to work");
    let output = Command::new("setpriv")
        .args(["--reuid=12345", "--regid=12345", "--clear-groups"])
        .arg(tests)
        .args([
            "--exact",
            "lab::overlay_as_user::an_ordinary_user_has_the_overlay",
        ])
        .arg("--nocapture")
        .env("HOME", "/nonexistent")
        .env("TMPDIR", &temporary)
        .env(PROGRAM, copy(program(), "program"))
        .current_dir("/")
        .output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: no setpriv here");
        return;
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    let ran = printed.contains("as user 12345") || printed.contains("SKIPPED");
    assert!(output.status.success() && ran, "{output:?}");
}
