//! The watch over the worktree while an experiment runs: what was opened or changed there.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

/// A running watch.
#[derive(Debug)]
pub(super) struct Watch {
    queue: OwnedFd,
    worktree: PathBuf,
    folders: HashMap<i32, PathBuf>,
    changed: Mutex<BTreeSet<PathBuf>>,
}

/// Which events count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Changes,
    All,
}

impl Watch {
    /// Begins to watch all folders of a worktree for changes, but for git's own and dependencies.
    /// None where the system has no watches left.
    pub(super) fn begin(worktree: &Path) -> Option<Watch> {
        let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let mut folders = HashMap::new();
        let mut left = vec![PathBuf::new()];
        while let Some(folder) = left.pop() {
            let full = worktree.join(&folder);
            match inotify::add_watch(&queue, &full, CHANGES) {
                Ok(watch) => drop(folders.insert(watch, folder.clone())),
                // Gone meanwhile, or not ours to look into: then not ours to test either.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => continue,
                Err(_) => return None,
            }
            for entry in fs::read_dir(&full).into_iter().flatten().flatten() {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && !is_dependencies(&entry.path()) {
                    left.push(folder.join(entry.file_name()));
                }
            }
        }
        if folders.is_empty() {
            return None;
        }
        Some(Watch {
            queue,
            worktree: worktree.to_path_buf(),
            folders,
            changed: Mutex::default(),
        })
    }

    /// From here on files that are opened count too: nothing of the worktree is to be used.
    pub(super) fn count_opened(self) -> Option<Watch> {
        for folder in self.folders.values() {
            match inotify::add_watch(
                &self.queue,
                self.worktree.join(folder),
                CHANGES | WatchFlags::OPEN,
            ) {
                Ok(_) | Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
                Err(_) => return None,
            }
        }
        Some(self)
    }

    /// Does something that may open files of the worktree, which does not count.
    pub(super) fn except<T>(&self, our: impl FnOnce() -> T) -> T {
        self.drain(Count::All);
        let done = our();
        self.drain(Count::Changes);
        done
    }

    /// Ends it and says what was seen. `.` stands for more than could be counted.
    pub(super) fn end(self) -> Vec<PathBuf> {
        self.drain(Count::All);
        let seen = self
            .changed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        seen.into_iter().collect()
    }

    fn drain(&self, count: Count) {
        let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
        let mut reader = inotify::Reader::new(&self.queue, &mut buffer);
        let mut seen = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        // It ends with an error where there is nothing more to read.
        while let Ok(event) = reader.next() {
            let flags = event.events();
            if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                seen.insert(PathBuf::from("."));
            }
            let folder_or_ours = flags.contains(ReadFlags::ISDIR) || count == Count::Changes;
            let looked_at = flags.contains(ReadFlags::OPEN) && folder_or_ours;
            if looked_at || flags.contains(ReadFlags::IGNORED) {
                continue;
            }
            if let Some(folder) = self.folders.get(&event.wd()) {
                let name = event
                    .file_name()
                    .map(|name| OsStr::from_bytes(name.to_bytes()));
                seen.insert(name.map_or_else(|| folder.clone(), |name| folder.join(name)));
            }
        }
    }
}

const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW)
    .union(WatchFlags::EXCL_UNLINK);

/// Folders that a lab may share, or whose content is not the user's: looked at by nobody.
fn is_dependencies(folder: &Path) -> bool {
    let named = |name: &str| folder.file_name() == Some(OsStr::new(name));
    let holds = |name: &str| folder.join(name).exists();
    named(".git")
        || named("node_modules")
        || named(".tox")
        || named(".nox")
        || holds("pyvenv.cfg")
        || (named("vendor") && (holds("autoload.php") || holds("modules.txt")))
}
