//! A detected test command that does not run any test gives way to the next one that does.

use std::collections::BTreeSet;

use super::offer::Offer;
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::message::install::{Standing, Tried};
use crate::rules::{CycleKind, Verdict};
use crate::test_run::jobs::{self, Job};
use crate::test_run::progress::Progress;
use crate::test_run::results::{self, RunRules};

/// How many other commands are tried.
const MOST: usize = 4;

/// Why a command that was detected is not taken: no test ran by it, or its failure may be anything.
fn why_not(results: &TestResults) -> Option<&str> {
    let said_nothing = match results.verdict {
        Some(Verdict::Broken) => results.total == 0 && results.load_errors.is_empty(),
        Some(Verdict::Red) => !results.confirmed,
        Some(Verdict::Green) | None => false,
    };
    said_nothing.then_some(results.reason.as_str())
}

/// The commands that were tried in vain, and the offer with one that works; none if the first one stays.
pub(super) fn find(
    repo: &Repo,
    offer: &Offer,
    standing: &Standing<'_>,
    progress: &mut dyn Progress,
) -> Result<Option<(Vec<Tried>, Offer)>> {
    let Standing::Activated(activated) = standing else {
        return Ok(None);
    };
    let Some(detected) = offer.detected.as_ref().filter(|_| offer.is_first) else {
        return Ok(None);
    };
    let (Some(first), Some(why)) = (&detected.test, why_not(&activated.results)) else {
        return Ok(None);
    };
    let mut tried = vec![Tried::new(&first.command, why)];
    let others = detected.candidates.iter().filter(|other| *other != first);
    for candidate in others.take(MOST) {
        let next = offer.with(candidate)?;
        let ran = run(repo, &next, progress)?;
        match why_not(&ran) {
            None => return Ok(Some((tried, next))),
            Some(why) => tried.push(Tried::new(&candidate.command, why)),
        }
    }
    Ok(None)
}

fn run(repo: &Repo, offer: &Offer, progress: &mut dyn Progress) -> Result<TestResults> {
    let rules = RunRules {
        red_needs: offer.config.red_needs(CycleKind::Free),
        known_failures: &BTreeSet::new(),
    };
    let tree = repo.tree_of(repo.head()?.commit)?;
    let mut parts: Vec<(Job, TestResults)> = Vec::new();
    for job in jobs::all(&offer.config, repo.root())? {
        progress.tests_start(&results::display(&job.command));
        let ran = results::run_job(&job, tree, &rules, &mut |line| progress.tests_line(line));
        progress.tests_end();
        parts.push((job, ran?));
    }
    Ok(jobs::merged(parts, None).unwrap_or_default())
}
