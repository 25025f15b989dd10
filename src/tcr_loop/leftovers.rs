//! Files that a test run leaves behind: remembered, never committed, never deleted. And files that it
//! takes away: kept.

use std::collections::BTreeSet;
use std::io::Read;

use gix::bstr::{BStr, BString, ByteSlice};

use super::names;
use super::session::{REFLOG, Session};
use crate::effects::git::drift::{self, Drift};
use crate::effects::git::ref_writer;
use crate::effects::git::refs::{self, Move, Pointer};
use crate::effects::git::snapshot::Snapshot;
use crate::effects::git::trees::{self, Change};
use crate::effects::git::worktree_file::raw_hash;
use crate::effects::transaction;
use crate::error::Result;
use crate::message;
use crate::policy::PathClass;
use crate::policy::path_class::is_snapshot;

impl Session<'_> {
    /// Remembers files that a test run left behind.
    pub(crate) fn remember_leftovers<'b>(
        &mut self,
        paths: impl Iterator<Item = &'b BString>,
    ) -> Result<Vec<String>> {
        let mut new = Vec::new();
        for path in paths {
            let hash = raw_hash(self.repo, path.as_bstr())?;
            let Some(hash) = hash else { continue };
            let key = refs::component(path.as_bstr());
            if self.state.leftovers.insert(key, hash.to_string()).is_none() {
                new.push(path.to_string());
            }
        }
        // Those that are gone need no memory.
        let repo = self.repo;
        self.state.leftovers.retain(|path, _| {
            let path = refs::name_of_component(BStr::new(path));
            repo.on_disk(path.as_bstr()).symlink_metadata().is_ok()
        });
        Ok(new)
    }

    /// Keeps work that a test run has taken away: one that cleans up too much, or puts files back, takes
    /// what is in no commit.
    pub(super) fn keep_what_is_gone(&mut self, snapshot: &Snapshot, drift: &Drift) -> Result<()> {
        let gone = drift::gone(self.repo, snapshot, drift)?;
        if gone.is_empty() {
            return Ok(());
        }
        let (number, commit) = self.save(snapshot, message::reasons::GONE)?;
        let entry = Move {
            name: refs::revert(self.base.as_bstr(), number),
            old: None,
            new: Some(Pointer::object(commit)),
        };
        ref_writer::apply(self.repo, &[entry], REFLOG)?;
        let remark = message::reasons::gone(number, &names(gone.iter()));
        self.remarks.push(remark);
        Ok(())
    }

    /// What a run has left behind before, and what no editor writes, was left behind again.
    pub(super) fn may_be_an_edit(&self, path: &BString) -> bool {
        let known = refs::component(path.as_bstr());
        if self.state.leftovers.contains_key(&known)
            || is_binary(&self.repo.on_disk(path.as_bstr()))
        {
            return false;
        }
        match self.class(path.as_bstr()) {
            PathClass::Harness | PathClass::Test | PathClass::Mixed | PathClass::Source => true,
            PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => {
                is_snapshot(path)
            }
        }
    }

    /// Whether a file that changed while the tests ran may be one that they write each time, such as the
    /// cache of a runner: nobody committed it, and it steers nothing.
    pub(super) fn may_be_generated(&self, path: &BString) -> Result<bool> {
        let committed = trees::lookup(self.repo, self.head_tree()?, path.as_bstr())?;
        Ok(committed.is_none()
            && match self.class(path.as_bstr()) {
                PathClass::Docs | PathClass::Other => !is_snapshot(path),
                PathClass::Protected
                | PathClass::Spec
                | PathClass::Harness
                | PathClass::Test
                | PathClass::Mixed
                | PathClass::Source => false,
            })
    }

    /// The snapshot without files that the run itself makes.
    pub(super) fn without(
        &self,
        snapshot: Snapshot,
        generated: &BTreeSet<BString>,
    ) -> Result<Snapshot> {
        if generated.is_empty() {
            return Ok(snapshot);
        }
        let changes: Vec<Change> = snapshot
            .changes
            .into_iter()
            .filter(|change| !generated.contains(&change.path))
            .collect();
        let tree = trees::with_changes(self.repo, self.head_tree()?, changes.iter())?;
        transaction::hold_tree(self.repo, tree, self.head)?;
        Ok(Snapshot {
            tree,
            changes,
            ..snapshot
        })
    }
}

/// Git's own rule: text has no NUL byte near its beginning.
fn is_binary(path: &std::path::Path) -> bool {
    const LOOKED_AT: u64 = 8_000;
    let mut start = Vec::new();
    let is_file = path
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file());
    // A file that can't be read is left for the snapshot to name.
    let read = |start: &mut Vec<u8>| {
        std::fs::File::open(path)?
            .take(LOOKED_AT)
            .read_to_end(start)
    };
    is_file && read(&mut start).is_ok() && start.contains(&0)
}
