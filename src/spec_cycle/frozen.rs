//! What is frozen: the spec, and every test and harness file, by content.

use crate::git::repo::Repo;
use gix::bstr::{BString, ByteSlice};

use crate::branch::cycle::Watched;
use crate::branch::drift::{object, seen};
use crate::branch::session::Session;
use crate::error::Result;
use crate::git::trees::{self, Change, Leaf};
use crate::git::{objects, refs};
use crate::parts::mixed;
use crate::rules::PathClass;
use crate::rules::path_class::may_hold_tests;
use crate::rules::spec::coverage::TestFile;

/// Up to this many frozen files the gate looks at all of them; of more, at those that belong to
/// the cycle. The loop looks at every one.
const MOST_WATCHED: usize = 500;
/// A larger test file is data.
const LARGEST_READ: usize = 1024 * 1024;

/// One file that is frozen.
#[derive(Debug, Clone)]
pub(super) struct FrozenFile {
    pub(super) path: BString,
    /// The whole file, or its test part.
    pub(super) leaf: Leaf,
    /// Only the tests in it are frozen.
    part: bool,
    /// It belongs to the cycle: it changed since the cycle began, or steers the tests.
    own: bool,
}

impl Session<'_> {
    /// The files that a freeze of this tree holds.
    pub(super) fn files_to_freeze(&self, tree: gix::ObjectId) -> Result<Vec<FrozenFile>> {
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let own = self.changed_in_cycle(tree)?;
        let is_own = |path: &BString| own.iter().any(|change| change.path == *path);
        let mut frozen = Vec::new();
        for change in trees::diff(self.repo, nothing, tree)? {
            let Some(leaf) = change.after.filter(|_| !change.is_submodule()) else {
                continue;
            };
            let class = self.class(change.path.as_bstr());
            match class {
                PathClass::Spec | PathClass::Test | PathClass::Harness => frozen.push(FrozenFile {
                    own: class != PathClass::Test || is_own(&change.path),
                    path: change.path,
                    leaf,
                    part: false,
                }),
                PathClass::Source | PathClass::Mixed if is_own(&change.path) => {
                    frozen.extend(self.test_part(change.path, leaf)?);
                }
                PathClass::Source
                | PathClass::Mixed
                | PathClass::Protected
                | PathClass::Docs
                | PathClass::Other => {}
            }
        }
        Ok(frozen)
    }

    /// What changed since the cycle began.
    pub(super) fn changed_in_cycle(&self, tree: gix::ObjectId) -> Result<Vec<Change>> {
        let start = self
            .state
            .spec
            .as_ref()
            .map(|spec| object(&spec.start_tree));
        match start.transpose()? {
            Some(start) if self.repo.gix.has_object(start) => trees::diff(self.repo, start, tree),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    fn test_part(&self, path: BString, leaf: Leaf) -> Result<Option<FrozenFile>> {
        if !may_hold_tests(&path) {
            return Ok(None);
        }
        let Ok(text) = String::from_utf8(trees::content(self.repo, leaf)?) else {
            return Ok(None);
        };
        let Some(tests) = mixed::tests_in(&path, &text).filter(|tests| !tests.is_empty()) else {
            return Ok(None);
        };
        let id = objects::blob(self.repo, tests.as_bytes())?;
        Ok(Some(FrozenFile {
            path,
            leaf: Leaf { id, ..leaf },
            part: true,
            own: true,
        }))
    }

    /// The test files of the cycle, as text.
    pub(super) fn test_files(&self, frozen: &[FrozenFile]) -> Result<Vec<TestFile>> {
        let mut files = Vec::new();
        for file in frozen.iter().filter(|file| file.own) {
            if self.class(file.path.as_bstr()) == PathClass::Spec {
                continue;
            }
            let bytes = trees::content(self.repo, file.leaf)?;
            if bytes.len() <= LARGEST_READ
                && let Ok(text) = String::from_utf8(bytes)
            {
                files.push(TestFile {
                    path: file.path.to_string(),
                    text,
                });
            }
        }
        Ok(files)
    }
}

/// What the gate looks at.
pub(crate) fn to_watch(
    repo: &Repo,
    frozen: &[FrozenFile],
) -> std::collections::BTreeMap<String, Watched> {
    let all = frozen.len() <= MOST_WATCHED;
    frozen
        .iter()
        .filter(|file| all || file.own)
        .map(|file| {
            let watched = Watched {
                id: file.leaf.id.to_string(),
                seen: seen(&repo.on_disk(file.path.as_bstr())),
                part: file.part,
            };
            (refs::component(file.path.as_bstr()), watched)
        })
        .collect()
}

/// The tree of an oracle.
pub(crate) fn oracle_tree(repo: &Repo, frozen: &[FrozenFile]) -> Result<gix::ObjectId> {
    let nothing = gix::ObjectId::empty_tree(repo.gix.object_hash());
    let changes: Vec<Change> = frozen
        .iter()
        .map(|file| Change {
            path: file.path.clone(),
            before: None,
            after: Some(file.leaf),
        })
        .collect();
    trees::with_changes(repo, nothing, changes.iter())
}
