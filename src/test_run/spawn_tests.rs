use super::*;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(300);

fn path() -> Vec<Variable> {
    vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]
}

fn shell_with(script: &str, variables: &[Variable], timeout: Duration) -> Finished {
    let command = TestCommand::Shell(script.to_owned());
    run(
        &[],
        &command,
        Path::new("/"),
        variables,
        timeout,
        &mut |_| {},
    )
}

fn shell(script: &str) -> Finished {
    shell_with(script, &path(), LONG)
}

/// Reads process ids from a file the script wrote, and says which of them still run.
fn alive(file: &Path) -> Vec<String> {
    let pids = std::fs::read_to_string(file).expect("the script wrote its process ids");
    assert!(!pids.trim().is_empty(), "no process was started");
    pids.split_whitespace()
        .filter(|pid| {
            std::fs::read_to_string(format!("/proc/{pid}/stat"))
                .is_ok_and(|stat| !stat.contains(") Z "))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn exit_statuses_are_told_apart() {
    let cases = [
        ("true", Exit::Code(0)),
        ("exit 7", Exit::Code(7)),
        ("no-such-program-here", Exit::Code(127)),
        ("kill -9 $$", Exit::Signal(9)),
        ("kill -SEGV $$", Exit::Signal(11)),
    ];
    for (script, exit) in cases {
        let finished = shell(script);
        assert_eq!(finished.exit, exit, "{script}");
        assert!(!finished.interrupted, "{script}");
    }
}

#[test]
fn an_argument_list_goes_to_no_shell() {
    let words = ["printf", "%s|", "a b", "$HOME", "*"].map(OsString::from);
    let command = TestCommand::Args(words.to_vec());
    let finished = run(&[], &command, Path::new("/"), &path(), LONG, &mut |_| {});
    assert_eq!(finished.output.text, "a b|$HOME|*|");
}

#[test]
fn what_cannot_be_started_is_said() {
    for words in [vec![], vec![OsString::from("no-such-program-here")]] {
        let command = TestCommand::Args(words);
        let finished = run(&[], &command, Path::new("/"), &path(), LONG, &mut |_| {});
        assert!(matches!(finished.exit, Exit::NotStarted(_)), "{finished:?}");
    }
}

#[test]
fn both_streams_come_in_their_order() {
    let finished = shell("echo a; echo b >&2; echo c; echo d >&2");
    assert_eq!(finished.output.text, "a\nb\nc\nd\n");
    assert!(finished.output.complete);
}

#[test]
fn the_command_runs_in_its_directory_without_input_or_terminal() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let command = TestCommand::Shell("pwd -P; cat; test -t 1 || echo no terminal".to_owned());
    let finished = run(&[], &command, dir.path(), &path(), LONG, &mut |_| {});
    let real = dir.path().canonicalize().expect("it exists");
    let expected = format!("{}\nno terminal\n", real.display());
    assert_eq!(finished.output.text, expected);
}

#[test]
fn only_the_given_environment_is_seen_without_git_and_agent_variables() {
    let mut variables = path();
    for (name, value) in [
        ("GIT_DIR", "/x"),
        ("CLAUDECODE", "1"),
        ("GIT_AUTHOR_NAME", "me"),
        ("MINE", "yes"),
    ] {
        variables.push((name.into(), value.into()));
    }
    let script =
        "echo ${GIT_DIR-none} ${CLAUDECODE-none} $GIT_AUTHOR_NAME $MINE ${CARGO-none} ${CI-none}";
    let finished = shell_with(script, &variables, LONG);
    assert_eq!(finished.output.text, "none none me yes none none\n");
}

#[test]
fn lines_are_shown_as_they_come() {
    let mut lines = Vec::new();
    let command = TestCommand::Shell("echo one".to_owned());
    run(&[], &command, Path::new("/"), &path(), LONG, &mut |line| {
        lines.push(line.to_owned());
    });
    assert_eq!(lines, ["one"]);
}

#[test]
fn a_flood_is_kept_in_bounded_memory() {
    let finished = shell("echo first; head -c 20000000 /dev/zero | tr '\\0' 'x'; echo; echo last");
    assert_eq!(finished.exit, Exit::Code(0));
    assert!(!finished.output.complete);
    assert!(finished.output.text.len() < 5_000_000);
    assert!(finished.output.text.starts_with("first\n"));
    assert!(finished.output.text.ends_with("last\n"));
}

#[test]
fn a_process_left_behind_does_not_hold_the_run() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("pids");
    let script = format!("sleep 60 & echo $! > {}; echo done", file.display());
    let finished = shell(&script);
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(finished.output.text, "done\n");
    // A daemon that the tests leave running on purpose is not ours to end.
    let left = alive(&file);
    assert_eq!(left.len(), 1);
    for pid in left {
        let pid = Pid::from_raw(pid.parse().expect("a number")).expect("not zero");
        rustix::process::kill_process(pid, Signal::KILL).expect("it is our process");
    }
}

#[test]
fn closing_the_output_early_is_not_the_end() {
    let finished = shell("exec >/dev/null 2>&1; sleep 0.1; exit 3");
    assert_eq!(finished.exit, Exit::Code(3));
}

#[test]
fn a_timeout_ends_the_whole_tree() {
    let cases = [
        ("plain", "sleep 60 & echo $! > PIDS; sleep 60"),
        (
            "deaf to SIGTERM",
            "trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) & echo $! $$ > PIDS; while :; do sleep 0.05; done",
        ),
        (
            "own session",
            "setsid sh -c 'echo $$ > PIDS; exec sleep 60' & sleep 60",
        ),
        (
            "orphan in its own session, with an empty environment",
            "(setsid env -i sh -c 'echo $$ > PIDS; exec sleep 60' >/dev/null 2>&1 &) ; sleep 60",
        ),
        (
            "orphan in its own session with children, deaf to SIGTERM",
            "(setsid sh -c \"trap '' TERM; sleep 60 & echo \\$\\$ \\$! > PIDS; wait; sleep 60\" &) ; sleep 60",
        ),
    ];
    for (name, script) in cases {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("pids");
        let script = script.replace("PIDS", &file.display().to_string());
        let finished = shell_with(&script, &path(), SHORT);
        assert_eq!(finished.exit, Exit::Timeout, "{name}");
        assert!(!finished.interrupted, "{name}");
        assert_eq!(alive(&file), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_timeout_leaves_the_run_beside_it_alone() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (begun, go) = (dir.path().join("begun"), dir.path().join("go"));
    // It carries no mark, as one that is just ending shows none.
    let script = "exec env -i PATH=\"$PATH\" sh -c \
        'echo > BEGUN; while [ ! -e GO ]; do sleep 0.01; done; echo fine'"
        .replace("BEGUN", &begun.display().to_string())
        .replace("GO", &go.display().to_string());
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| shell_with(&script, &path(), LONG));
        let wait = format!("while [ ! -e '{}' ]; do sleep 0.01; done", begun.display());
        assert_eq!(shell_with(&wait, &path(), LONG).exit, Exit::Code(0));
        assert_eq!(shell_with("sleep 60", &path(), SHORT).exit, Exit::Timeout);
        std::fs::write(&go, "").expect("a new file");
        let beside = beside.join().expect("it ends");
        assert_eq!(beside.exit, Exit::Code(0));
        assert_eq!(beside.output.text, "fine\n");
    });
}

#[test]
fn what_was_printed_before_a_timeout_is_kept() {
    let finished = shell_with("echo before; sleep 60", &path(), SHORT);
    assert_eq!(finished.output.text, "before\n");
}

/// Set for the process that is interrupted.
const IS_INTERRUPTED: &str = "GIT_TCR_TEST_INTERRUPTED";

/// What the process does that `a_stop_signal_is_passed_on` starts and interrupts; nothing elsewhere.
#[test]
fn interrupted_process() {
    if std::env::var_os(IS_INTERRUPTED).is_none() {
        return;
    }
    let script = "trap 'echo heard; exit 0' TERM; (setsid sleep 60 &); echo ready; while :; do sleep 0.01; done";
    let command = TestCommand::Shell(script.to_owned());
    let finished = run(&[], &command, Path::new("/"), &path(), LONG, &mut |line| {
        println!("{line}");
    });
    println!("exit {:?}", finished.exit);
    println!("interrupted {}", finished.interrupted);
    // Between two runs a signal does what it always does.
    let us = rustix::process::getpid();
    rustix::process::kill_process(us, Signal::TERM).expect("we may signal ourselves");
    std::thread::park();
}

#[test]
fn a_stop_signal_is_passed_on_and_told_from_a_failure() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let this = std::env::current_exe().expect("the test binary");
    let name = "test_run::spawn::tests::interrupted_process";
    let mut child = Command::new(this)
        .args(["--exact", name, "--nocapture"])
        .env(IS_INTERRUPTED, "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs itself");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("small")).expect("not zero");
    let mut lines = BufReader::new(child.stdout.take().expect("piped"))
        .lines()
        .map_while(Result::ok)
        .skip_while(|line| line != "ready");
    assert_eq!(lines.next().as_deref(), Some("ready"));
    rustix::process::kill_process(pid, Signal::TERM).expect("our child");
    let told: Vec<String> = lines.collect();
    assert_eq!(told, ["heard", "exit Signal(15)", "interrupted true"]);
    let status = child.wait().expect("our child");
    assert_eq!(status.signal(), Some(15));
}
