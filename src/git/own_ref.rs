//! A ref that only the owner of a worktree's lock writes.
//!
//! Nobody races for it but git when it packs refs, and the ref's own lock keeps git out. That is
//! several files less to make and remove than a transaction takes, three times in every loop.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gix::refs::FullName;

use super::ref_writer;
use super::refs::{self, Move, Pointer};
use super::repo::Repo;
use crate::error::{Doing, Error, Result};
use crate::fault;
use crate::this_process::signals::Unbroken;

/// git holds the lock for a moment. One that is as old as this was left by a process that died.
const DEAD_AFTER: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(10);

/// Points the ref at an object.
pub(crate) fn point(repo: &Repo, name: &str, id: gix::ObjectId) -> Result<()> {
    if !is_plain_setup(repo) {
        return move_to(repo, name, Some(Pointer::object(id)));
    }
    fault::write("write-ref")?;
    let path = repo.common_dir().join(name);
    let mut lock = RefLock::take(&path)?;
    lock.write(format!("{id}\n").as_bytes())?;
    lock.put_at(&path)
}

/// Removes the ref, if there is one.
pub(crate) fn remove(repo: &Repo, name: &str) -> Result<()> {
    if refs::current(repo, name)?.is_none() {
        return Ok(());
    }
    if is_packed(repo, name)? || !is_plain_setup(repo) {
        return move_to(repo, name, None);
    }
    fault::write("write-ref")?;
    let path = repo.common_dir().join(name);
    let lock = RefLock::take(&path)?;
    std::fs::remove_file(&path).map_err(|source| Error::io("remove", &path, source))?;
    drop(lock);
    // git may have packed it in the last moment.
    match is_packed(repo, name)? {
        true => move_to(repo, name, None),
        false => Ok(()),
    }
}

/// Settings under which git would do more than write the file.
fn is_plain_setup(repo: &Repo) -> bool {
    let config = repo.gix.config_snapshot();
    let logs_all = config.string("core.logAllRefUpdates");
    config.string("core.sharedRepository").is_none()
        && logs_all.is_none_or(|value| !value.eq_ignore_ascii_case(b"always"))
}

fn move_to(repo: &Repo, name: &str, new: Option<Pointer>) -> Result<()> {
    let old = refs::current(repo, name)?;
    let name = name.to_owned();
    ref_writer::apply(repo, &[Move { name, old, new }], "")
}

fn is_packed(repo: &Repo, name: &str) -> Result<bool> {
    let reading = "read the packed references";
    let Some(packed) = repo.gix.refs.cached_packed_buffer().doing(reading)? else {
        return Ok(false);
    };
    let name: FullName = refs::full_name(name)?;
    Ok(packed.try_find(name.as_ref()).doing(reading)?.is_some())
}

/// The file beside a ref that keeps others from changing it; gone with this value.
struct RefLock {
    file: std::fs::File,
    path: Option<PathBuf>,
    _unbroken: Unbroken,
}

impl RefLock {
    fn take(of: &Path) -> Result<RefLock> {
        let mut path = of.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let started = Instant::now();
        let unbroken = Unbroken::begin();
        loop {
            let found = std::fs::File::options()
                .write(true)
                .create_new(true)
                .open(&path);
            let error = match found {
                Ok(file) => {
                    return Ok(RefLock {
                        file,
                        path: Some(path),
                        _unbroken: unbroken,
                    });
                }
                Err(error) => error,
            };
            match error.kind() {
                std::io::ErrorKind::NotFound => {
                    let folder = path.parent().unwrap_or(Path::new("."));
                    std::fs::create_dir_all(folder)
                        .map_err(|source| Error::io("create", folder, source))?;
                }
                std::io::ErrorKind::AlreadyExists if started.elapsed() < DEAD_AFTER => {
                    std::thread::sleep(PAUSE);
                }
                // Gone already is as good.
                std::io::ErrorKind::AlreadyExists => drop(std::fs::remove_file(&path)),
                _ => return Err(Error::io("write", &path, error)),
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        written.map_err(|source| Error::io("write", path, source))
    }

    /// Makes what was written the ref.
    fn put_at(mut self, of: &Path) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        std::fs::rename(path, of).map_err(|source| Error::io("write", of, source))?;
        self.path = None;
        Ok(())
    }
}

impl Drop for RefLock {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Should it stay, it counts as left by a dead process in a while.
            drop(std::fs::remove_file(path));
        }
    }
}
