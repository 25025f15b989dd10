//! Where this process was started, and from which file.

pub(crate) mod signals;
pub(crate) mod stat;

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The folder it was started in.
pub(crate) fn folder() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| Error::io("enter", Path::new("."), error))
}

/// The file it was started from, for starting it again.
pub(crate) fn program() -> Result<PathBuf> {
    std::env::current_exe().map_err(|error| Error::io("find", Path::new("this program"), error))
}
