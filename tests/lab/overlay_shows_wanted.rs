//! In an overlay the command sees the wanted tree at the worktree's own path.

use super::world::{World, run, wanted};
use git_tcr::lab::{Form, Kind, WantedFile};

#[test]
fn the_command_sees_the_wanted_tree_at_the_usual_path() {
    let world = World::new()
        .with("a.txt", "old a")
        .with("gone/b.txt", "b")
        .with("stays.txt", "stays");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    assert_eq!(lab.form(), Form::Overlay);
    let mut wanted = wanted(
        &[("a.txt", "new a"), ("deep/er/c.txt", "c")],
        &["gone/b.txt"],
    );
    wanted.write.push(WantedFile {
        path: "run.sh".into(),
        content: b"#!/bin/sh\necho ran\n".to_vec(),
        kind: Kind::Executable,
    });
    wanted.write.push(WantedFile {
        path: "link".into(),
        content: b"deep/er".to_vec(),
        kind: Kind::Link,
    });
    let room = lab.enter(&wanted).unwrap();
    let script = "pwd; cat a.txt; ./run.sh; cat link/c.txt stays.txt; ls; exit 3";
    let ended = run(&room, script);
    let here = world.tree.display();
    assert_eq!(
        ended.output,
        format!("{here}\nnew aran\ncstaysa.txt\ndeep\nlink\nrun.sh\nstays.txt\n")
    );
    assert_eq!(ended.code, 3);
    let seen = room.finish();
    assert_eq!(
        (seen.opened, seen.wrote, seen.failed),
        (vec![], vec![], None)
    );
    assert!(seen.watched);
}

#[test]
fn each_run_begins_anew_and_what_it_wrote_is_listed() {
    let world = World::new().with("a.txt", "a").with("b.txt", "b");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[("c.txt", "c")], &[])).unwrap();
    for _ in 0..2 {
        let ended = run(
            &room,
            "ls; echo x >>a.txt; rm b.txt; mkdir d; echo >d/e; cat a.txt",
        );
        assert_eq!(ended.output, "a.txt\nb.txt\nc.txt\nax\n");
    }
    let wrote = room.finish().wrote;
    assert_eq!(
        wrote,
        ["a.txt", "b.txt", "d/e"].map(std::path::PathBuf::from)
    );
}

#[test]
fn what_is_written_is_later_by_a_second_than_what_it_replaces() {
    let world = World::new().with("a.py", "1");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[("a.py", "2")], &[])).unwrap();
    let before = std::fs::metadata(world.tree.join("a.py")).unwrap();
    let ended = run(&room, "stat -c %Y a.py");
    let after: i64 = ended.output.trim().parse().unwrap();
    assert!(after > std::os::unix::fs::MetadataExt::mtime(&before));
}
