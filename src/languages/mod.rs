//! The shelf of languages: what a file says, which tests it holds, what a change of it does, and
//! how its functions are made hollow. One file per language; the table here is the only list.
//!
//! Pure: text in, data out.

mod change;
mod code;
mod combine;
mod comeback;
mod growth;
mod hollow;
mod items;
mod language;
mod names;
mod splice;
mod stub;
mod syntax;
mod test_items;
mod tokens;

#[cfg(feature = "more-languages")]
mod c;
#[cfg(feature = "more-languages")]
mod c_sharp;
#[cfg(feature = "more-languages")]
mod cpp;
mod go;
mod java;
mod javascript;
mod javascript_names;
#[cfg(feature = "more-languages")]
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod rust_tests;
#[cfg(feature = "more-languages")]
mod swift;

pub use change::{Change, SourceChange, StubRules, change, change_by};
pub use code::{Code, Unreadable};
pub use combine::combine;
pub use hollow::{Form, HollowFunction, HollowRequest, Hollowed, Scope, hollow, numbers_in};
pub use language::Language;
pub use names::{declared_names, names_test_library, same_but_for_names};
pub use test_items::{Test, TestChange};

use syntax::Syntax;

/// Every language with a grammar.
static SHELF: &[&dyn Syntax] = &[
    #[cfg(feature = "more-languages")]
    &c::C,
    #[cfg(feature = "more-languages")]
    &c_sharp::CSharp,
    #[cfg(feature = "more-languages")]
    &cpp::Cpp,
    &go::Go,
    &java::Java,
    &javascript::JavaScript { is_typed: true },
    &javascript::JavaScript { is_typed: false },
    #[cfg(feature = "more-languages")]
    &kotlin::Kotlin,
    &php::Php,
    &python::Python,
    &ruby::Ruby,
    &rust::Rust,
    #[cfg(feature = "more-languages")]
    &swift::Swift,
];

/// The rules of a language that has a grammar.
fn syntax_of(language: Language) -> Option<&'static dyn Syntax> {
    SHELF
        .iter()
        .copied()
        .find(|syntax| syntax.language() == language)
}

/// The rules for files with an extension (lower case).
fn syntax_for(extension: &[u8]) -> Option<&'static dyn Syntax> {
    let language = Language::of_extension(extension)?;
    SHELF
        .iter()
        .copied()
        .find(|syntax| syntax.language() == language && syntax.grammar(extension).is_some())
}

#[cfg(test)]
mod tests;
