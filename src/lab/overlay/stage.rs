//! The inner stages: our own program between the caller and the user's command.
//!
//! `mount ROOM -- COMMAND…` makes the namespaces and the mounts and puts the wanted files in place;
//! it stays outside of the process namespace. `init PRIVILEGE PARENT -- COMMAND…` is its first
//! process: it lists processes anew, gives up privileges and waits for the command; with it
//! everything in the namespace ends.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Pid, WaitOptions, wait};

use super::super::no_lab::{Doing, NoLab, Step};
use super::super::wanted::Times;
use super::spec::{self, Privilege, Spec, Upper};
use super::{mounts, namespace, written};

/// The exit status of a stage that could not do its work.
const FAILED: i32 = 125;

/// Runs a stage and says how it ended: with the command's status, or 128 and its signal.
pub fn stage(args: &[OsString]) -> i32 {
    let cut = args
        .iter()
        .position(|arg| arg == "--")
        .unwrap_or(args.len());
    let (own, command) = (&args[..cut], args.get(cut + 1..).unwrap_or_default());
    match own {
        [name, room] if name == "mount" => mount_stage(Path::new(room), command),
        [name, room, privilege, parent] if name == "init" => {
            init_stage(Path::new(room), privilege, parent, command)
        }
        _ => FAILED,
    }
}

fn mount_stage(room: &Path, command: &[OsString]) -> i32 {
    ended(room, mount_and_run(room, command))
}

fn ended(room: &Path, result: Result<i32, NoLab>) -> i32 {
    result.unwrap_or_else(|failure| {
        spec::tell_failure(room, &failure);
        FAILED
    })
}

fn mount_and_run(room: &Path, command: &[OsString]) -> Result<i32, NoLab> {
    namespace::die_with_parent()?;
    outlive_signals()?;
    let (spec, wanted) = Spec::load(room)?;
    let here =
        std::env::current_dir().map_err(|error| NoLab::io(Doing::Read, Path::new("."), &error))?;
    let worktree = PathBuf::from(&spec.worktree);
    let beside: Vec<PathBuf> = spec.beside.iter().map(PathBuf::from).collect();
    let run = room.join(format!("run-{}", std::process::id()));
    namespace::leave(spec.privilege)?;
    mounts::keep_private()?;
    let layers = mounts::layers(&worktree, &beside)?;
    let uppers = mounts::uppers(&run, spec.upper)?;
    mounts::lay(&layers, &uppers, spec.privilege)?;
    wanted.apply(&worktree, Times::AfterLast)?;
    namespace::keep_mounting()?;
    // The folder this process stands in is the one below the overlay.
    let status = start_init(room, &spec, &here, command)?;
    match spec.upper {
        // Gone with the namespace: told now.
        Upper::Memory => written::tell(room, &mounts::upper_of(&uppers, 0)),
        Upper::Disk => {}
    }
    Ok(code(status))
}

fn start_init(
    room: &Path,
    spec: &Spec,
    here: &Path,
    command: &[OsString],
) -> Result<ExitStatus, NoLab> {
    let privilege = match spec.privilege {
        Privilege::Root => "root",
        Privilege::User => "user",
    };
    // The very program that runs, also if its file has been replaced or lies in the worktree.
    Command::new("/proc/self/exe")
        .arg0("git-tcr")
        .arg("lab-stage")
        .arg("init")
        .args([room.as_os_str(), OsStr::new(privilege)])
        .arg(std::process::id().to_string())
        .arg("--")
        .args(command)
        .current_dir(here)
        .status()
        .map_err(|error| NoLab::refused(Step::Start, error))
}

/// A signal to the process group ends the command; this process waits for its status.
fn outlive_signals() -> Result<(), NoLab> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))
            .map_err(|error| NoLab::refused(Step::Start, error))?;
    }
    Ok(())
}

fn init_stage(room: &Path, privilege: &OsStr, parent: &OsStr, command: &[OsString]) -> i32 {
    let privilege = if privilege == "root" {
        Privilege::Root
    } else {
        Privilege::User
    };
    ended(room, init(privilege, parent, command))
}

fn init(privilege: Privilege, parent: &OsStr, command: &[OsString]) -> Result<i32, NoLab> {
    namespace::die_with_parent()?;
    // It may have died before that was asked for. The old process list still knows it.
    if parent_outside().as_deref().map(OsStr::new) != Some(parent) {
        return Ok(FAILED);
    }
    mounts::process_list()?;
    namespace::give_up(privilege)?;
    let Some((program, args)) = command.split_first() else {
        // Only to see whether all this is possible.
        return Ok(0);
    };
    let child = match Command::new(program).args(args).spawn() {
        Ok(child) => child,
        // As a shell says it: the command is the user's, the lab is fine.
        Err(error) => {
            eprintln!("{}: {error}", program.display());
            return Ok(if error.kind() == std::io::ErrorKind::NotFound {
                127
            } else {
                126
            });
        }
    };
    Ok(wait_for(child.id()))
}

/// The parent as the outer process list has it.
fn parent_outside() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Some(line.trim().to_owned())
}

/// Waits for the command, and buries whatever orphan dies meanwhile: the first process of a
/// namespace inherits them.
fn wait_for(command: u32) -> i32 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if is(pid, command) => {
                return code(ExitStatus::from_raw(status.as_raw()));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return FAILED,
        }
    }
}

fn is(pid: Pid, command: u32) -> bool {
    u32::try_from(pid.as_raw_nonzero().get()) == Ok(command)
}

fn code(status: ExitStatus) -> i32 {
    let signal = || status.signal().map(|signal| 128 + signal);
    status.code().or_else(signal).unwrap_or(FAILED)
}
