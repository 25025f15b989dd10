//! Results that a reporter wrote, taken as a run on the present tree.

use crate::git::repo::Repo;
use std::path::Path;
use std::time::SystemTime;

use gix::bstr::ByteSlice;

use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::git::snapshot::Snapshot;
use crate::message::refusals;
use crate::rules::TestStatus;
use crate::rules::verdict::{Exit, JudgeRules, judge};
use crate::runners::formats;
use crate::test_run::jobs::Job;
use crate::test_run::results::results_of_report;

/// A file with test results.
#[derive(Debug, Clone)]
pub(crate) struct Ingested {
    pub(crate) bytes: Vec<u8>,
    pub(crate) written: SystemTime,
    pub(crate) shown: String,
}

impl Ingested {
    /// Reads the file; what it says is looked at once the tree is known.
    pub(crate) fn read(path: &Path) -> Result<Ingested> {
        let io = |error| Error::io("read", path, error);
        let metadata = path.metadata().map_err(io)?;
        Ok(Ingested {
            bytes: std::fs::read(path).map_err(io)?,
            written: metadata.modified().map_err(io)?,
            shown: path.display().to_string(),
        })
    }
}

impl Session<'_> {
    /// The results of a file, as those of the present tree.
    pub(crate) fn ingest(
        &self,
        ingested: &Ingested,
        snapshot: &Snapshot,
        job: &Job,
    ) -> Result<TestResults> {
        refuse_stale(self.repo, ingested, snapshot)?;
        let format = formats::format_of_file(&ingested.bytes);
        let mut report = formats::read(format, &mut &ingested.bytes[..])
            .map_err(|error| refusals::no_test_results(&ingested.shown, &error.to_string()))?;
        formats::tell_apart(&mut report);
        let failed = report
            .tests
            .iter()
            .any(|test| matches!(test.status, TestStatus::Failed(_)));
        let exit = Exit::Code(i32::from(failed || !report.load_errors.is_empty()));
        let rules = JudgeRules {
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            red_confirm_matched: None,
            known_failures: &self.state.known_failures,
        };
        let judgement = judge(&exit, Some(&report), None, &rules);
        Ok(results_of_report(&judgement, &report, snapshot.tree, job))
    }
}

/// Results from before the last edit say nothing about the present tree.
fn refuse_stale(repo: &Repo, ingested: &Ingested, snapshot: &Snapshot) -> Result<()> {
    let newer = snapshot.changes.iter().find(|change| {
        let on_disk = repo.on_disk(change.path.as_bstr());
        let edited = on_disk.symlink_metadata().and_then(|file| file.modified());
        edited.is_ok_and(|edited| edited > ingested.written)
    });
    match newer {
        Some(change) => {
            let edited = change.path.to_string();
            Err(refusals::results_too_old(&ingested.shown, &edited))
        }
        None => Ok(()),
    }
}
