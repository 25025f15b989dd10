//! The facts an analysis yields.

use std::path::PathBuf;

use crate::rules::shell_gate::{Evasion, GitAction, TcrCommand};

/// One thing a command would do. Paths are absolute, with links and dots resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ShellEffect {
    /// A file is created, overwritten or added to.
    Write {
        /// The file.
        path: PathBuf,
        /// The program or construct that does it.
        how: &'static str,
        /// What is written, where the command says it.
        content: Option<Content>,
    },
    /// A file or directory is removed or renamed away. For a directory the files in it follow,
    /// each as an effect of its own.
    Delete {
        /// What goes.
        path: PathBuf,
        /// The program or construct that does it.
        how: &'static str,
    },
    /// The mode, owner or flags of a file change, its content does not.
    Attributes {
        /// The file.
        path: PathBuf,
        /// The program that does it.
        how: &'static str,
    },
    /// An empty directory is made.
    MakeDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// Something is written or removed, and what can't be fully known before the command runs.
    UnknownTarget {
        /// The path as far as it is known, with `_` for the rest.
        likely: Option<PathBuf>,
        /// The program or construct that does it.
        how: &'static str,
    },
    /// Those of the files in some folders that need it are rewritten.
    RewriteSome {
        /// The folders.
        folders: Vec<PathBuf>,
        /// The program that does it.
        how: &'static str,
    },
    /// Something is done to the repository through git.
    Git(GitAction),
    /// `git tcr` is called.
    Tcr(TcrCommand),
    /// The ground the rules stand on is shifted.
    Evasion(Evasion),
}

/// Text a command writes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// The file is this text afterwards.
    Whole(String),
    /// The file has this text at its end afterwards.
    Appended(String),
}
