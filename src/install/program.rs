//! The program that hooks call: named by its path in a file that every hook reads, so that another
//! one of its name that comes first on PATH changes nothing.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::branch::sealed::{self, Sealed};
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::this_process;

/// The path by which this program is found again after an update: as PATH has it, if that is it.
pub(crate) fn lasting() -> Result<PathBuf> {
    let own = this_process::program()?;
    let on_path = which::which("git-tcr").ok();
    let is_own = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real == own);
    Ok(on_path.filter(is_own).unwrap_or(own))
}

/// Puts the path where hooks look for it in this worktree, if it is not there.
pub(crate) fn put(repo: &Repo, sealed: &Sealed) -> Result<()> {
    let Some(program) = sealed::installed(repo, sealed)?.program else {
        return Ok(());
    };
    let file = repo.git_dir().join("tcr").join("program");
    let wanted = [program.as_os_str().as_bytes(), b"\n"].concat();
    if std::fs::read(&file).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    write(&file, &wanted).map_err(|error| Error::io("write", &file, error))
}

fn write(file: &Path, text: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)
}
