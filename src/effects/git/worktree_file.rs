//! One file of the worktree as git would store it.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gix::bstr::BStr;
use gix::index::entry::Mode;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;

use super::loose;
use super::repo::Repo;
use super::scan;
use super::trees::Leaf;
use crate::effects::fault;
use crate::error::{Doing, Error, Result};

/// The user's filters and line ends, ready to be applied.
pub(crate) fn pipeline<'a>(
    repo: &'a Repo,
    index: &gix::index::State,
) -> Result<gix::filter::Pipeline<'a>> {
    let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
    let stack = repo
        .gix
        .attributes_only(index, source)
        .doing("read the attributes")?
        .detach();
    gix::filter::Pipeline::new(&repo.gix, stack).doing("set up the filters")
}

/// What is at a path. Folders count as nothing: their files are looked at on their own. So do
/// pipes and the like, which git can't store.
pub(crate) fn read(
    repo: &Repo,
    pipeline: &mut gix::filter::Pipeline<'_>,
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
        (
            kind,
            for_git(pipeline, index, path, on_disk, metadata.len()).map_err(failed)?,
        )
    } else {
        return Ok(None);
    };
    let id = loose::write(repo, Kind::Blob, &bytes)?;
    Ok(Some(Leaf { kind, id }))
}

/// The bytes of a file of about this length after the user's filters.
fn for_git(
    pipeline: &mut gix::filter::Pipeline<'_>,
    index: &gix::index::State,
    path: &BStr,
    on_disk: &Path,
    length: u64,
) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    // Without it a small file is read in five pieces. A huge one grows as it is read.
    const MOST_ROOM: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(length.min(MOST_ROOM) as usize + 1);
    pipeline
        .convert_to_git(File::open(on_disk)?, &gix::path::from_bstr(path)?, index)?
        .read_to_end(&mut bytes)?;
    Ok(bytes)
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
        if self.pipeline.is_none() {
            self.pipeline = Some(pipeline(self.repo, self.index)?);
        }
        let pipeline = self.pipeline.as_mut().expect("it was just set");
        fault::write("write-blob")?;
        let found = read(
            self.repo,
            pipeline,
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
