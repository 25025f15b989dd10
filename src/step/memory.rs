//! What was found out in this call, by tree and set of tests, so that nothing is asked twice.

use gix::ObjectId;

use crate::branch::state::TestResults;
use crate::test_run::Selection;

/// Results of this call.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    known: Vec<(ObjectId, Option<Selection>, TestResults)>,
}

impl Memory {
    /// What is known of these tests on a tree. A run of the suite tells of each of them.
    pub(crate) fn find(&self, tree: ObjectId, only: Option<&Selection>) -> Option<&TestResults> {
        let of_tree = || self.known.iter().rev().filter(|(of, ..)| *of == tree);
        let same = of_tree().find(|(_, asked, _)| asked.as_ref() == only);
        let suite = of_tree().find(|(_, asked, _)| asked.is_none());
        same.or(suite).map(|(.., results)| results)
    }

    /// How long the quickest run of some tests took.
    pub(crate) fn quickest_aimed_ms(&self) -> Option<u64> {
        let aimed = self.known.iter().filter(|(_, asked, _)| asked.is_some());
        aimed.map(|(.., results)| results.duration_ms).min()
    }

    pub(crate) fn keep(&mut self, tree: ObjectId, only: Option<&Selection>, results: &TestResults) {
        let asked = only.filter(|_| results.aimed).cloned();
        self.known.push((tree, asked, results.clone()));
    }

    /// Forgets a tree whose results are in doubt.
    pub(crate) fn forget(&mut self, tree: ObjectId) {
        self.known.retain(|(of, ..)| *of != tree);
    }
}
