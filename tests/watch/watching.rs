//! A `git tcr watch` that runs beside the test and says what it did, one JSON value a line.

use std::io::{BufRead, BufReader};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::Value;

use crate::support::{PROGRAM, Repo};

/// Only a watch that hangs takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Watching {
    child: Child,
    outcomes: Receiver<Value>,
    seen: Vec<Value>,
}

impl Watching {
    pub fn start(repo: &Repo) -> Watching {
        Watching::start_with(repo, &[])
    }

    /// Starts it with more variables in its environment.
    pub fn start_with(repo: &Repo, variables: &[(&str, &str)]) -> Watching {
        let mut child = repo
            .command(PROGRAM)
            .envs(variables.iter().copied())
            .args(["watch", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, outcomes) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let outcome = serde_json::from_str(&line).expect("each line is JSON");
                if sender.send(outcome).is_err() {
                    break;
                }
            }
        });
        Watching {
            child,
            outcomes,
            seen: Vec::new(),
        }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The next outcome for which `wanted` holds; those before are kept in mind.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let outcome = self
                .outcomes
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|error| {
                    panic!("{error}; seen so far: {:#?}", self.seen);
                });
            self.seen.push(outcome.clone());
            if wanted(&outcome) {
                return outcome;
            }
        }
    }

    /// The next outcome that names a path.
    pub fn until_named(&mut self, path: &str) -> Value {
        self.until(|outcome| names(outcome, path))
    }

    /// Everything it said so far.
    pub fn seen(&self) -> &[Value] {
        &self.seen
    }

    /// Ends it as a closed terminal or a service manager would.
    pub fn end(mut self) -> ExitStatus {
        let process = i32::try_from(self.child.id()).expect("a process id");
        let process = rustix::process::Pid::from_raw(process).expect("a process id");
        rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("it runs");
        self.child.wait().expect("it ends")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // A failed test leaves nothing behind.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Whether an outcome, or what followed in the same look, is about a path.
pub fn names(outcome: &Value, path: &str) -> bool {
    let list = |name: &str| outcome[name].as_array().cloned().unwrap_or_default();
    list("files").iter().any(|name| name == path)
        || list("taken_back").iter().any(|taken| taken["path"] == path)
        || list("rounds").iter().any(|round| names(round, path))
}
