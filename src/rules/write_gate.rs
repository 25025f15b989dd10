//! Who may write what when: phase × class × mode × kind of cycle.

use super::path_class::PathClass;
use super::phase::{CycleKind, Mode, Phase};

/// What a decision about one path is made on. The last two fields are about that path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateState {
    /// The mode of the branch.
    pub mode: Mode,
    /// The phase of the branch; `Red` when no cycle has begun.
    pub phase: Phase,
    /// Whether the running cycle has a spec.
    pub cycle: CycleKind,
    /// What is known of the frozen oracle.
    pub oracle: Oracle,
    /// Whether TCR is switched on and the branch is one of `branches`.
    pub in_force: bool,
    /// A test was reported as wrong and no person has decided yet.
    pub test_bug_open: bool,
    /// A person waived the rules for the next change to this path.
    pub waived: bool,
    /// In `green`: the failing test is in this path's project, or in one that this project needs.
    /// True where there is only one project.
    pub project_unlocked: bool,
}

/// The certified spec and tests of a spec cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// Nothing is frozen.
    None,
    /// Frozen, and the worktree agrees with it.
    Frozen,
    /// Frozen, and the worktree differs from it.
    Drifted,
}

impl Oracle {
    /// Whether spec and tests are frozen.
    pub fn is_frozen(self) -> bool {
        match self {
            Oracle::None => false,
            Oracle::Frozen | Oracle::Drifted => true,
        }
    }
}

/// What is known of a change to one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// What comes out can't be known beforehand.
    Unknown,
    /// A file is made, changed or deleted, and it is more than the other variants say.
    Content,
    /// The file only grows by what lets tests load.
    Stub,
    /// A snapshot-testing runner added a file that was not there.
    NewSnapshot,
    /// Its content is known: what happens to each part.
    Parts {
        /// The test part.
        tests: TestPart,
        /// The source part.
        source: SourcePart,
    },
}

/// What happens to tests: a file of them, or the test part of a file that holds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestPart {
    /// They stay as they are.
    Same,
    /// Only layout and comments change.
    Layout,
    /// They only grow: every test that was there is as it was.
    Added,
    /// They change.
    Changed,
}

/// What happens to the source part of a file that holds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePart {
    /// It stays as it is.
    Same,
    /// It only grows by stubs.
    Stub,
    /// It changes.
    Changed,
}

/// The answer to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateDecision {
    /// It may be written.
    Allow {
        /// In mode `observe`: what would have been denied.
        would_deny: Option<DenyReason>,
    },
    /// It may not be written.
    Deny(DenyReason),
}

impl GateDecision {
    /// Allowed without any remark.
    pub const ALLOW: GateDecision = GateDecision::Allow { would_deny: None };

    /// What was denied, or would have been.
    pub fn objection(self) -> Option<DenyReason> {
        match self {
            GateDecision::Allow { would_deny } => would_deny,
            GateDecision::Deny(reason) => Some(reason),
        }
    }
}

/// Why a write is denied, with what a message needs beside the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DenyReason {
    /// Agents never write this.
    Protected,
    /// The spec is settled; it is written in `plan` and after `done`.
    SpecSettled {
        /// Whether it is frozen, so that only `supersede` changes it.
        frozen: bool,
    },
    /// Tests and source wait until the plan is accepted.
    PlanFirst,
    /// No failing test asks for this source.
    NoFailingTest {
        /// Nothing was known of the content, so it could not be taken for a stub.
        content_unknown: bool,
    },
    /// The failing test is another project's.
    FailingTestElsewhere,
    /// Tests are frozen while the code is made to pass them.
    TestsFrozen {
        /// What froze them.
        by: FrozenBy,
    },
    /// Spec or frozen tests differ from what was certified: they come back first.
    OracleDrifted,
    /// A person has to decide first whether a test is wrong.
    TestBugOpen,
}

impl DenyReason {
    /// Whether the path is closed as such: what came into it all the same goes back, whatever it is.
    pub fn is_frozen(self) -> bool {
        match self {
            DenyReason::PlanFirst
            | DenyReason::FailingTestElsewhere
            | DenyReason::NoFailingTest { .. } => false,
            DenyReason::Protected
            | DenyReason::SpecSettled { .. }
            | DenyReason::TestsFrozen { .. }
            | DenyReason::OracleDrifted
            | DenyReason::TestBugOpen => true,
        }
    }
}

/// What froze the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrozenBy {
    /// The red that the work is to turn green.
    FailingTest,
    /// The certified oracle of a spec.
    Oracle,
}

/// Decides one write. Where several paths are written, one denial denies all.
pub fn decide_write(state: &GateState, class: PathClass, change: Change) -> GateDecision {
    match (state.mode, objection(state, class, change)) {
        (_, None) => GateDecision::ALLOW,
        (Mode::Observe, would_deny @ Some(_)) => GateDecision::Allow { would_deny },
        (Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Off, Some(reason)) => {
            GateDecision::Deny(reason)
        }
    }
}

/// Whether changed tests that are not committed yet lift a denial: they ask for the source.
pub fn is_lifted_by_pending_tests(state: &GateState, reason: DenyReason) -> bool {
    match (state.cycle, reason) {
        (CycleKind::Free, DenyReason::NoFailingTest { .. }) => true,
        (CycleKind::Free | CycleKind::Spec, _) => false,
    }
}

/// What the rules have against a change, whatever the mode then makes of it.
fn objection(state: &GateState, class: PathClass, change: Change) -> Option<DenyReason> {
    if class == PathClass::Protected {
        return Some(DenyReason::Protected);
    }
    if !state.in_force {
        return None;
    }
    let found = match state.mode {
        Mode::Off => None,
        Mode::Tcr => by_oracle(state, class, change),
        Mode::Both | Mode::Tdd | Mode::Relaxed | Mode::Observe => by_phase(state, class, change),
    };
    found.filter(|reason| !(state.waived && can_be_waived(*reason)))
}

/// A waiver is for the discipline. What a person sealed or certified has its own way to change.
fn can_be_waived(reason: DenyReason) -> bool {
    match reason {
        DenyReason::PlanFirst
        | DenyReason::NoFailingTest { .. }
        | DenyReason::FailingTestElsewhere
        | DenyReason::SpecSettled { frozen: false }
        | DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => true,
        DenyReason::Protected
        | DenyReason::SpecSettled { frozen: true }
        | DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        }
        | DenyReason::OracleDrifted
        | DenyReason::TestBugOpen => false,
    }
}

/// The table of the modes that ask for a failing test.
fn by_phase(state: &GateState, class: PathClass, change: Change) -> Option<DenyReason> {
    match class {
        PathClass::Protected => Some(DenyReason::Protected),
        PathClass::Docs | PathClass::Other => None,
        PathClass::Spec => spec_objection(state),
        PathClass::Test | PathClass::Harness => test_objection(state, test_part_of(change), change),
        PathClass::Source => source_objection(state, source_part_of(change), change),
        PathClass::Mixed => mixed_objection(state, change),
    }
}

fn spec_objection(state: &GateState) -> Option<DenyReason> {
    match state.phase {
        Phase::Plan | Phase::Done => None,
        Phase::Red | Phase::Green | Phase::Refactor => Some(DenyReason::SpecSettled {
            frozen: state.oracle.is_frozen(),
        }),
    }
}

fn test_objection(state: &GateState, part: TestPart, change: Change) -> Option<DenyReason> {
    if part == TestPart::Same {
        return None;
    }
    match state.phase {
        Phase::Plan => (part != TestPart::Layout).then_some(DenyReason::PlanFirst),
        Phase::Red | Phase::Done => None,
        Phase::Green if change == Change::NewSnapshot => None,
        Phase::Green => frozen_in_green(state, part),
        Phase::Refactor => frozen_by_oracle(state),
    }
}

/// What was certified is frozen to the byte; otherwise tests may be added, and those that are there
/// stay what they say.
fn frozen_in_green(state: &GateState, part: TestPart) -> Option<DenyReason> {
    let by = FrozenBy::FailingTest;
    frozen_by_oracle(state).or(match (state.cycle, part) {
        (_, TestPart::Same | TestPart::Layout) | (CycleKind::Free, TestPart::Added) => None,
        (CycleKind::Spec, TestPart::Added) | (_, TestPart::Changed) => {
            Some(DenyReason::TestsFrozen { by })
        }
    })
}

fn frozen_by_oracle(state: &GateState) -> Option<DenyReason> {
    state.oracle.is_frozen().then_some(DenyReason::TestsFrozen {
        by: FrozenBy::Oracle,
    })
}

fn source_objection(state: &GateState, part: SourcePart, change: Change) -> Option<DenyReason> {
    if part == SourcePart::Same {
        return None;
    }
    match state.phase {
        Phase::Plan => Some(DenyReason::PlanFirst),
        Phase::Red => (part != SourcePart::Stub).then_some(DenyReason::NoFailingTest {
            content_unknown: change == Change::Unknown,
        }),
        Phase::Green if !state.project_unlocked => Some(DenyReason::FailingTestElsewhere),
        // In `refactor` too: code reshaped against tests that are not the certified ones proves
        // nothing.
        Phase::Green | Phase::Refactor => oracle_in_doubt(state),
        Phase::Done => None,
    }
}

fn oracle_in_doubt(state: &GateState) -> Option<DenyReason> {
    if state.test_bug_open {
        return Some(DenyReason::TestBugOpen);
    }
    match state.oracle {
        Oracle::None | Oracle::Frozen => None,
        Oracle::Drifted => Some(DenyReason::OracleDrifted),
    }
}

fn mixed_objection(state: &GateState, change: Change) -> Option<DenyReason> {
    let tests = test_objection(state, test_part_in_mixed(change), change);
    let source = source_objection(state, source_part_of(change), change);
    match change {
        // One part may be written and which part is hit can't be known: the loop judges the outcome.
        Change::Unknown => tests.and(source),
        Change::Content | Change::Stub | Change::NewSnapshot | Change::Parts { .. } => {
            tests.or(source)
        }
    }
}

fn test_part_of(change: Change) -> TestPart {
    match change {
        Change::Parts { tests, .. } => tests,
        Change::Unknown | Change::Content | Change::Stub | Change::NewSnapshot => TestPart::Changed,
    }
}

/// Stubs are source: they leave the tests of a file that holds both as they are.
fn test_part_in_mixed(change: Change) -> TestPart {
    match change {
        Change::Stub => TestPart::Same,
        Change::Parts { tests, .. } => tests,
        Change::Unknown | Change::Content | Change::NewSnapshot => TestPart::Changed,
    }
}

fn source_part_of(change: Change) -> SourcePart {
    match change {
        Change::Parts { source, .. } => source,
        Change::Stub => SourcePart::Stub,
        Change::Unknown | Change::Content | Change::NewSnapshot => SourcePart::Changed,
    }
}

/// Mode `tcr` asks for no failing test; what was certified stays certified.
fn by_oracle(state: &GateState, class: PathClass, change: Change) -> Option<DenyReason> {
    match state.phase {
        // Certified tests that were passed and handed over are ordinary files again.
        Phase::Done => return None,
        Phase::Plan | Phase::Red | Phase::Green | Phase::Refactor => {}
    }
    match class {
        PathClass::Protected => Some(DenyReason::Protected),
        PathClass::Docs | PathClass::Other => None,
        PathClass::Spec => state
            .oracle
            .is_frozen()
            .then_some(DenyReason::SpecSettled { frozen: true }),
        PathClass::Test | PathClass::Harness => certified(state, test_part_of(change), change),
        PathClass::Source => oracle_in_doubt(state),
        PathClass::Mixed => match change {
            Change::Unknown => oracle_in_doubt(state),
            Change::Content | Change::Stub | Change::NewSnapshot | Change::Parts { .. } => {
                certified(state, test_part_in_mixed(change), change)
                    .or_else(|| oracle_in_doubt(state))
            }
        },
    }
}

fn certified(state: &GateState, part: TestPart, change: Change) -> Option<DenyReason> {
    let kept = part == TestPart::Same || change == Change::NewSnapshot;
    if kept { None } else { frozen_by_oracle(state) }
}

#[cfg(test)]
#[path = "write_gate_tests.rs"]
mod tests;
