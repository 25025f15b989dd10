//! What the state keeps of a spec cycle.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::rules::declared::ValidatorVerdict;
use crate::rules::spec::coverage::Covered;
use crate::rules::spec::plan::MustHaves;

/// The spec of a cycle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SpecFacts {
    pub(crate) id: String,
    /// From the root.
    pub(crate) path: String,
    /// Normalised SHA-256.
    #[serde(default)]
    pub(crate) hash: String,
    /// The document it belongs to, from the root.
    #[serde(default)]
    pub(crate) prd: Option<String>,
    /// The tree that the cycle began with.
    #[serde(default)]
    pub(crate) start_tree: String,
    /// The tests that were there when it began.
    #[serde(default)]
    pub(crate) tests_before: BTreeSet<String>,
    /// The spec whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) supersedes: Option<Predecessor>,
    /// It was given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) abandoned: bool,
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// A spec that another one took the place of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Predecessor {
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) hash: String,
}

/// The plan of a cycle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanFacts {
    /// From the root.
    pub(crate) path: String,
    /// Normalised as that of a spec.
    #[serde(default)]
    pub(crate) hash: String,
    #[serde(default)]
    pub(crate) must_haves: MustHaves,
    #[serde(default)]
    pub(crate) at: String,
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// Who wrote what in this cycle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Authors {
    #[serde(default)]
    pub(crate) plan: BTreeSet<String>,
    #[serde(default)]
    pub(crate) tests: BTreeSet<String>,
    /// Who certified the tests.
    #[serde(default)]
    pub(crate) validator: Option<String>,
    #[serde(default)]
    pub(crate) source: BTreeSet<String>,
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// What a validator said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Certificate {
    pub(crate) verdict: ValidatorVerdict,
    pub(crate) by: String,
    #[serde(default)]
    pub(crate) notes: String,
    pub(crate) at: String,
    /// It was the program of the config that said so.
    #[serde(default)]
    pub(crate) auto: bool,
}

/// Spec and tests as they were certified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FrozenOracle {
    /// The commit under `refs/tcr/oracle/`.
    pub(crate) commit: String,
    /// The WIP commit whose tests failed validly.
    pub(crate) red_commit: String,
    pub(crate) red_tree: String,
    /// The tests that failed there.
    pub(crate) failed: BTreeSet<String>,
    pub(crate) certificate: Certificate,
    #[serde(default)]
    pub(crate) coverage: Vec<Covered>,
    /// Files that the gate looks at, by path (percent-encoded).
    #[serde(default)]
    pub(crate) watched: BTreeMap<String, Watched>,
    /// Frozen files that a commit which is not git tcr's changed, by path (percent-encoded).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) differs_in_head: BTreeSet<String>,
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// A frozen file as it lay in the worktree. As long as the numbers are the same, so is the content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Watched {
    /// Its content in the oracle.
    pub(crate) id: String,
    /// Size, times of the last change of content and of anything, in nanoseconds, and inode.
    pub(crate) seen: Option<[i64; 4]>,
    /// Only the tests in it are frozen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) part: bool,
}

/// A test that was reported as wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestBug {
    pub(crate) number: u64,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) by: String,
    pub(crate) at: String,
    pub(crate) status: BugStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) decided_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) decided_at: Option<String>,
}

/// What became of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BugStatus {
    Open,
    /// The test is wrong: back to `red`.
    Accepted,
    /// The test is right: on in `green`.
    Rejected,
}

/// What the validator said about the source of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GreenOpinion {
    pub(crate) tree: String,
    pub(crate) certificate: Certificate,
}

/// Earlier versions wrote `null` where nobody was known yet.
pub(super) fn authors_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Authors, D::Error> {
    Ok(Option::<Authors>::deserialize(from)?.unwrap_or_default())
}
