//! A branch with a long past, written straight into the journal.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::Repo;

const START: u64 = 1_767_600_000;
const STEP: u64 = 45;
const CYCLES_A_DAY: u64 = 60;
const NIGHT: u64 = 14 * 60 * 60;

struct Journal {
    stream: String,
    at: u64,
}

impl Repo {
    /// Puts this many cycles into the journal: a red and a green each, here and there a revert
    /// with its content, a refactor, a denial.
    pub(crate) fn with_long_history(self, cycles: u64) -> Repo {
        let mut journal = Journal {
            stream: String::new(),
            at: START,
        };
        for cycle in 1..=cycles {
            self.cycle(&mut journal, cycle);
        }
        let mut import = self
            .command("git")
            // Past the hooks, which let nobody else write a journal.
            .args(["-c", "core.hooksPath=/dev/null"])
            .args(["fast-import", "--quiet", "--force", "--date-format=raw"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("git runs");
        let mut stdin = import.stdin.take().expect("it is piped");
        stdin
            .write_all(journal.stream.as_bytes())
            .expect("git reads");
        drop(stdin);
        assert!(import.wait().expect("git ran").success());
        self.forget_tips();
        self
    }

    fn cycle(&self, journal: &mut Journal, cycle: u64) {
        if cycle.is_multiple_of(CYCLES_A_DAY) {
            journal.at += NIGHT;
        }
        let tests = |failed: u64| json!({"passed": cycle, "failed": failed, "skipped": cycle / 50});
        let commit = format!("{cycle:040x}");
        if cycle.is_multiple_of(10) {
            journal.add(json!({"event": "denied", "phase": "red", "cycle": cycle, "by": "claude-code",
                "cause": "no_failing_test", "note": "denied: `src/a.py` (source) may not be written now"}));
        }
        journal.add(
            json!({"event": "commit", "label": "red", "phase": "red", "next_phase": "green",
            "verdict": "red", "cycle": cycle, "commit": commit, "tests": tests(1), "files": 1,
            "lines": {"added": 4 + cycle % 9, "removed": 0}, "duration_ms": 300 + cycle}),
        );
        if cycle.is_multiple_of(4) {
            let number = cycle / 4;
            journal.add(
                json!({"event": "revert", "phase": "green", "verdict": "red", "cycle": cycle,
                "recover": number, "cause": "no_progress", "tests": tests(1), "files": 2,
                "lines": {"added": 60, "removed": 3}, "duration_ms": 320 + cycle,
                "note": "the failing tests still fail"}),
            );
            journal.revert(number);
        }
        journal.add(
            json!({"event": "commit", "label": "green", "phase": "green", "next_phase": "red",
            "verdict": "green", "cycle": cycle, "commit": commit, "tests": tests(0), "files": 1,
            "lines": {"added": 3 + cycle % 17, "removed": cycle % 4}, "duration_ms": 310 + cycle}),
        );
        if cycle.is_multiple_of(3) {
            journal.add(
                json!({"event": "commit", "label": "refactor", "phase": "refactor",
                "verdict": "green", "cycle": cycle, "commit": commit, "tests": tests(0), "files": 2,
                "lines": {"added": 12, "removed": 15}, "duration_ms": 305 + cycle}),
            );
        }
    }
}

impl Journal {
    fn add(&mut self, mut event: Value) {
        self.at += STEP;
        event["at"] = Value::from(timestamp(self.at));
        if event.get("next_phase").is_none() {
            event["next_phase"] = event["phase"].clone();
        }
        let message = format!("event\n\n{event}\n");
        let is_first = self.stream.is_empty();
        self.commit("refs/tcr/state/main", &message);
        if is_first {
            self.stream.push_str("from refs/tcr/state/main^0\n");
        }
        self.stream.push('\n');
    }

    fn revert(&mut self, number: u64) {
        let name = format!("refs/tcr/reverts/main/{number}");
        self.commit(&name, "the failing tests still fail\n");
        let content: String = (0..60)
            .map(|line| format!("wrong line {line} of attempt {number}\n"))
            .collect();
        let _ = write!(
            self.stream,
            "from refs/heads/main^0\nM 644 inline src/part_{number}.sh\ndata {}\n{content}\n",
            content.len()
        );
    }

    fn commit(&mut self, name: &str, message: &str) {
        let _ = write!(
            self.stream,
            "commit {name}\ncommitter Ada <ada@example.com> {} +0000\ndata {}\n{message}\n",
            self.at,
            message.len()
        );
    }
}

/// `2026-01-05T08:00:00Z`, for days of the year 2026.
fn timestamp(seconds: u64) -> String {
    const NEW_YEAR: u64 = 1_767_225_600;
    const MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let since = seconds - NEW_YEAR;
    let (mut day, time) = (since / 86_400, since % 86_400);
    let mut month = 0;
    while day >= MONTHS[month] {
        day -= MONTHS[month];
        month += 1;
    }
    format!(
        "2026-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        month + 1,
        day + 1,
        time / 3_600,
        time / 60 % 60,
        time % 60
    )
}
