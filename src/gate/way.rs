//! The one thing to do after a denial, from exactly this state.

use super::Gate;
use super::test_place::test_place;
use crate::branch;
use crate::branch::state::TestResults;
use crate::outcome::gate::{TestPlace, Way};
use crate::parts::content::{only_adds, steering_keys};
use crate::rules::write_gate::DenyReason;
use crate::rules::{CycleKind, Verdict};

/// A file before and after.
type Contents = (Option<Vec<u8>>, Option<Vec<u8>>);

impl Gate {
    /// The way on after a denial.
    pub(super) fn way(
        &self,
        path: &[u8],
        reason: DenyReason,
        contents: Option<&Contents>,
    ) -> Option<Way> {
        match reason {
            DenyReason::NoFailingTest { .. } => Some(self.way_to_source(path, contents)),
            DenyReason::FailingTestElsewhere => {
                let awaited = self.state.as_ref()?.awaited.first()?;
                Some(Way::MakePass(awaited.clone()))
            }
            DenyReason::TestsFrozen { .. } => {
                let (before, after) = contents?;
                let keys = steering_keys(path, before.as_deref(), after.as_deref());
                (!keys.is_empty()).then_some(Way::Steers(keys))
            }
            DenyReason::Protected
            | DenyReason::SpecSettled { .. }
            | DenyReason::PlanFirst
            | DenyReason::OracleDrifted
            | DenyReason::TestBugOpen => None,
        }
    }

    fn way_to_source(&self, path: &[u8], contents: Option<&Contents>) -> Way {
        if let Some((file, line)) = self.pending().broken.clone() {
            return Way::MendTest { file, line };
        }
        let changes_code = match contents {
            Some((before, after)) => {
                before.is_some() && !only_adds(before.as_deref(), after.as_deref())
            }
            None => self.accepted(path).is_some(),
        };
        match changes_code && self.may_refactor() {
            true => Way::Refactor,
            false => Way::WriteTest(self.test_place(path)),
        }
    }

    /// Whether `git tcr phase refactor` would be taken now: the tests pass, and nothing is kept.
    fn may_refactor(&self) -> bool {
        let Some(state) = &self.state else {
            return true;
        };
        let results = self.accepted_results();
        let passes = results.is_none_or(|results| results.verdict == Some(Verdict::Green));
        state.cycle_kind() == CycleKind::Free && state.kept.is_none() && passes
    }

    /// Where the test of a source file belongs.
    pub(super) fn test_place(&self, path: &[u8]) -> TestPlace {
        let path = String::from_utf8_lossy(path);
        let results = self.accepted_results();
        let known = results.iter().flat_map(test_files);
        test_place(&path, known)
    }

    /// What the tests said of the accepted tree: read for a denial only, as it grows with the suite.
    fn accepted_results(&self) -> Option<TestResults> {
        let state = branch::read(&self.repo, self.link?, "the state").ok()?;
        state.accepted_results().cloned()
    }
}

/// The files of tests that a run told of.
fn test_files(results: &TestResults) -> impl Iterator<Item = &str> {
    let told = results.files.values().map(String::as_str);
    let named = results.passed.iter().filter_map(|id| id.split_once("::"));
    told.chain(named.map(|(file, _)| file))
}
