//! What became of the worktree since a snapshot of it.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat};

use super::index_diff::{self, Staged};
use super::repo::Repo;
use super::scan::{self, Scan, ScanRules, path_of};
use super::snapshot::{Snapshot, SnapshotRules, scan_rules, staged_only, strangers_apart};
use super::trees::{self, Change, Leaf};
use super::untracked;
use super::worktree_file::{Content, leaf_of};
use crate::error::Result;

/// How the worktree differs from what a snapshot saw.
#[derive(Debug, Default)]
pub(crate) struct Drift {
    /// Paths that were changed, deleted or replaced since.
    pub(crate) changed: BTreeSet<BString>,
    /// Files that were written since and have the content they had: perhaps another one in between.
    pub(crate) rewritten: BTreeSet<BString>,
    /// Paths that were not there, and leftovers with new content.
    pub(crate) new: BTreeSet<BString>,
    /// What is staged by now and is neither HEAD's nor the snapshot's.
    pub(crate) staged_only: Vec<Staged>,
}

/// What changed in the worktree since a snapshot was taken.
pub(crate) fn since(
    repo: &Repo,
    head_tree: gix::ObjectId,
    snapshot: &Snapshot,
    rules: &SnapshotRules<'_>,
) -> Result<Drift> {
    let index = repo.index()?;
    let rules_of_scan = ScanRules {
        later_than: snapshot.witness.run_began,
        ..scan_rules(repo)?
    };
    let mut scan = scan::scan(repo.root(), &index, rules_of_scan)?;
    scan.suspects.retain(|suspect| {
        !snapshot
            .nested
            .iter()
            .any(|nested| nested == path_of(&index, suspect.entry))
    });
    let after = snapshot
        .changes
        .iter()
        .map(|c| (c.path.clone(), c.after))
        .collect();
    let listed = untracked::list(repo, &index, &scan, head_tree, &after, rules.never_hidden)?;
    let (_, staged) = strangers_apart(
        repo,
        index_diff::staged(repo, &index, head_tree)?,
        head_tree,
    )?;
    let (work, _) = rules.apart(repo, head_tree, listed.files)?;
    let mut look = Look {
        repo,
        snapshot,
        content: Content::new(repo, &index),
        drift: Drift::default(),
    };
    look.at_tracked(&index, &scan, &staged)?;
    look.at_untracked(&work)?;
    look.drift.staged_only = staged_only(repo, &staged, &snapshot.changes, head_tree)?;
    Ok(look.drift)
}

/// The work of a snapshot that is no more: nothing is there since, or what HEAD has, and it did not move
/// to another name.
pub(crate) fn gone(repo: &Repo, snapshot: &Snapshot, drift: &Drift) -> Result<Vec<BString>> {
    let work = snapshot.changes.iter().filter(|change| {
        change.after.is_some() && !change.is_submodule() && drift.changed.contains(&change.path)
    });
    let work: Vec<&Change> = work.collect();
    if work.is_empty() {
        return Ok(Vec::new());
    }
    let index = repo.index()?;
    let mut content = Content::new(repo, &index);
    let mut moved = BTreeSet::new();
    for path in &drift.new {
        moved.extend(content.of(path.as_bstr())?.map(|leaf| leaf.id));
    }
    let mut gone = Vec::new();
    for change in work {
        let now = content.of(change.path.as_bstr())?;
        let is_elsewhere = change.after.is_some_and(|leaf| moved.contains(&leaf.id));
        if !is_elsewhere && (now.is_none() || now == change.before) {
            gone.push(change.path.clone());
        }
    }
    Ok(gone)
}

/// A second look at what a snapshot saw.
struct Look<'a> {
    repo: &'a Repo,
    snapshot: &'a Snapshot,
    content: Content<'a>,
    drift: Drift,
}

impl Look<'_> {
    fn in_snapshot(&self, path: &BStr) -> Result<Option<Leaf>> {
        trees::lookup(self.repo, self.snapshot.tree, path)
    }

    fn is_gone(&self, path: &BStr) -> bool {
        let found = self.repo.on_disk(path).symlink_metadata();
        found.is_err() || found.is_ok_and(|metadata| metadata.is_dir())
    }

    fn at_tracked(
        &mut self,
        index: &gix::index::State,
        scan: &Scan,
        staged: &[Staged],
    ) -> Result<()> {
        let witness = &self.snapshot.witness;
        let mut still: BTreeSet<&BStr> = BTreeSet::new();
        for suspect in &scan.suspects {
            let path = path_of(index, suspect.entry);
            still.insert(path);
            let (before, is_written) = match witness.tracked.get(path) {
                Some(seen) if seen.stat == suspect.stat && !witness.is_recent(seen) => continue,
                Some(seen) => (seen.content, seen.stat != suspect.stat),
                // It was as the index had it then.
                None => (self.in_snapshot(path)?, witness.is_later(suspect.stat)),
            };
            let entry = &index.entries()[suspect.entry];
            let now = self.content.of_tracked(path, suspect, entry)?;
            if now != before {
                self.drift.changed.insert(path.to_owned());
            } else if is_written && now.is_some() && entry.mode != Mode::COMMIT {
                self.drift.rewritten.insert(path.to_owned());
            }
        }
        // The others are as the index has them now. It may have moved as well.
        let seen = witness.tracked.keys().map(|path| path.as_bstr());
        for path in seen.chain(staged.iter().map(|item| item.path.as_bstr())) {
            if still.contains(path) {
                continue;
            }
            let before = self.in_snapshot(path)?;
            let changed = match index.entry_by_path(path) {
                Some(entry) => leaf_of(entry) != before,
                None => before.is_some() && self.is_gone(path),
            };
            if changed {
                self.drift.changed.insert(path.to_owned());
            }
        }
        Ok(())
    }

    fn at_untracked(&mut self, listed: &BTreeMap<BString, Stat>) -> Result<()> {
        let witness = &self.snapshot.witness;
        for (path, stat) in listed {
            match witness.untracked.get(path) {
                None => match self.in_snapshot(path.as_bstr())? {
                    None => {
                        self.drift.new.insert(path.clone());
                    }
                    // It was taken out of the index meanwhile.
                    known => {
                        if self.content.of(path.as_bstr())? != known {
                            self.drift.changed.insert(path.clone());
                        }
                    }
                },
                Some(seen) if seen.stat == Some(*stat) && !witness.is_recent(seen) => {}
                Some(seen) if seen.leftover => {
                    if seen.stat != Some(*stat) {
                        self.drift.new.insert(path.clone());
                    }
                }
                Some(seen) => {
                    if self.content.of(path.as_bstr())? != seen.content {
                        self.drift.changed.insert(path.clone());
                    } else if seen.stat != Some(*stat) {
                        self.drift.rewritten.insert(path.clone());
                    }
                }
            }
        }
        let gone = witness
            .untracked
            .iter()
            .filter(|(path, _)| !listed.contains_key(*path));
        for (path, _) in gone.filter(|(_, seen)| !seen.leftover) {
            // Unless it was put into the index meanwhile.
            if self.is_gone(path.as_bstr()) {
                self.drift.changed.insert(path.clone());
            }
        }
        Ok(())
    }
}
