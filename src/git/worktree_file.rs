//! One file of the worktree as git would store it.

use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gix::bstr::BStr;
use gix::index::entry::Mode;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;

use super::filters::Filters;
use super::loose;
use super::repo::Repo;
use super::scan;
use super::trees::Leaf;
use crate::error::{Doing, Error, Result};
use crate::fault;

/// What is at a path. Folders count as nothing: their files are looked at on their own. So do
/// pipes and the like, which git can't store.
pub(crate) fn read(
    repo: &Repo,
    filters: &mut Filters<'_>,
    index: &gix::index::State,
    path: &BStr,
    on_disk: &Path,
) -> Result<Option<Leaf>> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Content {
        doing: "read",
        path: path.to_string(),
        source,
    };
    let Ok(metadata) = on_disk.symlink_metadata() else {
        return Ok(None);
    };
    let (kind, bytes) = if metadata.is_symlink() {
        let target = on_disk.read_link().map_err(|error| failed(error.into()))?;
        (EntryKind::Link, target.as_os_str().as_bytes().to_vec())
    } else if metadata.is_file() {
        const EXECUTABLE: u32 = 0o100;
        let kind = match metadata.permissions().mode() & EXECUTABLE {
            0 => EntryKind::Blob,
            _ => EntryKind::BlobExecutable,
        };
        let bytes = filters.stored(index, path, metadata.len(), || File::open(on_disk));
        (kind, bytes.map_err(failed)?)
    } else {
        return Ok(None);
    };
    let id = loose::write(repo, Kind::Blob, &bytes)?;
    Ok(Some(Leaf { kind, id }))
}

/// Turns files of the worktree into objects, through the user's filters.
pub(super) struct Content<'a> {
    repo: &'a Repo,
    index: &'a gix::index::State,
    filters: Option<Filters<'a>>,
}

impl<'a> Content<'a> {
    pub(super) fn new(repo: &'a Repo, index: &'a gix::index::State) -> Self {
        Content {
            repo,
            index,
            filters: None,
        }
    }

    pub(super) fn of_tracked(
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
        // Where the file system does not keep the executable bit, or has no links, the index knows
        // better.
        Ok(found.map(|leaf| Leaf {
            kind: match (leaf.kind, entry.mode) {
                (EntryKind::Blob, Mode::FILE_EXECUTABLE) if !trust_bit => EntryKind::BlobExecutable,
                (EntryKind::Blob | EntryKind::BlobExecutable, Mode::SYMLINK)
                    if !self.repo.has_links() =>
                {
                    EntryKind::Link
                }
                (kind, _) => kind,
            },
            ..leaf
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
        if self.filters.is_none() {
            self.filters = Some(Filters::new(self.repo, self.index)?);
        }
        let filters = self.filters.as_mut().expect("it was just set");
        fault::write("write-blob")?;
        let found = read(
            self.repo,
            filters,
            self.index,
            path,
            &self.repo.on_disk(path),
        )?;
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

/// What the index has of a file.
pub(super) fn leaf_of(entry: &gix::index::Entry) -> Option<Leaf> {
    let kind = entry.mode.to_tree_entry_mode()?.kind();
    Some(Leaf { kind, id: entry.id })
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
