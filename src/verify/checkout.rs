//! Fresh checkouts of archived commits, ready to be tested.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::submodules::{self, Home};
use crate::error::{Error, Result};
use crate::git::command::git;
use crate::git::repo::Repo;
use crate::message;

/// Where checkouts are made, and what is done in each of them before it is used.
pub(super) struct Yard<'a> {
    folder: &'a Path,
    setup: Option<&'a str>,
    home: Home,
}

impl<'a> Yard<'a> {
    pub(super) fn new(repo: &Repo, folder: &'a Path, setup: Option<&'a str>) -> Yard<'a> {
        Yard {
            folder,
            setup,
            home: Home::of(repo),
        }
    }

    /// A checkout with everything in it that its tests may need.
    pub(super) fn make(&self, commit: gix::ObjectId) -> Result<Checkout> {
        let checkout = Checkout::new(&self.home.root, self.folder, commit)?;
        let missing = submodules::fill(&checkout.dir, &self.home)?;
        if let Some(setup) = self.setup {
            prepare(&checkout.dir, setup)?;
        }
        // What the tests say without them says nothing of the history.
        if !missing.is_empty() && submodules::is_any_empty(&checkout.dir)? {
            return Err(message::verify::submodules_missing(commit, &missing));
        }
        Ok(checkout)
    }
}

/// Runs what makes a checkout ready for its tests.
pub(crate) fn prepare(dir: &Path, setup: &str) -> Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", setup]).current_dir(dir);
    // What it says is no result.
    command.stdout(std::process::Stdio::null());
    let ended = command
        .status()
        .map_err(|error| Error::io("run in", dir, error))?;
    match ended.success() {
        true => Ok(()),
        false => Err(message::verify::setup_failed(setup, ended)),
    }
}

/// A checkout with a git directory of its own that borrows the objects: the repository does not hear
/// of it.
pub(crate) fn fresh_checkout(repo: &Repo, dir: &Path, commit: gix::ObjectId) -> Result<()> {
    submodules::check_out(dir, repo.common_dir(), &commit.to_string())?;
    let missing = submodules::fill(dir, &Home::of(repo))?;
    match !missing.is_empty() && submodules::is_any_empty(dir)? {
        true => Err(message::verify::submodules_missing(commit, &missing)),
        false => Ok(()),
    }
}

/// A linked worktree for one test run; it goes with this.
pub(super) struct Checkout {
    pub(super) dir: PathBuf,
    git_dir: Option<PathBuf>,
}

impl Checkout {
    fn new(root: &Path, folder: &Path, commit: gix::ObjectId) -> Result<Checkout> {
        let hex = commit.to_string();
        let dir = folder.join(&hex);
        let path = dir.to_string_lossy().into_owned();
        git(
            root,
            &["worktree", "add", "-q", "--force", "--detach", &path, &hex],
            b"",
        )?;
        let git_dir = git_dir_of(&dir);
        Ok(Checkout { dir, git_dir })
    }
}

/// What git made for this checkout alone: its file leads there, and from there a file leads back.
fn git_dir_of(dir: &Path) -> Option<PathBuf> {
    let file = dir.join(".git");
    let link = std::fs::read_to_string(&file).ok()?;
    let git_dir = dir.join(link.trim().strip_prefix("gitdir: ")?);
    let back = std::fs::read_to_string(git_dir.join("gitdir")).ok()?;
    let back = git_dir.join(back.trim()).canonicalize().ok()?;
    (back == file.canonicalize().ok()?).then_some(git_dir)
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What can't be removed goes with the temporary folder, and with git's own pruning.
        drop(std::fs::remove_dir_all(&self.dir));
        if let Some(git_dir) = &self.git_dir {
            drop(std::fs::remove_dir_all(git_dir));
        }
    }
}
