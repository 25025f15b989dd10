//! `git tcr watch`: files change, the tests run, the loop acts. Events are only wake-ups.

mod screen;
mod stress;
mod watching;

use crate::support::Repo;
use watching::Watching;

const COUNTS: &str = "echo run >> $HOME/runs\n";

/// Has the test runner count its runs in a file outside the repository.
fn counted(repo: &Repo) -> impl Fn() -> usize {
    let runs = repo.around().join("home/runs");
    repo.during_tests(COUNTS);
    move || {
        std::fs::read_to_string(&runs)
            .unwrap_or_default()
            .lines()
            .count()
    }
}

#[test]
fn a_test_then_code_then_a_mistake() {
    let repo = Repo::new().installed();
    let mut watch = Watching::start(&repo);
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let red = watch.until_named("tests/add.t");
    assert_eq!(
        (&red["action"], &red["why"]),
        (&"commit".into(), &"red".into())
    );
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let wrong = watch.until_named("src/add.sh");
    assert_eq!(wrong["action"], "take_back");
    assert!(!repo.exists("src/add.sh"));
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    let green = watch.until_named("src/add.sh");
    assert_eq!(
        (&green["action"], &green["why"]),
        (&"commit".into(), &"green".into())
    );
    assert!(watch.end().success());
    assert_eq!(repo.porcelain(), "");
    repo.assert_tidy("after a watch");
}

#[test]
fn changes_from_before_are_judged_first() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", "false\n");
    let mut watch = Watching::start(&repo);
    assert_eq!(watch.until_named("tests/add.t")["why"], "red");
}

#[test]
fn ignored_files_and_own_refs_cause_nothing() {
    let repo = Repo::new()
        .with(".gitignore", "*.log\nbuild/\n")
        .committed()
        .installed();
    repo.write("build/cache/old", "");
    let runs = counted(&repo);
    let mut watch = Watching::start(&repo);
    // A kept, broken result is not known from any cache: each look that is not called for would
    // run the tests.
    repo.write("tests/one.t", "false\n");
    watch.until_named("tests/one.t");
    repo.write("src/one.sh", "if\n");
    assert_eq!(watch.until_named("src/one.sh")["verdict"], "broken");
    let before = runs();
    repo.write("noise.log", "1\n");
    repo.write("build/cache/new", "2\n");
    repo.write("tests/.first.t.swp", "b0VIM 9.1");
    repo.tcr(&["status"]).success();
    repo.git(&["update-ref", "refs/heads/elsewhere", "HEAD"]);
    repo.git(&["add", "-N", "src/one.sh"]);
    repo.write("src/two.sh", "fi\n");
    watch.until_named("src/two.sh");
    assert_eq!(runs(), before + 1, "{:#?}", watch.seen());
}

#[test]
fn an_ignored_folder_is_seen_again_when_it_is_no_longer_ignored() {
    let repo = Repo::new()
        .with(".gitignore", "generated/\n")
        .committed()
        .installed();
    repo.write("generated/deep/one.txt", "1\n");
    let mut watch = Watching::start(&repo);
    repo.write(".gitignore", "");
    watch.until_named("generated/deep/one.txt");
    repo.write("generated/deep/two.txt", "2\n");
    watch.until_named("generated/deep/two.txt");
}

#[test]
fn files_in_new_folders_are_seen() {
    let repo = Repo::new().installed();
    let mut watch = Watching::start(&repo);
    repo.write("data/a/b/c/one.txt", "1\n");
    watch.until_named("data/a/b/c/one.txt");
    repo.write("data/a/b/c/two.txt", "2\n");
    watch.until_named("data/a/b/c/two.txt");
    std::fs::rename(repo.path("data/a"), repo.path("data/z")).expect("a rename");
    watch.until_named("data/z/b/c/two.txt");
    repo.write("data/z/b/c/three.txt", "3\n");
    watch.until_named("data/z/b/c/three.txt");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn editors_that_write_by_rename_leave_one_change() {
    let repo = Repo::new().installed();
    let mut watch = Watching::start(&repo);
    for content in ["1\n", "2\n", "3\n"] {
        // As vim does it: a probe, a backup, the new file in place.
        repo.write("4913", "");
        repo.remove("4913");
        if repo.exists("notes.cfg") {
            std::fs::rename(repo.path("notes.cfg"), repo.path("notes.cfg~")).expect("a rename");
        }
        repo.write(".notes.cfg.tmp", content);
        std::fs::rename(repo.path(".notes.cfg.tmp"), repo.path("notes.cfg")).expect("a rename");
        if repo.exists("notes.cfg~") {
            repo.remove("notes.cfg~");
        }
        watch.until(|outcome| watching::names(outcome, "notes.cfg") && repo.porcelain().is_empty());
        assert_eq!(repo.show("HEAD:notes.cfg"), content.trim_end());
    }
}

#[test]
fn what_an_editor_keeps_beside_a_file_is_no_part_of_the_work() {
    let repo = Repo::new().installed();
    repo.write(".notes.cfg.swp", "b0VIM 9.1\0\0");
    std::os::unix::fs::symlink("ada@host.123", repo.path(".#notes.cfg")).expect("a link");
    let mut watch = Watching::start(&repo);
    repo.write("notes.cfg", "1\n");
    let outcome = watch.until_named("notes.cfg");
    assert_eq!(outcome["files"], serde_json::json!(["notes.cfg"]));
    // A file that merely has such a name is private too, and is named.
    repo.write(".data.swp", "not vim's\n");
    repo.write("data.sw", "1\n");
    let outcome = watch.until_named("data.sw");
    assert_eq!(outcome["files"], serde_json::json!(["data.sw"]));
    assert_eq!(outcome["left_out"], serde_json::json!([".data.swp"]));
}

#[test]
fn ten_files_saved_at_once_end_up_in_the_history() {
    let repo = Repo::new().installed();
    let mut watch = Watching::start(&repo);
    for number in 0..10 {
        repo.write(&format!("data/{number}.txt"), "saved\n");
    }
    watch.until(|_| repo.porcelain().is_empty());
    let listed = repo.git(&["ls-tree", "--name-only", "HEAD:data"]);
    assert_eq!(listed.lines().count(), 10);
}

#[test]
fn a_branch_switch_and_a_rebase_are_waited_for() {
    let repo = Repo::in_green();
    let mut watch = Watching::start(&repo);
    repo.git(&["switch", "-q", "main"]);
    repo.write("by-hand.txt", "1\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(watch.until_named("src/add.sh")["why"], "green");
    // A rebase of another branch that stops in the middle.
    repo.git(&["switch", "-q", "-c", "other", "main"]);
    repo.write("by-hand.txt", "2\n");
    repo.git(&["commit", "-q", "-a", "-m", "two"]);
    repo.git(&["switch", "-q", "main"]);
    repo.write("by-hand.txt", "3\n");
    repo.git(&["commit", "-q", "-a", "-m", "three"]);
    repo.git(&["switch", "-q", "other"]);
    assert_ne!(repo.try_git(&["rebase", "main"]).status, 0);
    repo.git(&["rebase", "--abort"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    repo.write("tests/more.t", "false\n");
    assert_eq!(watch.until_named("tests/more.t")["why"], "red");
    assert_eq!(repo.show("main:by-hand.txt"), "3");
    assert_eq!(repo.show("other:by-hand.txt"), "2");
    assert!(watch.end().success());
    repo.assert_tidy("after branch switches");
}

#[test]
fn a_new_branch_becomes_active() {
    let repo = Repo::new().installed();
    let mut watch = Watching::start(&repo);
    repo.git(&["switch", "-q", "-c", "feat/login"]);
    repo.write("tests/add.t", "false\n");
    let red = watch.until_named("tests/add.t");
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["branch"], "tcr/feat/login");
    assert_ne!(
        repo.git(&["for-each-ref", "refs/tcr/state/feat%2Flogin"]),
        ""
    );
}

#[test]
fn tests_that_write_tracked_files_do_not_keep_it_busy() {
    let repo = Repo::new()
        .with("counter.txt", "0\n")
        .committed()
        .installed();
    let runs = counted(&repo);
    repo.during_tests(&format!("{COUNTS}date +%N$$ > counter.txt\n"));
    let mut watch = Watching::start(&repo);
    repo.write("one.cfg", "1\n");
    let done = watch.until_named("one.cfg");
    assert_eq!(
        done["left_out"],
        serde_json::json!(["counter.txt"]),
        "{done}"
    );
    let first = runs();
    repo.write("two.cfg", "1\n");
    watch.until_named("two.cfg");
    // It is known by now what the tests do: one more look, each of which runs them twice.
    assert!(runs() <= first + 4, "{first} then {}", runs());
    repo.during_tests(COUNTS);
    repo.write("three.cfg", "1\n");
    let committed = watch.until_named("three.cfg");
    assert_eq!(committed["action"], "commit");
}

#[test]
fn what_is_saved_while_the_tests_run_is_judged_too() {
    let repo = Repo::in_green();
    // As a person may.
    repo.during_next_test("echo late > src/late.cfg");
    let mut watch = Watching::start(&repo);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    watch.until_named("src/add.sh");
    repo.write("src/late.cfg", "later\n");
    watch.until(|_| repo.porcelain().is_empty());
    assert_eq!(repo.show("HEAD:src/late.cfg"), "later");
}

#[test]
fn ended_in_the_middle_of_a_test_run_it_touches_nothing() {
    let repo = Repo::in_green();
    let started = repo.around().join("home/started");
    rustix::fs::mkfifoat(rustix::fs::CWD, &started, rustix::fs::Mode::RWXU).expect("a pipe");
    repo.during_tests(&format!("echo > {}; exec sleep 600\n", started.display()));
    let watch = Watching::start(&repo);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    // Returns when the run has come to the other end.
    std::fs::read(&started).expect("a pipe");
    assert!(watch.end().success());
    assert_eq!(repo.porcelain(), "?? src/");
    repo.assert_tidy("after the end");
}

#[test]
fn without_a_terminal_it_prints_lines() {
    use std::io::{BufRead, BufReader};
    let repo = Repo::new().installed();
    let mut child = repo
        .command(crate::support::PROGRAM)
        .arg("watch")
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert_eq!(next(), "tcr: watching `main`, phase `red`, mode `both`");
    repo.write("tests/add.t", "false\n");
    let committed = std::iter::repeat_with(next).find(|line| line.contains("committed"));
    assert!(committed.is_some_and(|line| line.starts_with("tcr: committed as red: 1 file")));
    // With nobody to read it, it ends by itself.
    drop(lines);
    repo.write("tests/more.t", "false\n");
    repo.write("note.cfg", "1\n");
    assert!(child.wait().expect("it ends").code().is_some());
}

#[test]
fn outside_of_an_installation_it_says_so() {
    let repo = Repo::new();
    let ran = repo.tcr(&["watch"]).exits(2);
    assert!(ran.stderr.contains("git tcr install"), "{}", ran.stderr);
}
