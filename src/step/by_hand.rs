//! What people do beside the loop: uncommitted work found at a session's start, commits of their own.

use crate::branch::state::State;
use crate::git::repo::Repo;
use gix::bstr::{BStr, ByteSlice};

use crate::branch::event::EventKind;
use crate::branch::session::{self, Session};
use crate::branch::stand_aside;
use crate::branch::transaction;
use crate::error::Result;
use crate::git::snapshot::Snapshot;
use crate::git::trees::{self, Change};
use crate::git::{align, refs};
use crate::outcome::step::WhyUnclear;
use crate::rules::{CycleKind, Mode, Phase};
use crate::test_run::jobs;

/// A reason to doubt that a person made what is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) why: WhyUnclear,
    /// The only files it is about; none where it may be any.
    pub(crate) paths: Option<Vec<String>>,
}

impl Doubt {
    fn covers(&self, change: &Change) -> bool {
        let path = change.path.to_string();
        (self.paths.as_ref()).is_none_or(|paths| paths.contains(&path))
    }
}

impl Session<'_> {
    /// Commits what a person left uncommitted, so that no revert takes it. What is in doubt is kept
    /// and named.
    pub(crate) fn record_by_hand(&mut self, seen_by: &str, doubts: &[Doubt]) -> Result<()> {
        let commits = match self.mode() {
            Mode::Both | Mode::Tcr | Mode::Relaxed => true,
            Mode::Tdd | Mode::Observe | Mode::Off => false,
        };
        if !commits {
            return Ok(());
        }
        self.accept_foreign_head()?;
        let snapshot = self.held_snapshot()?;
        let since = self.since_last_judged(&snapshot.changes)?;
        let (unclear, by_hand): (Vec<Change>, Vec<Change>) = since
            .into_iter()
            .partition(|change| doubts.iter().any(|doubt| doubt.covers(change)));
        if !unclear.is_empty() {
            self.note_unclear(&snapshot, &unclear, doubts)?;
        }
        if by_hand.is_empty() {
            return transaction::drop_pending(self.repo);
        }
        self.note_authors(snapshot.tree)?;
        let head_tree = self.head_tree()?;
        let tree = trees::with_changes(self.repo, head_tree, by_hand.iter())?;
        let label = crate::rules::CommitLabel::ByHand.name();
        let commit = self.wip_commit(tree, label, "", &by_hand)?;
        let mut event = self.event(
            EventKind::Commit,
            format!("found by a session of {seen_by}"),
        );
        event.label = Some(label.into());
        event.commit = Some(commit.to_string());
        event.files = by_hand.len();
        let mut plan = session::Plan {
            events: vec![event],
            commit: Some(commit),
            index: Some(align::FromTo::new(head_tree, tree)),
            ..session::Plan::default()
        };
        plan.notes.push(self.summary_note(commit, label, None)?);
        self.keep_staged(&snapshot, &mut plan)?;
        self.state.accepted_tree = tree.to_string();
        self.state.accepted_results = None;
        self.state.hold = None;
        self.write(snapshot.tree, plan).map(drop)
    }

    /// Keeps what may be an agent's: it is no baseline, and nothing takes it back but a frozen oracle.
    fn note_unclear(
        &mut self,
        snapshot: &Snapshot,
        unclear: &[Change],
        doubts: &[Doubt],
    ) -> Result<()> {
        let names = trees::names(unclear.iter().map(|change| &change.path));
        let covers = |doubt: &&Doubt| unclear.iter().any(|change| doubt.covers(change));
        let told: Vec<String> = (doubts.iter().filter(covers))
            .map(|doubt| crate::message::step::unclear(&names, &doubt.why))
            .collect();
        let paths = unclear
            .iter()
            .map(|change| refs::component(change.path.as_bstr()));
        self.state.unclear.extend(paths);
        let kept = match self.kept_tree() {
            Some(kept) => kept,
            None => self.head_tree()?,
        };
        let kept = trees::with_changes(self.repo, kept, unclear.iter())?;
        self.state.kept_tree = Some(kept.to_string());
        let mut event = self.event(EventKind::Keep, told.join("; "));
        event.cause = Some("unclear".into());
        event.files = unclear.len();
        self.remarks.extend(told);
        let plan = session::Plan {
            events: vec![event],
            ..session::Plan::default()
        };
        self.write(snapshot.tree, plan).map(drop)
    }

    /// What is committed is clear enough.
    pub(crate) fn forget_unclear<'p>(&mut self, paths: impl Iterator<Item = &'p BStr>) {
        for path in paths {
            self.state.unclear.remove(&refs::component(path));
        }
    }

    /// The changes that came after the loop last left work of an agent uncommitted.
    fn since_last_judged(&self, changes: &[Change]) -> Result<Vec<Change>> {
        let Some(judged) = self.kept_tree() else {
            return Ok(changes.to_vec());
        };
        let mut since = Vec::new();
        for change in changes {
            if trees::lookup(self.repo, judged, change.path.as_bstr())? != change.after {
                since.push(change.clone());
            }
        }
        Ok(since)
    }

    /// A commit at HEAD that is not TCR's is a new baseline; a WIP branch that was rewound or
    /// deleted keeps its old tip under `refs/tcr/`.
    pub(crate) fn accept_foreign_head(&mut self) -> Result<()> {
        let head = self.head.to_string();
        let known = self.state.wip_tip.as_ref().unwrap_or(&self.state.fork);
        if *known == head {
            return Ok(());
        }
        let known_tip = known.clone();
        let mut plan = session::Plan::default();
        let mut note = format!("`{}` is a new baseline", crate::message::short_id(&head));
        if let Some(lost) = lost_tip(self.repo, &self.state, self.head)? {
            let number = self.next_number()?;
            plan.saved.push((number, lost));
            note.push_str(&format!(", the tip before is kept as recover {number}"));
            self.state.begin_anew();
        }
        let tree = self.head_tree()?;
        self.state.wip_tip = Some(head.clone());
        let accepted = tree.to_string();
        if self.state.accepted_tree != accepted {
            self.state.accepted_results = self.cached(
                tree,
                &jobs::about(self.config, self.repo.root(), &[])?,
                None,
            )?;
            self.state.accepted_tree = accepted;
        }
        self.state.hold = None;
        let known = gix::ObjectId::from_hex(known_tip.as_bytes()).ok();
        self.note_commit_authors(known.filter(|known| self.repo.gix.has_object(known)))?;
        let changed = self.note_oracle_in_head()?;
        if !changed.is_empty() {
            note.push_str("; ");
            note.push_str(&crate::message::spec::oracle_stays(&changed));
        }
        let mut event = self.event(EventKind::Commit, note);
        event.label = Some("by-hand".into());
        event.commit = Some(head);
        plan.events.push(event);
        self.write(tree, plan).map(drop)
    }
}

impl State {
    /// With the history the red of this cycle may be gone. If it is not, the next result says so.
    fn begin_anew(&mut self) {
        if self.cycle_kind() == CycleKind::Free && self.phase == Phase::Green {
            self.enter(Phase::Red, &crate::clock::timestamp());
            self.awaited.clear();
        }
    }
}

/// The newest WIP commit, if neither HEAD nor the WIP branch has it any more.
fn lost_tip(repo: &Repo, state: &State, head: gix::ObjectId) -> Result<Option<gix::ObjectId>> {
    let known = state.wip.as_ref().and(state.wip_tip.as_ref());
    let Some(known) = known.and_then(|hex| gix::ObjectId::from_hex(hex.as_bytes()).ok()) else {
        return Ok(None);
    };
    let lost = repo.gix.has_object(known) && !stand_aside::contains(repo, head, known)?;
    Ok(lost.then_some(known))
}

impl State {
    /// Whether it can't be told of one of these paths who wrote it.
    pub(crate) fn is_unclear(&self, paths: &[String]) -> bool {
        let is_one = |path: &String| {
            let path = refs::component(path.as_str().into());
            self.unclear.contains(&path)
        };
        !self.unclear.is_empty() && paths.iter().any(is_one)
    }
}
