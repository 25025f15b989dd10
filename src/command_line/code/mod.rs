//! Code for other interpreters inside a command: what it does to files it names literally.
//!
//! Of Python and JavaScript the calls that write, remove or run something are recognised by name,
//! and their arguments as far as they are literals, constants or joined from those. Of all other
//! languages only the words are looked at.

pub(super) mod awk;
mod brackets;
mod calls;
mod constants;
pub(super) mod foreign;
mod inline;
pub(super) mod sed;
mod tables;
mod texts;
mod tokens;
mod values;

pub(super) use inline::run;
pub(super) use tokens::Language;

/// What a script for a text tool writes and runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) files: Vec<String>,
    pub(super) commands: Vec<String>,
}
