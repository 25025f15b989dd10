//! Where labs lie on disk: a folder per worktree, and in it one per experiment.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::no_lab::{Doing, NoLab, Why};

/// The folders of one worktree's lab.
#[derive(Debug)]
pub(super) struct Place {
    /// What only we look into.
    own: PathBuf,
    /// The checkout, named as the worktree is.
    pub(super) checkout: PathBuf,
}

/// The folder of one experiment. It is locked while it is used, and removed at the end.
#[derive(Debug)]
pub(super) struct RoomFolder {
    path: PathBuf,
    _lock: File,
}

impl Place {
    /// The place for a worktree; makes what is missing and removes what killed ones left.
    pub(super) fn open(cache: &Path, worktree: &Path) -> Result<Place, NoLab> {
        let worktree = worktree
            .canonicalize()
            .map_err(|error| NoLab::io(Doing::Read, worktree, &error))?;
        let place = Place::of(cache, &worktree)?;
        let rooms = place.own.join("rooms");
        fs::create_dir_all(&rooms).map_err(|error| NoLab::io(Doing::Write, &rooms, &error))?;
        let origin = place.own.join("origin");
        fs::write(&origin, worktree.as_os_str().as_bytes())
            .map_err(|error| NoLab::io(Doing::Write, &origin, &error))?;
        place.remove_leftovers()?;
        place.remove_orphans();
        Ok(place)
    }

    fn of(cache: &Path, worktree: &Path) -> Result<Place, NoLab> {
        let base = base(cache, worktree)?;
        let id = short_id(worktree);
        let name = worktree.file_name().unwrap_or("root".as_ref());
        Ok(Place {
            own: base.join(format!("{id}.lab")),
            checkout: base.join(id).join(name),
        })
    }

    /// Removes everything there is of a worktree's lab.
    pub(super) fn remove(cache: &Path, worktree: &Path) -> Result<(), NoLab> {
        let known = worktree.canonicalize();
        let place = Place::of(cache, known.as_deref().unwrap_or(worktree))?;
        for path in place.checkout.parent().into_iter().chain([&*place.own]) {
            remove_all(path).map_err(|error| NoLab::io(Doing::Remove, path, &error))?;
        }
        // Others may have theirs beside it.
        let _ = place.own.parent().map(fs::remove_dir);
        Ok(())
    }

    /// Labs of worktrees that are gone.
    fn remove_orphans(&self) {
        let base = self.own.parent().map(fs::read_dir);
        for entry in base.into_iter().flatten().flatten().flatten() {
            let own = entry.path();
            let Ok(origin) = fs::read(own.join("origin")) else {
                continue;
            };
            let is_gone = fs::symlink_metadata(OsStr::from_bytes(&origin))
                .is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            if is_gone {
                // What stays is for the next one to remove.
                let _ = remove_all(&own.with_extension(""));
                let _ = remove_all(&own);
            }
        }
    }

    /// A file that only we look into.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.own.join(name)
    }

    /// A new room's folder.
    pub(super) fn new_room(&self) -> Result<RoomFolder, NoLab> {
        let _whole = self.lock()?;
        let rooms = self.own.join("rooms");
        let mut number = 0_u32;
        loop {
            let path = rooms.join(number.to_string());
            match fs::create_dir(&path) {
                Ok(()) => return RoomFolder::lock(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(NoLab::io(Doing::Write, &path, &error)),
            }
        }
    }

    /// Held while rooms come and go, so that a new one is not taken for a leftover.
    fn lock(&self) -> Result<File, NoLab> {
        let path = self.own.join("lock");
        let locked = File::create(&path).and_then(|file| {
            flock(&file, FlockOperation::LockExclusive)?;
            Ok(file)
        });
        locked.map_err(|error| NoLab::io(Doing::Lock, &path, &error))
    }

    fn remove_leftovers(&self) -> Result<(), NoLab> {
        let _whole = self.lock()?;
        let rooms = fs::read_dir(self.own.join("rooms"));
        for entry in rooms.into_iter().flatten().flatten() {
            let path = entry.path();
            if !is_in_use(&path) {
                remove_all(&path).map_err(|error| NoLab::io(Doing::Remove, &path, &error))?;
            }
        }
        Ok(())
    }
}

fn is_in_use(room: &Path) -> bool {
    let Ok(file) = File::open(room.join("lock")) else {
        return false;
    };
    flock(&file, FlockOperation::NonBlockingLockExclusive).is_err()
}

impl RoomFolder {
    fn lock(path: PathBuf) -> Result<RoomFolder, NoLab> {
        let file = path.join("lock");
        let locked = File::create(&file).and_then(|lock| {
            flock(&lock, FlockOperation::LockExclusive)?;
            Ok(lock)
        });
        let lock = locked.map_err(|error| NoLab::io(Doing::Lock, &file, &error))?;
        Ok(RoomFolder { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what runs in it have left.
    pub(super) fn clear_runs(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.file_name().as_bytes().starts_with(b"run-") {
                // What stays is removed with the room.
                let _ = remove_all(&entry.path());
            }
        }
    }
}

impl Drop for RoomFolder {
    fn drop(&mut self) {
        // What stays is a leftover for the next one to remove.
        let _ = remove_all(&self.path);
    }
}

/// Removes a folder with everything in it, whatever its permissions are.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    open_up(path)?;
    fs::remove_dir_all(path)
}

fn open_up(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

/// The folder of all labs: in the user's cache, or where that is a part of the worktree, in the
/// system's folder for temporary files. A lab inside would be watched and copied itself.
fn base(cache: &Path, worktree: &Path) -> Result<PathBuf, NoLab> {
    let inside = |path: &Path| real(path).starts_with(worktree);
    if !inside(cache) {
        return Ok(cache.join("git-tcr"));
    }
    let user = rustix::process::geteuid();
    let path = std::env::temp_dir().join(format!("git-tcr-{}", user.as_raw()));
    if inside(&path) {
        return Err(Why::InsideWorktree(path).into());
    }
    // Anybody can make a folder there.
    let _ = fs::DirBuilder::new().mode(0o700).create(&path);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() && found.uid() == user.as_raw() => Ok(path),
        Ok(_) => Err(Why::ForeignOwner(path).into()),
        Err(error) => Err(NoLab::io(Doing::Write, &path, &error)),
    }
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|above| {
            let below = path.strip_prefix(above).ok()?;
            Some(above.canonicalize().ok()?.join(below))
        })
        .unwrap_or_else(|| path.to_path_buf())
}

/// A short name for a path: FNV-1a. Short, as sockets have room for 108 bytes only.
fn short_id(path: &Path) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in path.as_os_str().as_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{:08x}", hash >> 32 ^ hash & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_gone_with_its_use_and_a_used_one_is_no_leftover() {
        let dir = tempfile::tempdir().unwrap();
        let (cache, tree) = (dir.path().join("cache"), dir.path().join("tree"));
        fs::create_dir(&tree).unwrap();
        let place = Place::open(&cache, &tree).unwrap();
        let (one, two) = (place.new_room().unwrap(), place.new_room().unwrap());
        let (first, second) = (one.path().to_path_buf(), two.path().to_path_buf());
        assert_ne!(first, second);
        let left = place.own.join("rooms/77");
        fs::create_dir_all(left.join("deep")).unwrap();
        fs::set_permissions(left.join("deep"), Permissions::from_mode(0o0)).unwrap();
        Place::open(&cache, &tree).unwrap();
        assert!(first.is_dir() && !left.exists());
        drop(one);
        assert!(!first.exists() && second.is_dir());
        drop(two);
        Place::remove(&cache, &tree).unwrap();
        assert!(!cache.join("git-tcr").exists());
    }

    #[test]
    fn the_lab_of_a_worktree_that_is_gone_goes_too() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        fs::create_dir(&one).unwrap();
        fs::create_dir(&two).unwrap();
        let first = Place::open(dir.path(), &one).unwrap();
        fs::create_dir_all(&first.checkout).unwrap();
        Place::open(dir.path(), &two).unwrap();
        assert!(first.checkout.is_dir() && first.own.is_dir());
        fs::remove_dir(&one).unwrap();
        Place::open(dir.path(), &two).unwrap();
        assert!(!first.checkout.exists() && !first.own.exists());
    }

    #[test]
    fn a_cache_inside_the_worktree_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().canonicalize().unwrap();
        let base_of = |cache: PathBuf| base(&cache, &tree).unwrap();
        assert!(!base_of(tree.join(".cache")).starts_with(&tree));
        assert_eq!(
            base_of("/elsewhere".into()),
            Path::new("/elsewhere/git-tcr")
        );
        let whole = base(Path::new("/x"), Path::new("/")).unwrap_err();
        assert!(matches!(whole.why, Why::InsideWorktree(_)));
    }

    #[test]
    fn ids_are_short_and_differ() {
        let ids = ["/a", "/b", "/a/b", "/home/me/project", "/home/me/project2"];
        let ids: std::collections::BTreeSet<String> =
            ids.iter().map(|path| short_id(Path::new(path))).collect();
        assert!(ids.len() == 5 && ids.iter().all(|id| id.len() == 8));
    }
}
