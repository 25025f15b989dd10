//! Copies of files and folders, always new ones: what is written to them is never seen elsewhere.

use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::super::place::remove_all;

/// The modification time of a copy.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Time {
    /// That of what it is copied from.
    Same,
    /// This one.
    At(SystemTime),
}

/// Copies a file or a link. A link into the worktree leads to the same place in the checkout.
/// Sockets, pipes and devices are left out, which is said by `false`.
pub(in super::super) fn copy_file(
    from: &Path,
    to: &Path,
    time: Time,
    (worktree, checkout): (&Path, &Path),
) -> io::Result<bool> {
    let found = fs::symlink_metadata(from)?;
    let kind = found.file_type();
    if !kind.is_file() && !kind.is_symlink() {
        return Ok(false);
    }
    // In this order: through a link on the way something else would be removed.
    make_parent(checkout, to)?;
    remove_all(to)?;
    if kind.is_symlink() {
        symlink(carried_over(&fs::read_link(from)?, worktree, checkout), to)?;
        return Ok(true);
    }
    fs::copy(from, to)?;
    let modified = match time {
        Time::Same => found.modified()?,
        Time::At(time) => time,
    };
    // A file that can't be written still can be given a time by its owner.
    let file = File::open(to)?;
    file.set_times(FileTimes::new().set_modified(modified))?;
    Ok(true)
}

/// Where a link leads in the checkout.
pub(in super::super) fn carried_over(target: &Path, worktree: &Path, checkout: &Path) -> PathBuf {
    match target.strip_prefix(worktree) {
        Ok(inside) => checkout.join(inside),
        Err(_) => target.to_path_buf(),
    }
}

/// Makes the folder that a path of the checkout is in, without links on the way.
pub(super) fn make_parent(root: &Path, path: &Path) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| make_real_folders(root, folder))
}

/// Folders all the way from the checkout's root: what else is in the way is of an older tree, or a
/// test has put it there.
pub(super) fn make_real_folders(root: &Path, folder: &Path) -> io::Result<()> {
    let Ok(inside) = folder.strip_prefix(root) else {
        return fs::create_dir_all(folder);
    };
    let mut path = root.to_path_buf();
    for part in inside.components() {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => fs::remove_file(&path)?,
            Err(_) => {}
        }
        fs::create_dir(&path)?;
    }
    Ok(())
}

/// Copies a folder with the times of its files; hard links become files of their own.
pub(in super::super) fn copy_folder(
    from: &Path,
    to: &Path,
    roots: (&Path, &Path),
) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to, roots)?;
        } else {
            copy_file(&entry.path(), &to, Time::Same, roots)?;
        }
    }
    Ok(())
}

/// How many bytes are in a folder or file, as far as `limit`.
pub(in super::super) fn size(path: &Path, limit: u64) -> u64 {
    let mut sum = 0;
    let mut left = vec![path.to_path_buf()];
    while let Some(path) = left.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else {
            continue;
        };
        if found.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            left.extend(entries.map(|entry| entry.path()));
        } else {
            sum += found.len();
        }
        if sum > limit {
            break;
        }
    }
    sum
}
