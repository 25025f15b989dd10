//! Hooks that a tool keeps for the user beside its own.
//!
//! A tool that finds ours where it expects its own moves ours aside, over what it kept there: so
//! that is kept once more.

use std::path::{Path, PathBuf};

use super::files::{before, read, remove, rename};
use crate::branch::sealed::is_own_hook;
use crate::error::{Error, Result};

/// What becomes of a hook that a tool moved aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The tool's own hook runs it.
    Runs,
    /// It is there until the tool is taken away, and the tool refuses to move another one aside.
    Lies,
}

/// The names that tools give to it: pre-commit and prek the first, lefthook the other.
const NAMES: [(&str, Use); 2] = [(".legacy", Use::Runs), (".old", Use::Lies)];

fn named(file: &Path, name: &str) -> PathBuf {
    PathBuf::from(format!("{}{name}", file.display()))
}

fn exists(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Keeps what the tool keeps for the hook `file`, of which ours takes the place.
pub(super) fn secure(file: &Path) -> Result<()> {
    for (name, use_) in NAMES {
        let theirs = named(file, name);
        let secured = before(&theirs);
        match (read(&theirs)?, use_) {
            (Some(text), _) if is_own_hook(&text) => {}
            (Some(_), Use::Runs) => {
                let copied = std::fs::copy(&theirs, &secured);
                copied.map_err(|error| Error::io("copy", &theirs, error))?;
            }
            (Some(_), Use::Lies) => rename(&theirs, &secured)?,
            // It was told to forget it.
            (None, Use::Runs) if exists(&secured) => remove(&secured)?,
            (None, Use::Runs | Use::Lies) => {}
        }
    }
    Ok(())
}

/// Ours was moved to where a tool had kept something: that comes back.
pub(super) fn give_back(copy_of_ours: &Path) -> Result<()> {
    let secured = before(copy_of_ours);
    match exists(&secured) {
        true => rename(&secured, copy_of_ours),
        false => remove(copy_of_ours),
    }
}

/// Ours is gone: what tools had kept is theirs again, or the user's if the tool is gone as well.
pub(super) fn let_go(file: &Path) -> Result<()> {
    for (name, _) in NAMES {
        let theirs = named(file, name);
        let secured = before(&theirs);
        if !exists(&secured) {
            continue;
        }
        let is_theirs = read(&theirs)?.is_some_and(|text| !is_own_hook(&text));
        match (exists(file), is_theirs) {
            (true, true) => remove(&secured)?,
            (true, false) => rename(&secured, &theirs)?,
            (false, true) => {
                remove(&secured)?;
                rename(&theirs, file)?;
            }
            (false, false) => rename(&secured, file)?,
        }
    }
    Ok(())
}
