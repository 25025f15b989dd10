//! Programs that remove files.

use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;

/// `rm`, `rmdir`, `unlink`, `trash`.
pub(super) fn rm<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for file in &Options::parse(call.arguments, &FLAGS).operands {
        shell.delete(file, call.name);
    }
    Outcome::silent()
}

pub(super) fn shred<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("ns", "iterations size random-source");
    for file in &Options::parse(call.arguments, &takes).operands {
        shell.write(file, call.name);
        shell.delete(file, call.name);
    }
    Outcome::silent()
}

/// `gio trash`, `gvfs-trash`.
pub(super) fn gio<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    match options.operands.split_first() {
        Some((verb, files)) if matches!(verb.as_str(), "trash" | "remove" | "move" | "rename") => {
            for file in files {
                shell.delete(file, call.name);
            }
            if let (true, Some(target)) = (verb == "move", files.last()) {
                shell.write(target, call.name);
            }
        }
        Some((verb, files)) if matches!(verb.as_str(), "copy" | "save") => {
            if let Some(target) = files.last() {
                shell.write(target, call.name);
            }
        }
        _ => {}
    }
    Outcome::opaque()
}
