//! The lock on the index, made so that it tells whose it is.
//!
//! It is a second name of a file in our own folder. A lock that is the same file as ours, while we
//! hold the worktree's lock, was left by a git tcr that died; any other is not ours to remove.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::repo::Repo;
use crate::error::{Error, Result};
use crate::fault;
use crate::this_process::signals::Unbroken;

/// Editors and prompts run `git status`, which holds the index for a moment.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(10);

/// The right to write the index.
pub(super) struct IndexLock {
    file: File,
    names: Names,
    _unbroken: Unbroken,
}

/// The three names that the new index goes by.
struct Names {
    /// In our own folder, where it begins.
    own: PathBuf,
    /// The lock that every git respects.
    lock: PathBuf,
    /// Where it goes.
    index: PathBuf,
}

impl Names {
    fn of(repo: &Repo) -> Names {
        let index = repo.gix.index_path();
        let mut lock = index.clone().into_os_string();
        lock.push(".lock");
        Names {
            own: repo.git_dir().join("tcr").join("index"),
            lock: lock.into(),
            index,
        }
    }

    /// Takes away what a git tcr that died has left of its own.
    fn clear(&self) {
        if is_same_file(&self.own, &self.lock) {
            drop(std::fs::remove_file(&self.lock));
        }
        // Mostly it is not there.
        drop(std::fs::remove_file(&self.own));
    }
}

impl IndexLock {
    /// Locks the index; `None` if somebody else keeps it locked, or where a file can't have two
    /// names: git then does it, or says best what is in the way.
    pub(super) fn take(repo: &Repo) -> Result<Option<IndexLock>> {
        let names = Names::of(repo);
        names.clear();
        let io = |source| Error::io("write", &names.own, source);
        if let Some(folder) = names.own.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let file = File::create_new(&names.own).map_err(io)?;
        // From here on both names go when this goes.
        let taken = IndexLock {
            file,
            names,
            _unbroken: Unbroken::begin(),
        };
        let started = Instant::now();
        loop {
            match std::fs::hard_link(&taken.names.own, &taken.names.lock) {
                Ok(()) => break,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(_) => return Ok(None),
            }
            if started.elapsed() >= PATIENCE {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
        fault::point("index-locked");
        Ok(Some(taken))
    }

    /// Puts the new index in place.
    pub(super) fn commit(mut self, content: &[u8]) -> Result<()> {
        let io = |source| Error::io("write", &self.names.index, source);
        self.file.write_all(content).map_err(io)?;
        std::fs::rename(&self.names.lock, &self.names.index).map_err(io)
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        self.names.clear();
    }
}

/// Waits until nobody else is writing the index; fails if that takes too long. What has to be in
/// line in the end had better not begin while the index can't follow.
pub(crate) fn wait_until_free(repo: &Repo) -> Result<()> {
    let names = Names::of(repo);
    let started = Instant::now();
    while names.lock.symlink_metadata().is_ok() {
        names.clear();
        if started.elapsed() >= PATIENCE {
            return Err(Error::GitLocked(names.lock));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.symlink_metadata(), other.symlink_metadata()) {
        (Ok(one), Ok(other)) => one.ino() == other.ino() && one.dev() == other.dev(),
        _ => false,
    }
}
