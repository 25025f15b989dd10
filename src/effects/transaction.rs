//! One decision carried out as a whole: refs, notes, worktree, index.
//!
//! What is to be done is written under `refs/tcr/pending/…` first. A process that dies on the way
//! leaves that plan behind, and the next command finishes it: every part looks at what is there
//! before it acts, so doing it twice is doing it once.

use gix::bstr::BString;
use serde::{Deserialize, Serialize};

use super::fault;
use super::git::align::{self, FromTo};
use super::git::notes::{self, Note};
use super::git::objects;
use super::git::refs::{self, Move, Pointer};
use super::git::repo::Repo;
use super::lock::Lock;
use crate::error::{Error, Result};

/// What is to be done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Transaction {
    /// Refs that move together.
    #[serde(default)]
    pub(crate) moves: Vec<Move>,
    /// Notes that are written with them.
    #[serde(default)]
    pub(crate) notes: Vec<Note>,
    /// How the worktree changes.
    #[serde(default)]
    pub(crate) worktree: Option<FromTo>,
    /// How the index changes.
    #[serde(default)]
    pub(crate) index: Option<FromTo>,
    /// The line in the reflog.
    #[serde(default)]
    pub(crate) log: String,
}

/// How a transaction ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Paths that were edited meanwhile and left alone.
    pub(crate) kept: Vec<BString>,
}

/// Notes are shared by all worktrees: another one may write them at the same moment.
const RACES: usize = 8;

/// Keeps a snapshot reachable while nothing is decided yet.
pub(crate) fn hold_snapshot(repo: &Repo, tree: gix::ObjectId, head: gix::ObjectId) -> Result<()> {
    write_pending(repo, tree, &[head], None)
}

/// Carries a transaction out. `tree` is the worktree's snapshot from before.
pub(crate) fn carry_out(
    repo: &Repo,
    tree: gix::ObjectId,
    transaction: &Transaction,
) -> Result<Carried> {
    fault::point("objects-written")?;
    let mut reachable = Vec::new();
    for item in &transaction.moves {
        if let Some(Pointer::Object(hex)) = &item.new
            && let Ok(id) = gix::ObjectId::from_hex(hex.as_bytes())
            && !reachable.contains(&id)
        {
            reachable.push(id);
        }
    }
    write_pending(repo, tree, &reachable, Some(transaction))?;
    fault::point("plan-written")?;
    if let Err(error) = move_refs(repo, transaction) {
        if let Error::LostRace(_) = error {
            // Nothing moved, so there is nothing to finish.
            drop_pending(repo)?;
        }
        return Err(error);
    }
    finish(repo, transaction)
}

/// Finishes what a process that died has left. Returns what it was, if there was anything.
pub(crate) fn finish_pending(repo: &Repo) -> Result<Option<Carried>> {
    let name = refs::pending(repo);
    let Some(commit) = refs::read(repo, &name)? else {
        return Ok(None);
    };
    let Some(transaction) = read_plan(repo, commit)? else {
        // Only a snapshot: the worktree was not touched.
        drop_pending(repo)?;
        return Ok(None);
    };
    let open = still_open(repo, &transaction)?;
    match open {
        Some(left) => {
            move_refs(repo, &left)?;
            finish(repo, &transaction).map(Some)
        }
        None => {
            // The refs moved on since: the worktree still holds everything.
            drop_pending(repo)?;
            Ok(Some(Carried::default()))
        }
    }
}

/// Forgets the snapshot of a run that changed nothing.
pub(crate) fn drop_pending(repo: &Repo) -> Result<()> {
    let name = refs::pending(repo);
    let Some(old) = refs::current(repo, &name)? else {
        return Ok(());
    };
    refs::apply(
        repo,
        &[Move {
            name,
            old: Some(old),
            new: None,
        }],
        "",
    )
}

/// Forgets a snapshot without a plan; a plan on its way stays for the next command.
pub(crate) fn forget_snapshot(repo: &Repo) -> Result<()> {
    match refs::read(repo, &refs::pending(repo))? {
        Some(commit) if read_plan(repo, commit)?.is_none() => drop_pending(repo),
        _ => Ok(()),
    }
}

/// The moves that were not made yet; `None` if a ref is neither where it was nor where it goes.
fn still_open(repo: &Repo, transaction: &Transaction) -> Result<Option<Transaction>> {
    let mut left = Transaction {
        moves: Vec::new(),
        ..transaction.clone()
    };
    for item in &transaction.moves {
        let now = refs::current(repo, &item.name)?;
        if now == item.old {
            left.moves.push(item.clone());
        } else if now != item.new {
            return Ok(None);
        }
    }
    Ok(Some(left))
}

fn move_refs(repo: &Repo, transaction: &Transaction) -> Result<()> {
    let shared = repo.common_dir().join("tcr").join("refs-lock");
    let _lock = Lock::take(&shared, &mut |_| {})?;
    for _ in 0..RACES {
        let mut moves = transaction.moves.clone();
        moves.extend(notes::moves(repo, &transaction.notes)?);
        if moves.is_empty() {
            return Ok(());
        }
        match refs::apply(repo, &moves, &transaction.log) {
            Err(Error::LostRace(name)) if name == refs::NOTES || name == refs::RESULTS => {}
            result => return result,
        }
    }
    Err(Error::LostRace(refs::NOTES.into()))
}

fn finish(repo: &Repo, transaction: &Transaction) -> Result<Carried> {
    fault::point("refs-moved")?;
    let mut carried = Carried::default();
    if let Some(step) = &transaction.worktree {
        carried.kept = align::worktree(repo, step)?;
    }
    fault::point("worktree-aligned")?;
    if let Some(step) = &transaction.index {
        align::index(repo, step)?;
    }
    fault::point("index-aligned")?;
    drop_pending(repo)?;
    fault::point("pending-dropped")?;
    Ok(carried)
}

const HEADLINE: &str = "work in flight";

fn write_pending(
    repo: &Repo,
    tree: gix::ObjectId,
    parents: &[gix::ObjectId],
    plan: Option<&Transaction>,
) -> Result<()> {
    let plan = match plan {
        Some(plan) => {
            serde_json::to_string(plan).map_err(|_| Error::internal("a plan is not JSON"))?
        }
        None => String::new(),
    };
    let commit = objects::commit(repo, tree, parents, &format!("{HEADLINE}\n\n{plan}\n"))?;
    let name = refs::pending(repo);
    let old = refs::current(repo, &name)?;
    let new = Some(Pointer::object(commit));
    refs::apply(repo, &[Move { name, old, new }], "")
}

fn read_plan(repo: &Repo, commit: gix::ObjectId) -> Result<Option<Transaction>> {
    use crate::error::Doing;
    let commit = repo
        .gix
        .find_commit(commit)
        .doing("read the work in flight")?;
    let message = commit
        .message_raw()
        .doing("read the work in flight")?
        .to_string();
    let plan = message
        .split_once("\n\n")
        .map_or("", |(_, plan)| plan)
        .trim();
    if plan.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(plan)
        .map(Some)
        .map_err(|error| Error::Corrupt {
            what: refs::pending(repo),
            why: error.to_string(),
        })
}
