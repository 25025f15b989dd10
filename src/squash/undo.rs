//! `squash --undo`: the WIP branch is back, and the base is where it was.

use gix::bstr::ByteSlice;

use crate::branch::event::EventKind;
use crate::branch::obstacles;
use crate::branch::place::Place;
use crate::branch::session::Plan;
use crate::branch::session::Session;
use crate::branch::stand_aside;
use crate::branch::state::State;
use crate::config::Config;
use crate::error::{Doing, Result};
use crate::git::command::git;
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::message;
use crate::message::squash::refused;
use crate::outcome::squash::Undone;

/// Undoes the last squash of the branch at hand, while nothing was built on it.
pub(crate) fn undo(repo: &Repo, config: &Config, place: &Place) -> Result<Undone> {
    stand_aside::busy(repo)?;
    obstacles::checked_out_elsewhere(repo, place)?;
    let mut session = Session::of_caller(repo, config, place)?;
    let base = session.base.to_string();
    let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id");
    let Some(squashed) = session.state.squashed.clone() else {
        return Err(refused::nothing_to_undo(&base));
    };
    if session.state.wip.is_some() || place.wip_tip(repo)?.is_some() {
        let archive = refs::archive(session.base.as_bstr(), squashed.archive);
        return Err(refused::work_since(&base, &archive));
    }
    if session.head != id(&squashed.after)? {
        return Err(refused::moved_on_since(&base, &squashed.tip));
    }
    let mut state: State = crate::branch::read(
        repo,
        id(&squashed.state)?,
        &refs::state(session.base.as_bstr()),
    )?;
    let number = session.next_number()?;
    let mut event = session.event(EventKind::Squash, message::squash::UNDONE.into());
    event.commit = Some(squashed.tip.clone());
    event.recover = Some(number);
    state.last_revert = session.state.last_revert;
    state.last_archive = session.state.last_archive;
    state.stats = session.state.stats.clone();
    event.next_phase = state.phase;
    session.state = state;
    let base_ref = format!("refs/heads/{base}");
    let object = |hex: &str| Some(Pointer::Object(hex.to_owned()));
    let moves = vec![
        Move {
            name: squashed.wip.clone(),
            old: None,
            new: object(&squashed.tip),
        },
        Move {
            name: base_ref.clone(),
            old: object(&squashed.after),
            new: object(&squashed.before),
        },
        Move {
            name: "HEAD".into(),
            old: Some(Pointer::Ref(base_ref)),
            new: Some(Pointer::Ref(squashed.wip.clone())),
        },
        Move {
            name: refs::archive(session.base.as_bstr(), squashed.archive),
            old: object(&squashed.tip),
            new: None,
        },
    ];
    let plan = Plan {
        events: vec![event],
        saved: vec![(number, session.head)],
        moves,
        ..Plan::default()
    };
    let tree = session.head_tree()?;
    session.write(tree, plan)?;
    Ok(Undone {
        wip: squashed.wip.trim_start_matches("refs/heads/").to_owned(),
        base,
        before: squashed.before,
        recover: number,
        pushed: pushed(repo, &squashed.after)?,
    })
}

/// The branches of remotes, as far as this clone knows, that have a commit.
fn pushed(repo: &Repo, commit: &str) -> Result<Vec<String>> {
    let contains = format!("--contains={commit}");
    let args = [
        "for-each-ref",
        &contains,
        "--format=%(refname:short)",
        "refs/remotes/",
    ];
    let listed = git(repo.root(), &args, b"")?;
    let names = listed.to_str_lossy();
    Ok(names.lines().map(str::to_owned).collect())
}
