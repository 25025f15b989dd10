//! `[validator] on = ["green"]`: before a green is committed, the validator is asked whether the
//! source does more than the tests ask for.

use gix::bstr::ByteSlice;

use super::validator::{Asked, Question};
use crate::branch::cycle::GreenOpinion;
use crate::branch::drift::object;
use crate::branch::session::Session;
use crate::config::ValidatorOn;
use crate::error::Result;
use crate::git::trees;
use crate::message;
use crate::outcome::step::Kept;
use crate::rules::PathClass;
use crate::rules::declared::ValidatorVerdict;
use crate::step::effects::Carry;
use crate::step::judge::Judged;
use crate::test_run::jobs;

/// So much of a diff is told.
const LONGEST_DIFF: usize = 512 * 1024;

impl Session<'_> {
    /// Lets the validator have its say about a green, where it has one.
    pub(crate) fn ask_about_green(&mut self, carry: &mut Carry) -> Result<()> {
        let asked = self.config.validator.command.is_some()
            && self.config.validator.on.contains(&ValidatorOn::Green)
            && carry.commits_green();
        if !asked {
            return Ok(());
        }
        let tree = carry.judged.snapshot.tree.to_string();
        let known = self.state.green_opinion.clone();
        let opinion = match known.filter(|known| known.tree == tree) {
            Some(known) => known,
            None => self.opinion_of(&carry.judged)?,
        };
        if opinion.certificate.verdict != ValidatorVerdict::Pass {
            carry.hold_back(Kept::Validator);
            carry.objection = Some(message::spec::certify::certificate(&opinion.certificate));
        }
        self.state.green_opinion = Some(opinion);
        Ok(())
    }

    fn opinion_of(&self, judged: &Judged) -> Result<GreenOpinion> {
        let diff = self.source_since_freeze(judged.snapshot.tree)?;
        let (coverage, red) = match &self.state.oracle {
            Some(oracle) => {
                let tree = object(&oracle.red_tree)?;
                let red = self.cached(
                    tree,
                    &jobs::about(self.config, self.repo.root(), &[])?,
                    None,
                )?;
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
            green: judged.runs.telling(None).map(|run| &run.results),
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
                diff.push_str(&crate::branch::recover::unified(self.repo, &change)?);
            }
        }
        Ok(diff)
    }
}
