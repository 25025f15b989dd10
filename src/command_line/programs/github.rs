//! `gh`: what it does to the repository at hand.

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::outputs;
use crate::rules::shell_gate::GitAction;

pub(super) fn gh<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("RbsDO", "repo branch source dir");
    let options = Options::parse(call.arguments, &takes);
    let words: Vec<&str> = options.operands.iter().map(String::as_str).collect();
    let action = match words.as_slice() {
        _ if options.has("-h --help") => None,
        ["pr", "checkout" | "co", ..] => Some(GitAction::SwitchBranch { to: None }),
        ["issue", "develop", ..] if options.has("-c --checkout") => {
            Some(GitAction::SwitchBranch { to: None })
        }
        // With a repository named, it is done on the server.
        ["repo", "sync"] => Some(GitAction::MoveBranch {
            how: "gh repo sync",
        }),
        _ => None,
    };
    if let ["release" | "run", "download", ..] = words.as_slice() {
        let folder = options.value("-D --dir").unwrap_or(".");
        match options.value("-O") {
            Some(file) => shell.write(file, "gh download"),
            None => shell.write_into(folder, "gh download"),
        }
    }
    if let Some(action) = action {
        shell.emit(ShellEffect::Git(action));
    }
    outputs::generic(shell, call.arguments)
}
