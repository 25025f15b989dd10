//! Writing commits and small trees.

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;

use super::identity;
use super::repo::Repo;
use crate::effects::fault;
use crate::error::{Doing, Result};

/// Writes a commit with the user's identity, without hooks and signing.
pub(crate) fn commit(
    repo: &Repo,
    tree: gix::ObjectId,
    parents: &[gix::ObjectId],
    message: &str,
) -> Result<gix::ObjectId> {
    commit_by(repo, tree, parents, message, None)
}

/// The same, with an author who need not be the user.
pub(crate) fn commit_by(
    repo: &Repo,
    tree: gix::ObjectId,
    parents: &[gix::ObjectId],
    message: &str,
    author: Option<gix::actor::Signature>,
) -> Result<gix::ObjectId> {
    let committer = identity::committer(repo)?;
    let author = author
        .or_else(|| identity::author(repo))
        .unwrap_or_else(|| committer.clone());
    let commit = gix::objs::Commit {
        tree,
        parents: parents.iter().copied().collect(),
        author,
        committer,
        encoding: None,
        message: message.into(),
        extra_headers: Vec::new(),
    };
    fault::write("write-commit")?;
    Ok(repo
        .gix
        .write_object(&commit)
        .doing("write a commit")?
        .detach())
}

/// Writes a tree of a few named entries.
pub(crate) fn tree(
    repo: &Repo,
    entries: &[(&str, EntryKind, gix::ObjectId)],
) -> Result<gix::ObjectId> {
    let empty = gix::ObjectId::empty_tree(repo.gix.object_hash());
    let mut editor = repo.gix.edit_tree(empty).doing("write a tree")?;
    for (name, kind, id) in entries {
        editor
            .upsert(name.as_bytes().as_bstr(), *kind, *id)
            .doing("write a tree")?;
    }
    edited(editor)
}

/// Writes the tree of an editor.
pub(crate) fn edited(mut editor: gix::object::tree::Editor<'_>) -> Result<gix::ObjectId> {
    fault::write("write-tree")?;
    Ok(editor.write().doing("write a tree")?.detach())
}

/// Writes a file's content.
pub(crate) fn blob(repo: &Repo, bytes: &[u8]) -> Result<gix::ObjectId> {
    fault::write("write-blob")?;
    Ok(repo
        .gix
        .write_blob(bytes)
        .doing("write an object")?
        .detach())
}

/// The content of a file at the top of a commit's tree.
pub(crate) fn file_in_commit(
    repo: &Repo,
    commit: gix::ObjectId,
    name: &str,
) -> Result<Option<Vec<u8>>> {
    let tree = repo.tree_of(commit)?;
    match super::trees::lookup(repo, tree, name.into())? {
        Some(leaf) => Ok(Some(super::trees::content(repo, leaf)?)),
        None => Ok(None),
    }
}
