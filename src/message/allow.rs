//! The words of `git tcr allow`.

use super::{Message, Tone, path_list};

/// Paths that may be changed once, whatever the phase.
pub(crate) fn allowed_once(paths: &[String]) -> Message {
    let headline = format!("the next change is allowed: {}", path_list(paths));
    Message::new(Tone::Good, headline)
}
