//! The tests that a step adds or changes: which to aim at, and which of a report they are.

use std::collections::BTreeSet;

use super::moves::{Moves, names};
use super::parts::{PartKind, Parts};
use crate::branch::state::TestResults;
use crate::languages::Test;
use crate::rules::Cause;
use crate::test_run::{Selection, Wanted};

/// The tests that a step touches.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    tests: Vec<(String, Test)>,
    /// Tests that the step brings, which the accepted tree can't have.
    added: Vec<(String, Test)>,
    /// Files all of whose tests may be touched: their helpers or imports changed.
    files: BTreeSet<String>,
    /// What any test may use changed: data, helpers in files of their own.
    data: bool,
    /// Files of tests came whose language can't be read: tests that were not there are theirs.
    unread: bool,
    /// What steers all tests changed.
    harness: bool,
    /// Tests are taken out.
    removes: bool,
}

impl Touched {
    pub(crate) fn of(parts: &Parts) -> Touched {
        let mut touched = Touched::default();
        let moves = Moves::of(parts);
        for part in parts.parts.iter().filter(|part| !part.layout) {
            let file = part.change.path.to_string();
            if let PartKind::AroundTests { harness } = part.kind {
                touched.harness |= harness;
                let is_unread = super::parts::is_new_without_grammar(part);
                touched.unread |= !harness && is_unread;
                touched.data |= !harness && !is_unread;
            }
            let Some(tests) = part.tests() else { continue };
            let named = |tests: &[Test]| -> Vec<(String, Test)> {
                let tests = tests.iter().map(|test| (file.clone(), test.clone()));
                tests.collect()
            };
            let came = named(&tests.added);
            let new = |(_, test): &&(String, Test)| !moves.came(part.path(), test);
            touched.added.extend(came.iter().filter(new).cloned());
            touched.tests.extend(came);
            touched.tests.extend(named(&tests.changed));
            touched.removes |= !tests.removed.is_empty();
            if tests.other && part.change.after.is_some() {
                touched.files.insert(file);
            }
        }
        touched
    }

    /// Tests among these that stand there, and of which a run says nothing at all.
    pub(crate) fn switched_off<'i>(
        &self,
        ids: impl Iterator<Item = &'i String>,
        run: &TestResults,
    ) -> BTreeSet<String> {
        let ended = [&run.passed, &run.failed, &run.skipped, &run.flaky];
        let said: Vec<&String> = ended.into_iter().flatten().chain(&run.unknown).collect();
        let is_off = |id: &&String| {
            self.tests.iter().any(|(_, test)| {
                names(id, &test.name) && !said.iter().any(|other| names(other, &test.name))
            })
        };
        ids.filter(is_off).cloned().collect()
    }

    /// What to run to hear of them; none where only the suite tells.
    pub(crate) fn selection(&self) -> Option<Selection> {
        if self.data
            || self.unread
            || self.harness
            || (self.tests.is_empty() && self.files.is_empty())
        {
            return None;
        }
        let whole_files = self.files.iter().map(|file| Wanted {
            id: String::new(),
            file: Some(file.clone()),
            name: String::new(),
            path: Vec::new(),
        });
        let single = self
            .tests
            .iter()
            .filter(|(file, _)| !self.files.contains(file));
        let single = single.map(|(file, test)| Wanted {
            id: String::new(),
            file: Some(file.clone()),
            name: test.name.clone(),
            path: test.path.clone(),
        });
        Some(Selection {
            tests: whole_files.chain(single).collect(),
        })
    }

    /// Whether the step adds or changes a test of a run.
    pub(crate) fn has(&self, id: &str, results: &TestResults) -> bool {
        let file = results.files.get(id);
        let data_counts = |cause: Option<&Cause>| self.data && cause.is_some();
        is_one_of(&self.tests, file, id)
            || file.is_some_and(|file| self.files.contains(file))
            || data_counts(results.causes.get(id))
    }

    /// Whether a test that was not there before may be one that the step brings.
    pub(crate) fn may_bring(&self) -> bool {
        self.unread
    }

    /// Whether the accepted tree can't have a test, because the step brings it.
    pub(crate) fn brings(&self, id: &str, results: &TestResults) -> bool {
        is_one_of(&self.added, results.files.get(id), id)
    }
}

fn is_one_of(tests: &[(String, Test)], file: Option<&String>, id: &str) -> bool {
    tests
        .iter()
        .any(|(in_file, test)| file.is_none_or(|file| file == in_file) && names(id, &test.name))
}
