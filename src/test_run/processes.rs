//! Ends everything a test run has started, also what left its process group or session.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, kill_process_group, waitpgid, waitpid,
};

use crate::this_process::stat::{self, Stat};

/// Marks the processes of one run, so that runs side by side do not end each other's.
pub(super) const RUN_MARK: &str = "GIT_TCR_TEST_RUN";

/// The commands of all runs under way. Held while one is started, and while another one looks for
/// its own processes: until it has begun its program, a new process can't be told from an orphan.
static COMMANDS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn commands() -> MutexGuard<'static, Vec<Pid>> {
    COMMANDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of one run.
pub(super) struct Processes {
    /// The command itself; its process group has the same number.
    main: Pid,
    mark: Vec<u8>,
}

impl Drop for Processes {
    fn drop(&mut self) {
        commands().retain(|main| *main != self.main);
    }
}

impl Processes {
    /// Starts a run while nobody looks for processes.
    pub(super) fn start<T>(
        mark: &OsStr,
        start: impl FnOnce() -> io::Result<(T, Pid)>,
    ) -> io::Result<(T, Processes)> {
        let mark = [RUN_MARK.as_bytes(), b"=", mark.as_bytes()].concat();
        let mut commands = commands();
        let (started, main) = start()?;
        commands.push(main);
        Ok((started, Processes { main, mark }))
    }

    /// Sends `signal` to all of them. `false`: there is none left but ended ones.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let in_group = kill_process_group(self.main, signal).is_ok();
        let commands = commands();
        let others = self.outside_group(&commands);
        for &pid in &others {
            // It may have ended since we looked.
            let _ = kill_process(pid, signal);
        }
        self.reap(&others);
        (in_group && self.group_is_alive()) || !others.is_empty()
    }

    /// Whether any of them still runs.
    pub(super) fn any_alive(&self) -> bool {
        let commands = commands();
        let others = self.outside_group(&commands);
        self.reap(&others);
        !others.is_empty() || self.group_is_alive()
    }

    /// Orphans become our children: takes the ended ones off the process table.
    pub(super) fn reap_group(&self) {
        while let Ok(Some(_)) = waitpgid(self.main, WaitOptions::NOHANG) {}
    }

    fn reap(&self, pids: &[Pid]) {
        for &pid in pids {
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }

    fn group_is_alive(&self) -> bool {
        match process_table() {
            Some(table) => table
                .iter()
                .any(|process| process.group == self.main && !process.ended),
            None => rustix::process::test_kill_process_group(self.main).is_ok(),
        }
    }

    /// Live processes of the run that have left its process group.
    fn outside_group(&self, commands: &[Pid]) -> Vec<Pid> {
        let Some(table) = process_table() else {
            return Vec::new();
        };
        let (us, our_group) = (getpid(), getpgrp());
        let is_root = |process: &Process| {
            process.pid == self.main
                || process.group == self.main
                || (process.parent == us
                    && process.group != our_group
                    // One that cleared its environment, or is just ending, shows no mark.
                    && !commands.contains(&process.group)
                    && self.is_not_of_another_run(process.pid))
        };
        let mut members: Vec<&Process> = table.iter().filter(|process| is_root(process)).collect();
        // Parents come before children in no particular order: look until nothing new is found.
        loop {
            let known = members.len();
            for process in &table {
                let is_new = members.iter().all(|member| member.pid != process.pid);
                if is_new && members.iter().any(|member| member.pid == process.parent) {
                    members.push(process);
                }
            }
            if members.len() == known {
                break;
            }
        }
        members
            .into_iter()
            .filter(|process| process.group != self.main && !process.ended)
            .map(|process| process.pid)
            .collect()
    }

    /// An orphan that cleared its environment carries no mark, and is taken as ours.
    fn is_not_of_another_run(&self, pid: Pid) -> bool {
        let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
        let prefix = [RUN_MARK.as_bytes(), b"="].concat();
        environment
            .unwrap_or_default()
            .split(|&byte| byte == 0)
            .find(|entry| entry.starts_with(&prefix))
            .is_none_or(|entry| entry == self.mark)
    }
}

struct Process {
    pid: Pid,
    parent: Pid,
    group: Pid,
    ended: bool,
}

/// All processes, where the system lists them in `/proc`.
fn process_table() -> Option<Vec<Process>> {
    let entries = fs::read_dir("/proc").ok()?;
    let processes: Vec<Process> = entries
        .flatten()
        .filter(|entry| {
            entry
                .file_name()
                .as_bytes()
                .first()
                .is_some_and(u8::is_ascii_digit)
        })
        .filter_map(|entry| fs::read(entry.path().join("stat")).ok())
        .filter_map(|line| process_of(&stat::parse(&line)?))
        .collect();
    // Elsewhere `/proc` may exist with another layout, or be empty.
    (!processes.is_empty()).then_some(processes)
}

fn process_of(stat: &Stat) -> Option<Process> {
    let pid = |number: u32| Pid::from_raw(i32::try_from(number).ok()?);
    Some(Process {
        pid: pid(stat.pid)?,
        // 0 for the processes the kernel started: none of them is ever of a run.
        parent: pid(stat.parent)?,
        group: pid(stat.group)?,
        ended: stat.ended,
    })
}

static ADOPTING: Mutex<usize> = Mutex::new(0);

/// While one of these lives, orphans of our descendants become our children, so that a process
/// that starts its own session can still be found.
pub(super) struct OrphansAdopted;

impl OrphansAdopted {
    pub(super) fn new() -> OrphansAdopted {
        let mut runs = ADOPTING.lock().unwrap_or_else(PoisonError::into_inner);
        *runs += 1;
        if *runs == 1 {
            adopt(true);
        }
        OrphansAdopted
    }
}

impl Drop for OrphansAdopted {
    fn drop(&mut self) {
        let mut runs = ADOPTING.lock().unwrap_or_else(PoisonError::into_inner);
        *runs -= 1;
        if *runs == 0 {
            adopt(false);
        }
    }
}

fn adopt(adopt: bool) {
    // Without it only processes that stay in the group are found, which is still most of them.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(adopt.then(getpid));
    #[cfg(not(target_os = "linux"))]
    let _ = adopt;
}
