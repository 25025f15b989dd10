//! Why there is no lab, or why an experiment could not be set up in it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// There is no lab for this worktree, or not now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoLab {
    /// The reason.
    pub why: Why,
}

/// Why there is no lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// This system has no private mounts; only the checkout form is possible here.
    NoOverlayHere,
    /// The system refused a step of the overlay form.
    Refused {
        /// What was tried.
        step: Step,
        /// What the system said.
        error: String,
    },
    /// A file belongs to somebody whom a private namespace does not know: it could not be written.
    ForeignOwner(PathBuf),
    /// A file or folder could not be read or written.
    Io {
        /// What was done with it.
        doing: Doing,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: String,
    },
    /// No room left where the lab lies.
    Full(PathBuf),
    /// The path of a wanted file leads out of the worktree, or into git's own folder.
    BadPath(PathBuf),
    /// The inner stage ended without saying why.
    StageDied {
        /// What it printed.
        output: String,
    },
    /// An ignored folder that looks like dependencies or build output, and no recipe knows it.
    UnknownFolder(PathBuf),
    /// A recipe knows the folder and can't carry it over to a checkout.
    NotCarried {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: NotCarried,
    },
    /// Neither form is possible.
    Neither {
        /// Why not an overlay.
        overlay: Box<Why>,
        /// Why not a checkout.
        checkout: Box<Why>,
    },
    /// Every folder for a lab is a part of the worktree.
    InsideWorktree(PathBuf),
    /// Another experiment is at work in the checkout.
    Busy,
    /// Git failed while the checkout was made.
    Git {
        /// What git was asked.
        command: String,
        /// What it said.
        output: String,
    },
    /// The `setup` command failed in the checkout.
    Setup {
        /// The end of what it printed.
        output: String,
    },
    /// Tests say something else in the lab than in the worktree.
    Differs(Vec<String>),
    /// No test can be believed: all pass although every source file is broken.
    Fooled,
}

/// A step of the overlay form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A namespace of its own for users, mounts and processes.
    Namespace,
    /// The user's own id mapped to itself.
    Mapping,
    /// The overlay mount itself.
    Overlay,
    /// A file system in memory for the upper layer.
    Memory,
    /// The process list of the namespace.
    ProcessList,
    /// Giving up all privileges.
    Privileges,
    /// Starting the command.
    Start,
}

/// What was done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// It was looked at or read.
    Read,
    /// It was written or made.
    Write,
    /// It was removed.
    Remove,
    /// It was locked.
    Lock,
}

/// Why a dependency folder can't be carried over to a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotCarried {
    /// A build folder holds the worktree's own path.
    HoldsPaths,
}

impl From<Why> for NoLab {
    fn from(why: Why) -> NoLab {
        NoLab { why }
    }
}

impl NoLab {
    /// A failure with a file.
    pub(super) fn io(doing: Doing, path: &Path, error: &io::Error) -> NoLab {
        let full = matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        let path = path.to_path_buf();
        // An owner without a counterpart in the namespace is told as a value out of range.
        let foreign = error.raw_os_error() == Some(rustix::io::Errno::OVERFLOW.raw_os_error());
        NoLab {
            why: match (full, foreign) {
                (true, _) => Why::Full(path),
                (false, true) => Why::ForeignOwner(path),
                (false, false) => Why::Io {
                    doing,
                    path,
                    error: error.to_string(),
                },
            },
        }
    }

    /// The system refused a step.
    pub(super) fn refused(step: Step, error: impl fmt::Display) -> NoLab {
        NoLab {
            why: Why::Refused {
                step,
                error: error.to_string(),
            },
        }
    }
}

impl std::error::Error for NoLab {}

impl fmt::Display for NoLab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Neither { overlay, checkout } => {
                write!(f, "{checkout}; and no overlay: {overlay}")
            }
            Why::NoOverlayHere => f.write_str("this system has no private mounts"),
            Why::Refused { step, error } => write!(f, "the system refused {step}: {error}"),
            Why::ForeignOwner(path) => write!(
                f,
                "`{}` belongs to another user or group, which a private mount can't write",
                path.display()
            ),
            Why::Io { doing, path, error } => {
                write!(f, "could not {doing} `{}`: {error}", path.display())
            }
            Why::Full(path) => write!(f, "no space left for `{}`", path.display()),
            Why::BadPath(path) => {
                write!(f, "`{}` does not lie in the worktree", path.display())
            }
            Why::StageDied { output } => {
                write!(f, "the lab's own process died: {}", output.trim())
            }
            Why::UnknownFolder(path) => write!(
                f,
                "no recipe for the ignored folder `{}`, which looks like dependencies or build output",
                path.display()
            ),
            Why::NotCarried { path, why } => {
                write!(f, "`{}` can't be used in a checkout: {why}", path.display())
            }
            Why::InsideWorktree(path) => write!(
                f,
                "`{}` is a part of the worktree; a lab has to lie outside",
                path.display()
            ),
            Why::Busy => f.write_str("another experiment is at work in the lab"),
            Why::Git { command, output } => {
                write!(f, "`git {command}` failed in the lab: {}", output.trim())
            }
            Why::Setup { output } => write!(f, "the setup command failed: {}", output.trim()),
            Why::Differs(tests) => write!(
                f,
                "{} of the tests say something else there than in the worktree, the first: `{}`",
                tests.len(),
                tests.first().map_or("", String::as_str)
            ),
            Why::Fooled => f.write_str("tests pass there although every source file is broken"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Namespace => "a namespace of its own",
            Step::Mapping => "to keep the user's id in a namespace",
            Step::Overlay => "an overlay mount",
            Step::Memory => "a file system in memory",
            Step::ProcessList => "a process list of its own",
            Step::Privileges => "to give up privileges",
            Step::Start => "to start the command",
        })
    }
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doing::Read => "read",
            Doing::Write => "write",
            Doing::Remove => "remove",
            Doing::Lock => "lock",
        })
    }
}

impl fmt::Display for NotCarried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotCarried::HoldsPaths => "it is configured with the worktree's own path",
        })
    }
}
