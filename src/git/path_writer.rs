//! Brings single paths of the worktree to another content.
//!
//! A path is replaced in one step: at every moment it has its old content or its new one. The
//! file that is going, or coming, waits on a shelf under a name that follows from the path, so that
//! after a crash the next process finds it. A file that an editor saved in the last moment is given
//! back.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::EntryKind;

use super::filters::Filters;
use super::later_times;
use super::read_index::ReadIndex;
use super::repo::Repo;
use super::shelf::{self, Glance, Shelves};
use super::trees::{Change, Leaf};
use super::worktree_file;
use crate::error::{Doing, Error, Result};
use crate::fault;

/// Writes to the worktree, through the user's filters.
pub(super) struct PathWriter<'a> {
    repo: &'a Repo,
    filters: Filters<'a>,
    index: Arc<ReadIndex>,
    shelves: Shelves,
}

impl<'a> PathWriter<'a> {
    pub(super) fn new(repo: &'a Repo) -> Result<Self> {
        let index = repo.index()?;
        let filters = Filters::new(repo, &index)?;
        Ok(PathWriter {
            repo,
            filters,
            index,
            shelves: Shelves::open(repo)?,
        })
    }

    /// The attributes of the worktree may be others by now.
    pub(super) fn read_attributes_again(&mut self) -> Result<()> {
        self.filters = Filters::new(self.repo, &self.index)?;
        Ok(())
    }

    /// Looks at a path before anything is written; `None` if an edit is there that has to stay.
    pub(super) fn look(&mut self, change: &Change) -> Result<Option<Seen>> {
        if self.is_beyond_a_link(change.path.as_bstr()) {
            return Ok(Some(Seen::default()));
        }
        let path = self.repo.on_disk(change.path.as_bstr());
        let shelf = self.shelf(change.path.as_bstr(), &path)?;
        if !self.clear(&shelf, change, &path)? {
            return Ok(None);
        }
        let glance = Glance::of(&path);
        let content = self.content(change.path.as_bstr(), &path)?;
        Ok(Some(Seen { glance, content }))
    }

    /// Brings one path to its new content; `false` if something else stands there.
    pub(super) fn bring(&mut self, change: &Change, seen: &Seen) -> Result<bool> {
        let path = self.repo.on_disk(change.path.as_bstr());
        let found = seen.content;
        if self.is_same(found, change.after) {
            return Ok(true);
        }
        let in_the_way = found.is_none() && path.is_dir() && !is_empty_tree(&path);
        if !self.is_same(found, change.before)
            || in_the_way
            || self.has_no_folder(change.path.as_bstr())
        {
            return Ok(false);
        }
        let shelf = self.shelf(change.path.as_bstr(), &path)?;
        let Some(leaf) = change.after else {
            return shelf::take_away(&path, &shelf, &seen.glance);
        };
        self.prepare(change.path.as_bstr(), leaf, &path, &shelf)?;
        fault::point("path-prepared");
        match found {
            Some(_) => shelf::swap(&path, &shelf, &seen.glance),
            None => shelf::put(&path, &shelf),
        }
    }

    /// Where the executable bit is not kept, or there are no links, that is no difference.
    fn is_same(&self, one: Option<Leaf>, other: Option<Leaf>) -> bool {
        let trusted = self.repo.trusts_executable_bit();
        let has_links = self.repo.has_links();
        let plain = |leaf: Option<Leaf>| {
            leaf.map(|leaf| Leaf {
                kind: match leaf.kind {
                    EntryKind::BlobExecutable if !trusted => EntryKind::Blob,
                    EntryKind::Link if !has_links => EntryKind::Blob,
                    kind => kind,
                },
                ..leaf
            })
        };
        plain(one) == plain(other)
    }

    /// A link where a folder was leads elsewhere: nothing is read or written through it.
    fn is_beyond_a_link(&self, path: &BStr) -> bool {
        path.find_iter("/")
            .any(|end| self.repo.on_disk(path[..end].as_bstr()).is_symlink())
    }

    /// Something else is where a folder of the path has to be: a link, a pipe, or a file that is not
    /// ours to remove, such as one that git ignores.
    fn has_no_folder(&self, path: &BStr) -> bool {
        path.find_iter("/").any(|end| {
            let found = self.repo.on_disk(path[..end].as_bstr()).symlink_metadata();
            found.is_ok_and(|metadata| !metadata.is_dir())
        })
    }

    /// A folder that only the removed path needed goes with it.
    pub(super) fn remove_empty_parents(&self, change: &Change, to: &str) -> Result<()> {
        let tree = gix::ObjectId::from_hex(to.as_bytes()).doing("read an object id")?;
        let tree = self.repo.gix.find_tree(tree).doing("read a tree")?;
        let mut folder: &BStr = change.path.as_bstr();
        while let Some(end) = folder.rfind_byte(b'/') {
            folder = folder[..end].as_bstr();
            let known = tree
                .lookup_entry(folder.split(|byte| *byte == b'/'))
                .doing("read a tree")?;
            let on_disk = self.repo.on_disk(folder);
            // Only an empty folder can be removed this way.
            if known.is_some() || std::fs::remove_dir(&on_disk).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Where the file that goes or comes waits.
    fn shelf(&mut self, path: &BStr, on_disk: &Path) -> Result<PathBuf> {
        let kind = gix::objs::Kind::Blob;
        let name = gix::objs::compute_hash(self.repo.gix.object_hash(), kind, path)
            .doing("hash a path")?;
        Ok(self.shelves.place(on_disk, &name.to_string()))
    }

    /// Clears away what a process that died left on the shelf; `false` if that is an edit, which
    /// is then given back.
    fn clear(&mut self, shelf: &Path, change: &Change, path: &Path) -> Result<bool> {
        if shelf.symlink_metadata().is_err() {
            return Ok(true);
        }
        if self.is_known(shelf, change)? {
            return shelf::remove(shelf).map(|()| true);
        }
        let here = self.content(change.path.as_bstr(), path)?;
        if path.symlink_metadata().is_err() {
            shelf::put(path, shelf)?;
        } else if here.is_some() && here == change.after {
            shelf::exchange(path, shelf)?;
            shelf::remove(shelf)?;
        } else {
            // It was saved again since: neither may be lost.
            shelf::keep(path, shelf)?;
        }
        Ok(false)
    }

    /// Whether what is on the shelf is the old content, or the new one as far as it was written.
    fn is_known(&mut self, shelf: &Path, change: &Change) -> Result<bool> {
        let io = |source| Error::io("read", shelf, source);
        let is_link = shelf.symlink_metadata().map_err(io)?.is_symlink();
        let raw = if is_link {
            let target = std::fs::read_link(shelf).map_err(io)?;
            target.into_os_string().into_encoded_bytes()
        } else {
            std::fs::read(shelf).map_err(io)?
        };
        if let Some(after) = change.after
            && self
                .filters
                .checked_out(change.path.as_bstr(), after)?
                .starts_with(&raw)
        {
            return Ok(true);
        }
        let Some(before) = change.before else {
            return Ok(false);
        };
        let cleaned = if is_link {
            raw
        } else {
            let (path, length) = (change.path.as_bstr(), raw.len() as u64);
            let cleaned = self
                .filters
                .stored(&self.index, path, length, || Ok(raw.as_slice()));
            cleaned.doing("apply the filters")?
        };
        let kind = gix::objs::Kind::Blob;
        let hash = gix::objs::compute_hash(self.repo.gix.object_hash(), kind, &cleaned);
        Ok(hash.doing("hash a file")? == before.id)
    }

    fn content(&mut self, path: &BStr, on_disk: &Path) -> Result<Option<Leaf>> {
        worktree_file::read(self.repo, &mut self.filters, &self.index, path, on_disk)
    }

    /// Puts the new content on the shelf.
    fn prepare(&mut self, path: &BStr, leaf: Leaf, on_disk: &Path, shelf: &Path) -> Result<()> {
        let folder = on_disk
            .parent()
            .ok_or_else(|| Error::internal("a path has no folder"))?;
        std::fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
        let content = self.filters.checked_out(path, leaf)?;
        fault::write("write-file")?;
        let written = if leaf.kind == EntryKind::Link && self.repo.has_links() {
            std::os::unix::fs::symlink(OsStr::from_bytes(&content), shelf)
        } else {
            let mode = match leaf.kind {
                EntryKind::BlobExecutable => 0o777,
                _ => 0o666,
            };
            std::fs::File::options()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(shelf)
                .and_then(|mut file| file.write_all(&content))
        };
        if let Err(source) = written {
            // Half a file is of no use; the next process would clear it away too.
            drop(std::fs::remove_file(shelf));
            return Err(Error::io("write", on_disk, source));
        }
        later_times::set_apart(shelf, on_disk);
        Ok(())
    }
}

/// What was at a path before anything was written.
#[derive(Default)]
pub(super) struct Seen {
    glance: Option<Glance>,
    content: Option<Leaf>,
}

fn is_empty_tree(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|items| {
        items.flatten().all(|item| {
            item.file_type().is_ok_and(|kind| kind.is_dir()) && is_empty_tree(&item.path())
        })
    })
}
