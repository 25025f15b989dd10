//! Locks: dead ones are taken over, live ones are waited for, those of others are reported, and a
//! person gets out whatever holds them.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use crate::support::{PROGRAM, Ran, Repo};

/// A repository in mode `tcr` whose tests, while `.git/wait` exists, say that they run and then wait
/// to be let go.
fn waiting() -> Repo {
    let repo = Repo::bare_start();
    repo.write(".tcr.toml", "test = [\"sh\", \"t.sh\"]\nmode = \"tcr\"\n");
    repo.write(
        "t.sh",
        "if [ -e .git/wait ]; then\n  sleep 60 > /dev/null 2>&1 &\n  echo > .git/started\n  \
         read -r _ < .git/go\n  kill $!\nfi\nexit 0\n",
    );
    let repo = repo.committed().installed();
    for pipe in [".git/started", ".git/go"] {
        let made = repo
            .command("mkfifo")
            .arg(pipe)
            .status()
            .expect("mkfifo runs");
        assert!(made.success());
    }
    repo
}

fn start(repo: &Repo, args: &[&str]) -> Child {
    let mut command = repo.command(PROGRAM);
    command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program runs")
}

/// Starts a run and returns when its tests have begun.
fn start_tests(repo: &Repo) -> Child {
    repo.write(".git/wait", "");
    repo.write("change.sh", "one\n");
    let child = start(repo, &["run"]);
    let mut line = String::new();
    let started = File::open(repo.path(".git/started")).expect("a pipe");
    BufReader::new(started)
        .read_line(&mut line)
        .expect("the tests run");
    std::fs::remove_file(repo.path(".git/wait")).expect("a file");
    child
}

fn ended(child: Child) -> Ran {
    Ran::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_live_lock_is_waited_for_with_a_message() {
    let repo = waiting();
    let first = start_tests(&repo);
    let mut second = start(&repo, &["run", "--json"]);
    let mut stderr = BufReader::new(second.stderr.take().expect("it was asked for"));
    let mut message = String::new();
    stderr.read_line(&mut message).expect("a message");
    let owner = format!(
        "tcr: waiting for another git tcr in this worktree (process {})\n",
        first.id()
    );
    assert_eq!(message, owner);
    let mut go = File::options()
        .write(true)
        .open(repo.path(".git/go"))
        .expect("a pipe");
    go.write_all(b"\n").expect("the tests read");
    let first = ended(first).success();
    assert!(first.stdout.contains("committed"), "{}", first.stdout);
    assert_eq!(ended(second).success().json()["action"], "none");
    repo.assert_tidy("both are done");
}

#[test]
fn a_lock_of_a_dead_process_is_taken_over_at_once() {
    let repo = waiting();
    let mut first = start_tests(&repo);
    first.kill().expect("it is killed");
    first.wait().expect("it ends");
    assert!(repo.exists(".git/tcr/lock"));
    // Its tests live on: they wait to be let go.
    let ran = repo.tcr(&["run"]).success();
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.contains("committed"), "{}", ran.stdout);
    repo.assert_tidy("taken over");
    let mut go = File::options()
        .write(true)
        .open(repo.path(".git/go"))
        .expect("a pipe");
    go.write_all(b"\n").expect("the tests read");
}

#[test]
fn off_waits_for_nobody_and_ends_the_tests() {
    let repo = waiting();
    let first = start_tests(&repo);
    repo.tcr(&["off"]).success();
    let first = ended(first).exits(2);
    assert!(
        first.stderr.contains("interrupted while the tests ran"),
        "{}",
        first.stderr
    );
    assert_eq!(repo.status()["mode"], "off");
    assert_eq!(repo.read("change.sh"), "one\n", "nothing was touched");
    assert_eq!(repo.branch(), "main");
    repo.assert_tidy("off");
    repo.tcr(&["on"]).success();
    assert_eq!(repo.status()["mode"], "tcr");
}

/// Our refs are not locked for long by anybody who lives.
#[test]
fn ref_locks_of_dead_processes_are_taken_over() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    let refs = [
        "refs/tcr/state/main",
        "refs/tcr/pending/main",
        "refs/heads/tcr/main",
        "refs/notes/tcr",
        "refs/notes/tcr-results",
    ];
    for name in refs {
        leave_lock(&repo.path(&format!(".git/{name}.lock")));
    }
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "green", "{outcome}");
    repo.assert_tidy("taken over");
}

#[test]
fn a_fresh_ref_lock_is_taken_over_when_it_stays() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    repo.write(".git/refs/tcr/state/main.lock", "");
    assert_eq!(repo.run_json()["why"], "green");
    repo.assert_tidy("taken over");
}

/// Locks that are not ours to remove: nothing is touched, and the message says what to do.
#[test]
fn locks_of_others_are_reported() {
    for lock in ["index.lock", "HEAD.lock"] {
        let repo = Repo::new().installed();
        repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
        repo.git(&["add", "tests/add.t"]);
        let path = repo.path(&format!(".git/{lock}"));
        leave_lock(&path);
        let refs = repo.git(&["for-each-ref"]);
        let ran = repo.tcr(&["run"]).exits(2);
        assert!(
            ran.stderr
                .contains(&format!("`{}` is held", path.display())),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(&format!("rm {}", path.display())),
            "{}",
            ran.stderr
        );
        assert_eq!(repo.git(&["for-each-ref"]), refs, "{lock}");
        assert_eq!(repo.branch(), "main", "{lock}");
        assert!(path.exists(), "{lock} is not ours");
        std::fs::remove_file(&path).expect("a file");
        assert_eq!(repo.porcelain(), "A  tests/add.t", "{lock}");
        assert_eq!(repo.run_json()["why"], "red", "{lock}");
        repo.assert_tidy(lock);
    }
}

fn leave_lock(path: &Path) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    let file = File::create(path).expect("a file");
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    file.set_modified(long_ago).expect("its time");
}
