//! What became of files and hooks that `install` puts in place.

use std::path::PathBuf;

use crate::clients::Client;
use crate::clients::settings::dialect::Foreign;

/// Something about our hooks that is not as `install` left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Disarmed {
    /// `core.hooksPath` has this value.
    HooksPath(Option<String>),
    /// Other hooks are in use, and ours pass on to them; none: those of the repository's own folder.
    NewHooksPath(Option<String>),
    /// A hook is gone.
    Missing(String),
    /// A hook was edited; this is what it was.
    Edited(String, Vec<u8>),
    /// Git would not run a hook.
    NotExecutable(String),
    /// A hook of somebody else took the place of ours, which passes on to it.
    Replaced(String),
}

/// Where hooks go that were edited and then put back.
pub(crate) const ARCHIVE: &str = "refs/tcr/retired/hooks";

/// Whether anything is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    /// What was disarmed is put back.
    PutBack,
    /// It is only told.
    Nothing,
}

/// What became of a client's hooks that were not as they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restored {
    /// They are as they were.
    No,
    /// They are back.
    PutBack,
    /// The file could not be used, and another is in its place. What was there is in the archive.
    Replaced,
}

/// What became of a forbidden act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It was denied.
    Denied,
    /// It was not; this is what was said instead.
    NotDenied(String),
}

/// What became of one client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// It was written.
    Written,
    /// It was as it should be.
    AsItWas,
    /// It was removed, because nothing else was in it.
    Removed,
    /// It was left alone, for this reason.
    LeftAlone(WhyLeft),
}

/// Why a file was left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WhyLeft {
    /// Our entries can't be put in or taken out, in the words of the one who tried.
    Unmergeable(String),
    /// It is committed for everybody.
    Committed,
    /// Somebody wrote it, or edited ours.
    BySomebody,
    /// Somebody edited it.
    Edited,
}

/// One client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientFile {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) change: Change,
    /// What keeps the client from reading the file.
    pub(crate) unreadable: Option<Foreign>,
}

impl ClientFile {
    pub(crate) fn new(client: Client, file: PathBuf, change: Change) -> ClientFile {
        ClientFile {
            client,
            file,
            change,
            unreadable: None,
        }
    }
}
