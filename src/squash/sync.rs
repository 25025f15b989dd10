//! A tree that no loop has seen, because the base moved on or a hook reformatted it, becomes a
//! WIP commit of its own and is tested before it goes anywhere.

use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::git::align::FromTo;
use crate::git::objects;
use crate::git::snapshot::Snapshot;
use crate::git::trees;
use crate::git::trees::names;
use crate::message;
use crate::message::squash::refused;
use crate::rules::{CommitLabel, Verdict};
use crate::step::experiment::LabOnDemand;
use crate::test_run::jobs;
use crate::test_run::progress::Progress;

/// Where a tree to be tested comes from.
pub(super) struct Untested<'a> {
    /// The worktree as it is.
    pub(super) from: gix::ObjectId,
    /// The tree.
    pub(super) tree: gix::ObjectId,
    /// What was merged in.
    pub(super) merged: Option<gix::ObjectId>,
    /// In words.
    pub(super) why: &'a str,
}

/// Commits a tree on the WIP branch and tests it. If the tests do not pass, all goes back, and
/// what was tried is kept for `recover`.
pub(super) fn sync(
    session: &mut Session<'_>,
    untested: &Untested<'_>,
    progress: &mut dyn Progress,
) -> Result<()> {
    let (head, head_tree) = (session.head, session.head_tree()?);
    let before = session.state.clone();
    let label = CommitLabel::Sync.name();
    let changes = trees::diff(session.repo, head_tree, untested.tree)?;
    let text = session.wip_message(label, "", &changes, &[]);
    let parents: Vec<_> = [head].into_iter().chain(untested.merged).collect();
    let commit = objects::commit(session.repo, untested.tree, &parents, &text)?;
    let mut event = session.event(EventKind::Commit, untested.why.to_owned());
    event.label = Some(label.into());
    event.commit = Some(commit.to_string());
    event.files = changes.len();
    // Until it is tested nothing is known of it.
    session.state.accepted_tree = untested.tree.to_string();
    session.state.accepted_results = None;
    session.state.hold = None;
    let step = |from, to| (from != to).then(|| FromTo::new(from, to));
    let plan = Plan {
        events: vec![event],
        commit: Some(commit),
        worktree: step(untested.from, untested.tree),
        index: step(head_tree, untested.tree),
        ..Plan::default()
    };
    let kept = names(session.write(untested.from, plan)?.kept.iter());
    let tested = match kept.is_empty() {
        true => test_head(session, label, progress),
        // Something came in the way meanwhile: what is there is not what is to be tested.
        false => Err(refused::in_the_way(&kept)),
    };
    if matches!(&tested, Ok(results) if results.verdict == Some(Verdict::Green)) {
        return Ok(());
    }
    let why = message::squash::not_passing(untested.why);
    go_back(session, before, head, (untested.tree, head_tree), &why)?;
    let results = tested?;
    let is_merge = untested.merged.is_some();
    Err(refused::does_not_pass(untested.why, is_merge, &results))
}

/// Runs the tests on the worktree, which is as HEAD has it, and records what they said.
pub(super) fn test_head(
    session: &mut Session<'_>,
    label: &str,
    progress: &mut dyn Progress,
) -> Result<TestResults> {
    let snapshot = session.snapshot()?;
    require_head(&snapshot)?;
    crate::branch::transaction::hold_snapshot(session.repo, &snapshot, session.head)?;
    let jobs = jobs::about(session.config, session.repo.root(), &[])?;
    let tested = session.test(snapshot, &jobs, None, &mut LabOnDemand::default(), progress)?;
    if !tested.unstable.is_empty() {
        return Err(Error::Unstable(tested.unstable));
    }
    // What was edited while the tests ran was tested as it is by now.
    require_head(&tested.snapshot)?;
    let results = tested.results;
    let mut event = session.event(EventKind::Record, String::new());
    event.label = Some(label.into());
    event.commit = Some(session.head.to_string());
    event.verdict = results.verdict;
    event.tests = (results.total > 0).then(|| results.counts());
    event.duration_ms = results.duration_ms;
    let mut plan = Plan {
        events: vec![event],
        ..Plan::default()
    };
    plan.notes
        .extend(session.result_note(&results, &jobs, None)?);
    if results.verdict == Some(Verdict::Green) {
        plan.notes
            .push(session.summary_note(session.head, label, Some(&results))?);
        session.state.last_green = Some(session.head.to_string());
        session.state.accept_results(results.clone());
    } else {
        session.state.note_results(results.clone());
    }
    session.write(tested.snapshot.tree, plan)?;
    Ok(results)
}

/// Fails if somebody is at work here: a result would not be one of HEAD.
fn require_head(snapshot: &Snapshot) -> Result<()> {
    if snapshot.changes.is_empty() {
        return Ok(());
    }
    let paths = names(snapshot.changes.iter().map(|change| &change.path));
    Err(refused::uncommitted(&paths))
}

fn go_back(
    session: &mut Session<'_>,
    before: crate::branch::state::State,
    head: gix::ObjectId,
    (from, to): (gix::ObjectId, gix::ObjectId),
    why: &str,
) -> Result<()> {
    let tried = session.head;
    let number = session.next_number()?;
    let mut event = session.event(EventKind::Revert, why.to_owned());
    event.recover = Some(number);
    let (revert, stats) = (session.state.last_revert, session.state.stats.clone());
    session.state = before;
    session.state.last_revert = revert;
    session.state.stats = stats;
    let plan = Plan {
        events: vec![event],
        commit: Some(head),
        saved: vec![(number, tried)],
        worktree: Some(FromTo::new(from, to)),
        index: Some(FromTo::new(from, to)),
        ..Plan::default()
    };
    session.write(from, plan).map(drop)
}
