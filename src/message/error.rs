//! What can go wrong, in words, with the next command to type.

use std::fmt;

use super::{path_list, short_id};
use crate::config::ConfigError;
use crate::error::{Error, StandAside, Unreadable};

const NO_TEST_COMMAND: &str = "no test command was found in this repository";

/// What to do where no test command is known.
const WRITE_A_TEST_COMMAND: &str =
    "write one into `.tcr.toml`, e.g. test = \"make test\", then `git tcr install`";

/// Manifests that might have named a test command.
fn because(unreadable: &[Unreadable]) -> String {
    let said = unreadable.iter().map(super::install::unreadable);
    said.map(|line| format!("; {line}")).collect()
}

/// The files that something is wrong with; the project's own by its short name.
fn files(error: &ConfigError) -> String {
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

/// A branch as people name it.
fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotARepository(path) => {
                write!(f, "`{}` is not inside a git repository", path.display())
            }
            Error::Bare(path) => write!(
                f,
                "`{}` is a bare repository: there is no worktree to guard",
                path.display()
            ),
            Error::RefStorage(format) => write!(
                f,
                "this repository keeps its references in `{format}` format, which git tcr can't read yet"
            ),
            Error::Unborn(branch) => write!(f, "branch `{branch}` has no commit yet"),
            Error::Detached => f.write_str("HEAD is detached: git tcr works on a branch"),
            Error::NotInstalled => f.write_str("git tcr is not installed in this repository"),
            Error::NotActive(branch) => write!(f, "git tcr is not active on branch `{branch}`"),
            Error::Newer { what, found, known } => write!(
                f,
                "`{what}` was written by a newer git tcr (version {found}, this one reads {known})"
            ),
            Error::Corrupt { what, why } => write!(f, "`{what}` can't be read: {why}"),
            Error::Config(error) => error.fmt(f),
            Error::NoIdentity => f.write_str("git has no identity to commit with"),
            Error::WipBlocked { wip, obstacle } => {
                write!(
                    f,
                    "branch `{wip}` can't be made: `{obstacle}` is in the way"
                )
            }
            Error::NameIsNoText(branch) => write!(
                f,
                "the name of branch `{branch}` is not UTF-8, and git tcr could not tell it from others"
            ),
            Error::AnotherName { branch, of } => {
                write!(
                    f,
                    "branch `{branch}` is only another name for `{}`",
                    short(of)
                )
            }
            Error::WipDeleted { branch, tip } => write!(
                f,
                "branch `{branch}` was deleted; its last commit was `{}`",
                short_id(tip)
            ),
            Error::NoRecover(number) => {
                write!(f, "there is no recover {number} on this branch")
            }
            Error::NoConfigIn { commit, file } => {
                write!(f, "there is no `{file}` in `{commit}`")
            }
            Error::HooksElsewhere { folder, .. } => write!(
                f,
                "git looks for hooks in `{}`, whatever this repository's config says",
                folder.display()
            ),
            Error::EditorFailed(editor) => write!(
                f,
                "the editor `{editor}` ended with an error: nothing was changed"
            ),
            Error::NotSigned => f.write_str("the commit could not be signed: nothing was changed"),
            Error::ElsewhereCheckedOut { branch, place, .. } => write!(
                f,
                "branch `{branch}` is checked out in another worktree, `{}`",
                place.display()
            ),
            Error::StandAside(reason) => reason.fmt(f),
            Error::NoTestCommand => f.write_str(NO_TEST_COMMAND),
            Error::NoTestFound(unreadable) => {
                write!(f, "{NO_TEST_COMMAND}{}", because(unreadable))
            }
            Error::Unstable(paths) => write!(
                f,
                "files changed while the tests ran, so the run says nothing: {}",
                path_list(paths)
            ),
            Error::LargeBaseline { megabytes, largest } => write!(
                f,
                "{megabytes} MB of untracked files would be recorded, the largest: {}",
                path_list(largest)
            ),
            Error::Interrupted => {
                f.write_str("interrupted while the tests ran: nothing was touched")
            }
            Error::LostRace(what) => {
                write!(
                    f,
                    "references changed while git tcr was writing them: {what}"
                )
            }
            Error::Pruned(id) => {
                write!(f, "object {id} was pruned right after it was written")
            }
            Error::Refused { what, .. } | Error::Usage { what, .. } => f.write_str(what),
            Error::Io {
                doing,
                path,
                source,
            } => write!(f, "could not {doing} `{}`: {source}", path.display()),
            Error::Content {
                doing,
                path,
                source,
            } => write!(f, "could not {doing} `{path}`: {source}"),
            Error::GitLocked(lock) => write!(
                f,
                "`{}` is held by another git process, or was left by one that died",
                lock.display()
            ),
            Error::GitCommand { command, why } => write!(f, "`git {command}` failed: {why}"),
            Error::Git { doing, source } => write!(f, "could not {doing}: {source}"),
            Error::Story {
                command,
                expected,
                ended,
            } => write!(
                f,
                "`git tcr {command}` was to exit with {expected}, but ended with {ended}"
            ),
            Error::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl Error {
    /// The next command to type, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::NotARepository(_) => Some("cd into a repository, or `git init`".into()),
            Error::Bare(_) => Some("run it in a worktree: `git worktree add PATH BRANCH`".into()),
            Error::RefStorage(_) => Some("git refs migrate --ref-format=files".into()),
            Error::Unborn(_) => Some("git commit --allow-empty -m \"first commit\"".into()),
            Error::Detached => Some("git switch BRANCH".into()),
            Error::NotInstalled => Some("git tcr install".into()),
            Error::NotActive(_) => Some("git tcr on".into()),
            Error::Newer { .. } => Some("update git tcr on this machine".into()),
            Error::Corrupt { .. } => {
                Some("git tcr doctor --fix; if that is not enough, git tcr install".into())
            }
            Error::Config(error) => Some(format!(
                "fix {}, then `git tcr install`",
                files(error)
            )),
            Error::NoIdentity => {
                Some("git config user.name NAME && git config user.email ADDRESS".into())
            }
            Error::WipBlocked { obstacle, .. } => {
                Some(format!("git branch -m {} NEW-NAME", short(obstacle)))
            }
            Error::NameIsNoText(_) => Some("git branch -m NEW-NAME".into()),
            Error::AnotherName { of, .. } => Some(format!("git switch {}", short(of))),
            Error::WipDeleted { branch, tip } => {
                Some(format!("git update-ref refs/heads/{branch} {tip}"))
            }
            Error::NoRecover(_) => Some("git tcr recover list".into()),
            Error::NoConfigIn { commit, file } => Some(format!("git show {commit}:{file}")),
            Error::HooksElsewhere { key, .. } => {
                Some(format!("git config --show-origin --get-all {key}"))
            }
            Error::EditorFailed(_) => Some("git tcr squash -m MESSAGE".into()),
            Error::NotSigned => Some("see to your signing key, then git tcr squash".into()),
            Error::ElsewhereCheckedOut {
                place,
                work_is_here: true,
                ..
            } => Some(format!(
                "git -C {} switch --detach, then run the command again",
                place.display()
            )),
            Error::ElsewhereCheckedOut { place, .. } => Some(format!("cd {}", place.display())),
            Error::StandAside(reason) => Some(reason.hint()),
            Error::NoTestCommand => Some(WRITE_A_TEST_COMMAND.into()),
            Error::NoTestFound(unreadable) => Some(match unreadable.is_empty() {
                true => WRITE_A_TEST_COMMAND.into(),
                false => format!("fix it, or {}", WRITE_A_TEST_COMMAND),
            }),
            Error::Unstable(_) => {
                Some("ignore files that the tests write, then run the command again".into())
            }
            Error::LargeBaseline { .. } => Some(
                "ignore them in `.gitignore`, or `git tcr install --yes` to record them".into(),
            ),
            Error::Interrupted => Some("git tcr run".into()),
            Error::LostRace(_) => Some("run the command again".into()),
            Error::Pruned(_) => Some(
                "wait until `git gc` or `git prune` has ended, then run the command again".into(),
            ),
            Error::Refused { hint, .. } | Error::Usage { hint, .. } => Some(hint.clone()),
            Error::GitLocked(lock) => Some(format!(
                "wait for it; if no git is at work here: rm {}",
                lock.display()
            )),
            error if error.is_disk_full() => {
                Some("nothing is lost: make room, then run the command again".into())
            }
            Error::Io { path, source, .. } if is_not_allowed(source) => Some(format!(
                "`ls -ld {}` shows who may; then run the command again",
                path.display()
            )),
            Error::Content { path, source, .. }
                if source.downcast_ref().is_some_and(is_not_allowed) =>
            {
                Some(format!(
                    "`ls -ld {path}` shows who may; then run the command again"
                ))
            }
            Error::Content { .. } => Some(
                "see to the file, or to the filters and attributes that git has for it, then run the command again"
                    .into(),
            ),
            Error::Io { .. }
            | Error::GitCommand { .. }
            | Error::Git { .. }
            | Error::Story { .. }
            | Error::Internal(_) => None,
        }
    }

    /// Whether there was no room for what had to be written.
    fn is_disk_full(&self) -> bool {
        if let Error::GitCommand { why, .. } = self {
            return why.contains("No space left on device") || why.contains("quota exceeded");
        }
        let mut next: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = next {
            if let Some(io) = error.downcast_ref::<std::io::Error>()
                && matches!(
                    io.kind(),
                    std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
                )
            {
                return true;
            }
            next = error.source();
        }
        false
    }
}

impl fmt::Display for StandAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StandAside::InProgress(what) => {
                write!(f, "a {what} is in progress: nothing was touched")
            }
            StandAside::Unmerged(count) => {
                let (paths, are) = if *count == 1 {
                    ("path", "is")
                } else {
                    ("paths", "are")
                };
                write!(
                    f,
                    "{count} {paths} in the index {are} unmerged: nothing was touched"
                )
            }
            StandAside::OnBase { base, wip } => {
                write!(
                    f,
                    "HEAD is on `{base}` while its work is on `{wip}`: nothing was touched"
                )
            }
        }
    }
}

impl StandAside {
    fn hint(&self) -> String {
        match self {
            StandAside::InProgress("bisect") => "git bisect reset".into(),
            StandAside::InProgress(what) => format!("git {what} --continue, or git {what} --abort"),
            StandAside::Unmerged(_) => "git status, then git add the resolved paths".into(),
            StandAside::OnBase { wip, .. } => format!("git switch {wip}"),
        }
    }
}

fn is_not_allowed(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}
