//! Tables of small files, language by language.

mod by_language;
mod fixtures;
mod hollow;
mod parts;
mod robustness;
mod same;
mod shelf;
mod smells;
mod stubs;

use super::{Change, Code, change};

/// A file that parses.
fn code(extension: &str, text: &str) -> Code {
    let path = format!("src/pkg/a.{extension}");
    match Code::read(path.as_bytes(), text.as_bytes()) {
        Ok(code) => code,
        Err(why) => unreachable!("{why:?} in {extension}:\n{text}"),
    }
}

/// What a change does; an empty text is a file that is not there.
fn change_of(extension: &str, old: &str, new: &str) -> Change {
    let there = |text: &str| (!text.is_empty()).then(|| code(extension, text));
    change(there(old).as_ref(), there(new).as_ref())
}
