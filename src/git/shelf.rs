//! The shelf where a file waits that goes from the worktree or comes there, and the moves between
//! the two. None of them takes what an editor saves meanwhile.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::mount::Mount;
use super::repo::Repo;
use crate::error::{Error, Result};
use crate::{fault, git::free_name};

/// How much of a file's name is in the name of what is kept.
const LONGEST: usize = 100;

/// Where files wait, out of sight.
fn folder(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("aside")
}

/// The shelves for the files of a worktree. A file can't be moved from one mount to another, so that
/// one that is not where the git directory is waits at the top of its own.
pub(super) struct Shelves {
    root: PathBuf,
    own: PathBuf,
    own_mount: Option<Mount>,
    /// The folder that was asked about last, with the mount's top if it is another one's.
    last: Option<(PathBuf, Option<PathBuf>)>,
}

impl Shelves {
    pub(super) fn open(repo: &Repo) -> Result<Shelves> {
        let own = folder(repo);
        std::fs::create_dir_all(&own).map_err(|source| Error::io("create", &own, source))?;
        Ok(Shelves {
            root: repo.root().to_owned(),
            own_mount: Mount::of(&own),
            own,
            last: None,
        })
    }

    /// Where a file waits. It is the same place whichever folders are there by now: the next process
    /// has to find it.
    pub(super) fn place(&mut self, file: &Path, name: &str) -> PathBuf {
        let folder = file.parent().unwrap_or(&self.root);
        let known = self.last.as_ref().filter(|(last, _)| last == folder);
        let top = match known {
            Some((_, top)) => top.clone(),
            None => self.top_elsewhere(folder),
        };
        let place = match &top {
            Some(top) => top.join(format!(".git-tcr-{name}")),
            None => self.own.join(name),
        };
        self.last = Some((folder.to_owned(), top));
        place
    }

    /// The top of the mount that a folder is on, or will be, unless the git directory is on it too.
    fn top_elsewhere(&self, folder: &Path) -> Option<PathBuf> {
        let mut above = folder
            .ancestors()
            .take_while(|folder| folder.starts_with(&self.root))
            .filter_map(|folder| Some((folder, Mount::of(folder)?)));
        let (nearest, mount) = above.next()?;
        if Some(&mount) == self.own_mount.as_ref() {
            return None;
        }
        let top = above.take_while(|(_, other)| *other == mount).last();
        Some(top.map_or(nearest, |(top, _)| top).to_owned())
    }
}

/// What an editor saved during a put-back, and then saved once more: the first of the two.
pub(crate) fn kept(repo: &Repo) -> Result<Vec<PathBuf>> {
    let folder = folder(repo);
    let io = |source| Error::io("read", &folder, source);
    let items = match std::fs::read_dir(&folder) {
        Ok(items) => items,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io(error)),
    };
    let mut kept = Vec::new();
    for item in items {
        let path = item.map_err(io)?.path();
        // One that only waits has no name of its own.
        if path.extension().is_some() {
            kept.push(path);
        }
    }
    kept.sort();
    Ok(kept)
}

/// Takes a file away. An editor that saves at this very moment gets its file back.
pub(super) fn take_away(path: &Path, shelf: &Path, seen: &Option<Glance>) -> Result<bool> {
    match std::fs::rename(path, shelf) {
        Ok(()) => {}
        // Somebody else has just taken it away.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(true),
        Err(source) => return Err(Error::io("move", path, source)),
    }
    fault::point("path-set-aside");
    if Glance::of(shelf) != *seen {
        return give_back(path, shelf).map(|()| false);
    }
    remove(shelf).map(|()| true)
}

/// Gives an editor's file back. If it has saved once more since, that is the one to go on with;
/// the other stays on the shelf.
fn give_back(path: &Path, shelf: &Path) -> Result<()> {
    match rustix::fs::renameat_with(CWD, shelf, CWD, path, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(_) => keep(path, shelf),
    }
}

/// Gives what is on the shelf a name of its own there, so that nothing takes its place; the file's
/// name is in it, for those who look for it.
pub(super) fn keep(path: &Path, shelf: &Path) -> Result<()> {
    let own = path.file_name().unwrap_or_default().as_bytes();
    let mut name = shelf.as_os_str().to_owned();
    name.push(".");
    // The longest of names leaves no room for more.
    name.push(OsStr::from_bytes(&own[..own.len().min(LONGEST)]));
    let kept = free_name::beside(Path::new(&name));
    std::fs::rename(shelf, kept).map_err(|source| Error::io("move", shelf, source))
}

/// Replaces a file by the one on the shelf. An editor that saves at this very moment gets its file
/// back.
pub(super) fn swap(path: &Path, shelf: &Path, seen: &Option<Glance>) -> Result<bool> {
    let ours = Glance::of(shelf);
    match rustix::fs::renameat_with(CWD, shelf, CWD, path, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        // A file system without this kind of rename: a last look has to do.
        Err(Errno::INVAL | Errno::NOSYS) if Glance::of(path) == *seen => {
            std::fs::rename(shelf, path).map_err(|source| Error::io("write", path, source))?;
            return Ok(true);
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOENT) => return remove(shelf).map(|()| false),
        Err(errno) => return Err(Error::io("write", path, errno.into())),
    }
    fault::point("path-swapped");
    if Glance::of(shelf) != *seen {
        exchange(path, shelf)?;
        if Glance::of(shelf) != ours {
            // It has saved once more: that is the one to go on with.
            exchange(path, shelf)?;
            keep(path, shelf)?;
        } else {
            remove(shelf)?;
        }
        return Ok(false);
    }
    remove(shelf).map(|()| true)
}

/// Puts the file on the shelf in place, unless something is there by now.
pub(super) fn put(path: &Path, shelf: &Path) -> Result<bool> {
    // An empty folder, left where a file belongs, holds nothing of value.
    if path.is_dir() && !path.is_symlink() {
        remove_empty_folders(path);
    }
    match rustix::fs::renameat_with(CWD, shelf, CWD, path, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => remove(shelf).map(|()| false),
        // A file system without this kind of rename: a last look has to do.
        Err(Errno::INVAL | Errno::NOSYS) if path.symlink_metadata().is_err() => {
            std::fs::rename(shelf, path).map_err(|source| Error::io("write", path, source))?;
            Ok(true)
        }
        Err(Errno::INVAL | Errno::NOSYS) => remove(shelf).map(|()| false),
        Err(errno) => Err(Error::io("write", path, errno.into())),
    }
}

pub(super) fn exchange(path: &Path, shelf: &Path) -> Result<()> {
    rustix::fs::renameat_with(CWD, shelf, CWD, path, RenameFlags::EXCHANGE)
        .map_err(|errno| Error::io("write", path, errno.into()))
}

pub(super) fn remove(shelf: &Path) -> Result<()> {
    std::fs::remove_file(shelf).map_err(|source| Error::io("remove", shelf, source))
}

/// What tells one version of a file from the next without reading it.
#[derive(PartialEq, Eq)]
pub(super) struct Glance {
    modified: Option<std::time::SystemTime>,
    length: u64,
    inode: u64,
}

impl Glance {
    pub(super) fn of(path: &Path) -> Option<Glance> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Glance {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            inode: metadata.ino(),
        })
    }
}

fn remove_empty_folders(folder: &Path) {
    if let Ok(items) = std::fs::read_dir(folder) {
        for item in items.flatten() {
            remove_empty_folders(&item.path());
        }
    }
    // A folder that is not empty stays, and the caller finds it there.
    drop(std::fs::remove_dir(folder));
}
