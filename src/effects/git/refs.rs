//! The names of the refs git tcr keeps, and changing several of them at once.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use gix::bstr::{BStr, BString};
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};
use serde::{Deserialize, Serialize};

use super::repo::Repo;
use crate::error::{Doing, Error, Result};

/// The accepted config.
pub(crate) const CONFIG: &str = "refs/tcr/config";
/// Summaries, on commits.
pub(crate) const NOTES: &str = "refs/notes/tcr";
/// Test results, on trees.
pub(crate) const RESULTS: &str = "refs/notes/tcr-results";

const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// A name as one component of a ref.
pub(crate) fn component(name: &BStr) -> String {
    percent_encode(name, KEPT).to_string()
}

/// The name that a component stands for.
pub(crate) fn name_of_component(component: &BStr) -> BString {
    percent_decode(component).collect::<Vec<u8>>().into()
}

/// The short name of a branch, e.g. `feat/login`.
pub(crate) fn short(branch: &FullName) -> BString {
    let name = branch.as_bstr();
    name.strip_prefix(b"refs/heads/").unwrap_or(name).into()
}

/// `refs/tcr/state/<base>`
pub(crate) fn state(base: &BStr) -> String {
    format!("refs/tcr/state/{}", component(base))
}

/// `refs/tcr/reverts/<base>/<n>`
pub(crate) fn revert(base: &BStr, number: u64) -> String {
    format!("refs/tcr/reverts/{}/{number}", component(base))
}

/// `refs/tcr/pending/<worktree>`
pub(crate) fn pending(repo: &Repo) -> String {
    format!("refs/tcr/pending/{}", repo.worktree_id())
}

/// `refs/heads/tcr/<base>`
pub(crate) fn wip(base: &BStr) -> Result<FullName> {
    full_name(format!("refs/heads/tcr/{base}").as_str())
}

/// A checked ref name.
pub(crate) fn full_name(name: &str) -> Result<FullName> {
    FullName::try_from(name).doing("form a reference name")
}

/// The object a ref points at, if it exists.
pub(crate) fn read(repo: &Repo, name: &str) -> Result<Option<gix::ObjectId>> {
    match repo
        .gix
        .try_find_reference(name)
        .doing("read a reference")?
    {
        Some(reference) => Ok(reference.target().try_id().map(ToOwned::to_owned)),
        None => Ok(None),
    }
}

/// Where a ref points, or is meant to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pointer {
    /// At an object.
    Object(String),
    /// At another ref, as HEAD does.
    Ref(String),
}

impl Pointer {
    pub(crate) fn object(id: gix::ObjectId) -> Self {
        Pointer::Object(id.to_string())
    }

    fn target(&self) -> Result<Target> {
        match self {
            Pointer::Object(hex) => {
                let id = gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id")?;
                Ok(Target::Object(id))
            }
            Pointer::Ref(name) => Ok(Target::Symbolic(full_name(name)?)),
        }
    }
}

/// One ref that moves; `None` means that it does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Move {
    /// The full name.
    pub(crate) name: String,
    /// Where it must be before.
    pub(crate) old: Option<Pointer>,
    /// Where it is after.
    pub(crate) new: Option<Pointer>,
}

/// Where a ref points now.
pub(crate) fn current(repo: &Repo, name: &str) -> Result<Option<Pointer>> {
    let found = repo
        .gix
        .try_find_reference(name)
        .doing("read a reference")?;
    Ok(found.map(|reference| match reference.inner.target {
        Target::Object(id) => Pointer::object(id),
        Target::Symbolic(name) => Pointer::Ref(name.to_string()),
    }))
}

/// Moves all refs or none; a ref that is not where it was expected is a lost race.
pub(crate) fn apply(repo: &Repo, moves: &[Move], log: &str) -> Result<()> {
    let edits = moves
        .iter()
        .map(|item| edit(item, log))
        .collect::<Result<Vec<_>>>()?;
    let committer = committer(repo)?;
    let mut waited = Duration::ZERO;
    loop {
        let mut time = gix::date::parse::TimeBuf::default();
        let result = repo
            .gix
            .edit_references_as(edits.clone(), Some(committer.to_ref(&mut time)));
        let Err(error) = result else { return Ok(()) };
        if waited < LOCK_PATIENCE && wait_for_locks(repo, moves, &mut waited)? {
            continue;
        }
        for item in moves {
            if current(repo, &item.name)? != item.old {
                return Err(Error::LostRace(item.name.clone()));
            }
        }
        return Err(Error::Git {
            doing: "update the references",
            source: error.into(),
        });
    }
}

fn edit(item: &Move, log: &str) -> Result<RefEdit> {
    let name = full_name(&item.name)?;
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

/// How long a lock of a ref is waited for. Ref locks are held for milliseconds: one that is as
/// old as this was left by a process that died.
const LOCK_PATIENCE: Duration = Duration::from_secs(3);
const LOCK_IS_DEAD: Duration = Duration::from_secs(2);
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Whether a lock was in the way; waits a little for it, and takes away a dead one of our own refs.
fn wait_for_locks(repo: &Repo, moves: &[Move], waited: &mut Duration) -> Result<bool> {
    let mut found = false;
    for item in moves {
        let lock = lock_path(repo, &item.name);
        let Ok(metadata) = lock.symlink_metadata() else {
            continue;
        };
        found = true;
        let age = metadata
            .modified()
            .ok()
            .and_then(|at| SystemTime::now().duration_since(at).ok());
        if is_ours(&item.name) && age.is_some_and(|age| age >= LOCK_IS_DEAD) {
            // Gone already is as good.
            drop(std::fs::remove_file(&lock));
        }
    }
    if found {
        std::thread::sleep(LOCK_PAUSE);
        *waited += LOCK_PAUSE;
    }
    Ok(found)
}

fn lock_path(repo: &Repo, name: &str) -> PathBuf {
    let folder = if name == "HEAD" {
        repo.git_dir()
    } else {
        repo.common_dir()
    };
    folder.join(format!("{name}.lock"))
}

fn is_ours(name: &str) -> bool {
    name.starts_with("refs/tcr/")
        || name.starts_with("refs/heads/tcr/")
        || name == NOTES
        || name == RESULTS
}

/// The user's identity.
pub(crate) fn committer(repo: &Repo) -> Result<gix::actor::Signature> {
    match repo.gix.committer() {
        Some(Ok(signature)) => signature.to_owned().doing("read the identity"),
        _ => Err(Error::NoIdentity),
    }
}
