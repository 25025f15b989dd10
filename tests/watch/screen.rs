//! The watch in a terminal: what is on the screen, and what the keys do.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{PROGRAM, Repo};

const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a watch in it.
struct Terminal {
    child: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    fn open(repo: &Repo, columns: u16, rows: u16, options: &[&str]) -> Terminal {
        let mut command = repo.command(PROGRAM);
        command.arg("watch").args(options);
        Terminal::with(repo, columns, rows, command)
    }

    fn with(repo: &Repo, columns: u16, rows: u16, mut command: Command) -> Terminal {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&controller).expect("a terminal");
        unlockpt(&controller).expect("a terminal");
        let name = ptsname(&controller, Vec::new()).expect("its name");
        let name = name.into_string().expect("a path");
        let user = File::options()
            .read(true)
            .write(true)
            .open(name)
            .expect("its other side");
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&user, size).expect("a size");
        command.env("TERM", "xterm-256color");
        let path = std::env::var("PATH").unwrap_or_default();
        let own = repo.around().join("bin");
        command.env("PATH", format!("{}:{path}", own.display()));
        for stream in [Command::stdin, Command::stdout, Command::stderr] {
            stream(
                &mut command,
                Stdio::from(user.try_clone().expect("a handle")),
            );
        }
        let child = command.spawn().expect("the program runs");
        drop((command, user));
        let mut reader = File::from(controller);
        let keyboard = reader.try_clone().expect("a handle");
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            child,
            keyboard,
            output,
            screen: vt100::Parser::new(cells(rows), cells(columns), 0),
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("a key");
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads on until the screen shows all of these.
    fn until(&mut self, wanted: &[&str]) -> String {
        let started = Instant::now();
        while !wanted.iter().all(|text| self.text().contains(text)) {
            let left = PATIENCE.saturating_sub(started.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => panic!("{error}: {wanted:?} is not on\n{}", self.text()),
            }
        }
        self.text()
    }

    /// Waits until the process that the shell knows of is stopped, as with Ctrl-Z.
    fn stops(&mut self) {
        let started = Instant::now();
        let options = WaitOptions::UNTRACED | WaitOptions::NOHANG;
        let child = Some(Pid::from_child(&self.child));
        let stopped = || {
            let seen = waitpid(child, options).expect("a child");
            seen.is_some_and(|(_, status)| status.stopped())
        };
        while !stopped() {
            assert!(started.elapsed() < PATIENCE, "it runs on");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.read_all();
    }

    fn ends(&mut self) -> Option<i32> {
        let status = self.child.wait().expect("it ends");
        self.read_all();
        status.code()
    }

    fn read_all(&mut self) {
        while let Ok(bytes) = self.output.try_recv() {
            self.screen.process(&bytes);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has a size")
}

#[test]
fn a_cycle_without_typing_a_command() {
    let repo = Repo::new().installed();
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    let start = terminal.until(&["waiting for a change", " RED ", "q quit"]);
    assert!(start.contains("may be written now: tests"), "{start}");
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    terminal.until(&["committed as red", " GREEN ", "failing  tests/add.t"]);
    repo.write("src/add.sh", "add() { echo 4; }\n");
    terminal.until(&["taken back: 1 file, kept as recover 1", "1 taken back"]);
    terminal.until(&["`u` brings it back"]);
    repo.write("tests/add.t", "true\n");
    terminal.until(&["if a test is wrong: `t`; the work: `u` brings it back"]);
    repo.write("src/add.sh", "add() { echo 4; }\n");
    terminal.until(&["kept as recover 3"]);
    terminal.press("u");
    terminal.until(&["restored on purpose", "hint: change it and save"]);
    assert_eq!(repo.read("src/add.sh"), "add() { echo 4; }\n");
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    terminal.until(&["committed as green", " RED "]);
    repo.write("src/early.py", "def early():\n    return 1\n");
    terminal.until(&[
        "kept as recover 4",
        "4 taken back",
        "no new behaviour: `f`; the work: `u`",
    ]);
    assert!(!repo.exists("src/early.py"));
    terminal.press("f");
    terminal.until(&["phase `red` → `refactor`", " REFACTOR "]);
    repo.write("src/add.sh", "add() { expr $1 + $2; }\n");
    terminal.until(&["committed as refactor: `src/add.sh`"]);
    terminal.press("t");
    terminal.until(&["phase `refactor` → `red`", " RED "]);
    terminal.press("q");
    assert_eq!(terminal.ends(), Some(0));
    assert!(!terminal.screen.screen().alternate_screen());
    assert!(!terminal.screen.screen().hide_cursor());
    assert!(
        terminal.text().contains("3 commits, 4 taken back"),
        "{}",
        terminal.text()
    );
    repo.assert_tidy("after a watch");
}

#[test]
fn paused_it_waits() {
    let repo = Repo::new().installed();
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    terminal.until(&["waiting for a change"]);
    terminal.press("p");
    terminal.until(&["paused"]);
    repo.write("tests/add.t", "false\n");
    terminal.press("r");
    // Asked for by hand it runs all the same.
    terminal.until(&["committed as red"]);
    repo.write("src/add.sh", "if\n");
    terminal.press("p");
    terminal.until(&["kept, not committed", "waiting for a change"]);
}

#[test]
fn going_back_from_green_asks_why() {
    let repo = Repo::in_green();
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    terminal.until(&[" GREEN ", "waiting for a change"]);
    terminal.press("t");
    terminal.until(&["what is wrong with the test?"]);
    terminal.press("q no\x7f\x7fbody adds like thaτ");
    terminal.until(&["q body adds like thaτ"]);
    terminal.press("\r");
    terminal.until(&["phase `green` → `red`", " RED "]);
    let log = repo.tcr(&["log", "--json"]).success().json();
    assert_eq!(log[0]["note"], "q body adds like thaτ");
    terminal.press("\x03");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn what_keeps_it_from_working_is_shown_until_it_is_gone() {
    let repo = Repo::in_green();
    let mut terminal = Terminal::open(&repo, 100, 30, &[]);
    terminal.until(&["waiting for a change"]);
    repo.git(&["switch", "-q", "main"]);
    terminal.until(&["HEAD is on `main`", "hint: git switch tcr/main"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    terminal.until(&["waiting for a change"]);
}

#[test]
fn what_another_command_does_is_seen() {
    let repo = Repo::new().installed();
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    terminal.until(&[" RED ", "waiting for a change"]);
    repo.tcr(&["phase", "refactor"]).success();
    terminal.until(&[" REFACTOR "]);
    repo.tcr(&["mode", "relaxed"]).success();
    terminal.until(&["mode relaxed"]);
}

#[test]
fn switched_off_it_ends_the_tests_and_waits() {
    let repo = Repo::in_green();
    repo.during_tests("echo under way; sleep 600\n");
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    terminal.until(&["under way"]);
    repo.tcr(&["off"]).success();
    terminal.until(&["mode off"]);
    repo.during_tests("");
    repo.tcr(&["on"]).success();
    terminal.until(&["mode both"]);
    repo.write("src/more.sh", "more() { echo 3; }\n");
    terminal.until(&["committed as green: `src/more.sh`"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn the_report_is_shown_in_a_browser() {
    let repo = Repo::in_green();
    let opened = repo.around().join("opened");
    rustix::fs::mkfifoat(rustix::fs::CWD, &opened, rustix::fs::Mode::RWXU).expect("a pipe");
    let browser = format!("#!/bin/sh\necho \"$1\" > {}\n", opened.display());
    repo.write("../bin/xdg-open", &browser);
    repo.make_executable("../bin/xdg-open");
    let mut terminal = Terminal::open(&repo, 120, 30, &[]);
    terminal.until(&["waiting for a change"]);
    terminal.press("o");
    terminal.until(&["the report is in"]);
    let opened = std::fs::read_to_string(&opened).expect("a pipe");
    let page = std::fs::read_to_string(opened.trim_end()).expect("a page");
    assert!(page.contains("made by git tcr"), "{page}");
}

#[test]
fn small_and_odd_terminals() {
    let repo = Repo::in_green();
    for (columns, rows) in [(20, 5), (1, 1), (40, 10), (200, 60)] {
        let mut terminal = Terminal::open(&repo, columns, rows, &["--timer", "5", "--with", "Ada"]);
        if columns >= 20 {
            terminal.until(&["tcr/main"]);
        }
        terminal.press("q");
        assert_eq!(terminal.ends(), Some(0), "{columns}×{rows}");
    }
}

#[test]
fn what_the_keys_do_is_said_where_there_is_no_room_for_it() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let mut terminal = Terminal::open(&repo, 40, 12, &[]);
    // What happened is worth more than what follows from the phase, and than air.
    let shown = terminal.until(&[" GREEN ", "taken back: 1 file", "r f t p u o ? q"]);
    assert!(!shown.contains("may be written now"), "{shown}");
    terminal.press("?");
    terminal.until(&["u  bring back what was taken back last", "any key: back"]);
    terminal.press("u");
    terminal.until(&["taken back: 1 file", "r f t p u o ? q"]);
    assert_eq!(repo.porcelain(), "", "the key only closed the page");
    terminal.press("?");
    terminal.until(&["any key: back"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() {
    let repo = Repo::in_green();
    // As a shell starts `git tcr watch`: git waits for the program, both in a group of their own.
    let mut git = repo.command("sh");
    git.args(["-c", "\"$0\" watch; exit $?", PROGRAM])
        .process_group(0);
    let mut terminal = Terminal::with(&repo, 80, 24, git);
    terminal.until(&[" GREEN ", "waiting for a change"]);
    terminal.press("\x1a");
    terminal.stops();
    assert!(!terminal.screen.screen().alternate_screen());
    let group = Pid::from_child(&terminal.child);
    kill_process_group(group, Signal::CONT).expect("a group");
    terminal.until(&[" GREEN ", "waiting for a change"]);
    assert!(terminal.screen.screen().alternate_screen());
    terminal.press("q");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn a_long_run_is_ended_by_the_key() {
    let repo = Repo::in_green();
    repo.during_tests("echo under way; sleep 600\n");
    let mut terminal = Terminal::open(&repo, 80, 24, &[]);
    repo.write("src/add.sh", "add() { echo 3; }\n");
    terminal.until(&["running `./run-tests`", "under way"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), Some(0));
    assert_eq!(repo.porcelain(), "?? src/");
    repo.assert_tidy("after the end");
}
