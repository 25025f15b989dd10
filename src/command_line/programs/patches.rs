//! `patch` and `apply_patch`: the files are named in the patch.

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use crate::clients::apply_patch::{self, Change};
use crate::rules::shell_gate::GitAction;

const PATCH: Takes = Takes::new(
    "pidorBFgVYzD",
    "strip input directory output reject-file prefix fuzz get suffix ifdef basename-prefix",
);

/// How a patch that git prints begins, whatever is in it.
pub(super) const FROM_GIT: &str = "diff --git ";

/// Whether a patch is git's own account of changes it knows: its reverse undoes them.
fn is_from_git(diff: &str) -> bool {
    diff.starts_with(FROM_GIT) && !text::is_known(diff)
}

/// A patch that is taken back. If git printed it, that brings back what was there before.
pub(super) fn check_reverse(shell: &Shell<'_>, diff: &str, how: &'static str) {
    if is_from_git(diff) {
        shell.emit(ShellEffect::Git(GitAction::OverwriteWorktree { how }));
    }
}

/// `diff OLD NEW` prints a patch of the two; what it does to them is unknown.
pub(super) fn diff<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "CDFILSUWXx",
        "exclude exclude-from from-file label to-file unified",
    );
    let options = Options::parse(call.arguments, &takes);
    let [old, new] = options.operands.as_slice() else {
        return Outcome::opaque();
    };
    let named = |file: &String| {
        let path = shell.known_path(file);
        match path.is_some_and(|path| shell.is_directory(&path)) {
            true => format!("{file}/{}", text::UNKNOWN),
            false => file.clone(),
        }
    };
    let (old, new) = (named(old), named(new));
    let changes = text::UNKNOWN;
    Outcome::text(format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n{changes}\n"))
}

pub(super) fn patch<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &PATCH);
    if options.has("--dry-run") {
        return Outcome::opaque();
    }
    for file in options.values("-r --reject-file") {
        shell.write(file, call.name);
    }
    let directory = options.value("-d --directory").unwrap_or(".").to_owned();
    if let Some(output) = options.value("-o --output") {
        shell.write(output, call.name);
        return Outcome::opaque();
    }
    if let Some(file) = options.operands.first() {
        match file.starts_with('/') {
            true => shell.write(file, call.name),
            false => shell.write(&format!("{directory}/{file}"), call.name),
        }
        return Outcome::opaque();
    }
    let strip = options.value("-p --strip").and_then(|n| n.parse().ok());
    let diff = match options
        .value("-i --input")
        .or(options.operands.get(1).map(String::as_str))
    {
        Some(file) => read(shell, file),
        None => shell.input().text(),
    };
    if options.has("-R --reverse") {
        check_reverse(shell, &diff, "patch -R");
    }
    apply(shell, &diff, strip.unwrap_or(0), &directory, call.name);
    Outcome::opaque()
}

/// The text of a file, or unknown text.
pub(super) fn read(shell: &Shell<'_>, file: &str) -> String {
    if let Some(stream) = shell.stream_of(file) {
        return stream.text();
    }
    let path = shell.known_path(file);
    path.and_then(|path| (shell.context().read)(&path))
        .unwrap_or_else(text::unknown)
}

/// Reports every file a unified diff changes.
pub(super) fn apply(
    shell: &Shell<'_>,
    diff: &str,
    strip: usize,
    directory: &str,
    how: &'static str,
) {
    let changes = apply_patch::unified_diff(diff, strip);
    if changes.is_empty() {
        shell.write_somewhere(how);
        shell.write_into(directory, how);
    }
    report(shell, &changes, directory, how);
    if strip == 0 && how == "patch" {
        // Without `-p`, `patch` looks for a file that is there, by fewer and fewer components.
        report(shell, &apply_patch::unified_diff(diff, 1), directory, how);
    }
}

fn report(shell: &Shell<'_>, changes: &[Change], directory: &str, how: &'static str) {
    for change in changes {
        match change {
            Change::Write(path) => shell.write(&format!("{directory}/{path}"), how),
            Change::Delete(path) => shell.delete(&format!("{directory}/{path}"), how),
        }
    }
}

/// The patch tool of coding agents, called through the shell.
pub(super) fn agent_patch<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let patch = match call.arguments.first() {
        Some(patch) => patch.clone(),
        None => shell.input().text(),
    };
    match apply_patch::changes(&patch) {
        Ok(changes) => {
            for change in changes {
                match change {
                    Change::Write(path) => shell.write(&path, call.name),
                    Change::Delete(path) => shell.delete(&path, call.name),
                }
            }
        }
        Err(_) => shell.write_somewhere(call.name),
    }
    Outcome::opaque()
}
