//! Who makes a call of `git tcr`: the gate knows, and tells the command by a line in a spool.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::branch::spool;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::repo::Repo;

/// A call that the gate let through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Call {
    at: String,
    identity: String,
}

fn path(repo: &Repo, command: &str) -> PathBuf {
    repo.git_dir().join("tcr").join("callers").join(command)
}

/// Leaves word of a call that is about to be made.
pub(crate) fn leave(repo: &Repo, command: &str, identity: &str) -> Result<()> {
    let call = Call {
        at: clock::timestamp(),
        identity: identity.to_owned(),
    };
    spool::add(&path(repo, command), &call)
}

/// Takes the word of the newest call of this command; it counts once.
pub(crate) fn take(repo: &Repo, command: &str) -> Result<Option<String>> {
    let path = path(repo, command);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path, error)),
    };
    std::fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
    let newest = text.lines().next_back();
    let call = newest.and_then(|line| serde_json::from_str::<Call>(line).ok());
    Ok(call.map(|call| call.identity))
}
