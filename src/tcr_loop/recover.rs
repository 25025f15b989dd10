//! What was reverted, and back with it.

use std::collections::BTreeSet;

use gix::bstr::{BStr, BString, ByteSlice};
use serde::Serialize;
use similar::TextDiff;

use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::staged::staged_beside;
use crate::branch::state::Hold;
use crate::clock;
use crate::error::{Doing, Result};
use crate::git::align::FromTo;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::trees::names;
use crate::git::trees::{self, Change, Leaf};
use crate::message::refusals;
use crate::rules::{CommitLabel, CycleKind, PathClass, Phase};

/// One entry under `refs/tcr/reverts/`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) commit: String,
    pub(crate) at: String,
    pub(crate) why: String,
    pub(crate) files: Vec<String>,
}

/// An entry with its content.
pub(crate) struct Shown {
    pub(crate) entry: Entry,
    pub(crate) diff: String,
    /// What was staged and nowhere else.
    pub(crate) staged: Option<Staged>,
}

/// Staged content that an entry keeps.
#[derive(Debug, Serialize)]
pub(crate) struct Staged {
    pub(crate) commit: String,
    pub(crate) diff: String,
}

/// What a restore did.
pub(crate) struct Restored {
    pub(crate) files: Vec<String>,
    /// The entry that holds what was there before.
    pub(crate) saved: Option<u64>,
    /// Paths that could not be written because something else is there.
    pub(crate) kept: Vec<String>,
}

/// The entries of a branch, newest first.
pub(crate) fn list(repo: &Repo, base: &BStr) -> Result<Vec<Entry>> {
    let entries = refs::numbered(repo, "reverts", base)?;
    entries
        .into_iter()
        .map(|found| entry(repo, found.number, found.commit))
        .collect()
}

fn find(repo: &Repo, base: &BStr, number: u64) -> Result<gix::ObjectId> {
    refs::read(repo, &refs::revert(base, number))?.ok_or_else(|| refusals::no_recover(number))
}

/// One entry by its number.
pub(crate) fn find_entry(repo: &Repo, base: &BStr, number: u64) -> Result<Entry> {
    entry(repo, number, find(repo, base, number)?)
}

fn entry(repo: &Repo, number: u64, commit: gix::ObjectId) -> Result<Entry> {
    let object = repo.gix.find_commit(commit).doing("read reverted work")?;
    let time = object.time().doing("read reverted work")?;
    let message = object
        .message_raw()
        .doing("read reverted work")?
        .to_str_lossy()
        .into_owned();
    let files = changes(repo, commit)?
        .iter()
        .map(|change| change.path.to_string())
        .collect();
    Ok(Entry {
        number,
        commit: commit.to_string(),
        at: clock::format(time.seconds),
        why: message.lines().next().unwrap_or_default().to_owned(),
        files,
    })
}

/// What an entry changes, beside the commit that was gone back to.
pub(crate) fn changes(repo: &Repo, commit: gix::ObjectId) -> Result<Vec<Change>> {
    let object = repo.gix.find_commit(commit).doing("read reverted work")?;
    let parent = object.parent_ids().next().map(|id| id.detach());
    let before = match parent {
        Some(parent) => repo.tree_of(parent)?,
        None => gix::ObjectId::empty_tree(repo.gix.object_hash()),
    };
    trees::diff(repo, before, repo.tree_of(commit)?)
}

/// What an entry holds, as a diff.
pub(crate) fn show(repo: &Repo, base: &BStr, number: u64) -> Result<Shown> {
    let commit = find(repo, base, number)?;
    let staged = staged_beside(repo, commit)?
        .map(|staged| -> Result<Staged> {
            Ok(Staged {
                commit: staged.to_string(),
                diff: diff_of(repo, staged)?,
            })
        })
        .transpose()?;
    Ok(Shown {
        entry: entry(repo, number, commit)?,
        diff: diff_of(repo, commit)?,
        staged,
    })
}

fn diff_of(repo: &Repo, commit: gix::ObjectId) -> Result<String> {
    let mut diff = String::new();
    for change in changes(repo, commit)? {
        diff.push_str(&unified(repo, &change)?);
    }
    Ok(diff)
}

/// A unified diff of one path.
pub(crate) fn unified(repo: &Repo, change: &Change) -> Result<String> {
    let text = |leaf: Option<Leaf>| -> Result<Option<String>> {
        let Some(leaf) = leaf else {
            return Ok(Some(String::new()));
        };
        if change.is_submodule() {
            return Ok(Some(format!("submodule {}\n", leaf.id)));
        }
        Ok(String::from_utf8(trees::content(repo, leaf)?).ok())
    };
    let name = |side: char, leaf: Option<Leaf>| match leaf {
        Some(_) => format!("{side}/{}", change.path),
        None => "/dev/null".into(),
    };
    let (old, new) = (name('a', change.before), name('b', change.after));
    match (text(change.before)?, text(change.after)?) {
        (Some(before), Some(after)) => {
            let diff = TextDiff::from_lines(&before, &after);
            Ok(diff.unified_diff().header(&old, &new).to_string())
        }
        _ => Ok(format!("--- {old}\n+++ {new}\nbinary content differs\n")),
    }
}

/// Brings an entry back into the worktree. What is there now is saved first.
pub(crate) fn restore(session: &mut Session<'_>, number: u64) -> Result<Restored> {
    let repo = session.repo;
    let commit = find(repo, session.base.as_bstr(), number)?;
    let snapshot = session.snapshot()?;
    let mut wanted = changes(repo, commit)?;
    let gone = gone_already(repo, snapshot.tree, &wanted)?;
    wanted.retain(|change| !gone.contains(&change.path));
    let target = trees::with_changes(repo, snapshot.tree, wanted.iter())?;
    let mut plan = Plan::default();
    let replaced = trees::diff(repo, target, snapshot.tree)?;
    let touched = |change: &Change| {
        snapshot
            .changes
            .binary_search_by(|own| own.path.cmp(&change.path))
            .is_ok()
    };
    let mut saved = None;
    if replaced.iter().any(touched) {
        let (entry, commit) = session.save(&snapshot, &format!("before recover {number}"))?;
        plan.saved.push((entry, commit));
        saved = Some(entry);
    }
    plan.worktree = Some(FromTo::new(snapshot.tree, target));
    session.state.hold = Some(Hold {
        tree: target.to_string(),
        recover: number,
    });
    let mut event = session.event(EventKind::Restore, String::new());
    event.recover = Some(number);
    event.files = wanted.len();
    plan.events.push(event);
    let carried = session.write(snapshot.tree, plan)?;
    let paths = wanted.iter().map(|change| &change.path);
    Ok(Restored {
        files: names(paths.filter(|path| !carried.kept.contains(path))),
        saved,
        kept: names(carried.kept.iter()),
    })
}

/// The files that a change deletes and that are not there: a folder of the same name is another thing.
fn gone_already(repo: &Repo, tree: gix::ObjectId, wanted: &[Change]) -> Result<BTreeSet<BString>> {
    let mut gone = BTreeSet::new();
    for change in wanted.iter().filter(|change| change.after.is_none()) {
        if trees::lookup(repo, tree, change.path.as_bstr())?.is_none() {
            gone.insert(change.path.clone());
        }
    }
    Ok(gone)
}

/// What going back to the last green did.
pub(crate) struct BackAtGreen {
    pub(crate) green: String,
    /// There was no green yet, so it is the commit that the work began at.
    pub(crate) is_fork: bool,
    pub(crate) commit: Option<String>,
    pub(crate) saved: Option<u64>,
    /// Paths that could not be written because something else is there.
    pub(crate) kept: Vec<String>,
}

/// Goes back to the last green. It was tested, so it is committed again on top; the work since
/// then is saved.
pub(crate) fn green(session: &mut Session<'_>) -> Result<BackAtGreen> {
    let repo = session.repo;
    // In the first cycle nothing was green yet but where the work began.
    let last_green = session.state.last_green.clone();
    let is_fork = last_green.is_none();
    let green = last_green.unwrap_or_else(|| session.state.fork.clone());
    let green_id = gix::ObjectId::from_hex(green.as_bytes()).doing("read an object id")?;
    let snapshot = session.snapshot()?;
    let back: Vec<Change> = trees::diff(repo, snapshot.tree, repo.tree_of(green_id)?)?
        .into_iter()
        .filter(|change| !change.is_submodule() && goes_back(session, change))
        .collect();
    let target = trees::with_changes(repo, snapshot.tree, back.iter())?;
    let mut plan = Plan::default();
    let mut saved = None;
    if !back.is_empty() {
        let (entry, commit) = session.save(&snapshot, "before going back to the last green")?;
        plan.saved.push((entry, commit));
        saved = Some(entry);
        plan.worktree = Some(FromTo::new(snapshot.tree, target));
    }
    let head_tree = session.head_tree()?;
    if target != head_tree {
        let label = CommitLabel::Recover.name();
        let commit = session.wip_commit(target, label, "", &back)?;
        plan.index = Some(FromTo::new(head_tree, target));
        plan.notes.push(session.summary_note(commit, label, None)?);
        plan.commit = Some(commit);
    } else {
        plan.index = Some(FromTo::new(snapshot.tree, target));
    }
    if saved.is_none() {
        saved = session.keep_staged(&snapshot, &mut plan)?;
    }
    let mut event = session.event(EventKind::Restore, "back to the last green".into());
    if session.state.cycle_kind() == CycleKind::Free {
        session.state.enter(Phase::Red, &clock::timestamp());
    }
    event.next_phase = session.state.phase;
    event.recover = saved;
    event.files = back.len();
    event.commit = plan.commit.map(|commit| commit.to_string());
    session.state.hold = None;
    session.state.pending = None;
    session.state.awaited.clear();
    session.state.accepted_tree = target.to_string();
    session.state.accepted_results = session.cached(target, &session.jobs(&[])?, None)?;
    let commit = event.commit.clone();
    plan.events.push(event);
    let carried = session.write(snapshot.tree, plan)?;
    Ok(BackAtGreen {
        green,
        is_fork,
        commit,
        saved,
        kept: names(carried.kept.iter()),
    })
}

/// Under a spec the tests stay as they were written.
fn goes_back(session: &Session<'_>, change: &Change) -> bool {
    match session.class(change.path.as_bstr()) {
        PathClass::Docs | PathClass::Spec => false,
        PathClass::Test | PathClass::Harness => session.state.cycle_kind() == CycleKind::Free,
        PathClass::Protected | PathClass::Mixed | PathClass::Source | PathClass::Other => true,
    }
}
