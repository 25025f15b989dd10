//! What tests wrote: the upper layer without the wanted files.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::super::wanted::Wanted;

const LIST: &str = "wrote";

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Gone,
    Written,
}

impl Fate {
    fn letter(self) -> u8 {
        match self {
            Fate::Gone => b'-',
            Fate::Written => b'+',
        }
    }
}

/// Every file of an upper layer, relative to it. A file that is gone is in it as a mark.
fn list(upper: &Path) -> Vec<(PathBuf, Fate)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        // Unreadable to us: the tests made it so. Its name tells enough.
        let Ok(entries) = fs::read_dir(upper.join(&folder)) else {
            found.push((folder, Fate::Written));
            continue;
        };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_char_device() => found.push((path, Fate::Gone)),
                _ => found.push((path, Fate::Written)),
            }
        }
    }
    found
}

/// Leaves the list in the room, for an upper layer that does not outlive its stage.
pub(super) fn tell(room: &Path, upper: &Path) {
    let mut text = Vec::new();
    for (path, fate) in list(upper) {
        text.push(fate.letter());
        text.extend_from_slice(path.as_os_str().as_bytes());
        text.push(0);
    }
    let file = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(room.join(LIST));
    // The list is for information only.
    drop(file.and_then(|mut file| file.write_all(&text)));
}

/// What the runs in a room wrote, besides what was wanted.
pub(super) fn read(room: &Path, wanted: &Wanted) -> Vec<PathBuf> {
    let told = fs::read(room.join(LIST)).unwrap_or_default();
    let told = told
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    let mut all: BTreeSet<(PathBuf, Fate)> = told
        .filter_map(|line| {
            let (letter, name) = line.split_first()?;
            let fate = [Fate::Gone, Fate::Written]
                .into_iter()
                .find(|fate| fate.letter() == *letter)?;
            Some((PathBuf::from(std::ffi::OsStr::from_bytes(name)), fate))
        })
        .collect();
    for entry in fs::read_dir(room).into_iter().flatten().flatten() {
        if entry.file_name().as_bytes().starts_with(b"run-") {
            all.extend(list(&super::mounts::upper_of(&entry.path(), 0)));
        }
    }
    // A folder went with its last file. What was taken away, and is there again, they wrote.
    let was_wanted = |path: &Path, fate: Fate| {
        let is_removed = |removed: &PathBuf| {
            removed.starts_with(path) && (fate == Fate::Gone || removed.as_path() != path)
        };
        wanted.write.iter().any(|file| file.path == path) || wanted.remove.iter().any(is_removed)
    };
    let theirs =
        |(path, fate): &(PathBuf, Fate)| !path.as_os_str().is_empty() && !was_wanted(path, *fate);
    let mut theirs: Vec<PathBuf> = all
        .into_iter()
        .filter(theirs)
        .map(|(path, _)| path)
        .collect();
    theirs.dedup();
    theirs
}
