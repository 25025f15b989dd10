//! Small files of our own in the git directory.

use std::io;
use std::path::Path;

/// Does what needs the folder of a file, which is made if it is not there.
pub(crate) fn in_folder<T>(path: &Path, mut act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    match (act(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder)?;
            act()
        }
        (done, _) => done,
    }
}
