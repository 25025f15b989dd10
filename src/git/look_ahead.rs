//! A look at the worktree that goes on beside other work, for the next snapshot.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::read_index::ReadIndex;
use super::scan::{self, Scan, ScanRules};
use crate::error::Result;

/// A look that was begun.
pub(super) struct LookAhead {
    index: Arc<ReadIndex>,
    scan: JoinHandle<Result<Scan>>,
}

impl LookAhead {
    /// Begins it; nothing where no thread can be had: then the snapshot looks for itself.
    pub(super) fn begin(root: &Path, index: Arc<ReadIndex>, rules: ScanRules) -> Option<LookAhead> {
        let (root, beside) = (root.to_owned(), Arc::clone(&index));
        let look = move || scan::scan(&root, &beside, rules);
        let scan = std::thread::Builder::new().spawn(look).ok()?;
        Some(LookAhead { index, scan })
    }

    /// What was seen, if this is the index it was compared with. What failed is tried again by the
    /// snapshot, and told there.
    pub(super) fn seen_beside(self, index: &Arc<ReadIndex>) -> Option<Scan> {
        if !Arc::ptr_eq(&self.index, index) {
            return None;
        }
        self.scan.join().ok()?.ok()
    }

    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        self.scan.is_finished()
    }
}
