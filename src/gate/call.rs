//! A call that may run commands, from the gate to the loop: where the branch was when it began.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::clients::event::ToolCall;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::repo::Repo;

/// What was there when a call began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// When, in seconds.
    pub(crate) at: u64,
    /// The branch that HEAD was on.
    pub(crate) branch: String,
    /// The commit it was at.
    pub(crate) head: String,
    /// The remotes that the repository knew by name.
    pub(crate) remotes: Vec<String>,
}

fn path(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("call")
}

/// Notes where the branch is before a call that may move it. Of calls that overlap the first counts:
/// what moved since then is theirs.
pub(crate) fn note(repo: &Repo, call: &ToolCall) -> Result<()> {
    match call {
        ToolCall::Shell { .. } | ToolCall::Unknown { .. } => {}
        ToolCall::Write { .. }
        | ToolCall::Edit { .. }
        | ToolCall::Notebook { .. }
        | ToolCall::Patch { .. }
        | ToolCall::Delete { .. }
        | ToolCall::Reading { .. } => return Ok(()),
    }
    let path = path(repo);
    if path.exists() {
        return Ok(());
    }
    let head = repo.head()?;
    let begun = Begun {
        at: clock::seconds_now(),
        branch: head.branch.to_string(),
        head: head.commit.to_string(),
        remotes: (repo.gix.remote_names().into_iter())
            .map(|name| name.to_string())
            .collect(),
    };
    let io = |error| Error::io("write", &path, error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let text = serde_json::to_vec(&begun);
    let text = text.map_err(|_| Error::internal("a call is not JSON"))?;
    std::fs::write(&path, text).map_err(io)
}

/// Takes the note; it counts once. What can't be read says nothing.
pub(crate) fn take(repo: &Repo) -> Option<Begun> {
    let path = path(repo);
    let text = std::fs::read(&path).ok()?;
    drop(std::fs::remove_file(&path));
    serde_json::from_slice(&text).ok()
}
