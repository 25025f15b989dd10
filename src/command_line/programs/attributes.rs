//! Modes, owners, times and flags of files.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::copies::exists;

/// `chmod`, `chown`, `chgrp`, `chattr`: the first operand says what, the rest says where.
pub(super) fn change<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut files = call.arguments.iter().filter(|argument| {
        let is_removal = call.name != "chown"
            && argument.starts_with('-')
            && argument.bytes().skip(1).all(|b| b"rwxXstia".contains(&b));
        // `chmod -x file`: the minus belongs to the mode.
        is_removal || !argument.starts_with('-')
    });
    let by_reference = call.arguments.iter().any(|a| a.starts_with("--reference"));
    if !by_reference {
        files.next();
    }
    for file in files {
        shell.attributes(file, call.name);
    }
    Outcome::silent()
}

pub(super) fn setfacl<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("mxMXnv", "modify remove");
    for file in &Options::parse(call.arguments, &takes).operands {
        shell.attributes(file, call.name);
    }
    Outcome::silent()
}

/// `touch` creates what is not there; on what is there it only sets the time.
pub(super) fn touch<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("drtA", "date reference time");
    let options = Options::parse(call.arguments, &takes);
    if options.has("-c --no-create") {
        return Outcome::silent();
    }
    for file in &options.operands {
        if !shell
            .known_path(file)
            .is_some_and(|path| exists(shell, &path))
        {
            let content = Some(super::super::Content::Appended(String::new()));
            shell.write_content(file, call.name, content);
        }
    }
    Outcome::silent()
}
