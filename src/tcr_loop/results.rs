//! The result of a tree: from the cache, or from a run of the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::jobs::Job;
use crate::branch::session::Session;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::notes::{self, Note};
use crate::git::{objects, refs};
use crate::test_run::progress::Progress;
use crate::test_run::{self, Request, Selection, TestCommand, TestRun};

use crate::branch::state::{Names, TestResults};
use crate::rules::verdict::{Judgement, Report};
use crate::rules::{RedNeeds, Verdict};

/// How much of a run's output is kept in the state.
const KEPT_OUTPUT: usize = 4_000;

impl Session<'_> {
    /// The result that was noted on this tree for the same command and config.
    pub(crate) fn cached(
        &self,
        tree: gix::ObjectId,
        jobs: &[Job],
        only: Option<&Selection>,
    ) -> Result<Option<TestResults>> {
        // What can't be read is as good as not there: the tests run.
        let Ok(Some(note)) = notes::read(self.repo, refs::RESULTS, tree) else {
            return Ok(None);
        };
        let Ok(mut by_key) = serde_json::from_slice::<BTreeMap<String, Value>>(&note) else {
            // Somebody else's note: as good as none.
            return Ok(None);
        };
        let found = by_key
            .remove(&self.cache_key(jobs, only))
            .map(serde_json::from_value::<TestResults>);
        Ok(found
            .and_then(std::result::Result::ok)
            .map(|results| TestResults {
                cached: true,
                ..results
            }))
    }

    /// The note that keeps a result, if it may be kept.
    pub(crate) fn result_note(
        &self,
        results: &TestResults,
        jobs: &[Job],
        only: Option<&Selection>,
    ) -> Result<Option<Note>> {
        let certain = match results.verdict {
            Some(Verdict::Green | Verdict::Red) => results.confirmed && results.flaky.is_empty(),
            Some(Verdict::Broken) | None => false,
        };
        if !certain || results.cached || jobs.is_empty() {
            return Ok(None);
        }
        let tree = gix::ObjectId::from_hex(results.tree.as_bytes())
            .map_err(|_| Error::internal("a result has no tree"))?;
        let only = only.filter(|_| results.aimed);
        let by_key = BTreeMap::from([(self.cache_key(jobs, only), results)]);
        let json =
            serde_json::to_vec(&by_key).map_err(|_| Error::internal("a result is not JSON"))?;
        Ok(Some(Note::new(
            refs::RESULTS,
            tree,
            objects::blob(self.repo, &json)?,
        )))
    }

    /// What a result depends on besides the tree.
    fn cache_key(&self, jobs: &[Job], only: Option<&Selection>) -> String {
        let mut hash = Sha256::new();
        hash.update(self.config.fingerprint());
        for job in jobs {
            hash.update(format!("{:?} {:?}", job.project, job.command));
        }
        hash.update(format!(
            "{:?}",
            self.config.red_needs(self.state.cycle_kind())
        ));
        hash.update(format!("{:?}", self.state.known_failures));
        if let Some(only) = only {
            hash.update(format!("{only:?}"));
        }
        for (name, value) in crate::env_vars::steering_tests() {
            hash.update(name);
            hash.update([0]);
            hash.update(value.as_encoded_bytes());
            hash.update([0]);
        }
        hash.finalize()
            .iter()
            .take(12)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    pub(crate) fn run_job(
        &self,
        tree: gix::ObjectId,
        job: &Job,
        only: Option<&Selection>,
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        let rules = RunRules {
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            known_failures: &self.state.known_failures,
        };
        progress.tests_start(&display(&job.command));
        let environment = crate::env_vars::all();
        let place = Place {
            dir: job.dir.clone(),
            prefix: &[],
            environment: &environment,
        };
        let results = run_job_at(job, &place, tree, only, &rules, &mut |line| {
            progress.tests_line(line);
        });
        progress.tests_end();
        let results = results?;
        Ok(match only {
            Some(_) => results,
            None => self.as_expected(results, job),
        })
    }
}

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
pub(super) fn results_of_report(
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
    pub(super) fn said_by(&self, job: &Job) -> bool {
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
