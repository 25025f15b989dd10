//! Specs, plans and deltas as files: what they must be before they are read.

use std::path::Path;

use crate::error::{Error, Result};
use crate::git::command;
use crate::git::repo::Repo;
use crate::message::refusals;

/// A larger file is nothing that anybody reads as a spec.
const LARGEST: u64 = 1024 * 1024;

/// A file of the worktree that is text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFile {
    /// From the root.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    /// Reads a file of the worktree, `path` from the root. It has to be an ordinary file that git
    /// would commit with this repository: otherwise it could change unseen.
    pub(crate) fn read(repo: &Repo, path: &Path, what: &'static str) -> Result<TextFile> {
        let refuse = |why: &str| refusals::unusable_file(what, path, why);
        let Some(name) = path.to_str() else {
            return Err(refuse("its name is not UTF-8"));
        };
        let on_disk = repo.root().join(path);
        for part in path.ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let place = repo.root().join(part);
            let metadata = match place.symlink_metadata() {
                Ok(metadata) => metadata,
                Err(_) => return Err(refuse("it does not exist")),
            };
            if metadata.is_symlink() {
                return Err(refuse("it is a symbolic link, or is reached through one"));
            }
            if part != path && place.join(".git").symlink_metadata().is_ok() {
                return Err(refuse("it is in a submodule or another repository"));
            }
            if part == path && !metadata.is_file() {
                return Err(refuse("it is not a file"));
            }
            if part == path && metadata.len() > LARGEST {
                let megabytes = metadata.len() / LARGEST;
                return Err(refuse(&format!(
                    "it has {megabytes} MB; more than 1 MB is nothing that is read as a spec"
                )));
            }
        }
        if is_ignored(repo, name)? {
            return Err(refuse("git ignores it, so it would not be committed"));
        }
        let bytes = std::fs::read(&on_disk).map_err(|error| Error::io("read", &on_disk, error))?;
        let text = String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8 text"))?;
        Ok(TextFile {
            path: name.to_owned(),
            text,
        })
    }
}

fn is_ignored(repo: &Repo, path: &str) -> Result<bool> {
    let ignored = ["ls-files", "--others", "--ignored", "--exclude-standard"];
    let args: Vec<&str> = ignored.into_iter().chain(["--", path]).collect();
    Ok(!command::git(repo.root(), &args, b"")?.is_empty())
}
