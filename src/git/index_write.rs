//! Writes the index in process, where that is as good as having git do it: an index of the plain
//! format, without anything that would be lost on the way.
//!
//! Starting git costs more than all the rest of a small commit, and an entry that git sets by
//! content alone has no file times, so that every later scan has to read the file.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::objs::tree::EntryKind;

use super::cached_trees;
use super::index_lock::IndexLock;
use super::repo::Repo;
use super::scan;
use super::trees::Leaf;
use super::worktree_file::Content;
use crate::error::{Doing, Result};

/// What a path of the index becomes; `None` if it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The path from the root.
    pub(crate) path: BString,
    /// The new content.
    pub(crate) leaf: Option<Leaf>,
}

/// A file's `stat` while its content was as the index has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fresh {
    /// The path from the root.
    pub(crate) path: BString,
    /// What `stat` said before the content was read.
    pub(crate) stat: Stat,
}

/// More files than this without a `stat` are left to a later scan.
const READ_AGAIN: usize = 64;

/// Sets paths of the index, which is meant to be as `tree` afterwards. `false`: git has to do it.
pub(crate) fn set(repo: &Repo, edits: &[Edit], tree: gix::ObjectId) -> Result<bool> {
    let Some(mut held) = HeldIndex::take(repo)? else {
        return Ok(false);
    };
    if !held.apply(edits) {
        return Ok(false);
    }
    held.note_stats();
    cached_trees::renew(
        repo,
        &mut held.index,
        edits.iter().map(|edit| edit.path.as_bstr()),
        tree,
    )?;
    held.write().map(|()| true)
}

/// Takes note of file times, so that the files need not be read again. `false`: git has to do it.
pub(crate) fn freshen(repo: &Repo, fresh: &[Fresh]) -> Result<bool> {
    let Some(mut held) = HeldIndex::take(repo)? else {
        return Ok(false);
    };
    for item in fresh {
        if let Some(entry) = held
            .index
            .entry_mut_by_path_and_stage(item.path.as_bstr(), Stage::Unconflicted)
        {
            entry.stat = item.stat;
        }
    }
    held.write().map(|()| true)
}

/// Whether a file with this `stat` may change later without its times telling: git compares whole
/// seconds.
pub(crate) fn is_too_young(stat: &Stat, now: u64) -> bool {
    u64::from(stat.mtime.secs) >= now
}

/// The index while nobody else can change it.
struct HeldIndex<'a> {
    repo: &'a Repo,
    lock: IndexLock,
    index: gix::index::File,
}

impl<'a> HeldIndex<'a> {
    /// Locks and reads the index; `None` if it is not ours to write.
    fn take(repo: &'a Repo) -> Result<Option<Self>> {
        if !is_plain_setup(repo) {
            return Ok(None);
        }
        let Some(lock) = IndexLock::take(repo)? else {
            return Ok(None);
        };
        if !repo.gix.index_path().exists() {
            return Ok(None);
        }
        let index = repo.take_index()?;
        Ok(is_plain(&index).then_some(HeldIndex { repo, lock, index }))
    }

    /// Makes the edits; `false` if they do not fit together with the rest.
    fn apply(&mut self, edits: &[Edit]) -> bool {
        let mut gone = Vec::new();
        let mut added = Vec::new();
        for edit in edits {
            let path = edit.path.as_bstr();
            let known = self.index.entry_index_by_path(path).ok();
            let mode = match edit.leaf.map(|leaf| mode_of(leaf.kind)) {
                Some(Some(mode)) => mode,
                Some(None) => return false,
                None => {
                    gone.extend(known);
                    continue;
                }
            };
            let Some(leaf) = edit.leaf else { continue };
            match known {
                Some(at) => {
                    if let Some(entry) = self.index.entries_mut().get_mut(at) {
                        (entry.id, entry.mode) = (leaf.id, mode);
                        (entry.flags, entry.stat) = (Flags::empty(), Stat::default());
                    }
                }
                None => added.push((path, leaf.id, mode)),
            }
        }
        if !gone.is_empty() {
            gone.sort_unstable();
            self.index
                .remove_entries(|at, _, _| gone.binary_search(&at).is_ok());
        }
        for (path, id, mode) in &added {
            self.index
                .dangerously_push_entry(Stat::default(), *id, Flags::empty(), *mode, path);
        }
        if !added.is_empty() {
            self.index.sort_entries();
        }
        added
            .iter()
            .all(|(path, ..)| !self.is_file_and_folder(path))
    }

    /// Whether a path, or a part of it, is there both as a file and as a folder.
    fn is_file_and_folder(&self, path: &BStr) -> bool {
        let mut below = path.to_owned();
        below.push(b'/');
        let is_folder = self.index.prefixed_entries_range(below.as_bstr()).is_some();
        let is_below_file = path
            .find_iter("/")
            .filter_map(|end| path.get(..end))
            .any(|folder| self.index.entry_index_by_path(folder.as_bstr()).is_ok());
        is_folder || is_below_file
    }

    /// Entries that were set by content alone get their file's `stat`, once it can be relied upon.
    fn note_stats(&mut self) {
        let now = crate::clock::seconds_now();
        let without: Vec<usize> = self
            .index
            .entries()
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.stat == Stat::default() && entry.mode != Mode::COMMIT)
            .map(|(at, _)| at)
            .collect();
        if without.len() > READ_AGAIN {
            return;
        }
        let mut found = Vec::new();
        let mut content = Content::new(self.repo, &self.index);
        for at in without {
            let path = scan::path_of(&self.index, at);
            let look = || {
                rustix::fs::lstat(self.repo.on_disk(path))
                    .ok()
                    .map(|raw| scan::index_stat(&raw))
            };
            let Some(stat) = look().filter(|stat| !is_too_young(stat, now)) else {
                continue;
            };
            let entry = self.index.entry(at);
            // A filter that fails here has not failed when it counted.
            let leaf = content.of(path).ok().flatten();
            if leaf
                .is_some_and(|leaf| leaf.id == entry.id && mode_of(leaf.kind) == Some(entry.mode))
            {
                found.push((at, stat));
            }
        }
        for (at, stat) in found {
            if let Some(entry) = self.index.entries_mut().get_mut(at) {
                entry.stat = stat;
            }
        }
    }

    fn write(self) -> Result<()> {
        let HeldIndex { repo, lock, index } = self;
        let writing = "write the index";
        let skip_hash = repo
            .gix
            .config_snapshot()
            .boolean("index.skipHash")
            .unwrap_or(false);
        // Hashed in one go: entry by entry takes several times as long.
        let options = gix::index::write::Options {
            skip_hash: true,
            ..Default::default()
        };
        let mut bytes = Vec::new();
        index.write_to(&mut bytes, options).doing(writing)?;
        if !skip_hash {
            let kind = repo.gix.object_hash();
            let end = bytes.len().saturating_sub(kind.len_in_bytes());
            let mut hasher = gix::hash::hasher(kind);
            hasher.update(bytes.get(..end).unwrap_or_default());
            let hash = hasher.try_finalize().doing(writing)?;
            bytes.truncate(end);
            bytes.extend_from_slice(hash.as_slice());
        }
        lock.commit(&bytes)
    }
}

/// Settings under which git writes more than the entries.
fn is_plain_setup(repo: &Repo) -> bool {
    let config = repo.gix.config_snapshot();
    let on = |key: &str| config.boolean(key).unwrap_or(false);
    config.string("core.sharedRepository").is_none()
        && config.string("index.version").is_none()
        && !on("core.splitIndex")
        && !on("core.untrackedCache")
        && !on("core.fsmonitor")
        && !on("feature.manyFiles")
}

/// Whether all that this index holds can be written again.
fn is_plain(index: &gix::index::State) -> bool {
    use gix::index::Version;
    matches!(index.version(), Version::V2 | Version::V3)
        && !index.is_sparse()
        && index.link().is_none()
        && index.resolve_undo().is_none()
        && index.untracked().is_none()
        && index.fs_monitor().is_none()
        && index
            .entries()
            .iter()
            .all(|entry| entry.stage() == Stage::Unconflicted)
}

fn mode_of(kind: EntryKind) -> Option<Mode> {
    match kind {
        EntryKind::Blob => Some(Mode::FILE),
        EntryKind::BlobExecutable => Some(Mode::FILE_EXECUTABLE),
        EntryKind::Link => Some(Mode::SYMLINK),
        EntryKind::Commit => Some(Mode::COMMIT),
        EntryKind::Tree => None,
    }
}
