//! The loop: snapshot, undo what is forbidden, test, decide, carry out.
//!
//! One pass over a tree is a round. A round that reverts a part and leaves changed tests behind is
//! followed by another one on what remains.

pub(crate) mod activate;
mod apply;
mod by_hand;
pub(crate) mod check;
pub(crate) mod classes;
mod client_files;
mod declare;
pub(crate) mod ingest;
pub(crate) mod jobs;
mod judge;
mod leftovers;
mod lint;
pub(crate) mod obstacles;
pub(crate) mod off;
pub(crate) mod outcome;
mod parked;
pub(crate) mod progress;
pub(crate) mod recover;
pub(crate) mod rename;
mod request;
pub(crate) mod results;
mod revert;
pub(crate) mod session;
pub(crate) mod smells;
pub(crate) mod spec_cycle;
pub(crate) mod spike;
mod staged;
pub(crate) mod stand_aside;
pub(crate) mod steps;
mod tested;
mod undecided;
mod undo;
mod wip_commit;

use gix::bstr::{BString, ByteSlice};

use crate::effects::fault;
use crate::effects::git::repo::Repo;
use crate::effects::git::snapshot::{self, Snapshot};
use crate::effects::git::trees;
use crate::effects::git::{align, housekeeping};
use crate::effects::lock;
use crate::effects::transaction;
use crate::error::{Error, Result};
use crate::installation::put_back::{self, Touch};
use crate::journal::event::{Counts, EventKind, Would};
use crate::journal::place::{self, Place};
use crate::journal::sealed::{self, Sealed};
use crate::journal::state::TestResults;
use crate::policy::Mode;
use outcome::{Action, Outcome};
use progress::Progress;
pub(crate) use request::LoopRequest;
use session::Session;

/// How a loop left the worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeftAt {
    tree: gix::ObjectId,
    head: gix::ObjectId,
}

/// What the loop did, and how its message is to be shown.
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    /// Nothing where it did not look at the worktree.
    pub(crate) left_at: Option<LeftAt>,
    show_output: bool,
    output_limit: usize,
}

impl Done {
    /// What was done in each round.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = &Outcome> {
        std::iter::successors(Some(&self.outcome), |outcome| outcome.then.as_deref())
    }

    /// How much of the tests' output is quoted.
    pub(crate) fn shown_output(&self) -> Option<usize> {
        self.show_output.then_some(self.output_limit)
    }
}

/// Files whose times the index does not know have to be read by every scan. Reading this many of
/// them, and one more for every so many entries, takes as long as writing the index.
const STALE_FILES: usize = 8;
const ENTRIES_PER_STALE_FILE: usize = 2_000;

/// A revert is followed by at most this many more rounds.
const ROUNDS: usize = 3;

/// Runs the loop once.
pub(crate) fn run(repo: &Repo, request: &LoopRequest, progress: &mut dyn Progress) -> Result<Done> {
    let done = run_alone(repo, request, progress)?;
    housekeeping::tidy_up(repo);
    Ok(done)
}

/// Runs the loop once, the only one in this worktree.
fn run_alone(repo: &Repo, request: &LoopRequest, progress: &mut dyn Progress) -> Result<Done> {
    let _lock = lock::of_worktree(repo.git_dir(), &mut |owner| progress.waiting(owner))?;
    let sealed = sealed::require(repo)?;
    let finished = transaction::finish_pending(repo)?;
    if finished.is_some() {
        repo.forget_look_ahead();
    }
    snapshot::look_ahead(repo);
    let place = rename::adopt(repo, place::locate(repo)?)?;
    let put_back = look_at_hooks(repo, &sealed, &place, request)?;
    if !put_back.is_empty() {
        repo.forget_look_ahead();
    }
    let done = |(mut outcome, left_at): (Outcome, _)| {
        let finished = finished.iter().map(|carried| &carried.saved);
        let finished = finished.map(|saved| crate::message::reasons::finished(saved));
        outcome.remarks.splice(0..0, finished);
        outcome.put_back.clone_from(&put_back);
        Done {
            outcome,
            left_at,
            show_output: sealed.config.show_test_output,
            output_limit: sealed.config.test_output_limit as usize,
        }
    };
    stand_aside::check(repo, &place)?;
    let Some(loaded) = place.loaded.clone() else {
        // Becoming active takes a commit of what is there.
        if request.report_only {
            return Err(Error::NotActive(place.base.to_string()));
        }
        return first_round(repo, &sealed.config, &place, request, progress).map(done);
    };
    let state = loaded.state.clone();
    let mut session = Session::new(
        repo,
        &sealed.config,
        &place,
        Some(loaded),
        state,
        request.by.clone(),
    )?;
    session.identity.clone_from(&request.identity);
    let off = off::why_off(&session.state, &sealed.config, session.base.as_bstr());
    if let Some(off) = off.filter(|_| !request.report_only) {
        let mut outcome = session.outcome(Action::None);
        let (reason, hint) = crate::message::phase::off(off, &session.base.to_string());
        outcome.reason = reason;
        outcome.hints.push(hint);
        return Ok(done((outcome, None)));
    }
    session.take_in_denials()?;
    session.note_put_back(&put_back)?;
    if request.step_goes_on && session.state.step.is_some() {
        return Ok(done((session.outcome(Action::None), None)));
    }
    let result = rounds(&mut session, request, progress);
    if result.is_err() {
        // Nothing was decided, so the worktree holds everything; a plan on its way stays.
        drop(transaction::forget_snapshot(repo));
    }
    result.map(|outcome| done((outcome, session.left_at())))
}

/// Puts hooks back that were disarmed since the last time; where nothing is to be touched, they are
/// only told of.
fn look_at_hooks(
    repo: &Repo,
    sealed: &Sealed,
    place: &Place,
    request: &LoopRequest,
) -> Result<Vec<String>> {
    let of_branch = place.loaded.as_ref().and_then(|loaded| loaded.state.mode);
    let mode = of_branch.unwrap_or(sealed.config.mode);
    let touch = match mode {
        Mode::Observe => Touch::Nothing,
        _ if request.report_only => Touch::Nothing,
        Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Off => Touch::PutBack,
    };
    put_back::check(repo, sealed, touch, request.by.is_some())
}

/// A branch that TCR has not seen: it becomes active, and nothing is reverted.
fn first_round(
    repo: &Repo,
    config: &crate::config::Config,
    place: &Place,
    request: &LoopRequest,
    progress: &mut dyn Progress,
) -> Result<(Outcome, Option<LeftAt>)> {
    let activated = activate::activate(repo, config, place, request.by.clone(), false, progress)?;
    let mut outcome = activated.session.outcome(Action::Activate);
    outcome.verdict = activated.results.verdict;
    outcome.commit = activated.baseline.map(|commit| commit.to_string());
    let recorded = crate::message::install::baseline(&activated);
    outcome.remarks.extend(recorded);
    outcome.files = names(activated.paths.iter());
    outcome.test_results = Some(activated.results);
    outcome.reason = crate::message::reasons::FIRST_RUN.into();
    outcome.hints.push(activated.session.next_step());
    Ok((outcome, activated.session.left_at()))
}

fn rounds(
    session: &mut Session<'_>,
    request: &LoopRequest,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    let mut outcomes = Vec::new();
    session.accept_foreign_head()?;
    for number in 0..ROUNDS {
        let (outcome, judge_rest) = round(session, request, progress)?;
        outcomes.push(outcome);
        // They are told once.
        session.remarks.clear();
        // Results from elsewhere say nothing of what a revert has left.
        if !judge_rest || request.ingested.is_some() || number + 1 == ROUNDS {
            break;
        }
    }
    let last = outcomes
        .pop()
        .ok_or_else(|| Error::internal("the loop ran no round"))?;
    Ok(outcomes.into_iter().rev().fold(last, |then, mut outcome| {
        outcome.hints.clear();
        outcome.then = Some(Box::new(then));
        outcome
    }))
}

/// One pass; the flag says that something remains to be judged.
fn round(
    session: &mut Session<'_>,
    request: &LoopRequest,
    progress: &mut dyn Progress,
) -> Result<(Outcome, bool)> {
    let mut snapshot = session.held_snapshot()?;
    session.left_tree = Some(snapshot.tree);
    if request.unless_still.is_some() && request.unless_still == session.left_at() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.outcome(Action::None), false));
    }
    let entries = session.repo.index()?.entries().len();
    if snapshot.stale.len() > STALE_FILES + entries / ENTRIES_PER_STALE_FILE {
        align::freshen_index(session.repo, &snapshot.stale)?;
    }
    let mut undone = undo::Undone::default();
    if !request.report_only {
        undone = session.undo_forbidden(&snapshot)?;
        if !undone.put_back.is_empty() {
            snapshot = session.held_snapshot()?;
            session.left_tree = Some(snapshot.tree);
        }
    }
    session.note_authors(snapshot.tree)?;
    if undone.leaves_some() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.left_there(undone), false));
    }
    if request.ingested.is_some() && !undone.put_back.is_empty() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.without_its_tree(undone), false));
    }
    if request.takes_known_results() && session.is_settled(&snapshot)? {
        transaction::drop_pending(session.repo)?;
        return Ok((session.settled(undone), false));
    }
    let looked_at = snapshot.tree;
    let judged = session.judge(snapshot, request, progress)?;
    if judged.snapshot.tree != looked_at && !request.report_only {
        // What came while the tests ran has to keep to the rules as well.
        let late = session.undo_forbidden(&judged.snapshot)?;
        if late.leaves_some() {
            transaction::drop_pending(session.repo)?;
            return Ok((session.left_there(late), false));
        }
        if !late.put_back.is_empty() {
            transaction::drop_pending(session.repo)?;
            return Ok((session.put_back_late(undone, late), true));
        }
        undone.reported = late.reported;
    }
    let judged = session.lint(judged, request, progress)?;
    let judged = session.smell(judged)?;
    let judged = session.ask_about_green(judged)?;
    session.left_tree = Some(match request.expects_restless {
        true => session.with_present(&judged.snapshot, &judged.unstable)?,
        false => judged.snapshot.tree,
    });
    let (mut outcome, judge_rest) = session.carry_out(judged, request)?;
    if !undone.reported.is_empty() {
        outcome
            .remarks
            .push(crate::message::reasons::should_not_have_changed(
                outcome.phase,
                &undone.reported,
            ));
    }
    outcome.hints.extend(undone.ways());
    outcome.remarks.extend(undone.diffs);
    outcome.with_undone(undone.put_back, undone.recover);
    Ok((outcome, judge_rest))
}

impl Session<'_> {
    /// Writes down that hooks had been disarmed.
    fn note_put_back(&mut self, put_back: &[String]) -> Result<()> {
        if put_back.is_empty() {
            return Ok(());
        }
        let event = self.event(EventKind::Disarmed, put_back.join("; "));
        self.record(vec![event])
    }

    fn left_at(&self) -> Option<LeftAt> {
        self.left_tree.map(|tree| LeftAt {
            tree,
            head: self.head,
        })
    }

    /// The tree of a snapshot with some paths as they are by now.
    fn with_present(&self, then: &Snapshot, paths: &[String]) -> Result<gix::ObjectId> {
        if paths.is_empty() {
            return Ok(then.tree);
        }
        let mut changes = trees::diff(self.repo, then.tree, self.snapshot()?.tree)?;
        changes.retain(|change| paths.contains(&change.path.to_string()));
        trees::with_changes(self.repo, then.tree, changes.iter())
    }

    /// Takes what the gate denied since the last loop into the journal.
    fn take_in_denials(&mut self) -> Result<()> {
        let denied = crate::tcr_gate::take_spooled(self.repo)?;
        if denied.is_empty() {
            return Ok(());
        }
        let only_observed = denied.iter().filter(|denial| denial.only_observed).count();
        self.state.stats.denials += (denied.len() - only_observed) as u64;
        let events = denied
            .into_iter()
            .map(|denial| {
                let mut event = self.event(EventKind::Denied, denial.what);
                event.at = denial.at;
                event.by = Some(denial.client);
                event.cause = (!denial.cause.is_empty()).then_some(denial.cause);
                event.would = denial.only_observed.then_some(Would::Deny);
                event
            })
            .collect();
        self.record(events)
    }

    /// A snapshot that stays reachable whatever happens next.
    fn held_snapshot(&self) -> Result<Snapshot> {
        let snapshot = self.snapshot()?;
        fault::point("snapshot-taken");
        transaction::hold_snapshot(self.repo, &snapshot, self.head)?;
        fault::point("snapshot-held");
        Ok(snapshot)
    }

    /// What is to be done next, and in a spec cycle by whom.
    pub(crate) fn next_step(&self) -> String {
        let ready = self.is_ready_to_freeze();
        crate::message::spec::next_in_mode(&self.state, self.mode(), ready)
    }

    /// Whether there is nothing that a test run could tell: the tree is HEAD's and its result is
    /// known, or only docs changed.
    fn is_settled(&self, snapshot: &Snapshot) -> Result<bool> {
        let head_is_known = self
            .state
            .accepted_results()
            .is_some_and(|results| results.verdict.is_some() && self.is_accepted(results))
            // What stops them may lie outside of the tree.
            && !self.state.never_ran();
        let changes = self.changes_since_tested(snapshot)?;
        Ok(head_is_known && !self.is_dirty(&changes) && self.state.step.is_none())
    }

    fn is_accepted(&self, results: &TestResults) -> bool {
        results.tree == self.state.accepted_tree
    }
}

/// Paths as text.
pub(crate) fn names<'a>(paths: impl Iterator<Item = &'a BString>) -> Vec<String> {
    paths.map(ToString::to_string).collect()
}

/// How many tests ended how.
pub(crate) fn counts_of(results: &TestResults) -> Counts {
    Counts {
        passed: results.passed.len(),
        failed: results.failed.len(),
        skipped: results.skipped.len(),
    }
}
