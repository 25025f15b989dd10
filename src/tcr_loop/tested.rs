//! A run of the tests that was about one tree, and a second chance for what may be chance.

use std::collections::BTreeSet;

use gix::bstr::BString;

use super::LoopRequest;
use super::jobs::Job;
use super::judge::Extent;
use super::progress::Progress;
use super::session::Session;
use crate::effects::fault;
use crate::effects::git::snapshot::Snapshot;
use crate::error::Result;
use crate::journal::state::TestResults;
use crate::policy::{LoopDecision, Verdict};

/// A run of the tests on a tree that held still.
pub(crate) struct Tested {
    pub(crate) snapshot: Snapshot,
    pub(crate) results: TestResults,
    pub(super) leftovers: Vec<String>,
    pub(crate) unstable: Vec<String>,
}

/// How often a run is tried on a tree that changes under it.
const TRIES: usize = 2;

impl Session<'_> {
    pub(super) fn tested(
        &mut self,
        snapshot: Snapshot,
        jobs: &[Job],
        request: &LoopRequest,
        extent: Extent,
        progress: &mut dyn Progress,
    ) -> Result<Tested> {
        let known = match (&request.ingested, jobs.first()) {
            (Some(ingested), Some(job)) => Some(self.ingest(ingested, &snapshot, job)?),
            _ if request.takes_known_results() => self.cached(snapshot.tree, jobs)?,
            _ => None,
        };
        let Some(results) = known else {
            return self.test(snapshot, jobs, Some(extent), progress);
        };
        if self.config.retry > 0 && self.may_be_flaky(&snapshot, &results, extent)? {
            let mut again = self.test(snapshot, jobs, None, progress)?;
            again.results = with_flaky(again.results, &results);
            return Ok(again);
        }
        Ok(Tested {
            snapshot,
            results,
            leftovers: Vec::new(),
            unstable: Vec::new(),
        })
    }

    /// Runs the tests until the worktree is the same before and after. With an extent given,
    /// failures that may be flaky get their second chance.
    pub(crate) fn test(
        &mut self,
        mut snapshot: Snapshot,
        jobs: &[Job],
        second_chance: Option<Extent>,
        progress: &mut dyn Progress,
    ) -> Result<Tested> {
        let mut perhaps_generated: BTreeSet<BString> = BTreeSet::new();
        let mut leftovers = Vec::new();
        for attempt in 1.. {
            let results = self.run_all(&snapshot, jobs, second_chance, progress);
            fault::point("tests-ran");
            let drift = self.drift(&snapshot)?;
            // Also if somebody stopped them in time.
            self.keep_what_is_gone(&snapshot, &drift)?;
            let results = results?;
            // Written by both runs: they made it, nobody else did.
            let generated: BTreeSet<BString> = perhaps_generated
                .intersection(&drift.changed.union(&drift.rewritten).cloned().collect())
                .cloned()
                .collect();
            let changed: Vec<&BString> = drift.changed.difference(&generated).collect();
            // A new source or test file may be an edit that came while the tests ran: then it has
            // to be tested too.
            let (perhaps_edits, left): (BTreeSet<BString>, BTreeSet<BString>) = drift
                .new
                .iter()
                .cloned()
                .partition(|path| attempt < TRIES && self.may_be_an_edit(path));
            leftovers.extend(self.remember_leftovers(left.iter().chain(&generated))?);
            if attempt < TRIES && (!changed.is_empty() || !perhaps_edits.is_empty()) {
                for path in changed {
                    if self.may_be_generated(path)? {
                        perhaps_generated.insert(path.clone());
                    }
                }
                perhaps_generated.extend(perhaps_edits);
                snapshot = self.held_snapshot()?;
                continue;
            }
            let unstable: Vec<String> = changed.iter().map(ToString::to_string).collect();
            snapshot.staged_only = drift.staged_only;
            let snapshot = self.without(snapshot, &generated)?;
            let mut results = TestResults {
                tree: snapshot.tree.to_string(),
                ..results
            };
            if !unstable.is_empty() {
                // The run was about no tree at all: nothing may be concluded from it, now or later.
                results.verdict = None;
                results.fingerprint = None;
            }
            return Ok(Tested {
                snapshot,
                results,
                leftovers,
                unstable,
            });
        }
        Err(crate::error::Error::internal("the tests were never run"))
    }

    fn run_all(
        &mut self,
        snapshot: &Snapshot,
        jobs: &[Job],
        second_chance: Option<Extent>,
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        let results = self.run_tests(snapshot.tree, jobs, progress)?;
        match second_chance {
            Some(extent) => self.run_again(snapshot, results, jobs, extent, progress),
            None => Ok(results),
        }
    }

    /// Before anything is reverted, tests that passed before get a second chance. The look at the
    /// worktree afterwards is about both runs.
    fn run_again(
        &mut self,
        snapshot: &Snapshot,
        mut results: TestResults,
        jobs: &[Job],
        extent: Extent,
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        for _ in 0..self.config.retry {
            if !self.may_be_flaky(snapshot, &results, extent)? {
                break;
            }
            results = with_flaky(self.run_tests(snapshot.tree, jobs, progress)?, &results);
        }
        Ok(results)
    }

    /// Whether what would be reverted for these results may be due to chance.
    fn may_be_flaky(
        &self,
        snapshot: &Snapshot,
        results: &TestResults,
        extent: Extent,
    ) -> Result<bool> {
        let (comparison, decision) = self.decide(snapshot, results, extent)?;
        let LoopDecision::Revert { .. } = decision else {
            return Ok(false);
        };
        let was_green = self
            .state
            .accepted_results()
            .is_some_and(|results| results.verdict == Some(Verdict::Green));
        // Without names, a red after a green is all there is to go by.
        let unnamed = results.total == 0 && results.verdict == Some(Verdict::Red) && was_green;
        Ok(!comparison.regressions.is_empty() || unnamed)
    }
}

/// The second run, with the tests that failed only the first time.
fn with_flaky(mut again: TestResults, first: &TestResults) -> TestResults {
    // On another tree a pass has another reason.
    if again.tree != first.tree {
        return again;
    }
    let passed: BTreeSet<&String> = again.passed.iter().collect();
    let mut flaky: Vec<String> = first
        .failed
        .iter()
        .filter(|test| passed.contains(test))
        .cloned()
        .collect();
    let unnamed = first.total == 0 && again.verdict == Some(Verdict::Green);
    if unnamed {
        flaky.push("the whole run".into());
    }
    again.flaky = flaky;
    again
}
