//! What can go wrong, as values; `message` has the words, and the next command to type.

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
    NotARepository(PathBuf),
    /// A repository without a worktree.
    Bare(PathBuf),
    /// References are kept in a format that can't be read here.
    RefStorage(String),
    /// No commit yet.
    Unborn(String),
    /// HEAD names no branch.
    Detached,
    /// Nobody ran `install` here.
    NotInstalled,
    /// The branch has no state yet.
    NotActive(String),
    /// Written by a later version of git tcr.
    Newer {
        /// What was read.
        what: String,
        /// The version found.
        found: u64,
        /// The version this program reads.
        known: u64,
    },
    /// State or config that can't be read.
    Corrupt {
        /// What was read.
        what: String,
        /// The parser's words.
        why: String,
    },
    /// The config is wrong.
    Config(#[from] crate::config::ConfigError),
    /// No identity to commit with.
    NoIdentity,
    /// Something stands where the WIP branch has to go.
    WipBlocked {
        /// The branch wanted.
        wip: String,
        /// The reference in the way.
        obstacle: String,
    },
    /// A branch's name is no text, so that it could not be told from others.
    NameIsNoText(String),
    /// A branch that is only another name for one.
    AnotherName {
        /// The name at hand.
        branch: String,
        /// The branch, as a full name.
        of: String,
    },
    /// The WIP branch is gone.
    WipDeleted {
        /// The branch, short.
        branch: String,
        /// Its last commit.
        tip: String,
    },
    /// There is no such entry of what was taken back.
    NoRecover(u64),
    /// A commit has no config.
    NoConfigIn {
        /// The commit.
        commit: String,
        /// The file looked for.
        file: String,
    },
    /// Git looks for hooks where this repository's config has no say.
    HooksElsewhere {
        /// The folder.
        folder: PathBuf,
        /// The key that names it.
        key: String,
    },
    /// The editor for a message failed.
    EditorFailed(String),
    /// A commit could not be signed.
    NotSigned,
    /// The branch is at work in another worktree.
    ElsewhereCheckedOut {
        /// The branch.
        branch: String,
        /// Where it is checked out.
        place: PathBuf,
        /// Whether the work is here, so that the other worktree has to let go of the branch.
        work_is_here: bool,
    },
    /// The loop stands aside.
    StandAside(StandAside),
    /// No test command is known.
    NoTestCommand,
    /// Nor does a look around the repository find one.
    NoTestFound(Vec<Unreadable>),
    /// Files changed while the tests ran, again and again.
    Unstable(Vec<String>),
    /// A lot of untracked content would become part of the baseline.
    LargeBaseline {
        /// How much.
        megabytes: u64,
        /// The largest of them.
        largest: Vec<String>,
    },
    /// Somebody asked the process to stop while the tests ran.
    Interrupted,
    /// References moved under us more often than we retried.
    LostRace(String),
    /// Objects went before a ref held them.
    Pruned(String),
    /// A declared transition that the rules do not allow.
    Refused {
        /// What was refused and why.
        what: String,
        /// The next command.
        hint: String,
    },
    /// Wrong usage that clap can't see.
    Usage {
        /// What was wrong.
        what: String,
        /// The next command.
        hint: String,
    },
    /// Reading or writing a file failed.
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file's content could not be taken in or put out, most likely by a filter.
    Content {
        /// What was tried.
        doing: &'static str,
        /// The path from the root.
        path: String,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A lock of git's own is in the way.
    GitLocked(PathBuf),
    /// git itself failed.
    GitCommand {
        /// The arguments.
        command: String,
        /// Its own words.
        why: String,
    },
    /// The object database or the references failed.
    Git {
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The demo did not go as its story says.
    Story {
        /// The command of the story.
        command: String,
        /// The exit status in the story.
        expected: i32,
        /// How it really ended.
        ended: String,
    },
    /// Something that should not happen.
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

    /// The exit status of a process that ends with this error.
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            Error::Refused { .. } | Error::EditorFailed(_) | Error::NotSigned => ExitStatus::No,
            _ => ExitStatus::Undecided,
        }
    }
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
