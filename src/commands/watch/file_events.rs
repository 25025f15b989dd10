//! Changes of files as wake-ups. An event only says that a look is worth while: what changed is
//! decided by the tree, never by events.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;
use notify::event::{EventKindMask, ModifyKind};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::error::{Doing, Error, Result};
use crate::git::read_index::ReadIndex;
use crate::git::repo::Repo;
use crate::message::refusals;
use crate::rules::private::is_editor_scratch;

/// What an event is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// Ignored files, git's own files, our own refs.
    Nothing,
    /// The state of a branch was written.
    State,
    /// The worktree may have changed, or the branch that it belongs to.
    Worktree,
}

/// What git writes when HEAD moves and when a merge or its like begins or ends.
const SIGNS_OF_GIT: &[&str] = &[
    "HEAD",
    "ORIG_HEAD",
    "index",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
];

/// Where a folder has to be watched by itself. Elsewhere the system watches whole trees, and is
/// asked to only once.
const FOLDER_BY_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// This many answers about ignored paths are remembered.
const REMEMBERED: usize = 10_000;

/// Watches a worktree, for as long as it lives.
pub(crate) struct FileEvents {
    watcher: RecommendedWatcher,
    root: PathBuf,
    git_dir: PathBuf,
    states: PathBuf,
    /// Whether a path was found to be ignored, until the rules may have changed.
    ignored: HashMap<PathBuf, bool>,
}

impl FileEvents {
    /// Begins to watch; `deliver` is called on another thread.
    pub(crate) fn start(
        repo: &Repo,
        deliver: impl FnMut(notify::Result<Event>) + Send + 'static,
    ) -> Result<FileEvents> {
        let config = Config::default().with_event_kinds(EventKindMask::CORE);
        let watcher = RecommendedWatcher::new(deliver, config).map_err(not_watched)?;
        let real = |path: &Path| gix::path::realpath(path).unwrap_or_else(|_| path.to_owned());
        let mut events = FileEvents {
            watcher,
            root: repo.root().to_owned(),
            git_dir: real(repo.git_dir()),
            states: real(repo.common_dir()).join("refs/tcr/state"),
            ignored: HashMap::new(),
        };
        if FOLDER_BY_FOLDER {
            events.watch_folders(repo, BString::default())?;
        } else {
            let root = events.root.clone();
            let watched = events.watcher.watch(&root, RecursiveMode::Recursive);
            watched.map_err(not_watched)?;
        }
        let git_dir = events.git_dir.clone();
        events.watch_folder(&git_dir)?;
        events.watch_states();
        Ok(events)
    }

    /// The folder of states comes with the first one, and goes when git packs them.
    pub(crate) fn watch_states(&mut self) {
        // Without it the display is late by one look, no more.
        drop(self.watch_folder(&self.states.clone()));
    }

    /// What some events are worth together; new folders among them are watched from here on.
    pub(crate) fn worth_of(&mut self, events: &[Event]) -> Result<Worth> {
        let mut worth = Worth::Nothing;
        let mut repo = None;
        for event in events {
            if event.need_rescan() {
                // Some were dropped: nobody knows which.
                self.ignored.clear();
                if FOLDER_BY_FOLDER {
                    self.watch_folders(open_once(&mut repo, &self.root)?, BString::default())?;
                }
                worth = Worth::Worktree;
            }
            for path in &event.paths {
                let this = self.worth_of_path(&mut repo, path, &event.kind, worth)?;
                worth = worth.max(this);
            }
        }
        Ok(worth)
    }

    fn worth_of_path(
        &mut self,
        repo: &mut Option<Repo>,
        path: &Path,
        kind: &EventKind,
        so_far: Worth,
    ) -> Result<Worth> {
        if path.starts_with(&self.states) {
            return Ok(Worth::State);
        }
        if let Ok(inside) = path.strip_prefix(&self.git_dir) {
            let sign = inside
                .to_str()
                .is_some_and(|name| SIGNS_OF_GIT.contains(&name));
            if sign && inside == Path::new("index") {
                // What is tracked is not ignored.
                self.ignored.clear();
            }
            return Ok(if sign {
                Worth::Worktree
            } else {
                Worth::Nothing
            });
        }
        let Ok(inside) = path.strip_prefix(&self.root) else {
            return Ok(Worth::Nothing);
        };
        let name = path.file_name().unwrap_or_default();
        if is_editor_scratch(name.as_bytes()) || inside.starts_with(".git") {
            return Ok(Worth::Nothing);
        }
        if name == ".gitignore" {
            self.ignored.clear();
        }
        let may_be_folder = match kind {
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) => true,
            EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Access(_) => false,
            EventKind::Any | EventKind::Other => true,
        };
        let new_folder = FOLDER_BY_FOLDER && may_be_folder && is_folder(path);
        if so_far == Worth::Worktree && !new_folder {
            return Ok(Worth::Worktree);
        }
        let repo = open_once(repo, &self.root)?;
        let inside = BString::from(inside.as_os_str().as_bytes());
        if self.is_ignored(repo, path, inside.as_bstr())? {
            return Ok(Worth::Nothing);
        }
        if new_folder {
            self.watch_folders(repo, inside)?;
        }
        Ok(Worth::Worktree)
    }

    fn is_ignored(&mut self, repo: &Repo, path: &Path, inside: &BStr) -> Result<bool> {
        if let Some(known) = self.ignored.get(path) {
            return Ok(*known);
        }
        let ignored = Ignored::new(repo)?.has(inside, is_folder(path))?;
        if self.ignored.len() >= REMEMBERED {
            self.ignored.clear();
        }
        self.ignored.insert(path.to_owned(), ignored);
        Ok(ignored)
    }

    /// Watches a folder and those in it that are not ignored.
    fn watch_folders(&mut self, repo: &Repo, below: BString) -> Result<()> {
        let index = repo.index()?;
        let mut ignored = Ignored::with(repo, &index)?;
        let mut open = vec![below];
        while let Some(folder) = open.pop() {
            let path = repo.on_disk(folder.as_bstr());
            // First watched, then listed: what comes in between is seen twice, not never.
            self.watch_folder(&path)?;
            let Ok(items) = std::fs::read_dir(&path) else {
                continue;
            };
            for item in items.flatten() {
                if !item.file_type().is_ok_and(|kind| kind.is_dir()) || item.file_name() == ".git" {
                    continue;
                }
                let mut child = folder.clone();
                if !child.is_empty() {
                    child.push(b'/');
                }
                child.extend_from_slice(item.file_name().as_bytes());
                let is_repository = item.path().join(".git").symlink_metadata().is_ok();
                if !is_repository && !ignored.has(child.as_bstr(), true)? {
                    open.push(child);
                }
            }
        }
        Ok(())
    }

    fn watch_folder(&mut self, path: &Path) -> Result<()> {
        let watched = self.watcher.watch(path, RecursiveMode::NonRecursive);
        match watched {
            // It may be gone by now.
            Err(error) if is_gone(&error) => Ok(()),
            watched => watched.map_err(not_watched),
        }
    }
}

/// The ignore rules of a worktree.
struct Ignored<'a> {
    rules: gix::AttributeStack<'a>,
    index: Arc<ReadIndex>,
}

impl<'a> Ignored<'a> {
    fn new(repo: &'a Repo) -> Result<Ignored<'a>> {
        Ignored::with(repo, &repo.index()?)
    }

    fn with(repo: &'a Repo, index: &Arc<ReadIndex>) -> Result<Ignored<'a>> {
        let rules = repo
            .gix
            .excludes(index, None, Source::WorktreeThenIdMappingIfNotSkipped)
            .doing("read the ignore rules")?;
        Ok(Ignored {
            rules,
            index: Arc::clone(index),
        })
    }

    /// Whether git looks past a path. What is tracked is never ignored.
    fn has(&mut self, path: &BStr, is_dir: bool) -> Result<bool> {
        if path.is_empty() {
            return Ok(false);
        }
        let mode = if is_dir { Mode::DIR } else { Mode::FILE };
        let at = self
            .rules
            .at_entry(path, Some(mode))
            .doing("apply the ignore rules")?;
        if !at.is_excluded() {
            return Ok(false);
        }
        let mut folder = path.to_owned();
        folder.push(b'/');
        let tracked = self.index.entry_by_path(path).is_some()
            || self.index.prefixed_entries(folder.as_bstr()).is_some();
        Ok(!tracked)
    }
}

fn open_once<'a>(repo: &'a mut Option<Repo>, root: &Path) -> Result<&'a Repo> {
    if repo.is_none() {
        *repo = Some(Repo::discover(root)?);
    }
    repo.as_ref()
        .ok_or_else(|| Error::internal("a repository was opened and is not there"))
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(io) => io.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

fn not_watched(error: notify::Error) -> Error {
    if let notify::ErrorKind::MaxFilesWatch = error.kind {
        return refusals::too_many_folders();
    }
    Error::Git {
        doing: "watch the worktree",
        source: error.into(),
    }
}
