//! `phase done`: the exit gate, and the handoff.

use crate::branch::drift::frozen_tree;
use crate::branch::state::State;
use crate::git::repo::Repo;
use crate::spec_cycle::evidence::evidence_commit;
use crate::spec_cycle::retire_oracle;
use gix::bstr::BStr;
use std::collections::BTreeMap;

use gix::bstr::ByteSlice;

use crate::branch::session::{Plan, Session};
use crate::branch::state::LintResult;
use crate::branch::wip_commits;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::snapshot::Snapshot;
use crate::git::trees;
use crate::message;
use crate::outcome::proof::Document;
use crate::outcome::spec::{Ended, Handoff};
use crate::rules::declared::{DoneFacts, TreeResult};
use crate::rules::{Declaration, Declared, PathClass, Phase, Refusal, Standing, Verdict, declare};
use crate::squash::way_out::Asked;
use crate::test_run::progress::Progress;

impl Session<'_> {
    /// Ends the spec cycle, if its exit gate holds.
    pub(crate) fn phase_done(
        &mut self,
        abandon: bool,
        progress: &mut dyn Progress,
    ) -> Result<Ended> {
        self.at_work()?;
        let snapshot = self.held_snapshot()?;
        let ended = self.done_held(snapshot, abandon, progress);
        crate::branch::transaction::forget_snapshot(self.repo)?;
        let ended = ended?;
        if let Ended::Refused { refusal, .. } = &ended {
            let (why, _) = message::spec::refusal(*refusal, "phase done", self.state.phase);
            self.record_refusal("done refused", &why)?;
        }
        Ok(ended)
    }

    fn done_held(
        &mut self,
        snapshot: Snapshot,
        abandon: bool,
        progress: &mut dyn Progress,
    ) -> Result<Ended> {
        let hopeful = Standing {
            result: Some(TreeResult {
                verdict: Verdict::Green,
                confirmed: true,
            }),
            ..self.standing(&snapshot)?
        };
        match declare(&hopeful, declared(abandon, true, true)) {
            Err(refusal) => return Ok(refused_with(refusal, Vec::new())),
            Ok(Declared::Done { abandoned: true }) => return self.abandon(&snapshot),
            Ok(_) => {}
        }
        let drifted = self.all_drift(snapshot.tree)?;
        if !drifted.is_empty() {
            let facts = vec![message::spec::drifted(&drifted)];
            return Ok(refused_with(Refusal::OracleDrifted, facts));
        }
        let (snapshot, results) = self.result_of(snapshot, progress)?;
        let standing = Standing {
            result: results.verdict.map(|verdict| TreeResult {
                verdict,
                confirmed: results.confirmed,
            }),
            ..self.standing(&snapshot)?
        };
        if let Err(refusal) = declare(&standing, declared(false, true, true)) {
            let facts = vec![format!("tests: {}", message::outcome::results(&results))];
            return Ok(refused_with(refusal, facts));
        }
        let lint = self.lint_all(snapshot.tree, progress)?;
        let missing = self.missing_artifacts(snapshot.tree)?;
        let clean = lint.as_ref().is_none_or(LintResult::lets_pass);
        match declare(&standing, declared(false, clean, missing.is_empty())) {
            Err(refusal) => {
                let mut facts = Vec::new();
                facts.extend(
                    lint.filter(|_| !clean)
                        .map(|lint| message::spec::done::lint(&lint)),
                );
                if !missing.is_empty() {
                    facts.push(message::spec::done::missing(&missing));
                }
                Ok(refused_with(refusal, facts))
            }
            Ok(Declared::Done { abandoned: false }) => {
                let proof = match self.prove_cycle(&snapshot, progress)? {
                    Ok(proof) => proof,
                    Err(facts) => return Ok(refused_with(Refusal::NotProven, facts)),
                };
                let mut plan = Plan::default();
                let evidence =
                    self.make_evidence(&results, lint.as_ref(), &snapshot, proof.as_ref())?;
                let number = next_evidence(self.repo, &mut self.state, self.base.as_bstr())?;
                let name = crate::git::refs::evidence(self.base.as_bstr(), number);
                let commit = evidence_commit(self.repo, &self.state, self.head, &evidence)?;
                plan.moves.push(super::new_ref(name.clone(), commit));
                let source = self.source_files_since_red(snapshot.tree)?;
                let handoff = handoff(
                    &self.state,
                    self.head,
                    &results,
                    lint.as_ref(),
                    source,
                    name,
                );
                let mut event =
                    self.declared_event("done", message::spec::done::evidence_at(number));
                event.commit = Some(commit.to_string());
                self.state.accept_results(results);
                self.state.enter(Phase::Done, &clock::timestamp());
                event.next_phase = self.state.phase;
                plan.events.push(event);
                self.write(snapshot.tree, plan)?;
                Ok(Ended::Done(Box::new(handoff)))
            }
            Ok(_) => Err(Error::internal("the end of a cycle led to something else")),
        }
    }

    /// Asks the way out about this cycle; what stands in the way, as facts.
    fn prove_cycle(
        &self,
        snapshot: &Snapshot,
        progress: &mut dyn Progress,
    ) -> Result<std::result::Result<Option<Document>, Vec<String>>> {
        let (Some(spec), Some(oracle)) = (&self.state.spec, &self.state.oracle) else {
            return Ok(Ok(None));
        };
        let tests = BTreeMap::from([(self.state.cycle, oracle.failed.clone())]);
        let fork = crate::branch::drift::object(&self.state.fork)?;
        let entries = wip_commits::since(self.repo, self.head, fork)?.unwrap_or_default();
        let asked = Asked {
            before: crate::branch::drift::object(&spec.start_tree)?,
            tip: snapshot.tree,
            entries: &entries,
            tests: &tests,
            writes: true,
        };
        let Some(proven) = self.prove(&asked, progress)? else {
            return Ok(Ok(None));
        };
        let document = proven.document();
        let refusals = self.refusals(&proven, false);
        let facts = refusals
            .iter()
            .map(|refusal| message::proof::why(refusal, &document).0);
        let facts: Vec<String> = facts.collect();
        Ok(match facts.is_empty() {
            true => Ok(Some(document)),
            false => Err(facts),
        })
    }

    /// How many source files changed since the red.
    fn source_files_since_red(&self, tree: gix::ObjectId) -> Result<usize> {
        let Some(red) = self.red_tree()? else {
            return Ok(0);
        };
        let changes = trees::diff(self.repo, red, tree)?;
        let source = changes.iter().filter(|change| {
            matches!(
                self.class(change.path.as_bstr()),
                PathClass::Source | PathClass::Mixed
            )
        });
        Ok(source.count())
    }

    fn abandon(&mut self, snapshot: &Snapshot) -> Result<Ended> {
        let mut plan = Plan::default();
        let mut event = self.declared_event("abandon", String::new());
        retire_oracle(self.repo, &mut self.state, self.base.as_bstr(), &mut plan)?;
        if let Some(spec) = &mut self.state.spec {
            spec.abandoned = true;
        }
        self.state.awaited.clear();
        self.state.enter(Phase::Done, &clock::timestamp());
        event.next_phase = self.state.phase;
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        Ok(Ended::Abandoned)
    }

    /// Every frozen file that is not as it was certified.
    fn all_drift(&self, tree: gix::ObjectId) -> Result<Vec<String>> {
        let Some(oracle) = frozen_tree(self.repo, &self.state)? else {
            return Ok(Vec::new());
        };
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let frozen = trees::diff(self.repo, nothing, oracle)?;
        let paths = frozen.iter().map(|change| change.path.as_bstr());
        let drifted = self.drift_in(tree, paths)?;
        Ok(drifted
            .iter()
            .map(|change| change.path.to_string())
            .collect())
    }

    /// What the plan promised and the tree does not have.
    fn missing_artifacts(&self, tree: gix::ObjectId) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        let promised = self
            .state
            .plan
            .iter()
            .flat_map(|plan| &plan.must_haves.artifacts);
        for path in promised {
            let path = path.trim_end_matches('/');
            let found = self
                .repo
                .gix
                .find_tree(tree)
                .ok()
                .and_then(|tree| tree.lookup_entry_by_path(path).ok().flatten());
            if found.is_none() {
                missing.push(path.to_owned());
            }
        }
        Ok(missing)
    }
}

fn next_evidence(repo: &Repo, state: &mut State, base: &BStr) -> Result<u64> {
    loop {
        state.last_evidence += 1;
        let name = crate::git::refs::evidence(base, state.last_evidence);
        if crate::git::refs::read(repo, &name)?.is_none() {
            return Ok(state.last_evidence);
        }
    }
}

fn handoff(
    state: &State,
    head: gix::ObjectId,
    green: &crate::branch::state::TestResults,
    lint: Option<&LintResult>,
    source_files: usize,
    evidence: String,
) -> Handoff {
    let oracle = state.oracle.as_ref();
    let short = |id: &str| message::short_id(id).to_owned();
    Handoff {
        spec: message::spec::spec_line(state),
        plan: state.plan.as_ref().map(|plan| plan.path.clone()),
        red: oracle.map_or_else(String::new, |oracle| {
            format!(
                "{} failed validly at `{}`",
                message::count(oracle.failed.len(), "test", "tests"),
                short(&oracle.red_commit)
            )
        }),
        validator: oracle.map(|oracle| {
            format!(
                "{}, {}",
                message::count(oracle.coverage.len(), "scenario", "scenarios"),
                message::spec::certify::certificate(&oracle.certificate)
            )
        }),
        freeze: oracle.map_or_else(String::new, |oracle| short(&oracle.commit)),
        green: format!(
            "{}, {} at `{}`, {}, {}",
            message::count(source_files, "source file", "source files"),
            message::outcome::results(green),
            short(&head.to_string()),
            match lint {
                Some(_) => "lint clean",
                None => "no lint command",
            },
            message::count(state.test_bugs.len(), "test bug", "test bugs"),
        ),
        evidence,
        truths: state
            .plan
            .as_ref()
            .map(|plan| plan.must_haves.truths.clone())
            .unwrap_or_default(),
        next: message::phase::next_step(Phase::Done).to_owned(),
    }
}

fn declared(abandon: bool, lint_clean: bool, artifacts_there: bool) -> Declaration {
    Declaration::Phase {
        to: Phase::Done,
        with_reason: false,
        abandon,
        done: DoneFacts {
            lint_clean,
            artifacts_there,
        },
    }
}

fn refused_with(refusal: Refusal, facts: Vec<String>) -> Ended {
    Ended::Refused { refusal, facts }
}
