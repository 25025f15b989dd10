//! `squash`: the WIP branch becomes the base branch's next commits.
//!
//! All that can refuse comes first. Then the commits are written, and one transaction moves the
//! base, HEAD, the WIP branch and its archive together.

use gix::bstr::ByteSlice;
use serde::Serialize;

use super::carry_over::{Merged, merge};
use super::commits::{Ground, Planned};
use super::standing::{
    Standing, entries, is_known_green, object_id, only_docs, red, refused, stand,
};
use super::sync::{self, Untested};
use crate::clock;
use crate::config::Config;
use crate::effects::git::align::FromTo;
use crate::effects::git::notes::Note;
use crate::effects::git::objects;
use crate::effects::git::refs::{self, Move, Pointer};
use crate::effects::git::repo::Repo;
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::user_commit::{self, Seat};
use crate::error::Result;
use crate::journal::event::EventKind;
use crate::journal::place::{self, Place};
use crate::journal::state::{Squashed, TestResults};
use crate::message;
use crate::policy::squash::{Grouping, WipCommit};
use crate::policy::{CycleKind, Phase, Verdict};
use crate::tcr_loop::obstacles;
use crate::tcr_loop::progress::Progress;
use crate::tcr_loop::session::{Plan, Session};
use crate::tcr_loop::stand_aside;
use crate::tcr_loop::{counts_of, names};

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
}

/// What was done, or would be.
#[derive(Debug, Serialize)]
pub(crate) struct Squash {
    pub(crate) base: String,
    pub(crate) wip: String,
    /// What the commits are on top of.
    pub(crate) onto: String,
    pub(crate) archive: String,
    pub(crate) dry_run: bool,
    /// Whether the base had moved on.
    pub(crate) carried_over: bool,
    /// Whether nobody knew the result of the tip.
    pub(crate) tests_first: bool,
    /// Changed docs that ride along.
    pub(crate) docs: Vec<String>,
    #[serde(rename = "commits")]
    pub(crate) parts: Vec<MadePart>,
    #[serde(skip)]
    pub(crate) commits: Vec<WipCommit>,
    pub(crate) remarks: Vec<String>,
}

/// One commit of the base branch.
#[derive(Debug, Serialize)]
pub(crate) struct MadePart {
    pub(crate) id: Option<String>,
    pub(crate) message: String,
    /// Made by hand, and kept as it was.
    pub(crate) kept: bool,
    /// How many commits of the WIP branch are in it.
    #[serde(rename = "wip_commits")]
    pub(crate) commits: usize,
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
    let mut session = session_of(repo, config, &place)?;
    if place.on_wip && !request.dry_run {
        session.accept_foreign_head()?;
    }
    session.without_spike()?;
    let standing = stand(&session, &place, request)?;
    let snapshot = session.snapshot()?;
    let docs = only_docs(&session, &snapshot)?;
    let tests_first = !is_known_green(&session, &standing)?;
    if request.dry_run {
        return preview(&session, &standing, request, (tests_first, docs));
    }
    let mut session = match place.on_wip {
        true => session,
        false => {
            switch_to_wip(&mut session, &standing, &snapshot)?;
            session_of(repo, config, &place::locate(repo)?)?
        }
    };
    let snapshot = session.snapshot()?;
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
    let head = match standing.onto == standing.base_tip {
        true => format!("ref: {}", standing.base_ref),
        false => standing.onto.to_string(),
    };
    let seat = Seat::take(repo, &head)?;
    let remarks = pre_commit(&mut session, &seat, progress)?;
    let tip = session.head;
    let standing = Standing {
        entries: entries(repo, tip, standing.fork)?,
        tip,
        merged: None,
        ..standing
    };
    let archive = next_archive(&mut session)?;
    let ground = ground(&session, &standing, &archive, session.head_tree()?)?;
    let planned = ground.plan(request.grouping)?;
    let made = ground.write(&planned, &seat, request)?;
    drop(seat);
    let mut squash = described(&session, &standing, request, &archive);
    squash.remarks = remarks;
    squash.tests_first = tests_first;
    squash.docs = docs;
    let ids: Vec<gix::ObjectId> = made.iter().map(|(id, _)| *id).collect();
    squash.parts = made.into_iter().map(|(_, part)| part).collect();
    move_out(&mut session, &standing, &squash, &ids)?;
    user_commit::after_commit(repo);
    Ok(squash)
}

/// The branch at work, by whoever calls.
pub(super) fn session_of<'a>(
    repo: &'a Repo,
    config: &'a Config,
    place: &Place,
) -> Result<Session<'a>> {
    let loaded = place.require()?.clone();
    let state = loaded.state.clone();
    let by = crate::env_vars::calling_agent().map(str::to_owned);
    Session::new(repo, config, place, Some(loaded), state, by)
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
    }
}

fn ground<'a>(
    session: &'a Session<'_>,
    standing: &'a Standing,
    archive: &'a str,
    tree: gix::ObjectId,
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
) -> Result<Squash> {
    let archive = refs::archive(session.base.as_bstr(), session.state.last_archive + 1);
    let tree = match standing.merged {
        Some(tree) => tree,
        None => session.repo.tree_of(standing.tip)?,
    };
    let ground = ground(session, standing, &archive, tree)?;
    let planned: Vec<Planned> = ground.plan(request.grouping)?;
    Ok(Squash {
        tests_first,
        docs,
        parts: ground.preview(&planned, request)?,
        ..described(session, standing, request, &archive)
    })
}

/// HEAD, worktree and index go to where the work is.
fn switch_to_wip(
    session: &mut Session<'_>,
    standing: &Standing,
    snapshot: &Snapshot,
) -> Result<()> {
    let goal = session.repo.tree_of(standing.tip)?;
    let (base, wip) = (standing.base_ref.clone(), session.wip.as_bstr().to_string());
    let plan = Plan {
        moves: vec![
            Move {
                name: "HEAD".into(),
                old: Some(Pointer::Ref(base)),
                new: Some(Pointer::Ref(wip.clone())),
            },
            stays(&wip, standing.tip),
        ],
        worktree: Some(FromTo::new(snapshot.tree, goal)),
        index: Some(FromTo::new(snapshot.tree, goal)),
        ..Plan::default()
    };
    session.write(snapshot.tree, plan).map(drop)
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
fn commit_docs(session: &mut Session<'_>, snapshot: &Snapshot) -> Result<()> {
    const LABEL: &str = "docs";
    let head_tree = session.head_tree()?;
    let commit = session.wip_commit(snapshot.tree, LABEL, "", &snapshot.changes)?;
    let mut event = session.event(EventKind::Commit, "docs ride along".into());
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
fn carry_over(
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
                let what = format!("conflicts in {}", message::path_list(&paths));
                return Err(refused(what, format!("git merge {}", standing.onto_name)));
            }
        },
    };
    let why = format!("carried over to `{}`", standing.onto_name);
    let untested = Untested {
        from: session.head_tree()?,
        tree,
        merged: Some(standing.onto),
        why: &why,
    };
    sync::sync(session, &untested, progress)
}

/// Runs the user's hook. What it reformats is tested first, and then it has to be content.
fn pre_commit(
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
                false => Err(refused(
                    "your `pre-commit` hook refused: nothing was changed".into(),
                    "mend what it complains about, git tcr run, git tcr squash",
                )),
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
            why: "reformatted by your `pre-commit` hook",
        };
        sync::sync(session, &untested, progress)?;
        remarks.push(format!(
            "reformatted by your `pre-commit` hook, and tested: {}",
            message::path_list(&files)
        ));
    }
    Err(refused(
        "your `pre-commit` hook changes files every time it runs".into(),
        "git tcr recover list shows what it wrote; mend the hook, then git tcr squash",
    ))
}

/// The next free ref under `refs/tcr/archive/`.
fn next_archive(session: &mut Session<'_>) -> Result<String> {
    loop {
        session.state.last_archive += 1;
        let name = refs::archive(session.base.as_bstr(), session.state.last_archive);
        if refs::read(session.repo, &name)?.is_none() {
            return Ok(name);
        }
    }
}

/// Moves everything at once.
fn move_out(
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
    event.verdict = results.as_ref().and_then(|results| results.verdict);
    event.tests = results.as_ref().filter(|r| r.total > 0).map(counts_of);
    event.files = crate::effects::git::trees::diff(
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
    state.fork = after.to_string();
    state.step = None;
    state.hold = None;
    state.last_green = Some(after.to_string());
    if state.cycle_kind() == CycleKind::Free {
        state.enter(Phase::Red, &clock::timestamp());
        state.targets.clear();
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
