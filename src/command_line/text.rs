//! Text that is known only in part.

/// Stands for a stretch of text that can't be known before the command runs.
///
/// A noncharacter, so no real command holds it; one that does is refused.
pub(super) const UNKNOWN: char = '\u{10FFFF}';

/// Marks text that a decoder made of something the command spells out: it was hidden on purpose.
pub(super) const DISGUISED: char = '\u{10FFFE}';

/// A value nothing is known about.
pub(super) fn unknown() -> String {
    UNKNOWN.to_string()
}

/// A value nothing is known about but that it was disguised.
pub(super) fn disguised() -> String {
    format!("{UNKNOWN}{DISGUISED}")
}

/// Whether every character of the text is known.
pub(super) fn is_known(text: &str) -> bool {
    !text.contains(UNKNOWN)
}

/// The part of `path` after its last slash.
pub(super) fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or("")
}

/// The part of `path` before its last slash, as `dirname` prints it.
pub(super) fn dir_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(0) => "/",
        Some(at) => trimmed.get(..at).unwrap_or("."),
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    }
}

/// Whether a word is one of a list of words with spaces between.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}
