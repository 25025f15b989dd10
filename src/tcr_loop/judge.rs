//! The judgement of a tree: run the tests, make sure that the run was about this very tree, compare
//! with the last accepted result, decide.

use std::collections::BTreeSet;

use gix::bstr::ByteSlice;

use super::LoopRequest;
use super::jobs::Job;
use super::progress::Progress;
use super::session::Session;
use super::smells::Smell;
use super::tested::Tested;
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::trees::{self, Change};
use crate::error::{Doing, Result};
use crate::journal::sealed;
use crate::journal::state::{LintResult, TestResults};
use crate::policy::compare::{ChangedTests, Comparison, TestSets, compare};
use crate::policy::write_gate::{Change as ChangeKind, SourcePart, TestPart};
use crate::policy::{ChangedClasses, LoopDecision, Situation, Targets, decide_loop};
use crate::policy::{Mode, PathClass, Verdict};

/// A tree and what is to be done with it.
pub(super) struct Judged {
    pub(super) snapshot: Snapshot,
    pub(super) results: TestResults,
    pub(super) comparison: Comparison,
    pub(super) decision: LoopDecision,
    /// New files that the run left behind.
    pub(super) leftovers: Vec<String>,
    /// Paths that changed while the tests ran, every time: the run says nothing.
    pub(super) unstable: Vec<String>,
    /// The test commands behind the result.
    pub(super) jobs: Vec<Job>,
    /// What the lint command said, if it had a say.
    pub(super) lint: Option<LintResult>,
    /// New findings that the step brings.
    pub(super) smells: Vec<Smell>,
    /// What the validator has against it.
    pub(super) objection: Option<String>,
}

impl Judged {
    fn new(tested: Tested, comparison: Comparison, decision: LoopDecision, jobs: Vec<Job>) -> Self {
        Judged {
            snapshot: tested.snapshot,
            results: tested.results,
            comparison,
            decision,
            leftovers: tested.leftovers,
            unstable: tested.unstable,
            jobs,
            lint: None,
            smells: Vec::new(),
            objection: None,
        }
    }
}

/// How far a result reaches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// False for results that an agent brought.
    trusted: bool,
    /// It may be about some of the tests only.
    partial: bool,
}

impl Session<'_> {
    /// Judges a snapshot of the worktree.
    pub(super) fn judge(
        &mut self,
        snapshot: Snapshot,
        request: &LoopRequest,
        progress: &mut dyn Progress,
    ) -> Result<Judged> {
        let mut snapshot = snapshot;
        if request.quick_first
            && let Some(quick) = self.quick_job(&snapshot)
        {
            let judged = self.judge_quickly(snapshot, quick, progress)?;
            if let LoopDecision::Revert { .. } = judged.decision {
                return Ok(judged);
            }
            snapshot = judged.snapshot;
        }
        let jobs = self.wanted_jobs(&snapshot, request)?;
        let extent = Extent {
            trusted: request.is_trusted(),
            partial: request.command.is_some(),
        };
        let mut tested = self.tested(snapshot, &jobs, request, extent, progress)?;
        tested.results.aside = !extent.trusted || self.misses_some(&tested.results, extent);
        let (comparison, decision) = self.decide(&tested.snapshot, &tested.results, extent)?;
        // What was not run here is not kept as a known result.
        let jobs = if request.ingested.is_some() {
            Vec::new()
        } else {
            jobs
        };
        Ok(Judged::new(tested, comparison, decision, jobs))
    }

    /// The quick tests can only revert early.
    fn judge_quickly(
        &mut self,
        snapshot: Snapshot,
        job: Job,
        progress: &mut dyn Progress,
    ) -> Result<Judged> {
        let jobs = vec![job];
        let tested = self.test(snapshot, &jobs, None, progress)?;
        let extent = Extent {
            trusted: true,
            partial: true,
        };
        let (comparison, decision) = self.decide(&tested.snapshot, &tested.results, extent)?;
        Ok(Judged::new(tested, comparison, decision, jobs))
    }

    fn wanted_jobs(&self, snapshot: &Snapshot, request: &LoopRequest) -> Result<Vec<Job>> {
        let Some(command) = &request.command else {
            return self.jobs(&self.changes_since_accepted(snapshot)?);
        };
        Ok(vec![Job {
            command: command.clone(),
            dir: self.repo.root().to_owned(),
            timeout: self.config.timeout(),
            red_confirm: self.config.red_confirm.clone(),
            project: None,
            others: Vec::new(),
        }])
    }

    /// What the step changed since the last accepted tree.
    pub(super) fn changes_since_accepted(&self, snapshot: &Snapshot) -> Result<Vec<Change>> {
        match self.mode() {
            Mode::Tdd | Mode::Observe => self.changes_since_tested(snapshot),
            Mode::Both | Mode::Tcr | Mode::Relaxed | Mode::Off => Ok(snapshot.changes.clone()),
        }
    }

    /// What changed since the tree that the accepted results are about. That is HEAD's, unless a mode
    /// that does not commit was at work.
    pub(super) fn changes_since_tested(&self, snapshot: &Snapshot) -> Result<Vec<Change>> {
        let accepted = gix::ObjectId::from_hex(self.state.accepted_tree.as_bytes())
            .doing("read an object id")?;
        if accepted == self.head_tree()? || !self.repo.gix.has_object(accepted) {
            return Ok(snapshot.changes.clone());
        }
        trees::diff(self.repo, accepted, snapshot.tree)
    }

    pub(super) fn decide(
        &self,
        snapshot: &Snapshot,
        results: &TestResults,
        extent: Extent,
    ) -> Result<(Comparison, LoopDecision)> {
        let changes = self.changes_since_accepted(snapshot)?;
        let changed = self.changed_classes(&changes)?;
        let before = self.state.accepted_results().map(sets_of);
        let now = sets_of(results);
        let quick = self.misses_some(results, extent);
        let before = if quick {
            before.map(|all| all.restricted_to(&now))
        } else {
            before
        };
        let comparison = compare(
            before.as_ref(),
            &now,
            &self.state.known_failures,
            &self.changed_tests(&changes, changed)?,
        );
        let situation = Situation {
            mode: self.mode(),
            phase: self.state.phase,
            cycle: self.state.cycle_kind(),
            oracle_frozen: self.state.oracle_in_force().is_some(),
            verdict: results.verdict.unwrap_or(Verdict::Broken),
            confirmed: results.confirmed,
            trusted: extent.trusted,
            quick,
            flaky: !results.flaky.is_empty(),
            changed,
            comparison: &comparison,
            targets: self.targets(before.as_ref(), &now),
            on_broken: self.config.on_broken,
            revert_at: self.config.revert_at(self.state.cycle_kind()),
            step_open: false,
            ends_step: true,
            freeze_tests: self.config.freeze_tests,
            held: self.is_held(snapshot),
            first_round: false,
        };
        let decision = decide_loop(&situation);
        Ok((comparison, decision))
    }

    /// Whether a result may be of some tests only: it says nothing about the others, and is not
    /// enough for a commit.
    fn misses_some(&self, results: &TestResults, extent: Extent) -> bool {
        if !extent.partial {
            return false;
        }
        let now = sets_of(results);
        let misses = |all: &TestResults| all.passed.iter().any(|test| !now.has(test));
        self.state.accepted_results().is_none_or(misses)
    }

    fn changed_classes(&self, changes: &[Change]) -> Result<ChangedClasses> {
        let mut changed = ChangedClasses::NOTHING;
        let mut accepted_config = false;
        for change in changes {
            if self.is_accepted_config(change)? {
                accepted_config = true;
                continue;
            }
            if change.is_submodule() || self.is_waived(change.path.as_bstr()) {
                changed.other = true;
                continue;
            }
            let (class, kind) = self.content_of(change)?;
            match class {
                PathClass::Test => changed.tests = true,
                PathClass::Harness => changed.harness = true,
                // No test sees a spec, and what may not change was put back.
                PathClass::Docs | PathClass::Spec => changed.docs = true,
                PathClass::Other | PathClass::Protected => changed.other = true,
                PathClass::Source | PathClass::Mixed => {
                    changed.tests |= changes_tests(kind);
                    changed.source = more_of(changed.source, source_part(kind));
                }
            }
        }
        // What a person accepted says nothing about the work beside it.
        let alone = !changed.tests && !changed.harness && changed.source == SourcePart::Same;
        changed.other |= accepted_config && alone;
        Ok(changed)
    }

    /// Whether `.tcr.toml` was changed to what is obeyed now.
    fn is_accepted_config(&self, change: &Change) -> Result<bool> {
        let (true, Some(leaf)) = (change.path == sealed::FILE, change.after) else {
            return Ok(false);
        };
        let accepted = match sealed::load(self.repo)? {
            Some(sealed) => sealed::accepted_text(self.repo, &sealed)?,
            None => None,
        };
        Ok(!leaf.is_link() && accepted == Some(trees::content(self.repo, leaf)?))
    }

    fn changed_tests(&self, changes: &[Change], changed: ChangedClasses) -> Result<ChangedTests> {
        let mut files = BTreeSet::new();
        for change in changes.iter().filter(|change| !change.is_submodule()) {
            let (class, kind) = self.content_of(change)?;
            if class == PathClass::Test || changes_tests(kind) {
                files.insert(change.path.to_string());
            }
        }
        Ok(ChangedTests {
            files,
            nothing_else: changed.source == SourcePart::Same && !changed.other,
        })
    }

    /// How far the tests that failed at the red commit have come.
    fn targets(&self, before: Option<&TestSets>, now: &TestSets) -> Targets {
        let left = |sets: &TestSets| {
            self.state
                .targets
                .iter()
                .filter(|test| !sets.passed.contains(*test))
                .count()
        };
        Targets {
            left_before: before.map_or(self.state.targets.len(), left),
            left: left(now),
        }
    }
}

fn changes_tests(kind: ChangeKind) -> bool {
    matches!(
        kind,
        ChangeKind::Parts {
            tests: TestPart::Changed | TestPart::Moved,
            ..
        }
    )
}

fn source_part(kind: ChangeKind) -> SourcePart {
    match kind {
        ChangeKind::Stub => SourcePart::Stub,
        ChangeKind::Parts { source, .. } => source,
        ChangeKind::Unknown | ChangeKind::Content | ChangeKind::NewSnapshot => SourcePart::Changed,
    }
}

fn more_of(one: SourcePart, other: SourcePart) -> SourcePart {
    match (one, other) {
        (SourcePart::Changed, _) | (_, SourcePart::Changed) => SourcePart::Changed,
        (SourcePart::Stub, _) | (_, SourcePart::Stub) => SourcePart::Stub,
        (SourcePart::Same, SourcePart::Same) => SourcePart::Same,
    }
}

/// The tests of a result as sets.
pub(super) fn sets_of(results: &TestResults) -> TestSets {
    TestSets {
        passed: results.passed.iter().cloned().collect(),
        failed: results.failed.iter().cloned().collect(),
        skipped: results.skipped.iter().cloned().collect(),
        files: results.files.clone(),
    }
}
