//! Commits as steps of the work, for the rules about their order.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::{BStr, BString, ByteSlice};

use crate::branch::classes::Classes;
use crate::branch::history::History;
use crate::error::{Doing, Result};
use crate::git::command::git;
use crate::git::line_count;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change};
use crate::message::refusals;
use crate::rules::timeline::{OutOfOrder, Step, TestFile, Touched, out_of_order};
use crate::rules::{CommitLabel, PathClass, Verdict};

/// Older commits of a range are not looked at.
const MOST_COMMITS: usize = 2_000;
/// A cycle of more commits than this is not looked at as a whole.
const MOST_IN_CYCLE: usize = 50;

/// What was done in the wrong order between two commits. `journal` is the tip of the branch's log.
pub(crate) fn out_of_order_in(
    repo: &Repo,
    classes: &Classes,
    range: &str,
    journal: Option<gix::ObjectId>,
) -> Result<Vec<OutOfOrder>> {
    let commits = commits_of(repo, range)?;
    let told = match journal {
        Some(tip) => passed_at_once(repo, tip, commits.len())?,
        None => BTreeSet::new(),
    };
    let mut steps = Vec::new();
    let mut tests: BTreeMap<String, TestFile> = BTreeMap::new();
    for (number, commit) in commits.iter().enumerate() {
        let changes = changes_of(repo, *commit)?;
        if number == 0 {
            tests = tests_before(repo, classes, *commit)?;
        }
        for change in &changes {
            let path = change.path.to_string();
            if classes.classify(&change.path) == PathClass::Test && change.after.is_some() {
                let test = tests.entry(path.clone()).or_insert_with(|| TestFile {
                    path,
                    first: Some(number),
                    text: String::new(),
                });
                test.text = text_of(repo, change);
            }
        }
        let mut step = step_of(repo, classes, *commit, &changes)?;
        step.passed_at_once = told.contains(&commit.to_string());
        steps.push(step);
    }
    let tests: Vec<TestFile> = tests.into_values().collect();
    Ok(out_of_order(&steps, &tests))
}

/// The tests of the present cycle and what was done for them so far, oldest first.
pub(crate) fn of_cycle(
    repo: &Repo,
    classes: &Classes,
    head: gix::ObjectId,
    cycle: u64,
) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut next = Some(head);
    while let Some(commit) = next.filter(|_| steps.len() < MOST_IN_CYCLE) {
        let step = step_of(repo, classes, commit, &changes_of(repo, commit)?)?;
        let is_of_cycle = step.cycle == Some(cycle)
            && matches!(step.label.as_deref(), Some("red" | "test" | "green"));
        if !is_of_cycle {
            break;
        }
        steps.push(step);
        next = parent_of(repo, commit)?;
    }
    steps.reverse();
    Ok(steps)
}

/// The tree that the first of some steps was made on.
pub(crate) fn tree_before(repo: &Repo, steps: &[Step]) -> Result<Option<gix::ObjectId>> {
    let first = steps.first().and_then(|step| step.commit.as_ref());
    let Some(first) = first.and_then(|hex| gix::ObjectId::from_hex(hex.as_bytes()).ok()) else {
        return Ok(None);
    };
    match parent_of(repo, first)?.filter(|parent| repo.gix.has_object(parent)) {
        Some(parent) => repo.tree_of(parent).map(Some),
        None => Ok(None),
    }
}

/// What a step changed; nothing for one that is not committed yet.
pub(crate) fn changes_of_step(repo: &Repo, step: &Step) -> Result<Vec<Change>> {
    let Some(commit) = &step.commit else {
        return Ok(Vec::new());
    };
    let commit = gix::ObjectId::from_hex(commit.as_bytes()).doing("read an object id")?;
    changes_of(repo, commit)
}

/// The tests and the source among changed files.
pub(crate) fn touched(classes: &Classes, changes: &[Change]) -> Vec<Touched> {
    let touched = changes.iter().filter(|change| change.after.is_some());
    touched
        .filter_map(|change| {
            let is_test = match classes.classify(&change.path) {
                PathClass::Test => true,
                PathClass::Source | PathClass::Mixed => false,
                PathClass::Protected
                | PathClass::Spec
                | PathClass::Harness
                | PathClass::Docs
                | PathClass::Other => return None,
            };
            Some(Touched {
                path: change.path.to_string(),
                is_test,
                is_new: change.before.is_none(),
            })
        })
        .collect()
}

fn commits_of(repo: &Repo, range: &str) -> Result<Vec<gix::ObjectId>> {
    let most = format!("--max-count={MOST_COMMITS}");
    let listed = git(
        repo.root(),
        &[
            "rev-list",
            "--reverse",
            "--no-merges",
            &most,
            "--end-of-options",
            range,
            "--",
        ],
        &[],
    )
    .map_err(|_| refusals::no_commits_in(range))?;
    listed
        .lines()
        .map(|line| gix::ObjectId::from_hex(line).doing("read a list of commits"))
        .collect()
}

/// What the commits of a range changed together, path by path.
pub(crate) fn changes_in(repo: &Repo, range: &str) -> Result<Vec<Change>> {
    let mut together: BTreeMap<BString, Change> = BTreeMap::new();
    for commit in commits_of(repo, range)? {
        for change in changes_of(repo, commit)? {
            match together.get_mut(&change.path) {
                Some(known) => known.after = change.after,
                None => drop(together.insert(change.path.clone(), change)),
            }
        }
    }
    Ok(together.into_values().collect())
}

fn parent_of(repo: &Repo, commit: gix::ObjectId) -> Result<Option<gix::ObjectId>> {
    let commit = repo.gix.find_commit(commit).doing("read a commit")?;
    Ok(commit.parent_ids().next().map(|id| id.detach()))
}

/// What a commit changed.
fn changes_of(repo: &Repo, commit: gix::ObjectId) -> Result<Vec<Change>> {
    let before = match parent_of(repo, commit)? {
        // The parent is missing where the history was cut off.
        Some(parent) if repo.gix.has_object(parent) => repo.tree_of(parent)?,
        _ => gix::ObjectId::empty_tree(repo.gix.object_hash()),
    };
    trees::diff(repo, before, repo.tree_of(commit)?)
}

fn step_of(
    repo: &Repo,
    classes: &Classes,
    commit: gix::ObjectId,
    changes: &[Change],
) -> Result<Step> {
    let found = repo.gix.find_commit(commit).doing("read a commit")?;
    let message = found.message_raw().doing("read a commit")?;
    let trailer = |name: &str| {
        let value = message
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(name.as_bytes()));
        value.map(|value| value.trim().to_str_lossy().into_owned())
    };
    let label = trailer("TCR-Phase:");
    Ok(Step {
        commit: Some(commit.to_string()),
        cycle: trailer("TCR-Cycle:").and_then(|cycle| cycle.parse().ok()),
        added_lines: match &label {
            Some(_) => line_count::of(repo, changes).map_or(0, |lines| lines.added as usize),
            None => 0,
        },
        label,
        touched: touched(classes, changes),
        ..Step::default()
    })
}

/// The tests that were there before a commit, by name.
fn tests_before(
    repo: &Repo,
    classes: &Classes,
    commit: gix::ObjectId,
) -> Result<BTreeMap<String, TestFile>> {
    let Some(parent) = parent_of(repo, commit)?.filter(|parent| repo.gix.has_object(*parent))
    else {
        return Ok(BTreeMap::new());
    };
    let empty = gix::ObjectId::empty_tree(repo.gix.object_hash());
    let all = trees::diff(repo, empty, repo.tree_of(parent)?)?;
    let tests = all
        .iter()
        .filter(|change| classes.classify(&change.path) == PathClass::Test);
    Ok(tests
        .map(|change| {
            let path = change.path.to_string();
            let test = TestFile {
                path: path.clone(),
                first: None,
                text: String::new(),
            };
            (path, test)
        })
        .collect())
}

fn text_of(repo: &Repo, change: &Change) -> String {
    let leaf = change.after.filter(|_| !change.is_submodule());
    let bytes = leaf.and_then(|leaf| trees::content(repo, leaf).ok());
    bytes.map_or_else(String::new, |bytes| BStr::new(&bytes).to_string())
}

/// The commits of tests that passed at once, as the journal has them.
fn passed_at_once(repo: &Repo, tip: gix::ObjectId, commits: usize) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut seen = 0;
    for event in History::up_to(repo, tip).events() {
        let event = event?;
        let Some(commit) = event.commit else { continue };
        let is_test = event.label.as_deref() == Some(CommitLabel::Test.name());
        if is_test && event.verdict == Some(Verdict::Green) {
            found.insert(commit);
        }
        seen += 1;
        if seen > commits {
            break;
        }
    }
    Ok(found)
}
