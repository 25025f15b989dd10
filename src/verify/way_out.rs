//! The way out, asked again about an archived history: in a lab of its own, from trees alone.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::BStr;

use super::checkout::Checkout;
use super::{Loaded, Verifier};
use crate::config::Needed;
use crate::error::Result;
use crate::git::trees;
use crate::lab::Lab;
use crate::message;
use crate::outcome::proof::Document;
use crate::outcome::verify::Finding;
use crate::proof::{self, Forgetful, Means, Work};
use crate::rules::CycleKind;
use crate::step::experiment::{self, LabOnDemand};
use crate::test_run::jobs;
use crate::test_run::progress::Progress;

/// What the reds of a history asked for when they were run again, by cycle, and what failed before.
pub(super) struct Asked {
    pub(super) tests: BTreeMap<u64, BTreeSet<String>>,
    pub(super) known: BTreeSet<String>,
}

/// Asks the way out about a history, in a lab over a checkout of its tip.
pub(super) fn ask(
    verifier: &Verifier<'_>,
    one: &Loaded,
    asked: &Asked,
    checkout: &Checkout,
) -> Result<Vec<Finding>> {
    let (Some(before), Some(tip)) = (one.onto.or(one.fork), one.entries.last()) else {
        return Ok(Vec::new());
    };
    let repo = verifier.repo;
    let class = |path: &BStr| verifier.classes.classify(path);
    let before = repo.tree_of(before)?;
    if trees::diff(repo, before, tip.tree)?.is_empty() {
        return Ok(Vec::new());
    }
    let jobs = jobs::all(&verifier.config, repo.root())?;
    let work = Work {
        repo,
        class: &class,
        before,
        tip: tip.tree,
        worktree: tip.tree,
        asked: proof::Asked::Cycles(&asked.tests),
        entries: &one.entries,
        known_failures: &asked.known,
        jobs: &jobs,
        red_needs: verifier.config.red_needs(CycleKind::Free),
        setup: None,
        whole: None,
    };
    let mut known = Forgetful::default();
    let mut means = Means {
        lab: &mut LabOnDemand::at(checkout.dir.clone()),
        known: &mut known,
        progress: &mut Silent,
        deadline: None,
    };
    let proven = proof::prove(&work, &mut means);
    // The checkout goes, and so does what was made for it.
    drop(Lab::remove(&checkout.dir, &experiment::options().cache));
    Ok(proven?.map_or_else(Vec::new, |proven| {
        findings(verifier, one, tip.id, &proven.document())
    }))
}

fn findings(
    verifier: &Verifier<'_>,
    one: &Loaded,
    tip: gix::ObjectId,
    found: &Document,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !found.unproven.is_empty() {
        findings.push(Finding {
            // A person said so, and the commit does.
            remark: one.accepts_unproven,
            ..Finding::wrong(Some(tip), message::proof::unproven(found))
        });
    }
    let blocks = verifier.config.needed == Needed::Block && !found.untested.is_empty();
    let remarks = message::proof::remarks(found);
    findings.extend(remarks.into_iter().map(|what| Finding {
        remark: true,
        ..Finding::wrong(Some(tip), what)
    }));
    if blocks {
        let what = message::proof::untested(found);
        findings.push(Finding::wrong(Some(tip), what));
    }
    findings
}

/// Nobody looks on.
struct Silent;

impl Progress for Silent {
    fn waiting(&mut self, _owner: &str) {}

    fn tests_start(&mut self, _command: &str) {}

    fn tests_line(&mut self, _line: &str) {}

    fn tests_end(&mut self) {}
}
