//! Becoming active on a branch: the fork and the known failures are noted, and uncommitted work
//! becomes a baseline commit that no revert takes.

use gix::bstr::{BStr, ByteSlice};

use crate::branch::event::EventKind;
use crate::branch::obstacles;
use crate::branch::off::off_by_config;
use crate::branch::place::Place;
use crate::branch::session::{Plan, Session};
use crate::branch::state::{State, TestResults};
use crate::branch::transaction;
use crate::clock;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::fault;
use crate::git::align::FromTo;
use crate::git::identity;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees;
use crate::message;
use crate::outcome::activated::Activated;
use crate::rules::{Mode, Verdict};
use crate::step::experiment::LabOnDemand;
use crate::test_run::jobs;
use crate::test_run::jobs::Job;
use crate::test_run::progress::Progress;

/// Untracked work above this size is only recorded when a person says so.
const LARGE: u64 = 10 * 1024 * 1024;

/// How many times the usual time the first run may take: it may have to build everything.
const FIRST_RUN: u32 = 5;

/// Fails if the WIP branch can't be made, or the work is checked out elsewhere.
pub(crate) fn check_way(repo: &Repo, place: &Place) -> Result<()> {
    obstacles::unusable_base(repo, place)?;
    obstacles::checked_out_elsewhere(repo, place)?;
    obstacles::name_taken(repo, place)
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
    if let Some(off) = off_by_config(config, place.base.as_bstr()) {
        let (what, hint) = message::phase::off(off, &place.base.to_string());
        return Err(Error::Usage { what, hint });
    }
    identity::committer(repo)?;
    check_way(repo, place)?;
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
    session.state.without_spike()?;
    let snapshot = session.snapshot_of_tracked()?;
    if !large_is_fine {
        check_size(repo, &snapshot)?;
    }
    fault::point("snapshot-taken");
    transaction::hold_snapshot(repo, &snapshot, session.head)?;
    fault::point("snapshot-held");
    let mut jobs = jobs::about(session.config, session.repo.root(), &[])?;
    for job in &mut jobs {
        job.timeout *= FIRST_RUN;
    }
    let mut lab = LabOnDemand::default();
    let tested = match session.test(snapshot, &jobs, None, &mut lab, progress) {
        Ok(tested) if tested.unstable.is_empty() => tested,
        undecided => {
            // The worktree holds everything.
            drop(transaction::forget_snapshot(repo));
            return Err(match undecided {
                Ok(tested) => Error::Unstable(tested.unstable),
                Err(error) => error,
            });
        }
    };
    let (snapshot, results) = (tested.snapshot, tested.results);
    session.left_tree = Some(snapshot.tree);
    session.state.enabled = true;
    session.state.mode = session.state.mode.filter(|mode| *mode != Mode::Off);
    session.state.known_failures = match results.verdict {
        Some(Verdict::Red) => results.failed.iter().cloned().collect(),
        _ => session.state.known_failures.clone(),
    };
    session.state.stats.session_start = Some(now);
    session.state.lab = session.try_lab(snapshot.tree, &jobs, &results, progress)?;
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

impl Session<'_> {
    /// The worktree as TCR finds it when it becomes active: what is untracked then is nobody's work
    /// here, while it is as it is.
    fn snapshot_of_tracked(&mut self) -> Result<Snapshot> {
        let snapshot = self.snapshot()?;
        // Kept work stays what it is.
        let judged = self
            .state
            .kept
            .as_ref()
            .and_then(|kept| self.tree_at_hand(&kept.tree));
        let kept = [self.kept_tree(), judged];
        let mut untracked = Vec::new();
        for path in snapshot.untracked() {
            let mut is_kept = false;
            for tree in kept.into_iter().flatten() {
                is_kept |= trees::lookup(self.repo, tree, path.as_bstr())?.is_some();
            }
            if !is_kept {
                untracked.push(path.clone());
            }
        }
        if untracked.is_empty() {
            return Ok(snapshot);
        }
        self.remember_leftovers(untracked.iter())?;
        self.snapshot()
    }
}

/// A branch that TCR has not seen: it becomes active from its own commit, and what is uncommitted
/// is the first step.
pub(crate) fn first_step<'a>(
    repo: &'a Repo,
    config: &'a Config,
    place: &Place,
    by: Option<String>,
) -> Result<Session<'a>> {
    if let Some(off) = off_by_config(config, place.base.as_bstr()) {
        let (what, hint) = message::phase::off(off, &place.base.to_string());
        return Err(Error::Usage { what, hint });
    }
    identity::committer(repo)?;
    check_way(repo, place)?;
    let tree = repo.tree_of(place.head.commit)?;
    let state = State::new(
        place.base.to_string(),
        place.head.commit.to_string(),
        tree.to_string(),
        clock::timestamp(),
    );
    let mut session = Session::new(repo, config, place, None, state, by)?;
    leave_out_as_elsewhere(&mut session)?;
    // The commit may have been tested on another branch.
    let known = session.cached(
        tree,
        &jobs::about(session.config, session.repo.root(), &[])?,
        None,
    )?;
    if let Some(known) = known {
        session.state.known_failures = known.failed.iter().cloned().collect();
        session.state.accept_results(known);
    }
    let event = session.event(EventKind::Activate, String::new());
    session.record(vec![event])?;
    Ok(session)
}

/// What the other branches leave out of their commits lies in the same worktree.
fn leave_out_as_elsewhere(session: &mut Session<'_>) -> Result<()> {
    for (name, tip) in refs::below(session.repo, "refs/tcr/state/")? {
        // One that can't be read says nothing of this branch.
        if let Ok(other) = crate::branch::read(session.repo, tip, &name) {
            session.state.leftovers.extend(other.leftovers);
            session
                .state
                .written_by_tests
                .extend(other.written_by_tests);
        }
    }
    Ok(())
}

fn record(
    session: &mut Session<'_>,
    snapshot: &Snapshot,
    results: &TestResults,
    jobs: &[Job],
) -> Result<Option<gix::ObjectId>> {
    let mut event = session.event(EventKind::Activate, String::new());
    event.verdict = results.verdict;
    event.tests = (results.total > 0).then(|| results.counts());
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
        session.keep_staged(snapshot, &mut plan)?;
    }
    plan.notes.extend(session.result_note(results, jobs, None)?);
    session.state.accept_results(results.clone());
    plan.events.push(event);
    let commit = plan.commit;
    session.write(snapshot.tree, plan)?;
    Ok(commit)
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
    let mut session = session;
    check_size(repo, &session.snapshot_of_tracked()?)
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
