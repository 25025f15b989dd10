//! A run of the tests in the worktree that was about one tree.

use std::collections::BTreeSet;

use gix::bstr::BString;

use super::experiment::aimed_jobs;
use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::clock;
use crate::error::{Error, Result};
use crate::fault;
use crate::git::drift::Drift;
use crate::git::later_times::{self, Span};
use crate::git::snapshot::Snapshot;
use crate::rules::path_class::is_snapshot;
use crate::step::leftovers::has_sibling;
use crate::test_run::Selection;
use crate::test_run::jobs::{self, Job};
use crate::test_run::progress::Progress;

/// A run of the tests on a tree that held still.
pub(crate) struct Tested {
    /// The worktree as it was tested; another one if somebody saved during the first try.
    pub(crate) snapshot: Snapshot,
    pub(crate) results: TestResults,
    /// Files that came during the first try and that the second one did not write: a save, or what
    /// the tests write where it is missing.
    pub(crate) doubtful: BTreeSet<BString>,
    /// Paths that changed under every try: the run says nothing.
    pub(crate) unstable: Vec<String>,
}

/// How often a run is tried on a tree that changes under it.
const TRIES: usize = 2;

impl Session<'_> {
    /// Runs the tests until the worktree is the same before and after.
    pub(crate) fn test(
        &mut self,
        mut snapshot: Snapshot,
        jobs: &[Job],
        only: Option<&Selection>,
        progress: &mut dyn Progress,
    ) -> Result<Tested> {
        let mut perhaps_generated: BTreeSet<BString> = BTreeSet::new();
        let mut came: BTreeSet<BString> = BTreeSet::new();
        for attempt in 1.. {
            later_times::set(self.repo, &mut snapshot)?;
            let began = clock::now();
            let results = self.run_tests(snapshot.tree, jobs, only, progress);
            later_times::note(self.repo, &snapshot, Span::since(began));
            fault::point("tests-ran");
            let drift = self.drift(&snapshot)?;
            // Also if somebody stopped them in time.
            self.keep_what_is_gone(&snapshot, &drift)?;
            let mut results = results?;
            self.printed.push(std::mem::take(&mut results.printed));
            let (left, new): (BTreeSet<BString>, BTreeSet<BString>) = (drift.new.iter().cloned())
                .partition(|path| self.was_left_before(path) || has_sibling(&came, path));
            let generated = written_again(&perhaps_generated, &drift, &left);
            let changed: Vec<&BString> = drift.changed.difference(&generated).collect();
            self.remember_leftovers(left.iter().chain(&generated))?;
            // What came while the tests ran may be an edit: then it has to be tested too.
            if attempt < TRIES && (!changed.is_empty() || !new.is_empty()) {
                for path in changed {
                    if self.may_be_generated(path)? {
                        perhaps_generated.insert(path.clone());
                    }
                }
                perhaps_generated.extend(new.iter().cloned());
                came = new;
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
            came.retain(|path| !generated.contains(path) && !is_snapshot(path));
            return Ok(Tested {
                snapshot,
                results,
                doubtful: came,
                unstable,
            });
        }
        Err(Error::internal("the tests were never run"))
    }

    /// Runs the tests on the worktree, which holds `tree`.
    pub(crate) fn run_tests(
        &self,
        tree: gix::ObjectId,
        jobs: &[Job],
        only: Option<&Selection>,
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        let mut parts = Vec::new();
        for aimed in aimed_jobs(jobs, only) {
            let results = self.run_job(tree, aimed.job, aimed.only.as_ref(), progress)?;
            parts.push((aimed.job.clone(), results));
        }
        let others = self
            .state
            .accepted_results()
            .filter(|_| !self.config.projects.is_empty() && only.is_none());
        jobs::merged(parts, others).ok_or(Error::NoTestCommand)
    }
}

/// The files that came or changed under the first run, and that the second one wrote too: the tests
/// make them, nobody else does. What a runner notes down of a test is a test.
fn written_again(
    perhaps: &BTreeSet<BString>,
    drift: &Drift,
    left: &BTreeSet<BString>,
) -> BTreeSet<BString> {
    let is_written = |path: &&BString| {
        !is_snapshot(path)
            && (drift.changed.contains(*path)
                || drift.rewritten.contains(*path)
                || has_sibling(left, path))
    };
    perhaps.iter().filter(is_written).cloned().collect()
}
