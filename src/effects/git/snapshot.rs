//! The worktree as a tree, without touching the user's index.
//!
//! The tree holds what the worktree holds: tracked files as they are now, untracked ones that
//! are not ignored, staged deletions. Index flags that hide changes are not believed.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::objs::tree::EntryKind;

use super::index_diff::{self, Staged};
use super::index_write::{Fresh, is_too_young};
use super::repo::Repo;
use super::scan::{self, Scan, ScanRules, path_of};
use super::trees::{self, Change, Leaf};
use super::untracked::{self, Untracked};
use super::worktree_file;
use crate::effects::fault;
use crate::error::{Doing, Error, Result};

/// The worktree at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The worktree's content.
    pub(crate) tree: gix::ObjectId,
    /// What differs from HEAD's tree.
    pub(crate) changes: Vec<Change>,
    /// Paths whose staged content is neither HEAD's nor the worktree's.
    pub(crate) staged_only: Vec<Staged>,
    /// Folders that are repositories of their own without being submodules.
    pub(crate) nested: Vec<BString>,
    /// Submodules whose own worktree has uncommitted changes can't be part of the tree.
    pub(crate) witness: Witness,
    /// Tracked files that had to be read though their content is as the index says.
    pub(crate) stale: Vec<Fresh>,
}

/// What was seen of the files that are not as the index has them, to find out later whether
/// anything changed since.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Witness {
    tracked: BTreeMap<BString, Seen>,
    untracked: BTreeMap<BString, Seen>,
}

/// One file as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    stat: Option<Stat>,
    content: Option<Leaf>,
    /// Left behind by an earlier run and not part of the tree.
    leftover: bool,
}

/// How the worktree differs from what a snapshot saw.
#[derive(Debug, Default)]
pub(crate) struct Drift {
    /// Paths that were changed, deleted or replaced since.
    pub(crate) changed: BTreeSet<BString>,
    /// Untracked files that were written again with the same content.
    pub(crate) rewritten: BTreeSet<BString>,
    /// Paths that were not there, and leftovers with new content.
    pub(crate) new: BTreeSet<BString>,
    /// What is staged by now and is neither HEAD's nor the snapshot's.
    pub(crate) staged_only: Vec<Staged>,
}

/// What a snapshot leaves out and takes in.
pub(crate) struct SnapshotRules<'a> {
    /// Files that earlier test runs left behind, left out while unchanged.
    pub(crate) leftovers: &'a BTreeMap<BString, gix::ObjectId>,
    /// Whether a path is one that an edited ignore file must not hide.
    pub(crate) never_hidden: &'a dyn Fn(&BStr) -> bool,
}

/// Takes a snapshot.
pub(crate) fn take(
    repo: &Repo,
    head_tree: gix::ObjectId,
    rules: &SnapshotRules<'_>,
) -> Result<Snapshot> {
    let now = crate::clock::seconds_now();
    let index = repo.index()?;
    let scan = scan::scan(repo.root(), &index, scan_rules(repo)?)?;
    let (strangers, staged) = strangers_apart(
        repo,
        index_diff::staged(repo, &index, head_tree)?,
        head_tree,
    )?;
    let mut content = Content::new(repo, &index);
    let mut after: BTreeMap<BString, Option<Leaf>> = BTreeMap::new();
    let mut witness = Witness::default();
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
        if let Some(stat) = suspect.stat.filter(|stat| !is_too_young(stat, now))
            && found == leaf_of(entry)
            && entry.mode != Mode::COMMIT
            && !entry.flags.contains(Flags::INTENT_TO_ADD)
        {
            let path = path.to_owned();
            stale.push(Fresh { path, stat });
        }
        after.insert(path.to_owned(), found);
        let seen = Seen {
            stat: suspect.stat,
            content: found,
            leftover: false,
        };
        witness.tracked.insert(path.to_owned(), seen);
    }
    let listed = untracked::list(repo, &index, &scan, head_tree, &after, rules.never_hidden)?;
    for (path, stat) in &listed.files {
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
        witness,
        stale,
    })
}

/// What changed in the worktree since a snapshot was taken.
pub(crate) fn drift(
    repo: &Repo,
    head_tree: gix::ObjectId,
    snapshot: &Snapshot,
    rules: &SnapshotRules<'_>,
) -> Result<Drift> {
    let index = repo.index()?;
    let mut scan = scan::scan(repo.root(), &index, scan_rules(repo)?)?;
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
    let mut look = Look {
        repo,
        snapshot,
        content: Content::new(repo, &index),
        drift: Drift::default(),
    };
    look.at_tracked(&index, &scan, &staged)?;
    look.at_untracked(&listed)?;
    look.drift.staged_only = staged_only(repo, &staged, &snapshot.changes, head_tree)?;
    Ok(look.drift)
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
            let before = match witness.tracked.get(path) {
                Some(seen) if seen.stat == suspect.stat && !seen.is_recent() => continue,
                Some(seen) => seen.content,
                // It was as the index had it then.
                None => self.in_snapshot(path)?,
            };
            let entry = &index.entries()[suspect.entry];
            if self.content.of_tracked(path, suspect, entry)? != before {
                self.drift.changed.insert(path.to_owned());
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

    fn at_untracked(&mut self, listed: &Untracked) -> Result<()> {
        let witness = &self.snapshot.witness;
        for (path, stat) in &listed.files {
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
                Some(seen) if seen.stat == Some(*stat) && !seen.is_recent() => {}
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
            .filter(|(path, _)| !listed.files.contains_key(*path));
        for (path, _) in gone.filter(|(_, seen)| !seen.leftover) {
            // Unless it was put into the index meanwhile.
            if self.is_gone(path.as_bstr()) {
                self.drift.changed.insert(path.clone());
            }
        }
        Ok(())
    }
}

/// The hash of a file's bytes as they are on disk; nothing is written.
pub(crate) fn raw_hash(repo: &Repo, path: &BStr) -> Result<Option<gix::ObjectId>> {
    let on_disk = repo.on_disk(path);
    let bytes = match on_disk.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => {
            std::fs::read_link(&on_disk).map(|target| target.into_os_string().into_encoded_bytes())
        }
        Ok(metadata) if metadata.is_file() => std::fs::read(&on_disk),
        _ => return Ok(None),
    };
    let bytes = bytes.map_err(|error| Error::io("read", &on_disk, error))?;
    let hash = gix::objs::compute_hash(repo.gix.object_hash(), gix::objs::Kind::Blob, &bytes);
    Ok(Some(hash.doing("hash a file")?))
}

impl Seen {
    /// A file written within the file system's clock tick could be written again without a
    /// change of its times. Reading a few files again is cheap.
    fn is_recent(&self) -> bool {
        let Some(stat) = self.stat else { return false };
        let age = crate::clock::seconds_now().saturating_sub(u64::from(stat.mtime.secs));
        age < 3
    }
}

fn leaf_of(entry: &gix::index::Entry) -> Option<Leaf> {
    let kind = entry.mode.to_tree_entry_mode()?.kind();
    Some(Leaf { kind, id: entry.id })
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
fn staged_only(
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
fn strangers_apart(
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
    let config = repo.gix.config_snapshot();
    Ok(ScanRules {
        stat: repo.gix.stat_options().doing("read the config")?,
        trust_executable_bit: repo.trusts_executable_bit(),
        sparse: config.boolean("core.sparseCheckout").unwrap_or(false),
    })
}

/// Turns files of the worktree into objects, through the user's filters.
pub(super) struct Content<'a> {
    repo: &'a Repo,
    index: &'a gix::index::State,
    pipeline: Option<gix::filter::Pipeline<'a>>,
}

impl<'a> Content<'a> {
    pub(super) fn new(repo: &'a Repo, index: &'a gix::index::State) -> Self {
        Content {
            repo,
            index,
            pipeline: None,
        }
    }

    fn of_tracked(
        &mut self,
        path: &BStr,
        suspect: &scan::Suspect,
        entry: &gix::index::Entry,
    ) -> Result<Option<Leaf>> {
        if suspect.stat.is_none() {
            return Ok(None);
        }
        if entry.mode == Mode::COMMIT {
            return Ok(self.submodule(path)?.or_else(|| leaf_of(entry)));
        }
        let found = self.of(path)?;
        let trust_bit = self.repo.trusts_executable_bit();
        Ok(found.map(|leaf| match (leaf.kind, entry.mode) {
            // Where the executable bit is not kept, the index knows better.
            (EntryKind::Blob, Mode::FILE_EXECUTABLE) if !trust_bit => Leaf {
                kind: EntryKind::BlobExecutable,
                ..leaf
            },
            _ => leaf,
        }))
    }

    /// A submodule's commit; `None` while it is not checked out.
    fn submodule(&self, path: &BStr) -> Result<Option<Leaf>> {
        let folder = self.repo.on_disk(path);
        if !folder.join(".git").exists() {
            return Ok(None);
        }
        let Ok(submodule) = gix::open(&folder) else {
            return Ok(None);
        };
        Ok(submodule.head_id().ok().map(|id| Leaf {
            kind: EntryKind::Commit,
            id: id.detach(),
        }))
    }

    /// What a file is now; nothing if there is none.
    pub(super) fn of(&mut self, path: &BStr) -> Result<Option<Leaf>> {
        if self.pipeline.is_none() {
            self.pipeline = Some(worktree_file::pipeline(self.repo, self.index)?);
        }
        let pipeline = self.pipeline.as_mut().expect("it was just set");
        fault::write("write-blob")?;
        let found = worktree_file::read(pipeline, self.index, path, &self.repo.on_disk(path))?;
        let trust_bit = self.repo.trusts_executable_bit();
        Ok(found.map(|leaf| match leaf.kind {
            EntryKind::BlobExecutable if !trust_bit => Leaf {
                kind: EntryKind::Blob,
                ..leaf
            },
            _ => leaf,
        }))
    }
}
