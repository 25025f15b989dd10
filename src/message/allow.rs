//! The words of `git tcr allow`.

use std::path::Path;

use super::{Message, Tone, path_list};
use crate::error::Error;

/// What is allowed once is the change of a file.
pub(crate) fn is_folder(path: &Path) -> Error {
    let path = path.display();
    Error::Usage {
        what: format!("`{path}` is a folder: the change of a file is allowed"),
        hint: format!("git tcr allow {path}/FILE --once"),
    }
}

/// Paths that may be changed once, whatever the phase.
pub(crate) fn allowed_once(paths: &[String]) -> Message {
    let headline = format!("the next change is allowed: {}", path_list(paths));
    Message::new(Tone::Good, headline)
}
