//! A branch at work: its state, where it stands, and the one way to write both.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};

use crate::branch::classes::Classes;
use crate::branch::client_files;
use crate::branch::event::{Event, EventKind};
use crate::branch::off::effective_mode;
use crate::branch::place::Place;
use crate::branch::state::State;
use crate::branch::transaction::{self, Carried, Transaction};
use crate::branch::{Beside, Loaded, outputs};
use crate::clock;
use crate::config::Config;
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::drift;
use crate::git::notes::Note;
use crate::git::objects;
use crate::git::ref_writer;
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::git::snapshot::{self, Snapshot, SnapshotRules};
use crate::rules::private::is_private;
use crate::rules::{CommitLabel, CycleKind, Mode, PathClass, Phase};

/// The line in the reflogs.
pub(crate) const REFLOG: &str = "git tcr";

/// A branch at work.
pub(crate) struct Session<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) config: &'a Config,
    pub(crate) classes: Classes,
    pub(crate) base: BString,
    pub(crate) wip: gix::refs::FullName,
    pub(crate) on_wip: bool,
    pub(crate) head: gix::ObjectId,
    pub(crate) state: State,
    /// The client that acts, if it is not a person.
    pub(crate) by: Option<String>,
    /// Which of its agents it is, where that is known.
    pub(crate) identity: Option<String>,
    /// The worktree as it was last looked at or brought in line.
    pub(crate) left_tree: Option<gix::ObjectId>,
    /// What happened on the way that is worth knowing, a fact a line.
    pub(crate) remarks: Vec<String>,
    /// What test runs printed that no link keeps yet.
    pub(crate) printed: Vec<String>,
    /// Files that were found to be part of no commit, as long as it was not told.
    pub(crate) left_out: Vec<String>,
    /// The newest link of the state chain.
    tip: Option<gix::ObjectId>,
    /// Where the WIP branch was found.
    wip_at: Option<gix::ObjectId>,
}

/// What one decision writes.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) events: Vec<Event>,
    /// A new commit on the WIP branch.
    pub(crate) commit: Option<gix::ObjectId>,
    /// Commits that become entries under `refs/tcr/reverts/`, with their numbers.
    pub(crate) saved: Vec<(u64, gix::ObjectId)>,
    pub(crate) notes: Vec<Note>,
    pub(crate) worktree: Option<FromTo>,
    pub(crate) index: Option<FromTo>,
    /// Further refs that move with it.
    pub(crate) moves: Vec<Move>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        repo: &'a Repo,
        config: &'a Config,
        place: &Place,
        loaded: Option<Loaded>,
        state: State,
        by: Option<String>,
    ) -> Result<Self> {
        let classes = Classes::new(repo, config, state.spec_path())?;
        Ok(Session {
            repo,
            config,
            classes,
            base: place.base.clone(),
            wip: place.wip.clone(),
            on_wip: place.on_wip,
            head: place.head.commit,
            wip_at: place.wip_tip(repo)?,
            tip: loaded.map(|loaded| loaded.tip),
            left_tree: None,
            remarks: Vec::new(),
            printed: Vec::new(),
            left_out: Vec::new(),
            state,
            by,
            identity: None,
        })
    }

    /// The branch at work, if TCR is active on it, by whoever calls.
    pub(crate) fn of_caller(repo: &'a Repo, config: &'a Config, place: &Place) -> Result<Self> {
        let loaded = place.require()?.clone();
        let state = loaded.state.clone();
        let by = crate::person::calling_agent().map(str::to_owned);
        Session::new(repo, config, place, Some(loaded), state, by)
    }

    /// The mode that counts on this branch.
    pub(crate) fn mode(&self) -> Mode {
        effective_mode(&self.state, self.config, self.base.as_bstr())
    }

    /// The cycle that work of this moment belongs to: refactors belong to the one before.
    pub(crate) fn cycle(&self) -> u64 {
        match (self.state.phase, self.state.cycle_kind()) {
            (Phase::Refactor, CycleKind::Free) => self.state.cycle.saturating_sub(1).max(1),
            _ => self.state.cycle,
        }
    }

    /// The cycle that a commit with this label belongs to: out of `refactor` a red begins the next.
    pub(crate) fn cycle_of(&self, label: &str) -> u64 {
        match label == CommitLabel::Red.name() {
            true => self.state.cycle,
            false => self.cycle(),
        }
    }

    pub(crate) fn class(&self, path: &BStr) -> PathClass {
        self.classes.classify(path)
    }

    pub(crate) fn head_tree(&self) -> Result<gix::ObjectId> {
        self.repo.tree_of(self.head)
    }

    /// Takes a snapshot of the worktree.
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        let leftovers = self.leftovers();
        let hidden = |path: &BStr| self.is_judged(path);
        let rules = SnapshotRules {
            leftovers: &leftovers,
            private: &|path, size| is_private(path, Some(size)),
            never_hidden: &hidden,
        };
        let taken = snapshot::take(self.repo, self.head_tree()?, &rules)?;
        client_files::without_own_entries(self.repo, &self.classes, taken)
    }

    /// What changed in the worktree since a snapshot.
    pub(crate) fn drift(&self, snapshot: &Snapshot) -> Result<drift::Drift> {
        let leftovers = self.leftovers();
        let hidden = |path: &BStr| self.is_judged(path);
        let rules = SnapshotRules {
            leftovers: &leftovers,
            private: &|path, size| is_private(path, Some(size)),
            never_hidden: &hidden,
        };
        drift::since(self.repo, self.head_tree()?, snapshot, &rules)
    }

    pub(crate) fn is_judged(&self, path: &BStr) -> bool {
        match self.class(path) {
            PathClass::Harness | PathClass::Test | PathClass::Mixed | PathClass::Source => true,
            PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => false,
        }
    }

    fn leftovers(&self) -> BTreeMap<BString, gix::ObjectId> {
        let known = self.state.leftovers.iter();
        known
            .filter_map(|(path, id)| {
                let id = gix::ObjectId::from_hex(id.as_bytes()).ok()?;
                Some((refs::name_of_component(BStr::new(path)), id))
            })
            .collect()
    }

    /// The next free number under `refs/tcr/reverts/`.
    pub(crate) fn next_number(&mut self) -> Result<u64> {
        loop {
            self.state.last_revert += 1;
            let name = refs::revert(self.base.as_bstr(), self.state.last_revert);
            if refs::read(self.repo, &name)?.is_none() {
                return Ok(self.state.last_revert);
            }
        }
    }

    /// Writes a commit that keeps the worktree of a snapshot, and staged content that is nowhere else.
    pub(crate) fn save(&mut self, snapshot: &Snapshot, why: &str) -> Result<(u64, gix::ObjectId)> {
        let number = self.next_number()?;
        let mut parents = vec![self.head];
        if let Some(index) =
            crate::branch::staged::commit_of_staged(self.repo, self.head, snapshot)?
        {
            parents.push(index);
        }
        let message = format!(
            "{why}\n\nTCR-Phase: {}\nTCR-Cycle: {}\n",
            self.state.phase,
            self.cycle()
        );
        let commit = objects::commit(self.repo, snapshot.tree, &parents, &message)?;
        Ok((number, commit))
    }

    /// An event of this moment.
    pub(crate) fn event(&self, kind: EventKind, note: String) -> Event {
        Event {
            at: clock::timestamp(),
            event: kind,
            phase: self.state.phase,
            next_phase: self.state.phase,
            cycle: self.cycle(),
            label: None,
            verdict: None,
            commit: None,
            recover: None,
            tests: None,
            files: 0,
            lines: None,
            duration_ms: 0,
            note,
            cause: None,
            would: None,
            by: self.by.clone(),
        }
    }

    /// Carries a plan out: state, refs, notes, worktree and index, together.
    pub(crate) fn write(&mut self, tree: gix::ObjectId, plan: Plan) -> Result<Carried> {
        let mut moves = Vec::new();
        if let Some(commit) = plan.commit {
            moves.extend(self.commit_moves(commit));
            if !self.on_wip {
                self.state.fork = self.head.to_string();
            }
            self.state.wip = Some(self.wip_name());
            self.state.wip_tip = Some(commit.to_string());
            self.state.kept_tree = None;
        }
        let head_moves = (plan.commit.is_some() && !self.on_wip)
            || plan.moves.iter().any(|item| item.name == "HEAD");
        moves.extend(plan.moves);
        if !head_moves && (plan.commit.is_some() || plan.worktree.is_some() || plan.index.is_some())
        {
            for stays in self.head_stays() {
                if moves.iter().all(|item| item.name != stays.name) {
                    moves.push(stays);
                }
            }
        }
        for (number, commit) in &plan.saved {
            moves.push(Move {
                name: refs::revert(self.base.as_bstr(), *number),
                old: None,
                new: Some(Pointer::object(*commit)),
            });
        }
        if let (Some(step), Some(seen)) = (&plan.worktree, &mut self.state.seen_tree) {
            // What git tcr itself changes was written by nobody.
            step.to.clone_into(seen);
        }
        let (link, tip) = self.link(&plan.events)?;
        moves.push(link);
        if let Some(goes_to) = plan.worktree.as_ref() {
            self.left_tree = gix::ObjectId::from_hex(goes_to.to.as_bytes()).ok();
        }
        let transaction = Transaction {
            moves,
            notes: plan.notes,
            worktree: plan.worktree,
            index: plan.index,
            log: REFLOG.into(),
        };
        let carried = transaction::carry_out(self.repo, tree, &transaction)?;
        self.tip = tip;
        if let Some(commit) = plan.commit {
            self.head = commit;
            self.wip_at = Some(commit);
            self.on_wip = true;
        }
        Ok(carried)
    }

    /// HEAD's branch was brought back to a commit.
    pub(crate) fn went_back_to(&mut self, commit: gix::ObjectId) {
        self.head = commit;
        if self.on_wip {
            self.wip_at = Some(commit);
        }
    }

    fn wip_name(&self) -> String {
        self.wip.as_bstr().to_str_lossy().into_owned()
    }

    /// The moves of a commit on the WIP branch. All refs must be where they were when the work was
    /// looked at: a commit that somebody made meanwhile is not built over.
    fn commit_moves(&self, commit: gix::ObjectId) -> Vec<Move> {
        let wip = self.wip_name();
        let mut moves = vec![Move {
            name: wip.clone(),
            old: self.wip_at.map(Pointer::object),
            new: Some(Pointer::object(commit)),
        }];
        if !self.on_wip {
            let base = format!("refs/heads/{}", self.base);
            let stays = Some(Pointer::object(self.head));
            moves.push(Move {
                name: base.clone(),
                old: stays.clone(),
                new: stays,
            });
            moves.push(Move {
                name: "HEAD".into(),
                old: Some(Pointer::Ref(base)),
                new: Some(Pointer::Ref(wip)),
            });
        }
        moves
    }

    /// Worktree and index belong to the commit that was looked at: they are left alone if HEAD was
    /// switched meanwhile, or somebody has committed what they hold.
    fn head_stays(&self) -> [Move; 2] {
        let branch = match self.on_wip {
            true => self.wip_name(),
            false => format!("refs/heads/{}", self.base),
        };
        let stays = |name: &str, at: Pointer| Move {
            name: name.into(),
            old: Some(at.clone()),
            new: Some(at),
        };
        [
            stays("HEAD", Pointer::Ref(branch.clone())),
            stays(&branch, Pointer::object(self.head)),
        ]
    }

    /// A tree that later results are compared with, where no commit holds it.
    fn uncommitted(&self) -> Option<gix::ObjectId> {
        match self.mode() {
            Mode::Tdd | Mode::Observe => self.tree_at_hand(&self.state.accepted_tree),
            Mode::Both | Mode::Tcr | Mode::Relaxed | Mode::Off => self.kept_tree(),
        }
    }

    /// The worktree as the loop last left work of an agent in it.
    pub(crate) fn kept_tree(&self) -> Option<gix::ObjectId> {
        self.tree_at_hand(self.state.kept_tree.as_ref()?)
    }

    pub(crate) fn tree_at_hand(&self, hex: &str) -> Option<gix::ObjectId> {
        let tree = gix::ObjectId::from_hex(hex.as_bytes()).ok()?;
        self.repo.gix.has_object(tree).then_some(tree)
    }

    /// The newest link of the state chain.
    pub(crate) fn chain_tip(&self) -> Option<gix::ObjectId> {
        self.tip
    }

    /// Writes the state alone. What another process has in flight stays as it is.
    pub(crate) fn record(&mut self, events: Vec<Event>) -> Result<()> {
        let (link, tip) = self.link(&events)?;
        ref_writer::apply(self.repo, &[link], REFLOG)?;
        self.tip = tip;
        Ok(())
    }

    /// The next link of the state chain.
    fn link(&mut self, events: &[Event]) -> Result<(Move, Option<gix::ObjectId>)> {
        self.state.stats.last_activity = Some(clock::timestamp());
        let uncommitted = self.uncommitted();
        let printed = std::mem::take(&mut self.printed);
        let beside = Beside {
            uncommitted,
            outputs: outputs::folder(self.repo, self.tip, &printed)?,
        };
        let link = crate::branch::append(self.repo, self.tip, &self.state, events, beside)?;
        let tip = match &link.new {
            Some(Pointer::Object(hex)) => gix::ObjectId::from_hex(hex.as_bytes()).ok(),
            _ => None,
        };
        Ok((link, tip))
    }
}
