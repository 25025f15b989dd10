//! The trial of the lab: whether experiments in it can be believed, and about which tests.

use std::path::PathBuf;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::experiment::{InLab, LabOnDemand, Ran, in_lab, in_room};
use crate::branch::session::Session;
use crate::branch::state::{LabState, TestResults};
use crate::error::Result;
use crate::git::trees;
use crate::lab::{self, Trial};
use crate::rules::{PathClass, Verdict};
use crate::test_run::jobs::Job;
use crate::test_run::progress::Progress;
use crate::test_run::results::RunRules;

impl Session<'_> {
    /// Tries the lab with the worktree's own tree, which has just been tested: the tests have to
    /// say the same there, and none may pass with every source file broken.
    pub(crate) fn try_lab(
        &self,
        tree: ObjectId,
        jobs: &[Job],
        whole: &TestResults,
        progress: &mut dyn Progress,
    ) -> Result<Option<LabState>> {
        let says_something = matches!(whole.verdict, Some(Verdict::Green | Verdict::Red));
        if !says_something || whole.total == 0 {
            return Ok(None);
        }
        let setup = self.config.setup.as_ref().map(ToString::to_string);
        let rules = RunRules {
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            known_failures: &self.state.known_failures,
        };
        let ask = InLab {
            repo: self.repo,
            worktree: tree,
            tree,
            jobs,
            only: None,
            rules: &rules,
            whole_ms: Some(whole.duration_ms),
            setup: setup.as_deref(),
        };
        let mut lab = LabOnDemand::default();
        let same = match in_lab(&ask, &mut lab, progress)? {
            Ran::Results { results, .. } => results,
            Ran::Nothing(_, why) => return Ok(Some(LabState::none(why))),
        };
        let broken = lab::all_broken(self.repo.root(), &self.sources(tree)?);
        let broken = match broken {
            Ok(wanted) => in_room(&ask, &wanted, &mut lab, progress)?,
            Err(no_lab) => Ran::Nothing(crate::rules::NoAnswer::NoLab, no_lab.to_string()),
        };
        let broken = match broken {
            Ran::Results { results, .. } => results,
            Ran::Nothing(_, why) => return Ok(Some(LabState::none(why))),
        };
        let trial = Trial {
            worktree: &told(whole),
            lab: &told(&same),
            broken: &told(&broken),
        };
        Ok(Some(match trial.judge() {
            Ok(trusted) => LabState {
                form: lab.form(),
                no_lab: None,
                doubted: trusted.doubted.into_keys().collect(),
            },
            // At the worktree's own path nothing can lead elsewhere: these tests need no source.
            Err(_) if lab.is_overlay() && same.passed == whole.passed => LabState {
                form: lab.form(),
                no_lab: None,
                doubted: broken.passed.iter().cloned().collect(),
            },
            Err(no_lab) => LabState::none(no_lab.to_string()),
        }))
    }

    /// The source files of a tree.
    fn sources(&self, tree: ObjectId) -> Result<Vec<PathBuf>> {
        let empty = ObjectId::empty_tree(self.repo.gix.object_hash());
        let all = trees::diff(self.repo, empty, tree)?;
        let sources = all
            .iter()
            .filter(|change| match self.class(change.path.as_bstr()) {
                PathClass::Source | PathClass::Mixed => !change.is_submodule() && !change.is_link(),
                PathClass::Protected
                | PathClass::Spec
                | PathClass::Harness
                | PathClass::Test
                | PathClass::Docs
                | PathClass::Other => false,
            });
        Ok(sources
            .map(|change| super::experiment::path_of(change.path.as_bstr()))
            .collect())
    }
}

fn told(results: &TestResults) -> lab::Results {
    let as_said = |ids: &[String], said: lab::Said| -> Vec<(String, lab::Said)> {
        ids.iter().map(|id| (id.clone(), said)).collect()
    };
    let mut told = lab::Results::new();
    told.extend(as_said(&results.passed, lab::Said::Passed));
    told.extend(as_said(&results.failed, lab::Said::Failed));
    told.extend(as_said(&results.skipped, lab::Said::Skipped));
    told
}
