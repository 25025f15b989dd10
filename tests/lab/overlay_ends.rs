//! How a command ends in an overlay is told faithfully, and nothing outlives it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::world::{World, command, run, wanted};
use git_tcr::lab::Form;
use rustix::process::{Pid, Signal, kill_process};

#[test]
fn status_and_signal_are_told() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    for (script, code) in [
        ("exit 0", 0),
        ("exit 1", 1),
        ("exit 255", 255),
        ("kill -TERM $$", 143),
        ("kill -KILL $$", 137),
        ("kill -ABRT $$", 134),
        ("exec /no/such/program", 127),
    ] {
        assert_eq!(run(&room, script).code, code, "{script}");
    }
    let prefix = room.prefix();
    let absent = std::process::Command::new(&prefix[0])
        .args(&prefix[1..])
        .arg("no-such-program")
        .output()
        .unwrap();
    assert_eq!(absent.status.code(), Some(127));
    assert_eq!(room.finish().failed, None);
}

#[test]
fn a_process_left_behind_ends_with_the_command() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    // It holds the pipe open: without an end of it this would wait for ever.
    let ended = run(
        &room,
        "(setsid sh -c 'trap \"\" HUP TERM; while :; do sleep 100; done' &) ; echo done",
    );
    assert_eq!((ended.code, ended.output.as_str()), (0, "done\n"));
}

#[test]
fn everything_ends_with_the_one_who_started_it() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let mut child = command(&room, "echo begun; sleep 1000; sleep 1000")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    // The end of the pipe comes when its last holder is gone.
    assert_eq!(output.read_line(&mut line).unwrap(), 0);
}

#[test]
fn a_signal_to_the_group_reaches_the_command_which_may_clean_up() {
    use std::os::unix::process::CommandExt;
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let script = "trap 'echo cleaned; exit 7' TERM; echo begun; while :; do sleep 0.05; done";
    let mut child = command(&room, script)
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    rustix::process::kill_process_group(Pid::from_child(&child), Signal::TERM).unwrap();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "begun\ncleaned\n");
    assert_eq!(child.wait().unwrap().code(), Some(7));
}

#[test]
fn processes_are_the_namespace_s_own_and_privileges_are_gone() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ended = run(
        &room,
        "ls -d /proc/[0-9]* | wc -l; umount . 2>/dev/null && echo bare; grep NoNewPrivs /proc/self/status",
    );
    let mut lines = ended.output.lines();
    let count: usize = lines.next().unwrap().trim().parse().unwrap();
    assert!((2..=6).contains(&count), "{}", ended.output);
    assert_eq!(lines.collect::<Vec<_>>(), ["NoNewPrivs:\t1"]);
}

#[test]
fn a_stage_that_fails_is_not_taken_for_the_command() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let of_room = room.prefix()[3].clone();
    std::fs::remove_file(std::path::Path::new(&of_room).join("spec.json")).unwrap();
    let ended = run(&room, "echo never");
    assert_eq!((ended.code, ended.output.as_str()), (125, ""));
    assert!(room.finish().failed.is_some());
}

#[test]
fn what_a_killed_one_left_is_gone_with_the_next() {
    let world = World::new().with("d/a.txt", "a");
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    run(&room, "mkdir x; echo >x/y; chmod 000 x; rm -r d");
    let folder = std::path::PathBuf::from(&room.prefix()[3]);
    let left = folder.with_file_name("99");
    // As if the owner had died: the same content, and nobody who holds the lock.
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .args([&folder, &left])
        .status();
    assert!(copied.unwrap().success() && left.is_dir());
    drop(world.lab(Form::Overlay));
    assert!(!left.exists() && folder.is_dir());
}

#[test]
fn signals_are_as_a_command_expects_them() {
    let world = World::new();
    let Some(lab) = world.lab(Form::Overlay) else {
        return;
    };
    let room = lab.enter(&wanted(&[], &[])).unwrap();
    let ask = "grep -E 'SigIgn|SigBlk|SigCgt' /proc/self/status";
    let outside = std::process::Command::new("/bin/sh")
        .args(["-c", ask])
        .output()
        .unwrap();
    assert_eq!(
        run(&room, ask).output,
        String::from_utf8_lossy(&outside.stdout)
    );
}
