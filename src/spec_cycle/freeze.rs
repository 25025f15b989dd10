//! `freeze`: tests that were certified by somebody else become the oracle.

use std::collections::BTreeSet;

use gix::bstr::ByteSlice;

use super::frozen::FrozenFile;
use super::validator::{Asked, Question};
use super::{new_ref, refused};
use crate::branch::cycle::{Certificate, FrozenOracle, SpecFacts};
use crate::branch::drift::object;
use crate::branch::session::{Plan, Session};
use crate::branch::state::TestResults;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::snapshot::Snapshot;
use crate::git::trees;
use crate::git::{objects, refs};
use crate::message;
use crate::outcome::spec::FreezeOutcome;
use crate::rules::declared::{FreezeFacts, TreeResult, Validator, ValidatorVerdict};
use crate::rules::spec::coverage::{Covered, RunTests, Unfit, coverage, unfit};
use crate::rules::spec::read_spec;
use crate::rules::{Cause, Declaration, Declared, Phase, Refusal, Standing, declare};
use crate::spec_cycle::frozen::oracle_tree;
use crate::spec_cycle::frozen::to_watch;
use crate::spec_cycle::retire_oracle;
use crate::test_run::progress::Progress;

/// Who certifies, and with which words.
pub(crate) enum Certifier {
    /// Somebody says so.
    Given {
        verdict: ValidatorVerdict,
        by: String,
        notes: String,
        /// The gate saw that the call is made by this very identity; always so for a person.
        vouched: bool,
    },
    /// The program of the config is asked.
    Program,
}

/// What was found about the tests before anybody is asked.
pub(super) struct Examined {
    pub(super) results: TestResults,
    pub(super) coverage: Vec<Covered>,
    pub(super) unfit: Vec<Unfit>,
    pub(super) frozen: Vec<FrozenFile>,
    standing: Standing,
}

impl Session<'_> {
    /// Freezes spec and tests, or says what is missing.
    pub(crate) fn freeze(
        &mut self,
        certifier: Certifier,
        progress: &mut dyn Progress,
    ) -> Result<FreezeOutcome> {
        self.at_work()?;
        let snapshot = self.held_snapshot()?;
        let outcome = self.freeze_held(snapshot, certifier, progress);
        if outcome.is_err() {
            drop(crate::branch::transaction::forget_snapshot(self.repo));
        }
        let outcome = outcome?;
        if let Some(refusal) = outcome.refusal {
            crate::branch::transaction::forget_snapshot(self.repo)?;
            let (why, _) = message::spec::refusal(refusal, "freeze", self.state.phase);
            self.record_refusal("freeze refused", &why)?;
        }
        Ok(outcome)
    }

    fn freeze_held(
        &mut self,
        snapshot: Snapshot,
        certifier: Certifier,
        progress: &mut dyn Progress,
    ) -> Result<FreezeOutcome> {
        let refusal = |refusal| FreezeOutcome {
            refusal: Some(refusal),
            ..FreezeOutcome::default()
        };
        self.note_authors(snapshot.tree)?;
        let certificate = match certifier {
            Certifier::Given {
                verdict,
                by,
                notes,
                vouched,
            } => {
                let validator = self.validator(&by, vouched);
                let certificate = Certificate {
                    verdict,
                    by,
                    notes,
                    at: clock::timestamp(),
                    auto: false,
                };
                // Whatever does not depend on the tests is said before they run.
                if let Err(early) = declare(&self.hopeful(&snapshot)?, hoped(verdict, validator)) {
                    return Ok(refusal(early));
                }
                Some((certificate, validator))
            }
            Certifier::Program => {
                let hoped = hoped(ValidatorVerdict::Pass, Validator::Independent);
                if let Err(early) = declare(&self.hopeful(&snapshot)?, hoped) {
                    return Ok(refusal(early));
                }
                None
            }
        };
        if let Some((certificate, _)) = &certificate
            && certificate.verdict != ValidatorVerdict::Pass
        {
            return self.record_concerns(certificate.clone(), FreezeOutcome::default(), &snapshot);
        }
        if self.commits() && self.is_dirty(&snapshot.changes) {
            return Ok(refusal(Refusal::Dirty));
        }
        let (snapshot, examined) = self.examine(snapshot, progress)?;
        let mut outcome = FreezeOutcome {
            coverage: examined.coverage.clone(),
            unfit: examined.unfit.clone(),
            results: Some(examined.results.clone()),
            ..FreezeOutcome::default()
        };
        let facts = examined.facts(ValidatorVerdict::Pass, Validator::Independent);
        if let Err(missing) = declare(&examined.standing, Declaration::Freeze(facts)) {
            outcome.refusal = Some(missing);
            return Ok(outcome);
        }
        let (certificate, validator) = match certificate {
            Some(given) => given,
            None => {
                let certificate = self.certificate_of_program(&examined)?;
                let validator = self.validator(&certificate.by, true);
                (certificate, validator)
            }
        };
        let facts = examined.facts(certificate.verdict, validator);
        match declare(&examined.standing, Declaration::Freeze(facts)) {
            Err(refusal) => {
                outcome.refusal = Some(refusal);
                outcome.certificate = Some(certificate);
                Ok(outcome)
            }
            Ok(Declared::RecordConcerns) => self.record_concerns(certificate, outcome, &snapshot),
            Ok(Declared::FreezeOracle) => {
                self.freeze_oracle(examined, certificate, outcome, &snapshot)
            }
            Ok(_) => Err(Error::internal("a freeze led to something else")),
        }
    }

    fn hopeful(&self, snapshot: &Snapshot) -> Result<Standing> {
        Ok(Standing {
            result: Some(TreeResult {
                verdict: crate::rules::Verdict::Red,
                confirmed: true,
            }),
            ..self.standing(snapshot)?
        })
    }

    fn validator(&self, by: &str, vouched: bool) -> Validator {
        if !vouched || by.trim().is_empty() {
            Validator::Unknown
        } else if self.is_author(by) {
            Validator::Author
        } else {
            Validator::Independent
        }
    }

    /// Runs the tests, if need be, and holds them against the spec.
    pub(super) fn examine(
        &mut self,
        snapshot: Snapshot,
        progress: &mut dyn Progress,
    ) -> Result<(Snapshot, Examined)> {
        let (snapshot, results) = self.result_of(snapshot, progress)?;
        let facts = self.spec()?;
        let spec = self.frozen_spec(&facts, snapshot.tree)?;
        let frozen = self.files_to_freeze(snapshot.tree)?;
        let files = self.test_files(&frozen)?;
        let run = run_tests(&results);
        let needs = self.config.red_needs(self.state.cycle_kind());
        let examined = Examined {
            coverage: coverage(&spec.scenarios, &run, &files),
            unfit: unfit(
                &run,
                &facts.tests_before,
                &self.state.known_failures,
                needs,
                &files,
            ),
            standing: Standing {
                result: results.verdict.map(|verdict| TreeResult {
                    verdict,
                    confirmed: results.confirmed,
                }),
                ..self.standing(&snapshot)?
            },
            results,
            frozen,
        };
        Ok((snapshot, examined))
    }

    /// The spec of the running cycle.
    pub(super) fn spec(&self) -> Result<SpecFacts> {
        let running = self
            .state
            .spec
            .clone()
            .filter(|_| self.state.spec_cycle_runs());
        running.ok_or_else(|| refused(Refusal::NoSpecCycle, "this", self.state.phase))
    }

    /// The spec as it is in a tree: it must be the one that was planned.
    fn frozen_spec(
        &self,
        facts: &SpecFacts,
        tree: gix::ObjectId,
    ) -> Result<crate::rules::spec::Spec> {
        let text = self.text_in(tree, &facts.path)?.unwrap_or_default();
        if crate::rules::spec::normalised_hash(&text) != facts.hash {
            let (what, hint) = message::spec::spec_changed(&facts.path);
            return Err(Error::Refused { what, hint });
        }
        read_spec(&text).map_err(|why| {
            let (what, hint) = message::spec::bad_file(&facts.path, &why);
            Error::Refused { what, hint }
        })
    }

    /// The text of a file in a tree.
    pub(super) fn text_in(&self, tree: gix::ObjectId, path: &str) -> Result<Option<String>> {
        let leaf = trees::lookup(self.repo, tree, path.into())?;
        let Some(leaf) = leaf.filter(|leaf| leaf.kind != gix::objs::tree::EntryKind::Commit) else {
            return Ok(None);
        };
        Ok(String::from_utf8(trees::content(self.repo, leaf)?).ok())
    }

    fn certificate_of_program(&self, examined: &Examined) -> Result<Certificate> {
        let files = self.test_files(&examined.frozen)?;
        let question = Question {
            on: Asked::Freeze,
            tests: &files,
            coverage: &examined.coverage,
            red: &examined.results,
            green: None,
            source_diff: None,
        };
        self.ask_validator(&question)
    }

    fn record_concerns(
        &mut self,
        certificate: Certificate,
        mut outcome: FreezeOutcome,
        snapshot: &Snapshot,
    ) -> Result<FreezeOutcome> {
        let note = message::spec::certify::certificate(&certificate);
        let event = self.declared_event("concerns", note);
        self.state.concerns.push(certificate.clone());
        let plan = Plan {
            events: vec![event],
            ..Plan::default()
        };
        self.write(snapshot.tree, plan)?;
        crate::branch::transaction::forget_snapshot(self.repo)?;
        outcome.certificate = Some(certificate);
        Ok(outcome)
    }

    fn freeze_oracle(
        &mut self,
        examined: Examined,
        certificate: Certificate,
        mut outcome: FreezeOutcome,
        snapshot: &Snapshot,
    ) -> Result<FreezeOutcome> {
        let spec = self.spec()?;
        let mut plan = Plan::default();
        retire_oracle(self.repo, &mut self.state, self.base.as_bstr(), &mut plan)?;
        // Where nothing is committed, the red has to be kept some other way.
        let red = match self.is_dirty(&snapshot.changes) {
            true => objects::commit(self.repo, snapshot.tree, &[self.head], "red\n")?,
            false => self.head,
        };
        let tree = oracle_tree(self.repo, &examined.frozen)?;
        let message = message::spec::certify::oracle_commit(&spec, &certificate, &red.to_string());
        let commit = objects::commit(self.repo, tree, &[red], &message)?;
        let name = refs::oracle(self.base.as_bstr());
        // An old oracle of this name goes into the archive in the same moment.
        let old = refs::current(self.repo, &name)?;
        plan.moves.retain(|step| step.name != name);
        plan.moves.push(crate::git::refs::Move {
            old,
            ..new_ref(name, commit)
        });
        let known = &self.state.known_failures;
        let failed: BTreeSet<String> = examined
            .results
            .failed
            .iter()
            .filter(|test| !known.contains(*test))
            .cloned()
            .collect();
        self.state.oracle = Some(FrozenOracle {
            commit: commit.to_string(),
            red_commit: red.to_string(),
            red_tree: snapshot.tree.to_string(),
            failed: failed.clone(),
            certificate: certificate.clone(),
            coverage: examined.coverage,
            watched: to_watch(self.repo, &examined.frozen),
            differs_in_head: BTreeSet::new(),
            unknown: serde_json::Map::new(),
        });
        self.state.authors.validator = Some(certificate.by.clone());
        self.state.awaited = failed;
        self.state.accept_results(examined.results);
        self.state.hold = None;
        self.state.step = None;
        let mut event =
            self.declared_event("freeze", message::spec::certify::certificate(&certificate));
        event.commit = Some(commit.to_string());
        event.files = examined.frozen.len();
        self.state.enter(Phase::Green, &clock::timestamp());
        event.next_phase = self.state.phase;
        plan.events.push(event);
        outcome.remark = plan.bring_back(self.unpark(snapshot.tree, self.head_tree()?)?);
        self.write(snapshot.tree, plan)?;
        outcome.oracle = Some(commit.to_string());
        outcome.certificate = Some(certificate);
        Ok(outcome)
    }

    /// The commit that the oracle was frozen on, as a tree.
    pub(super) fn red_tree(&self) -> Result<Option<gix::ObjectId>> {
        let tree = self
            .state
            .oracle
            .as_ref()
            .map(|oracle| object(&oracle.red_tree));
        tree.transpose()
    }
}

impl Examined {
    fn facts(&self, verdict: ValidatorVerdict, validator: Validator) -> FreezeFacts {
        FreezeFacts {
            verdict,
            every_test_qualifies: self.unfit.is_empty(),
            every_scenario_named: self
                .coverage
                .iter()
                .all(|covered| !covered.tests.is_empty()),
            validator,
        }
    }
}

fn hoped(verdict: ValidatorVerdict, validator: Validator) -> Declaration {
    Declaration::Freeze(FreezeFacts {
        verdict,
        every_test_qualifies: true,
        every_scenario_named: true,
        validator,
    })
}

/// A result as the rules of the freeze see it.
pub(super) fn run_tests(results: &TestResults) -> RunTests {
    let cause = |test: &String| results.causes.get(test).copied().unwrap_or(Cause::Error);
    RunTests {
        failed: results
            .failed
            .iter()
            .map(|test| (test.clone(), cause(test)))
            .collect(),
        passed: results.passed.iter().cloned().collect(),
        skipped: results.skipped.iter().cloned().collect(),
        files: results.files.clone(),
    }
}
