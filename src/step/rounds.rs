//! The loop: snapshot, undo what is forbidden, test, decide, carry out.
//!
//! One pass over a tree is a round. A round that reverts a part and leaves changed tests behind is
//! followed by another one on what remains.

use crate::branch::state::State;
use gix::bstr::ByteSlice;

use super::turn::Turn;
use crate::branch::event::{EventKind, Would};
use crate::branch::place::{self, Place};
use crate::branch::sealed::{self, Sealed};
use crate::branch::session::Session;
use crate::branch::state::KeptWork;
use crate::branch::transaction;
use crate::branch::{off, rename, stand_aside};
use crate::error::{Error, Result};
use crate::fault;
use crate::git::lock;
use crate::git::repo::Repo;
use crate::git::snapshot::{self, Snapshot};
use crate::git::trees;
use crate::git::{align, housekeeping};
use crate::install::put_back;
use crate::outcome::install::Touch;
use crate::outcome::step::{Action, Because, Outcome};
use crate::rules::{Label, Mode};
use crate::step::applied;
use crate::step::experiment::LabOnDemand;
use crate::step::frozen::Frozen;
use crate::step::judge::{self, Means};
use crate::step::memory::Memory;
use crate::step::request::LoopRequest;
use crate::test_run::progress::Progress;

/// How a loop left the worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeftAt {
    tree: gix::ObjectId,
    head: gix::ObjectId,
}

/// What the loop did, and how its message is to be shown.
pub(crate) struct Done {
    /// The last judgement, with those before it.
    pub(crate) outcome: Outcome,
    /// Nothing where it did not look at the worktree.
    pub(crate) left_at: Option<LeftAt>,
    show_output: bool,
    output_limit: usize,
}

impl Done {
    /// What was done in each round.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = &Outcome> {
        let only = self.outcome.rounds.is_empty().then_some(&self.outcome);
        self.outcome.rounds.iter().chain(only)
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

/// What is left after a commit is judged next, this often at the most.
const ROUNDS: usize = 4;

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
        let finished = finished.map(|saved| crate::message::step::finished(saved));
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
        // Becoming active is a change of its own.
        if request.report_only {
            return Err(Error::NotActive(place.base.to_string()));
        }
        let mut session =
            crate::step::activate::first_step(repo, &sealed.config, &place, request.by.clone())?;
        session.identity.clone_from(&request.identity);
        let outcome = rounds(&mut session, request, progress)?;
        return Ok(done((outcome, session.left_at())));
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
    if request.by.is_none() && !request.report_only {
        // A person has it judged, whoever wrote it.
        session.state.unclear.clear();
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

fn rounds(
    session: &mut Session<'_>,
    request: &LoopRequest,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    let mut lab = LabOnDemand::default();
    let mut memory = Memory::default();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut tests_came_along = false;
    if session.goes_to_next(request)? {
        return Ok(session.outcome(Action::None));
    }
    if let Some(begun) = request.turn.as_ref().and_then(Turn::begun) {
        session.take_back_commits(&begun)?;
    }
    session.accept_foreign_head()?;
    for _ in 0..ROUNDS {
        let mut means = Means {
            request,
            progress: &mut *progress,
            lab: &mut lab,
            memory: &mut memory,
            tests_came_along,
        };
        let (mut outcome, is_left) = round(session, &mut means)?;
        if is_left && request.ingested.is_some() {
            outcome
                .hints
                .push(crate::message::step::JUDGE_THE_REST.into());
        }
        // They are told once.
        session.remarks.clear();
        session.left_out.clear();
        tests_came_along |= matches!(
            outcome.why,
            Some(Because::Committed(Label::Red | Label::Test))
        );
        let did_nothing = outcome.action == Action::None
            && outcome.phase == outcome.next_phase
            && !outcomes.is_empty();
        if !did_nothing {
            outcomes.push(outcome);
        }
        if is_left {
            fault::point("round-done");
        }
        // Results from elsewhere say nothing of what is left.
        if !is_left || request.ingested.is_some() {
            break;
        }
    }
    told(outcomes)
}

/// The last judgement, with those before it; only the last one says what comes next.
fn told(mut outcomes: Vec<Outcome>) -> Result<Outcome> {
    let last = outcomes
        .last()
        .cloned()
        .ok_or_else(|| Error::internal("the loop ran no round"))?;
    if outcomes.len() == 1 {
        return Ok(last);
    }
    let before = outcomes.len() - 1;
    for outcome in outcomes.iter_mut().take(before) {
        outcome.hints.clear();
    }
    Ok(Outcome {
        rounds: outcomes,
        ..last
    })
}

/// One pass; the flag says that something is left to be judged.
fn round(session: &mut Session<'_>, means: &mut Means<'_>) -> Result<(Outcome, bool)> {
    let request = means.request;
    let mut snapshot = session.held_snapshot()?;
    session.left_tree = Some(snapshot.tree);
    session.name_private(&snapshot);
    if request.unless_still.is_some() && request.unless_still == session.left_at() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.outcome(Action::None), false));
    }
    let entries = session.repo.index()?.entries().len();
    if snapshot.stale.len() > STALE_FILES + entries / ENTRIES_PER_STALE_FILE {
        align::freshen_index(session.repo, &snapshot.stale)?;
    }
    let mut frozen = Frozen::default();
    if !request.report_only {
        frozen = session.take_back_frozen(&snapshot)?;
        if !frozen.taken_back.is_empty() {
            snapshot = session.held_snapshot()?;
            session.left_tree = Some(snapshot.tree);
        }
    }
    session.note_authors(snapshot.tree)?;
    if frozen.leaves_some() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.left_there(frozen), false));
    }
    if request.ingested.is_some() && !frozen.taken_back.is_empty() {
        transaction::drop_pending(session.repo)?;
        return Ok((session.without_its_tree(frozen), false));
    }
    if session.state.was_kept_like_this(&snapshot, request) {
        transaction::drop_pending(session.repo)?;
        let mut outcome = session.outcome(Action::None);
        frozen.tell(&mut outcome);
        return Ok((outcome, false));
    }
    session.leave_done(&snapshot)?;
    let looked_at = snapshot.tree;
    let judged = judge::judge(session, snapshot, means)?;
    if judged.snapshot.tree != looked_at && !request.report_only {
        // What came while the tests ran has to keep to the rules as well.
        let late = session.take_back_frozen(&judged.snapshot)?;
        if late.leaves_some() {
            transaction::drop_pending(session.repo)?;
            return Ok((session.left_there(late), false));
        }
        if !late.taken_back.is_empty() {
            transaction::drop_pending(session.repo)?;
            return Ok((session.taken_back_late(frozen, late), true));
        }
        frozen.reported = late.reported;
    }
    let carry = applied::applied(session, judged, request, means.progress)?;
    session.left_tree = Some(match request.expects_restless {
        true => session.with_present(&carry.judged.snapshot, &carry.judged.unstable)?,
        false => carry.judged.snapshot.tree,
    });
    let (mut outcome, is_left) = session.carry_out(carry, request)?;
    frozen.tell(&mut outcome);
    Ok((outcome, is_left))
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

    /// Whether the hook of a later call judges this one too.
    fn goes_to_next(&self, request: &LoopRequest) -> Result<bool> {
        let has_changed = || Ok(self.snapshot()?.tree != self.accepted_tree()?);
        match &request.turn {
            Some(turn) => turn.goes_to_next(has_changed),
            None => Ok(false),
        }
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
        let denied = crate::branch::spool::take_denials(self.repo)?;
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
    pub(crate) fn held_snapshot(&self) -> Result<Snapshot> {
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
}

impl State {
    /// Whether a client's call left everything as it was when it was last judged and kept.
    fn was_kept_like_this(&self, snapshot: &Snapshot, request: &LoopRequest) -> bool {
        let tree = snapshot.tree.to_string();
        let is_same = |kept: &KeptWork| kept.tree == tree && kept.phase == Some(self.phase);
        let is_call = request.by.is_some() && request.step_goes_on && !request.ends_turn;
        is_call && self.kept.as_ref().is_some_and(is_same)
    }
}
