//! Validates one gate without changing anything.

use serde::Serialize;

use super::progress::Progress;
use super::session::Session;
use super::{LoopRequest, stand_aside};
use crate::effects::git::repo::Repo;
use crate::effects::lock::{self, Lock};
use crate::effects::transaction;
use crate::error::Result;
use crate::journal::state::TestResults;
use crate::journal::{place, sealed};
use crate::policy::Verdict;
use crate::policy::compare::Comparison;

/// The gate that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gate {
    /// The tests fail, validly.
    Red,
    /// The tests pass.
    Green,
    /// The same tests pass as before.
    Refactor,
}

/// The answer.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Checked {
    pub(crate) gate: Gate,
    /// Whether it holds; none if that can't be told.
    pub(crate) holds: Option<bool>,
    pub(crate) reason: String,
    pub(crate) test_results: TestResults,
}

/// Checks a gate on the present tree, for all tests or for those named.
pub(crate) fn check(
    repo: &Repo,
    gate: Gate,
    tests: &[String],
    progress: &mut dyn Progress,
) -> Result<Checked> {
    let _lock = Lock::take(&lock::path(repo.git_dir()), &mut |owner| {
        progress.waiting(owner)
    })?;
    let sealed = sealed::require(repo)?;
    transaction::finish_pending(repo)?;
    let place = place::locate(repo)?;
    stand_aside::check(repo, &place)?;
    let loaded = place.require()?.clone();
    let state = loaded.state.clone();
    let mut session = Session::new(repo, &sealed.config, &place, Some(loaded), state, None)?;
    let snapshot = session.held_snapshot()?;
    let judged = session.judge(snapshot, &LoopRequest::default(), progress);
    transaction::forget_snapshot(repo)?;
    let judged = judged?;
    let (holds, reason) = if !judged.unstable.is_empty() {
        (None, "files changed while the tests ran".into())
    } else {
        answer(gate, tests, &judged.results, &judged.comparison)
    };
    Ok(Checked {
        gate,
        holds,
        reason,
        test_results: judged.results,
    })
}

fn answer(
    gate: Gate,
    tests: &[String],
    results: &TestResults,
    comparison: &Comparison,
) -> (Option<bool>, String) {
    let verdict = results.verdict.unwrap_or(Verdict::Broken);
    if verdict == Verdict::Broken {
        return (Some(false), format!("broken: {}", results.reason));
    }
    if let Some(missing) = tests.iter().find(|test| matching(results, test).is_empty()) {
        return (Some(false), format!("no test `{missing}` was run"));
    }
    match gate {
        Gate::Red if verdict == Verdict::Red && !results.confirmed => {
            (None, "it failed, but no report says which tests".into())
        }
        Gate::Red => {
            let passing = tests.iter().find(|test| {
                matching(results, test)
                    .iter()
                    .any(|id| !results.failed.contains(*id))
            });
            match passing {
                Some(test) => (Some(false), format!("`{test}` does not fail")),
                None => (Some(verdict == Verdict::Red), results.reason.clone()),
            }
        }
        Gate::Green => {
            let failing = tests.iter().find(|test| {
                matching(results, test)
                    .iter()
                    .any(|id| !results.passed.contains(*id))
            });
            match failing {
                Some(test) => (Some(false), format!("`{test}` does not pass")),
                None if !tests.is_empty() => (Some(true), "the tests named pass".into()),
                None => (Some(verdict == Verdict::Green), results.reason.clone()),
            }
        }
        Gate::Refactor => {
            let lost: Vec<String> = comparison.lost().cloned().collect();
            if lost.is_empty() {
                (Some(verdict == Verdict::Green), results.reason.clone())
            } else {
                (
                    Some(false),
                    format!("no longer pass: {}", crate::message::path_list(&lost)),
                )
            }
        }
    }
}

/// The tests that a name stands for: the whole identity, or the end of it.
fn matching<'r>(results: &'r TestResults, name: &str) -> Vec<&'r String> {
    let sets = [&results.passed, &results.failed, &results.skipped];
    sets.into_iter()
        .flatten()
        .filter(|id| *id == name || id.ends_with(name))
        .collect()
}
