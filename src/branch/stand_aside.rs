//! When the loop touches nothing: in the middle of a merge and its like, and when HEAD is not
//! where the work is.

use gix::bstr::ByteSlice;

use crate::branch::obstacles;
use crate::branch::place::Place;
use crate::error::{Doing, Error, Result, StandAside};
use crate::git::command::git_answer;
use crate::git::refs;
use crate::git::repo::Repo;

/// Fails if the loop has to stand aside.
pub(crate) fn check(repo: &Repo, place: &Place) -> Result<()> {
    busy(repo)?;
    let reason = misplaced(repo, place)?;
    reason.map_or(Ok(()), |reason| Err(Error::StandAside(reason)))
}

/// Fails in the middle of a merge and its like.
pub(crate) fn busy(repo: &Repo) -> Result<()> {
    let reason = match repo.in_progress() {
        Some(what) => StandAside::InProgress(what),
        None => match unmerged(repo)? {
            0 => return Ok(()),
            count => StandAside::Unmerged(count),
        },
    };
    Err(Error::StandAside(reason))
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
    // Becoming active looks for itself.
    let Some(loaded) = place.loaded.as_ref().filter(|_| !place.on_wip) else {
        return Ok(None);
    };
    let descends = match place.wip_tip(repo)? {
        Some(tip) => contains(repo, place.head.commit, tip)?,
        None => false,
    };
    if loaded.state.wip.is_none() && !descends {
        obstacles::name_taken(repo, place)?;
        return Ok(None);
    }
    obstacles::wip_checked_out_elsewhere(repo, place)?;
    if descends || place.wip_tip(repo)?.is_none() {
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
    /// Clocks of several machines differ. What is older is not looked at here: git finds its way also
    /// where a clock was wrong.
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
    let (commit, ancestor) = (commit.to_string(), ancestor.to_string());
    let asked = ["merge-base", "--is-ancestor", &ancestor, &commit];
    Ok(git_answer(repo.root(), &asked)?.success)
}
