//! One test command, run in a place that holds a tree, and its results as the state keeps them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use super::jobs::Job;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::refs;
use crate::test_run::{self, Request, Selection, TestCommand, TestRun};

use crate::branch::state::{Names, TestResults};
use crate::rules::RedNeeds;
use crate::rules::verdict::{Judgement, Report};

/// How much of a run's output is kept in the state.
const KEPT_OUTPUT: usize = 4_000;

/// What a result is judged by.
pub(crate) struct RunRules<'a> {
    pub(crate) red_needs: RedNeeds,
    pub(crate) known_failures: &'a BTreeSet<String>,
}

/// Where a test command runs.
pub(crate) struct Place<'a> {
    pub(crate) dir: PathBuf,
    /// Words in front of the command.
    pub(crate) prefix: &'a [OsString],
    pub(crate) environment: &'a [(OsString, OsString)],
}

/// Runs one test command on a checkout that holds `tree`.
pub(crate) fn run_job(
    job: &Job,
    tree: gix::ObjectId,
    rules: &RunRules<'_>,
    on_line: &mut dyn FnMut(&str),
) -> Result<TestResults> {
    let environment = crate::env_vars::all();
    let place = Place {
        dir: job.dir.clone(),
        prefix: &[],
        environment: &environment,
    };
    run_job_at(job, &place, tree, None, rules, on_line)
}

/// Runs one test command, or some of its tests, in a place that holds `tree`.
pub(crate) fn run_job_at(
    job: &Job,
    place: &Place<'_>,
    tree: gix::ObjectId,
    only: Option<&Selection>,
    rules: &RunRules<'_>,
    on_line: &mut dyn FnMut(&str),
) -> Result<TestResults> {
    let confirm = match &job.red_confirm {
        Some(pattern) => {
            Some(regex::Regex::new(pattern).map_err(|error| Error::corrupt(refs::CONFIG, error))?)
        }
        None => None,
    };
    let known: BTreeSet<String> = rules
        .known_failures
        .iter()
        .filter_map(|id| job.own_id(id))
        .map(str::to_owned)
        .collect();
    let request = Request {
        command: &job.command,
        dir: &place.dir,
        prefix: place.prefix,
        only,
        timeout: job.timeout,
        red_needs: rules.red_needs,
        red_confirm: confirm.as_ref(),
        report: job.report.as_deref(),
        known_failures: &known,
        environment: place.environment,
    };
    let run = test_run::run_tests(&request, on_line);
    if run.interrupted {
        return Err(Error::Interrupted);
    }
    Ok(results_of(&run, tree, job))
}

/// The command as a person would type it.
pub(crate) fn display(command: &TestCommand) -> String {
    match command {
        TestCommand::Shell(line) => line.clone(),
        TestCommand::Args(args) => {
            let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
            words.join(" ")
        }
    }
}

fn results_of(run: &TestRun, tree: gix::ObjectId, job: &Job) -> TestResults {
    let nothing = Report::default();
    TestResults {
        duration_ms: run.duration.as_millis() as u64,
        output: tail(&run.output, KEPT_OUTPUT).to_owned(),
        printed: run.output.clone(),
        fingerprint: run.fingerprint.clone(),
        running_at_end: run.running_at_end.as_deref().map(|id| job.test_id(id)),
        aimed: run.aimed,
        commands: BTreeMap::from([(
            job.project.clone().unwrap_or_default(),
            display(&job.command),
        )]),
        ..results_of_report(
            &run.judgement,
            run.report.as_ref().unwrap_or(&nothing),
            tree,
            job,
        )
    }
}

/// The results that a report lists.
pub(crate) fn results_of_report(
    judgement: &Judgement,
    report: &Report,
    tree: gix::ObjectId,
    job: &Job,
) -> TestResults {
    let failures = test_run::failures(report, &job.dir);
    TestResults {
        timestamp: clock::timestamp(),
        tree: tree.to_string(),
        ..TestResults::of_report(judgement, report, failures, job)
    }
}

impl TestResults {
    /// Whether a job as it is now gave some of these results.
    pub(crate) fn said_by(&self, job: &Job) -> bool {
        let project = job.project.as_deref().unwrap_or_default();
        (self.commands.get(project)).is_some_and(|command| *command == display(&job.command))
    }
}

impl Names for Job {
    fn test(&self, id: &str) -> String {
        self.test_id(id)
    }

    fn file(&self, file: &str) -> String {
        Job::file(self, file)
    }
}

/// The end of a text, cut at a character.
pub(crate) fn tail(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
