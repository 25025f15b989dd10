//! What the phase forbids is put back before the tests run, whoever made the change and however.

use gix::bstr::{BStr, ByteSlice};

use super::names;
use super::session::{Plan, Session};
use crate::effects::git::align::FromTo;
use crate::effects::git::refs;
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::trees::{self, Change};
use crate::error::Result;
use crate::journal::event::EventKind;
use crate::policy::language::Language;
use crate::policy::path_class::is_snapshot;
use crate::policy::write_gate::{Change as ChangeKind, GateState, Oracle, decide_write};
use crate::policy::{Mode, PathClass, Protection, stub};

impl Session<'_> {
    /// Puts back what the phase does not allow; returns the paths, if there were any.
    pub(super) fn undo_forbidden(&mut self, snapshot: &Snapshot) -> Result<Option<Vec<String>>> {
        let undoes = match self.mode() {
            Mode::Both | Mode::Tcr => true,
            Mode::Tdd | Mode::Relaxed | Mode::Observe | Mode::Off => false,
        };
        if !undoes || self.is_held(snapshot) {
            return Ok(None);
        }
        let forbidden = self.forbidden(&snapshot.changes)?;
        if forbidden.is_empty() {
            return Ok(None);
        }
        let back: Vec<Change> = forbidden.iter().map(|change| change.inverse()).collect();
        let target = trees::with_changes(self.repo, snapshot.tree, back.iter())?;
        let paths = names(forbidden.iter().map(|change| &change.path));
        let why = format!("not allowed in phase {}", self.state.phase);
        let (number, commit) = self.save(snapshot, &why)?;
        self.state.stats.reverts += 1;
        self.state.stats.last_revert_reason = Some(why.clone());
        let mut event = self.event(EventKind::Undo, crate::message::path_list(&paths));
        event.recover = Some(number);
        event.files = paths.len();
        let plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(snapshot.tree, target)),
            index: Some(FromTo::new(snapshot.tree, target)),
            ..Plan::default()
        };
        self.write(snapshot.tree, plan)?;
        Ok(Some(paths))
    }

    /// Whether the worktree is as a person restored it.
    pub(super) fn is_held(&self, snapshot: &Snapshot) -> bool {
        self.state.hold.as_ref().is_some_and(|hold| hold.tree == snapshot.tree.to_string())
    }

    /// The changes that the phase does not allow; both sides of a rename stand or fall together.
    pub(super) fn forbidden<'c>(&self, changes: &'c [Change]) -> Result<Vec<&'c Change>> {
        let mut forbidden = Vec::new();
        for change in changes {
            if self.objects_to(change)? {
                forbidden.push(change);
            }
        }
        let pairs: Vec<&Change> = changes
            .iter()
            .filter(|change| !forbidden.contains(change))
            .filter(|change| forbidden.iter().any(|other| is_rename(change, other)))
            .collect();
        forbidden.extend(pairs);
        Ok(forbidden)
    }

    fn objects_to(&self, change: &Change) -> Result<bool> {
        let path = change.path.as_bstr();
        // Submodules are reported, never put back; an edited `.tcr.toml` is simply not obeyed.
        if change.is_submodule() || self.classifier.protection(path) == Some(Protection::OwnConfig) {
            return Ok(false);
        }
        let class = self.class(path);
        let state = self.gate_state(path);
        Ok(decide_write(&state, class, self.change_kind(change, class)?).objection().is_some())
    }

    /// What a decision about one path is made on.
    fn gate_state(&self, path: &BStr) -> GateState {
        GateState {
            mode: self.mode(),
            phase: self.state.phase,
            cycle: self.state.cycle_kind(),
            oracle: Oracle::None,
            freeze_tests: self.config.freeze_tests,
            in_force: self.mode() != Mode::Off,
            test_bug_open: false,
            waived: self.is_waived(path),
            project_unlocked: true,
        }
    }

    /// Whether a person allowed the next change of a path.
    pub(super) fn is_waived(&self, path: &BStr) -> bool {
        let path = refs::component(path);
        self.state.waivers.iter().any(|waiver| waiver.path == path)
    }

    /// What is known of a change from its content.
    pub(super) fn change_kind(&self, change: &Change, class: PathClass) -> Result<ChangeKind> {
        match class {
            PathClass::Test if change.before.is_none() && is_snapshot(&change.path) => {
                Ok(ChangeKind::NewSnapshot)
            }
            PathClass::Source | PathClass::Mixed => self.source_change_kind(change),
            PathClass::Protected
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => Ok(ChangeKind::Content),
        }
    }

    fn source_change_kind(&self, change: &Change) -> Result<ChangeKind> {
        let Some(language) = Language::of_path(&change.path) else { return Ok(ChangeKind::Content) };
        let Some(after) = change.after else { return Ok(ChangeKind::Content) };
        let before = match change.before {
            Some(leaf) => trees::content(self.repo, leaf)?,
            None => Vec::new(),
        };
        let after = trees::content(self.repo, after)?;
        let (Ok(before), Ok(after)) = (String::from_utf8(before), String::from_utf8(after)) else {
            return Ok(ChangeKind::Content);
        };
        if stub::grows_only_by_stubs(language, &before, &after) {
            return Ok(ChangeKind::Stub);
        }
        Ok(ChangeKind::Content)
    }
}

/// Whether one change takes away what the other one brings.
fn is_rename(one: &Change, other: &Change) -> bool {
    let moved = |from: &Change, to: &Change| {
        from.after.is_none()
            && to.before.is_none()
            && from.before.map(|leaf| leaf.id) == to.after.map(|leaf| leaf.id)
    };
    moved(one, other) || moved(other, one)
}
