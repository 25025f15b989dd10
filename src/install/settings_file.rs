//! The files of clients on disk: read, written, removed.

use std::path::Path;

use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::install::whole_file::{self, Kind};

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// There is no file.
    Nothing,
    /// Text.
    Text(String),
    /// Something else: none of it is ours.
    NotText(Vec<u8>),
}

impl Content {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Nothing | Content::NotText(_) => None,
        }
    }

    /// The bytes of a file that is there.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Content::Text(text) => Some(text.as_bytes()),
            Content::NotText(bytes) => Some(bytes),
            Content::Nothing => None,
        }
    }
}

pub(super) fn read(file: &Path) -> Result<Content> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(match String::from_utf8(bytes) {
            Ok(text) => Content::Text(text),
            Err(error) => Content::NotText(error.into_bytes()),
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Content::Nothing),
        Err(error) => Err(Error::io("read", file, error)),
    }
}

pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    whole_file::write(file, text.as_bytes(), Kind::Plain)
}

/// Removes a file, and the folders that only it needed. Of a link that led nowhere before, what it
/// leads to is removed.
pub(super) fn remove(repo: &Repo, file: &Path) -> Result<()> {
    let io = |error| Error::io("remove", file, error);
    if file.is_symlink() {
        return std::fs::remove_file(file.canonicalize().map_err(io)?).map_err(io);
    }
    std::fs::remove_file(file).map_err(io)?;
    let mut folder = file.parent();
    while let Some(empty) = folder.filter(|folder| *folder != repo.root()) {
        // Only an empty folder can be removed this way.
        if std::fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(())
}
