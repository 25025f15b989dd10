//! Becoming active on a branch: the fork and the known failures are noted, and uncommitted work
//! becomes a baseline commit that no revert takes.

use std::path::PathBuf;

use gix::bstr::{BStr, BString, ByteSlice};

use super::jobs::Job;
use super::progress::Progress;
use super::session::{Plan, Session};
use crate::clock;
use crate::config::Config;
use crate::effects::git::align::FromTo;
use crate::effects::git::refs;
use crate::effects::git::repo::Repo;
use crate::effects::git::snapshot::Snapshot;
use crate::effects::transaction;
use crate::error::{Error, Result};
use crate::journal::event::EventKind;
use crate::journal::place::Place;
use crate::journal::state::{State, TestResults};
use crate::policy::Verdict;

/// Untracked work above this size is only recorded when a person says so.
const LARGE: u64 = 10 * 1024 * 1024;

/// What becoming active found and did.
pub(crate) struct Activated<'a> {
    pub(crate) session: Session<'a>,
    pub(crate) results: TestResults,
    /// The baseline commit, if there was uncommitted work.
    pub(crate) baseline: Option<gix::ObjectId>,
    /// The paths in it.
    pub(crate) paths: Vec<BString>,
}

/// Makes TCR active on the branch at hand, or active again.
pub(crate) fn activate<'a>(
    repo: &'a Repo,
    config: &'a Config,
    place: &Place,
    by: Option<String>,
    large_is_fine: bool,
    progress: &mut dyn Progress,
) -> Result<Activated<'a>> {
    refs::committer(repo)?;
    check_elsewhere(repo, place)?;
    check_wip_name(repo, place)?;
    let now = clock::timestamp();
    let state = match &place.loaded {
        Some(loaded) => loaded.state.clone(),
        None => State::new(
            place.base.to_string(),
            place.head.commit.to_string(),
            repo.tree_of(place.head.commit)?.to_string(),
            now.clone(),
        ),
    };
    let mut session = Session::new(repo, config, place, place.loaded.clone(), state, by)?;
    let snapshot = session.snapshot()?;
    if !large_is_fine {
        check_size(repo, &snapshot)?;
    }
    transaction::hold_snapshot(repo, snapshot.tree, session.head)?;
    let jobs = session.jobs(&[])?;
    let results = session.run_tests(snapshot.tree, &jobs, progress)?;
    let drift = session.drift(&snapshot)?;
    session.remember_leftovers(drift.new.iter())?;
    if !drift.changed.is_empty() {
        let paths: Vec<String> = drift.changed.iter().map(ToString::to_string).collect();
        return Err(Error::Unstable(paths));
    }
    session.state.enabled = true;
    session.state.known_failures = match results.verdict {
        Some(Verdict::Red) => results.failed.iter().cloned().collect(),
        _ => session.state.known_failures.clone(),
    };
    session.state.stats.session_start = Some(now);
    let baseline = record(&mut session, &snapshot, &results, &jobs)?;
    let paths = snapshot
        .changes
        .into_iter()
        .map(|change| change.path)
        .collect();
    Ok(Activated {
        session,
        results,
        baseline,
        paths,
    })
}

fn record(
    session: &mut Session<'_>,
    snapshot: &Snapshot,
    results: &TestResults,
    jobs: &[Job],
) -> Result<Option<gix::ObjectId>> {
    let mut event = session.event(EventKind::Activate, String::new());
    event.verdict = results.verdict;
    event.tests = (results.total > 0).then(|| super::counts_of(results));
    event.duration_ms = results.duration_ms;
    let mut plan = Plan::default();
    if !snapshot.changes.is_empty() {
        let label = "baseline";
        let commit = session.wip_commit(snapshot.tree, label, "", &snapshot.changes)?;
        event.label = Some(label.into());
        event.commit = Some(commit.to_string());
        event.files = snapshot.changes.len();
        plan.commit = Some(commit);
        plan.index = Some(FromTo::new(session.head_tree()?, snapshot.tree));
        plan.notes
            .push(session.summary_note(commit, label, Some(results))?);
        if !snapshot.staged_only.is_empty() {
            plan.saved.push(session.save(snapshot, "staged content")?);
        }
    }
    plan.notes.extend(session.result_note(results, jobs)?);
    session.state.accept_results(results.clone());
    plan.events.push(event);
    let commit = plan.commit;
    session.write(snapshot.tree, plan)?;
    Ok(commit)
}

/// Neither the base nor its WIP branch may be checked out in another worktree.
fn check_elsewhere(repo: &Repo, place: &Place) -> Result<()> {
    let base = format!("refs/heads/{}", place.base);
    let wip = place.wip.as_bstr().to_str_lossy().into_owned();
    for (worktree, branch) in other_heads(repo) {
        if branch == base || branch == wip {
            let branch = branch.trim_start_matches("refs/heads/").to_owned();
            return Err(Error::ElsewhereCheckedOut {
                branch,
                place: worktree,
            });
        }
    }
    Ok(())
}

/// What the other worktrees have checked out.
fn other_heads(repo: &Repo) -> Vec<(PathBuf, String)> {
    let mut places = Vec::new();
    if repo.git_dir() != repo.common_dir()
        && let Some(root) = repo.common_dir().parent()
    {
        places.push((repo.common_dir().to_owned(), root.to_owned()));
    }
    if let Ok(linked) = std::fs::read_dir(repo.common_dir().join("worktrees")) {
        for item in linked.flatten().map(|item| item.path()) {
            let root = std::fs::read_to_string(item.join("gitdir")).unwrap_or_default();
            let root = PathBuf::from(root.trim());
            places.push((item, root.parent().map_or(root.clone(), ToOwned::to_owned)));
        }
    }
    let own = repo.git_dir().canonicalize().ok();
    let others = places
        .into_iter()
        .filter(|(git_dir, _)| git_dir.canonicalize().ok() != own);
    others
        .filter_map(|(git_dir, root)| {
            let head = std::fs::read_to_string(git_dir.join("HEAD")).ok()?;
            Some((root, head.trim().strip_prefix("ref: ")?.to_owned()))
        })
        .collect()
}

/// A branch in the way of `tcr/<base>` is found now, not in the middle of the work.
fn check_wip_name(repo: &Repo, place: &Place) -> Result<()> {
    let wip = place.wip.as_bstr();
    let blocked = |obstacle: String| {
        Err(Error::WipBlocked {
            wip: refs::short(&place.wip).to_string(),
            obstacle,
        })
    };
    // `tcr`, `tcr/feat`: a branch where a folder has to be.
    for position in wip.find_iter("/").skip(2) {
        let prefix = wip[..position].to_str_lossy();
        if refs::read(repo, &prefix)?.is_some() {
            return blocked(prefix.into_owned());
        }
    }
    let folder = format!("{}/", wip.to_str_lossy());
    let below = repo.gix.references().and_then(|all| {
        Ok(all
            .prefixed(folder.as_str())?
            .flatten()
            .next()
            .map(|found| found.name().as_bstr().to_owned()))
    });
    if let Ok(Some(found)) = below {
        return blocked(found.to_string());
    }
    let ours = place
        .loaded
        .as_ref()
        .is_some_and(|loaded| loaded.state.wip.is_some());
    if !ours && place.wip_tip(repo)?.is_some() {
        return blocked(wip.to_string());
    }
    Ok(())
}

/// Fails if a large amount of untracked content would be recorded.
pub(crate) fn check_baseline(repo: &Repo, config: &Config, place: &Place) -> Result<()> {
    let head_tree = repo.tree_of(place.head.commit)?.to_string();
    let state = State::new(
        place.base.to_string(),
        place.head.commit.to_string(),
        head_tree,
        clock::timestamp(),
    );
    let session = Session::new(repo, config, place, None, state, None)?;
    check_size(repo, &session.snapshot()?)
}

fn check_size(repo: &Repo, snapshot: &Snapshot) -> Result<()> {
    let size_of = |path: &BStr| {
        repo.on_disk(path)
            .symlink_metadata()
            .map_or(0, |file| file.len())
    };
    let new: Vec<_> = snapshot
        .changes
        .iter()
        .filter(|change| change.before.is_none())
        .collect();
    let total: u64 = new
        .iter()
        .map(|change| size_of(change.path.as_bstr()))
        .sum();
    if total <= LARGE {
        return Ok(());
    }
    let mut largest: Vec<_> = new
        .iter()
        .map(|change| (size_of(change.path.as_bstr()), &change.path))
        .collect();
    largest.sort_by(|a, b| b.cmp(a));
    let named: Vec<String> = largest
        .iter()
        .take(5)
        .map(|(_, path)| path.to_string())
        .collect();
    Err(Error::LargeBaseline {
        megabytes: total / (1024 * 1024),
        largest: named,
    })
}
