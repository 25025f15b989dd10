//! A way out of what a crashed machine, a full disk or a stray hand leaves in our own folders: refs that
//! can't be read or lead nowhere, and other things in the place of our files.
//!
//! What is in the way is put aside in `<git dir>/tcr/broken/`, never thrown away.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::mend;
use crate::error::{Error, Result};
use crate::git::free_name;
use crate::git::known_tips;
use crate::git::refs;
use crate::git::repo::Repo;

/// Files of ours that another thing may stand in the place of.
const FILES: &[&str] = &[
    "denials",
    "lock",
    "program",
    "refs-lock",
    "tips",
    "tested-times",
];

/// Puts right what can be put right, and says what that was.
pub(crate) fn repair(repo: &Repo) -> Result<Vec<String>> {
    let mut done = clear_the_way(repo)?;
    // Whatever is on top of them can be read from here on.
    if let Some(why) = mend::mend(repo)? {
        done.push(format!(
            "the state could not be read ({why}): it goes on from what can be"
        ));
    }
    Ok(done)
}

/// The same but for a state whose ref is sound and whose content is not.
pub(crate) fn clear_the_way(repo: &Repo) -> Result<Vec<String>> {
    let mut done = Vec::new();
    for folder in [repo.git_dir(), repo.common_dir()] {
        for name in FILES {
            let path = folder.join("tcr").join(name);
            if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
                put_aside(repo, &path)?;
                done.push(format!("`{}` was no file: put aside", path.display()));
            }
        }
    }
    for (path, name) in loose_refs(repo)? {
        if !leads_somewhere(repo, &path, &name) {
            done.push(repair_ref(repo, &path, &name)?);
        }
    }
    Ok(done)
}

/// The files of all refs that are ours.
fn loose_refs(repo: &Repo) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    let mut left: Vec<PathBuf> = ["refs/tcr", "refs/heads/tcr"]
        .map(|folder| repo.common_dir().join(folder))
        .into();
    let notes = [refs::NOTES, refs::RESULTS];
    let mut files: Vec<PathBuf> = notes.map(|name| repo.common_dir().join(name)).into();
    while let Some(folder) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => left.push(entry.path()),
                _ => files.push(entry.path()),
            }
        }
    }
    for file in files {
        let is_lock = file.extension().is_some_and(|ending| ending == "lock");
        let name = file
            .strip_prefix(repo.common_dir())
            .ok()
            .and_then(Path::to_str);
        if let (false, Some(name), true) = (is_lock, name, file.symlink_metadata().is_ok()) {
            let name = name.to_owned();
            found.push((file, name));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a ref can be read, and what it points at is there.
fn leads_somewhere(repo: &Repo, path: &Path, name: &str) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
        && match refs::current(repo, name) {
            Ok(Some(refs::Pointer::Ref(_))) => true,
            Ok(Some(refs::Pointer::Object(hex))) => {
                ObjectId::from_hex(hex.as_bytes()).is_ok_and(|id| is_whole(repo, id))
            }
            Ok(None) | Err(_) => false,
        }
}

/// Whether a commit and its tree can be read.
fn is_whole(repo: &Repo, id: ObjectId) -> bool {
    let Ok(object) = repo.gix.find_object(id) else {
        return false;
    };
    match object.kind {
        gix::objs::Kind::Commit => repo
            .tree_of(id)
            .is_ok_and(|tree| repo.gix.find_tree(tree).is_ok()),
        _ => true,
    }
}

/// The ref goes back to the newest place that is known of it and is there; else it is put aside.
fn repair_ref(repo: &Repo, path: &Path, name: &str) -> Result<String> {
    // A chain whose newest link has a part missing goes on from the one before.
    let state_can_be_read = name.starts_with("refs/tcr/state/")
        && refs::read(repo, name).is_ok_and(|tip| tip.is_some_and(|tip| repo.gix.has_object(tip)));
    if state_can_be_read {
        return Ok(format!("`{name}` lacks a part"));
    }
    let known = known_tips::places(repo, name).into_iter();
    let was = known
        .chain(logged(repo, name))
        .find(|id| is_whole(repo, *id));
    put_aside(repo, path)?;
    let Some(id) = was.or_else(|| base_of(repo, name)) else {
        return Ok(format!("`{name}` could not be read: put aside"));
    };
    let io = |error| Error::io("write", path, error);
    std::fs::write(path, format!("{id}\n")).map_err(io)?;
    Ok(format!(
        "`{name}` could not be read: it is at {} again",
        id.to_hex_with_len(8)
    ))
}

/// Where the reflog says that a ref was, the newest first.
fn logged(repo: &Repo, name: &str) -> Vec<ObjectId> {
    let log = repo.common_dir().join("logs").join(name);
    let text = std::fs::read(log).unwrap_or_default();
    let mut ids: Vec<ObjectId> = text
        .lines()
        .filter_map(|line| ObjectId::from_hex(line.split(|byte| *byte == b' ').nth(1)?).ok())
        .collect();
    ids.reverse();
    ids
}

/// A WIP branch of which nothing is known begins anew at its base: HEAD may be on it.
fn base_of(repo: &Repo, name: &str) -> Option<ObjectId> {
    let base = name.strip_prefix("refs/heads/tcr/")?;
    refs::read(repo, &format!("refs/heads/{base}"))
        .ok()
        .flatten()
}

fn put_aside(repo: &Repo, path: &Path) -> Result<()> {
    let folder = repo.common_dir().join("tcr").join("broken");
    let name = path.strip_prefix(repo.common_dir()).unwrap_or(path);
    let name = name.to_string_lossy().replace(['/', '\\'], "-");
    let io = |error| Error::io("move", path, error);
    std::fs::create_dir_all(&folder).map_err(io)?;
    let mut to = folder.join(name);
    if to.symlink_metadata().is_ok() {
        to = free_name::beside(&to);
    }
    std::fs::rename(path, to).map_err(io)
}
