//! The wanted tree, as the files in which it differs from the worktree, and how they are put in place.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::no_lab::{Doing, NoLab, Why};

/// The files in which a wanted tree differs from the worktree as it is now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Files that are other or new.
    pub write: Vec<WantedFile>,
    /// Files that are not in it, relative to the worktree.
    pub remove: Vec<PathBuf>,
}

/// A file of a wanted tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedFile {
    /// Relative to the worktree.
    pub path: PathBuf,
    /// Its content; of a link where it leads.
    pub content: Vec<u8>,
    /// What it is.
    pub kind: Kind,
}

/// What a file of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// An ordinary file.
    File,
    /// A file that can be run.
    Executable,
    /// A symbolic link.
    Link,
}

/// The modification time of what is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Times {
    /// Now, or at least a whole second after what was there before: caches compare whole seconds.
    AfterLast,
    /// This one.
    At(SystemTime),
}

impl Wanted {
    /// Refuses paths that lead out of the worktree or into git's own folder.
    pub(super) fn check(&self) -> Result<(), NoLab> {
        let written = self.write.iter().map(|file| &file.path);
        match written.chain(&self.remove).find(|path| !is_inside(path)) {
            Some(path) => Err(Why::BadPath(path.clone()).into()),
            None => Ok(()),
        }
    }

    /// Brings `root` from the worktree's state to the wanted one.
    pub(super) fn apply(&self, root: &Path, times: Times) -> Result<(), NoLab> {
        self.check()?;
        for path in &self.remove {
            remove(root, path)?;
        }
        for file in &self.write {
            put(root, file, times)?;
        }
        Ok(())
    }
}

fn is_inside(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    let first = parts.peek().copied();
    let plain = parts.all(|part| matches!(part, Component::Normal(_)));
    plain && first.is_some() && first != Some(Component::Normal(OsStr::new(".git")))
}

/// Takes a file away, and the folders that are empty without it, as git does.
fn remove(root: &Path, path: &Path) -> Result<(), NoLab> {
    let full = root.join(path);
    // Below a link there is nothing of this tree.
    if !leads_through_folders(root, path) {
        return Ok(());
    }
    clear(&full)?;
    for parent in path.ancestors().skip(1) {
        if parent.as_os_str().is_empty() || fs::remove_dir(root.join(parent)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Whether a path has real folders on its way, and no links.
pub(super) fn leads_through_folders(root: &Path, path: &Path) -> bool {
    path.ancestors()
        .skip(1)
        .filter(|parent| !parent.as_os_str().is_empty())
        .all(|parent| fs::symlink_metadata(root.join(parent)).is_ok_and(|found| found.is_dir()))
}

fn put(root: &Path, file: &WantedFile, times: Times) -> Result<(), NoLab> {
    let full = root.join(&file.path);
    make_folders(root, &file.path)?;
    let last = clear(&full)?;
    let written = match file.kind {
        Kind::Link => symlink(OsStr::from_bytes(&file.content), &full),
        Kind::File => write(&full, &file.content, 0o666, time(times, last)),
        Kind::Executable => write(&full, &file.content, 0o777, time(times, last)),
    };
    written.map_err(|error| NoLab::io(Doing::Write, &full, &error))
}

/// Real folders all the way: through a link the file would land outside.
fn make_folders(root: &Path, path: &Path) -> Result<(), NoLab> {
    let mut folder = root.to_path_buf();
    for part in path.parent().into_iter().flat_map(Path::components) {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => fs::remove_file(&folder)
                .map_err(|error| NoLab::io(Doing::Remove, &folder, &error))?,
            Err(_) => {}
        }
        fs::create_dir(&folder).map_err(|error| NoLab::io(Doing::Write, &folder, &error))?;
    }
    Ok(())
}

/// Takes away what is in the place of a file, and says when it was last modified. A file is never
/// written in place: it may be known by other names.
fn clear(full: &Path) -> Result<Option<SystemTime>, NoLab> {
    let Ok(found) = fs::symlink_metadata(full) else {
        return Ok(None);
    };
    let removed = if found.is_dir() {
        fs::remove_dir_all(full)
    } else {
        fs::remove_file(full)
    };
    removed.map_err(|error| NoLab::io(Doing::Remove, full, &error))?;
    Ok(found.modified().ok())
}

fn write(full: &Path, content: &[u8], mode: u32, time: SystemTime) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file: File = options.write(true).create_new(true).mode(mode).open(full)?;
    file.write_all(content)?;
    file.set_modified(time)
}

fn time(times: Times, last: Option<SystemTime>) -> SystemTime {
    match times {
        Times::At(time) => time,
        Times::AfterLast => after(last, SystemTime::now()),
    }
}

/// `now`, or a whole second after the last time if that is later.
pub(super) fn after(last: Option<SystemTime>, now: SystemTime) -> SystemTime {
    let seconds = |time: SystemTime| {
        let since = time.duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    };
    match last {
        Some(last) if seconds(last) >= seconds(now) => {
            UNIX_EPOCH + Duration::from_secs(seconds(last) + 1)
        }
        _ => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &str) -> WantedFile {
        WantedFile {
            path: path.into(),
            content: content.into(),
            kind: Kind::File,
        }
    }

    fn write_only(files: Vec<WantedFile>) -> Wanted {
        Wanted {
            write: files,
            remove: Vec::new(),
        }
    }

    #[test]
    fn paths_out_of_the_worktree_are_refused() {
        for path in [
            "/etc/passwd",
            "../a",
            "a/../../b",
            ".git/config",
            ".git",
            "",
            "./a/..",
        ] {
            let wanted = write_only(vec![file(path, "")]);
            assert!(wanted.check().is_err(), "{path}");
            let wanted = Wanted {
                write: Vec::new(),
                remove: vec![path.into()],
            };
            assert!(wanted.check().is_err(), "{path}");
        }
        for path in ["a", "a/b.py", ".github/x", "a/.git", "...", "ä b"] {
            assert!(write_only(vec![file(path, "")]).check().is_ok(), "{path}");
        }
    }

    #[test]
    fn a_file_is_later_by_a_whole_second() {
        let at = |millis| UNIX_EPOCH + Duration::from_millis(millis);
        for (last, now, then) in [
            (None, 5_300, 5_300),
            (Some(3_900), 5_300, 5_300),
            (Some(5_100), 5_300, 6_000),
            (Some(4_999), 5_000, 5_000),
            (Some(9_500), 5_300, 10_000),
        ] {
            assert_eq!(after(last.map(at), at(now)), at(then), "{last:?} {now}");
        }
    }

    #[test]
    fn a_link_on_the_way_is_replaced_and_never_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("a"), "theirs").unwrap();
        symlink(&outside, root.join("lib")).unwrap();
        let wanted = Wanted {
            write: vec![file("lib/a", "ours")],
            remove: vec!["lib/a".into()],
        };
        wanted.apply(&root, Times::AfterLast).unwrap();
        assert_eq!(fs::read_to_string(outside.join("a")).unwrap(), "theirs");
        assert_eq!(fs::read_to_string(root.join("lib/a")).unwrap(), "ours");
    }

    #[test]
    fn files_folders_and_links_take_each_others_place() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("was/folder")).unwrap();
        fs::write(root.join("was/folder/a"), "").unwrap();
        fs::write(root.join("was_file"), "").unwrap();
        let mut wanted = write_only(vec![file("was", "file"), file("was_file/b", "b")]);
        wanted.write.push(WantedFile {
            path: "link".into(),
            content: b"was".to_vec(),
            kind: Kind::Link,
        });
        wanted.apply(root, Times::AfterLast).unwrap();
        assert_eq!(fs::read_to_string(root.join("was")).unwrap(), "file");
        assert_eq!(fs::read_to_string(root.join("was_file/b")).unwrap(), "b");
        assert_eq!(fs::read_link(root.join("link")).unwrap(), Path::new("was"));
    }

    #[test]
    fn a_folder_without_files_goes_with_its_last_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::create_dir_all(root.join("c")).unwrap();
        for path in ["a/b/x", "c/y", "c/z"] {
            fs::write(root.join(path), "").unwrap();
        }
        let wanted = Wanted {
            write: Vec::new(),
            remove: ["a/b/x", "c/y", "no/such"].map(PathBuf::from).to_vec(),
        };
        wanted.apply(root, Times::AfterLast).unwrap();
        assert!(!root.join("a").exists() && root.join("c/z").exists());
        assert!(!root.join("c/y").exists());
    }

    #[test]
    fn what_is_written_is_later_than_what_it_replaces_and_not_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (dir.path(), dir.path().join("other name"));
        fs::write(root.join("a"), "1").unwrap();
        fs::hard_link(root.join("a"), &other).unwrap();
        let before = fs::metadata(root.join("a")).unwrap().modified().unwrap();
        let wanted = write_only(vec![file("a", "2")]);
        wanted.apply(root, Times::AfterLast).unwrap();
        let after = fs::metadata(root.join("a")).unwrap().modified().unwrap();
        let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!(seconds(after) > seconds(before));
        assert_eq!(fs::read_to_string(other).unwrap(), "1");
    }
}
