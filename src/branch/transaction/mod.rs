//! One decision carried out as a whole: refs, notes, worktree, index.
//!
//! What is to be done is written under `refs/tcr/pending/…` first. A process that dies on the way
//! leaves that plan behind. If no ref had moved, the next command forgets it: all is as before.
//! Otherwise it finishes it: every part looks at what is there before it acts, so doing it twice is
//! doing it once.

use gix::bstr::{BStr, BString};
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};

use crate::error::{Doing, Error, Result, StandAside};
use crate::fault;
use crate::git::align::{self, FromTo};
use crate::git::index_lock;
use crate::git::notes::{self, Note};
use crate::git::objects;
use crate::git::ref_writer::{self, RefWriter};
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::git::trees::Change;

mod pending;

use pending::Plan;
pub(crate) use pending::{drop_pending, forget_snapshot, hold_snapshot, hold_tree};

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

/// How far a plan has come.
#[derive(Debug)]
enum Progress {
    /// No ref has moved.
    NotBegun,
    /// These moves are left.
    Begun { left: Vec<Move> },
    /// Somebody else has moved a ref, or HEAD, since.
    Overtaken { made: Vec<Move>, left: Vec<Move> },
}

/// How a transaction ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Paths that were edited meanwhile and left alone.
    pub(crate) kept: Vec<BString>,
    /// Of what was finished for a process that died: the entries that its work is kept as.
    pub(crate) saved: Vec<u64>,
}

/// Notes are shared by all worktrees: another one may write them at the same moment.
const RACES: usize = 8;

/// Carries a transaction out. `tree` is the worktree's snapshot from before.
pub(crate) fn carry_out(
    repo: &Repo,
    tree: gix::ObjectId,
    transaction: &Transaction,
) -> Result<Carried> {
    fault::point("objects-written");
    if transaction.is_one_move() {
        move_refs(repo, transaction, &transaction.moves)?;
        return finish(repo, transaction, None);
    }
    let changes = match &transaction.worktree {
        Some(step) => Some(step.changes(repo)?),
        None => None,
    };
    // What can't be brought in line in the end had better not begin.
    align::require_movable(repo, changes.as_deref().unwrap_or_default())?;
    index_lock::wait_until_free(repo)?;
    let head = repo.head()?;
    let plan = Plan {
        branch: head.branch.to_string(),
        head: head.commit.to_string(),
        transaction: transaction.clone(),
    };
    let mut parents = vec![head.commit];
    parents.extend(new_objects(transaction));
    parents.extend(loose_parts(repo, head.commit, transaction)?);
    pending::write(repo, tree, &parents, Some(&plan))?;
    fault::point("plan-written");
    if let Err(error) = move_refs(repo, transaction, &transaction.moves) {
        if let Ok(Progress::NotBegun) = progress(repo, &plan) {
            // Nothing moved, so there is nothing to finish; the error at hand says more than one
            // about this.
            drop(drop_pending(repo));
        }
        return Err(error);
    }
    finish(repo, transaction, changes)
}

impl Transaction {
    /// A single ref moves or it does not: nothing can be left half done.
    fn is_one_move(&self) -> bool {
        self.moves.iter().filter(|item| item.is_effective()).count() == 1
            && self.notes.is_empty()
            && self.worktree.is_none()
            && self.index.is_none()
    }

    /// The entries of `recover` that it makes.
    fn saved(&self) -> Vec<u64> {
        let number_of = |item: &Move| {
            let entry = item.name.strip_prefix("refs/tcr/reverts/")?;
            let (_, number) = entry.split_once('/')?;
            number.parse().ok().filter(|_| item.new.is_some())
        };
        self.moves.iter().filter_map(number_of).collect()
    }
}

/// The commits that refs are going to point at.
fn new_objects(transaction: &Transaction) -> Vec<gix::ObjectId> {
    let mut found = Vec::new();
    for item in transaction.moves.iter().filter(|item| item.is_effective()) {
        found.extend(item.target().filter(|id| !found.contains(id)));
    }
    found
}

/// A commit that keeps what no ref holds yet from being pruned: notes, and the tree that the
/// worktree goes to unless it is where HEAD is.
fn loose_parts(
    repo: &Repo,
    head: gix::ObjectId,
    transaction: &Transaction,
) -> Result<Option<gix::ObjectId>> {
    let mut entries: Vec<(String, EntryKind, gix::ObjectId)> = Vec::new();
    let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id");
    for (number, note) in transaction.notes.iter().enumerate() {
        entries.push((format!("note-{number}"), EntryKind::Blob, id(&note.blob)?));
    }
    let held = [
        gix::ObjectId::empty_tree(repo.gix.object_hash()),
        repo.tree_of(head)?,
    ];
    let goals = [&transaction.worktree, &transaction.index];
    for (number, step) in goals.into_iter().flatten().enumerate() {
        let goal = id(&step.to)?;
        if !held.contains(&goal) {
            entries.push((format!("tree-{number}"), EntryKind::Tree, goal));
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, kind, id)| (name.as_str(), *kind, *id))
        .collect();
    let tree = objects::tree(repo, &entries)?;
    objects::commit(repo, tree, &[head], "parts of the work in flight\n").map(Some)
}

/// Finishes what a process that died has left. Returns what it was, if there was anything.
pub(crate) fn finish_pending(repo: &Repo) -> Result<Option<Carried>> {
    ref_writer::clear_left_behind(repo)?;
    let name = refs::pending(repo);
    let Some(commit) = refs::read(repo, &name)? else {
        return Ok(None);
    };
    let plan = match pending::read_plan(repo, commit) {
        Ok(Some(plan)) => plan,
        Ok(None) if pending::is_gone(repo, commit) => {
            let base = branch_at_work(repo)?;
            return set_aside(repo, commit, base.as_ref(), Vec::new()).map(Some);
        }
        Ok(None) => {
            // Only a snapshot: the worktree was not touched.
            drop_pending(repo)?;
            return Ok(None);
        }
        Err(Error::Corrupt { .. }) => {
            // Nobody can finish it. What it holds stays, and the next look at the worktree decides.
            let base = branch_at_work(repo)?;
            return set_aside(repo, commit, base.as_ref(), Vec::new()).map(Some);
        }
        Err(_) if !pending::is_there(repo, commit) => {
            // The machine went down before it was on disk. The worktree is what there is.
            return drop_pending(repo).map(|()| Some(Carried::default()));
        }
        Err(error) => return Err(error),
    };
    match progress(repo, &plan)? {
        Progress::NotBegun => drop_pending(repo).map(|()| None),
        Progress::Begun { left } => {
            if let Some(what) = repo.in_progress() {
                // A merge and its like need the worktree as they left it.
                return Err(Error::StandAside(StandAside::InProgress(what)));
            }
            index_lock::wait_until_free(repo)?;
            move_refs(repo, &plan.transaction, &left)?;
            let carried = finish(repo, &plan.transaction, None)?;
            let saved = plan.transaction.saved();
            Ok(Some(Carried { saved, ..carried }))
        }
        Progress::Overtaken { made, left } => give_up(repo, commit, &plan, &made, &left).map(Some),
    }
}

fn progress(repo: &Repo, plan: &Plan) -> Result<Progress> {
    let (mut made, mut left, mut foreign) = (Vec::new(), Vec::new(), !is_where_it_was(repo, plan)?);
    for item in &plan.transaction.moves {
        let now = refs::current(repo, &item.name)?;
        if now == item.old {
            left.push(item.clone());
        } else if now == item.new || goes_on_from(repo, &now, item)? {
            made.push(item.clone());
        } else {
            foreign = true;
        }
    }
    if made.is_empty() {
        return Ok(Progress::NotBegun);
    }
    left.retain(Move::is_effective);
    Ok(match foreign {
        true => Progress::Overtaken { made, left },
        false => Progress::Begun { left },
    })
}

/// Whether the state has more links by now: `git tcr off` waits for nobody.
fn goes_on_from(repo: &Repo, now: &Option<Pointer>, item: &Move) -> Result<bool> {
    const LOOK_BACK: usize = 16;
    let (Some(Pointer::Object(now)), Some(Pointer::Object(made))) = (now, &item.new) else {
        return Ok(false);
    };
    if !item.name.starts_with("refs/tcr/state/") {
        return Ok(false);
    }
    let made = gix::ObjectId::from_hex(made.as_bytes()).ok();
    let mut next = gix::ObjectId::from_hex(now.as_bytes()).ok();
    for _ in 0..LOOK_BACK {
        let Some(id) = next else { return Ok(false) };
        if Some(id) == made {
            return Ok(true);
        }
        let commit = repo.gix.find_commit(id).doing("read the journal")?;
        next = commit.parent_ids().next().map(|id| id.detach());
    }
    Ok(false)
}

/// Whether HEAD is where the plan found it, or where it brings it.
fn is_where_it_was(repo: &Repo, plan: &Plan) -> Result<bool> {
    let head = match repo.head() {
        Ok(head) => head,
        Err(Error::Detached | Error::Unborn(_)) => return Ok(false),
        Err(error) => return Err(error),
    };
    let branch = head.branch.to_string();
    let goes_there = plan.transaction.moves.iter().any(|item| {
        item.name == "HEAD" && item.new.as_ref() == Some(&Pointer::Ref(branch.clone()))
    });
    let planned = gix::ObjectId::from_hex(plan.head.as_bytes()).ok();
    let is_known =
        Some(head.commit) == planned || new_objects(&plan.transaction).contains(&head.commit);
    Ok((branch == plan.branch || goes_there) && is_known)
}

/// Somebody went on without waiting for the rest of the plan. What was half moved goes back, and
/// the work in flight stays as an entry of its own, whatever became of it.
fn give_up(
    repo: &Repo,
    commit: gix::ObjectId,
    plan: &Plan,
    made: &[Move],
    left: &[Move],
) -> Result<Carried> {
    if let Some(step) = &plan.transaction.worktree {
        // An edit that can't be given back stays where it waits; the rest has to go on.
        drop(align::clear_shelves(repo, step));
    }
    let mut moves = Vec::new();
    if !left.is_empty() {
        moves.extend(made.iter().map(|item| Move {
            name: item.name.clone(),
            old: item.new.clone(),
            new: item.old.clone(),
        }));
    }
    let state = plan.transaction.moves.iter().find_map(|item| {
        let base = item.name.strip_prefix("refs/tcr/state/")?;
        item.new.as_ref().map(|_| base)
    });
    let base = refs::name_of_component(state.unwrap_or("HEAD").into());
    set_aside(repo, commit, base.as_ref(), moves)
}

/// The base branch that HEAD belongs to.
fn branch_at_work(repo: &Repo) -> Result<BString> {
    let short = refs::short(&repo.head()?.branch);
    Ok(short.strip_prefix(b"tcr/").unwrap_or(&short).into())
}

/// Makes the work in flight an entry of its own, together with other moves.
fn set_aside(
    repo: &Repo,
    commit: gix::ObjectId,
    base: &BStr,
    mut moves: Vec<Move>,
) -> Result<Carried> {
    let mut number = 1;
    while refs::read(repo, &refs::revert(base, number))?.is_some() {
        number += 1;
    }
    moves.push(Move {
        name: refs::revert(base, number),
        old: None,
        new: Some(Pointer::object(commit)),
    });
    moves.push(Move {
        name: refs::pending(repo),
        old: Some(Pointer::object(commit)),
        new: None,
    });
    ref_writer::apply(repo, &moves, "git tcr: the work in flight is set aside")?;
    Ok(Carried {
        saved: vec![number],
        ..Carried::default()
    })
}

/// Moves refs, and the notes refs with them. HEAD comes after the branch it goes to, and before
/// the one it leaves is deleted: it always names a branch that is there. It is never on a WIP branch
/// that the state does not know: the state comes first where HEAD goes to one, last where it leaves.
fn move_refs(repo: &Repo, transaction: &Transaction, moves: &[Move]) -> Result<()> {
    let writer = RefWriter::new(repo)?;
    let leaves_wip = transaction.moves.iter().any(
        |item| matches!(&item.new, Some(Pointer::Ref(to)) if item.name == "HEAD" && !to.starts_with("refs/heads/tcr/")),
    );
    let rank = |item: &Move| match item.name.as_str() {
        _ if item.new.is_none() => 3,
        name if leaves_wip && name.starts_with("refs/tcr/state/") => 2,
        "HEAD" => 1,
        _ => 0,
    };
    for _ in 0..RACES {
        let mut moves = moves.to_vec();
        moves.extend(notes::moves(repo, &transaction.notes)?);
        moves.sort_by_key(rank);
        if moves.is_empty() {
            return Ok(());
        }
        match writer.apply(&moves, &transaction.log) {
            Err(Error::LostRace(name)) if name == refs::NOTES || name == refs::RESULTS => {}
            result => return result,
        }
    }
    Err(Error::LostRace(refs::NOTES.into()))
}

/// Brings worktree and index in line; `changes` are those of the worktree, if they are known.
fn finish(
    repo: &Repo,
    transaction: &Transaction,
    mut changes: Option<Vec<Change>>,
) -> Result<Carried> {
    fault::point("refs-moved");
    let mut carried = Carried::default();
    if let Some(step) = &transaction.worktree {
        let changes = match &mut changes {
            Some(changes) => changes,
            none => none.insert(step.changes(repo)?),
        };
        carried.kept = align::worktree(repo, step, changes)?;
        fault::point("worktree-aligned");
    }
    if let Some(step) = &transaction.index {
        // Most often it goes the same way.
        let changes = match changes.filter(|_| transaction.worktree.as_ref() == Some(step)) {
            Some(changes) => changes,
            None => step.changes(repo)?,
        };
        align::index(repo, step, &changes)?;
        fault::point("index-aligned");
    }
    drop_pending(repo)?;
    fault::point("pending-dropped");
    Ok(carried)
}
