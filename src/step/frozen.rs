//! What the phase forbids is put back before the tests run, whoever made the change and however.

use crate::branch::drift::frozen_tree;
use crate::branch::state::State;
use crate::git::repo::Repo;
use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};

use super::revert::{self, make_room};
use crate::branch::drift::short_diff;
use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::line_count::{self, Lines};
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::git::trees::{self, Change, Leaf};
use crate::git::{objects, refs};
use crate::languages::StubRules;
use crate::message;
use crate::outcome::step::{Action, Outcome, TakenBack};
use crate::parts::content::content_change;
use crate::parts::manifest;
use crate::parts::mixed;
use crate::rules::Why;
use crate::rules::path_class::is_snapshot;
use crate::rules::write_gate::{Change as ChangeKind, DenyReason, FrozenBy, GateState, Oracle};
use crate::rules::{Breach, CycleKind, Mode, PathChange, PathClass, Phase, Remedy, forbidden};
use crate::step::effects::taken;
use crate::step::parts::{Part, Parts};
use crate::test_run::jobs::is_unlocked;

/// What was found against a tree before it was judged, and what became of it.
#[derive(Debug, Default)]
pub(crate) struct Frozen {
    /// Paths that were taken back.
    pub(crate) taken_back: Vec<TakenBack>,
    /// Paths that should not have changed, and stay because of the mode.
    pub(crate) reported: Vec<String>,
    /// What the rules had against what was taken back.
    pub(crate) reasons: Vec<DenyReason>,
    /// The entry that holds what was taken back.
    pub(crate) recover: Option<u64>,
    /// Paths that should have been taken back, and were edited at that very moment.
    pub(crate) edited: Vec<String>,
    /// Files whose source and tests can't be told apart: they stay, uncommitted.
    pub(crate) entangled: Vec<String>,
    /// How frozen files differed from what was certified.
    pub(crate) diffs: Vec<String>,
}

impl Frozen {
    /// Whether something that is not allowed is still there.
    pub(crate) fn leaves_some(&self) -> bool {
        !self.edited.is_empty() || !self.entangled.is_empty()
    }

    /// How to do all the same what was taken back, where there is a way.
    fn ways(&self) -> Vec<String> {
        let Some(number) = self.recover else {
            return Vec::new();
        };
        let mut ways: Vec<String> = self
            .reasons
            .iter()
            .filter_map(|reason| message::step::way_after_frozen(*reason, number))
            .collect();
        ways.sort();
        ways.dedup();
        ways
    }

    /// Adds to an outcome what was taken back before it.
    pub(crate) fn tell(self, outcome: &mut Outcome) {
        if !self.reported.is_empty() {
            let told = message::step::should_not_have_changed(outcome.phase, &self.reported);
            outcome.remarks.push(told);
        }
        if self.taken_back.is_empty() {
            return;
        }
        let ways = self.ways();
        outcome.hints.splice(0..0, ways);
        outcome.remarks.extend(self.diffs);
        if outcome.action == Action::None {
            outcome.action = Action::TakeBack;
            outcome.why = self.taken_back.first().map(|one| one.why);
            outcome.reason = message::step::frozen_in(outcome.phase);
            outcome.files = self.taken_back.iter().map(|one| one.path.clone()).collect();
        }
        outcome.recover = outcome.recover.or(self.recover);
        outcome.taken_back.extend(self.taken_back);
    }
}

impl Session<'_> {
    /// Takes back what the phase freezes.
    pub(crate) fn take_back_frozen(&mut self, snapshot: &Snapshot) -> Result<Frozen> {
        let mut undone = Frozen::default();
        // Restored on purpose or not: what was certified comes back.
        let mut back: Vec<Change> = self.thaw_nothing(snapshot, &mut undone)?;
        let mut certified: Vec<BString> = self.certified_paths(snapshot)?;
        let mut frozen = names(back.iter().map(|change| &change.path));
        certified.extend(back.iter().map(|change| change.path.clone()));
        // Where nothing is committed, what was accepted before is no change of this step.
        let changes = trees::diff(self.repo, self.accepted_tree()?, snapshot.tree)?;
        let breaches = match self.state.is_held(snapshot) {
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
                Remedy::UndoSourcePart => part_back(self.repo, change, revert::Part::Source)?,
                Remedy::UndoTestPart => part_back(self.repo, change, revert::Part::Tests)?,
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
                    if breach.reason.is_frozen() {
                        frozen.push(change.path.to_string());
                    }
                    back.push(change);
                }
                None => undone.entangled.push(change.path.to_string()),
            }
        }
        for change in self.steering_back(&changes, &back)? {
            undone.reasons.push(DenyReason::TestsFrozen {
                by: FrozenBy::FailingTest,
            });
            frozen.push(change.path.to_string());
            back.push(change);
        }
        if back.is_empty() {
            return Ok(undone);
        }
        back.sort_by(|one, other| one.path.cmp(&other.path));
        make_room(&snapshot.changes, &mut back);
        let target = trees::with_changes(self.repo, snapshot.tree, back.iter())?;
        let paths = names(back.iter().map(|change| &change.path));
        let why = format!("frozen in phase {}", self.state.phase);
        let (number, commit) = self.save(snapshot, &why)?;
        self.state.stats.reverts += 1;
        self.state.stats.last_revert_reason = Some(why);
        // What was certified comes back without a reason of the gate's.
        let is_unasked = |reason: &DenyReason| !reason.is_frozen();
        let closed = match undone.reasons.iter().all(is_unasked) && !undone.reasons.is_empty() {
            true => Why::Unasked,
            false => Why::Frozen,
        };
        let mut event = self.event(EventKind::Undo, message::path_list(&paths));
        event.recover = Some(number);
        event.files = back.len();
        event.lines = line_count::of(self.repo, &back).map(Lines::inverse);
        event.cause = Some(closed.name().into());
        let plan = Plan {
            events: vec![event],
            saved: vec![(number, commit)],
            worktree: Some(FromTo::new(snapshot.tree, target)),
            index: Some(FromTo::new(snapshot.tree, target)),
            ..Plan::default()
        };
        let carried = self.write(snapshot.tree, plan)?;
        undone.recover = Some(number);
        undone.edited = names(carried.kept.iter());
        let why_of = |path: &String| match frozen.contains(path) {
            true => Why::Frozen,
            false => Why::Unasked,
        };
        let taken = |path: &String| taken(std::slice::from_ref(path), why_of(path));
        undone.taken_back = paths.iter().flat_map(taken).collect();
        (undone.taken_back).retain(|taken| !undone.edited.contains(&taken.path));
        Ok(undone)
    }

    /// The changes that bring the steering parts of manifests back while tests are frozen; what
    /// names dependencies and describes the package stays.
    fn steering_back(&self, changes: &[Change], back: &[Change]) -> Result<Vec<Change>> {
        let is_frozen = match self.state.phase {
            Phase::Green => true,
            Phase::Refactor => self.state.oracle_in_force().is_some(),
            Phase::Plan | Phase::Red | Phase::Done => false,
        };
        if !is_frozen || !matches!(self.mode(), Mode::Both | Mode::Tcr) {
            return Ok(Vec::new());
        }
        let mut steering = Vec::new();
        for change in changes {
            let is_taken = back.iter().any(|other| other.path == change.path);
            let is_manifest = manifest::is_manifest(&change.path)
                && self.class(change.path.as_bstr()) == PathClass::Other;
            if is_taken
                || !is_manifest
                || change.is_link()
                || self.state.is_waived(change.path.as_bstr())
            {
                continue;
            }
            steering.extend(self.steering_of(change)?);
        }
        Ok(steering)
    }

    fn steering_of(&self, change: &Change) -> Result<Option<Change>> {
        let bytes =
            |leaf: Option<Leaf>| leaf.map(|leaf| trees::content(self.repo, leaf)).transpose();
        let (old, new) = (bytes(change.before)?, bytes(change.after)?);
        let compared = manifest::compare(&change.path, old.as_deref(), new.as_deref());
        if compared.is_ok_and(|compared| !compared.steering) {
            return Ok(None);
        }
        let (Some(old), Some(new), Some(leaf)) = (old, new, change.after) else {
            return Ok(Some(change.inverse()));
        };
        // Where the parts can't be put together the file goes back as a whole.
        let Some(merged) = manifest::with_steering_of(&change.path, &new, &old) else {
            return Ok(Some(change.inverse()));
        };
        let id = objects::blob(self.repo, &merged)?;
        Ok(Some(Change {
            path: change.path.clone(),
            before: change.after,
            after: Some(Leaf { id, ..leaf }),
        }))
    }

    /// The changes that bring frozen files back to what was certified, whichever way they changed:
    /// by an edit, or by a commit that is not git tcr's.
    fn thaw_nothing(&self, snapshot: &Snapshot, undone: &mut Frozen) -> Result<Vec<Change>> {
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
            Mode::Both | Mode::Tcr | Mode::Relaxed => Ok(drifted),
            Mode::Tdd | Mode::Observe | Mode::Off => {
                undone
                    .reported
                    .extend(names(drifted.iter().map(|change| &change.path)));
                Ok(Vec::new())
            }
        }
    }

    /// The changed paths that were certified as whole files.
    fn certified_paths(&self, snapshot: &Snapshot) -> Result<Vec<BString>> {
        let Some(oracle) = frozen_tree(self.repo, &self.state)? else {
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

    /// What the gate has against changes, source that no failing test asks for included; where tests
    /// come with it, the loop judges whether they ask for it.
    pub(crate) fn objections(&self, changes: &[Change]) -> Result<Vec<Breach>> {
        let mut all = self.forbidden(changes)?;
        let with_tests = changes.iter().any(|change| {
            matches!(
                self.class(change.path.as_bstr()),
                PathClass::Test | PathClass::Mixed
            )
        });
        if with_tests {
            all.retain(|breach| is_taken_back_first(breach.reason));
        }
        Ok(all)
    }

    /// The changes that are taken back before anything is judged.
    fn breaches(&self, changes: &[Change]) -> Result<Vec<Breach>> {
        let mut breaches = self.forbidden(changes)?;
        breaches.retain(|breach| is_taken_back_first(breach.reason));
        Ok(breaches)
    }

    /// The changes that break the rules by content.
    fn forbidden(&self, changes: &[Change]) -> Result<Vec<Breach>> {
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
                waived: self.state.is_waived(path),
                project_unlocked: is_unlocked(self.config, &self.state.awaited, path),
            });
        }
        let breaches = forbidden(&self.gate_state(), &judged);
        let mut left = Vec::new();
        for breach in breaches {
            let change = changes.iter().find(|change| change.path == breach.path);
            let only_adds = match (change, breach.reason) {
                (
                    Some(change),
                    DenyReason::TestsFrozen {
                        by: FrozenBy::FailingTest,
                    },
                ) => self.only_adds_tests(change)?,
                _ => false,
            };
            if !only_adds {
                left.push(breach);
            }
        }
        Ok(left)
    }

    /// Whether a file of tests only grows: every test it had is as it was.
    fn only_adds_tests(&self, change: &Change) -> Result<bool> {
        let class = |path: &BStr| self.class(path);
        let changes = std::slice::from_ref(change);
        let parts = Parts::of(self.repo, changes, &class, StubRules::default())?;
        Ok(parts.parts.iter().all(Part::only_adds_tests))
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
            in_force: self.mode() != Mode::Off,
            test_bug_open: self.state.open_test_bug().is_some(),
            waived: false,
            project_unlocked: true,
        }
    }

    /// The class of a changed path with regard to its content, and what is known of the change.
    pub(crate) fn content_of(&self, change: &Change) -> Result<(PathClass, ChangeKind)> {
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

impl State {
    /// Whether a person allowed the next change of a path.
    pub(crate) fn is_waived(&self, path: &BStr) -> bool {
        let path = refs::component(path);
        self.waivers.iter().any(|waiver| waiver.path == path)
    }

    /// Whether the worktree is as a person restored it.
    pub(crate) fn is_held(&self, snapshot: &Snapshot) -> bool {
        let tree = snapshot.tree.to_string();
        self.hold.as_ref().is_some_and(|hold| hold.tree == tree)
    }
}

/// The change that puts one part of a file back and leaves the other as it is; none if they
/// can't be told apart.
pub(crate) fn part_back(
    repo: &Repo,
    change: &Change,
    part: revert::Part,
) -> Result<Option<Change>> {
    let text = |leaf: Option<Leaf>| -> Result<Option<String>> {
        let bytes = leaf.map(|leaf| trees::content(repo, leaf)).transpose()?;
        Ok(String::from_utf8(bytes.unwrap_or_default()).ok())
    };
    let Some(leaf) = change.after else {
        return Ok(None);
    };
    let (Some(old), Some(new)) = (text(change.before)?, text(change.after)?) else {
        return Ok(None);
    };
    let merged = match part {
        revert::Part::Source => mixed::put_together(&change.path, &old, &new),
        revert::Part::Tests => mixed::put_together(&change.path, &new, &old),
    };
    let Some(merged) = merged else {
        return Ok(None);
    };
    let id = objects::blob(repo, merged.as_bytes())?;
    Ok(Some(Change {
        path: change.path.clone(),
        before: change.after,
        after: Some(Leaf { id, ..leaf }),
    }))
}

/// What is taken back before anything is judged. Source that no test asks for is judged.
fn is_taken_back_first(reason: DenyReason) -> bool {
    match reason {
        DenyReason::NoFailingTest { .. } => false,
        DenyReason::Protected
        | DenyReason::SpecSettled { .. }
        | DenyReason::PlanFirst
        | DenyReason::FailingTestElsewhere
        | DenyReason::TestsFrozen { .. }
        | DenyReason::OracleDrifted
        | DenyReason::TestBugOpen => true,
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
