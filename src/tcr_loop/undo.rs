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
use crate::policy::write_gate::{Change as ChangeKind, GateState, Oracle};
use crate::policy::{Breach, Mode, PathChange, PathClass, Remedy, forbidden};

/// What was found against a tree, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// Paths that were put back.
    pub(super) put_back: Vec<String>,
    /// Paths that should not have changed, and stay because of the mode.
    pub(super) reported: Vec<String>,
    /// The entry that holds what was put back.
    pub(super) recover: Option<u64>,
}

impl Session<'_> {
    /// Puts back what the phase does not allow.
    pub(super) fn undo_forbidden(&mut self, snapshot: &Snapshot) -> Result<Undone> {
        if self.is_held(snapshot) {
            return Ok(Undone::default());
        }
        let breaches = self.breaches(&snapshot.changes)?;
        let with = |remedy: Remedy| -> Vec<&Change> {
            let paths: Vec<&[u8]> = breaches
                .iter()
                .filter(|b| b.remedy == remedy)
                .map(|b| &b.path[..])
                .collect();
            snapshot
                .changes
                .iter()
                .filter(|change| paths.contains(&change.path.as_slice()))
                .collect()
        };
        let reported = names(with(Remedy::Report).iter().map(|change| &change.path));
        let forbidden = with(Remedy::Undo);
        if forbidden.is_empty() {
            return Ok(Undone {
                reported,
                ..Undone::default()
            });
        }
        let back: Vec<Change> = forbidden.iter().map(|change| change.inverse()).collect();
        let target = trees::with_changes(self.repo, snapshot.tree, back.iter())?;
        let put_back = names(forbidden.iter().map(|change| &change.path));
        let why = format!("not allowed in phase {}", self.state.phase);
        let (number, commit) = self.save(snapshot, &why)?;
        self.state.stats.reverts += 1;
        self.state.stats.last_revert_reason = Some(why);
        let mut event = self.event(EventKind::Undo, crate::message::path_list(&put_back));
        event.recover = Some(number);
        event.files = put_back.len();
        let plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(snapshot.tree, target)),
            index: Some(FromTo::new(snapshot.tree, target)),
            ..Plan::default()
        };
        self.write(snapshot.tree, plan)?;
        Ok(Undone {
            put_back,
            reported,
            recover: Some(number),
        })
    }

    /// The changes that break the rules by content.
    fn breaches(&self, changes: &[Change]) -> Result<Vec<Breach>> {
        let mut judged = Vec::new();
        // Submodules are reported, never put back.
        for change in changes.iter().filter(|change| !change.is_submodule()) {
            let path = change.path.as_bstr();
            let class = self.class(path);
            judged.push(PathChange {
                path: change.path.to_vec(),
                class,
                protection: self.classes.protection(path),
                change: self.change_kind(change, class)?,
                renamed_with: changes
                    .iter()
                    .find(|other| is_rename(change, other))
                    .map(|other| other.path.to_vec()),
                waived: self.is_waived(path),
                project_unlocked: self.is_unlocked(path),
            });
        }
        Ok(forbidden(&self.gate_state(), &judged))
    }

    fn gate_state(&self) -> GateState {
        GateState {
            mode: self.mode(),
            phase: self.state.phase,
            cycle: self.state.cycle_kind(),
            oracle: Oracle::None,
            freeze_tests: self.config.freeze_tests,
            in_force: self.mode() != Mode::Off,
            test_bug_open: false,
            waived: false,
            project_unlocked: true,
        }
    }

    /// Whether the worktree is as a person restored it.
    pub(super) fn is_held(&self, snapshot: &Snapshot) -> bool {
        self.state
            .hold
            .as_ref()
            .is_some_and(|hold| hold.tree == snapshot.tree.to_string())
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
        let Some(language) = Language::of_path(&change.path) else {
            return Ok(ChangeKind::Content);
        };
        let Some(after) = change.after else {
            return Ok(ChangeKind::Content);
        };
        let before = match change.before {
            Some(leaf) => trees::content(self.repo, leaf)?,
            None => Vec::new(),
        };
        let after = trees::content(self.repo, after)?;
        let (Ok(before), Ok(after)) = (String::from_utf8(before), String::from_utf8(after)) else {
            return Ok(ChangeKind::Content);
        };
        if crate::policy::language::Language::of_path(b"").is_some()
            && language == language
            && before == after
        {
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
