//! A file of the user is replaced as a whole or not at all: whoever reads it, and whatever fails, finds
//! the old content or the new one.

use std::fs::{File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::fault;

/// The mode of a file that was not there, before the user's mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Executable,
}

/// Writes a file. Its permissions, its owner and the link that leads to it stay.
pub(crate) fn write(file: &Path, content: &[u8], kind: Kind) -> Result<()> {
    fault::write("write-file")?;
    replace(file, content, kind).map_err(|error| Error::io("write", file, error))
}

fn replace(file: &Path, content: &[u8], kind: Kind) -> io::Result<()> {
    let file = &behind_links(file)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let prepared = beside(file);
    let written = prepare(&prepared, file, content, kind)
        .and_then(|()| std::fs::rename(&prepared, file))
        .and_then(|()| sync_folder(file));
    let Err(error) = written else {
        return Ok(());
    };
    drop(std::fs::remove_file(&prepared));
    match error.kind() {
        // A file that is mounted by itself, or one in a folder of somebody else's.
        ErrorKind::ResourceBusy
        | ErrorKind::CrossesDevices
        | ErrorKind::PermissionDenied
        | ErrorKind::ReadOnlyFilesystem
            if file.exists() =>
        {
            in_place(file, content)
        }
        _ => Err(error),
    }
}

/// Where a link leads in the end, also if nothing is there yet.
fn behind_links(file: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = file.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("/")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(ErrorKind::InvalidInput.into())
}

/// One name for each file: what a killed process leaves behind is gone with the next write. Editors call
/// their backups so, and nobody commits these.
fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.git-tcr~"))
}

fn prepare(prepared: &Path, file: &Path, content: &[u8], kind: Kind) -> io::Result<()> {
    match std::fs::remove_file(prepared) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mode = match kind {
        Kind::Plain => 0o666,
        Kind::Executable => 0o777,
    };
    let mut options = File::options();
    let mut new = options
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(prepared)?;
    if let Ok(old) = file.metadata() {
        // Only root can give files away; whoever can't keeps what can be kept.
        drop(std::os::unix::fs::fchown(
            &new,
            Some(old.uid()),
            Some(old.gid()),
        ));
        let more = match kind {
            Kind::Plain => 0,
            Kind::Executable => 0o111,
        };
        new.set_permissions(Permissions::from_mode(old.mode() & 0o7777 | more))?;
    }
    new.write_all(content)?;
    new.sync_all()
}

fn sync_folder(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else {
        return Ok(());
    };
    // Some file systems can't; the file itself is on disk.
    drop(File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

/// The room is taken before anything is changed.
fn in_place(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    let old = file.metadata()?.len();
    let new = content.len() as u64;
    if new > old {
        let taken = rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, new);
        if let Err(error) = taken {
            file.set_len(old)?;
            return Err(error.into());
        }
    }
    file.write_all(content)?;
    file.set_len(new)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_and_links_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("real"), dir.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        write(&link, b"new", Kind::Plain).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_link_to_nothing_yet_leads_to_the_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("folder/real", &link).unwrap();
        write(&link, b"new", Kind::Plain).unwrap();
        assert!(link.is_symlink());
        assert_eq!(
            std::fs::read(dir.path().join("folder/real")).unwrap(),
            b"new"
        );
    }

    #[test]
    fn what_was_left_behind_goes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        std::fs::write(beside(&file), "half").unwrap();
        write(&file, b"whole", Kind::Executable).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"whole");
        assert_eq!(file.metadata().unwrap().mode() & 0o111, 0o111);
        assert!(!beside(&file).exists());
    }

    #[test]
    fn in_place_all_of_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        for content in ["longer than before", "short", ""] {
            std::fs::write(&file, "before").unwrap();
            in_place(&file, content.as_bytes()).unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), content.as_bytes());
        }
    }
}
