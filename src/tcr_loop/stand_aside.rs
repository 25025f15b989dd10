//! When the loop touches nothing: in the middle of a merge and its like, and when HEAD is not
//! where the work is.

use gix::bstr::ByteSlice;
use gix::state::InProgress;

use crate::effects::git::refs;
use crate::effects::git::repo::Repo;
use crate::error::{Doing, Error, Result, StandAside};
use crate::journal::place::Place;

/// Fails if the loop has to stand aside.
pub(crate) fn check(repo: &Repo, place: &Place) -> Result<()> {
    let reason = match in_progress(repo) {
        Some(what) => Some(StandAside::InProgress(what)),
        None => match unmerged(repo)? {
            0 => misplaced(repo, place)?,
            count => Some(StandAside::Unmerged(count)),
        },
    };
    reason.map_or(Ok(()), |reason| Err(Error::StandAside(reason)))
}

fn in_progress(repo: &Repo) -> Option<&'static str> {
    Some(match repo.gix.state()? {
        InProgress::ApplyMailbox => "am",
        InProgress::ApplyMailboxRebase | InProgress::Rebase | InProgress::RebaseInteractive => {
            "rebase"
        }
        InProgress::Bisect => "bisect",
        InProgress::CherryPick | InProgress::CherryPickSequence => "cherry-pick",
        InProgress::Merge => "merge",
        InProgress::Revert | InProgress::RevertSequence => "revert",
    })
}

fn unmerged(repo: &Repo) -> Result<usize> {
    let index = repo.index()?;
    let backing = index.path_backing();
    let mut paths: Vec<_> = index
        .entries()
        .iter()
        .filter(|entry| entry.stage() != gix::index::entry::Stage::Unconflicted)
        .map(|entry| entry.path_in(backing))
        .collect();
    paths.dedup();
    Ok(paths.len())
}

/// A commit is only made if HEAD is the WIP tip, there is no WIP branch, or HEAD descends from it.
fn misplaced(repo: &Repo, place: &Place) -> Result<Option<StandAside>> {
    if place.on_wip {
        return Ok(None);
    }
    let Some(tip) = place.wip_tip(repo)? else {
        return Ok(None);
    };
    if place
        .loaded
        .as_ref()
        .is_none_or(|loaded| loaded.state.wip.is_none())
    {
        // A branch of that name that is not ours: becoming active deals with it.
        return Ok(None);
    }
    if contains(repo, place.head.commit, tip)? {
        return Ok(None);
    }
    Ok(Some(StandAside::OnBase {
        base: place.base.to_string(),
        wip: refs::short(&place.wip).to_str_lossy().into_owned(),
    }))
}

/// Whether `commit` has `ancestor` in its history.
pub(crate) fn contains(
    repo: &Repo,
    commit: gix::ObjectId,
    ancestor: gix::ObjectId,
) -> Result<bool> {
    /// Clocks of several machines differ.
    const SLACK_SECONDS: i64 = 24 * 60 * 60;
    if commit == ancestor {
        return Ok(true);
    }
    let comparing = "compare two histories";
    let object = repo.gix.find_commit(ancestor).doing(comparing)?;
    let seconds = object.time().doing(comparing)?.seconds - SLACK_SECONDS;
    let walk = repo
        .gix
        .rev_walk([commit])
        .sorting(gix::revision::walk::Sorting::ByCommitTimeCutoff {
            order: gix::traverse::commit::simple::CommitTimeOrder::NewestFirst,
            seconds,
        })
        .all()
        .doing(comparing)?;
    for found in walk {
        if found.doing(comparing)?.id == ancestor {
            return Ok(true);
        }
    }
    Ok(false)
}
