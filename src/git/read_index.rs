//! The index as it was read, with what is made of it more than once.

use std::ops::Deref;
use std::sync::OnceLock;

use super::scan::Folders;

/// An index that nobody changes any more.
#[derive(Debug)]
pub(crate) struct ReadIndex {
    file: gix::index::File,
    folders: OnceLock<Folders>,
}

impl ReadIndex {
    pub(super) fn new(file: gix::index::File) -> Self {
        ReadIndex {
            file,
            folders: OnceLock::new(),
        }
    }

    /// The folders that hold tracked files.
    pub(super) fn folders(&self) -> &Folders {
        self.folders.get_or_init(|| Folders::of(&self.file))
    }

    /// The index, to be changed.
    pub(super) fn into_file(self) -> gix::index::File {
        self.file
    }
}

impl Deref for ReadIndex {
    type Target = gix::index::File;

    fn deref(&self) -> &gix::index::File {
        &self.file
    }
}
