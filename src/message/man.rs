//! The words of `git tcr man`.

use std::path::Path;

use super::{Message, Tone, count};
use crate::error::Error;

/// The pages were written.
pub(crate) fn installed(pages: usize, folder: &Path) -> Message {
    let pages = count(pages, "manual page", "manual pages");
    Message::new(Tone::Good, format!("{pages} in `{}`", folder.display())).hint("git tcr --help")
}

/// Nothing tells where manual pages belong.
pub(crate) fn no_folder() -> Error {
    Error::Usage {
        what: "no folder for manual pages is known".into(),
        hint: "git tcr man --install --dir DIR".into(),
    }
}
