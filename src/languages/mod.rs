//! The shelf of languages: what a file says, which tests it holds, what a change of it does, and
//! how its functions are made hollow. One file per language; the table here is the only list.
//!
//! Pure: text in, data out.

mod change;
mod code;
mod combine;
mod comeback;
mod fixtures;
mod googletest;
mod growth;
mod hollow;
mod items;
mod language;
mod layout;
mod names;
mod splice;
mod stub;
mod syntax;
mod test_items;
pub(crate) mod test_words;
mod tokens;

mod c;
mod c_sharp;
mod cpp;
mod go;
mod java;
mod javascript;
mod kotlin;
mod others;
mod php;
mod python;
mod ruby;
mod rust;
mod swift;

pub use change::{Change, SourceChange, StubRules, change, change_by};
pub(crate) use code::first_error;
pub use code::{Code, Unreadable};
pub use combine::{combine, source_text, tests_text};
pub use hollow::{Form, HollowFunction, HollowRequest, Hollowed, Scope, hollow, numbers_in};
pub use language::{Language, TestNames};
pub use names::{declared_names, names_test_library, same_but_for_names};
pub use stub::done_at_load;
pub use test_items::{Test, TestChange};

use language::Profile;
use syntax::Syntax;
use test_words::TestWords;

/// Every language with a file of its own; the rest is in `others`.
static SHELF: &[&Profile] = &[
    &c::PROFILE,
    &c_sharp::PROFILE,
    &cpp::PROFILE,
    &go::PROFILE,
    &java::PROFILE,
    &javascript::PROFILE,
    &kotlin::PROFILE,
    &php::PROFILE,
    &python::PROFILE,
    &ruby::PROFILE,
    &rust::PROFILE,
    &swift::PROFILE,
];

/// All languages.
fn all() -> impl Iterator<Item = Language> {
    let shelf = SHELF.iter().copied().chain(others::OTHERS);
    shelf.map(Language)
}

/// The language of files with an extension (lower case), and the rules of their grammar.
fn syntax_for(extension: &[u8]) -> Option<(Language, &'static dyn Syntax)> {
    let language = Language::of_extension(extension)?;
    let mut syntaxes = language.0.syntaxes.iter().copied();
    let syntax = syntaxes.find(|syntax| syntax.grammar(extension).is_some())?;
    Some((language, syntax))
}

/// How the tests of a file are read for what is wrong with them; none if nobody can.
pub(crate) fn test_words_for(path: &[u8]) -> Option<&'static TestWords> {
    let extension = Language::extension(path)?;
    let (_, syntax) = syntax_for(&extension)?;
    syntax.test_words(&extension)
}

#[cfg(test)]
mod tests;
