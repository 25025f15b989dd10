//! What can go wrong, why, and the next command to type.

mod words;

use std::path::{Path, PathBuf};

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Done.
    Done,
    /// The tool's "no": denied, red, reverted, stuck, a check that does not hold.
    No,
    /// It could not decide: bad usage, bad environment.
    Undecided,
}

impl ExitStatus {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Done => 0,
            ExitStatus::No => 1,
            ExitStatus::Undecided => 2,
        }
    }
}

/// Every way a command can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not inside a repository with a worktree.
    #[error("`{}` is not inside a git repository", .0.display())]
    NotARepository(PathBuf),
    /// A repository without a worktree.
    #[error("`{}` is a bare repository: there is no worktree to guard", .0.display())]
    Bare(PathBuf),
    /// References are kept in a format that can't be read here.
    #[error("this repository keeps its references in `{0}` format, which git tcr can't read yet")]
    RefStorage(String),
    /// No commit yet.
    #[error("branch `{0}` has no commit yet")]
    Unborn(String),
    /// HEAD names no branch.
    #[error("HEAD is detached: git tcr works on a branch")]
    Detached,
    /// Nobody ran `install` here.
    #[error("git tcr is not installed in this repository")]
    NotInstalled,
    /// The branch has no state yet.
    #[error("git tcr is not active on branch `{0}`")]
    NotActive(String),
    /// Written by a later version of git tcr.
    #[error("`{what}` was written by a newer git tcr (version {found}, this one reads {known})")]
    Newer {
        /// What was read.
        what: String,
        /// The version found.
        found: u64,
        /// The version this program reads.
        known: u64,
    },
    /// State or config that can't be read.
    #[error("`{what}` can't be read: {why}")]
    Corrupt {
        /// What was read.
        what: String,
        /// The parser's words.
        why: String,
    },
    /// The config is wrong.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// No identity to commit with.
    #[error("git has no identity to commit with")]
    NoIdentity,
    /// Something stands where the WIP branch has to go.
    #[error("branch `{wip}` can't be made: `{obstacle}` is in the way")]
    WipBlocked {
        /// The branch wanted.
        wip: String,
        /// The reference in the way.
        obstacle: String,
    },
    /// The branch is at work in another worktree.
    #[error("branch `{branch}` is checked out in another worktree, `{}`", .place.display())]
    ElsewhereCheckedOut {
        /// The branch.
        branch: String,
        /// Where it is checked out.
        place: PathBuf,
        /// Whether the work is here, so that the other worktree has to let go of the branch.
        work_is_here: bool,
    },
    /// The loop stands aside.
    #[error("{0}")]
    StandAside(StandAside),
    /// No test command is known.
    #[error("no test command was found in this repository")]
    NoTestCommand,
    /// Nor does a look around the repository find one.
    #[error("no test command was found in this repository{}", words::because(.0))]
    NoTestFound(Vec<Unreadable>),
    /// Files changed while the tests ran, again and again.
    #[error("files changed while the tests ran, so the run says nothing: {}", crate::message::path_list(.0))]
    Unstable(Vec<String>),
    /// A lot of untracked content would become part of the baseline.
    #[error("{megabytes} MB of untracked files would be recorded, the largest: {}", crate::message::path_list(.largest))]
    LargeBaseline {
        /// How much.
        megabytes: u64,
        /// The largest of them.
        largest: Vec<String>,
    },
    /// Somebody asked the process to stop while the tests ran.
    #[error("interrupted while the tests ran: nothing was touched")]
    Interrupted,
    /// References moved under us more often than we retried.
    #[error("references changed while git tcr was writing them: {0}")]
    LostRace(String),
    /// Objects went before a ref held them.
    #[error("object {0} was pruned right after it was written")]
    Pruned(String),
    /// A declared transition that the rules do not allow.
    #[error("{what}")]
    Refused {
        /// What was refused and why.
        what: String,
        /// The next command.
        hint: String,
    },
    /// Wrong usage that clap can't see.
    #[error("{what}")]
    Usage {
        /// What was wrong.
        what: String,
        /// The next command.
        hint: String,
    },
    /// Reading or writing a file failed.
    #[error("could not {doing} `{}`: {source}", .path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file's content could not be taken in or put out, most likely by a filter.
    #[error("could not {doing} `{path}`: {source}")]
    Content {
        /// What was tried.
        doing: &'static str,
        /// The path from the root.
        path: String,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A lock of git's own is in the way.
    #[error("`{}` is held by another git process, or was left by one that died", .0.display())]
    GitLocked(PathBuf),
    /// git itself failed.
    #[error("`git {command}` failed: {why}")]
    GitCommand {
        /// The arguments.
        command: String,
        /// Its own words.
        why: String,
    },
    /// The object database or the references failed.
    #[error("could not {doing}: {source}")]
    Git {
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The demo did not go as its story says.
    #[error("`git tcr {command}` was to exit with {expected}, but ended with {ended}")]
    Story {
        /// The command of the story.
        command: String,
        /// The exit status in the story.
        expected: i32,
        /// How it really ended.
        ended: String,
    },
    /// Something that should not happen.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

/// A manifest that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its name.
    pub file: String,
    /// What is wrong with it, and where.
    pub why: String,
}

/// Why the loop touches nothing just now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandAside {
    /// A merge, rebase, cherry-pick, revert or bisect is going on.
    InProgress(&'static str),
    /// The index has unmerged entries.
    Unmerged(usize),
    /// HEAD is on the base while the WIP branch is ahead of it.
    OnBase {
        /// The base branch.
        base: String,
        /// The WIP branch.
        wip: String,
    },
}

impl std::fmt::Display for StandAside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

impl Error {
    pub(crate) fn io(doing: &'static str, path: &Path, source: std::io::Error) -> Self {
        Error::Io {
            doing,
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn corrupt(what: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Error::Corrupt {
            what: what.into(),
            why: why.to_string(),
        }
    }

    pub(crate) fn internal(what: &'static str) -> Self {
        Error::Internal(what)
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
            Error::Corrupt { what, .. } => Some(format!(
                "`git log {what}` shows the chain; `git tcr install` writes a new link"
            )),
            Error::Config(error) => Some(format!(
                "mend {}, then `git tcr install`",
                words::files(error)
            )),
            Error::NoIdentity => {
                Some("git config user.name NAME && git config user.email ADDRESS".into())
            }
            Error::WipBlocked { obstacle, .. } => {
                let name = obstacle.strip_prefix("refs/heads/").unwrap_or(obstacle);
                Some(format!("git branch -m {name} NEW-NAME"))
            }
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
            Error::NoTestCommand => Some(words::WRITE_A_TEST_COMMAND.into()),
            Error::NoTestFound(unreadable) => Some(match unreadable.is_empty() {
                true => words::WRITE_A_TEST_COMMAND.into(),
                false => format!("mend it, or {}", words::WRITE_A_TEST_COMMAND),
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

    /// The exit status of a process that ends with this error.
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            Error::Refused { .. } => ExitStatus::No,
            _ => ExitStatus::Undecided,
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

/// Says what was being done when a lower layer failed.
pub(crate) trait Doing<T> {
    fn doing(self, doing: &'static str) -> Result<T>;
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> Doing<T> for std::result::Result<T, E> {
    fn doing(self, doing: &'static str) -> Result<T> {
        self.map_err(|source| Error::Git {
            doing,
            source: source.into(),
        })
    }
}
