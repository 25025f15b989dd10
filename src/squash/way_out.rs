//! The way out of a branch at work: asked by squash and at the end of a spec cycle.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::BStr;

use crate::branch::session::Session;
use crate::branch::wip_commits::Entry;
use crate::config::Needed;
use crate::error::Result;
use crate::proof::{self, InNotes, Means, Proven, Work};
use crate::rules::way_out::{Refusal, Terms};
use crate::step::experiment::LabOnDemand;
use crate::step::memory::Memory;
use crate::test_run::jobs;
use crate::test_run::progress::Progress;

/// What is asked about.
pub(crate) struct Asked<'a> {
    /// The tree that the work will sit on.
    pub(crate) before: ObjectId,
    /// Its final tree.
    pub(crate) tip: ObjectId,
    pub(crate) entries: &'a [Entry],
    /// The tests that each cycle waited for.
    pub(crate) tests: &'a BTreeMap<u64, BTreeSet<String>>,
    /// Whether what is found out may be kept beside the trees.
    pub(crate) writes: bool,
}

impl Session<'_> {
    /// Asks the way out; none if nothing in it can be tested.
    pub(crate) fn prove(
        &self,
        asked: &Asked<'_>,
        progress: &mut dyn Progress,
    ) -> Result<Option<Proven>> {
        let jobs = jobs::about(self.config, self.repo.root(), &[])?;
        let setup = self.config.setup.as_ref().map(ToString::to_string);
        let class = |path: &BStr| self.class(path);
        let tip = asked.tip.to_string();
        let known = self.state.accepted_results();
        let work = Work {
            repo: self.repo,
            class: &class,
            before: asked.before,
            tip: asked.tip,
            worktree: self.snapshot()?.tree,
            asked: proof::Asked::Cycles(asked.tests),
            entries: asked.entries,
            known_failures: &self.state.known_failures,
            jobs: &jobs,
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            setup: setup.as_deref(),
            // No cache has what only the exit status says.
            whole: known.filter(|known| known.tree == tip && !known.confirmed && !known.aside),
        };
        let mut known = InNotes {
            session: self,
            jobs: &jobs,
            writes: asked.writes,
            memory: Memory::default(),
        };
        let mut means = Means {
            lab: &mut LabOnDemand::default(),
            known: &mut known,
            progress,
            deadline: None,
        };
        proof::prove(&work, &mut means)
    }

    /// Why the way out is refused.
    pub(crate) fn refusals(&self, proven: &Proven, accepts_unproven: bool) -> Vec<Refusal> {
        proven.report.refusals(Terms {
            accepts_unproven,
            blocks_untested: self.config.needed == Needed::Block,
        })
    }
}
