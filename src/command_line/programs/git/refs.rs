//! Verbs that change refs, notes and what keeps objects alive.

use super::super::super::options::Takes;
use super::super::super::scope::Shell;
use super::super::super::text;
use super::{GitCall, emit};
use crate::rules::shell_gate::GitAction;

/// A ref changes; a name that is not fully known may be any.
pub(super) fn changes(shell: &Shell<'_>, name: &str, how: &'static str) {
    let name = text::is_known(name).then(|| name.to_owned());
    emit(shell, GitAction::ChangeRef { name, how });
}

/// A branch changes, given without `refs/heads/`.
pub(super) fn changes_branch(shell: &Shell<'_>, branch: &str, how: &'static str) {
    match branch {
        "HEAD" | "@" => changes(shell, "HEAD", how),
        _ if branch.starts_with("refs/") => changes(shell, branch, how),
        _ => changes(shell, &format!("refs/heads/{branch}"), how),
    }
}

pub(super) fn update_ref(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    const HOW: &str = "git update-ref";
    let takes = Takes::new("m", "");
    let options = call.options(&takes);
    if !options.has("--stdin") {
        // Without an operand the ref comes from elsewhere, as with `xargs`.
        match options.operands.first() {
            Some(name) => changes(shell, name, HOW),
            None => changes(shell, &text::unknown(), HOW),
        }
        return;
    }
    for line in shell.input().text().split(['\n', '\0']) {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (
                Some(
                    "verify" | "start" | "prepare" | "commit" | "abort" | "option"
                    | "symref-verify" | "",
                ),
                _,
            ) => {}
            (Some(verb), _) if !text::is_known(verb) => changes(shell, verb, HOW),
            (Some(_), Some(name)) => changes(shell, name, HOW),
            _ => {}
        }
    }
}

pub(super) fn symbolic_ref(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("m", "");
    let options = call.options(&takes);
    match options.operands.as_slice() {
        [name, target] if name == "HEAD" => emit(
            shell,
            GitAction::SwitchBranch {
                to: Some(target.clone()),
            },
        ),
        [name, _] => changes(shell, name, "git symbolic-ref"),
        [name] if options.has("-d --delete") => changes(shell, name, "git symbolic-ref"),
        _ => {}
    }
}

pub(super) fn branch(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    const HOW: &str = "git branch";
    let takes = Takes::new(
        "u",
        "set-upstream-to contains no-contains merged no-merged points-at sort format color column",
    );
    let options = call.options(&takes);
    if options.has("-r --remotes") {
        return;
    }
    let lists = "-l --list -a --all --show-current -v --contains --no-contains --merged --no-merged \
        --points-at --edit-description -u --set-upstream-to --unset-upstream";
    let operands = &options.operands;
    if options.has("-d -D --delete") {
        operands
            .iter()
            .for_each(|name| changes_branch(shell, name, HOW));
    } else if options.has("-m -M --move -c -C --copy") {
        if operands.len() < 2 && options.has("-m -M --move") {
            changes(shell, "HEAD", HOW);
        }
        let renames = options.has("-m -M --move");
        let changed = if renames || operands.len() == 1 {
            operands.as_slice()
        } else {
            operands.get(1..).unwrap_or(&[])
        };
        changed
            .iter()
            .for_each(|name| changes_branch(shell, name, HOW));
    } else if !options.has(lists) {
        // A name to create, or with `-f` to move.
        if let Some(name) = operands.first() {
            changes_branch(shell, name, HOW);
        }
    }
}

pub(super) fn notes(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("mFCcs", "ref message file strategy");
    let options = call.options(&takes);
    if !matches!(
        options.operands.first().map(String::as_str),
        Some("list" | "show" | "get-ref") | None
    ) {
        emit(shell, GitAction::EditNotes);
    }
}

pub(super) fn replace(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "format");
    let options = call.options(&takes);
    let lists =
        options.has("-l --list") || (options.operands.is_empty() && call.arguments.is_empty());
    if !lists {
        emit(shell, GitAction::ReplaceObjects);
    }
}

/// `gc --prune=…`, `prune`, `reflog expire`: what would let reverted work go.
pub(super) fn housekeeping(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "expire expire-unreachable");
    let options = call.options(&takes);
    let drops = match call.verb {
        "gc" => options.value("--prune").is_some_and(|when| when != "never"),
        "prune" => !options.has("-n --dry-run"),
        "repack" => options.has("-a") && options.has("-d") && !options.has("-k --keep-unreachable"),
        _ => options
            .operands
            .first()
            .is_some_and(|verb| matches!(verb.as_str(), "expire" | "delete" | "drop")),
    };
    if drops {
        emit(shell, GitAction::DropRecovery);
    }
}

/// `fast-import` writes whatever refs its input says.
pub(super) fn fast_import(shell: &mut Shell<'_>, _: &GitCall<'_>) {
    changes(shell, &text::unknown(), "git fast-import");
}
