//! What was asked for and can't be done, with the next command to type.

use std::path::Path;

use crate::error::{Error, Unreadable};
use crate::person::Hand;

fn usage(what: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::Usage {
        what: what.into(),
        hint: hint.into(),
    }
}

/// The tool's "no".
pub(crate) fn refused(what: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::Refused {
        what: what.into(),
        hint: hint.into(),
    }
}

/// The sealed config was not where git tcr had put it.
pub(crate) fn seal_was_removed() -> Error {
    let what = "the sealed config had been removed or replaced; it was put back";
    refused(what, "make this call again")
}

/// The sealed config is gone for good.
pub(crate) fn seal_is_missing() -> Error {
    let what = "git tcr's hooks are installed here, but its sealed config is gone";
    refused(what, "a person runs `git tcr install`")
}

pub(crate) fn people_only(command: &str, hand: Hand) -> Error {
    let by = match hand {
        Hand::Client(agent) => format!("this shell belongs to `{agent}`"),
        Hand::TestRun => "it was called by a test run".into(),
        Hand::LeftBehind => "it was called by a process that an agent left behind".into(),
        Hand::Person => "nobody was seen to call it".into(),
    };
    let what = format!("`git tcr {command}` is for people; {by}");
    refused(what, "ask the person at the keyboard")
}

pub(crate) fn outside_worktree(path: &Path, how: &str) -> Error {
    let path = path.display();
    usage(format!("`{path}` is not a path inside this worktree"), how)
}

pub(crate) fn not_empty(folder: &Path) -> Error {
    let what = format!("`{}` is not empty", folder.display());
    usage(what, "git tcr demo --dir NEW-FOLDER")
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn without_mcp() -> Error {
    usage(
        "this git tcr was built without the MCP server",
        "cargo install git-tcr --features mcp",
    )
}

pub(crate) fn too_many_folders() -> Error {
    usage(
        "the system does not let one user watch so many folders",
        "sudo sysctl fs.inotify.max_user_watches=524288",
    )
}

// Git's hooks.

pub(crate) fn unknown_git_hook(name: &str) -> Error {
    let what = format!("`{name}` is no hook that git tcr has a say in");
    usage(what, "git tcr doctor")
}

pub(crate) fn no_message_file() -> Error {
    let what = "`commit-msg` needs the file with the message";
    usage(what, "git tcr doctor")
}

// Commits and ranges of them.

pub(crate) fn no_commits_in(range: &str) -> Error {
    let what = format!("`{range}` names no commits");
    usage(what, "git tcr smells --range main..HEAD")
}

pub(crate) fn no_range(range: &str) -> Error {
    let what = format!("`{range}` is no range of commits");
    usage(what, "git tcr verify main..HEAD")
}

pub(crate) fn nothing_to_verify(range: Option<&str>) -> Error {
    let what = match range {
        Some(range) => format!("no commit of `{range}` comes with evidence"),
        None => "there is no squashed history here".into(),
    };
    usage(what, "git tcr fetch, if it was pushed elsewhere")
}

pub(crate) fn no_output(number: usize) -> Error {
    Error::Usage {
        what: format!("nothing is kept of a test run {number} back"),
        hint: "git tcr run --force".into(),
    }
}

pub(crate) fn nothing_to_audit(range: &str) -> Error {
    let what = format!("`{range}` has no commits");
    usage(what, "git tcr audit main..HEAD")
}

pub(crate) fn no_commit_to_audit(name: &str) -> Error {
    let what = format!("there is no commit `{name}` here");
    usage(what, "git fetch it, then git tcr audit main..HEAD")
}

pub(crate) fn no_base_to_audit() -> Error {
    usage(
        "no upstream, `main` or `master` is behind what is checked out",
        "git tcr audit BASE..HEAD",
    )
}

pub(crate) fn unrelated(from: &str, to: &str) -> Error {
    let what = format!("`{from}` and `{to}` have no commit in common");
    usage(what, "git fetch --unshallow, or name another base")
}

pub(crate) fn no_test_to_audit(unreadable: Vec<Unreadable>) -> Error {
    let what = super::error(&Error::NoTestFound(unreadable)).headline;
    usage(what, "git tcr audit --test CMD")
}

pub(crate) fn no_experiment(id: &str, known: &[String]) -> Error {
    let what = format!("the plan has no experiment `{id}`");
    usage(what, format!("one of: {}", known.join(", ")))
}

pub(crate) fn no_answer(id: &str, why: &str) -> Error {
    let what = format!("the experiment `{id}` has no answer: {why}");
    usage(
        what,
        "git tcr audit --setup CMD makes a fresh checkout ready",
    )
}

pub(crate) fn no_result_to_merge(file: &Path) -> Error {
    let what = format!("`{}` is no result of this audit", file.display());
    usage(
        what,
        "git tcr audit --run ID --out FILE, with the same range and test command",
    )
}

// Results from elsewhere.

pub(crate) fn no_test_results(file: &str, why: &str) -> Error {
    usage(
        format!("`{file}` can't be read as test results: {why}"),
        "git tcr ingest FILE takes JUnit XML, TAP, the JSON of Jest, vitest, mocha, RSpec, GoogleTest or go, or one with `passed` and `failed`",
    )
}

pub(crate) fn results_too_old(file: &str, edited: &str) -> Error {
    usage(
        format!("`{file}` is older than `{edited}`: it says nothing about it"),
        "run the tests again, then `git tcr ingest FILE`",
    )
}

// Spec cycles.

const TEST_BUG: &str = "git tcr test-bug FILE:LINE TEXT";

pub(crate) fn no_place_of_bug() -> Error {
    let what = "a place and what is wrong with it are needed";
    usage(what, TEST_BUG)
}

pub(crate) fn not_file_and_line(place: &str) -> Error {
    let what = format!("`{place}` is not of the form FILE:LINE");
    usage(what, TEST_BUG)
}

pub(crate) fn no_validator() -> Error {
    usage(
        "no `[validator] command` is configured",
        "set it in `.tcr.toml`, then `git tcr install`; or `git tcr freeze --verdict pass --by ID`",
    )
}

pub(crate) fn spec_as_plan() -> Error {
    refused(
        "the spec is not its own plan",
        "write the plan into a file of its own, then `git tcr plan FILE`",
    )
}

pub(crate) fn empty_plan(file: &str) -> Error {
    let what = format!("plan `{file}` is empty");
    refused(what, format!("write it, then `git tcr plan {file}`"))
}

pub(crate) fn superseded_by_itself(spec: &str) -> Error {
    refused(
        format!("`{spec}` is the spec that is to be superseded: it is never edited in place"),
        "write the new one into a file of its own, then `git tcr supersede NEW --delta FILE`",
    )
}

pub(crate) fn unusable_delta(file: &str, why: impl std::fmt::Display) -> Error {
    let what = format!("delta `{file}` can't be used: {why}");
    let hint = "fix it, then `git tcr supersede NEW --delta FILE`";
    refused(what, hint)
}

pub(crate) fn no_evidence(why: Option<&serde_json::Error>) -> Error {
    let what = match why {
        Some(why) => format!("this is no evidence: {why}"),
        None => "this is no evidence of git tcr".into(),
    };
    refused(what, "git tcr evidence --json > FILE")
}

pub(crate) fn evidence_of(branch: &str, here: impl std::fmt::Display) -> Error {
    let what = format!("this is the evidence of branch `{branch}`, and this is `{here}`");
    refused(what, format!("git switch {branch}"))
}

pub(crate) fn unusable_file(what: &str, path: &Path, why: &str) -> Error {
    let what = format!("{what} `{}` can't be used: {why}", path.display());
    refused(what, "git tcr status")
}
