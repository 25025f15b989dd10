//! `cd` and its kin, and `mkdir`.

use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;

pub(super) fn cd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    let target = match options.operands.first().map(String::as_str) {
        None => shell.variable("HOME").unwrap_or_else(text::unknown),
        Some("-") => shell.previous.clone(),
        // zsh: replace a part of the present path.
        Some(old) if options.operands.len() == 2 => {
            let new = options.operands.get(1).map_or("", String::as_str);
            shell.cwd.replacen(old, new, 1)
        }
        Some(directory) => directory.to_owned(),
    };
    enter(shell, &target);
    Outcome::text(if call.arguments.first().is_some_and(|a| a == "-") {
        shell.cwd.clone() + "\n"
    } else {
        String::new()
    })
}

pub(super) fn pushd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    let target = match options.operands.first() {
        Some(target) => target.clone(),
        None => shell.directories.pop().unwrap_or_else(|| shell.cwd.clone()),
    };
    shell.directories.push(shell.cwd.clone());
    enter(shell, &target);
    Outcome::silent()
}

pub(super) fn popd<'c>(shell: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    if let Some(directory) = shell.directories.pop() {
        enter(shell, &directory);
    }
    Outcome::silent()
}

pub(super) fn pwd<'c>(shell: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    Outcome::text(shell.cwd.clone() + "\n")
}

/// Moves into a directory, unless it may not be there: then the shell would stay where it is.
pub(super) fn enter(shell: &mut Shell<'_>, target: &str) {
    let target = target.trim_end_matches('\n');
    if target.is_empty() || target.starts_with(text::UNKNOWN) {
        return;
    }
    let destination = search_path(shell, target).unwrap_or_else(|| shell.absolute(target));
    let path = shell.resolve(&destination, true);
    let is_known = text::is_known(&destination);
    if is_known && !shell.is_directory(&path) && !shell.stops_on_failure {
        return;
    }
    let arrived = path.to_string_lossy().into_owned();
    shell.previous = std::mem::replace(&mut shell.cwd, arrived);
}

/// Where `CDPATH` leads.
fn search_path(shell: &Shell<'_>, target: &str) -> Option<String> {
    let paths = shell.variable("CDPATH")?;
    if target.starts_with(['/', '.']) {
        return None;
    }

    paths
        .split(':')
        .map(|directory| shell.absolute(&format!("{directory}/{target}")))
        .find(|candidate| shell.is_directory(&shell.resolve(candidate, true)))
}

pub(super) fn mkdir<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("m", "mode");
    for directory in &Options::parse(call.arguments, &takes).operands {
        shell.make_directory(directory);
    }
    Outcome::silent()
}
