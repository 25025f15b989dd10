//! The other worktrees of a repository: each has client files of its own.

use crate::error::{Doing, Result};
use crate::git::repo::Repo;

/// The worktrees beside this one that can be opened.
pub(crate) fn others(repo: &Repo) -> Result<Vec<Repo>> {
    let reading = "list the worktrees";
    let mut roots = Vec::new();
    if let Ok(main) = repo.gix.main_repo() {
        roots.extend(main.workdir().map(ToOwned::to_owned));
    }
    for linked in repo.gix.worktrees().doing(reading)? {
        // One whose folder is gone, or on a disk that is not there, has nothing to offer.
        roots.extend(linked.base().ok().filter(|root| root.is_dir()));
    }
    let others = roots.iter().filter_map(|root| Repo::discover(root).ok());
    Ok(others.filter(|other| other.root() != repo.root()).collect())
}

/// Whether this worktree was added to a repository that has another one.
pub(crate) fn is_linked(repo: &Repo) -> bool {
    repo.git_dir() != repo.common_dir()
}
