//! Files of a personal installation stay out of `git status`, by `info/exclude`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::install::whole_file::{self, Kind};

fn file(repo: &Repo) -> PathBuf {
    repo.common_dir().join("info").join("exclude")
}

fn line(path: &str) -> Vec<u8> {
    format!("/{path}").into_bytes()
}

/// Adds a path from the root, unless it is there. A list without a last newline has none afterwards.
pub(crate) fn add(repo: &Repo, path: &str) -> Result<()> {
    let file = file(repo);
    let mut text = read(&file)?;
    if text.lines().any(|known| known == line(path)) {
        return Ok(());
    }
    if text.is_empty() || text.ends_with(b"\n") {
        text.extend(line(path));
        text.push(b'\n');
    } else {
        text.push(b'\n');
        text.extend(line(path));
    }
    whole_file::write(&file, &text, Kind::Plain)
}

/// Takes the line for a path out again.
pub(crate) fn take_out(repo: &Repo, path: &str) -> Result<()> {
    let file = file(repo);
    let text = read(&file)?;
    let known: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let rest: Vec<&[u8]> = known
        .iter()
        .copied()
        .filter(|known| *known != line(path))
        .collect();
    if rest.len() == known.len() {
        return Ok(());
    }
    whole_file::write(&file, &rest.join(&b'\n'), Kind::Plain)
}

/// What can't be read is not taken for empty: it would be written over.
fn read(file: &Path) -> Result<Vec<u8>> {
    match std::fs::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| Error::io("read", file, error)),
    }
}
