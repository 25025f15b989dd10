//! Why a squash, or its undoing, is refused. Every one says that nothing was changed, and what to
//! do.

use crate::branch::state::TestResults;
use crate::error::Error;
use crate::message::{path_list, short_id};

fn refused(what: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::Refused {
        what: what.into(),
        hint: hint.into(),
    }
}

pub(crate) fn no_wip(base: &str) -> Error {
    refused(
        format!("there is nothing to squash: `{base}` has no WIP branch"),
        "git tcr status",
    )
}

pub(crate) fn base_gone(base: &str, fork: &str) -> Error {
    refused(
        format!("branch `{base}` is gone: nothing was changed"),
        format!("git branch {base} {}", short_id(fork)),
    )
}

pub(crate) fn conflicts(onto: &str, wip: &str, paths: &[String]) -> Error {
    refused(
        format!(
            "`{onto}` moved on and conflicts with the work in {}: nothing was changed",
            path_list(paths)
        ),
        format!(
            "on `{wip}`: git merge {onto}, mend the conflicts, git commit, git tcr run, git tcr squash"
        ),
    )
}

pub(crate) fn no_commit(name: &str) -> Error {
    Error::Usage {
        what: format!("`{name}` is no commit"),
        hint: "git tcr squash --onto REF".into(),
    }
}

pub(crate) fn base_has_more(base: &str, onto: &str) -> Error {
    refused(
        format!("`{base}` has commits that `{onto}` has not: nothing was changed"),
        format!("without `--onto`: git tcr squash, then git rebase {onto}"),
    )
}

pub(crate) fn no_beginning() -> Error {
    refused(
        "the WIP branch does not begin where the work began: nothing was changed",
        "git log --graph shows its history; git merge --squash takes it over by hand",
    )
}

pub(crate) fn uncommitted(paths: &[String]) -> Error {
    refused(
        format!(
            "there are uncommitted changes: {}; nothing was changed",
            path_list(paths)
        ),
        "git tcr run judges and commits them; git stash -u puts them aside",
    )
}

pub(crate) fn left_behind(paths: &[String]) -> Error {
    refused(
        format!(
            "the tests leave files behind that are neither committed nor ignored: {}; nothing was changed",
            path_list(paths)
        ),
        "add them to `.gitignore`, or remove them, then git tcr squash",
    )
}

pub(crate) fn in_the_way(paths: &[String]) -> Error {
    refused(
        format!(
            "ignored files are where files of the work have to go: {}; nothing was changed",
            path_list(paths)
        ),
        "move them elsewhere, then git tcr squash",
    )
}

pub(crate) fn red(wip: &str, failed: &[String]) -> Error {
    let named = match failed {
        [] => String::new(),
        failed => format!(": {}", path_list(failed)),
    };
    refused(
        format!("the tests do not pass at the tip of `{wip}`{named}; nothing was changed"),
        "make them pass and git tcr run, or git tcr recover green",
    )
}

/// A tree that no loop has seen does not pass the tests.
pub(crate) fn does_not_pass(why: &str, is_merge: bool, results: &TestResults) -> Error {
    let failed = match results.failed.as_slice() {
        [] => results.reason.clone(),
        failed => path_list(failed),
    };
    refused(
        format!("{why}, the tests do not pass: {failed}; all is as it was"),
        match is_merge {
            true => "merge it by hand and make the tests pass: git merge, git tcr run",
            false => "git tcr recover show shows what was tried",
        },
    )
}

pub(crate) fn by_pre_commit() -> Error {
    refused(
        "your `pre-commit` hook refused: nothing was changed",
        "mend what it complains about, git tcr run, git tcr squash",
    )
}

pub(crate) fn restless_pre_commit() -> Error {
    refused(
        "your `pre-commit` hook changes files every time it runs",
        "git tcr recover list shows what it wrote; mend the hook, then git tcr squash",
    )
}

/// What is wrong with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadMessage {
    Empty,
    RefusedByHook,
    EmptiedByHook,
}

pub(crate) fn message(bad: BadMessage) -> Error {
    let what = match bad {
        BadMessage::Empty => "the message is empty",
        BadMessage::RefusedByHook => "a hook of yours refused the message",
        BadMessage::EmptiedByHook => "a hook of yours left no message",
    };
    refused(
        format!("{what}: nothing was changed"),
        "git tcr squash -m MESSAGE",
    )
}

pub(crate) fn nothing_to_undo(base: &str) -> Error {
    refused(
        format!("there is no squash of `{base}` to undo"),
        "git tcr log",
    )
}

pub(crate) fn work_since(base: &str, archive: &str) -> Error {
    refused(
        format!("new work has begun on `{base}` since the squash: nothing was changed"),
        format!("its history is kept as {archive}"),
    )
}

pub(crate) fn moved_on_since(base: &str, tip: &str) -> Error {
    refused(
        format!("`{base}` has moved on since the squash: nothing was changed"),
        format!("git switch -c NAME {}", short_id(tip)),
    )
}

/// The base has other versions of submodules than the work.
pub(crate) fn submodules_of_base(onto: &str, wip: &str, paths: &[String]) -> Error {
    refused(
        format!(
            "`{onto}` moved on and has another version of submodule {}: nothing was changed",
            path_list(paths)
        ),
        format!(
            "on `{wip}`: git merge {onto}, git submodule update --init, git tcr run, git tcr squash"
        ),
    )
}

/// The work has other versions of submodules than what is checked out.
pub(crate) fn submodules_of_work(wip: &str, paths: &[String]) -> Error {
    refused(
        format!(
            "`{wip}` has another version of submodule {}: nothing was changed",
            path_list(paths)
        ),
        format!("git switch {wip}, git submodule update --init, git tcr squash"),
    )
}
