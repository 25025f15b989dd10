//! What a crashed machine or a stray hand leaves in our own folders has a way out: a message with the
//! next command, `doctor --fix`, and `off` in any case.

use crate::support::Repo;
use crate::support::example::RIGHT;
use crate::support::world::feed;

/// Something broken in a repository in `green`, by a piece of shell.
const BROKEN: [(&str, &str); 9] = [
    ("empty state", ": > .git/refs/tcr/state/main"),
    ("garbled state", "echo zzz > .git/refs/tcr/state/main"),
    ("empty seal", ": > .git/refs/tcr/config"),
    (
        "garbled pending",
        "mkdir -p .git/refs/tcr/pending; echo x > .git/refs/tcr/pending/main",
    ),
    ("garbled results", "echo x > .git/refs/notes/tcr-results"),
    ("empty WIP branch", ": > .git/refs/heads/tcr/main"),
    (
        "pipe as spool",
        "rm -f .git/tcr/denials; mkfifo .git/tcr/denials",
    ),
    ("pipe as lock", "rm -f .git/tcr/lock; mkfifo .git/tcr/lock"),
    ("folder as lock", "mkdir -p .git/tcr/lock/x"),
];

fn broken(how: &str) -> Repo {
    let repo = Repo::in_green();
    let ran = repo.command("sh").args(["-c", how]).status();
    assert!(ran.expect("sh runs").success(), "{how}");
    repo
}

#[test]
fn off_always_works() {
    for (name, how) in BROKEN {
        let repo = broken(how);
        let ran = repo.tcr(&["off"]);
        assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
    }
}

#[test]
fn what_is_broken_is_told_and_put_right() {
    for (name, how) in BROKEN {
        let repo = broken(how);
        repo.write("src/add.sh", RIGHT);
        let ran = repo.tcr(&["run", "--json"]);
        if ran.status == 2 {
            assert_ne!(ran.stderr, "", "{name}");
            repo.tcr(&["doctor", "--fix"]);
            let ran = repo.tcr(&["run", "--json"]);
            assert_eq!(ran.json()["why"], "green", "{name}: {}", ran.stderr);
        } else {
            assert_eq!(ran.json()["why"], "green", "{name}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_lost_seal_is_made_anew_by_installing() {
    let repo = Repo::in_green();
    let id = repo.commit("refs/tcr/config");
    repo.remove(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(ran.stderr.contains("git tcr install"), "{}", ran.stderr);
    repo.tcr(&["install", "--yes"]).success();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn a_lock_file_that_names_other_files_takes_none_of_them_away() {
    let repo = Repo::in_green();
    let outside = repo.around().join("precious.lock");
    std::fs::write(&outside, "precious").expect("a file");
    repo.write("precious.txt", "precious");
    let named = format!(
        "process 99999999\n{}\0{}\0",
        outside.display(),
        repo.path("precious.txt").display()
    );
    repo.write(".git/tcr/refs-lock", &named);
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    assert!(outside.exists() && repo.exists("precious.txt"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_process_is_named_and_not_waited_for() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_next_test(
        "read -r _ pid < .git/tcr/lock; kill -STOP \"$pid\"; touch stopped.log; sleep 2",
    );
    let mut first = repo.command(crate::support::PROGRAM);
    let mut first = first.arg("run").spawn().expect("it starts");
    while !repo.exists("stopped.log") {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(ran.stderr.contains("was stopped"), "{}", ran.stderr);
    assert!(ran.stderr.contains("kill -CONT"), "{}", ran.stderr);
    repo.tcr(&["off"]).success();
    first.wait().expect("it ends");
}

fn write_call(repo: &Repo, input: &str) -> String {
    let root = repo.root().display();
    format!(
        "{{\"session_id\": \"s\", \"cwd\": \"{root}\", \"hook_event_name\": \"PreToolUse\", \
         \"tool_name\": \"Write\", \"tool_input\": {input}}}"
    )
}

#[test]
fn the_gate_denies_what_can_be_read_in_two_ways() {
    let repo = Repo::new().installed();
    let gate = |payload: &str| {
        let mut command = repo.command(crate::support::PROGRAM);
        command.args(["gate", "--client", "claude-code"]);
        feed(command, payload.as_bytes())
    };
    let twice = write_call(
        &repo,
        "{\"file_path\": \"src/a.sh\", \"file_path\": \"tests/a.t\", \"content\": \"x\"}",
    );
    let ran = gate(&twice).exits(2);
    assert!(ran.stderr.contains("twice"), "{}", ran.stderr);
    let odd = "{\"zzz\": \"src/a.sh\", \"blub\": \"a() { echo 1; }\"}";
    let odd = write_call(&repo, odd).replace("\"Write\"", "\"SuperEdit\"");
    assert!(gate(&odd).stdout.contains("deny"));
}

#[test]
fn the_gate_denies_by_its_exit_status_where_its_answer_reaches_nobody() {
    let repo = Repo::new().installed();
    let input = "{\"file_path\": \"src/a.sh\", \"content\": \"a() { echo 1; }\"}";
    std::fs::write(repo.around().join("call"), write_call(&repo, input)).expect("a file");
    for to in [">&-", ">/dev/full"] {
        let script = format!("git-tcr gate --client claude-code < ../call {to}");
        let ran = repo.command("sh").args(["-c", &script]).output();
        let ran = crate::support::Ran::from(ran.expect("sh runs")).exits(2);
        assert!(ran.stderr.contains("denied"), "{to}: {}", ran.stderr);
    }
    std::fs::remove_file(repo.path(".git/HEAD")).expect("a file");
    let script = "git-tcr gate --client claude-code < ../call";
    let ran = repo.command("sh").args(["-c", script]).output();
    crate::support::Ran::from(ran.expect("sh runs")).exits(2);
}
