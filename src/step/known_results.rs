//! The result of a tree: the one that was noted on it, or that of a run of the tests.

use crate::branch::state::State;
use crate::config::Config;
use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::git::notes::{self, Note};
use crate::git::{objects, refs};
use crate::rules::Verdict;
use crate::test_run::Selection;
use crate::test_run::jobs::Job;
use crate::test_run::progress::Progress;
use crate::test_run::results::{Place, RunRules, display, run_job_at};

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
            .remove(&cache_key(self.config, &self.state, jobs, only))
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
        let by_key = BTreeMap::from([(cache_key(self.config, &self.state, jobs, only), results)]);
        let json =
            serde_json::to_vec(&by_key).map_err(|_| Error::internal("a result is not JSON"))?;
        Ok(Some(Note::new(
            refs::RESULTS,
            tree,
            objects::blob(self.repo, &json)?,
        )))
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
            None => self.state.as_expected(results, job),
        })
    }
}

/// What a result depends on besides the tree.
fn cache_key(config: &Config, state: &State, jobs: &[Job], only: Option<&Selection>) -> String {
    let mut hash = Sha256::new();
    hash.update(config.fingerprint());
    for job in jobs {
        hash.update(format!("{:?} {:?}", job.project, job.command));
    }
    hash.update(format!("{:?}", config.red_needs(state.cycle_kind())));
    hash.update(format!("{:?}", state.known_failures));
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
