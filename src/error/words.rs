//! What was asked for and can't be done, in words, with the next command to type.

use std::path::Path;

use super::{Error, Unreadable};
use crate::config::ConfigError;
use crate::message;
use crate::person::Hand;

/// What to do where no test command is known.
pub(super) const WRITE_A_TEST_COMMAND: &str =
    "write one into `.tcr.toml`, e.g. test = \"make test\", then `git tcr install`";

/// Manifests that might have named a test command.
pub(super) fn because(unreadable: &[Unreadable]) -> String {
    let said = unreadable.iter().map(message::install::unreadable);
    said.map(|line| format!("; {line}")).collect()
}

/// The files that something is wrong with; the project's own by its short name.
pub(super) fn files(error: &ConfigError) -> String {
    let mut names: Vec<String> = Vec::new();
    for problem in &error.problems {
        let name = match problem.file.file_name() {
            Some(name) if name == ".tcr.toml" => "`.tcr.toml`".into(),
            _ => format!("`{}`", problem.file.display()),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" and ")
}

impl Error {
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
        Error::refused(what, "make this call again")
    }

    /// The sealed config is gone for good.
    pub(crate) fn seal_is_missing() -> Error {
        let what = "git tcr's hooks are installed here, but its sealed config is gone";
        Error::refused(what, "a person runs `git tcr install`")
    }

    pub(crate) fn people_only(command: &str, hand: Hand) -> Error {
        let by = match hand {
            Hand::Client(agent) => format!("this shell belongs to `{agent}`"),
            Hand::TestRun => "it was called by a test run".into(),
            Hand::LeftBehind => "it was called by a process that an agent left behind".into(),
            Hand::Person => "nobody was seen to call it".into(),
        };
        let what = format!("`git tcr {command}` is for people; {by}");
        Error::refused(what, "ask the person at the keyboard")
    }

    pub(crate) fn outside_worktree(path: &Path, usage: &str) -> Error {
        let path = path.display();
        Error::usage(
            format!("`{path}` is not a path inside this worktree"),
            usage,
        )
    }

    pub(crate) fn name_is_no_text(branch: &str) -> Error {
        Error::usage(
            format!(
                "the name of branch `{branch}` is not UTF-8, and git tcr could not tell it from others"
            ),
            "git branch -m NEW-NAME",
        )
    }

    pub(crate) fn another_name(branch: &str, of: &str) -> Error {
        let of = of.strip_prefix("refs/heads/").unwrap_or(of);
        let what = format!("branch `{branch}` is only another name for `{of}`");
        Error::usage(what, format!("git switch {of}"))
    }

    pub(crate) fn wip_deleted(branch: &str, tip: &str) -> Error {
        let short = crate::message::short_id(tip);
        let what = format!("branch `{branch}` was deleted; its last commit was `{short}`");
        Error::usage(what, format!("git update-ref refs/heads/{branch} {tip}"))
    }

    pub(crate) fn not_empty(folder: &Path) -> Error {
        let what = format!("`{}` is not empty", folder.display());
        Error::usage(what, "git tcr demo --dir NEW-FOLDER")
    }

    #[cfg(not(feature = "mcp"))]
    pub(crate) fn without_mcp() -> Error {
        Error::usage(
            "this git tcr was built without the MCP server",
            "cargo install git-tcr --features mcp",
        )
    }

    pub(crate) fn too_many_folders() -> Error {
        Error::usage(
            "the system does not let one user watch so many folders",
            "sudo sysctl fs.inotify.max_user_watches=524288",
        )
    }

    pub(crate) fn no_config_in(commit: &str, file: &str) -> Error {
        let what = format!("there is no `{file}` in `{commit}`");
        Error::usage(what, format!("git show {commit}:{file}"))
    }
}

/// Git's hooks.
impl Error {
    pub(crate) fn hooks_elsewhere(folder: &Path, key: &str) -> Error {
        let folder = folder.display();
        Error::usage(
            format!("git looks for hooks in `{folder}`, whatever this repository's config says"),
            format!("git config --show-origin --get-all {key}"),
        )
    }

    pub(crate) fn unknown_git_hook(name: &str) -> Error {
        let what = format!("`{name}` is no hook that git tcr has a say in");
        Error::usage(what, "git tcr doctor")
    }

    pub(crate) fn no_message_file() -> Error {
        let what = "`commit-msg` needs the file with the message";
        Error::usage(what, "git tcr doctor")
    }
}

/// Commits and ranges of them.
impl Error {
    pub(crate) fn no_commits_in(range: &str) -> Error {
        let what = format!("`{range}` names no commits");
        Error::usage(what, "git tcr smells --range main..HEAD")
    }

    pub(crate) fn no_range(range: &str) -> Error {
        let what = format!("`{range}` is no range of commits");
        Error::usage(what, "git tcr verify main..HEAD")
    }

    pub(crate) fn nothing_to_verify(range: Option<&str>) -> Error {
        let what = match range {
            Some(range) => format!("no commit of `{range}` comes with evidence"),
            None => "there is no squashed history here".into(),
        };
        Error::usage(what, "git tcr fetch, if it was pushed elsewhere")
    }

    pub(crate) fn no_recover(number: u64) -> Error {
        let what = format!("there is no recover {number} on this branch");
        Error::usage(what, "git tcr recover list")
    }

    pub(crate) fn no_output(number: usize) -> Error {
        Error::Usage {
            what: format!("nothing is kept of a test run {number} back"),
            hint: "git tcr run --force".into(),
        }
    }

    pub(crate) fn editor_failed(editor: &str) -> Error {
        let what = format!("the editor `{editor}` ended with an error: nothing was changed");
        Error::refused(what, "git tcr squash -m MESSAGE")
    }

    pub(crate) fn not_signed() -> Error {
        Error::refused(
            "the commit could not be signed: nothing was changed",
            "see to your signing key, then git tcr squash",
        )
    }
}

/// Results from elsewhere.
impl Error {
    pub(crate) fn no_test_results(file: &str, why: &str) -> Error {
        Error::usage(
            format!("`{file}` can't be read as test results: {why}"),
            "git tcr ingest FILE takes JUnit XML, TAP, the JSON of Jest, vitest, mocha, RSpec, GoogleTest or go, or one with `passed` and `failed`",
        )
    }

    pub(crate) fn results_too_old(file: &str, edited: &str) -> Error {
        Error::usage(
            format!("`{file}` is older than `{edited}`: it says nothing about it"),
            "run the tests again, then `git tcr ingest FILE`",
        )
    }
}

/// Spec cycles.
impl Error {
    const TEST_BUG: &str = "git tcr test-bug FILE:LINE TEXT";

    pub(crate) fn no_place_of_bug() -> Error {
        let what = "a place and what is wrong with it are needed";
        Error::usage(what, Error::TEST_BUG)
    }

    pub(crate) fn not_file_and_line(place: &str) -> Error {
        let what = format!("`{place}` is not of the form FILE:LINE");
        Error::usage(what, Error::TEST_BUG)
    }

    pub(crate) fn no_validator() -> Error {
        Error::usage(
            "no `[validator] command` is configured",
            "set it in `.tcr.toml`, then `git tcr install`; or `git tcr freeze --verdict pass --by ID`",
        )
    }

    pub(crate) fn spec_as_plan() -> Error {
        Error::refused(
            "the spec is not its own plan",
            "write the plan into a file of its own, then `git tcr plan FILE`",
        )
    }

    pub(crate) fn empty_plan(file: &str) -> Error {
        let what = format!("plan `{file}` is empty");
        Error::refused(what, format!("write it, then `git tcr plan {file}`"))
    }

    pub(crate) fn superseded_by_itself(spec: &str) -> Error {
        Error::refused(
            format!("`{spec}` is the spec that is to be superseded: it is never edited in place"),
            "write the new one into a file of its own, then `git tcr supersede NEW --delta FILE`",
        )
    }

    pub(crate) fn unusable_delta(file: &str, why: impl std::fmt::Display) -> Error {
        let what = format!("delta `{file}` can't be used: {why}");
        let hint = "mend it, then `git tcr supersede NEW --delta FILE`";
        Error::refused(what, hint)
    }

    pub(crate) fn no_evidence(why: Option<&serde_json::Error>) -> Error {
        let what = match why {
            Some(why) => format!("this is no evidence: {why}"),
            None => "this is no evidence of git tcr".into(),
        };
        Error::refused(what, "git tcr evidence --json > FILE")
    }

    pub(crate) fn evidence_of(branch: &str, here: impl std::fmt::Display) -> Error {
        let what = format!("this is the evidence of branch `{branch}`, and this is `{here}`");
        Error::refused(what, format!("git switch {branch}"))
    }

    pub(crate) fn unusable_file(what: &str, path: &Path, why: &str) -> Error {
        let what = format!("{what} `{}` can't be used: {why}", path.display());
        Error::refused(what, "git tcr status")
    }
}
