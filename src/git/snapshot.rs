//! The worktree as a tree, without touching the user's index.
//!
//! The tree holds what the worktree holds: tracked files as they are now, untracked ones that
//! are not ignored, staged deletions. Index flags that hide changes are not believed.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::objs::tree::EntryKind;

use super::index_diff::{self, Staged};
use super::index_write::{Fresh, is_too_young};
use super::repo::Repo;
use super::scan::{self, ScanRules, index_stat, path_of};
use super::trees::{self, Change, Leaf};
use super::untracked;
use super::worktree_file::{Content, leaf_of, raw_hash};
use crate::error::{Doing, Result};

/// The worktree at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The worktree's content.
    pub(crate) tree: gix::ObjectId,
    /// What differs from HEAD's tree.
    pub(crate) changes: Vec<Change>,
    /// Paths whose staged content is neither HEAD's nor the worktree's.
    pub(crate) staged_only: Vec<Staged>,
    /// Folders that are repositories of their own without being submodules.
    pub(crate) nested: Vec<BString>,
    /// Untracked files that are private, and part of nothing.
    pub(crate) private: Vec<BString>,
    /// What was seen, for a second look.
    pub(crate) witness: Witness,
    /// Tracked files that had to be read though their content is as the index says.
    pub(crate) stale: Vec<Fresh>,
}

/// What was seen of the files that are not as the index has them, to find out later whether
/// anything changed since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Witness {
    /// A moment from before anything was looked at, by the clock of the file system.
    pub(super) began: Option<Stat>,
    /// When the tests began, by the same clock.
    pub(super) run_began: Option<Stat>,
    pub(super) tracked: BTreeMap<BString, Seen>,
    pub(super) untracked: BTreeMap<BString, Seen>,
}

/// One file as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) stat: Option<Stat>,
    pub(super) content: Option<Leaf>,
    /// Left behind by an earlier run and not part of the tree.
    pub(super) leftover: bool,
}

/// What a snapshot leaves out and takes in.
pub(crate) struct SnapshotRules<'a> {
    /// Files that earlier test runs left behind, left out while unchanged.
    pub(crate) leftovers: &'a BTreeMap<BString, gix::ObjectId>,
    /// Whether an untracked file of some size belongs to a person or a machine and not to the work.
    pub(crate) private: &'a dyn Fn(&BStr, u64) -> bool,
    /// Whether a path is one that an edited ignore file must not hide.
    pub(crate) never_hidden: &'a dyn Fn(&BStr) -> bool,
}

impl SnapshotRules<'_> {
    /// Untracked files without the private ones, and the names of these. What HEAD has was somebody's
    /// decision, whatever it is called.
    pub(super) fn apart(
        &self,
        repo: &Repo,
        head_tree: gix::ObjectId,
        mut files: BTreeMap<BString, Stat>,
    ) -> Result<(BTreeMap<BString, Stat>, Vec<BString>)> {
        let mut private = Vec::new();
        for (path, stat) in &files {
            let is_private = (self.private)(path.as_bstr(), u64::from(stat.size));
            if is_private && trees::lookup(repo, head_tree, path.as_bstr())?.is_none() {
                private.push(path.clone());
            }
        }
        files.retain(|path, _| private.binary_search(path).is_err());
        Ok((files, private))
    }
}

impl Snapshot {
    /// Takes note of the moment: what is written from here on is written while the tests run.
    pub(crate) fn tests_begin(&mut self, repo: &Repo) {
        self.witness.run_began = super::lock::touch(repo.git_dir());
    }

    /// Untracked files that are there and are no part of the tree, as an earlier run left them behind.
    pub(crate) fn left_behind(&self) -> impl Iterator<Item = &BString> {
        let files = self.witness.untracked.iter();
        files
            .filter(|(_, seen)| seen.leftover)
            .map(|(path, _)| path)
    }

    /// Untracked files that are part of the tree.
    pub(crate) fn untracked(&self) -> impl Iterator<Item = &BString> {
        let files = self.witness.untracked.iter();
        files
            .filter(|(_, seen)| !seen.leftover)
            .map(|(path, _)| path)
    }
}

/// Begins to go over the worktree for the next snapshot, while other things are done. Whoever changes
/// the worktree before that has it forgotten. What fails now fails again then, and is told then.
pub(crate) fn look_ahead(repo: &Repo) {
    if let (Ok(index), Ok(rules)) = (repo.index(), scan_rules(repo)) {
        repo.begin_look_ahead(index, rules);
    }
}

/// Takes a snapshot.
pub(crate) fn take(
    repo: &Repo,
    head_tree: gix::ObjectId,
    rules: &SnapshotRules<'_>,
) -> Result<Snapshot> {
    let now = crate::clock::seconds_now();
    let began = file_system_time(repo);
    let index = repo.index()?;
    let scan = match repo.seen_ahead(&index) {
        Some(seen) => seen,
        None => scan::scan(repo.root(), &index, scan_rules(repo)?)?,
    };
    let (strangers, staged) = strangers_apart(
        repo,
        index_diff::staged(repo, &index, head_tree)?,
        head_tree,
    )?;
    let mut content = Content::new(repo, &index);
    let mut after: BTreeMap<BString, Option<Leaf>> = BTreeMap::new();
    let mut witness = Witness {
        began,
        ..Witness::default()
    };
    let mut stale = Vec::new();
    for item in &staged {
        after.insert(item.path.clone(), item.index);
    }
    after.extend(strangers.iter().map(|path| (path.clone(), None)));
    for suspect in &scan.suspects {
        let path = path_of(&index, suspect.entry);
        if strangers.iter().any(|stranger| stranger == path) {
            continue;
        }
        let entry = &index.entries()[suspect.entry];
        let found = content.of_tracked(path, suspect, entry)?;
        let is_as_in_index = found == leaf_of(entry) && !entry.flags.contains(Flags::INTENT_TO_ADD);
        if let Some(stat) = suspect.stat.filter(|stat| !is_too_young(stat, now))
            && is_as_in_index
            && entry.mode != Mode::COMMIT
        {
            let path = path.to_owned();
            stale.push(Fresh { path, stat });
        }
        // What the index has is HEAD's unless it is staged, and then it is in the list.
        if !is_as_in_index {
            after.insert(path.to_owned(), found);
        }
        let seen = Seen {
            stat: suspect.stat,
            content: found,
            leftover: false,
        };
        witness.tracked.insert(path.to_owned(), seen);
    }
    let listed = untracked::list(repo, &index, &scan, head_tree, &after, rules.never_hidden)?;
    let (work, private) = rules.apart(repo, head_tree, listed.files)?;
    for (path, stat) in &work {
        let left = rules.leftovers.get(path);
        if left.is_some() && raw_hash(repo, path.as_bstr())?.as_ref() == left {
            let seen = Seen {
                stat: Some(*stat),
                content: None,
                leftover: true,
            };
            witness.untracked.insert(path.clone(), seen);
            continue;
        }
        let Some(leaf) = content.of(path.as_bstr())? else {
            continue;
        };
        let seen = Seen {
            stat: Some(*stat),
            content: Some(leaf),
            leftover: false,
        };
        witness.untracked.insert(path.clone(), seen);
        after.insert(path.clone(), Some(leaf));
    }
    let changes = changes_from(repo, head_tree, after)?;
    let tree = trees::with_changes(repo, head_tree, changes.iter())?;
    Ok(Snapshot {
        tree,
        staged_only: staged_only(repo, &staged, &changes, head_tree)?,
        changes,
        nested: listed.nested.into_iter().chain(strangers).collect(),
        private,
        witness,
        stale,
    })
}

/// When this worktree was locked, by the clock of the file system that holds the lock.
fn file_system_time(repo: &Repo) -> Option<Stat> {
    let lock = crate::git::lock::path(repo.git_dir());
    rustix::fs::stat(lock).ok().map(|stat| index_stat(&stat))
}

impl Witness {
    /// Whether a file was written after the tests began.
    pub(super) fn is_later(&self, stat: Option<Stat>) -> bool {
        let both = self.run_began.zip(stat);
        both.is_some_and(|(began, stat)| scan::is_later(stat, began))
    }

    /// Whether a file could be written again without a change of its times: it was written within the
    /// tick of the file system's clock in which it was seen. Reading a few files again is cheap.
    pub(super) fn is_recent(&self, seen: &Seen) -> bool {
        const LONGEST_TICK: u64 = 3;
        let Some(stat) = seen.stat else { return false };
        match self.began {
            Some(began) if began.dev == stat.dev => stat.mtime.max(stat.ctime) >= began.mtime,
            _ => {
                let age = crate::clock::seconds_now().saturating_sub(u64::from(stat.mtime.secs));
                age < LONGEST_TICK
            }
        }
    }
}

fn changes_from(
    repo: &Repo,
    head_tree: gix::ObjectId,
    after: BTreeMap<BString, Option<Leaf>>,
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, after) in after {
        let before = trees::lookup(repo, head_tree, path.as_bstr())?;
        if before != after {
            changes.push(Change {
                path,
                before,
                after,
            });
        }
    }
    Ok(changes)
}

/// Staged content that neither HEAD nor the worktree has would be lost with the index entry.
pub(super) fn staged_only(
    repo: &Repo,
    staged: &[Staged],
    changes: &[Change],
    head_tree: gix::ObjectId,
) -> Result<Vec<Staged>> {
    let mut found = Vec::new();
    for item in staged.iter().filter(|item| item.index.is_some()) {
        let in_worktree = match changes.binary_search_by(|change| change.path.cmp(&item.path)) {
            Ok(position) => changes[position].after,
            Err(_) => trees::lookup(repo, head_tree, item.path.as_bstr())?,
        };
        if item.index != in_worktree {
            found.push(item.clone());
        }
    }
    Ok(found)
}

/// Staged repositories that are no submodules, apart from what else is staged: they are never
/// committed, and stay in the index as they are.
pub(super) fn strangers_apart(
    repo: &Repo,
    staged: Vec<Staged>,
    head_tree: gix::ObjectId,
) -> Result<(Vec<BString>, Vec<Staged>)> {
    let is_repository =
        |leaf: Option<Leaf>| leaf.is_some_and(|leaf| leaf.kind == EntryKind::Commit);
    if !staged.iter().any(|item| is_repository(item.index)) {
        return Ok((Vec::new(), staged));
    }
    let modules = repo.gix.modules().doing("read `.gitmodules`")?;
    let (mut strangers, mut rest) = (Vec::new(), Vec::new());
    for item in staged {
        let path = item.path.as_bstr();
        let declared = modules
            .as_ref()
            .is_some_and(|modules| modules.name_by_path(path).is_some());
        if is_repository(item.index)
            && !declared
            && !is_repository(trees::lookup(repo, head_tree, path)?)
        {
            strangers.push(item.path);
        } else {
            rest.push(item);
        }
    }
    Ok((strangers, rest))
}

pub(crate) fn scan_rules(repo: &Repo) -> Result<ScanRules> {
    Ok(ScanRules {
        stat: repo.gix.stat_options().doing("read the config")?,
        trust_executable_bit: repo.trusts_executable_bit(),
        sparse: repo.is_sparse(),
        later_than: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::command;

    /// The paths that a snapshot holds in a repository without a commit.
    fn paths(repo: &Repo) -> Vec<String> {
        let nothing = gix::ObjectId::empty_tree(repo.gix.object_hash());
        let rules = SnapshotRules {
            leftovers: &BTreeMap::new(),
            private: &|_, _| false,
            never_hidden: &|_| false,
        };
        let taken = take(repo, nothing, &rules).expect("a snapshot");
        let paths = taken.changes.iter().map(|change| change.path.to_string());
        paths.collect()
    }

    /// A repository that was looked at before its second file came.
    fn looked_at(folder: &tempfile::TempDir) -> Repo {
        command::git(folder.path(), &["init", "-q", "."], b"").expect("git runs");
        let repo = Repo::discover(folder.path()).expect("a repository");
        let write = |name: &str| std::fs::write(folder.path().join(name), name).expect("a file");
        write("before");
        look_ahead(&repo);
        repo.wait_for_look_ahead();
        write("after");
        repo
    }

    #[test]
    fn a_look_ahead_is_for_one_snapshot() {
        let folder = tempfile::tempdir().expect("a folder");
        let repo = looked_at(&folder);
        assert_eq!(paths(&repo), ["before"]);
        assert_eq!(paths(&repo), ["after", "before"]);
    }

    #[test]
    fn a_look_ahead_beside_another_index_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let repo = looked_at(&folder);
        command::git(folder.path(), &["add", "before"], b"").expect("git adds");
        assert_eq!(paths(&repo), ["after", "before"]);
    }

    #[test]
    fn what_changed_before_the_lock_was_taken_can_not_change_unseen() {
        let time = |secs| gix::index::entry::stat::Time { secs, nsecs: 0 };
        let stat = |mtime, ctime, dev| Stat {
            mtime: time(mtime),
            ctime: time(ctime),
            dev,
            ..Stat::default()
        };
        let seen = |stat| Seen {
            stat: Some(stat),
            content: None,
            leftover: false,
        };
        let witness = |began| Witness {
            began,
            ..Witness::default()
        };
        let locked = witness(Some(stat(100, 100, 1)));
        assert!(!locked.is_recent(&seen(stat(99, 99, 1))));
        assert!(locked.is_recent(&seen(stat(100, 99, 1))), "the same tick");
        assert!(
            locked.is_recent(&seen(stat(99, 100, 1))),
            "old times put on"
        );
        let now = u32::try_from(crate::clock::seconds_now()).expect("a time before 2106");
        for no_clock in [&locked, &witness(None)] {
            let elsewhere = |secs| seen(stat(secs, secs, 2));
            assert!(!no_clock.is_recent(&elsewhere(now - 60)));
            assert!(no_clock.is_recent(&elsewhere(now)));
        }
    }
}
