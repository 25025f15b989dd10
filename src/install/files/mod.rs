//! What installing puts into a repository, and takes out again.

pub(crate) mod exclude;
pub(crate) mod git_hooks;

use crate::error::{Error, Result};
use crate::fault;
use crate::git::repo::Repo;

/// Writes a file of the worktree, all of it or nothing.
pub(crate) fn write_whole(repo: &Repo, path: &str, content: &[u8]) -> Result<()> {
    let folder = repo.git_dir().join("tcr");
    let prepared = folder.join("new-file");
    let path = repo.root().join(path);
    let io = |source| Error::io("write", &path, source);
    fault::write("write-file")?;
    std::fs::create_dir_all(&folder).map_err(io)?;
    std::fs::write(&prepared, content).map_err(io)?;
    match std::fs::rename(&prepared, &path) {
        // The git directory is on another file system.
        Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
            std::fs::copy(&prepared, &path).map_err(io)?;
            std::fs::remove_file(&prepared).map_err(io)
        }
        moved => moved.map_err(io),
    }
}
