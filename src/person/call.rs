//! A call that may change something, from the gate to the loop: where the branch was when it began.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clients::event::ToolCall;
use crate::clock;
use crate::error::{Error, Result};
use crate::git::own_file::in_folder;
use crate::git::refs;
use crate::git::repo::{Head, Repo};
use crate::person::trace::Origin;

/// What was there when a call began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// When, in seconds.
    pub(crate) at: u64,
    /// The branch that HEAD was on.
    pub(crate) branch: String,
    /// The commit it was at.
    pub(crate) head: String,
    /// The base branch and its commit, where HEAD was on a WIP branch.
    #[serde(default)]
    pub(crate) base: Option<(String, String)>,
    /// The remotes that the repository knew by name.
    pub(crate) remotes: Vec<String>,
    /// The processes around it.
    #[serde(default)]
    pub(crate) origin: Origin,
    /// The only files it can change, from the root; none where it may change any.
    #[serde(default)]
    pub(crate) paths: Option<Vec<String>>,
}

fn path(git_dir: &Path) -> PathBuf {
    git_dir.join("tcr").join("call")
}

/// Notes where the branch is before a call that may move it, or the files that it may change. Of
/// calls that overlap the first counts: what moved since then is theirs. `written` are the files of
/// a call that writes nothing else.
pub(crate) fn note(
    repo: &Repo,
    head: Option<&Head>,
    call: &ToolCall,
    written: Vec<String>,
) -> Result<()> {
    let paths = match call {
        ToolCall::Reading { .. } => return Ok(()),
        ToolCall::Shell { .. } | ToolCall::Unknown { .. } => None,
        ToolCall::Write { .. }
        | ToolCall::Edit { .. }
        | ToolCall::Notebook { .. }
        | ToolCall::Patch { .. }
        | ToolCall::Delete { .. } => Some(written),
    };
    let known = peek(&path(repo.git_dir()));
    // A call that may do anything says more than one that writes a file.
    if known.as_ref().is_some_and(|known| known.paths.is_none()) {
        return Ok(());
    }
    let earlier = known.and_then(|known| known.paths).unwrap_or_default();
    let paths = paths.map(|paths| earlier.into_iter().chain(paths).collect());
    let begun = Begun::now(repo, head, paths)?;
    let path = path(repo.git_dir());
    let io = |error| Error::io("write", &path, error);
    let text = serde_json::to_vec(&begun);
    let text = text.map_err(|_| Error::internal("a call is not JSON"))?;
    in_folder(&path, || std::fs::write(&path, &text)).map_err(io)
}

impl Begun {
    /// As it is at this moment, for what can change only these files, or anything.
    fn now(repo: &Repo, head: Option<&Head>, paths: Option<Vec<String>>) -> Result<Begun> {
        let head = match head {
            Some(head) => head.clone(),
            None => repo.head()?,
        };
        let branch = head.branch.to_string();
        let base = match branch.strip_prefix("refs/heads/tcr/") {
            Some(base) => {
                let base = format!("refs/heads/{base}");
                refs::read(repo, &base)?.map(|tip| (base, tip.to_string()))
            }
            None => None,
        };
        Ok(Begun {
            at: clock::seconds_now(),
            head: head.commit.to_string(),
            branch,
            base,
            remotes: (repo.gix.remote_names().into_iter())
                .map(|name| name.to_string())
                .collect(),
            origin: match paths {
                Some(_) => Origin::default(),
                None => Origin::of_this_hook(),
            },
            paths,
        })
    }
}

/// Calls that began and were not heard of again.
pub(crate) fn open(repo: &Repo) -> Vec<Begun> {
    let anything = |begun: &Begun| begun.paths.is_none();
    let known = peek(&path(repo.git_dir()));
    known.filter(anything).into_iter().collect()
}

fn peek(path: &Path) -> Option<Begun> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Takes the note; it counts once. What can't be read says nothing.
pub(crate) fn take(git_dir: &Path) -> Option<Begun> {
    let path = path(git_dir);
    let begun = peek(&path);
    drop(std::fs::remove_file(&path));
    begun
}
