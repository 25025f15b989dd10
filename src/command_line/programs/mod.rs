//! What the programs a command calls would do.
//!
//! One table says who handles which program exactly: those that copy, move and remove, those that
//! run others, git. Any other program writes what it mentions, unless it is known to read.

mod archives;
mod attributes;
mod builtins;
mod copies;
mod deletions;
mod directories;
mod downloads;
mod editors;
mod environment;
mod filters;
mod find;
mod general;
mod git;
mod github;
mod interpreters;
mod known;
mod links;
mod listings;
mod matching;
mod outputs;
mod patches;
mod printing;
mod recipes;
mod runners;
mod shells;
mod table;
mod tool;
mod variables;
mod wrappers;
mod xargs;

use super::scope::{Outcome, Shell};
use super::simple::Call;
use super::text;

pub(super) use environment::check as check_environment;

pub(super) use recipes::interpreter_of;

/// Says what one program does.
type Handler = for<'s, 'c, 'a, 'b> fn(&'s mut Shell<'c>, &'a Call<'b>) -> Outcome<'c>;

/// Runs a program by its name.
pub(super) fn run<'c>(shell: &mut Shell<'c>, name: &str, arguments: &[String]) -> Outcome<'c> {
    if let Some(outcome) = shell.run_remembered(name, arguments) {
        return outcome;
    }
    let verb = text::base_name(name).strip_prefix("git-");
    // Where git keeps its verbs, each is git itself under another name.
    let elsewhere = || {
        let path = shell.program_at(name).filter(|_| verb.is_none())?;
        find(path.file_name()?.to_str()?)
    };
    let known = find(text::base_name(name)).or_else(elsewhere);
    match (known, verb) {
        (Some((name, handler)), _) => handler(shell, &Call { name, arguments }),
        // `git-filter-repo` is `git filter-repo`.
        (None, Some(verb)) => {
            let mut words = vec![verb.to_owned()];
            words.extend_from_slice(arguments);
            let call = Call {
                name: "git",
                arguments: &words,
            };
            git::git(shell, &call)
        }
        (None, None) => general::call(shell, name, arguments),
    }
}

/// Whether something is known here about a program of this name.
fn is_known(name: &str) -> bool {
    find(name).is_some() || known::knows(name)
}

/// The handler of a program: by its name, without the version in it, or without the `g` that GNU's
/// tools carry elsewhere.
fn find(name: &str) -> Option<(&'static str, Handler)> {
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let without_exe = name.strip_suffix(".exe");
    [
        Some(name),
        Some(unversioned),
        without_exe,
        name.strip_prefix('g').filter(|_| !known::knows(name)),
    ]
    .into_iter()
    .flatten()
    .find_map(table::lookup)
}
