//! Runs the tests of a history again, in checkouts of their own, and believes nothing else.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checkout::Yard;
use super::frozen::Frozen;
use super::way_out::{self, Asked};
use super::{Entry, Loaded, Replay, Verifier};
use crate::branch::state::TestResults;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::message;
use crate::outcome::verify::Finding;
use crate::rules::{CycleKind, Verdict};
use crate::test_run::jobs;
use crate::test_run::results::{RunRules, run_job};

/// A checkout to be tested, and the failures that were there before the work began.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Task {
    tree: gix::ObjectId,
    commit: gix::ObjectId,
    known: BTreeSet<String>,
}

/// A red and the green that answered it, by their places in the history.
struct Pair {
    red: usize,
    green: usize,
}

/// What every tested tree came to.
type Results = HashMap<(gix::ObjectId, BTreeSet<String>), TestResults>;

/// Tests every history again and adds what is found. Returns how many checkouts were tested.
pub(super) fn replay(
    verifier: &Verifier<'_>,
    loaded: &mut [Loaded],
    how: &Replay<'_>,
) -> Result<usize> {
    let mut before = Vec::new();
    for one in loaded.iter() {
        before.extend(beginning(verifier, one)?);
    }
    let mut known = Results::new();
    run_all(verifier, before.clone(), how, &mut known)?;
    let mut tasks = Vec::new();
    let mut failures: Vec<BTreeSet<String>> = Vec::new();
    for one in loaded.iter() {
        let failed = match beginning(verifier, one)? {
            Some(task) => failed_in(&known, &task),
            None => BTreeSet::new(),
        };
        let pairs = pairs(one);
        let wanted = pairs
            .iter()
            .flat_map(|pair| [pair.red, pair.green])
            .chain(one.entries.len().checked_sub(1))
            .filter_map(|at| one.entries.get(at));
        tasks.extend(wanted.map(|entry| Task {
            tree: entry.tree,
            commit: entry.id,
            known: failed.clone(),
        }));
        failures.push(failed);
    }
    run_all(verifier, tasks, how, &mut known)?;
    for (one, failed) in loaded.iter_mut().zip(failures) {
        let findings = judge(verifier, one, &failed, &known)?;
        one.verdict.findings.extend(findings);
        let findings = asked_again(verifier, one, failed, &known, how)?;
        one.verdict.findings.extend(findings);
    }
    Ok(known.len())
}

/// The tests that commits between a red and its green change, but for those that are about tests:
/// more may be added meanwhile.
fn changed_outside_tests(
    frozen: &Frozen<'_>,
    red: gix::ObjectId,
    between: &[Entry],
) -> Result<Vec<String>> {
    let mut changed = BTreeSet::new();
    let mut before = red;
    for entry in between {
        let is_about_tests = matches!(entry.commit.label.as_deref(), Some("test" | "red"));
        if !is_about_tests && !entry.commit.declared {
            changed.extend(frozen.changed(before, entry.tree)?);
        }
        before = entry.tree;
    }
    Ok(changed.into_iter().collect())
}

/// Asks the way out again, about a history that holds so far.
fn asked_again(
    verifier: &Verifier<'_>,
    one: &Loaded,
    known: BTreeSet<String>,
    results: &Results,
    how: &Replay<'_>,
) -> Result<Vec<Finding>> {
    let is_fine = one.verdict.findings.iter().all(|finding| finding.remark);
    let Some(tip) = one.entries.last().filter(|_| is_fine) else {
        return Ok(Vec::new());
    };
    let mut tests = BTreeMap::new();
    for pair in pairs(one) {
        let Some(red) = one.entries.get(pair.red) else {
            continue;
        };
        let failed = results.get(&(red.tree, known.clone()));
        let failed = failed.into_iter().flat_map(|results| &results.failed);
        let asked: BTreeSet<String> = failed.filter(|id| !known.contains(*id)).cloned().collect();
        let cycle = red.commit.cycle.unwrap_or(0);
        tests
            .entry(cycle)
            .or_insert_with(BTreeSet::new)
            .extend(asked);
    }
    let folder = temporary()?;
    let checkout = Yard::new(verifier.repo, folder.path(), how.setup).make(tip.id)?;
    let asked = Asked { tests, known };
    way_out::ask(verifier, one, &asked, &checkout)
}

fn temporary() -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("git-tcr-replay-")
        .tempdir()
        .map_err(|error| Error::io("create", &std::env::temp_dir(), error))
}

/// A run that says nothing of the history: a tool is missing, or time ran out.
fn says_nothing(results: &TestResults) -> bool {
    let is_outside = results
        .load_errors
        .iter()
        .all(|error| error.missing_package);
    match results.verdict {
        Some(Verdict::Broken) => is_outside && results.failed.is_empty(),
        None => true,
        Some(Verdict::Green | Verdict::Red) => false,
    }
}

fn finding(commit: gix::ObjectId, what: String, results: &TestResults) -> Finding {
    Finding {
        unsure: says_nothing(results),
        ..Finding::wrong(Some(commit), what)
    }
}

/// What was there before the first cycle: the baseline, or the base itself.
fn beginning(verifier: &Verifier<'_>, one: &Loaded) -> Result<Option<Task>> {
    let baseline = one
        .entries
        .first()
        .filter(|entry| entry.commit.label.as_deref() == Some("baseline"));
    let commit = match (baseline, one.fork, one.entries.first()) {
        (Some(entry), _, _) => entry.id,
        (None, Some(fork), _) => fork,
        (None, None, Some(first)) => match first.parents.first() {
            Some(parent) => *parent,
            None => return Ok(None),
        },
        (None, None, None) => return Ok(None),
    };
    Ok(Some(Task {
        tree: verifier.repo.tree_of(commit)?,
        commit,
        known: BTreeSet::new(),
    }))
}

fn failed_in(results: &Results, task: &Task) -> BTreeSet<String> {
    results
        .get(&(task.tree, task.known.clone()))
        .map(|results| results.failed.iter().cloned().collect())
        .unwrap_or_default()
}

/// The last red before each full green.
fn pairs(one: &Loaded) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut open = None;
    for (at, entry) in one.entries.iter().enumerate() {
        match entry.commit.label.as_deref() {
            Some("red") => open = Some(at),
            Some("green") if entry.commit.verdict.as_deref() != Some("red") => {
                pairs.extend(open.take().map(|red| Pair { red, green: at }));
            }
            _ => {}
        }
    }
    pairs
}

fn judge(
    verifier: &Verifier<'_>,
    one: &Loaded,
    known: &BTreeSet<String>,
    results: &Results,
) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let frozen = Frozen::new(verifier.repo, &verifier.classes);
    let result_of = |at: usize| {
        let entry = one.entries.get(at)?;
        Some((entry, results.get(&(entry.tree, known.clone()))?))
    };
    for pair in pairs(one) {
        let (Some((red, red_results)), Some((green, green_results))) =
            (result_of(pair.red), result_of(pair.green))
        else {
            continue;
        };
        if red_results.verdict != Some(Verdict::Red) || !red_results.confirmed {
            let what = message::verify::red_again(red_results);
            findings.push(finding(red.id, what, red_results));
        }
        if green_results.verdict != Some(Verdict::Green) {
            let what = message::verify::green_again(green_results);
            findings.push(finding(green.id, what, green_results));
        }
        let asked = red_results
            .failed
            .iter()
            .filter(|test| !known.contains(*test));
        let left: Vec<String> = asked
            .filter(|test| !green_results.passed.contains(test))
            .cloned()
            .collect();
        if !left.is_empty() && green_results.total > 0 {
            let what = message::verify::never_made_to_pass(&left);
            findings.push(Finding::wrong(Some(green.id), what));
        }
        let between = one
            .entries
            .get(pair.red + 1..=pair.green)
            .unwrap_or_default();
        let changed = changed_outside_tests(&frozen, red.tree, between)?;
        // What a commit by hand did there was said already.
        if !changed.is_empty() && !between.iter().any(|entry| entry.commit.is_by_hand()) {
            let what = message::verify::tests_changed(&changed);
            let finding = Finding::wrong(Some(green.id), what);
            if !one.verdict.findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    let last = one.entries.len().checked_sub(1).and_then(result_of);
    if let Some((tip, tip_results)) = last
        && tip_results.verdict != Some(Verdict::Green)
        && !findings
            .iter()
            .any(|f| f.commit == Some(tip.id.to_string()))
    {
        let what = message::verify::green_again(tip_results);
        findings.push(finding(tip.id, what, tip_results));
    }
    Ok(findings)
}

/// Tests all checkouts, several at a time, each tree once.
fn run_all(
    verifier: &Verifier<'_>,
    tasks: Vec<Task>,
    how: &Replay<'_>,
    results: &mut Results,
) -> Result<()> {
    let mut wanted: Vec<Task> = Vec::new();
    for task in tasks {
        let key = (task.tree, task.known.clone());
        let is_new = wanted
            .iter()
            .all(|other| (other.tree, &other.known) != (key.0, &key.1));
        if is_new && !results.contains_key(&key) {
            wanted.push(task);
        }
    }
    let folder = temporary()?;
    let bench = Bench {
        config: &verifier.config,
        yard: Yard::new(verifier.repo, folder.path(), how.setup),
    };
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..how.jobs.clamp(1, wanted.len().max(1)) {
            scope.spawn(|| {
                while let Some(task) = wanted.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let result = bench.test(task);
                    let failed = result.is_err();
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.push((task.clone(), result));
                    drop(found);
                    if failed {
                        // Nobody begins another one.
                        next.store(wanted.len(), Ordering::SeqCst);
                    }
                    (how.on_done)(done.fetch_add(1, Ordering::SeqCst) + 1, wanted.len());
                }
            });
        }
    });
    for (task, result) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        results.insert((task.tree, task.known), result?);
    }
    Ok(())
}

/// Where checkouts are made and tested.
struct Bench<'a> {
    config: &'a Config,
    yard: Yard<'a>,
}

impl Bench<'_> {
    fn test(&self, task: &Task) -> Result<TestResults> {
        let checkout = self.yard.make(task.commit)?;
        let rules = RunRules {
            red_needs: self.config.red_needs(CycleKind::Free),
            known_failures: &task.known,
        };
        let mut parts = Vec::new();
        for job in jobs::all(self.config, &checkout.dir)? {
            let results = run_job(&job, task.tree, &rules, &mut |_| {})?;
            parts.push((job, results));
        }
        jobs::merged(parts, None).ok_or(Error::NoTestCommand)
    }
}
