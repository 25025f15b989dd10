//! Points after each effect where tests end the process, and writes that tests make fail.
//!
//! In release builds this is nothing at all.

use crate::error::Result;

/// The moments right after an effect.
pub const POINTS: &[&str] = &[
    "first-config-written",
    "config-sealed",
    "hook-written",
    "lock-taken",
    "snapshot-taken",
    "snapshot-held",
    "tests-ran",
    "experiment-ran",
    "round-done",
    "linted",
    "objects-written",
    "plan-written",
    "refs-locked",
    "between-refs",
    "refs-moved",
    "path-prepared",
    "path-set-aside",
    "path-swapped",
    "path-aligned",
    "worktree-aligned",
    "index-locked",
    "index-aligned",
    "pending-dropped",
    "clone-named",
    "pushed",
    "fetched",
    "notes-merged",
];

/// The moments right before something is written.
pub const WRITES: &[&str] = &[
    "write-blob",
    "write-tree",
    "write-commit",
    "write-ref",
    "write-file",
    "write-index",
];

/// Marks the moment after an effect. With `GIT_TCR_FAULT=kill:NAME#N` the process ends when it
/// comes here for the Nth time, with `call:NAME#N=PROGRAM` a program is run before it goes on, and
/// with `call:NAME|NAME#*=PROGRAM` each time; with `trace:FILE` the name is added to a file.
#[cfg(debug_assertions)]
pub(crate) fn point(name: &'static str) {
    if at(name, POINTS) == Some(Fault::Kill) {
        kill();
    }
}

/// Marks the moment before a write. It can end the process too, and with
/// `GIT_TCR_FAULT=full:NAME#N` this write and all that follow fail as if the disk were full.
#[cfg(debug_assertions)]
pub(crate) fn write(name: &'static str) -> Result<()> {
    match at(name, WRITES) {
        None => Ok(()),
        Some(Fault::Kill) => kill(),
        Some(Fault::Full) => {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            Err(crate::error::Error::io(
                "write",
                std::path::Path::new(name),
                full,
            ))
        }
    }
}

/// Whether the process is to end within a step that can't be stopped half way: `leave` then does
/// the half.
#[cfg(debug_assertions)]
pub(crate) fn within(name: &'static str, leave: impl FnOnce()) {
    if at(name, POINTS) == Some(Fault::Kill) {
        leave();
        kill();
    }
}

#[cfg(debug_assertions)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Kill,
    Full,
}

#[cfg(debug_assertions)]
fn at(name: &str, known: &[&str]) -> Option<Fault> {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    static PASSED: AtomicUsize = AtomicUsize::new(0);
    static IS_FULL: AtomicBool = AtomicBool::new(false);

    debug_assert!(known.contains(&name), "`{name}` is not in the list");
    let fault = crate::env_vars::fault()?;
    let (kind, wanted) = fault.split_once(':')?;
    if kind == "trace" {
        let file = std::fs::File::options()
            .append(true)
            .create(true)
            .open(wanted);
        file.and_then(|mut file| writeln!(file, "{name}")).ok();
        return None;
    }
    let (wanted, program) = wanted.split_once('=').unwrap_or((wanted, ""));
    let (wanted, nth) = wanted.split_once('#').unwrap_or((wanted, "1"));
    let is_named = wanted.split('|').any(|wanted| wanted == name);
    let is_here =
        is_named && (nth == "*" || nth.parse() == Ok(PASSED.fetch_add(1, Ordering::SeqCst) + 1));
    match kind {
        "kill" if is_here => Some(Fault::Kill),
        "call" if is_here => {
            std::process::Command::new(program).status().ok();
            None
        }
        "full" if is_here || IS_FULL.load(Ordering::SeqCst) => {
            IS_FULL.store(true, Ordering::SeqCst);
            Some(Fault::Full)
        }
        _ => None,
    }
}

#[cfg(debug_assertions)]
fn kill() -> ! {
    // As if from outside: nothing is cleaned up.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort()
}

#[cfg(not(debug_assertions))]
#[inline(always)]
pub(crate) fn point(_name: &'static str) {}

#[cfg(not(debug_assertions))]
#[inline(always)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature as in test builds"
)]
pub(crate) fn write(_name: &'static str) -> Result<()> {
    Ok(())
}

#[cfg(not(debug_assertions))]
#[inline(always)]
pub(crate) fn within(_name: &'static str, _leave: impl FnOnce()) {}
