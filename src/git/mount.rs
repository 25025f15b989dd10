//! Which mount a file is on: from one to another nothing can be moved, even where both show the same
//! file system.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What tells one mount from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mount {
    device: u64,
    /// 0 where the system has no numbers for them.
    number: u64,
}

impl Mount {
    /// The mount that a file is on; `None` if nothing is there.
    pub(super) fn of(path: &Path) -> Option<Mount> {
        let device = path.symlink_metadata().ok()?.dev();
        let number = number_of(path);
        Some(Mount { device, number })
    }
}

#[cfg(target_os = "linux")]
fn number_of(path: &Path) -> u64 {
    use rustix::fs::{AtFlags, CWD, StatxFlags};
    rustix::fs::statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::MNT_ID)
        .map_or(0, |found| found.stx_mnt_id)
}

#[cfg(not(target_os = "linux"))]
fn number_of(_path: &Path) -> u64 {
    0
}
