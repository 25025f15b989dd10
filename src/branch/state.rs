//! The state of a branch, as it stands in `state.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cycle::{
    Authors, BugStatus, Certificate, FrozenOracle, GreenOpinion, PlanFacts, SpecFacts, TestBug,
    authors_or_none,
};
use crate::rules::{CycleKind, Mode, Phase, Verdict};

pub(crate) use super::results::{LintResult, Names, TestResults};

/// The version this program reads and writes.
pub(crate) const VERSION: u64 = 1;

/// Everything git tcr knows of a branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) version: u64,
    pub(crate) enabled: bool,
    /// The mode a person set on this branch; otherwise the config's.
    pub(crate) mode: Option<Mode>,
    pub(crate) phase: Phase,
    pub(crate) cycle: u64,
    /// The base branch, short.
    pub(crate) base: String,
    /// The WIP branch while it exists, as a full name.
    pub(crate) wip: Option<String>,
    /// The newest commit that git tcr made or accepted on the WIP branch.
    #[serde(default)]
    pub(crate) wip_tip: Option<String>,
    /// The base commit that the work started from.
    pub(crate) fork: String,
    /// The tree that results are compared with.
    pub(crate) accepted_tree: String,
    /// The spec of the running cycle, or of the one that has just ended.
    pub(crate) spec: Option<SpecFacts>,
    pub(crate) plan: Option<PlanFacts>,
    #[serde(default)]
    pub(crate) known_failures: BTreeSet<String>,
    /// The last run.
    pub(crate) test_results: Option<TestResults>,
    /// The result of `accepted_tree`, where that is not the last run.
    #[serde(default)]
    pub(crate) accepted_results: Option<TestResults>,
    #[serde(default)]
    pub(crate) stats: Stats,
    #[serde(default, deserialize_with = "authors_or_none")]
    pub(crate) authors: Authors,
    /// Spec and tests, once they are certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) oracle: Option<FrozenOracle>,
    /// What validators said that froze nothing, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) concerns: Vec<Certificate>,
    /// Tests that were reported as wrong in this cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) test_bugs: Vec<TestBug>,
    /// What the validator said about the newest green.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) green_opinion: Option<GreenOpinion>,
    /// The tree that authors were last looked for in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seen_tree: Option<String>,
    /// The number of the newest entry under `refs/tcr/evidence/`.
    #[serde(default)]
    pub(crate) last_evidence: u64,
    /// The number of the newest oracle that was put away.
    #[serde(default)]
    pub(crate) last_oracle: u64,
    pub(crate) started_at: String,
    pub(crate) phase_entered_at: String,
    /// A longer step, while one is open.
    pub(crate) step: Option<Step>,
    /// A tree that was restored on purpose and is not reverted while it stays as it is.
    pub(crate) hold: Option<Hold>,
    /// Source that was put aside to mend a test; it comes back with the next valid red.
    pub(crate) pending: Option<Parked>,
    /// A time-out from the rules, while one is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spike: Option<Spike>,
    /// Paths that a person allowed to change once.
    #[serde(default)]
    pub(crate) waivers: Vec<Waiver>,
    /// Paths (percent-encoded) whose change may be an agent's or a person's.
    #[serde(default)]
    pub(crate) unclear: BTreeSet<String>,
    /// Files that test runs left behind, by path (percent-encoded) and content.
    #[serde(default)]
    pub(crate) leftovers: BTreeMap<String, String>,
    /// Paths (percent-encoded) of which the lab has shown that the tests write them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) written_by_tests: BTreeSet<String>,
    /// Private files that were named, by path (percent-encoded).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) private: BTreeSet<String>,
    /// The newly failing tests of this cycle's red, until they pass.
    #[serde(default, alias = "targets")]
    pub(crate) awaited: BTreeSet<String>,
    /// The tests that each cycle since the fork waited for: what the way out asks about.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) asked: BTreeMap<u64, BTreeSet<String>>,
    /// Work that stays in the worktree uncommitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<KeptWork>,
    /// What the trial of the lab has shown; nothing where it was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lab: Option<LabState>,
    /// The WIP commit of the last green.
    #[serde(default)]
    pub(crate) last_green: Option<String>,
    /// The number of the newest entry under `refs/tcr/reverts/`.
    #[serde(default)]
    pub(crate) last_revert: u64,
    /// The present run of equal failures.
    #[serde(default)]
    pub(crate) failure_streak: FailureStreak,
    /// The number of the newest entry under `refs/tcr/archive/`.
    #[serde(default)]
    pub(crate) last_archive: u64,
    /// The last squash, while it can be undone.
    #[serde(default)]
    pub(crate) squashed: Option<Squashed>,
    /// What the lint command last said, and of which tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lint: Option<LintResult>,
    /// The worktree as the loop last left work of an agent in it, uncommitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kept_tree: Option<String>,
    /// What a later version may have added.
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// What is needed to undo a squash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Squashed {
    /// The entry under `refs/tcr/archive/` that holds the WIP branch.
    pub(crate) archive: u64,
    /// The tip of the WIP branch.
    pub(crate) tip: String,
    /// The WIP branch, as a full name.
    pub(crate) wip: String,
    /// The base commit that the work started from.
    #[serde(default)]
    pub(crate) fork: String,
    /// The newest entry under `refs/tcr/evidence/` by then.
    #[serde(default)]
    pub(crate) evidence: u64,
    /// Where the base branch was before.
    pub(crate) before: String,
    /// Where it was after.
    pub(crate) after: String,
    /// The link of the state chain from before.
    pub(crate) state: String,
}

/// Counters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stats {
    pub(crate) commits: u64,
    pub(crate) reverts: u64,
    pub(crate) revert_streak: u64,
    pub(crate) last_revert_reason: Option<String>,
    pub(crate) denials: u64,
    pub(crate) last_activity: Option<String>,
    pub(crate) session_start: Option<String>,
}

/// A longer step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) since: String,
    #[serde(default)]
    pub(crate) why: Option<String>,
}

/// Work that stays in the worktree uncommitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptWork {
    /// The worktree's tree when it was judged.
    pub(crate) tree: String,
    /// A word of the rules.
    pub(crate) why: String,
    /// The phase it was judged in.
    #[serde(default)]
    pub(crate) phase: Option<Phase>,
    /// How often it wore on patience.
    #[serde(default)]
    pub(crate) spent: u64,
    #[serde(default)]
    pub(crate) paths: Vec<String>,
}

/// What the trial of the lab has shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LabState {
    /// Its form.
    #[serde(default)]
    pub(crate) form: Option<String>,
    /// Why there is none.
    #[serde(default)]
    pub(crate) no_lab: Option<String>,
    /// Tests that are never believed in it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) doubted: BTreeSet<String>,
}

impl LabState {
    /// There is no lab, for this reason.
    pub(crate) fn none(why: String) -> LabState {
        LabState {
            no_lab: Some(why),
            ..LabState::default()
        }
    }
}

/// A restored tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hold {
    /// The worktree's tree right after the restore.
    pub(crate) tree: String,
    /// Which entry was restored.
    pub(crate) recover: u64,
}

/// Source put aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parked {
    /// The entry under `refs/tcr/reverts/` that holds it.
    pub(crate) recover: u64,
    pub(crate) why: String,
}

/// A time-out from the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spike {
    pub(crate) since: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// HEAD when it began.
    pub(crate) head: String,
    /// The worktree when it began.
    pub(crate) tree: String,
    /// The entry that holds what was uncommitted then.
    #[serde(default)]
    pub(crate) recover: Option<u64>,
}

/// A person's permission for one change of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Waiver {
    pub(crate) path: String,
    pub(crate) since: String,
}

/// How often the same failure was seen in a row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FailureStreak {
    pub(crate) fingerprint: Option<String>,
    pub(crate) count: u64,
}

impl State {
    /// The state of a branch on which TCR has just become active.
    pub(crate) fn new(base: String, fork: String, accepted_tree: String, now: String) -> State {
        State {
            version: VERSION,
            enabled: true,
            mode: None,
            phase: Phase::Red,
            cycle: 1,
            base,
            wip: None,
            wip_tip: None,
            fork,
            accepted_tree,
            spec: None,
            plan: None,
            known_failures: BTreeSet::new(),
            test_results: None,
            accepted_results: None,
            stats: Stats {
                session_start: Some(now.clone()),
                ..Stats::default()
            },
            authors: Authors::default(),
            oracle: None,
            concerns: Vec::new(),
            test_bugs: Vec::new(),
            green_opinion: None,
            seen_tree: None,
            last_evidence: 0,
            last_oracle: 0,
            started_at: now.clone(),
            phase_entered_at: now,
            step: None,
            hold: None,
            pending: None,
            spike: None,
            waivers: Vec::new(),
            unclear: BTreeSet::new(),
            leftovers: BTreeMap::new(),
            written_by_tests: BTreeSet::new(),
            private: BTreeSet::new(),
            awaited: BTreeSet::new(),
            asked: BTreeMap::new(),
            kept: None,
            lab: None,
            last_green: None,
            last_revert: 0,
            failure_streak: FailureStreak::default(),
            last_archive: 0,
            squashed: None,
            lint: None,
            kept_tree: None,
            unknown: Map::new(),
        }
    }

    /// The path of the running cycle's spec.
    pub(crate) fn spec_path(&self) -> Option<&str> {
        Some(self.spec.as_ref()?.path.as_str())
    }

    /// Whether a spec cycle is going on.
    pub(crate) fn spec_cycle_runs(&self) -> bool {
        self.spec.is_some() && self.phase != Phase::Done
    }

    /// The certified spec and tests, while they are in force.
    pub(crate) fn oracle_in_force(&self) -> Option<&FrozenOracle> {
        self.oracle.as_ref().filter(|_| match self.phase {
            Phase::Green | Phase::Refactor => true,
            Phase::Plan | Phase::Red | Phase::Done => false,
        })
    }

    /// The report on which a person has to decide.
    pub(crate) fn open_test_bug(&self) -> Option<&TestBug> {
        self.test_bugs
            .iter()
            .find(|bug| bug.status == BugStatus::Open)
    }

    /// Whether the running cycle has a spec.
    pub(crate) fn cycle_kind(&self) -> CycleKind {
        if self.spec.is_some() {
            CycleKind::Spec
        } else {
            CycleKind::Free
        }
    }

    /// The results that regressions are measured against.
    pub(crate) fn accepted_results(&self) -> Option<&TestResults> {
        self.accepted_results.as_ref().or_else(|| {
            let last = self.test_results.as_ref()?;
            self.is_of_accepted(last).then_some(last)
        })
    }

    /// Whether the tests have never said anything about what is accepted.
    pub(crate) fn never_ran(&self) -> bool {
        self.accepted_results()
            .is_some_and(|results| results.verdict == Some(Verdict::Broken))
    }

    fn is_of_accepted(&self, results: &TestResults) -> bool {
        results.tree == self.accepted_tree && !results.aside
    }

    /// Takes in the result of a run that was not accepted.
    pub(crate) fn note_results(&mut self, results: TestResults) {
        if self.accepted_results.is_none()
            && let Some(last) = self.test_results.take()
            && self.is_of_accepted(&last)
        {
            self.accepted_results = Some(last);
        }
        self.test_results = Some(results);
    }

    /// Takes in the result of a run whose tree is now what others are compared with.
    pub(crate) fn accept_results(&mut self, results: TestResults) {
        self.accepted_tree.clone_from(&results.tree);
        self.accepted_results = None;
        self.test_results = Some(results);
    }

    /// Moves to a phase.
    pub(crate) fn enter(&mut self, phase: Phase, now: &str) {
        if self.phase != phase {
            self.phase = phase;
            self.phase_entered_at = now.to_owned();
        }
    }
}
