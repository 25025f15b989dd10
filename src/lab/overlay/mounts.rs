//! The mounts of the inner stages: overlays in the place of their own lower layers.

use std::ffi::CString;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};

use super::super::no_lab::{Doing, NoLab, Step};
use super::spec::{Privilege, Upper};

/// A folder that gets an overlay, opened before anything lies over it.
pub(super) struct Layer {
    path: PathBuf,
    lower: OwnedFd,
}

/// From here on no mount is seen outside.
pub(super) fn keep_private() -> Result<(), NoLab> {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|error| NoLab::refused(Step::Namespace, error))
}

/// The folders that get an overlay: the worktree, what is mounted inside it, and what lies beside.
pub(super) fn layers(worktree: &Path, beside: &[PathBuf]) -> Result<Vec<Layer>, NoLab> {
    let mounted = fs::read("/proc/self/mountinfo")
        .map_err(|error| NoLab::io(Doing::Read, Path::new("/proc/self/mountinfo"), &error))?;
    let roots: Vec<&Path> = std::iter::once(worktree)
        .chain(beside.iter().map(PathBuf::as_path))
        .collect();
    let mut paths: Vec<PathBuf> = roots.iter().map(|root| root.to_path_buf()).collect();
    for point in mount_points(&mounted) {
        let inside = roots
            .iter()
            .any(|root| point.starts_with(root) && point != **root);
        if inside && point.is_dir() && !paths.contains(&point) {
            paths.push(point);
        }
    }
    paths.into_iter().map(open).collect()
}

fn open(path: PathBuf) -> Result<Layer, NoLab> {
    Ok(Layer {
        lower: open_folder(&path)?,
        path,
    })
}

fn open_folder(path: &Path) -> Result<OwnedFd, NoLab> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty())
        .map_err(|error| NoLab::io(Doing::Read, path, &error.into()))
}

/// Where file systems are mounted, as the kernel lists them.
fn mount_points(mountinfo: &[u8]) -> Vec<PathBuf> {
    mountinfo
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.split(|byte| *byte == b' ').nth(4))
        .map(unescape)
        .collect()
}

/// The kernel writes blanks and the like as three octal digits.
fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let code = after
            .get(..3)
            .and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 8).ok()) {
            Some(byte) if *first == b'\\' => {
                bytes.push(byte);
                rest = &after[3..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsStr::from_bytes(&bytes))
}

/// A file system in memory, for upper layers.
pub(super) fn memory(at: &Path) -> Result<(), NoLab> {
    mount(c"tmpfs", at, c"tmpfs", MountFlags::empty(), None)
        .map_err(|error| NoLab::refused(Step::Memory, error))
}

/// Lays an overlay over each folder, with upper layers in `uppers`.
pub(super) fn lay(layers: &[Layer], uppers: &Path, privilege: Privilege) -> Result<(), NoLab> {
    for (number, layer) in layers.iter().enumerate() {
        let upper = make_folder(&upper_of(uppers, number))?;
        let work = make_folder(&uppers.join(format!("w{number}")))?;
        let options = options(&layer.lower, &upper, &work, privilege);
        mount(
            c"overlay",
            &layer.path,
            c"overlay",
            MountFlags::empty(),
            options.as_deref(),
        )
        .map_err(|error| NoLab::refused(Step::Overlay, error))?;
    }
    Ok(())
}

/// The upper layer of the folder with this number; that of the worktree is the first.
pub(super) fn upper_of(uppers: &Path, number: usize) -> PathBuf {
    uppers.join(format!("u{number}"))
}

fn make_folder(path: &Path) -> Result<OwnedFd, NoLab> {
    fs::create_dir(path).map_err(|error| NoLab::io(Doing::Write, path, &error))?;
    open_folder(path)
}

/// By descriptor, as a path may hold anything that the option string gives a meaning to.
fn options(
    lower: &OwnedFd,
    upper: &OwnedFd,
    work: &OwnedFd,
    privilege: Privilege,
) -> Option<CString> {
    let own = match privilege {
        // A folder of the lower layer can be renamed.
        Privilege::Root => "redirect_dir=on",
        Privilege::User => "userxattr",
    };
    let at = |fd: &OwnedFd| format!("/proc/self/fd/{}", fd.as_raw_fd());
    // Nothing of it is to survive a crash, so nothing waits for the disk.
    let text = format!(
        "lowerdir={},upperdir={},workdir={},volatile,{own}",
        at(lower),
        at(upper),
        at(work)
    );
    CString::new(text).ok()
}

/// Where the upper layers of a run go.
pub(super) fn uppers(run: &Path, upper: Upper) -> Result<PathBuf, NoLab> {
    fs::create_dir(run).map_err(|error| NoLab::io(Doing::Write, run, &error))?;
    match upper {
        Upper::Disk => {}
        Upper::Memory => memory(run)?,
    }
    Ok(run.to_path_buf())
}

/// A process list that knows the namespace's processes alone.
pub(super) fn process_list() -> Result<(), NoLab> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount(c"proc", "/proc", c"proc", flags, None)
        .map_err(|error| NoLab::refused(Step::ProcessList, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read_with_their_odd_names() {
        let text = b"22 27 0:21 / /proc rw - proc proc rw\n30 25 8:1 /x /a\\040b\\134c\\011 rw - ext4 /dev/a rw\n\n";
        let points = mount_points(text);
        assert_eq!(points, [Path::new("/proc"), Path::new("/a b\\c\t")]);
    }
}
