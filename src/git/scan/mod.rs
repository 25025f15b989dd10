//! One pass over the worktree: which tracked files may differ from the index, and which names
//! the index does not know.
//!
//! This runs before and after every test run, so it is the hottest loop of the program. Only
//! folders that hold tracked files are listed here, in parallel, one `statat` per tracked file;
//! ignore rules are asked afterwards, and only for the few names that are not tracked.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gix::bstr::{BStr, BString};
use gix::index::entry::{Stat, stat::Options as StatOptions};
use rustix::fs::{Dir, Mode as OpenMode, OFlags};

use super::read_index::ReadIndex;
use crate::error::{Error, Result};

mod folder_look;
mod folders;

use folder_look::{FolderLook, suspicion};
use folders::Folder;
pub(super) use folders::Folders;

/// A tracked path that is not as the index has it, judged by `stat` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suspect {
    /// Position in the index.
    pub(crate) entry: usize,
    /// What `stat` said; `None` if the file is gone.
    pub(crate) stat: Option<Stat>,
}

/// A name in the worktree that the index does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unknown {
    /// The path from the root.
    pub(crate) path: BString,
    /// Whether it is a folder.
    pub(crate) is_dir: bool,
}

/// What one pass saw.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Tracked paths that need a look at their content, in index order.
    pub(crate) suspects: Vec<Suspect>,
    /// Names the index does not know, sorted.
    pub(crate) unknown: Vec<Unknown>,
}

/// How to compare.
#[derive(Clone, Copy)]
pub(crate) struct ScanRules {
    /// The user's settings on what a matching `stat` needs.
    pub(crate) stat: StatOptions,
    /// Whether the file system keeps the executable bit (`core.fileMode`).
    pub(crate) trust_executable_bit: bool,
    /// Whether paths marked `skip-worktree` are absent on purpose.
    pub(crate) sparse: bool,
    /// Files that were written after this moment are looked at whatever the index says: it knows seconds,
    /// and whoever asks git for the status makes it know the new time.
    pub(crate) later_than: Option<Stat>,
}

/// Whether a file was written after a moment, by the clock of one file system.
pub(crate) fn is_later(file: Stat, moment: Stat) -> bool {
    file.dev == moment.dev && file.mtime.max(file.ctime) > moment.mtime
}

/// A thread with fewer tracked files than this to look at costs more time than it saves.
const WORTH_A_THREAD: usize = 500;
const MOST_THREADS: usize = 8;
/// The last chunk is worked on by one thread while the others wait.
const CHUNKS_A_THREAD: usize = 32;

/// Looks at every tracked file and lists the unknown names beside them.
pub(crate) fn scan(root: &Path, index: &ReadIndex, rules: ScanRules) -> Result<Scan> {
    let folders = index.folders().all();
    let threads = thread_count(index.entries().len());
    let mut scan = Scan::default();
    let mut level = vec![0];
    while !level.is_empty() {
        let found = scan_level(root, index, rules, folders, &level, threads)?;
        level.clear();
        for part in found {
            scan.suspects.extend(part.suspects);
            scan.unknown.extend(part.unknown);
            level.extend(part.next);
            for missing in part.missing {
                add_missing(index, folders, missing, rules, &mut scan.suspects);
            }
        }
    }
    scan.suspects.sort_by_key(|suspect| suspect.entry);
    scan.unknown.sort();
    Ok(scan)
}

fn thread_count(entries: usize) -> usize {
    let wanted = (entries / WORTH_A_THREAD).min(MOST_THREADS);
    if wanted < 2 {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(wanted))
}

#[derive(Default)]
struct LevelPart {
    suspects: Vec<Suspect>,
    unknown: Vec<Unknown>,
    next: Vec<usize>,
    missing: Vec<usize>,
}

fn scan_level(
    root: &Path,
    index: &gix::index::State,
    rules: ScanRules,
    folders: &[Folder],
    level: &[usize],
    threads: usize,
) -> Result<Vec<LevelPart>> {
    let work = |chunk: &[usize]| -> Result<LevelPart> {
        let mut part = LevelPart::default();
        for &folder in chunk {
            scan_folder(root, index, rules, folders, folder, &mut part)?;
        }
        Ok(part)
    };
    if threads == 1 || level.len() < 8 {
        return Ok(vec![work(level)?]);
    }
    // Small chunks, taken in turn, even out folders of different size.
    let next_chunk = std::sync::atomic::AtomicUsize::new(0);
    let chunks = level.chunks((level.len() / (threads * CHUNKS_A_THREAD)).max(1));
    let chunks: Vec<&[usize]> = chunks.collect();
    let run = || -> Result<Vec<LevelPart>> {
        let mut parts = Vec::new();
        while let Some(chunk) =
            chunks.get(next_chunk.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            parts.push(work(chunk)?);
        }
        Ok(parts)
    };
    std::thread::scope(|scope| {
        // Where no more threads are to be had, this one does it all.
        let more = |_| std::thread::Builder::new().spawn_scoped(scope, run).ok();
        let handles: Vec<_> = (1..threads).map_while(more).collect();
        let mut parts = run()?;
        for handle in handles {
            parts.extend(
                handle
                    .join()
                    .map_err(|_| Error::internal("a scan thread died"))??,
            );
        }
        Ok(parts)
    })
}

fn scan_folder(
    root: &Path,
    index: &gix::index::State,
    rules: ScanRules,
    folders: &[Folder],
    position: usize,
    part: &mut LevelPart,
) -> Result<()> {
    let folder = &folders[position];
    let at = root.join(OsStr::from_bytes(&folder.path));
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    // The root itself may be reached through a link.
    let flags = if position == 0 {
        flags - OFlags::NOFOLLOW
    } else {
        flags
    };
    let handle = match rustix::fs::open(&at, flags, OpenMode::empty()) {
        Ok(handle) => handle,
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP) => {
            part.missing.push(position);
            return Ok(());
        }
        Err(errno) => return Err(Error::io("list", &at, errno.into())),
    };
    let look = FolderLook {
        index,
        rules,
        folders,
        folder,
        is_root: position == 0,
    };
    let listing = |errno: rustix::io::Errno| Error::io("list", &at, errno.into());
    let mut listed = Dir::new(handle).map_err(listing)?;
    let files = look.list(&mut listed, part).map_err(listing)?;
    let handle = listed.fd().map_err(listing)?;
    let tracked = look.at_tracked(handle, part);
    let tracked = tracked.map_err(|errno| Error::io("look at", &at, errno.into()))?;
    // A tracked file that is there was listed: if no more were, there is no name to look up.
    if files != tracked {
        look.name_untracked(&mut listed, part).map_err(listing)?;
    }
    Ok(())
}

/// The fields of a `stat` that git keeps in its index.
pub(crate) fn index_stat(raw: &rustix::fs::Stat) -> Stat {
    let time = |secs: i64, nsecs: u64| gix::index::entry::stat::Time {
        secs: secs as u32,
        nsecs: nsecs as u32,
    };
    Stat {
        mtime: time(raw.st_mtime, raw.st_mtime_nsec),
        ctime: time(raw.st_ctime, raw.st_ctime_nsec),
        dev: raw.st_dev as u32,
        ino: raw.st_ino as u32,
        uid: raw.st_uid,
        gid: raw.st_gid,
        size: raw.st_size as u32,
    }
}

/// Everything tracked below a folder that is no longer a folder is gone.
fn add_missing(
    index: &gix::index::State,
    folders: &[Folder],
    position: usize,
    rules: ScanRules,
    suspects: &mut Vec<Suspect>,
) {
    let folder = &folders[position];
    for &entry in &folder.entries {
        suspects.extend(suspicion(
            index,
            &index.entries()[entry],
            entry,
            None,
            rules,
        ));
    }
    for &child in &folder.folders {
        add_missing(index, folders, child, rules, suspects);
    }
}

/// The path of a suspect.
pub(crate) fn path_of(index: &gix::index::State, entry: usize) -> &BStr {
    index.entries()[entry].path_in(index.path_backing())
}
