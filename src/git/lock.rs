//! Locks that end with their owner: the kernel lets go of them when a process dies.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FlockOperation, Timespec, Timestamps, UTIME_NOW};

use crate::error::{Error, Result};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
    left_behind: Vec<u8>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still held: whoever waits for it notices and opens the next one.
        drop(std::fs::remove_file(&self.path));
    }
}

/// Takes the lock of a worktree, calling `on_wait` once with its owner if a live one holds it.
pub(crate) fn of_worktree(git_dir: &Path, on_wait: &mut dyn FnMut(&str)) -> Result<Lock> {
    let lock = Lock::take(&path(git_dir), on_wait)?;
    crate::fault::point("lock-taken");
    Ok(lock)
}

/// Where the lock of a worktree is.
pub(crate) fn path(git_dir: &Path) -> PathBuf {
    git_dir.join("tcr").join("lock")
}

/// Marks the moment on the lock of a worktree: the file system's clock is the one that files go by.
pub(crate) fn touch(git_dir: &Path) -> Option<gix::index::entry::Stat> {
    const NOW: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let now = Timestamps {
        last_access: NOW,
        last_modification: NOW,
    };
    let lock = path(git_dir);
    rustix::fs::utimensat(rustix::fs::CWD, &lock, &now, AtFlags::empty()).ok()?;
    let stat = rustix::fs::stat(&lock).ok()?;
    Some(crate::git::scan::index_stat(&stat))
}

impl Lock {
    /// Takes the lock, calling `on_wait` once with the owner if it has to wait for a live one.
    pub(crate) fn take(path: &Path, on_wait: &mut dyn FnMut(&str)) -> Result<Lock> {
        let mut waited = false;
        loop {
            let file = open(path)?;
            if !try_lock(&file, path)? {
                if !waited {
                    on_wait(&owner_of(&file));
                    waited = true;
                }
                wait_for(&file, path)?;
            }
            if let Some(lock) = Lock::held(file, path) {
                return Ok(lock);
            }
        }
    }

    /// Takes the lock if it is free within a time.
    pub(crate) fn take_within(path: &Path, patience: Duration) -> Result<Option<Lock>> {
        const PAUSE: Duration = Duration::from_millis(10);
        let started = Instant::now();
        loop {
            let file = open(path)?;
            if try_lock(&file, path)?
                && let Some(lock) = Lock::held(file, path)
            {
                return Ok(Some(lock));
            }
            if started.elapsed() >= patience {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// `None` if the owner before has removed the file that is locked now.
    fn held(mut file: File, path: &Path) -> Option<Lock> {
        if !is_at(&file, path) {
            return None;
        }
        let mut left = Vec::new();
        // An owner that lived to the end removed the file: what it says is from a dead one.
        drop(file.read_to_end(&mut left));
        let word = left.iter().position(|byte| *byte == b'\n');
        let left_behind = word.map(|end| left.split_off(end + 1)).unwrap_or_default();
        let lock = Lock {
            file,
            path: path.to_owned(),
            left_behind,
        };
        lock.leave_word(&lock.left_behind);
        Some(lock)
    }

    /// What an owner that died had left for the next one.
    pub(crate) fn left_behind(&self) -> &[u8] {
        &self.left_behind
    }

    /// Leaves word for the next owner, in case this one dies. The lock itself does not depend on
    /// it: on a full disk there is no word.
    pub(crate) fn leave_word(&self, word: &[u8]) {
        let mut content = format!("process {}\n", std::process::id()).into_bytes();
        content.extend_from_slice(word);
        let mut file = &self.file;
        let written = file.rewind().and_then(|()| file.write_all(&content));
        drop(written.and_then(|()| self.file.set_len(content.len() as u64)));
    }

    /// The process that holds the lock, if one does.
    pub(crate) fn owner(path: &Path) -> Result<Option<i32>> {
        if !path.exists() {
            return Ok(None);
        }
        let file = open(path)?;
        if try_lock(&file, path)? {
            return Ok(None);
        }
        let owner = owner_of(&file);
        // One that has just taken over from a dead one may not have written its name yet.
        std::thread::sleep(Duration::from_millis(2));
        if owner_of(&file) != owner {
            return Ok(None);
        }
        Ok(owner
            .strip_prefix("process ")
            .and_then(|pid| pid.parse().ok()))
    }
}

fn open(path: &Path) -> Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
    }
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|source| Error::io("open", path, source))
}

/// The owner's name is only for messages; an unreadable one is no reason to stop.
fn owner_of(mut file: &File) -> String {
    let mut content = Vec::new();
    let read = file.rewind().and_then(|()| file.read_to_end(&mut content));
    let line = content
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    match (read, std::str::from_utf8(line)) {
        (Ok(_), Ok(owner)) if !owner.is_empty() => owner.to_owned(),
        _ => "another process".into(),
    }
}

/// A process that was stopped would be waited for without end.
fn wait_for(file: &File, path: &Path) -> Result<()> {
    const PAUSE: Duration = Duration::from_millis(5);
    const PAUSES_A_LOOK: u32 = 100;
    loop {
        for _ in 0..PAUSES_A_LOOK {
            if try_lock(file, path)? {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        let owner = owner_of(file);
        let process = owner.strip_prefix("process ").unwrap_or_default();
        if is_stopped(process) {
            return Err(Error::Usage {
                what: format!("process {process} is at work here and was stopped"),
                hint: format!("kill -CONT {process} lets it go on, kill -KILL {process} ends it"),
            });
        }
    }
}

/// Whether a process is one that somebody stopped; only where the system tells.
fn is_stopped(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Its name is in brackets and may hold anything.
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
    state.is_some_and(|state| state.starts_with(['T', 't']))
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(held), Ok(there)) => held.ino() == there.ino() && held.dev() == there.dev(),
        _ => false,
    }
}

fn try_lock(file: &File, path: &Path) -> Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(errno) => Err(Error::io("lock", path, errno.into())),
    }
}
