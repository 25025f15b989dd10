//! `[validator] on = ["green"]`: before a green is committed, the validator is asked whether the
//! source does more than the tests ask for.

use gix::bstr::ByteSlice;

use super::object;
use super::validator::{Asked, Question};
use crate::config::ValidatorOn;
use crate::effects::git::trees;
use crate::error::Result;
use crate::journal::cycle::GreenOpinion;
use crate::message;
use crate::policy::declared::ValidatorVerdict;
use crate::policy::hold_back::held_back;
use crate::policy::{CommitLabel, KeepReason, LoopDecision, PathClass};
use crate::tcr_loop::judge::Judged;
use crate::tcr_loop::session::Session;

/// So much of a diff is told.
const LONGEST_DIFF: usize = 512 * 1024;

impl Session<'_> {
    /// Lets the validator have its say about a green, where it has one.
    pub(in crate::tcr_loop) fn ask_about_green(&mut self, mut judged: Judged) -> Result<Judged> {
        let asked = self.config.validator.command.is_some()
            && self.config.validator.on.contains(&ValidatorOn::Green)
            && self.state.oracle_in_force().is_some()
            && is_green(&judged.decision)
            && judged.unstable.is_empty();
        if !asked {
            return Ok(judged);
        }
        let tree = judged.snapshot.tree.to_string();
        let known = self.state.green_opinion.clone();
        let opinion = match known.filter(|known| known.tree == tree) {
            Some(known) => known,
            None => self.opinion_of(&judged)?,
        };
        if opinion.certificate.verdict != ValidatorVerdict::Pass {
            judged.decision = held_back(judged.decision, KeepReason::ValidatorObjects);
            judged.objection = Some(message::spec::certify::certificate(&opinion.certificate));
        }
        self.state.green_opinion = Some(opinion);
        Ok(judged)
    }

    fn opinion_of(&self, judged: &Judged) -> Result<GreenOpinion> {
        let diff = self.source_since_freeze(judged.snapshot.tree)?;
        let (coverage, red) = match &self.state.oracle {
            Some(oracle) => {
                let tree = object(&oracle.red_tree)?;
                let red = self.cached(tree, &self.jobs(&[])?)?;
                (oracle.coverage.clone(), red.unwrap_or_default())
            }
            None => Default::default(),
        };
        let frozen = self.files_to_freeze(judged.snapshot.tree)?;
        let tests = self.test_files(&frozen)?;
        let question = Question {
            on: Asked::Green,
            tests: &tests,
            coverage: &coverage,
            red: &red,
            green: Some(&judged.results),
            source_diff: Some(&diff),
        };
        Ok(GreenOpinion {
            tree: judged.snapshot.tree.to_string(),
            certificate: self.ask_validator(&question)?,
        })
    }

    fn source_since_freeze(&self, tree: gix::ObjectId) -> Result<String> {
        let Some(red) = self
            .red_tree()?
            .filter(|red| self.repo.gix.has_object(*red))
        else {
            return Ok(String::new());
        };
        let mut diff = String::new();
        for change in trees::diff(self.repo, red, tree)? {
            let told = match self.class(change.path.as_bstr()) {
                PathClass::Source | PathClass::Mixed | PathClass::Other => true,
                PathClass::Protected
                | PathClass::Spec
                | PathClass::Harness
                | PathClass::Test
                | PathClass::Docs => false,
            };
            if told && diff.len() < LONGEST_DIFF {
                diff.push_str(&crate::tcr_loop::recover::unified(self.repo, &change)?);
            }
        }
        Ok(diff)
    }
}

fn is_green(decision: &LoopDecision) -> bool {
    match decision {
        LoopDecision::Commit { label, .. } => *label == CommitLabel::Green,
        LoopDecision::Record { would, .. } => would.as_deref().is_some_and(is_green),
        LoopDecision::Revert { .. } | LoopDecision::Keep { .. } | LoopDecision::Nothing => false,
    }
}
