//! What is frozen: the spec, and every test and harness file, by content.

use std::os::unix::fs::MetadataExt;

use gix::bstr::{BStr, BString, ByteSlice};

use super::object;
use crate::branch::cycle::{FrozenOracle, Watched};
use crate::error::Result;
use crate::git::trees::{self, Change, Leaf};
use crate::git::{objects, refs};
use crate::parts::mixed;
use crate::rules::PathClass;
use crate::rules::path_class::may_hold_tests;
use crate::rules::spec::coverage::TestFile;
use crate::tcr_loop::session::Session;

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

    /// The tree of an oracle.
    pub(super) fn oracle_tree(&self, frozen: &[FrozenFile]) -> Result<gix::ObjectId> {
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let changes: Vec<Change> = frozen
            .iter()
            .map(|file| Change {
                path: file.path.clone(),
                before: None,
                after: Some(file.leaf),
            })
            .collect();
        trees::with_changes(self.repo, nothing, changes.iter())
    }

    /// What the gate looks at.
    pub(super) fn to_watch(
        &self,
        frozen: &[FrozenFile],
    ) -> std::collections::BTreeMap<String, Watched> {
        let all = frozen.len() <= MOST_WATCHED;
        frozen
            .iter()
            .filter(|file| all || file.own)
            .map(|file| {
                let watched = Watched {
                    id: file.leaf.id.to_string(),
                    seen: seen(&self.repo.on_disk(file.path.as_bstr())),
                    part: file.part,
                };
                (refs::component(file.path.as_bstr()), watched)
            })
            .collect()
    }

    /// The tree of the oracle that is in force.
    pub(crate) fn frozen_tree(&self) -> Result<Option<gix::ObjectId>> {
        match self.state.oracle_in_force() {
            Some(oracle) => self.repo.tree_of(object(&oracle.commit)?).map(Some),
            None => Ok(None),
        }
    }

    /// The frozen files in which a tree differs from the oracle, with the change that mends each.
    /// Only these paths are looked at.
    pub(crate) fn drift_in<'p>(
        &self,
        tree: gix::ObjectId,
        paths: impl Iterator<Item = &'p BStr>,
    ) -> Result<Vec<Change>> {
        let Some(oracle) = self.frozen_tree()? else {
            return Ok(Vec::new());
        };
        let mut drifted = Vec::new();
        for path in paths {
            let Some(wanted) = trees::lookup(self.repo, oracle, path)? else {
                continue;
            };
            let now = trees::lookup(self.repo, tree, path)?;
            if now == Some(wanted) || self.says_the_same(path, wanted, now)? {
                continue;
            }
            if let Some(mended) = self.mended(path, wanted, now)? {
                drifted.push(Change {
                    path: path.to_owned(),
                    before: now,
                    after: Some(mended),
                });
            }
        }
        Ok(drifted)
    }

    /// A spec with other line ends, or a source file with the same tests.
    fn says_the_same(&self, path: &BStr, wanted: Leaf, now: Option<Leaf>) -> Result<bool> {
        let Some(now) = now.filter(|now| now.kind == wanted.kind) else {
            return Ok(false);
        };
        let text = |leaf| -> Result<Option<String>> {
            Ok(String::from_utf8(trees::content(self.repo, leaf)?).ok())
        };
        match self.class(path) {
            PathClass::Spec => {
                let hash = |text: Option<String>| {
                    text.map(|text| crate::rules::spec::normalised_hash(&text))
                };
                Ok(hash(text(now)?) == hash(text(wanted)?))
            }
            PathClass::Source | PathClass::Mixed => {
                let tests = text(now)?.and_then(|text| mixed::tests_in(path, &text));
                Ok(tests.is_some() && tests == text(wanted)?)
            }
            PathClass::Protected
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => Ok(false),
        }
    }

    /// The content that a drifted file gets back.
    fn mended(&self, path: &BStr, wanted: Leaf, now: Option<Leaf>) -> Result<Option<Leaf>> {
        match self.class(path) {
            PathClass::Source | PathClass::Mixed => {}
            PathClass::Protected
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => return Ok(Some(wanted)),
        }
        let Some(now) = now.filter(|now| !now.is_link()) else {
            // The tests alone are no file: it comes back as it was committed, if they are in there.
            let committed = trees::lookup(self.repo, self.head_tree()?, path)?;
            return match self.says_the_same(path, wanted, committed)? {
                true => Ok(committed),
                false => Ok(None),
            };
        };
        let text = |leaf| -> Result<String> {
            Ok(String::from_utf8_lossy(&trees::content(self.repo, leaf)?).into_owned())
        };
        let Some(merged) = mixed::put_together(path, &text(now)?, &text(wanted)?) else {
            return Ok(None);
        };
        let id = objects::blob(self.repo, merged.as_bytes())?;
        Ok(Some(Leaf { id, ..now }))
    }

    /// After a commit that is not git tcr's: the frozen files that it changed.
    pub(crate) fn note_oracle_in_head(&mut self) -> Result<Vec<String>> {
        let Some(oracle) = self.frozen_tree()? else {
            return Ok(Vec::new());
        };
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let frozen = trees::diff(self.repo, nothing, oracle)?;
        let head_tree = self.head_tree()?;
        let paths = frozen.iter().map(|change| change.path.as_bstr());
        let drifted = self.drift_in(head_tree, paths)?;
        if let Some(oracle) = &mut self.state.oracle {
            oracle.differs_in_head = drifted
                .iter()
                .map(|change| refs::component(change.path.as_bstr()))
                .collect();
        }
        Ok(drifted
            .iter()
            .map(|change| change.path.to_string())
            .collect())
    }
}

/// The numbers of a file that change when its content does.
pub(super) fn seen(file: &std::path::Path) -> Option<[i64; 4]> {
    let metadata = file.symlink_metadata().ok()?;
    let nanoseconds =
        |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
    Some([
        i64::try_from(metadata.size()).ok()?,
        nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        i64::try_from(metadata.ino()).unwrap_or_default(),
    ])
}

impl FrozenOracle {
    /// The paths in which HEAD differs from what was certified.
    pub(crate) fn paths_to_mend(&self) -> impl Iterator<Item = BString> + '_ {
        self.differs_in_head
            .iter()
            .map(|path| refs::name_of_component(BStr::new(path)))
    }
}
