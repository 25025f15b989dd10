//! An audit spread over several machines: a plan of experiments that need no answer of another one, the
//! results of each as a file, and the audit that takes them for its own. What they do not answer it asks
//! itself, aimed.

use std::path::Path;

use gix::ObjectId;
use serde::{Deserialize, Serialize};

use super::Audit;
use super::range::Span;
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::message::{self, refusals};
use crate::outcome::audit::{Experiment, Plan};
use crate::proof::{self, Forgetful, Independent, Known, Means};
use crate::rules::Verdict;
use crate::step::moves::names;
use crate::test_run::Selection;
use crate::test_run::progress::Progress;

/// What one experiment said.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Shard {
    version: u32,
    id: String,
    /// What it was asked about, and how.
    of: String,
    tree: String,
    results: TestResults,
}

/// What is known from files, and what this call finds out.
#[derive(Debug, Default)]
pub(crate) struct Shards {
    given: Vec<(ObjectId, TestResults)>,
    own: Forgetful,
}

impl Shards {
    /// The results in these files.
    pub(crate) fn read(audit: &Audit<'_>, files: &[impl AsRef<Path>]) -> Result<Shards> {
        let mut shards = Shards::default();
        for file in files {
            let file = file.as_ref();
            let bytes = std::fs::read(file).map_err(|error| Error::io("read", file, error))?;
            let shard: Option<Shard> = serde_json::from_slice(&bytes).ok();
            let shard = shard.filter(|shard| shard.version == 1 && shard.of == audit.named());
            let tree = shard
                .as_ref()
                .map(|one| ObjectId::from_hex(one.tree.as_bytes()));
            let (Some(shard), Some(Ok(tree))) = (shard, tree) else {
                return Err(refusals::no_result_to_merge(file));
            };
            shards.given.push((tree, shard.results));
        }
        Ok(shards)
    }
}

impl Known for Shards {
    fn find(&self, tree: ObjectId, only: Option<&Selection>) -> Result<Option<TestResults>> {
        if let Some(known) = self.own.find(tree, only)? {
            return Ok(Some(known));
        }
        let mut given = self.given.iter().filter(|(of, _)| *of == tree);
        let found = given.next().map(|(_, results)| match only {
            Some(only) => only_of(results, only),
            None => results.clone(),
        });
        Ok(found)
    }

    fn keep(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        results: &TestResults,
    ) -> Result<()> {
        self.own.keep(tree, only, results)
    }
}

/// What an aimed run would have said.
fn only_of(results: &TestResults, only: &Selection) -> TestResults {
    let is_asked = |id: &String| {
        only.tests.iter().any(|test| {
            let file = results.files.get(id);
            let in_file = || test.file.is_none() || file.is_none() || file == test.file.as_ref();
            match test.id.as_str() {
                "" => in_file() && (test.name.is_empty() || names(id, &test.name)),
                wanted => wanted == id,
            }
        })
    };
    let asked = |ids: &[String]| ids.iter().filter(|id| is_asked(id)).cloned().collect();
    let mut found = TestResults {
        passed: asked(&results.passed),
        failed: asked(&results.failed),
        skipped: asked(&results.skipped),
        flaky: asked(&results.flaky),
        unknown: asked(&results.unknown),
        aimed: true,
        ..results.clone()
    };
    found.total = found.passed.len() + found.failed.len() + found.skipped.len();
    if found.verdict == Some(Verdict::Red) && found.failed.is_empty() {
        found.verdict = Some(Verdict::Green);
        found.beyond_tests = false;
    }
    found
}

impl Audit<'_> {
    /// What a result is of: a file of another audit says nothing here.
    fn named(&self) -> String {
        let base = self.whole.base.map(|base| base.to_string());
        let base = base.unwrap_or_default();
        format!(
            "{base}..{} {}",
            self.whole.tip,
            self.ground.commands().join(" && ")
        )
    }

    /// The experiments that can be done at once.
    pub(crate) fn plan(&self) -> Result<Plan> {
        let experiments = self.experiments()?.into_iter();
        let experiments = experiments.map(|(id, _, one)| Experiment {
            id,
            question: message::proof::question(one.question),
            tree: one.tree.to_string(),
        });
        Ok(Plan {
            version: 1,
            range: self.range(),
            test: self.ground.commands(),
            experiments: experiments.collect(),
        })
    }

    fn experiments(&self) -> Result<Vec<(String, &Span, Independent)>> {
        let mut found: Vec<(String, &Span, Independent)> = Vec::new();
        for (at, change) in self.changes.iter().enumerate() {
            let all = self.with_work(change, change.tree, proof::independent)?;
            for one in all {
                let id = match self.request.each {
                    true => format!("{}-{}", at + 1, one.id),
                    false => one.id.to_owned(),
                };
                // The final tree of one commit is the old one of the next.
                if found.iter().all(|(_, _, known)| known.tree != one.tree) {
                    found.push((id, change, one));
                }
            }
        }
        Ok(found)
    }

    /// Does one experiment.
    pub(crate) fn run(&self, id: &str, progress: &mut dyn Progress) -> Result<Shard> {
        let all = self.experiments()?;
        let Some((_, change, one)) = all.iter().find(|(known, ..)| known == id) else {
            let known: Vec<String> = all.into_iter().map(|(id, ..)| id).collect();
            return Err(refusals::no_experiment(id, &known));
        };
        let mut lab = self.lab(change)?;
        let mut known = Forgetful::default();
        let results = self.with_work(change, lab.worktree, |work| {
            let mut means = Means {
                lab: &mut lab.lab,
                known: &mut known,
                progress,
                deadline: self.request.deadline,
            };
            proof::run(work, one, &mut means)
        })?;
        Ok(Shard {
            version: 1,
            id: id.to_owned(),
            of: self.named(),
            tree: one.tree.to_string(),
            results: results.map_err(|why| refusals::no_answer(id, &why))?,
        })
    }
}
