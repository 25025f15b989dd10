//! Changing several refs at once, past the locks that dead processes left.
//!
//! All that git tcr writes to refs goes through here, one process at a time. The file that says so
//! also names the locks its owner is about to take: if the owner dies, the next one knows them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};

use super::refs::{self, Move, Pointer};
use super::repo::Repo;
use super::{identity, known_tips, objects};
use crate::clock;
use crate::error::{Error, Result};
use crate::fault;
use crate::git::lock::Lock;
use crate::this_process::signals::Unbroken;

/// How long a lock of somebody else is waited for. Such locks are held for milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);
/// A lock on one of our own refs that is as old as this was left by a process that died.
const DEAD_AFTER: Duration = Duration::from_secs(2);
/// The same, if it is one that a dead git tcr is known to have taken.
const SURELY_DEAD_AFTER: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(20);

/// The right to change refs.
pub(crate) struct RefWriter<'a> {
    repo: &'a Repo,
    lock: Lock,
    /// Ends after the lock is gone.
    _unbroken: Unbroken,
}

/// Moves all refs or none; a ref that is not where it was expected is a lost race.
pub(crate) fn apply(repo: &Repo, moves: &[Move], log: &str) -> Result<()> {
    RefWriter::new(repo)?.apply(moves, log)
}

/// Takes away the locks that a git tcr which died has left, where no ref is going to change.
pub(crate) fn clear_left_behind(repo: &Repo) -> Result<()> {
    if path(repo).exists() {
        RefWriter::new(repo)?;
    }
    Ok(())
}

fn path(repo: &Repo) -> PathBuf {
    repo.common_dir().join("tcr").join("refs-lock")
}

impl<'a> RefWriter<'a> {
    /// Waits until no other git tcr changes refs.
    pub(crate) fn new(repo: &'a Repo) -> Result<Self> {
        let lock = Lock::take(&path(repo), &mut |_| {})?;
        let unbroken = Unbroken::begin();
        remove_left_behind(repo, lock.left_behind());
        fault::point("refs-locked");
        Ok(RefWriter {
            repo,
            lock,
            _unbroken: unbroken,
        })
    }

    /// Moves all refs or none; a ref that is not where it was expected is a lost race.
    pub(crate) fn apply(&self, moves: &[Move], log: &str) -> Result<()> {
        let edits = moves
            .iter()
            .map(|item| edit(item, log))
            .collect::<Result<Vec<_>>>()?;
        fault::write("write-ref")?;
        let targets = moves.iter().filter(|item| item.is_effective());
        objects::require_all(self.repo, targets.filter_map(Move::target))?;
        self.name_locks(moves);
        known_tips::intend(self.repo, moves)?;
        self.fault_between(moves, &edits);
        let started = std::time::Instant::now();
        loop {
            let Err(error) = self.edit(&edits) else {
                return known_tips::done(self.repo, moves);
            };
            let busy = self.busy_locks(moves);
            if let Some(lock) = busy.first() {
                if started.elapsed() >= PATIENCE {
                    return Err(Error::GitLocked(lock.clone()));
                }
                std::thread::sleep(PAUSE);
                continue;
            }
            for item in moves {
                let now = refs::current(self.repo, &item.name)?;
                // What is there already was moved before this failed: the disk may be full.
                if now != item.old && now != item.new {
                    return Err(Error::LostRace(item.name.clone()));
                }
            }
            return Err(Error::Git {
                doing: "update the references",
                source: error,
            });
        }
    }

    fn edit(&self, edits: &[RefEdit]) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let committer = identity::committer(self.repo)?;
        let mut time = gix::date::parse::TimeBuf::default();
        let committer = Some(committer.to_ref(&mut time));
        self.repo
            .gix
            .edit_references_as(edits.to_vec(), committer)?;
        Ok(())
    }

    /// Leaves word which locks are ours, should this process die.
    fn name_locks(&self, moves: &[Move]) {
        let mut named: Vec<u8> = Vec::new();
        for lock in self.locks_for(moves) {
            named.extend_from_slice(lock.as_os_str().as_bytes());
            named.push(0);
        }
        self.lock.leave_word(&named);
    }

    fn locks_for(&self, moves: &[Move]) -> impl Iterator<Item = PathBuf> {
        let shared = self.repo.common_dir();
        let own = moves.iter().map(|item| match item.name.as_str() {
            "HEAD" => self.repo.git_dir().join("HEAD.lock"),
            name => shared.join(format!("{name}.lock")),
        });
        own.chain([shared.join("packed-refs.lock")])
    }

    /// The locks in the way, without dead ones on our own refs: these are taken away.
    fn busy_locks(&self, moves: &[Move]) -> Vec<PathBuf> {
        let mut busy: Vec<PathBuf> = self.locks_for(moves).filter(|lock| lock.exists()).collect();
        for item in moves.iter().filter(|item| refs::is_ours(&item.name)) {
            let lock = self.repo.common_dir().join(format!("{}.lock", item.name));
            if age_of(&lock).is_some_and(|age| age >= DEAD_AFTER) {
                drop(std::fs::remove_file(&lock));
            }
        }
        busy.dedup();
        busy
    }

    /// The transaction moves one ref after the other: a death in the middle leaves the first of
    /// them moved, and locks on the rest.
    fn fault_between(&self, moves: &[Move], edits: &[RefEdit]) {
        for made in 1..edits.len() {
            fault::within("between-refs", || {
                drop(self.edit(edits.split_at(made).0));
                for item in moves.iter().skip(made).filter(|item| item.is_effective()) {
                    leave_lock(self.locks_for(std::slice::from_ref(item)).next(), item);
                }
            });
        }
    }
}

/// Takes away the locks of a git tcr that died while it changed refs.
fn remove_left_behind(repo: &Repo, named: &[u8]) {
    for lock in named
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
    {
        let lock = Path::new(OsStr::from_bytes(lock));
        let (true, Some(age)) = (is_lock_of(repo, lock), age_of(lock)) else {
            continue;
        };
        // Somebody alive may have taken it since, and lets go of it in a moment.
        std::thread::sleep(SURELY_DEAD_AFTER.saturating_sub(age));
        // Gone already is as good; what can't be removed is reported as busy.
        drop(std::fs::remove_file(lock));
    }
}

/// Whether a path is a lock that git tcr itself may have taken: a file that merely names one decides
/// nothing.
fn is_lock_of(repo: &Repo, lock: &Path) -> bool {
    let plain = |path: &Path| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::RootDir))
    };
    let is_ref = lock.strip_prefix(repo.common_dir()).is_ok_and(|name| {
        let is_head = name.file_name() == Some(OsStr::new("HEAD.lock"))
            && (name.components().count() == 1 || name.starts_with("worktrees"));
        is_head || name == Path::new("packed-refs.lock") || name.starts_with("refs")
    });
    let is_file = lock.symlink_metadata().is_ok_and(|found| found.is_file());
    let is_lock = lock.extension().is_some_and(|ending| ending == "lock");
    plain(lock) && is_file && is_lock && is_ref
}

fn leave_lock(lock: Option<PathBuf>, item: &Move) {
    let content = match &item.new {
        Some(Pointer::Object(hex)) => format!("{hex}\n"),
        Some(Pointer::Ref(name)) => format!("ref: {name}\n"),
        None => String::new(),
    };
    if let Some(lock) = lock {
        drop(lock.parent().map(std::fs::create_dir_all));
        drop(std::fs::write(lock, content));
    }
}

fn age_of(lock: &Path) -> Option<Duration> {
    let modified = lock
        .symlink_metadata()
        .and_then(|metadata| metadata.modified())
        .ok()?;
    // A time in the future says nothing.
    Some(clock::now().duration_since(modified).unwrap_or_default())
}

fn edit(item: &Move, log: &str) -> Result<RefEdit> {
    let name = refs::full_name(&item.name)?;
    let expected = match &item.old {
        Some(old) => PreviousValue::MustExistAndMatch(old.target()?),
        None => PreviousValue::MustNotExist,
    };
    let change = match &item.new {
        Some(new) => Change::Update {
            log: LogChange {
                mode: RefLog::AndReference,
                force_create_reflog: false,
                message: log.into(),
            },
            expected,
            new: new.target()?,
        },
        None => Change::Delete {
            expected,
            log: RefLog::AndReference,
        },
    };
    // HEAD itself moves, not the branch it names.
    Ok(RefEdit {
        change,
        name,
        deref: false,
    })
}
