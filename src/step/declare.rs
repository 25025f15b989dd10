//! Phases and steps that are declared by command.

use std::collections::BTreeSet;

use gix::bstr::ByteSlice;

use crate::branch::classes::Classes;
use crate::branch::event::EventKind;
use crate::branch::off::why_off;
use crate::branch::session::{Plan, Session};
use crate::branch::state::{Parked, Step, TestResults};
use crate::clock;
use crate::error::{Error, Result};
use crate::git::align::FromTo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::git::trees::{self, Change};
use crate::message;
use crate::rules::declared::{DoneFacts, TreeResult};
use crate::rules::{
    CycleKind, Declaration, Declared, Mode, PathClass, Phase, Standing, TestsPart, declare,
};
use crate::test_run::jobs;

/// What a declaration did.
pub(crate) struct Done {
    /// Source that was put aside.
    pub(crate) parked: Vec<String>,
    /// The entry that holds it.
    pub(crate) recover: Option<u64>,
}

impl Session<'_> {
    /// Sets the mode of this branch. What was accepted without a commit is work again where work is
    /// committed: results of that tree say nothing of HEAD's.
    pub(crate) fn switch_to(&mut self, mode: Mode) -> Result<()> {
        let accepted = self.accepted_tree()?;
        self.state.mode = Some(mode);
        let tree = self.accepted_tree()?;
        if tree != accepted {
            self.state.accepted_results = self.cached(
                tree,
                &jobs::about(self.config, self.repo.root(), &[])?,
                None,
            )?;
            self.state.accepted_tree = tree.to_string();
        }
        Ok(())
    }

    /// Fails where git tcr has no say; the hint is the way back for the reason at hand.
    pub(crate) fn at_work(&self) -> Result<()> {
        match why_off(&self.state, self.config, self.base.as_bstr()) {
            None => Ok(()),
            Some(off) => {
                let (what, hint) = crate::message::phase::off(off, &self.base.to_string());
                Err(Error::Refused { what, hint })
            }
        }
    }
}

impl Session<'_> {
    /// Goes to a phase, if the rules allow it.
    pub(crate) fn declare_phase(&mut self, to: Phase, why: Option<&str>) -> Result<Done> {
        self.at_work()?;
        let snapshot = self.snapshot()?;
        // The end of a spec cycle has a way of its own.
        let done = DoneFacts {
            lint_clean: true,
            artifacts_there: true,
        };
        let declaration = Declaration::Phase {
            to,
            with_reason: why.is_some_and(|why| !why.trim().is_empty()),
            abandon: false,
            done,
        };
        let declared = declare(&self.standing(&snapshot)?, declaration).map_err(|refusal| {
            match self.state.spec_cycle_runs() {
                true => {
                    let asked = format!("phase {to}");
                    let (what, hint) = message::spec::refusal(refusal, &asked, self.state.phase);
                    Error::Refused { what, hint }
                }
                false => refused(refusal, to),
            }
        })?;
        let mut event = self.event(EventKind::Phase, why.unwrap_or_default().to_owned());
        let now = clock::timestamp();
        let mut plan = Plan::default();
        let mut outcome = Done {
            parked: Vec::new(),
            recover: None,
        };
        match declared {
            Declared::Enter(phase) => {
                if self.state.phase == Phase::Green && self.state.cycle_kind() == CycleKind::Free {
                    // The failing tests pass: what follows are this cycle's refactors.
                    self.state.cycle += 1;
                    self.state.awaited.clear();
                }
                self.state.enter(phase, &now);
            }
            Declared::BackToRed => {
                outcome = self.park(&snapshot, why.unwrap_or_default(), &mut plan)?;
                self.state.enter(Phase::Red, &now);
            }
            Declared::StartFreeCycle => {
                self.forget_cycle(&mut plan)?;
                self.state.cycle += 1;
                self.state.enter(Phase::Red, &now);
            }
            Declared::StartSpecCycle
            | Declared::FreezeOracle
            | Declared::RecordConcerns
            | Declared::Done { .. }
            | Declared::OpenStep => {
                return Err(Error::internal("a declared phase led to something else"));
            }
        }
        event.next_phase = self.state.phase;
        event.recover = outcome.recover;
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        Ok(outcome)
    }

    /// Makes known failures the tests that are to pass next; they are named by their ids or the ends
    /// of these.
    pub(crate) fn declare_awaited(&mut self, named: &[String]) -> Result<BTreeSet<String>> {
        self.at_work()?;
        let snapshot = self.snapshot()?;
        declare(&self.standing(&snapshot)?, Declaration::Await)
            .map_err(|refusal| refused(refusal, Phase::Green))?;
        let mut awaited = BTreeSet::new();
        for name in named {
            let known = self.state.known_failures.iter();
            let found: Vec<String> = match self.state.known_failures.contains(name) {
                true => vec![name.clone()],
                false => known.filter(|id| id.ends_with(name)).cloned().collect(),
            };
            match &found[..] {
                [one] => drop(awaited.insert(one.clone())),
                [] => {
                    let known: Vec<String> = self.state.known_failures.iter().cloned().collect();
                    return Err(message::phase::no_known_failure(name, &known));
                }
                several => return Err(message::phase::several_known_failures(name, several)),
            }
        }
        let asked = self.state.asked.entry(self.state.cycle).or_default();
        asked.extend(awaited.iter().cloned());
        self.state
            .known_failures
            .retain(|test| !awaited.contains(test));
        self.state.awaited.clone_from(&awaited);
        let tests: Vec<String> = awaited.iter().cloned().collect();
        let mut event = self.event(EventKind::Phase, message::path_list(&tests));
        self.state.enter(Phase::Green, &clock::timestamp());
        event.next_phase = self.state.phase;
        self.record(vec![event])?;
        Ok(awaited)
    }

    /// Opens a longer step.
    pub(crate) fn declare_step(&mut self, why: Option<String>) -> Result<Step> {
        self.at_work()?;
        let snapshot = self.snapshot()?;
        let phase = self.state.phase;
        declare(&self.standing(&snapshot)?, Declaration::Step)
            .map_err(|refusal| refused(refusal, phase))?;
        let step = Step {
            since: clock::timestamp(),
            why: why.clone(),
        };
        self.state.step = Some(step.clone());
        let event = self.event(EventKind::Step, why.unwrap_or_default());
        self.record(vec![event])?;
        Ok(step)
    }

    pub(crate) fn standing(&self, snapshot: &Snapshot) -> Result<Standing> {
        let dirty = self.is_dirty(&self.changes_since_accepted(snapshot)?);
        let changed = self.changed_since_accepted(snapshot)?;
        Ok(Standing {
            tests_wait: changed.tests != TestsPart::Same,
            ..self.standing_if(snapshot, dirty)
        })
    }

    /// Where the work stands without a file that is about to become the spec.
    pub(crate) fn standing_beside(&self, snapshot: &Snapshot, spec: &str) -> Result<Standing> {
        let classes = Classes::new(self.repo, self.config, Some(spec))?;
        let changes = self.changes_since_accepted(snapshot)?;
        let dirty = changes.iter().any(|change| {
            !matches!(
                classes.classify(&change.path),
                PathClass::Docs | PathClass::Spec
            )
        });
        Ok(self.standing_if(snapshot, dirty))
    }

    fn standing_if(&self, snapshot: &Snapshot, dirty: bool) -> Standing {
        let tree = snapshot.tree.to_string();
        let accepted = self.state.accepted_results().and_then(result_of);
        let of_this_tree = self.state.test_results.as_ref();
        let result = match dirty {
            true => of_this_tree
                .filter(|results| results.tree == tree)
                .and_then(result_of),
            false => accepted,
        };
        Standing {
            mode: self.mode(),
            phase: self.state.phase,
            cycle: self.state.cycle_kind(),
            oracle_frozen: self.state.oracle_in_force().is_some(),
            result,
            accepted,
            dirty,
            tests_wait: false,
            test_bug_open: self.state.open_test_bug().is_some(),
            step_open: self.state.step.is_some(),
            by_agent: self.by.is_some(),
        }
    }

    /// Puts source aside that was not accepted yet; it comes back with the next valid red. Nothing is
    /// touched where git tcr only observes.
    pub(crate) fn park(&mut self, snapshot: &Snapshot, why: &str, plan: &mut Plan) -> Result<Done> {
        let changes = self.changes_since_accepted(snapshot)?;
        let source: Vec<&Change> = changes
            .iter()
            .filter(|change| {
                self.mode() != Mode::Observe
                    && !change.is_submodule()
                    && self.class(change.path.as_bstr()).waits_for_tests()
            })
            .collect();
        if source.is_empty() {
            return Ok(Done {
                parked: Vec::new(),
                recover: None,
            });
        }
        let back: Vec<Change> = source.iter().map(|change| change.inverse()).collect();
        let target = trees::with_changes(self.repo, snapshot.tree, back.iter())?;
        let (number, commit) = self.save(snapshot, "source put aside to mend a test")?;
        plan.saved.push((number, commit));
        plan.worktree = Some(FromTo::new(snapshot.tree, target));
        plan.index = Some(FromTo::new(snapshot.tree, target));
        self.state.pending = Some(Parked {
            recover: number,
            why: why.to_owned(),
        });
        Ok(Done {
            parked: names(source.iter().map(|change| &change.path)),
            recover: Some(number),
        })
    }
}

/// What a run of the whole suite said.
fn result_of(results: &TestResults) -> Option<TreeResult> {
    let verdict = results.verdict.filter(|_| !results.aside)?;
    Some(TreeResult {
        verdict,
        confirmed: results.confirmed,
    })
}

fn refused(refusal: crate::rules::Refusal, asked: Phase) -> Error {
    let (what, hint) = message::phase::refusal(refusal, asked);
    Error::Refused { what, hint }
}
