//! Locks that end with their owner: the kernel lets go of them when a process dies.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;

use crate::error::{Error, Result};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    path: PathBuf,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still held: whoever waits for it notices and opens the next one.
        drop(std::fs::remove_file(&self.path));
    }
}

/// Who holds the lock of a worktree.
pub(crate) fn path(git_dir: &Path) -> PathBuf {
    git_dir.join("tcr").join("lock")
}

impl Lock {
    /// Takes the lock, calling `on_wait` once with the owner if it has to wait for a live one.
    pub(crate) fn take(path: &Path, on_wait: &mut dyn FnMut(&str)) -> Result<Lock> {
        let mut waited = false;
        loop {
            let mut file = open(path)?;
            if !try_lock(&file, path)? {
                if !waited {
                    on_wait(&owner_of(&mut file));
                    waited = true;
                }
                wait_for(&file, path)?;
            }
            // The owner before may have removed the file that we waited for.
            if !is_at(&file, path) {
                continue;
            }
            let named = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| writeln!(file, "process {}", std::process::id()));
            named.map_err(|source| Error::io("write", path, source))?;
            return Ok(Lock {
                _file: file,
                path: path.to_owned(),
            });
        }
    }

    /// The process that holds the lock, if one does.
    pub(crate) fn owner(path: &Path) -> Result<Option<i32>> {
        if !path.exists() {
            return Ok(None);
        }
        let mut file = open(path)?;
        if try_lock(&file, path)? {
            return Ok(None);
        }
        let mut owner = String::new();
        file.read_to_string(&mut owner)
            .map_err(|source| Error::io("read", path, source))?;
        Ok(owner
            .trim()
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

/// The owner's name is only for the message; an unreadable one is no reason to stop.
fn owner_of(file: &mut File) -> String {
    let mut owner = String::new();
    match file.read_to_string(&mut owner) {
        Ok(_) if !owner.trim().is_empty() => owner.trim().to_owned(),
        _ => "another process".into(),
    }
}

fn wait_for(file: &File, path: &Path) -> Result<()> {
    loop {
        match rustix::fs::flock(file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(Error::io("lock", path, errno.into())),
        }
    }
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
