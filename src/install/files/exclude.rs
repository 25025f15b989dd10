//! Files of a personal installation stay out of `git status`, by `info/exclude`.

use std::path::PathBuf;

use gix::bstr::ByteSlice;

use crate::error::{Error, Result};
use crate::git::repo::Repo;

fn file(repo: &Repo) -> PathBuf {
    repo.common_dir().join("info").join("exclude")
}

fn line(path: &str) -> Vec<u8> {
    format!("/{path}").into_bytes()
}

/// Adds a path from the root, unless it is there. A list without a last newline has none afterwards.
pub(crate) fn add(repo: &Repo, path: &str) -> Result<()> {
    let file = file(repo);
    let mut text = std::fs::read(&file).unwrap_or_default();
    if text.lines().any(|known| known == line(path)) {
        return Ok(());
    }
    let io = |error| Error::io("write", &file, error);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    if text.is_empty() || text.ends_with(b"\n") {
        text.extend(line(path));
        text.push(b'\n');
    } else {
        text.push(b'\n');
        text.extend(line(path));
    }
    std::fs::write(&file, text).map_err(io)
}

/// Takes the line for a path out again.
pub(crate) fn take_out(repo: &Repo, path: &str) -> Result<()> {
    let file = file(repo);
    let Ok(text) = std::fs::read(&file) else {
        return Ok(());
    };
    let known: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let rest: Vec<&[u8]> = known
        .iter()
        .copied()
        .filter(|known| *known != line(path))
        .collect();
    if rest.len() == known.len() {
        return Ok(());
    }
    std::fs::write(&file, rest.join(&b'\n')).map_err(|error| Error::io("write", &file, error))
}
