//! What the commands of a spec cycle came to.

use serde::Serialize;

use crate::branch::cycle::{Certificate, Predecessor, TestBug};
use crate::branch::state::TestResults;
use crate::rules::spec::coverage::{Covered, Unfit};
use crate::rules::spec::delta::Delta;
use crate::rules::{Phase, Refusal};

/// What a decision did.
pub(crate) struct Decided {
    pub(crate) bug: TestBug,
    /// The source that was put aside, and the entry that holds it.
    pub(crate) parked: Option<(u64, Vec<String>)>,
    pub(crate) remark: Option<String>,
}

/// What a freeze came to.
#[derive(Debug, Default)]
pub(crate) struct FreezeOutcome {
    pub(crate) refusal: Option<Refusal>,
    pub(crate) certificate: Option<Certificate>,
    /// The commit of the oracle.
    pub(crate) oracle: Option<String>,
    pub(crate) coverage: Vec<Covered>,
    pub(crate) unfit: Vec<Unfit>,
    pub(crate) results: Option<TestResults>,
    pub(crate) remark: Option<String>,
}

/// What the cycle hands over, step by step.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Handoff {
    pub(crate) spec: String,
    pub(crate) plan: Option<String>,
    pub(crate) red: String,
    pub(crate) validator: Option<String>,
    pub(crate) freeze: String,
    pub(crate) green: String,
    /// The ref of the evidence.
    pub(crate) evidence: String,
    pub(crate) truths: Vec<String>,
    pub(crate) next: String,
}

/// What `phase done` came to.
pub(crate) enum Ended {
    /// All is there.
    Done(Box<Handoff>),
    /// It was given up; the oracle is in the archive.
    Abandoned,
    /// Something is missing; the facts say what.
    Refused {
        refusal: Refusal,
        facts: Vec<String>,
    },
}

/// Where the cycle stands.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CycleStatus {
    pub(crate) spec: String,
    pub(crate) path: String,
    pub(crate) hash: String,
    pub(crate) phase: Phase,
    /// Whose turn it is.
    pub(crate) role: &'static str,
    /// What leads on.
    pub(crate) next_gate: &'static str,
    pub(crate) needs: Vec<Need>,
    pub(crate) coverage: Vec<Covered>,
    pub(crate) unfit: Vec<Unfit>,
    pub(crate) oracle: Option<String>,
    pub(crate) certificate: Option<Certificate>,
    pub(crate) test_bug: Option<TestBug>,
}

/// One thing that a gate asks for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Need {
    pub(crate) what: String,
    pub(crate) met: bool,
}

/// What superseding did.
pub(crate) struct Superseded {
    pub(crate) predecessor: Predecessor,
    pub(crate) delta: Delta,
    /// Specs that the old one names: they may have to change too.
    pub(crate) related: Vec<String>,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    pub(crate) what: &'static str,
    pub(crate) holds: bool,
    /// What is wrong.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) why: String,
}
