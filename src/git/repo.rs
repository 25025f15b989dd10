//! The repository at hand: where its parts are, and what HEAD says.

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::{BStr, ByteSlice};
use gix::objs::FindExt;
use gix::odb::pack::cache::lru;
use gix::refs::{FullName, Target};
use gix::state::InProgress;

use super::look_ahead::LookAhead;
use super::loose::Objects;
use super::read_index::ReadIndex;
use super::scan::{Scan, ScanRules};
use crate::error::{Doing, Error, Result, StandAside};

/// An open repository with a worktree.
pub(crate) struct Repo {
    pub(crate) gix: gix::Repository,
    root: PathBuf,
    common_dir: PathBuf,
    read_index: RefCell<Option<(IndexFile, Arc<ReadIndex>)>>,
    /// For the next snapshot.
    look_ahead: RefCell<Option<LookAhead>>,
    /// The commit whose tree was asked for last, with its tree: most often it is HEAD's once more.
    last_tree: Cell<Option<(gix::ObjectId, gix::ObjectId)>>,
    /// How many objects were not found as small files since the last that was.
    pub(super) small_missed: Cell<u32>,
}

/// An index of this many bytes is quicker to decode with more than one thread.
const WORTH_THREADS: u64 = 1 << 20;

/// How many bytes of objects are kept in memory.
const OBJECT_CACHE: usize = 4 << 20;

/// The same, of those that others in a pack are made from.
const PACK_CACHE: usize = 8 << 20;

/// What tells one index file from the next; nothing if there is none.
#[derive(PartialEq, Eq)]
struct IndexFile(Option<(u64, u64, i64, i64)>);

impl IndexFile {
    fn at(path: &Path) -> IndexFile {
        let found = path.metadata().ok();
        IndexFile(found.map(|file| (file.ino(), file.len(), file.mtime(), file.mtime_nsec())))
    }
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// A repository that several threads read, each with caches of its own.
pub(crate) struct Shared {
    gix: gix::ThreadSafeRepository,
    root: PathBuf,
    common_dir: PathBuf,
}

impl Shared {
    /// The repository for the thread at hand.
    pub(crate) fn open(&self) -> Repo {
        let mut gix = self.gix.to_thread_local();
        set_caches(&mut gix);
        Repo {
            gix,
            root: self.root.clone(),
            common_dir: self.common_dir.clone(),
            read_index: RefCell::default(),
            look_ahead: RefCell::default(),
            last_tree: Cell::default(),
            small_missed: Cell::default(),
        }
    }
}

fn set_caches(gix: &mut gix::Repository) {
    // `git replace` shows other content for an object: what was sealed and tested is the object.
    gix.objects.ignore_replacements = true;
    // The same few trees are looked into again and again.
    gix.object_cache_size_if_unset(OBJECT_CACHE);
    // Without it every object of a pack is put together from the first of its chain.
    gix.objects
        .set_pack_cache(|| Box::new(lru::MemoryCappedHashmap::new(PACK_CACHE)));
}

/// The git directory of all worktrees, by a path that can be shown and compared: of a linked one it is
/// found from within its own git directory, by steps upwards.
fn common_dir(gix: &gix::Repository) -> PathBuf {
    let common = gix.common_dir();
    if common == gix.git_dir() {
        return common.to_owned();
    }
    gix::path::realpath(common).unwrap_or_else(|_| common.to_owned())
}

/// What HEAD names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// The branch checked out.
    pub(crate) branch: FullName,
    /// Its commit.
    pub(crate) commit: gix::ObjectId,
}

fn open(dir: &Path) -> Result<gix::Repository> {
    match gix::discover(dir) {
        Ok(gix) => Ok(gix),
        Err(error) if error.is_not_found() => Err(Error::NotARepository(dir.to_owned())),
        Err(error) => Err(Error::Git {
            doing: "open the repository",
            source: error.into(),
        }),
    }
}

/// A pipe in the place of one of our files would be waited for without end, and holds nothing.
fn remove_pipes(git_dir: &Path) {
    use std::os::unix::fs::FileTypeExt;
    let entries = std::fs::read_dir(git_dir.join("tcr"));
    for entry in entries.into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_fifo()) {
            drop(std::fs::remove_file(entry.path()));
        }
    }
}

impl Repo {
    /// Opens the repository that `dir` is in.
    pub(crate) fn discover(dir: &Path) -> Result<Repo> {
        let gix = open(dir)?;
        match gix.workdir().map(Path::to_owned) {
            Some(root) => Repo::with_root(gix, root),
            None => Err(Error::Bare(gix.git_dir().to_owned())),
        }
    }

    /// Opens a git directory for those who only look at its refs.
    pub(crate) fn without_worktree(git_dir: &Path) -> Result<Repo> {
        Repo::with_root(open(git_dir)?, git_dir.to_owned())
    }

    fn with_root(mut gix: gix::Repository, root: PathBuf) -> Result<Repo> {
        // References in another format than files would look as if there were none.
        let storage = gix.config_snapshot().string("extensions.refStorage");
        if let Some(storage) = storage.filter(|name| name.as_slice() != b"files") {
            return Err(Error::RefStorage(storage.to_string()));
        }
        let root = gix::path::realpath(&root).unwrap_or(root);
        let common_dir = common_dir(&gix);
        remove_pipes(gix.git_dir());
        remove_pipes(&common_dir);
        set_caches(&mut gix);
        Ok(Repo {
            gix,
            root,
            common_dir,
            read_index: RefCell::default(),
            look_ahead: RefCell::default(),
            last_tree: Cell::default(),
            small_missed: Cell::default(),
        })
    }

    /// The same repository for other threads to open.
    pub(crate) fn shared(&self) -> Shared {
        Shared {
            gix: self.gix.clone().into_sync(),
            root: self.root.clone(),
            common_dir: self.common_dir.clone(),
        }
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
        &self.common_dir
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
                let commit = match reference.target {
                    Target::Object(commit) => commit,
                    // A branch that is another name of a branch.
                    Target::Symbolic(_) => self.gix.head_id().doing("read HEAD")?.detach(),
                };
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
        const READING: &str = "read a commit";
        if let Some((known, tree)) = self.last_tree.get()
            && known == commit
        {
            return Ok(tree);
        }
        let mut buffer = Vec::new();
        let found = Objects(self).find_commit_iter(&commit, &mut buffer);
        let tree = found.doing(READING)?.tree_id().doing(READING)?;
        self.last_tree.set(Some((commit, tree)));
        Ok(tree)
    }

    /// The index as it is now; an empty one if there is none.
    ///
    /// It is read once and again only when it was replaced: git never writes into it.
    pub(crate) fn index(&self) -> Result<Arc<ReadIndex>> {
        let now = IndexFile::at(&self.gix.index_path());
        let mut read = self.read_index.borrow_mut();
        if let Some((known, index)) = &*read
            && *known == now
        {
            return Ok(Arc::clone(index));
        }
        let index = Arc::new(ReadIndex::new(self.open_index()?));
        *read = Some((now, Arc::clone(&index)));
        Ok(index)
    }

    /// The index as it is now, to be changed.
    pub(super) fn take_index(&self) -> Result<gix::index::File> {
        let index = self.index()?;
        *self.read_index.borrow_mut() = None;
        Ok(match Arc::try_unwrap(index) {
            Ok(index) => index.into_file(),
            Err(shared) => gix::index::File::clone(&shared),
        })
    }

    /// Begins a look at the worktree for the next snapshot, unless one is under way.
    pub(super) fn begin_look_ahead(&self, index: Arc<ReadIndex>, rules: ScanRules) {
        let mut look_ahead = self.look_ahead.borrow_mut();
        if look_ahead.is_none() {
            *look_ahead = LookAhead::begin(&self.root, index, rules);
        }
    }

    /// What was seen, once, and only if the index is still the one it was compared with.
    pub(super) fn seen_ahead(&self, index: &Arc<ReadIndex>) -> Option<Scan> {
        self.look_ahead.take()?.seen_beside(index)
    }

    /// The worktree was changed: what was seen of it no longer counts.
    pub(crate) fn forget_look_ahead(&self) {
        drop(self.look_ahead.take());
    }

    #[cfg(test)]
    pub(super) fn wait_for_look_ahead(&self) {
        while !self
            .look_ahead
            .borrow()
            .as_ref()
            .is_none_or(LookAhead::is_over)
        {
            std::thread::yield_now();
        }
    }

    fn open_index(&self) -> Result<gix::index::File> {
        // Like git, we do not go through the whole file to compare its checksum.
        let skip_hash = true;
        let path = self.gix.index_path();
        let is_small = path.metadata().is_ok_and(|file| file.len() < WORTH_THREADS);
        let options = gix::index::decode::Options {
            thread_limit: is_small.then_some(1),
            ..Default::default()
        };
        gix::index::File::at_or_default(path, self.gix.object_hash(), skip_hash, options)
            .doing("read the index")
    }

    /// Whether the file system keeps the executable bit.
    pub(crate) fn trusts_executable_bit(&self) -> bool {
        self.gix
            .config_snapshot()
            .boolean("core.fileMode")
            .unwrap_or(true)
    }

    /// Whether paths marked `skip-worktree` are absent on purpose.
    pub(crate) fn is_sparse(&self) -> bool {
        self.gix
            .config_snapshot()
            .boolean("core.sparseCheckout")
            .unwrap_or(false)
    }

    /// Whether the file system has symbolic links; where it has none, git writes a file with the target.
    pub(crate) fn has_links(&self) -> bool {
        self.gix
            .config_snapshot()
            .boolean("core.symlinks")
            .unwrap_or(true)
    }

    /// A path of the worktree on disk.
    pub(crate) fn on_disk(&self, path: &BStr) -> PathBuf {
        self.root.join(OsStr::from_bytes(path))
    }
}
