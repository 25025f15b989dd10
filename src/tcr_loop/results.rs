//! The result of a tree: from the cache, or from a run of the tests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::jobs::{self, Job};
use super::progress::Progress;
use super::session::Session;
use crate::clock;
use crate::effects::git::notes::{self, Note};
use crate::effects::git::{objects, refs};
use crate::effects::test_run::{self, Request, TestCommand, TestRun};
use crate::error::{Error, Result};
use crate::journal::state::TestResults;
use crate::policy::judge::{Judgement, Report};
use crate::policy::{RedNeeds, TestStatus, Verdict};

/// How much of a run's output is kept in the state.
const KEPT_OUTPUT: usize = 4_000;

impl Session<'_> {
    /// The result that was noted on this tree for the same command and config.
    pub(crate) fn cached(&self, tree: gix::ObjectId, jobs: &[Job]) -> Result<Option<TestResults>> {
        if !self.config.cache {
            return Ok(None);
        }
        // What can't be read is as good as not there: the tests run.
        let Ok(Some(note)) = notes::read(self.repo, refs::RESULTS, tree) else {
            return Ok(None);
        };
        let Ok(mut by_key) = serde_json::from_slice::<BTreeMap<String, Value>>(&note) else {
            // Somebody else's note: as good as none.
            return Ok(None);
        };
        let found = by_key
            .remove(&self.cache_key(jobs))
            .map(serde_json::from_value::<TestResults>);
        Ok(found
            .and_then(std::result::Result::ok)
            .map(|results| TestResults {
                cached: true,
                ..results
            }))
    }

    /// The note that keeps a result, if it may be kept.
    pub(crate) fn result_note(&self, results: &TestResults, jobs: &[Job]) -> Result<Option<Note>> {
        let certain = match results.verdict {
            Some(Verdict::Green | Verdict::Red) => results.confirmed && results.flaky.is_empty(),
            Some(Verdict::Broken) | None => false,
        };
        if !certain || results.cached || jobs.is_empty() || !self.config.cache {
            return Ok(None);
        }
        let tree = gix::ObjectId::from_hex(results.tree.as_bytes())
            .map_err(|_| Error::internal("a result has no tree"))?;
        let by_key = BTreeMap::from([(self.cache_key(jobs), results)]);
        let json =
            serde_json::to_vec(&by_key).map_err(|_| Error::internal("a result is not JSON"))?;
        Ok(Some(Note::new(
            refs::RESULTS,
            tree,
            objects::blob(self.repo, &json)?,
        )))
    }

    /// What a result depends on besides the tree.
    fn cache_key(&self, jobs: &[Job]) -> String {
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

    /// Runs the tests on the worktree, which holds `tree`.
    pub(crate) fn run_tests(
        &self,
        tree: gix::ObjectId,
        jobs: &[Job],
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        let mut parts = Vec::new();
        for job in jobs {
            parts.push((job.clone(), self.run_job(tree, job, progress)?));
        }
        let others = self
            .state
            .accepted_results()
            .filter(|_| !self.config.projects.is_empty());
        jobs::merged(parts, others).ok_or(Error::NoTestCommand)
    }

    fn run_job(
        &self,
        tree: gix::ObjectId,
        job: &Job,
        progress: &mut dyn Progress,
    ) -> Result<TestResults> {
        let rules = RunRules {
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            known_failures: &self.state.known_failures,
        };
        progress.tests_start(&display(&job.command));
        let results = run_job(job, tree, &rules, &mut |line| progress.tests_line(line));
        progress.tests_end();
        results
    }
}

/// What a result is judged by.
pub(crate) struct RunRules<'a> {
    pub(crate) red_needs: RedNeeds,
    pub(crate) known_failures: &'a BTreeSet<String>,
}

/// Runs one test command on a checkout that holds `tree`.
pub(crate) fn run_job(
    job: &Job,
    tree: gix::ObjectId,
    rules: &RunRules<'_>,
    on_line: &mut dyn FnMut(&str),
) -> Result<TestResults> {
    let confirm = match &job.red_confirm {
        Some(pattern) => {
            Some(regex::Regex::new(pattern).map_err(|error| Error::corrupt(refs::CONFIG, error))?)
        }
        None => None,
    };
    let environment = crate::env_vars::all();
    let known: BTreeSet<String> = rules
        .known_failures
        .iter()
        .filter_map(|id| job.own_id(id))
        .map(str::to_owned)
        .collect();
    let request = Request {
        command: &job.command,
        dir: &job.dir,
        timeout: job.timeout,
        red_needs: rules.red_needs,
        red_confirm: confirm.as_ref(),
        known_failures: &known,
        environment: &environment,
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
        fingerprint: run.fingerprint.clone(),
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
    let mut results = TestResults {
        timestamp: clock::timestamp(),
        verdict: Some(judgement.verdict),
        confirmed: judgement.confirmed,
        reason: judgement.reason.clone(),
        tree: tree.to_string(),
        ..TestResults::default()
    };
    for test in report.tests.iter() {
        let id = job.test_id(test.id);
        if let Some(file) = test.file {
            results.files.insert(id.clone(), job.file(file));
        }
        match test.status {
            TestStatus::Passed => results.passed.push(id),
            TestStatus::Skipped => results.skipped.push(id),
            TestStatus::Failed(cause) => {
                results.causes.insert(id.clone(), cause);
                results.failed.push(id);
            }
        }
    }
    results.total = results.passed.len() + results.failed.len() + results.skipped.len();
    results
}

/// The end of a text, cut at a character.
pub(crate) fn tail(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
