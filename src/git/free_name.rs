//! A name that nothing has yet.

use std::path::{Path, PathBuf};

/// The path with the first number behind it that is free: `file.1`.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let mut names = (1..).map(numbered);
    let free = names.find(|name| name.symlink_metadata().is_err());
    free.unwrap_or_else(|| numbered(0))
}
