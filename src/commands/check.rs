//! `git tcr check red|green|refactor [TEST…]`

use super::live::Live;
use super::{open, print};
use crate::branch::session::Session;
use crate::branch::stand_aside;
use crate::branch::state::{State, TestResults};
use crate::branch::transaction;
use crate::branch::{place, sealed};
use crate::clock;
use crate::detect;
use crate::error::{Error, ExitStatus, Result};
use crate::git::lock::{self, Lock};
use crate::git::repo::Repo;
use crate::message;
use crate::outcome::check::{Checked, Gate};
use crate::rules::Verdict;
use crate::step::experiment::LabOnDemand;
use crate::test_run::jobs;
use crate::test_run::progress::Progress;
use clap::Args;
use clap::ValueEnum;

/// `check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The gate.
    #[arg(value_enum)]
    pub(crate) gate: GateName,
    /// Only these tests, by the end of their names, or those of these files.
    #[arg(value_name = "TEST-OR-FILE")]
    pub(crate) tests: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The gates as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateName {
    /// The tests fail, for a reason that counts.
    Red,
    /// The tests pass.
    Green,
    /// The same tests pass as at the last accepted result.
    Refactor,
}

impl GateName {
    /// The name as typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GateName::Red => "red",
            GateName::Green => "green",
            GateName::Refactor => "refactor",
        }
    }
}

pub(crate) fn check(args: &CheckArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let gate = match args.gate {
        GateName::Red => Gate::Red,
        GateName::Green => Gate::Green,
        GateName::Refactor => Gate::Refactor,
    };
    let checked = look(&repo, gate, &args.tests, &mut Live::new(args.json))?;
    if args.json {
        print::json(&checked)?;
    } else {
        print::message(&message::check::checked(args.gate.name(), &checked))?;
    }
    Ok(match checked.holds {
        Some(true) => ExitStatus::Done,
        Some(false) => ExitStatus::No,
        None => ExitStatus::Undecided,
    })
}

/// Checks a gate on the present tree, for all tests or for those named.
fn look(repo: &Repo, gate: Gate, tests: &[String], progress: &mut dyn Progress) -> Result<Checked> {
    let Some(sealed) = sealed::load(repo)? else {
        return check_uninstalled(repo, gate, tests, progress);
    };
    let _lock = Lock::take(&lock::path(repo.git_dir()), &mut |owner| {
        progress.waiting(owner)
    })?;
    transaction::finish_pending(repo)?;
    let place = place::locate(repo)?;
    stand_aside::check(repo, &place)?;
    let loaded = place.require()?.clone();
    let state = loaded.state.clone();
    let mut session = Session::new(repo, &sealed.config, &place, Some(loaded), state, None)?;
    let snapshot = session.held_snapshot()?;
    let jobs = jobs::about(session.config, session.repo.root(), &[])?;
    let tested = match session.cached(snapshot.tree, &jobs, None)? {
        Some(results) => Ok((Vec::new(), results)),
        None => session
            .test(snapshot, &jobs, None, &mut LabOnDemand::default(), progress)
            .map(|tested| (tested.unstable, tested.results)),
    };
    transaction::forget_snapshot(repo)?;
    let (unstable, results) = tested?;
    let (holds, reason) = if !unstable.is_empty() {
        (None, "files changed while the tests ran".into())
    } else {
        answer(gate, tests, &results, session.state.accepted_results())
    };
    Ok(Checked {
        gate,
        holds,
        reason,
        test_results: results,
    })
}

/// Where nobody installed anything: the command that would be, and nothing is written.
fn check_uninstalled(
    repo: &Repo,
    gate: Gate,
    tests: &[String],
    progress: &mut dyn Progress,
) -> Result<Checked> {
    let mut config = sealed::from_files(repo)?;
    let detected = detect::complete(&mut config, repo.root());
    if let Some(detected) = detected.filter(|found| found.test.is_none()) {
        return Err(Error::NoTestFound(detected.unreadable));
    }
    let place = place::locate(repo)?;
    let tree = repo.tree_of(place.head.commit)?;
    let state = State::new(
        place.base.to_string(),
        place.head.commit.to_string(),
        tree.to_string(),
        clock::timestamp(),
    );
    let session = Session::new(repo, &config, &place, None, state, None)?;
    let results = session.run_tests(
        tree,
        &jobs::about(session.config, session.repo.root(), &[])?,
        None,
        progress,
    )?;
    let (holds, reason) = match gate {
        Gate::Refactor => (None, message::check::NOTHING_BEFORE.into()),
        Gate::Red | Gate::Green => answer(gate, tests, &results, None),
    };
    Ok(Checked {
        gate,
        holds,
        reason,
        test_results: results,
    })
}

fn answer(
    gate: Gate,
    tests: &[String],
    results: &TestResults,
    accepted: Option<&TestResults>,
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
            let passing = tests.iter().find(|test| !is_red(results, test));
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
            let passed = accepted.iter().flat_map(|accepted| &accepted.passed);
            let lost: Vec<String> = passed
                .filter(|test| !results.passed.contains(test))
                .cloned()
                .collect();
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

/// Whether a test fails, or some test of a file does: the others of it were there before.
fn is_red(results: &TestResults, name: &str) -> bool {
    let fails = |id: &&String| results.failed.contains(*id);
    let (of_file, by_name): (Vec<&String>, Vec<&String>) = matching(results, name)
        .into_iter()
        .partition(|id| is_in_file(results, id, name));
    match of_file.is_empty() {
        true => by_name.iter().all(fails),
        false => of_file.iter().any(fails),
    }
}

/// The tests that a name stands for: the whole identity, or the end of it.
fn matching<'r>(results: &'r TestResults, name: &str) -> Vec<&'r String> {
    let sets = [&results.passed, &results.failed, &results.skipped];
    sets.into_iter()
        .flatten()
        .filter(|id| *id == name || id.ends_with(name) || is_in_file(results, id, name))
        .collect()
}

/// Whether a test stands in a file: the runner says so, or its id begins with it.
fn is_in_file(results: &TestResults, id: &str, file: &str) -> bool {
    let file = file.strip_prefix("./").unwrap_or(file);
    let begins = id
        .strip_prefix(file)
        .is_some_and(|rest| rest.starts_with([':', ' ', '#']));
    begins || results.files.get(id).is_some_and(|of_test| of_test == file)
}
