//! Verbs that make, replay or rewrite commits.

use super::super::super::options::{Options, Takes};
use super::super::super::scope::Shell;
use super::super::environment;
use super::{GitCall, emit};
use crate::rules::shell_gate::GitAction;

const COMMIT: Takes = Takes::new(
    "mFCct",
    "message file reuse-message reedit-message template author date fixup squash cleanup trailer \
        pathspec-from-file",
);

pub(super) fn commit(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let arguments: Vec<String> = call.arguments.iter().map(|a| without_attached(a)).collect();
    let options = Options::parse(&arguments, &COMMIT);
    if options.has("--dry-run") {
        return;
    }
    environment::check_before_hooks(shell);
    if options.has("-n --no-verify") {
        emit(
            shell,
            GitAction::SkipHooks {
                how: "git commit --no-verify",
            },
        );
    }
    if options.has("--amend") {
        emit(
            shell,
            GitAction::RewriteHistory {
                how: "git commit --amend",
            },
        );
    }
}

/// `-S` and `-u` take their value attached: its letters are no options.
fn without_attached(argument: &str) -> String {
    if argument.starts_with("--") || !argument.starts_with('-') {
        return argument.to_owned();
    }
    match argument.find(|c| "SumFCct".contains(c)) {
        Some(at)
            if argument
                .get(at..=at)
                .is_some_and(|letter| "Su".contains(letter)) =>
        {
            argument.get(..=at).unwrap_or(argument).to_owned()
        }
        _ => argument.to_owned(),
    }
}

pub(super) fn merge(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new(
        "msXF",
        "message strategy strategy-option file cleanup into-name",
    );
    let options = call.options(&takes);
    environment::check_before_hooks(shell);
    if options.has("--no-verify") {
        emit(
            shell,
            GitAction::SkipHooks {
                how: "git merge --no-verify",
            },
        );
    }
}

/// `rebase`, `cherry-pick`, `revert`. Getting out of one is never in the way.
pub(super) fn replay(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("xsXmCS", "exec onto strategy strategy-option mainline");
    let options = call.options(&takes);
    for command in options
        .values("-x --exec")
        .map(str::to_owned)
        .collect::<Vec<_>>()
    {
        shell.run_text_in_child(&command);
    }
    if options.has("--abort --quit --show-current-patch") {
        return;
    }
    let how = match call.verb {
        "rebase" => "git rebase",
        "replay" => "git replay",
        "revert" => "git revert",
        _ => "git cherry-pick",
    };
    emit(shell, GitAction::RewriteHistory { how });
}

/// `lfs migrate import` makes new commits of the old ones.
pub(super) fn lfs(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let words: Vec<&str> = call.arguments.iter().map(String::as_str).collect();
    if let ["migrate", "import" | "export", ..] = words.as_slice() {
        let how = "git lfs migrate";
        emit(shell, GitAction::RewriteHistory { how });
    }
}

pub(super) fn filter(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new(
        "",
        "tree-filter index-filter msg-filter commit-filter env-filter",
    );
    let options = call.options(&takes);
    for filter in options
        .values("--tree-filter --index-filter")
        .map(str::to_owned)
        .collect::<Vec<_>>()
    {
        shell.run_text_in_child(&filter);
    }
    emit(
        shell,
        GitAction::RewriteHistory {
            how: "git filter-branch",
        },
    );
}

/// `hook run NAME`: hooks are for git to run.
pub(super) fn hook(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    if call.arguments.first().is_some_and(|verb| verb == "run") {
        emit(shell, GitAction::RunHook);
    }
}
