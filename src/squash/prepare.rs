//! What comes before the commits of a squash: HEAD goes to the work, docs are committed, the base
//! as it is now is merged and tested, the user's hook has its say.

use super::carry_over::{Merged, merge};
use super::standing::{Standing, object_id};
use super::sync::{self, Untested};
use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::refs::{self, Move, Pointer};
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::git::user_commit::Seat;
use crate::message;
use crate::message::squash::refused;
use crate::test_run::progress::Progress;

/// HEAD, worktree and index go to where the work is.
pub(super) fn switch_to_wip(
    session: &mut Session<'_>,
    standing: &Standing,
    snapshot: &Snapshot,
) -> Result<()> {
    let (here, there) = (snapshot.tree, session.repo.tree_of(standing.tip)?);
    let wip = session.wip.as_bstr().to_string();
    let base = (standing.base_ref.as_str(), standing.base_tip);
    let wip = (wip.as_str(), standing.tip);
    let kept = switch(session, (base, here), (wip, there))?;
    if kept.is_empty() {
        return Ok(());
    }
    // Something came in the way meanwhile.
    switch(session, (wip, there), (base, here))?;
    Err(refused::in_the_way(&kept))
}

/// A branch, where it is, and the tree that the worktree has with it.
type Side<'a> = ((&'a str, gix::ObjectId), gix::ObjectId);

/// Moves HEAD, worktree and index. Returns the paths that were left alone.
fn switch(session: &mut Session<'_>, from: Side<'_>, to: Side<'_>) -> Result<Vec<String>> {
    let (((old, _), from), ((new, at), to)) = (from, to);
    let plan = Plan {
        moves: vec![
            Move {
                name: "HEAD".into(),
                old: Some(Pointer::Ref(old.to_owned())),
                new: Some(Pointer::Ref(new.to_owned())),
            },
            stays(new, at),
        ],
        worktree: Some(FromTo::new(from, to)),
        index: Some(FromTo::new(from, to)),
        ..Plan::default()
    };
    let carried = session.write(from, plan)?;
    Ok(names(carried.kept.iter()))
}

fn stays(name: &str, at: gix::ObjectId) -> Move {
    let at = Some(Pointer::object(at));
    Move {
        name: name.to_owned(),
        old: at.clone(),
        new: at,
    }
}

/// Docs are never tested: what is known of the tree without them holds for the tree with them.
pub(super) fn commit_docs(session: &mut Session<'_>, snapshot: &Snapshot) -> Result<()> {
    const LABEL: &str = "docs";
    let head_tree = session.head_tree()?;
    let commit = session.wip_commit(snapshot.tree, LABEL, "", &snapshot.changes)?;
    let mut event = session.event(EventKind::Commit, message::squash::DOCS.into());
    event.label = Some(LABEL.into());
    event.commit = Some(commit.to_string());
    event.files = snapshot.changes.len();
    let known = session.state.accepted_results().cloned();
    match known.filter(|results| object_id(&results.tree).ok() == Some(head_tree)) {
        Some(results) => session.state.accept_results(TestResults {
            tree: snapshot.tree.to_string(),
            ..results
        }),
        None => {
            session.state.accepted_tree = snapshot.tree.to_string();
            session.state.accepted_results = None;
        }
    }
    let plan = Plan {
        events: vec![event],
        commit: Some(commit),
        index: Some(FromTo::new(head_tree, snapshot.tree)),
        notes: vec![session.summary_note(commit, LABEL, None)?],
        ..Plan::default()
    };
    session.write(snapshot.tree, plan).map(drop)
}

/// Tests what the work comes to on top of the base as it is now.
pub(super) fn carry_over(
    session: &mut Session<'_>,
    standing: &Standing,
    merged: gix::ObjectId,
    progress: &mut dyn Progress,
) -> Result<()> {
    let head = session.head;
    let tree = match head == standing.tip {
        true => merged,
        // Docs were added since: they go along.
        false => match merge(session.repo, standing.fork, standing.onto, head)? {
            Merged::Tree(tree) => tree,
            Merged::Conflicts(paths) => {
                let wip = refs::short(&session.wip).to_string();
                return Err(refused::conflicts(&standing.onto_name, &wip, &paths));
            }
        },
    };
    let why = message::squash::carried_over_to(&standing.onto_name);
    let untested = Untested {
        from: session.head_tree()?,
        tree,
        merged: Some(standing.onto),
        why: &why,
    };
    sync::sync(session, &untested, progress)
}

/// Runs the user's hook. What it reformats is tested first, and then it has to be content.
pub(super) fn pre_commit(
    session: &mut Session<'_>,
    seat: &Seat,
    progress: &mut dyn Progress,
) -> Result<Vec<String>> {
    const TRIES: usize = 2;
    let mut remarks = Vec::new();
    for attempt in 0..=TRIES {
        let content = seat.hook(session.repo, "pre-commit", &[])?;
        let snapshot = session.snapshot()?;
        if snapshot.changes.is_empty() {
            return match content {
                true => Ok(remarks),
                false => Err(refused::by_pre_commit()),
            };
        }
        if attempt == TRIES {
            break;
        }
        let files = names(snapshot.changes.iter().map(|change| &change.path));
        let untested = Untested {
            from: snapshot.tree,
            tree: snapshot.tree,
            merged: None,
            why: message::squash::REFORMATTED,
        };
        sync::sync(session, &untested, progress)?;
        remarks.push(message::squash::reformatted(&files));
    }
    Err(refused::restless_pre_commit())
}
