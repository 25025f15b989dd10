//! Archives and compressed files.

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use crate::rules::shell_gate::GitAction;

const TAR: Takes = Takes::new(
    "fCTXIbgKLNVHF",
    "file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action transform \
     strip-components owner group mode format one-top-level info-script new-volume-script rmt-command \
     rsh-command listed-incremental",
);
const PROGRAMS: &str = "-I --use-compress-program --to-command --info-script --new-volume-script -F \
    --rmt-command --rsh-command";

/// `tar`, `bsdtar`.
pub(super) fn tar<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(&old_style(call.arguments), &TAR);
    let actions = options
        .values("--checkpoint-action")
        .filter_map(|action| action.strip_prefix("exec="));
    for program in options.values(PROGRAMS).chain(actions) {
        shell.run_text_in_child(program);
    }
    let directory = options
        .value("-C --directory --one-top-level")
        .unwrap_or(".");
    if options.has("-x --extract --get") {
        if !options.has("-O --to-stdout --to-command") {
            extract(shell, directory, &options.operands, call.name);
            check_whole_commit(shell, directory);
            for member in piped_members(shell) {
                shell.write_into(&format!("{directory}/{member}"), call.name);
            }
        }
    } else if options.has("-c -r -u -A --create --append --update --delete --concatenate") {
        for file in options
            .operands
            .iter()
            .filter(|_| options.has("--remove-files"))
        {
            shell.delete(&format!("{directory}/{file}"), call.name);
        }
        match options.value("-f --file") {
            Some("-") | None => return Outcome::text(stream_of(&options.operands)),
            Some(archive) => shell.write(archive, call.name),
        }
    }
    Outcome::opaque()
}

/// `tar xzf a b`: the letters need no dash, and those that take values take them in turn.
fn old_style(arguments: &[String]) -> Vec<String> {
    match arguments.split_first() {
        Some((first, rest)) if !first.starts_with('-') && !first.is_empty() => {
            let mut rest = rest.iter();
            let mut spelled = Vec::new();
            for letter in first.chars() {
                spelled.push(format!("-{letter}"));
                if TAR.takes_letter(letter) {
                    spelled.extend(rest.next().cloned());
                }
            }
            spelled.extend(rest.cloned());
            spelled
        }
        _ => arguments.to_vec(),
    }
}

/// What an archive looks like on its way through a pipe: unknown, but for the names that went in.
pub(super) fn stream_of(members: &[String]) -> String {
    format!("{}\n{}\n", text::UNKNOWN, members.join("\n"))
}

/// `git archive COMMIT | tar -x`: all of a commit in place of what is there.
fn check_whole_commit(shell: &Shell<'_>, directory: &str) {
    let is_inside = shell
        .known_path(directory)
        .is_some_and(|path| path == shell.context().repo_root);
    if is_inside && shell.input().text() == stream_of(&[]) {
        shell.emit(ShellEffect::Git(GitAction::OverwriteWorktree {
            how: "git archive",
        }));
    }
}

/// The names that went into an archive that comes through a pipe.
fn piped_members(shell: &Shell<'_>) -> Vec<String> {
    let input = shell.input().text();
    let mut lines = input.lines();
    match lines.next() {
        Some(first) if first.starts_with(text::UNKNOWN) => lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// Members come out: those that are named, or any.
fn extract(shell: &Shell<'_>, directory: &str, members: &[String], how: &'static str) {
    if members.is_empty() {
        shell.write_into(directory, how);
    }
    for member in members {
        shell.write(&format!("{directory}/{member}"), how);
    }
}

pub(super) fn zip<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &Takes::new("bixntPO", "out"));
    if let Some((archive, files)) = options.operands.split_first() {
        if archive != "-" {
            shell.write(options.value("-O --out").unwrap_or(archive), call.name);
        }
        for file in files.iter().filter(|_| options.has("-m --move")) {
            shell.delete(file, call.name);
        }
    }
    if let Some(command) = call.arguments.iter().skip_while(|a| *a != "-TT").nth(1) {
        shell.run_text_in_child(command);
    }
    Outcome::opaque()
}

/// `7z x -oDIR`, `7z a ARCHIVE`.
pub(super) fn seven_zip<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let folder = call.arguments.iter().find_map(|a| a.strip_prefix("-o"));
    let mut operands = call.arguments.iter().filter(|a| !a.starts_with('-'));
    match (operands.next().map_or("", String::as_str), operands.next()) {
        ("x" | "e", _) => shell.write_into(folder.unwrap_or("."), call.name),
        ("a" | "d" | "u" | "rn", Some(archive)) => shell.write(archive, call.name),
        _ => {}
    }
    Outcome::opaque()
}
