//! Where everything stands before a squash, and what stands in its way.

use gix::bstr::ByteSlice;

use super::Request;
use super::carry_over::{Merged, merge};
use crate::branch::place::Place;
use crate::branch::session::Session;
use crate::branch::stand_aside::contains;
use crate::branch::state::TestResults;
use crate::branch::wip_commits::{self, Entry};
use crate::error::{Doing, Error, Result};
use crate::git::command::git;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::message::squash::refused;
use crate::rules::{PathClass, Verdict};

/// Where everything stands before the squash.
pub(super) struct Standing {
    pub(super) base_ref: String,
    pub(super) base_tip: gix::ObjectId,
    pub(super) onto: gix::ObjectId,
    pub(super) onto_name: String,
    pub(super) fork: gix::ObjectId,
    pub(super) entries: Vec<Entry>,
    pub(super) tip: gix::ObjectId,
    /// The tree of the base with the work in it, if the base has moved on.
    pub(super) merged: Option<gix::ObjectId>,
}

/// Finds everything, and everything that stands in the way.
pub(super) fn stand(
    session: &Session<'_>,
    place: &Place,
    request: &Request<'_>,
) -> Result<Standing> {
    let repo = session.repo;
    let base = &session.base;
    let tip = match (&session.state.wip, place.wip_tip(repo)?) {
        (Some(_), Some(tip)) => tip,
        _ => {
            return Err(refused::no_wip(&base.to_string()));
        }
    };
    let base_ref = format!("refs/heads/{base}");
    let fork = object_id(&session.state.fork)?;
    let Some(base_tip) = refs::read(repo, &base_ref)? else {
        return Err(refused::base_gone(&base.to_string(), &session.state.fork));
    };
    let (onto, onto_name) = match request.onto {
        Some(name) => (
            onto(repo, name, base_tip, &base.to_string())?,
            name.to_owned(),
        ),
        None => (base_tip, base.to_string()),
    };
    let (fork, entries) = match wip_commits::since(repo, tip, fork)? {
        Some(entries) => (fork, entries),
        // Somebody rebased the work: what it shares with the base is where it begins.
        None => {
            let fork = common_ancestor(repo, tip, onto)?;
            (fork, entries(repo, tip, fork)?)
        }
    };
    let has_onto =
        onto == fork || entries.iter().any(|entry| entry.id == onto) || contains(repo, tip, onto)?;
    let merged = match has_onto {
        true => None,
        false => match merge(repo, fork, onto, tip)? {
            Merged::Tree(tree) => Some(tree),
            Merged::Conflicts(paths) => {
                let wip = refs::short(&session.wip).to_string();
                return Err(refused::conflicts(&onto_name, &wip, &paths));
            }
        },
    };
    Ok(Standing {
        base_ref,
        base_tip,
        onto,
        onto_name,
        fork,
        entries,
        tip,
        merged,
    })
}

/// What the tests leave behind is in nobody's commits, and nobody decided that it should not be.
pub(super) fn require_nothing_left_behind(
    session: &Session<'_>,
    snapshot: &Snapshot,
) -> Result<()> {
    let left = snapshot
        .left_behind()
        .filter(|path| session.is_written_by_tests(path));
    let left = names(left);
    match left.is_empty() {
        true => Ok(()),
        false => Err(refused::left_behind(&left)),
    }
}

pub(super) fn object_id(hex: &str) -> Result<gix::ObjectId> {
    gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id")
}

/// The base never loses commits: what it goes on top of has to have it.
fn onto(repo: &Repo, name: &str, base_tip: gix::ObjectId, base: &str) -> Result<gix::ObjectId> {
    let commit = format!("{name}^{{commit}}");
    let found = git(
        repo.root(),
        &["rev-parse", "--verify", "--quiet", &commit],
        b"",
    );
    let found = found.map_err(|_| refused::no_commit(name))?;
    let onto = gix::ObjectId::from_hex(found.trim()).doing("read an object id")?;
    match contains(repo, onto, base_tip)? {
        true => Ok(onto),
        false => Err(refused::base_has_more(base, name)),
    }
}

fn common_ancestor(repo: &Repo, one: gix::ObjectId, other: gix::ObjectId) -> Result<gix::ObjectId> {
    let (one, other) = (one.to_string(), other.to_string());
    let found = git(repo.root(), &["merge-base", &one, &other], b"")?;
    gix::ObjectId::from_hex(found.trim()).doing("read an object id")
}

/// The commits since the fork, which has to be among the first parents.
pub(super) fn entries(repo: &Repo, tip: gix::ObjectId, fork: gix::ObjectId) -> Result<Vec<Entry>> {
    wip_commits::since(repo, tip, fork)?.ok_or_else(refused::no_beginning)
}

/// The changed docs, which ride along; anything else that is not committed is in the way.
pub(super) fn only_docs(session: &Session<'_>, snapshot: &Snapshot) -> Result<Vec<String>> {
    let (docs, others): (Vec<_>, Vec<_>) = snapshot
        .changes
        .iter()
        .map(|change| &change.path)
        .partition(|path| session.class(path.as_bstr()) == PathClass::Docs);
    let mut others = names(others.into_iter());
    others.extend(
        snapshot
            .staged_only
            .iter()
            .map(|staged| staged.path.to_string()),
    );
    if others.is_empty() && (session.on_wip || docs.is_empty()) {
        return Ok(names(docs.into_iter()));
    }
    others.extend(names(docs.into_iter()));
    others.dedup();
    Err(refused::uncommitted(&others))
}

/// Whether the tip was tested and passed; an error if it was tested and did not.
pub(super) fn is_known_green(session: &Session<'_>, standing: &Standing) -> Result<bool> {
    let tree = session.repo.tree_of(standing.tip)?.to_string();
    let known = session.state.accepted_results();
    match known.filter(|results| results.tree == tree) {
        Some(results) => match results.verdict {
            Some(Verdict::Green) => Ok(true),
            Some(Verdict::Red | Verdict::Broken) => Err(red(session, Some(results))),
            None => Ok(false),
        },
        None => Ok(false),
    }
}

pub(super) fn red(session: &Session<'_>, results: Option<&TestResults>) -> Error {
    let failed = results
        .map(|results| results.failed.as_slice())
        .unwrap_or_default();
    refused::red(&refs::short(&session.wip).to_string(), failed)
}
