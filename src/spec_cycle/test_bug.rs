//! `test-bug`: a certified test is said to be wrong; a person decides.

use std::path::Path;

use gix::bstr::ByteSlice;

use super::refused;
use crate::branch::cycle::{BugStatus, TestBug};
use crate::branch::drift::frozen_tree;
use crate::branch::drift::object;
use crate::branch::session::{Plan, Session};
use crate::branch::state::Parked;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::align::FromTo;
use crate::git::objects;
use crate::git::trees::names;
use crate::git::trees::{self, Change};
use crate::message;
use crate::outcome::spec::Decided;
use crate::rules::{CommitLabel, Phase, Refusal};
use crate::spec_cycle::retire_oracle;
use crate::test_run::jobs;

impl Session<'_> {
    /// Reports a frozen test as wrong. Source waits until a person has decided; what is
    /// uncommitted is put aside.
    pub(crate) fn report_test_bug(
        &mut self,
        path: &Path,
        line: usize,
        text: &str,
    ) -> Result<Decided> {
        if self.state.oracle_in_force().is_none() {
            return Err(refused(Refusal::NotFrozen, "test-bug", self.state.phase));
        }
        if let Some(open) = self.state.open_test_bug() {
            let (what, hint) = message::spec::bugs::bug_is_open(open);
            return Err(Error::Refused { what, hint });
        }
        let name = path.to_string_lossy().into_owned();
        let frozen = match frozen_tree(self.repo, &self.state)? {
            Some(tree) => self.text_in(tree, &name)?,
            None => None,
        };
        let lines = frozen.as_ref().map(|text| text.lines().count());
        if !lines.is_some_and(|lines| (1..=lines.max(1)).contains(&line)) {
            let (what, hint) = message::spec::bugs::not_a_frozen_line(&name, line, lines);
            return Err(Error::Refused { what, hint });
        }
        let snapshot = self.held_snapshot()?;
        let mut plan = Plan::default();
        let put_aside = self.park(&snapshot, text, &mut plan)?;
        let bug = TestBug {
            number: self.state.test_bugs.len() as u64 + 1,
            file: name,
            line,
            text: text.to_owned(),
            by: self.who()?,
            at: clock::timestamp(),
            status: BugStatus::Open,
            decided_by: None,
            decided_at: None,
        };
        self.state.test_bugs.push(bug.clone());
        let mut event = self.declared_event("test-bug", message::spec::bugs::bug(&bug));
        event.recover = put_aside.recover;
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        crate::branch::transaction::forget_snapshot(self.repo)?;
        let parked = put_aside.recover.map(|number| (number, put_aside.parked));
        Ok(Decided {
            bug,
            parked,
            remark: None,
        })
    }

    /// The test is right: on in `green`, with the source that was put aside.
    pub(crate) fn reject_test_bug(&mut self, number: u64) -> Result<Decided> {
        let bug = self.decide_bug(number, BugStatus::Rejected)?;
        let snapshot = self.held_snapshot()?;
        let mut plan = Plan::default();
        let remark = plan.bring_back(self.unpark(snapshot.tree, self.head_tree()?)?);
        plan.events
            .push(self.declared_event("test-bug", message::spec::bugs::bug(&bug)));
        self.write(snapshot.tree, plan)?;
        crate::branch::transaction::forget_snapshot(self.repo)?;
        Ok(Decided {
            bug,
            parked: None,
            remark,
        })
    }

    /// The test is wrong: the oracle goes into the archive, and the work back to `red`. All source
    /// since the freeze is put aside until the next one, so that the mended tests can fail.
    pub(crate) fn accept_test_bug(&mut self, number: u64) -> Result<Decided> {
        let bug = self.decide_bug(number, BugStatus::Accepted)?;
        let snapshot = self.held_snapshot()?;
        let mut plan = Plan::default();
        let parked = self.put_source_aside(snapshot.tree, &bug, &mut plan)?;
        self.keep_staged(&snapshot, &mut plan)?;
        retire_oracle(self.repo, &mut self.state, self.base.as_bstr(), &mut plan)?;
        self.state.authors.validator = None;
        self.state.awaited.clear();
        let mut event = self.declared_event("test-bug", message::spec::bugs::bug(&bug));
        self.state.enter(Phase::Red, &clock::timestamp());
        event.next_phase = self.state.phase;
        event.recover = parked.as_ref().map(|(number, _)| *number);
        event.commit = plan.commit.map(|commit| commit.to_string());
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        crate::branch::transaction::forget_snapshot(self.repo)?;
        Ok(Decided {
            bug,
            parked,
            remark: None,
        })
    }

    fn decide_bug(&mut self, number: u64, status: BugStatus) -> Result<TestBug> {
        let who = self.who()?;
        let now = clock::timestamp();
        let found = self
            .state
            .test_bugs
            .iter_mut()
            .find(|bug| bug.number == number);
        match found {
            Some(bug) if bug.status == BugStatus::Open => {
                bug.status = status;
                bug.decided_by = Some(who);
                bug.decided_at = Some(now);
                Ok(bug.clone())
            }
            Some(_) | None => {
                let (what, hint) = message::spec::bugs::no_such_bug(number);
                Err(Error::Refused { what, hint })
            }
        }
    }

    /// Takes the source back to where it was at the freeze. What was written since, committed or
    /// not, is one entry of `recover`.
    fn put_source_aside(
        &mut self,
        tree: gix::ObjectId,
        bug: &TestBug,
        plan: &mut Plan,
    ) -> Result<Option<(u64, Vec<String>)>> {
        let Some(oracle) = self.state.oracle.clone() else {
            return Ok(None);
        };
        let (red_tree, red_commit) = (object(&oracle.red_tree)?, object(&oracle.red_commit)?);
        // What the report put aside is part of it.
        let full = match self.unpark(tree, self.head_tree()?)? {
            Some(unparked) => object(&unparked.worktree.to)?,
            None => tree,
        };
        let back: Vec<Change> = trees::diff(self.repo, tree, red_tree)?
            .into_iter()
            .filter(|change| self.is_source(change))
            .collect();
        let kept: Vec<Change> = trees::diff(self.repo, red_tree, full)?
            .into_iter()
            .filter(|change| self.is_source(change))
            .collect();
        if kept.is_empty() {
            return Ok(None);
        }
        let number = self.next_number()?;
        let saved = objects::commit(
            self.repo,
            full,
            &[red_commit],
            "source put aside to mend a certified test\n",
        )?;
        plan.saved.push((number, saved));
        self.state.pending = Some(Parked {
            recover: number,
            why: bug.text.clone(),
        });
        let target = trees::with_changes(self.repo, tree, back.iter())?;
        let head_tree = self.head_tree()?;
        if target != tree {
            plan.worktree = Some(FromTo::new(tree, target));
        }
        if self.commits() && target != head_tree {
            let label = CommitLabel::Recover.name();
            let commit = self.wip_commit(target, label, "", &back)?;
            plan.index = Some(FromTo::new(head_tree, target));
            plan.notes.push(self.summary_note(commit, label, None)?);
            plan.commit = Some(commit);
            self.state.accepted_tree = target.to_string();
            self.state.accepted_results = self.cached(
                target,
                &jobs::about(self.config, self.repo.root(), &[])?,
                None,
            )?;
        } else if target != tree {
            plan.index = Some(FromTo::new(tree, target));
        }
        Ok(Some((
            number,
            names(kept.iter().map(|change| &change.path)),
        )))
    }

    fn is_source(&self, change: &Change) -> bool {
        !change.is_submodule() && self.class(change.path.as_bstr()).waits_for_tests()
    }
}
