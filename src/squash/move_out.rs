//! The end of a squash: everything moves at once.

use gix::bstr::ByteSlice;

use super::standing::Standing;
use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::state::Squashed;
use crate::clock;
use crate::error::Result;
use crate::git::notes::Note;
use crate::git::objects;
use crate::git::refs::{self, Move, Pointer};
use crate::git::trees;
use crate::message;
use crate::outcome::squash::Squash;
use crate::rules::{CycleKind, Phase};

/// The next free ref under `refs/tcr/archive/`.
pub(super) fn next_archive(session: &mut Session<'_>) -> Result<String> {
    loop {
        session.state.last_archive += 1;
        let name = refs::archive(session.base.as_bstr(), session.state.last_archive);
        if refs::read(session.repo, &name)?.is_none() {
            return Ok(name);
        }
    }
}

/// Moves everything at once.
pub(super) fn move_out(
    session: &mut Session<'_>,
    standing: &Standing,
    squash: &Squash,
    made: &[gix::ObjectId],
) -> Result<()> {
    let after = made.last().copied().unwrap_or(standing.onto);
    let wip = session.wip.as_bstr().to_string();
    let head_tree = session.head_tree()?;
    let moved = |name: &str, old: Option<gix::ObjectId>, new: Option<gix::ObjectId>| Move {
        name: name.to_owned(),
        old: old.map(Pointer::object),
        new: new.map(Pointer::object),
    };
    let moves = vec![
        moved(&standing.base_ref, Some(standing.base_tip), Some(after)),
        Move {
            name: "HEAD".into(),
            old: Some(Pointer::Ref(wip.clone())),
            new: Some(Pointer::Ref(standing.base_ref.clone())),
        },
        moved(&squash.archive, None, Some(standing.tip)),
        moved(&wip, Some(standing.tip), None),
    ];
    let results = session.state.accepted_results().cloned();
    let text = message::squash::summary(&squash.commits, &squash.archive, results.as_ref());
    let blob = objects::blob(session.repo, text.as_bytes())?;
    let squashed = made
        .iter()
        .zip(&squash.parts)
        .filter(|(_, part)| !part.kept);
    let notes = squashed.map(|(id, _)| Note::new(refs::NOTES, *id, blob));
    let mut event = session.event(EventKind::Squash, squash.archive.clone());
    event.commit = Some(after.to_string());
    if let Some(proof) = squash
        .proof
        .as_ref()
        .filter(|proof| !proof.unproven.is_empty())
    {
        event.cause = Some(message::proof::accepted(proof));
    }
    event.verdict = results.as_ref().and_then(|results| results.verdict);
    event.tests = results
        .as_ref()
        .filter(|r| r.total > 0)
        .map(|results| results.counts());
    event.files = trees::diff(
        session.repo,
        session.repo.tree_of(standing.onto)?,
        head_tree,
    )?
    .len();
    let notes = notes.collect();
    let before = session.chain_tip().map(|tip| tip.to_string());
    let state = &mut session.state;
    state.squashed = Some(Squashed {
        archive: state.last_archive,
        tip: standing.tip.to_string(),
        wip,
        fork: standing.fork.to_string(),
        evidence: state.last_evidence,
        before: standing.base_tip.to_string(),
        after: after.to_string(),
        state: before.unwrap_or_default(),
    });
    state.wip = None;
    state.wip_tip = None;
    state.asked.clear();
    state.fork = after.to_string();
    state.step = None;
    state.hold = None;
    state.last_green = Some(after.to_string());
    if state.cycle_kind() == CycleKind::Free {
        state.enter(Phase::Red, &clock::timestamp());
        state.awaited.clear();
    }
    event.next_phase = state.phase;
    let plan = Plan {
        events: vec![event],
        moves,
        notes,
        ..Plan::default()
    };
    session.write(head_tree, plan).map(drop)
}
