//! What the phase forbids is put back before the tests run, whoever made the change and however.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};

use super::jobs::is_unlocked;
use super::names;
use super::revert::make_room;
use super::session::{Plan, Session};
use super::spec_cycle::drift::short_diff;
use crate::effects::git::align::FromTo;
use crate::effects::git::line_count::{self, Lines};
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::trees::{self, Change, Leaf};
use crate::effects::git::{objects, refs};
use crate::error::Result;
use crate::journal::event::EventKind;
use crate::message;
use crate::policy::content::content_change;
use crate::policy::language::Language;
use crate::policy::path_class::is_snapshot;
use crate::policy::split;
use crate::policy::write_gate::{Change as ChangeKind, DenyReason, GateState, Oracle};
use crate::policy::{Breach, CycleKind, Mode, PathChange, PathClass, Remedy, forbidden};

/// What was found against a tree, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// Paths that were put back.
    pub(super) put_back: Vec<String>,
    /// Paths that should not have changed, and stay because of the mode.
    pub(super) reported: Vec<String>,
    /// What the rules had against what was put back.
    pub(super) reasons: Vec<DenyReason>,
    /// The entry that holds what was put back.
    pub(super) recover: Option<u64>,
    /// Paths that should have been put back, and were edited at that very moment.
    pub(super) kept: Vec<String>,
    /// Files whose source and tests can't be told apart: they stay, uncommitted.
    pub(super) entangled: Vec<String>,
    /// How frozen files differed from what was certified.
    pub(super) diffs: Vec<String>,
}

/// Which part of a file that holds source and tests goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Source,
    Tests,
}

impl Undone {
    /// Whether something that is not allowed is still there.
    pub(super) fn leaves_some(&self) -> bool {
        !self.kept.is_empty() || !self.entangled.is_empty()
    }

    /// How to do all the same what was put back, where there is a way.
    pub(super) fn ways(&self) -> Vec<String> {
        let Some(number) = self.recover else {
            return Vec::new();
        };
        let mut ways: Vec<String> = self
            .reasons
            .iter()
            .filter_map(|reason| message::reasons::way_after_put_back(*reason, number))
            .collect();
        ways.sort();
        ways.dedup();
        ways
    }
}

impl Session<'_> {
    /// Puts back what the phase does not allow.
    pub(super) fn undo_forbidden(&mut self, snapshot: &Snapshot) -> Result<Undone> {
        let mut undone = Undone::default();
        // Restored on purpose or not: what was certified comes back.
        let mut back: Vec<Change> = self.thaw_nothing(snapshot, &mut undone)?;
        let mut certified: Vec<BString> = self.certified_paths(snapshot)?;
        certified.extend(back.iter().map(|change| change.path.clone()));
        // Where nothing is committed, what was accepted before is no change of this step.
        let changes = self.changes_since_accepted(snapshot)?;
        let breaches = match self.is_held(snapshot) {
            true => Vec::new(),
            false => self.breaches(&changes)?,
        };
        for (change, breach) in with_breaches(&changes, &breaches) {
            // What was certified has its own way back.
            if certified.contains(&change.path) {
                continue;
            }
            let put_back = match breach.remedy {
                Remedy::Undo => Some(change.inverse()),
                Remedy::UndoSourcePart => self.part_back(change, Part::Source)?,
                Remedy::UndoTestPart => self.part_back(change, Part::Tests)?,
                Remedy::KeepUncommitted => None,
                Remedy::LeaveAlone => continue,
                // Ours are back already; the rest of the file is the person's.
                Remedy::Report | Remedy::PutBackOwnEntries => {
                    undone.reported.push(change.path.to_string());
                    continue;
                }
            };
            match put_back {
                Some(change) => {
                    undone.reasons.push(breach.reason);
                    back.push(change);
                }
                None => undone.entangled.push(change.path.to_string()),
            }
        }
        if back.is_empty() {
            return Ok(undone);
        }
        back.sort_by(|one, other| one.path.cmp(&other.path));
        make_room(&snapshot.changes, &mut back);
        let target = trees::with_changes(self.repo, snapshot.tree, back.iter())?;
        undone.put_back = names(back.iter().map(|change| &change.path));
        let why = format!("not allowed in phase {}", self.state.phase);
        let (number, commit) = self.save(snapshot, &why)?;
        self.state.stats.reverts += 1;
        self.state.stats.last_revert_reason = Some(why);
        let mut event = self.event(EventKind::Undo, message::path_list(&undone.put_back));
        event.recover = Some(number);
        event.files = back.len();
        event.lines = line_count::of(self.repo, &back).map(Lines::inverse);
        event.cause = Some("not_allowed".into());
        let plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(snapshot.tree, target)),
            index: Some(FromTo::new(snapshot.tree, target)),
            ..Plan::default()
        };
        let carried = self.write(snapshot.tree, plan)?;
        undone.recover = Some(number);
        undone.kept = names(carried.kept.iter());
        undone.put_back.retain(|path| !undone.kept.contains(path));
        Ok(undone)
    }

    /// The changes that bring frozen files back to what was certified, whichever way they changed:
    /// by an edit, or by a commit that is not git tcr's.
    fn thaw_nothing(&self, snapshot: &Snapshot, undone: &mut Undone) -> Result<Vec<Change>> {
        let Some(oracle) = self.state.oracle_in_force() else {
            return Ok(Vec::new());
        };
        let mut paths: Vec<BString> = oracle.paths_to_mend().collect();
        paths.extend(snapshot.changes.iter().map(|change| change.path.clone()));
        paths.sort();
        paths.dedup();
        let paths = paths.iter().map(|path| path.as_bstr());
        let drifted = self.drift_in(snapshot.tree, paths)?;
        let text = |leaf: Option<Leaf>| -> Result<String> {
            let bytes = leaf
                .map(|leaf| trees::content(self.repo, leaf))
                .transpose()?;
            Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
        };
        for change in &drifted {
            let (now, frozen) = (text(change.before)?, text(change.after)?);
            let diff = short_diff(&change.path.to_string(), &frozen, &now);
            undone.diffs.push(diff);
        }
        match self.mode() {
            Mode::Both | Mode::Tcr => Ok(drifted),
            Mode::Tdd | Mode::Relaxed | Mode::Observe | Mode::Off => {
                undone
                    .reported
                    .extend(names(drifted.iter().map(|change| &change.path)));
                Ok(Vec::new())
            }
        }
    }

    /// The changed paths that were certified as whole files.
    fn certified_paths(&self, snapshot: &Snapshot) -> Result<Vec<BString>> {
        let Some(oracle) = self.frozen_tree()? else {
            return Ok(Vec::new());
        };
        let mut certified = Vec::new();
        for change in &snapshot.changes {
            let whole = match self.class(change.path.as_bstr()) {
                PathClass::Spec | PathClass::Test | PathClass::Harness => true,
                PathClass::Source
                | PathClass::Mixed
                | PathClass::Protected
                | PathClass::Docs
                | PathClass::Other => false,
            };
            if whole && trees::lookup(self.repo, oracle, change.path.as_bstr())?.is_some() {
                certified.push(change.path.clone());
            }
        }
        Ok(certified)
    }

    /// The change that puts one part of a file back and leaves the other as it is; none if they
    /// can't be told apart.
    pub(super) fn part_back(&self, change: &Change, part: Part) -> Result<Option<Change>> {
        let text = |leaf: Option<Leaf>| -> Result<Option<String>> {
            let bytes = leaf
                .map(|leaf| trees::content(self.repo, leaf))
                .transpose()?;
            Ok(String::from_utf8(bytes.unwrap_or_default()).ok())
        };
        let (Some(language), Some(leaf)) = (Language::of_path(&change.path), change.after) else {
            return Ok(None);
        };
        let (Some(old), Some(new)) = (text(change.before)?, text(change.after)?) else {
            return Ok(None);
        };
        let merged = match part {
            Part::Source => split::merge(language, &old, &new),
            Part::Tests => split::merge(language, &new, &old),
        };
        let Some(merged) = merged else {
            return Ok(None);
        };
        let id = objects::blob(self.repo, merged.as_bytes())?;
        Ok(Some(Change {
            path: change.path.clone(),
            before: change.after,
            after: Some(Leaf { id, ..leaf }),
        }))
    }

    /// The changes that break the rules by content.
    pub(crate) fn breaches(&self, changes: &[Change]) -> Result<Vec<Breach>> {
        let mut judged = Vec::new();
        // Submodules are reported, never put back.
        for change in changes.iter().filter(|change| !change.is_submodule()) {
            let path = change.path.as_bstr();
            let (class, kind) = self.content_of(change)?;
            judged.push(PathChange {
                path: change.path.to_vec(),
                class,
                protection: self.classes.protection(path),
                change: kind,
                renamed_with: changes
                    .iter()
                    .find(|other| is_rename(change, other))
                    .map(|other| other.path.to_vec()),
                waived: self.is_waived(path),
                project_unlocked: is_unlocked(self.config, &self.state.targets, path),
            });
        }
        Ok(forbidden(&self.gate_state(), &judged))
    }

    fn gate_state(&self) -> GateState {
        GateState {
            mode: self.mode(),
            phase: self.state.phase,
            cycle: self.state.cycle_kind(),
            oracle: match self.state.oracle_in_force() {
                Some(_) => Oracle::Frozen,
                None => Oracle::None,
            },
            freeze_tests: self.config.freeze_tests,
            in_force: self.mode() != Mode::Off,
            test_bug_open: self.state.open_test_bug().is_some(),
            waived: false,
            project_unlocked: true,
        }
    }

    /// Whether the worktree is as a person restored it.
    pub(super) fn is_held(&self, snapshot: &Snapshot) -> bool {
        let tree = snapshot.tree.to_string();
        self.state
            .hold
            .as_ref()
            .is_some_and(|hold| hold.tree == tree)
    }

    /// Whether a person allowed the next change of a path.
    pub(super) fn is_waived(&self, path: &BStr) -> bool {
        let path = refs::component(path);
        self.state.waivers.iter().any(|waiver| waiver.path == path)
    }

    /// The class of a changed path with regard to its content, and what is known of the change.
    pub(super) fn content_of(&self, change: &Change) -> Result<(PathClass, ChangeKind)> {
        let by_name = self.class(change.path.as_bstr());
        if self.mode() == Mode::Tcr && self.state.cycle_kind() == CycleKind::Free {
            // Nobody asks for a failing test here, so it does not matter what a change is about.
            return Ok((by_name, ChangeKind::Content));
        }
        let bytes =
            |leaf: Option<Leaf>| leaf.map(|leaf| trees::content(self.repo, leaf)).transpose();
        match by_name {
            // Before the fact nobody can say that a runner wrote it; afterwards the tests judge it.
            PathClass::Test if change.before.is_none() && is_snapshot(&change.path) => {
                Ok((by_name, ChangeKind::NewSnapshot))
            }
            PathClass::Source | PathClass::Mixed if !change.is_link() => {
                let (before, after) = (bytes(change.before)?, bytes(change.after)?);
                Ok(content_change(
                    &change.path,
                    by_name,
                    before.as_deref(),
                    after.as_deref(),
                ))
            }
            PathClass::Test
            | PathClass::Source
            | PathClass::Mixed
            | PathClass::Protected
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Docs
            | PathClass::Other => Ok((by_name, ChangeKind::Content)),
        }
    }
}

fn with_breaches<'c>(
    changes: &'c [Change],
    breaches: &'c [Breach],
) -> Vec<(&'c Change, &'c Breach)> {
    let by_path: BTreeMap<&[u8], &Breach> = breaches
        .iter()
        .map(|breach| (&breach.path[..], breach))
        .collect();
    changes
        .iter()
        .filter_map(|change| Some((change, *by_path.get(change.path.as_slice())?)))
        .collect()
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
