//! A run of the tests in the worktree that was about one tree.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;

use gix::bstr::{BString, ByteSlice};

use super::experiment::{AskLab, LabOnDemand, Ran, aimed_jobs};
use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::clock;
use crate::error::{Error, Result};
use crate::fault;
use crate::git::drift::Drift;
use crate::git::later_times::{self, Span};
use crate::git::snapshot::Snapshot;
use crate::rules::NoAnswer;
use crate::rules::path_class::is_snapshot;

use crate::test_run::Selection;
use crate::test_run::jobs::{self, Job};
use crate::test_run::progress::Progress;

/// A run of the tests on a tree that held still.
pub(crate) struct Tested {
    /// The worktree as it was tested; another one if somebody saved during the first try.
    pub(crate) snapshot: Snapshot,
    pub(crate) results: TestResults,
    /// Paths that changed under every try: the run says nothing.
    pub(crate) unstable: Vec<String>,
}

/// How often a run is tried on a tree that changes under it.
const TRIES: usize = 2;

/// What was written while the tests ran, and whether they did it is not known.
#[derive(Default)]
struct Moved {
    /// Files of the snapshot that have another content now, or none.
    changed: BTreeSet<BString>,
    /// Files of the snapshot that were written and have the same content again.
    rewritten: BTreeSet<BString>,
    /// Files that came.
    new: BTreeSet<BString>,
    /// Files that came during an earlier try, and that this one left alone.
    came: BTreeSet<BString>,
}

impl Moved {
    fn holds_still(&self) -> bool {
        self.changed.is_empty() && self.rewritten.is_empty() && self.new.is_empty()
    }
}

/// Who wrote what was written while the tests ran.
enum Writers {
    /// The tests write these files; somebody else wrote the others.
    Tests(BTreeSet<BString>),
    /// There is no lab to tell.
    Unknown,
}

impl Session<'_> {
    /// Runs the tests until the worktree is the same before and after.
    pub(crate) fn test(
        &mut self,
        mut snapshot: Snapshot,
        jobs: &[Job],
        only: Option<&Selection>,
        lab: &mut LabOnDemand,
        progress: &mut dyn Progress,
    ) -> Result<Tested> {
        let mut before = Moved::default();
        for attempt in 1.. {
            later_times::set(self.repo, &mut snapshot)?;
            let began = clock::now();
            snapshot.tests_begin(self.repo);
            let results = self.run_tests(snapshot.tree, jobs, only, progress);
            later_times::note(self.repo, &snapshot, Span::since(began));
            fault::point("tests-ran");
            let drift = self.drift(&snapshot)?;
            // Also if somebody stopped them in time.
            self.keep_what_is_gone(&snapshot, &drift)?;
            let mut results = results?;
            self.printed.push(std::mem::take(&mut results.printed));
            snapshot.staged_only = drift.staged_only.clone();
            let (mut generated, mut moved) = self.apart(drift)?;
            if attempt < TRIES && !moved.holds_still() {
                self.remember_leftovers(generated.iter())?;
                before.new.extend(moved.new);
                before.changed.extend(moved.changed);
                snapshot = self.held_snapshot()?;
                continue;
            }
            moved.came = self.came(&before, &moved)?;
            let mut unstable = Vec::new();
            if !(moved.holds_still() && moved.came.is_empty()) {
                let ask = (jobs, only);
                let writers = self.writers(&snapshot, &moved, ask, lab, progress)?;
                (unstable, generated) = self.told_apart(moved, &before, &writers, generated)?;
            }
            self.remember_leftovers(generated.iter())?;
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
                unstable,
            });
        }
        Err(Error::internal("the tests were never run"))
    }

    /// What the tests are known to write, to be left out, and the rest.
    fn apart(&self, drift: Drift) -> Result<(BTreeSet<BString>, Moved)> {
        let mut generated = BTreeSet::new();
        let mut moved = Moved::default();
        for (paths, others) in [
            (drift.changed, &mut moved.changed),
            (drift.new, &mut moved.new),
        ] {
            for path in paths {
                match self.is_written_by_tests(&path) && self.can_be_left_out(&path, true)? {
                    true => generated.insert(path),
                    false => others.insert(path),
                };
            }
        }
        let again = drift.rewritten.into_iter();
        moved.rewritten = again
            .filter(|path| !self.is_written_by_tests(path))
            .collect();
        Ok((generated, moved))
    }

    /// Of the files that were written during earlier tries, those nobody committed and that stayed alone
    /// in the last one: a save, or what the tests write where it is missing.
    fn came(&self, before: &Moved, moved: &Moved) -> Result<BTreeSet<BString>> {
        let mut came = BTreeSet::new();
        for path in before.new.union(&before.changed) {
            let moves = [&moved.changed, &moved.rewritten, &moved.new];
            if !moves.iter().any(|paths| paths.contains(path)) && self.is_new_here(path)? {
                came.insert(path.clone());
            }
        }
        Ok(came)
    }

    /// The lab, where files that came are missing, tells which of them the tests write.
    fn writers(
        &self,
        snapshot: &Snapshot,
        moved: &Moved,
        (jobs, only): (&[Job], Option<&Selection>),
        lab: &mut LabOnDemand,
        progress: &mut dyn Progress,
    ) -> Result<Writers> {
        let now = match moved.new.is_empty() {
            true => snapshot.clone(),
            false => self.snapshot()?,
        };
        let present = now.tree;
        let came = moved.new.union(&moved.came).cloned().collect();
        let ask = AskLab {
            worktree: present,
            tree: self.without(now, &came)?.tree,
            jobs,
            only,
        };
        Ok(match self.in_lab(&ask, lab, progress)? {
            Ran::Results { wrote, .. } if lab.is_overlay() => {
                let wrote = wrote
                    .iter()
                    .map(|path| BString::from(path.as_os_str().as_bytes()));
                Writers::Tests(wrote.collect())
            }
            // Somebody writes even now.
            Ran::Nothing(NoAnswer::Void, _) => Writers::Tests(BTreeSet::new()),
            Ran::Results { .. } | Ran::Nothing(..) => Writers::Unknown,
        })
    }

    /// The paths that void the run, and those that are left out because the tests write them.
    fn told_apart(
        &mut self,
        moved: Moved,
        before: &Moved,
        writers: &Writers,
        mut generated: BTreeSet<BString>,
    ) -> Result<(Vec<String>, BTreeSet<BString>)> {
        let mut unstable = Vec::new();
        let mut written = BTreeSet::new();
        let (alike, new) = (moved.rewritten.clone(), moved.new.clone());
        let moves = [moved.changed, moved.rewritten, moved.new];
        for path in moves.into_iter().flatten() {
            let is_alike = alike.contains(&path);
            let by_tests = match writers {
                Writers::Tests(wrote) => {
                    wrote.contains(&path) || self.is_numbered_like(wrote, &path)
                }
                Writers::Unknown => {
                    let was = before.new.contains(&path) || before.changed.contains(&path);
                    let is_again = was && !self.is_judged(path.as_bstr());
                    is_again || self.is_numbered_like(&before.new, &path)
                }
            };
            let came = before.new.contains(&path) || new.contains(&path);
            let is_held = is_alike && (by_tests || matches!(writers, Writers::Unknown));
            let is_out = by_tests
                && self.can_be_left_out(&path, came)?
                && (!is_alike || self.is_new_here(&path)?);
            match (is_out, is_held) {
                (true, _) => drop(generated.insert(path.clone())),
                (false, true) => {}
                (false, false) => unstable.push(path.to_string()),
            }
            if by_tests {
                written.insert(path);
            }
        }
        if let Writers::Tests(wrote) = writers {
            let is_theirs = |path: &BString| {
                !is_snapshot(path) && (wrote.contains(path) || self.is_numbered_like(wrote, path))
            };
            let by_tests: BTreeSet<BString> = moved.came.into_iter().filter(is_theirs).collect();
            generated.extend(by_tests.iter().cloned());
            written.extend(by_tests);
        }
        self.remember_written(&written);
        Ok((unstable, generated))
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
