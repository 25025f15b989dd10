//! The way out of a range of work: what the rules of the proof ask is found out in the lab, and what
//! they find comes back. Squash, the end of a spec cycle and replay ask here.
//!
//! ```text
//! two trees, claims, what to leave out → facts → rules ⇄ experiments in the lab → report
//! ```

mod answer;
mod bench;
mod document;
mod facts;
mod independent;
mod known;
mod left_out;
mod names;
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use gix::ObjectId;
use gix::bstr::BStr;

use crate::branch::state::TestResults;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::rules::way_out::{self, Function, Next, Report};
use crate::rules::{PathClass, RedNeeds};
use crate::step::experiment::LabOnDemand;
use crate::test_run::jobs::Job;
use crate::test_run::progress::Progress;

pub(crate) use independent::{Independent, count_functions, independent, run};
pub(crate) use known::{Forgetful, InNotes, Known};

use crate::branch::wip_commits::Entry;

/// A range of work, and where it can be asked about.
pub(crate) struct Work<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) class: &'a dyn Fn(&BStr) -> PathClass,
    /// The tree that the work will sit on.
    pub(crate) before: ObjectId,
    /// Its final tree.
    pub(crate) tip: ObjectId,
    /// The tree of the worktree that the lab is made of.
    pub(crate) worktree: ObjectId,
    pub(crate) asked: Asked<'a>,
    /// The commits of the range, oldest first, as far as they are known.
    pub(crate) entries: &'a [Entry],
    pub(crate) known_failures: &'a BTreeSet<String>,
    pub(crate) jobs: &'a [Job],
    pub(crate) red_needs: RedNeeds,
    pub(crate) setup: Option<&'a str>,
    /// The result of the final tree, where it is known and no cache may have it.
    pub(crate) whole: Option<&'a TestResults>,
}

/// What has to be proven.
#[derive(Clone, Copy)]
pub(crate) enum Asked<'a> {
    /// The tests that each cycle waited for.
    Cycles(&'a BTreeMap<u64, BTreeSet<String>>),
    /// The range as one change: every test that it adds or changes.
    Range,
}

/// Who runs what is asked, who looks on, and what is known already.
pub(crate) struct Means<'m> {
    pub(crate) lab: &'m mut LabOnDemand,
    pub(crate) known: &'m mut dyn Known,
    pub(crate) progress: &'m mut dyn Progress,
    /// Nothing is begun that would not end until then.
    pub(crate) deadline: Option<Instant>,
}

/// What the way out found.
#[derive(Debug, Clone)]
pub(crate) struct Proven {
    pub(crate) report: Report,
    /// The functions that the report speaks of.
    pub(crate) functions: Vec<Function>,
    /// Tests that the final tree has and leaves out.
    pub(crate) skipped: BTreeSet<String>,
    /// Tests that the range leaves as they are, by their names in the old tree.
    pub(crate) untouched: BTreeSet<String>,
    /// The files of tests, where the runner tells.
    pub(crate) test_files: BTreeMap<String, String>,
    /// How many tests pass in the final tree.
    pub(crate) passing: usize,
    /// What came by baselines and was not asked, by path.
    pub(crate) not_asked: Vec<String>,
    /// How many experiments were run for it, cached ones left out.
    pub(crate) runs: usize,
    /// Why an experiment has no answer, in its own words.
    pub(crate) no_answer: Option<String>,
}

/// Asks the way out about a range; none if nothing in it can be tested.
pub(crate) fn prove(work: &Work<'_>, means: &mut Means<'_>) -> Result<Option<Proven>> {
    let Some(mut bench) = bench::Bench::new(work, means)? else {
        return Ok(None);
    };
    let mut answers = BTreeMap::new();
    loop {
        match way_out::next(&bench.facts.range(&answers)) {
            Next::Ask(ask) => {
                let answer = bench.ask(&ask)?;
                answers.insert(ask.question, answer);
            }
            Next::Done(report) => return Ok(Some(bench.proven(report))),
        }
    }
}
