//! Source files that hold tests too: the two parts as texts, and one version's source put together
//! with the tests of another.

use crate::languages::{self, Code, Language, Unreadable};

/// The tests in a source file as they stand there, whole lines, with the comments above them; none
/// if they can't be told from the rest.
pub fn tests_in(path: &[u8], text: &str) -> Option<String> {
    match read(path, text)? {
        Some(code) => languages::tests_text(&code),
        None => Some(String::new()),
    }
}

/// All that is no test; none if it can't be told.
pub fn source_in(path: &[u8], text: &str) -> Option<String> {
    match read(path, text)? {
        Some(code) => languages::source_text(&code),
        None => Some(text.to_owned()),
    }
}

/// The source of one version with the tests of another; none if it isn't clear where the tests
/// belong.
pub fn put_together(path: &[u8], source_from: &str, tests_from: &str) -> Option<String> {
    match (read(path, source_from)?, read(path, tests_from)?) {
        (Some(source), Some(tests)) => languages::combine(Some(&source), Some(&tests)),
        _ => Some(source_from.to_owned()),
    }
}

/// What is read of a text: none in `Some` for a file that is source as a whole, no grammar needed.
#[expect(clippy::option_option, reason = "unreadable, nothing to read, read")]
fn read(path: &[u8], text: &str) -> Option<Option<Code>> {
    match Code::read(path, text.as_bytes()) {
        Ok(code) => Some(Some(code)),
        Err(Unreadable::NoGrammar) if !may_hold_tests(path, text) => Some(None),
        Err(_) => None,
    }
}

fn may_hold_tests(path: &[u8], text: &str) -> bool {
    let language = Language::of_path(path);
    language.is_some_and(|language| language.test_marks().iter().any(|mark| text.contains(mark)))
}

#[cfg(test)]
mod tests;
