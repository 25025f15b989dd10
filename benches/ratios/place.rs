//! Where the repositories are made.

use std::path::{Path, PathBuf};

const MEMORY: &str = "/dev/shm";
const ROOM: u64 = 4 << 30;

/// Chooses memory if there is room for it, unless `TMPDIR` says otherwise. A disk has a memory of its
/// own: some file systems make files the slower the more were deleted in the minutes before, so that one
/// run would weigh on the next.
pub(crate) fn choose() -> PathBuf {
    let memory = Path::new(MEMORY);
    let is_free = std::env::var_os("TMPDIR").is_none();
    let room = rustix::fs::statvfs(memory).map_or(0, |found| found.f_bavail * found.f_frsize);
    if is_free && room >= ROOM {
        // It fails if it was called before, which nobody does.
        drop(tempfile::env::override_temp_dir(memory));
    }
    tempfile::env::temp_dir()
}
