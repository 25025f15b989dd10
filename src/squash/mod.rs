//! `squash`: the WIP branch becomes the base branch's next commits.
//!
//! All that can refuse comes first. Then the commits are written, and one transaction moves the
//! base, HEAD, the WIP branch and its archive together.

mod carry_over;
mod commits;
mod move_out;
mod prepare;
mod room;
mod standing;
mod sync;
pub(crate) mod undo;
pub(crate) mod way_out;

use gix::bstr::ByteSlice;

use crate::branch::obstacles;
use crate::branch::place::{self, Place};
use crate::branch::session::Session;
use crate::branch::stand_aside;
use crate::config::Config;
use crate::error::Result;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::user_commit::{self, Seat};
use crate::message;
use crate::outcome::proof::Document;
use crate::outcome::squash::{MadePart, Squash};
use crate::rules::Verdict;
use crate::rules::squash::Grouping;
use crate::test_run::progress::Progress;
use commits::{Ground, Planned};
use move_out::{move_out, next_archive};
use prepare::{carry_over, commit_docs, pre_commit, switch_to_wip};
use standing::{Standing, entries, is_known_green, only_docs, red, stand};
use way_out::Asked;

/// What is asked for.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    pub(crate) message: Option<&'a str>,
    pub(crate) edit: bool,
    pub(crate) grouping: Grouping,
    pub(crate) onto: Option<&'a str>,
    /// The conventional-commit type.
    pub(crate) kind: Option<&'a str>,
    pub(crate) dry_run: bool,
    /// A person lets unproven cycles through.
    pub(crate) accept_unproven: bool,
}

impl MadePart {
    pub(crate) fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }
}

/// Squashes the WIP branch of the branch at hand.
pub(crate) fn squash(
    repo: &Repo,
    config: &Config,
    place: Place,
    request: &Request<'_>,
    progress: &mut dyn Progress,
) -> Result<Squash> {
    stand_aside::busy(repo)?;
    obstacles::checked_out_elsewhere(repo, &place)?;
    let mut session = Session::of_caller(repo, config, &place)?;
    if place.on_wip && !request.dry_run {
        session.accept_foreign_head()?;
    }
    session.state.without_spike()?;
    let standing = stand(&session, &place, request)?;
    let snapshot = session.snapshot()?;
    let docs = only_docs(&session, &snapshot)?;
    standing::require_nothing_left_behind(&session, &snapshot)?;
    room::require(&session, &standing, &snapshot)?;
    let tests_first = !is_known_green(&session, &standing)?;
    if request.dry_run {
        let tree = match standing.merged {
            Some(tree) => tree,
            None => repo.tree_of(standing.tip)?,
        };
        let proof = prove(&session, &standing, tree, request, progress)?;
        return preview(
            &session,
            &standing,
            request,
            (tests_first, docs),
            (tree, proof),
        );
    }
    let mut session = match place.on_wip {
        true => session,
        false => {
            switch_to_wip(&mut session, &standing, &snapshot)?;
            Session::of_caller(repo, config, &place::locate(repo)?)?
        }
    };
    // Whoever is at work here may have gone on since the first look.
    let snapshot = session.snapshot()?;
    let docs = only_docs(&session, &snapshot)?;
    if !docs.is_empty() {
        commit_docs(&mut session, &snapshot)?;
    }
    if tests_first {
        let results = sync::test_head(&mut session, "by-hand", progress)?;
        if results.verdict != Some(Verdict::Green) {
            return Err(red(&session, Some(&results)));
        }
    }
    if let Some(tree) = standing.merged {
        carry_over(&mut session, &standing, tree, progress)?;
    }
    let proven = session.head_tree()?;
    let standing = renewed(&session, standing)?;
    let mut proof = prove(&session, &standing, proven, request, progress)?;
    let head = match standing.onto == standing.base_tip {
        true => format!("ref: {}", standing.base_ref),
        false => standing.onto.to_string(),
    };
    let seat = Seat::take(repo, &head)?;
    let remarks = pre_commit(&mut session, &seat, progress)?;
    let standing = renewed(&session, standing)?;
    let tree = session.head_tree()?;
    if tree != proven {
        // A hook reformatted it: what is squashed is what was proven.
        proof = prove(&session, &standing, tree, request, progress)?;
    }
    let archive = next_archive(&mut session)?;
    let ground = ground(&session, &standing, &archive, (tree, proof.as_ref()))?;
    let planned = ground.plan(request.grouping)?;
    let made = ground.write(&planned, &seat, request)?;
    drop(seat);
    let mut squash = described(&session, &standing, request, &archive);
    squash.remarks = remarks;
    squash.tests_first = tests_first;
    squash.docs = docs;
    squash.proof = proof;
    let ids: Vec<gix::ObjectId> = made.iter().map(|(id, _)| *id).collect();
    squash.parts = made.into_iter().map(|(_, part)| part).collect();
    move_out(&mut session, &standing, &squash, &ids)?;
    user_commit::after_commit(repo);
    Ok(squash)
}

/// Where everything stands after commits were made on the way.
fn renewed(session: &Session<'_>, standing: Standing) -> Result<Standing> {
    Ok(Standing {
        entries: entries(session.repo, session.head, standing.fork)?,
        tip: session.head,
        merged: None,
        ..standing
    })
}

/// Asks the way out, and refuses what is not proven.
fn prove(
    session: &Session<'_>,
    standing: &Standing,
    tip: gix::ObjectId,
    request: &Request<'_>,
    progress: &mut dyn Progress,
) -> Result<Option<Document>> {
    let asked = Asked {
        before: session.repo.tree_of(standing.onto)?,
        tip,
        entries: &standing.entries,
        tests: &session.state.asked,
        writes: !request.dry_run,
    };
    let Some(proven) = session.prove(&asked, progress)? else {
        return Ok(None);
    };
    let document = proven.document();
    match session.refusals(&proven, request.accept_unproven).first() {
        Some(refusal) => Err(message::proof::refused(refusal, &document)),
        None => Ok(Some(document)),
    }
}

fn described(
    session: &Session<'_>,
    standing: &Standing,
    request: &Request<'_>,
    archive: &str,
) -> Squash {
    Squash {
        base: session.base.to_string(),
        wip: refs::short(&session.wip).to_string(),
        onto: standing.onto_name.clone(),
        archive: archive.to_owned(),
        dry_run: request.dry_run,
        carried_over: standing.onto != standing.fork,
        tests_first: false,
        docs: Vec::new(),
        parts: Vec::new(),
        commits: standing
            .entries
            .iter()
            .map(|entry| entry.commit.clone())
            .collect(),
        remarks: Vec::new(),
        proof: None,
    }
}

fn ground<'a>(
    session: &'a Session<'_>,
    standing: &'a Standing,
    archive: &'a str,
    (tree, proof): (gix::ObjectId, Option<&'a Document>),
) -> Result<Ground<'a>> {
    Ok(Ground {
        repo: session.repo,
        base: &session.state.base,
        entries: &standing.entries,
        fork: standing.fork,
        onto: standing.onto,
        tree,
        archive,
        documents: documents(session)?,
        proof,
    })
}

/// The evidence documents since the last squash.
fn documents(session: &Session<'_>) -> Result<Vec<(String, String)>> {
    let state = &session.state;
    let told = state.squashed.as_ref().map_or(0, |last| last.evidence);
    let mut found = Vec::new();
    for number in told + 1..=state.last_evidence {
        let name = refs::evidence(session.base.as_bstr(), number);
        if let Some(id) = refs::read(session.repo, &name)? {
            found.push((name, id.to_string()));
        }
    }
    Ok(found)
}

fn preview(
    session: &Session<'_>,
    standing: &Standing,
    request: &Request<'_>,
    (tests_first, docs): (bool, Vec<String>),
    (tree, proof): (gix::ObjectId, Option<Document>),
) -> Result<Squash> {
    let archive = refs::archive(session.base.as_bstr(), session.state.last_archive + 1);
    let ground = ground(session, standing, &archive, (tree, proof.as_ref()))?;
    let planned: Vec<Planned> = ground.plan(request.grouping)?;
    Ok(Squash {
        tests_first,
        docs,
        parts: ground.preview(&planned, request)?,
        proof: proof.clone(),
        ..described(session, standing, request, &archive)
    })
}
