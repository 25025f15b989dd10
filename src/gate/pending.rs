//! Changed tests that are not committed yet: they ask for source.
//!
//! No folder is searched for them. What the loop kept is in the state, what a call brings is in the
//! call, and what calls since the last judgement brought is noted beside the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use gix::bstr::ByteSlice;

use super::Gate;
use super::wanted::{Wanted, Writing};
use crate::branch::spool;
use crate::outcome::gate::TestPlace;
use crate::parts::content::{Pending, pending_tests};
use crate::rules::{CycleKind, PathClass, Phase};
use crate::test_run::jobs;

/// More files than these are not looked at.
const MOST_FILES: usize = 64;

/// A longer list is begun anew: the loop has long seen what is in it.
const LONGEST_LIST: u64 = 16 * 1024;

/// A file that may hold changed tests.
pub(super) struct Candidate {
    path: Vec<u8>,
    class: PathClass,
    /// What it will be; none for what it is.
    after: Option<Vec<u8>>,
}

/// What the changed tests say about source.
#[derive(Debug, Default)]
pub(super) struct PendingTests {
    /// Files with tests that may ask for source, from the root.
    files: BTreeSet<String>,
    /// A file of tests that does not parse, and where.
    pub(super) broken: Option<(String, usize)>,
}

impl Gate {
    /// Whether changed tests ask for source of this path.
    pub(super) fn is_asked_for(&self, path: &[u8]) -> bool {
        let unlocks = |file: &String| {
            let id = match self.config.project_for(file.as_bytes()) {
                Some(project) => format!("{} > {file}", project.path),
                None => file.clone(),
            };
            jobs::is_unlocked(&self.config, &BTreeSet::from([id]), path)
        };
        self.pending().files.iter().any(unlocks) || self.has_own_test(path)
    }

    /// Whether the test that belongs to a source file was changed, by whomever.
    fn has_own_test(&self, path: &[u8]) -> bool {
        let TestPlace::File(test) = self.test_place(path) else {
            return false;
        };
        let test = test.into_bytes();
        let class = self.classes.classify(&test);
        let (before, after) = (self.accepted(&test), self.in_worktree(&test));
        let found = pending_tests(&test, class, before.as_deref(), after.as_deref());
        found == Pending::Tests
    }

    /// The changed tests, looked for once.
    pub(super) fn pending(&self) -> &PendingTests {
        self.pending.get_or_init(|| self.find_pending())
    }

    fn find_pending(&self) -> PendingTests {
        let mut found = PendingTests::default();
        for (path, after) in self.candidates() {
            let class = self.classes.classify(&path);
            let before = self.accepted(&path);
            let (before, after) = (before.as_deref(), after.as_deref());
            let shown = || String::from_utf8_lossy(&path).into_owned();
            match pending_tests(&path, class, before, after) {
                Pending::Nothing => {}
                Pending::Tests => {
                    found.files.insert(shown());
                }
                Pending::DoesNotParse(line) => found.broken = Some((shown(), line)),
            }
        }
        found
    }

    /// The files to look at with their content: what this call makes of them, else what they are.
    fn candidates(&self) -> BTreeMap<Vec<u8>, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        for own in self.own.borrow().iter().take(MOST_FILES) {
            found.insert(own.path.clone(), own.after.clone());
        }
        let kept = self.state.as_ref().and_then(|state| state.kept.as_ref());
        let kept = kept.into_iter().flat_map(|kept| kept.paths.iter().cloned());
        for path in self.noted().into_iter().chain(kept) {
            if found.len() >= MOST_FILES {
                break;
            }
            let class = self.classes.classify(path.as_bytes());
            let path = path.into_bytes();
            if may_bring_tests(class, &path) && !found.contains_key(&path) {
                let content = self.in_worktree(&path);
                found.insert(path, content);
            }
        }
        found
    }

    /// Takes in what the call would write, where tests may ask for source.
    pub(super) fn take_in<'w>(&self, wanted: impl Iterator<Item = &'w Wanted>) {
        if !self.waits_for_tests() {
            return;
        }
        let mut own = self.own.borrow_mut();
        for wanted in wanted {
            let Some((path, class)) = self.class(&wanted.path) else {
                continue;
            };
            if !may_bring_tests(class, &path) {
                continue;
            }
            let after = match &wanted.writing {
                Writing::Unknown => self.in_worktree(&path),
                Writing::Content { after, .. } => after.clone(),
            };
            own.push(Candidate { path, class, after });
        }
    }

    /// Leaves word of the tests that a call writes, for the gates before the next judgement.
    pub(super) fn note_tests(&self) {
        if self.own.borrow().is_empty() {
            return;
        }
        let noted = self.noted();
        for own in self.own.borrow().iter() {
            let holds_tests = own.class == PathClass::Test
                || own
                    .after
                    .as_deref()
                    .is_some_and(|text| text.contains_str("test"));
            let path = String::from_utf8_lossy(&own.path).into_owned();
            if holds_tests && !noted.contains(&path) {
                // Without it the loop's own word has to do.
                drop(spool::add(&self.list(), &path));
            }
        }
    }

    fn waits_for_tests(&self) -> bool {
        let cycle = self.state.as_ref().map(|state| state.cycle_kind());
        self.phase() == Phase::Red && cycle.unwrap_or(CycleKind::Free) == CycleKind::Free
    }

    fn list(&self) -> PathBuf {
        self.repo.git_dir().join("tcr").join("changed-tests")
    }

    fn noted(&self) -> Vec<String> {
        let list = self.list();
        if list.metadata().is_ok_and(|list| list.len() > LONGEST_LIST) {
            drop(std::fs::remove_file(&list));
        }
        let text = std::fs::read_to_string(&list).unwrap_or_default();
        let lines = text.lines().rev();
        lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }
}

fn may_bring_tests(class: PathClass, path: &[u8]) -> bool {
    match class {
        PathClass::Test => true,
        PathClass::Source | PathClass::Mixed => crate::rules::path_class::may_hold_tests(path),
        PathClass::Protected
        | PathClass::Spec
        | PathClass::Harness
        | PathClass::Docs
        | PathClass::Other => false,
    }
}
