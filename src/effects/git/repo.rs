//! The repository at hand: where its parts are, and what HEAD says.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use gix::refs::FullName;
use gix::state::InProgress;

use crate::error::{Doing, Error, Result, StandAside};

/// An open repository with a worktree.
pub(crate) struct Repo {
    pub(crate) gix: gix::Repository,
    root: PathBuf,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// What HEAD names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// The branch checked out.
    pub(crate) branch: FullName,
    /// Its commit.
    pub(crate) commit: gix::ObjectId,
}

impl Repo {
    /// Opens the repository that `dir` is in.
    pub(crate) fn discover(dir: &Path) -> Result<Repo> {
        let gix = match gix::discover(dir) {
            Ok(gix) => gix,
            Err(error) if error.is_not_found() => {
                return Err(Error::NotARepository(dir.to_owned()));
            }
            Err(error) => {
                return Err(Error::Git {
                    doing: "open the repository",
                    source: error.into(),
                });
            }
        };
        let Some(root) = gix.workdir().map(Path::to_owned) else {
            return Err(Error::Bare(gix.git_dir().to_owned()));
        };
        // References in another format than files would look as if there were none.
        let storage = gix.config_snapshot().string("extensions.refStorage");
        if let Some(storage) = storage.filter(|name| name.as_slice() != b"files") {
            return Err(Error::RefStorage(storage.to_string()));
        }
        let root = gix::path::realpath(&root).unwrap_or(root);
        Ok(Repo { gix, root })
    }

    /// The top of the worktree.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// This worktree's own git directory.
    pub(crate) fn git_dir(&self) -> &Path {
        self.gix.git_dir()
    }

    /// The git directory that all worktrees share.
    pub(crate) fn common_dir(&self) -> &Path {
        self.gix.common_dir()
    }

    /// The name of this worktree as one component of a ref.
    pub(crate) fn worktree_id(&self) -> String {
        if self.git_dir() == self.common_dir() {
            return "main".into();
        }
        let name = self
            .git_dir()
            .file_name()
            .map(|name| name.as_encoded_bytes())
            .unwrap_or(b"main");
        // A linked worktree that is itself called `main` must not share the main one's ref.
        format!("linked-{}", super::refs::component(name.as_bstr()))
    }

    /// The branch and commit of HEAD.
    pub(crate) fn head(&self) -> Result<Head> {
        let head = self.gix.head().doing("read HEAD")?;
        match head.kind {
            gix::head::Kind::Symbolic(reference) => {
                let commit = self.gix.head_id().doing("read HEAD")?.detach();
                Ok(Head {
                    branch: reference.name,
                    commit,
                })
            }
            gix::head::Kind::Unborn(name) => Err(Error::Unborn(name.shorten().to_string())),
            // A rebase or a bisect detaches HEAD on its own: then that is what has to end.
            gix::head::Kind::Detached { .. } => Err(match self.in_progress() {
                Some(what) => Error::StandAside(StandAside::InProgress(what)),
                None => Error::Detached,
            }),
        }
    }

    /// The operation of git's own that is going on, by the name of its command.
    pub(crate) fn in_progress(&self) -> Option<&'static str> {
        Some(match self.gix.state()? {
            InProgress::ApplyMailbox => "am",
            InProgress::ApplyMailboxRebase | InProgress::Rebase | InProgress::RebaseInteractive => {
                "rebase"
            }
            InProgress::Bisect => "bisect",
            InProgress::CherryPick | InProgress::CherryPickSequence => "cherry-pick",
            InProgress::Merge => "merge",
            InProgress::Revert | InProgress::RevertSequence => "revert",
        })
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: gix::ObjectId) -> Result<gix::ObjectId> {
        let commit = self.gix.find_commit(commit).doing("read a commit")?;
        Ok(commit.tree_id().doing("read a commit")?.detach())
    }

    /// The index as it is now; an empty one if there is none.
    pub(crate) fn index(&self) -> Result<gix::index::File> {
        if self.gix.index_path().exists() {
            self.gix.open_index().doing("read the index")
        } else {
            let state = gix::index::State::new(self.gix.object_hash());
            Ok(gix::index::File::from_state(state, self.gix.index_path()))
        }
    }

    /// Whether the file system keeps the executable bit.
    pub(crate) fn trusts_executable_bit(&self) -> bool {
        self.gix
            .config_snapshot()
            .boolean("core.fileMode")
            .unwrap_or(true)
    }

    /// A path of the worktree on disk.
    pub(crate) fn on_disk(&self, path: &BStr) -> PathBuf {
        self.root.join(OsStr::from_bytes(path))
    }
}
