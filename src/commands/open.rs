//! What most commands begin with: the repository, the worktree's lock, the branch's state.

use std::path::{Component, Path, PathBuf};

use gix::bstr::ByteSlice;

use crate::branch::place::{self, Place};
use crate::branch::rename;
use crate::branch::sealed::{self, Sealed};
use crate::branch::session::Session;
use crate::branch::transaction;
use crate::error::Result;
use crate::git::lock::{self, Lock};
use crate::git::repo::Repo;
use crate::message::refusals;
use crate::person::{self, Hand};
use crate::test_run::progress::Progress;
use crate::this_process;

/// The repository around the current folder.
pub(crate) fn repository() -> Result<Repo> {
    Repo::discover(&this_process::folder()?)
}

/// A repository that nobody else changes while this lives.
pub(crate) struct Opened {
    pub(crate) repo: Repo,
    pub(crate) sealed: Sealed,
    pub(crate) place: Place,
    pub(crate) _lock: Lock,
}

impl Opened {
    /// Takes the lock, finishes what a process that died has left, and reads where the work stands.
    pub(crate) fn new(progress: &mut dyn Progress) -> Result<Opened> {
        let repo = repository()?;
        let lock = lock(&repo, progress)?;
        let sealed = sealed::require(&repo)?;
        transaction::finish_pending(&repo)?;
        let place = rename::adopt(&repo, place::locate(&repo)?)?;
        Ok(Opened {
            repo,
            sealed,
            place,
            _lock: lock,
        })
    }

    /// The branch at work.
    pub(crate) fn session(&self) -> Result<Session<'_>> {
        Session::of_caller(&self.repo, &self.sealed.config, &self.place)
    }
}

/// Takes the worktree's lock.
pub(crate) fn lock(repo: &Repo, progress: &mut dyn Progress) -> Result<Lock> {
    lock::of_worktree(repo.git_dir(), &mut |owner| progress.waiting(owner))
}

/// A command that agents may not use, however they call it.
pub(crate) fn people_only(command: &str) -> Result<()> {
    match person::calling_hand() {
        Hand::Person => Ok(()),
        hand => Err(refusals::people_only(command, hand)),
    }
}

/// A path as typed, from the root of the worktree; it need not exist. `usage` is the hint.
pub(crate) fn from_root(root: &Path, path: &Path, usage: &str) -> Result<PathBuf> {
    let here = this_process::folder()?;
    let here = here.canonicalize().unwrap_or(here);
    let mut full = PathBuf::new();
    for component in here.join(path).components() {
        match component {
            Component::ParentDir => {
                full.pop();
            }
            Component::CurDir => {}
            other => full.push(other),
        }
    }
    match full.strip_prefix(root) {
        Ok(inside) if !inside.as_os_str().is_empty() => Ok(inside.to_owned()),
        _ => Err(refusals::outside_worktree(path, usage)),
    }
}

/// The branch that HEAD is on, short.
pub(crate) fn current_branch(place: &Place) -> String {
    crate::git::refs::short(&place.head.branch)
        .to_str_lossy()
        .into_owned()
}
