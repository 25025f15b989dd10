//! Lines that the gate leaves for the commands after it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::git::own_file::in_folder;
use crate::git::repo::Repo;

/// Adds a line.
pub(crate) fn add(path: &Path, entry: &impl Serialize) -> Result<()> {
    let io = |error| Error::io("write", path, error);
    let line = serde_json::to_vec(entry);
    let mut line = line.map_err(|_| Error::internal("a line for the spool is not JSON"))?;
    line.push(b'\n');
    // One write of one line: several gates may be at it at once.
    let mut options = File::options();
    let mut file = in_folder(path, || options.append(true).create(true).open(path)).map_err(io)?;
    file.write_all(&line).map_err(io)
}

/// A denial as the spool keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Denied {
    pub(crate) at: String,
    pub(crate) client: String,
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) cause: String,
    /// The mode is `observe`: it was noted, and allowed.
    #[serde(default)]
    pub(crate) only_observed: bool,
}

fn spool_path(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("denials")
}

/// Leaves a denial for the next loop.
pub(crate) fn leave_denial(repo: &Repo, entry: &Denied) -> Result<()> {
    crate::branch::spool::add(&spool_path(repo), entry)
}

/// Takes what the gates have left.
pub(crate) fn take_denials(repo: &Repo) -> Result<Vec<Denied>> {
    let path = spool_path(repo);
    let taken = path.with_extension("taken");
    match std::fs::rename(&path, &taken) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("move", &path, error)),
    }
    let text = std::fs::read_to_string(&taken).map_err(|error| Error::io("read", &taken, error))?;
    std::fs::remove_file(&taken).map_err(|error| Error::io("remove", &taken, error))?;
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
