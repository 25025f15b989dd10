//! Which tests differ between two trees.

use std::cell::RefCell;
use std::collections::HashMap;

use gix::bstr::ByteSlice;

use crate::branch::classes::Classes;
use crate::error::{Doing, Error, Result};
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::languages::Language;
use crate::parts::mixed;
use crate::rules::PathClass;
use crate::rules::path_class::is_snapshot;

/// Two trees.
pub(super) type Pair = (gix::ObjectId, gix::ObjectId);

/// The tests that differ in each of some pairs of trees; where there is no pair, none do. Many are
/// looked at by several threads.
pub(super) fn changed_in_each(
    repo: &Repo,
    classes: &Classes,
    pairs: &[Option<Pair>],
) -> Result<Vec<Vec<String>>> {
    const WORTH_A_THREAD: usize = 64;
    const MOST_THREADS: usize = 8;
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let threads = (pairs.len() / WORTH_A_THREAD).clamp(1, cores.min(MOST_THREADS));
    if threads == 1 {
        return Frozen::new(repo, classes).each(pairs);
    }
    let shared = &repo.shared();
    let of_chunks = std::thread::scope(|scope| {
        let chunks = pairs.chunks(pairs.len().div_ceil(threads));
        let workers: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || Frozen::new(&shared.open(), classes).each(chunk)))
            .collect();
        let ended = workers.into_iter().map(|worker| worker.join());
        ended.collect::<std::thread::Result<Vec<_>>>()
    });
    let of_chunks = of_chunks.map_err(|_| Error::internal("a thread ended early"))?;
    let of_chunks = of_chunks.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(of_chunks.into_iter().flatten().collect())
}

/// A file's content and its ending, which says how it is read.
type Content = (gix::ObjectId, Vec<u8>);

/// Compares the tests of trees.
pub(super) struct Frozen<'a> {
    repo: &'a Repo,
    classes: &'a Classes,
    /// The tests in a file's content, by their hash. What one step leaves is what the next one
    /// finds: each content is looked into once.
    test_parts: RefCell<HashMap<Content, Option<gix::ObjectId>>>,
}

impl<'a> Frozen<'a> {
    pub(super) fn new(repo: &'a Repo, classes: &'a Classes) -> Frozen<'a> {
        Frozen {
            repo,
            classes,
            test_parts: RefCell::default(),
        }
    }

    fn each(&self, pairs: &[Option<Pair>]) -> Result<Vec<Vec<String>>> {
        let one = |pair: &Option<Pair>| match pair {
            Some((before, after)) => self.changed(*before, *after),
            None => Ok(Vec::new()),
        };
        pairs.iter().map(one).collect()
    }

    /// The paths of tests and harness that differ, and of files in which the tests do.
    pub(super) fn changed(
        &self,
        before: gix::ObjectId,
        after: gix::ObjectId,
    ) -> Result<Vec<String>> {
        let mut paths = Vec::new();
        for change in trees::diff(self.repo, before, after)? {
            if self.changes_tests(&change)? {
                paths.push(change.path.to_string());
            }
        }
        Ok(paths)
    }

    fn changes_tests(&self, change: &Change) -> Result<bool> {
        match self.classes.classify(change.path.as_bstr()) {
            // Runners write the first version of a snapshot themselves.
            PathClass::Test => Ok(change.before.is_some() || !is_snapshot(&change.path)),
            PathClass::Harness => Ok(true),
            PathClass::Source | PathClass::Mixed => {
                if change.is_submodule() {
                    return Ok(false);
                }
                let before = self.test_part(change.before, &change.path)?;
                let after = self.test_part(change.after, &change.path)?;
                // Where source and tests can't be told apart, nothing can be said.
                Ok(before.is_some() && after.is_some() && before != after)
            }
            PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => {
                Ok(false)
            }
        }
    }

    /// The hash of the tests in a file; none if they can't be told from the rest. A file that is
    /// not there has no tests.
    fn test_part(&self, leaf: Option<Leaf>, path: &[u8]) -> Result<Option<gix::ObjectId>> {
        let Some(leaf) = leaf else {
            return self.hash("").map(Some);
        };
        let key = (leaf.id, Language::extension(path).unwrap_or_default());
        if let Some(known) = self.test_parts.borrow().get(&key) {
            return Ok(*known);
        }
        let content = trees::content(self.repo, leaf)?;
        let parts = std::str::from_utf8(&content)
            .ok()
            .and_then(|text| mixed::tests_in(path, text));
        let part = parts.map(|tests| self.hash(&tests)).transpose()?;
        self.test_parts.borrow_mut().insert(key, part);
        Ok(part)
    }

    fn hash(&self, text: &str) -> Result<gix::ObjectId> {
        let kind = gix::objs::Kind::Blob;
        gix::objs::compute_hash(self.repo.gix.object_hash(), kind, text.as_bytes())
            .doing("hash the tests of a file")
    }
}
