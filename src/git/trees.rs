//! Trees: what differs between two of them, and a tree with some paths changed.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::objs::FindExt;
use gix::objs::tree::EntryKind;

use super::loose::Objects;
use super::objects;
use super::repo::Repo;
use crate::error::{Doing, Result};

/// One file, link or submodule in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// File, executable, link or submodule.
    pub(crate) kind: EntryKind,
    /// Its content.
    pub(crate) id: gix::ObjectId,
}

impl Leaf {
    /// Whether it is a link: what it holds is a path, and no text to be looked into.
    pub(crate) fn is_link(self) -> bool {
        self.kind == EntryKind::Link
    }
}

/// One path that is not the same in two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The path from the root.
    pub(crate) path: BString,
    /// What was there before.
    pub(crate) before: Option<Leaf>,
    /// What is there after.
    pub(crate) after: Option<Leaf>,
}

impl Change {
    /// Whether either side is a submodule.
    pub(crate) fn is_submodule(&self) -> bool {
        [self.before, self.after]
            .into_iter()
            .flatten()
            .any(|leaf| leaf.kind == EntryKind::Commit)
    }

    /// Whether either side is a link.
    pub(crate) fn is_link(&self) -> bool {
        [self.before, self.after]
            .into_iter()
            .flatten()
            .any(Leaf::is_link)
    }

    /// The change that undoes this one.
    pub(crate) fn inverse(&self) -> Change {
        Change {
            path: self.path.clone(),
            before: self.after,
            after: self.before,
        }
    }
}

/// The paths that differ between two trees, sorted by path.
pub(crate) fn diff(
    repo: &Repo,
    before: gix::ObjectId,
    after: gix::ObjectId,
) -> Result<Vec<Change>> {
    if before == after {
        return Ok(Vec::new());
    }
    let objects = Objects(repo);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let old = objects.find_tree_iter(&before, &mut old);
    let new = objects.find_tree_iter(&after, &mut new);
    let mut recorder = gix::diff::tree::Recorder::default();
    gix::diff::tree(
        old.doing("read a tree")?,
        new.doing("read a tree")?,
        gix::diff::tree::State::default(),
        objects,
        &mut recorder,
    )
    .doing("compare two trees")?;
    let mut changes = Vec::new();
    for record in recorder.records {
        push_leaf_change(&mut changes, record);
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(merge_same_path(changes))
}

fn push_leaf_change(changes: &mut Vec<Change>, record: gix::diff::tree::recorder::Change) {
    use gix::diff::tree::recorder::Change as Record;
    let leaf = |mode: gix::objs::tree::EntryMode, id| {
        (!mode.is_tree()).then(|| Leaf {
            kind: mode.kind(),
            id,
        })
    };
    let (path, before, after) = match record {
        Record::Addition {
            entry_mode,
            oid,
            path,
            ..
        } => (path, None, leaf(entry_mode, oid)),
        Record::Deletion {
            entry_mode,
            oid,
            path,
            ..
        } => (path, leaf(entry_mode, oid), None),
        Record::Modification {
            previous_entry_mode,
            previous_oid,
            entry_mode,
            oid,
            path,
        } => (
            path,
            leaf(previous_entry_mode, previous_oid),
            leaf(entry_mode, oid),
        ),
    };
    if before.is_some() || after.is_some() {
        changes.push(Change {
            path,
            before,
            after,
        });
    }
}

/// A change of type may come as a deletion and an addition of one path.
fn merge_same_path(changes: Vec<Change>) -> Vec<Change> {
    let mut merged: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match merged.last_mut() {
            Some(last) if last.path == change.path => {
                last.before = last.before.or(change.before);
                last.after = last.after.or(change.after);
            }
            _ => merged.push(change),
        }
    }
    merged
}

/// What a tree has at a path; folders count as nothing.
pub(crate) fn lookup(repo: &Repo, tree: gix::ObjectId, path: &BStr) -> Result<Option<Leaf>> {
    let tree = repo.gix.find_tree(tree).doing("read a tree")?;
    let entry = tree
        .lookup_entry(path.split(|byte| *byte == b'/'))
        .doing("read a tree")?;
    Ok(entry.and_then(|entry| {
        let mode = entry.mode();
        (!mode.is_tree()).then(|| Leaf {
            kind: mode.kind(),
            id: entry.object_id(),
        })
    }))
}

/// The bytes of a file in a tree.
pub(crate) fn content(repo: &Repo, leaf: Leaf) -> Result<Vec<u8>> {
    let found = match repo.gix.find_blob(leaf.id) {
        Err(_) if objects::is_fetched(repo, leaf.id) => repo.gix.find_blob(leaf.id),
        found => found,
    };
    Ok(found.doing("read a file's content")?.take_data())
}

/// A tree with the `after` side of each change in place.
pub(crate) fn with_changes<'a>(
    repo: &Repo,
    tree: gix::ObjectId,
    changes: impl Iterator<Item = &'a Change> + Clone,
) -> Result<gix::ObjectId> {
    let mut editor = repo.gix.edit_tree(tree).doing("edit a tree")?;
    // What goes makes room first: a file may become a folder, and a folder a file.
    for change in changes.clone().filter(|change| change.after.is_none()) {
        editor.remove(change.path.as_bstr()).doing("edit a tree")?;
    }
    for change in changes {
        if let Some(leaf) = change.after {
            if leaf.kind != EntryKind::Commit {
                objects::require(repo, change.path.as_bstr(), leaf.id)?;
            }
            editor
                .upsert(change.path.as_bstr(), leaf.kind, leaf.id)
                .doing("edit a tree")?;
        }
    }
    objects::edited(repo, editor)
}

/// Paths as text.
pub(crate) fn names<'a>(paths: impl Iterator<Item = &'a BString>) -> Vec<String> {
    paths.map(ToString::to_string).collect()
}
