//! A time-out from the rules, and what becomes of the work done in it.

use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::state::Spike;
use crate::branch::state::State;
use crate::branch::transaction;
use crate::clock;
use crate::error::{Doing, Result};
use crate::git::align::FromTo;
use crate::git::objects;
use crate::git::trees;
use crate::git::trees::names;
use crate::message::refusals;
use crate::message::spike as words;
use crate::outcome::spike::{Dropped, Kept};
use crate::rules::CommitLabel;
use crate::test_run::jobs;

/// What a commit of a spike is called.
const LABEL: &str = "spike";

impl Session<'_> {
    /// Begins a spike. Returns the entry that holds what was uncommitted.
    pub(crate) fn start_spike(&mut self, why: Option<String>) -> Result<Option<u64>> {
        if self.state.spike.is_some() {
            return Err(refusals::refused(words::open_already(), words::WAYS_OUT));
        }
        self.at_work()?;
        self.accept_foreign_head()?;
        let snapshot = self.held_snapshot()?;
        let mut plan = Plan::default();
        if !snapshot.changes.is_empty() {
            plan.saved.push(self.save(&snapshot, "before a spike")?);
        }
        let recover = plan.saved.first().map(|(number, _)| *number);
        self.state.step = None;
        self.state.spike = Some(Spike {
            since: clock::timestamp(),
            why: why.clone(),
            head: self.head.to_string(),
            tree: snapshot.tree.to_string(),
            recover,
        });
        let note = why.map_or_else(|| "spike".to_owned(), |why| format!("spike: {why}"));
        let mut event = self.event(EventKind::Switch, note);
        event.recover = recover;
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        Ok(recover)
    }

    /// Goes back to where the spike began; its work becomes an entry of `recover`.
    pub(crate) fn drop_spike(&mut self) -> Result<Dropped> {
        let spike = self.state.open_spike()?;
        self.accept_foreign_head()?;
        let snapshot = self.held_snapshot()?;
        let (tree, head) = (id(&spike.tree)?, id(&spike.head)?);
        let files = trees::diff(self.repo, tree, snapshot.tree)?;
        let mut plan = Plan::default();
        if !files.is_empty() {
            plan.saved.push(self.save(&snapshot, "a spike")?);
            plan.worktree = Some(FromTo::new(snapshot.tree, tree));
        }
        let head_tree = self.repo.tree_of(head)?;
        plan.index = Some(FromTo::new(snapshot.tree, head_tree));
        if files.is_empty() {
            self.keep_staged(&snapshot, &mut plan)?;
        }
        if self.head_tree()? != head_tree {
            // Commits made meanwhile stay in the history, and what was there before comes after.
            let back = trees::diff(self.repo, self.head_tree()?, head_tree)?;
            let label = CommitLabel::Recover.name();
            let commit = self.wip_commit(head_tree, label, "", &back)?;
            plan.notes.push(self.summary_note(commit, label, None)?);
            plan.commit = Some(commit);
            self.state.accepted_tree = head_tree.to_string();
            self.state.accepted_results = self.cached(
                head_tree,
                &jobs::about(self.config, self.repo.root(), &[])?,
                None,
            )?;
        }
        let recover = plan.saved.first().map(|(number, _)| *number);
        let mut event = self.event(EventKind::Switch, "spike dropped".into());
        event.recover = recover;
        event.files = files.len();
        event.commit = plan.commit.map(|commit| commit.to_string());
        plan.events.push(event);
        let carried = self.write(snapshot.tree, plan)?;
        Ok(Dropped {
            recover,
            files: names(files.iter().map(|change| &change.path)),
            edited_meanwhile: names(carried.kept.iter()),
        })
    }

    /// Commits the work of the spike as one that nobody tested.
    pub(crate) fn keep_spike(&mut self) -> Result<Kept> {
        let spike = self.state.open_spike()?;
        self.accept_foreign_head()?;
        let snapshot = self.held_snapshot()?;
        let mut event = self.event(EventKind::Switch, "spike kept".into());
        // Commits made by hand meanwhile were not tested either.
        let began = self.repo.tree_of(id(&spike.head)?)?;
        let changes = trees::diff(self.repo, began, snapshot.tree)?;
        if changes.is_empty() {
            transaction::drop_pending(self.repo)?;
            self.record(vec![event])?;
            return Ok(Kept {
                commit: None,
                files: Vec::new(),
            });
        }
        let files = names(changes.iter().map(|change| &change.path));
        let message = self.wip_message(LABEL, "", &changes, &words::trailers(&files));
        let commit = objects::commit(self.repo, snapshot.tree, &[self.head], &message)?;
        event.event = EventKind::Commit;
        event.label = Some(LABEL.into());
        event.commit = Some(commit.to_string());
        event.files = files.len();
        let mut plan = Plan {
            events: vec![event],
            commit: Some(commit),
            index: Some(FromTo::new(self.head_tree()?, snapshot.tree)),
            ..Plan::default()
        };
        plan.notes.push(self.summary_note(commit, LABEL, None)?);
        self.keep_staged(&snapshot, &mut plan)?;
        self.state.accepted_tree = snapshot.tree.to_string();
        self.state.accepted_results = None;
        self.state.hold = None;
        self.write(snapshot.tree, plan)?;
        Ok(Kept {
            commit: Some(commit.to_string()),
            files,
        })
    }
}

impl State {
    /// Fails while a spike is open: what it holds was not tested.
    pub(crate) fn without_spike(&self) -> Result<()> {
        match self.spike {
            Some(_) => Err(refusals::refused(words::first_end_it(), words::WAYS_OUT)),
            None => Ok(()),
        }
    }

    /// Takes the open spike out of the state; the next write ends it.
    fn open_spike(&mut self) -> Result<Spike> {
        let spike = self.spike.take();
        spike.ok_or_else(|| refusals::refused(words::none_open(), "git tcr spike start"))
    }
}

fn id(hex: &str) -> Result<gix::ObjectId> {
    gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id")
}
