//! Phases that are declared by command: when that is allowed, and what it does.

use super::phase::{CycleKind, Mode, Phase};
use super::verdict::Verdict;

/// What a declaration is judged on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The mode of the branch.
    pub mode: Mode,
    /// The phase of the branch.
    pub phase: Phase,
    /// Whether the running cycle has a spec.
    pub cycle: CycleKind,
    /// Whether spec and tests are certified and frozen.
    pub oracle_frozen: bool,
    /// The result of this very tree, if there is one.
    pub result: Option<TreeResult>,
    /// The result of the accepted tree, which the work at hand leads away from.
    pub accepted: Option<TreeResult>,
    /// There is work other than docs that was not accepted yet.
    pub dirty: bool,
    /// Tests are among that work.
    pub tests_wait: bool,
    /// A test was reported as wrong and no person has decided yet.
    pub test_bug_open: bool,
    /// A longer step was declared and is open.
    pub step_open: bool,
    /// An agent declares it.
    pub by_agent: bool,
}

/// The result of the tree that is in the worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeResult {
    /// What the run said.
    pub verdict: Verdict,
    /// Whether the verdict rests on more than the exit status.
    pub confirmed: bool,
}

/// What is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declaration {
    /// `start --spec FILE`: a spec cycle begins with its plan.
    Start,
    /// `plan FILE`: the plan is there.
    Plan,
    /// `freeze`: a validator spoke about the tests.
    Freeze(FreezeFacts),
    /// `phase P`
    Phase {
        /// The phase asked for.
        to: Phase,
        /// Whether a reason was given with `--why`.
        with_reason: bool,
        /// `--abandon`, with `done`.
        abandon: bool,
        /// What `done` asks for beside the tests.
        done: DoneFacts,
    },
    /// `phase green TEST…`: known failures are to pass next.
    Await,
    /// `step`: the following edits are judged as one.
    Step,
}

/// What `freeze` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreezeFacts {
    /// What the validator said.
    pub verdict: ValidatorVerdict,
    /// Every new test fails for a reason that counts.
    pub every_test_qualifies: bool,
    /// Every scenario of the spec is named by a test.
    pub every_scenario_named: bool,
    /// Who the validator is to the authors of plan and tests.
    pub validator: Validator,
}

/// What a validator says about the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidatorVerdict {
    /// They say what the spec says.
    Pass,
    /// They should be looked at again.
    Concerns,
    /// They must not be frozen.
    Blocker,
}

/// Who certifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validator {
    /// None of those who wrote the plan or the tests.
    Independent,
    /// One of those who wrote the plan or the tests.
    Author,
    /// An agent that can't be told from others, or one that names another than itself.
    Unknown,
}

/// What `done` asks for beside the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoneFacts {
    /// The lint command found nothing, or there is none.
    pub lint_clean: bool,
    /// All that the plan promised is there.
    pub artifacts_there: bool,
}

/// What an allowed declaration does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    /// The phase changes within the cycle.
    Enter(Phase),
    /// The source written so far is parked and comes back with the next valid red.
    BackToRed,
    /// A spec cycle begins, in `plan`.
    StartSpecCycle,
    /// A free cycle begins, in `red`.
    StartFreeCycle,
    /// Spec and tests are frozen; phase `green`.
    FreezeOracle,
    /// What the validator said is recorded; the work goes on in `red`.
    RecordConcerns,
    /// The spec cycle is over.
    Done {
        /// It was given up.
        abandoned: bool,
    },
    /// The step is open.
    OpenStep,
}

/// Why a declaration is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// TCR is switched off here.
    Off,
    /// The work is in that phase already, or the step is open already.
    AlreadyThere,
    /// There is no spec cycle to do this in.
    NoSpecCycle,
    /// A spec cycle is running: end or abandon it first.
    SpecCycleRuns,
    /// This is done in another phase.
    WrongPhase {
        /// The phase it is done in.
        needs: Phase,
    },
    /// Results lead there, not a command: a valid red in a free cycle, `freeze` in a spec cycle.
    ByResultOnly,
    /// `start` leads there.
    ByStartOnly,
    /// The last result of this tree is not green.
    NotGreen,
    /// The tests of this tree do not fail validly.
    NotValidlyRed,
    /// The result rests on the exit status alone.
    Unconfirmed,
    /// Uncommitted work would be judged by other rules than it was written under.
    Dirty,
    /// A reason is needed: `--why`.
    ReasonMissing,
    /// Certified tests are left only by a person's decision on a test bug.
    OracleFrozen,
    /// A person has to decide on a test bug first.
    TestBugOpen,
    /// Some new tests fail for a reason that does not count.
    TestsDoNotQualify,
    /// A scenario is named by no test.
    ScenarioUnnamed,
    /// Whoever wrote the plan or the tests can't certify them.
    ValidatorIsAuthor,
    /// It can't be told who certifies.
    ValidatorUnknown,
    /// The lint command has findings.
    LintFindings,
    /// Something the plan promised is missing.
    ArtifactsMissing,
    /// The way out says no: the proof of the cycle does not hold.
    NotProven,
    /// Only a person may do this.
    PersonOnly,
    /// Nothing is certified yet.
    NotFrozen,
    /// Spec or frozen tests are not as they were certified.
    OracleDrifted,
}

/// Judges a declared transition.
pub fn declare(s: &Standing, what: Declaration) -> Result<Declared, Refusal> {
    if s.mode == Mode::Off {
        return Err(Refusal::Off);
    }
    match what {
        Declaration::Start => start(s),
        Declaration::Plan => plan(s),
        Declaration::Freeze(facts) => freeze(s, facts),
        Declaration::Await => wait_for(s),
        Declaration::Step => step(s),
        Declaration::Phase {
            to,
            with_reason,
            abandon,
            done: facts,
        } => match to {
            Phase::Plan => Err(Refusal::ByStartOnly),
            Phase::Green => Err(Refusal::ByResultOnly),
            Phase::Red => red(s, with_reason),
            Phase::Refactor => refactor(s),
            Phase::Done => done(s, abandon, facts),
        },
    }
}

fn spec_cycle_runs(s: &Standing) -> bool {
    s.cycle == CycleKind::Spec && s.phase != Phase::Done
}

fn refuse_if(holds: bool, refusal: Refusal) -> Result<(), Refusal> {
    if holds { Err(refusal) } else { Ok(()) }
}

fn start(s: &Standing) -> Result<Declared, Refusal> {
    refuse_if(spec_cycle_runs(s), Refusal::SpecCycleRuns)?;
    match s.phase {
        // A failing test is being answered: its source would wait under `plan` for no reason.
        Phase::Green => Err(Refusal::WrongPhase { needs: Phase::Red }),
        Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => {
            refuse_if(s.dirty, Refusal::Dirty)?;
            Ok(Declared::StartSpecCycle)
        }
    }
}

fn plan(s: &Standing) -> Result<Declared, Refusal> {
    refuse_if(!spec_cycle_runs(s), Refusal::NoSpecCycle)?;
    match s.phase {
        Phase::Plan => Ok(Declared::Enter(Phase::Red)),
        Phase::Red | Phase::Green | Phase::Refactor | Phase::Done => {
            Err(Refusal::WrongPhase { needs: Phase::Plan })
        }
    }
}

fn freeze(s: &Standing, facts: FreezeFacts) -> Result<Declared, Refusal> {
    refuse_if(!spec_cycle_runs(s), Refusal::NoSpecCycle)?;
    match s.phase {
        Phase::Red => {}
        Phase::Plan | Phase::Green | Phase::Refactor | Phase::Done => {
            return Err(Refusal::WrongPhase { needs: Phase::Red });
        }
    }
    match facts.validator {
        Validator::Independent => {}
        Validator::Author => return Err(Refusal::ValidatorIsAuthor),
        Validator::Unknown => return Err(Refusal::ValidatorUnknown),
    }
    match facts.verdict {
        ValidatorVerdict::Concerns | ValidatorVerdict::Blocker => Ok(Declared::RecordConcerns),
        ValidatorVerdict::Pass => {
            certifiable(s, facts)?;
            Ok(Declared::FreezeOracle)
        }
    }
}

fn certifiable(s: &Standing, facts: FreezeFacts) -> Result<(), Refusal> {
    match s.result {
        Some(result) if result.verdict == Verdict::Red => {
            refuse_if(!result.confirmed, Refusal::Unconfirmed)?;
        }
        Some(_) | None => return Err(Refusal::NotValidlyRed),
    }
    refuse_if(!facts.every_test_qualifies, Refusal::TestsDoNotQualify)?;
    refuse_if(!facts.every_scenario_named, Refusal::ScenarioUnnamed)
}

fn red(s: &Standing, with_reason: bool) -> Result<Declared, Refusal> {
    match (s.phase, s.cycle) {
        (Phase::Red, _) => Err(Refusal::AlreadyThere),
        (Phase::Plan, _) => Err(Refusal::WrongPhase { needs: Phase::Plan }),
        (Phase::Done, _) => {
            refuse_if(s.dirty, Refusal::Dirty)?;
            Ok(Declared::StartFreeCycle)
        }
        (Phase::Green | Phase::Refactor, CycleKind::Spec) => Err(Refusal::OracleFrozen),
        (Phase::Green | Phase::Refactor, CycleKind::Free) if s.oracle_frozen => {
            Err(Refusal::OracleFrozen)
        }
        // Uncommitted source is parked with the rest.
        (Phase::Green, CycleKind::Free) => {
            refuse_if(!with_reason, Refusal::ReasonMissing)?;
            Ok(Declared::BackToRed)
        }
        // Beside tests that change, source is kept in `red`; alone it would be taken back.
        (Phase::Refactor, CycleKind::Free) => {
            refuse_if(s.dirty && !s.tests_wait, Refusal::Dirty)?;
            Ok(Declared::Enter(Phase::Red))
        }
    }
}

fn refactor(s: &Standing) -> Result<Declared, Refusal> {
    match (s.phase, s.cycle) {
        (Phase::Refactor, _) => Err(Refusal::AlreadyThere),
        (Phase::Plan | Phase::Done, _) => Err(Refusal::WrongPhase { needs: Phase::Red }),
        // In a spec cycle the tests of `red` are not certified yet.
        (Phase::Red, CycleKind::Spec) => Err(Refusal::WrongPhase {
            needs: Phase::Green,
        }),
        // Work that waits is judged as a refactoring from here on: nothing is committed by saying so.
        (Phase::Red, CycleKind::Free) => {
            refuse_if(s.test_bug_open, Refusal::TestBugOpen)?;
            passes(s.accepted)?;
            Ok(Declared::Enter(Phase::Refactor))
        }
        (Phase::Green, _) => {
            refuse_if(s.test_bug_open, Refusal::TestBugOpen)?;
            refuse_if(s.dirty, Refusal::Dirty)?;
            passes(s.result)?;
            Ok(Declared::Enter(Phase::Refactor))
        }
    }
}

fn passes(result: Option<TreeResult>) -> Result<(), Refusal> {
    let green = result.is_some_and(|r| r.verdict == Verdict::Green);
    refuse_if(!green, Refusal::NotGreen)
}

fn done(s: &Standing, abandon: bool, facts: DoneFacts) -> Result<Declared, Refusal> {
    refuse_if(s.phase == Phase::Done, Refusal::AlreadyThere)?;
    refuse_if(!spec_cycle_runs(s), Refusal::NoSpecCycle)?;
    if abandon {
        refuse_if(s.by_agent, Refusal::PersonOnly)?;
        return Ok(Declared::Done { abandoned: true });
    }
    match s.phase {
        Phase::Green | Phase::Refactor => {}
        Phase::Plan | Phase::Red | Phase::Done => {
            return Err(Refusal::WrongPhase {
                needs: Phase::Green,
            });
        }
    }
    refuse_if(s.test_bug_open, Refusal::TestBugOpen)?;
    refuse_if(s.dirty, Refusal::Dirty)?;
    passes(s.result)?;
    refuse_if(!facts.lint_clean, Refusal::LintFindings)?;
    refuse_if(!facts.artifacts_there, Refusal::ArtifactsMissing)?;
    Ok(Declared::Done { abandoned: false })
}

/// Uncommitted tests would be frozen half way.
fn wait_for(s: &Standing) -> Result<Declared, Refusal> {
    refuse_if(spec_cycle_runs(s), Refusal::SpecCycleRuns)?;
    match s.phase {
        Phase::Red => {
            refuse_if(s.dirty, Refusal::Dirty)?;
            Ok(Declared::Enter(Phase::Green))
        }
        Phase::Plan | Phase::Green | Phase::Refactor | Phase::Done => {
            Err(Refusal::WrongPhase { needs: Phase::Red })
        }
    }
}

fn step(s: &Standing) -> Result<Declared, Refusal> {
    refuse_if(s.step_open, Refusal::AlreadyThere)?;
    Ok(Declared::OpenStep)
}

#[cfg(test)]
#[path = "declared_tests.rs"]
mod tests;
