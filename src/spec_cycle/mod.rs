//! The spec cycle: scenarios first, tests certified by someone who did not write them, then code
//! that may not touch either.

mod authors;
pub(crate) mod done;
pub(crate) mod evidence;
mod evidence_check;
mod files;
pub(crate) mod freeze;
mod frozen;
pub(crate) mod needs;
mod opinion;
pub(crate) mod start;
pub(crate) mod supersede;
pub(crate) mod test_bug;
mod validator;

use crate::branch::state::State;
use crate::git::repo::Repo;
use gix::bstr::BStr;
use gix::bstr::ByteSlice;

use crate::branch::cycle::Authors;
use crate::branch::event::{Event, EventKind};
use crate::branch::session::{Plan, Session};
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::git::refs::{self, Move, Pointer};
use crate::git::snapshot::Snapshot;
use crate::git::trees::Change;
use crate::message;
use crate::rules::{Mode, PathClass, Phase, Refusal};
use crate::step::experiment::LabOnDemand;
use crate::step::tested::Tested;
use crate::test_run::jobs;
use crate::test_run::progress::Progress;

pub(crate) use files::TextFile;

impl Session<'_> {
    /// Whether this mode commits what it accepts.
    fn commits(&self) -> bool {
        match self.mode() {
            Mode::Both | Mode::Tcr | Mode::Relaxed => true,
            Mode::Tdd | Mode::Observe | Mode::Off => false,
        }
    }

    /// The result of this very tree: known from a run of the configured command, or from a run now.
    /// What an agent brought is never asked.
    fn result_of(
        &mut self,
        snapshot: Snapshot,
        progress: &mut dyn Progress,
    ) -> Result<(Snapshot, TestResults)> {
        let jobs = jobs::about(self.config, self.repo.root(), &[])?;
        if let Some(results) = self.cached(snapshot.tree, &jobs, None)? {
            return Ok((snapshot, results));
        }
        let Tested {
            snapshot,
            results,
            unstable,
            ..
        } = self.test(snapshot, &jobs, None, &mut LabOnDemand::default(), progress)?;
        if !unstable.is_empty() {
            return Err(Error::Unstable(unstable));
        }
        Ok((snapshot, results))
    }

    /// A declared event with its own name in the log.
    fn declared_event(&self, label: &str, note: impl Into<String>) -> Event {
        let mut event = self.event(EventKind::Phase, note.into());
        event.label = Some(label.to_owned());
        event.by = Some(self.by.clone().unwrap_or_default()).filter(|by| !by.is_empty());
        event
    }

    /// Notes that something was refused, so that the attempt is in the log.
    fn record_refusal(&mut self, what: &str, why: &str) -> Result<()> {
        let mut event = self.event(EventKind::Denied, format!("{what}: {why}"));
        event.cause = Some("spec_cycle".into());
        self.state.stats.denials += 1;
        self.record(vec![event])
    }

    /// Forgets the cycle that has ended; what it left under refs stays.
    pub(super) fn forget_cycle(&mut self, plan: &mut Plan) -> Result<()> {
        retire_oracle(self.repo, &mut self.state, self.base.as_bstr(), plan)?;
        self.state.spec = None;
        self.state.plan = None;
        self.state.authors = Authors::default();
        self.state.concerns.clear();
        self.state.test_bugs.clear();
        self.state.green_opinion = None;
        self.state.seen_tree = None;
        self.state.awaited.clear();
        Ok(())
    }

    /// Begins a free cycle after a spec cycle that is over.
    pub(crate) fn begin_free_cycle(&mut self) -> Result<()> {
        let mut plan = Plan::default();
        self.forget_cycle(&mut plan)?;
        self.state.cycle += 1;
        self.state.enter(Phase::Red, &crate::clock::timestamp());
        plan.events
            .push(self.event(EventKind::Phase, String::new()));
        let tree = self.head_tree()?;
        self.write(tree, plan).map(drop)
    }

    /// Whether anything but docs is uncommitted.
    pub(super) fn is_dirty(&self, changes: &[Change]) -> bool {
        let judged = |change: &Change| match self.class(change.path.as_bstr()) {
            PathClass::Docs | PathClass::Spec => false,
            PathClass::Protected
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Mixed
            | PathClass::Source
            | PathClass::Other => true,
        };
        changes.iter().any(judged)
    }
}

/// Puts the frozen oracle into the archive: nothing that was certified is ever lost.
pub(crate) fn retire_oracle(
    repo: &Repo,
    state: &mut State,
    base: &BStr,
    plan: &mut Plan,
) -> Result<()> {
    state.oracle = None;
    let name = refs::oracle(base);
    let Some(old) = refs::current(repo, &name)? else {
        return Ok(());
    };
    let archive = loop {
        state.last_oracle += 1;
        let archive = refs::archived_oracle(base, state.last_oracle);
        if refs::read(repo, &archive)?.is_none() {
            break archive;
        }
    };
    plan.moves.push(Move {
        name: archive,
        old: None,
        new: Some(old.clone()),
    });
    plan.moves.push(Move {
        name,
        old: Some(old),
        new: None,
    });
    Ok(())
}

/// A refusal in the words of the spec cycle.
fn refused(refusal: Refusal, asked: &str, phase: Phase) -> Error {
    let (what, hint) = message::spec::refusal(refusal, asked, phase);
    Error::Refused { what, hint }
}

/// A ref that is made and must not exist.
fn new_ref(name: String, id: gix::ObjectId) -> Move {
    Move {
        name,
        old: None,
        new: Some(Pointer::object(id)),
    }
}
