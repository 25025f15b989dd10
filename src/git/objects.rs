//! Writing commits and small trees.

use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::EntryKind;
use gix::objs::{FindExt, Kind, WriteTo};
use gix::validate::path::component;

use super::command;
use super::identity;
use super::loose::{self, Objects};
use super::repo::Repo;
use crate::error::{Doing, Error, Result};
use crate::fault;

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
    let written = write(repo, &commit)?;
    require_all(repo, [tree])?;
    Ok(written)
}

fn write(repo: &Repo, object: &dyn WriteTo) -> Result<gix::ObjectId> {
    let mut bytes = Vec::new();
    object.write_to(&mut bytes).doing("write an object")?;
    loose::write(repo, object.kind(), &bytes)
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
    let written = edited(repo, editor)?;
    require_all(repo, entries.iter().map(|(_, _, id)| *id))?;
    Ok(written)
}

/// Writes the tree of an editor. Files that were put into it are there; folders beside them may be
/// missing in a damaged repository, and nothing is built on such.
pub(crate) fn edited(repo: &Repo, editor: gix::object::tree::Editor<'_>) -> Result<gix::ObjectId> {
    fault::write("write-tree")?;
    let rules = name_rules(repo);
    editor.detach().write(|tree| {
        for entry in &tree.entries {
            let link = entry.mode.is_link().then_some(component::Mode::Symlink);
            gix::validate::path::component(entry.filename.as_ref(), link, rules).map_err(
                |source| Error::Content {
                    doing: "store",
                    path: entry.filename.to_string(),
                    source: source.into(),
                },
            )?;
            if entry.mode.is_tree() {
                require(repo, entry.filename.as_ref(), entry.oid)?;
            }
        }
        write(repo, tree)
    })
}

/// A tree with holes helps nobody.
pub(super) fn require(repo: &Repo, path: &BStr, id: gix::ObjectId) -> Result<()> {
    if repo.gix.has_object(id) || is_fetched(repo, id) {
        return Ok(());
    }
    Err(Error::Content {
        doing: "store",
        path: path.to_string(),
        source: format!("its content {id} is missing").into(),
    })
}

/// Whether git could fetch what a partial clone does not have yet.
pub(super) fn is_fetched(repo: &Repo, id: gix::ObjectId) -> bool {
    let asked = ["cat-file", "-e", &id.to_string()];
    command::git(repo.root(), &asked, b"").is_ok() && repo.gix.has_object(id)
}

/// Fails if another process has pruned one of these since they were written.
pub(crate) fn require_all(repo: &Repo, ids: impl IntoIterator<Item = gix::ObjectId>) -> Result<()> {
    match ids.into_iter().find(|id| !repo.gix.has_object(id)) {
        Some(gone) => Err(Error::Pruned(gone.to_string())),
        None => Ok(()),
    }
}

/// Which names git lets nobody store.
fn name_rules(repo: &Repo) -> component::Options {
    let config = repo.gix.config_snapshot();
    let is_on = |key, by_default| config.boolean(key).unwrap_or(by_default);
    component::Options {
        protect_windows: false,
        protect_hfs: is_on("core.protectHFS", cfg!(target_os = "macos")),
        protect_ntfs: is_on("core.protectNTFS", true),
    }
}

/// Writes a file's content.
pub(crate) fn blob(repo: &Repo, bytes: &[u8]) -> Result<gix::ObjectId> {
    fault::write("write-blob")?;
    loose::write(repo, Kind::Blob, bytes)
}

/// The content of a file at the top of a commit's tree.
pub(crate) fn file_in_commit(
    repo: &Repo,
    commit: gix::ObjectId,
    name: &str,
) -> Result<Option<Vec<u8>>> {
    const READING: &str = "read a file of a commit";
    let objects = Objects(repo);
    let mut buffer = Vec::new();
    let tree = objects.find_tree_iter(&repo.tree_of(commit)?, &mut buffer);
    let mut found = None;
    for entry in tree.doing(READING)? {
        let entry = entry.doing(READING)?;
        if entry.filename == name && !entry.mode.is_tree() {
            found = Some(entry.oid.to_owned());
        }
    }
    let Some(id) = found else { return Ok(None) };
    let blob = objects.find_blob(&id, &mut buffer).doing(READING)?;
    Ok(Some(blob.data.to_vec()))
}
