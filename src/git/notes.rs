//! Notes on objects, spread over folders so that the cost of one does not grow with their number.

use std::collections::HashMap;

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};

use super::refs::{self, Move, Pointer};
use super::repo::Repo;
use super::{command, objects, trees};
use crate::error::{Doing, Error, Result};

/// A note to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// The notes ref.
    pub(crate) notes: String,
    /// The object that is annotated.
    pub(crate) object: String,
    /// The note's text.
    pub(crate) blob: String,
}

impl Note {
    pub(crate) fn new(notes: &str, object: gix::ObjectId, blob: gix::ObjectId) -> Self {
        Note {
            notes: notes.into(),
            object: object.to_string(),
            blob: blob.to_string(),
        }
    }
}

/// The text of the note on an object.
pub(crate) fn read(repo: &Repo, notes: &str, object: gix::ObjectId) -> Result<Option<Vec<u8>>> {
    let Some(tip) = refs::read(repo, notes)? else {
        return Ok(None);
    };
    let tree = repo.tree_of(tip)?;
    for path in layouts(&object.to_string()) {
        if let Some(leaf) = trees::lookup(repo, tree, path.as_bytes().as_bstr())? {
            return Ok(Some(trees::content(repo, leaf)?));
        }
    }
    Ok(None)
}

/// All notes of a ref: the objects, and the blobs with what is said of them.
pub(crate) fn all(repo: &Repo, notes: &str) -> Result<HashMap<gix::ObjectId, gix::ObjectId>> {
    let mut found = HashMap::new();
    let Some(tip) = refs::read(repo, notes)? else {
        return Ok(found);
    };
    let mut folders = vec![(String::new(), repo.tree_of(tip)?)];
    while let Some((prefix, tree)) = folders.pop() {
        let tree = repo.gix.find_tree(tree).doing("read the notes")?;
        for entry in tree.iter() {
            let entry = entry.doing("read the notes")?;
            let name = format!("{prefix}{}", entry.filename());
            if entry.mode().is_tree() {
                folders.push((name, entry.object_id()));
            } else if let Ok(object) = gix::ObjectId::from_hex(name.as_bytes()) {
                found.insert(object, entry.object_id());
            }
        }
    }
    Ok(found)
}

/// git spreads notes by their number; ours come first, then the layouts git may have made.
fn layouts(hex: &str) -> [String; 3] {
    [
        format!("{}/{}", &hex[..2], &hex[2..]),
        hex.to_owned(),
        format!("{}/{}/{}", &hex[..2], &hex[2..4], &hex[4..]),
    ]
}

/// The ref moves that put these notes on top of what the notes refs have now.
pub(crate) fn moves(repo: &Repo, notes: &[Note]) -> Result<Vec<Move>> {
    let mut names: Vec<&str> = notes.iter().map(|note| note.notes.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| one_ref(repo, name, notes).transpose())
        .collect()
}

fn one_ref(repo: &Repo, name: &str, notes: &[Note]) -> Result<Option<Move>> {
    let tip = refs::read(repo, name)?;
    let notes = notes.iter().filter(|note| note.notes == name);
    let nothing = gix::ObjectId::empty_tree(repo.gix.object_hash());
    let tree = match tip {
        Some(tip) => match readable_tree(repo, tip, notes.clone()) {
            // A crash of the machine took objects that were written last: the notes begin anew.
            Err(_) if !is_readable_by_git(repo, tip) => nothing,
            tree => tree?,
        },
        None => nothing,
    };
    let mut editor = repo.gix.edit_tree(tree).doing("edit the notes")?;
    for note in notes {
        let blob = gix::ObjectId::from_hex(note.blob.as_bytes()).doing("read an object id")?;
        let [ours, others @ ..] = layouts(&note.object);
        for other in others {
            if trees::lookup(repo, tree, other.as_bytes().as_bstr())?.is_some() {
                editor
                    .remove(other.as_bytes().as_bstr())
                    .doing("edit the notes")?;
            }
        }
        editor
            .upsert(ours.as_bytes().as_bstr(), EntryKind::Blob, blob)
            .doing("edit the notes")?;
    }
    let edited = objects::edited(repo, editor)?;
    if edited == tree {
        return Ok(None);
    }
    let is_readable = |tip: &gix::ObjectId| repo.gix.find_commit(*tip).is_ok();
    let parents: Vec<_> = tip.into_iter().filter(is_readable).collect();
    let commit = objects::commit(repo, edited, &parents, "Notes added by git tcr\n")?;
    Ok(Some(Move {
        name: name.to_owned(),
        old: tip.map(Pointer::object),
        new: Some(Pointer::object(commit)),
    }))
}

/// The tree of notes, if all of it can be read that these notes are put into.
fn readable_tree<'n>(
    repo: &Repo,
    tip: gix::ObjectId,
    notes: impl Iterator<Item = &'n Note>,
) -> Result<gix::ObjectId> {
    let tree = repo.tree_of(tip)?;
    for note in notes {
        for path in layouts(&note.object) {
            trees::lookup(repo, tree, path.as_bytes().as_bstr())?;
        }
    }
    Ok(tree)
}

/// Whether git can read the notes where we can't: then it was for a moment only.
fn is_readable_by_git(repo: &Repo, tip: gix::ObjectId) -> bool {
    let listed = ["ls-tree", "-r", "--name-only", &tip.to_string()];
    !matches!(
        command::git(repo.root(), &listed, b""),
        Err(Error::GitCommand { .. })
    )
}
