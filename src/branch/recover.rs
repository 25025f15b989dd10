//! What was taken back: the entries below `refs/tcr/reverts/`.

use gix::bstr::{BStr, ByteSlice};
use serde::Serialize;
use similar::TextDiff;

use crate::branch::staged::staged_beside;
use crate::clock;
use crate::error::{Doing, Error, Result};
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};

/// One entry under `refs/tcr/reverts/`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) commit: String,
    pub(crate) at: String,
    pub(crate) why: String,
    pub(crate) files: Vec<String>,
}

/// An entry with its content.
pub(crate) struct Shown {
    pub(crate) entry: Entry,
    pub(crate) diff: String,
    /// What was staged and nowhere else.
    pub(crate) staged: Option<Staged>,
}

/// Staged content that an entry keeps.
#[derive(Debug, Serialize)]
pub(crate) struct Staged {
    pub(crate) commit: String,
    pub(crate) diff: String,
}

/// The newest entries of a branch, newest first, and how many are older.
pub(crate) fn list(repo: &Repo, base: &BStr, count: usize) -> Result<(Vec<Entry>, usize)> {
    let found = refs::numbered(repo, "reverts", base)?;
    let entries = found.iter().take(count);
    let entries = entries.map(|found| entry(repo, found.number, found.commit));
    let older = found.len().saturating_sub(count);
    Ok((entries.collect::<Result<_>>()?, older))
}

pub(crate) fn find(repo: &Repo, base: &BStr, number: u64) -> Result<gix::ObjectId> {
    refs::read(repo, &refs::revert(base, number))?.ok_or_else(|| Error::NoRecover(number))
}

/// One entry by its number.
pub(crate) fn find_entry(repo: &Repo, base: &BStr, number: u64) -> Result<Entry> {
    entry(repo, number, find(repo, base, number)?)
}

fn entry(repo: &Repo, number: u64, commit: gix::ObjectId) -> Result<Entry> {
    let object = repo.gix.find_commit(commit).doing("read reverted work")?;
    let time = object.time().doing("read reverted work")?;
    let message = object
        .message_raw()
        .doing("read reverted work")?
        .to_str_lossy()
        .into_owned();
    let files = changes(repo, commit)?
        .iter()
        .map(|change| change.path.to_string())
        .collect();
    Ok(Entry {
        number,
        commit: commit.to_string(),
        at: clock::format(time.seconds),
        why: message.lines().next().unwrap_or_default().to_owned(),
        files,
    })
}

/// What an entry changes, beside the commit that was gone back to.
pub(crate) fn changes(repo: &Repo, commit: gix::ObjectId) -> Result<Vec<Change>> {
    let object = repo.gix.find_commit(commit).doing("read reverted work")?;
    let parent = object.parent_ids().next().map(|id| id.detach());
    let before = match parent {
        Some(parent) => repo.tree_of(parent)?,
        None => gix::ObjectId::empty_tree(repo.gix.object_hash()),
    };
    trees::diff(repo, before, repo.tree_of(commit)?)
}

/// What an entry holds, as a diff.
pub(crate) fn show(repo: &Repo, base: &BStr, number: u64) -> Result<Shown> {
    let commit = find(repo, base, number)?;
    let staged = staged_beside(repo, commit)?
        .map(|staged| -> Result<Staged> {
            Ok(Staged {
                commit: staged.to_string(),
                diff: diff_of(repo, staged)?,
            })
        })
        .transpose()?;
    Ok(Shown {
        entry: entry(repo, number, commit)?,
        diff: diff_of(repo, commit)?,
        staged,
    })
}

fn diff_of(repo: &Repo, commit: gix::ObjectId) -> Result<String> {
    let mut diff = String::new();
    for change in changes(repo, commit)? {
        diff.push_str(&unified(repo, &change)?);
    }
    Ok(diff)
}

/// A unified diff of one path.
pub(crate) fn unified(repo: &Repo, change: &Change) -> Result<String> {
    let text = |leaf: Option<Leaf>| -> Result<Option<String>> {
        let Some(leaf) = leaf else {
            return Ok(Some(String::new()));
        };
        if change.is_submodule() {
            return Ok(Some(format!("submodule {}\n", leaf.id)));
        }
        Ok(String::from_utf8(trees::content(repo, leaf)?).ok())
    };
    let name = |side: char, leaf: Option<Leaf>| match leaf {
        Some(_) => format!("{side}/{}", change.path),
        None => "/dev/null".into(),
    };
    let (old, new) = (name('a', change.before), name('b', change.after));
    match (text(change.before)?, text(change.after)?) {
        (Some(before), Some(after)) => {
            let diff = TextDiff::from_lines(&before, &after);
            Ok(diff.unified_diff().header(&old, &new).to_string())
        }
        _ => Ok(format!("--- {old}\n+++ {new}\nbinary content differs\n")),
    }
}
