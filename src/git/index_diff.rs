//! Which paths the index has staged: where it differs from a tree.
//!
//! The index remembers the tree ids of folders that were not touched since they were last
//! written, so that only the folders of staged paths are looked into.

use std::collections::HashMap;

use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::index::extension::Tree as CachedTree;
use gix::objs::tree::EntryKind;

use super::repo::Repo;
use super::trees::Leaf;
use crate::error::{Doing, Result};

/// A path where the index is not as the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staged {
    /// The path from the root.
    pub(crate) path: BString,
    /// What the index has; `None` if it was taken out.
    pub(crate) index: Option<Leaf>,
}

/// The paths where the index differs from `tree`, sorted.
pub(crate) fn staged(
    repo: &Repo,
    index: &gix::index::State,
    tree: gix::ObjectId,
) -> Result<Vec<Staged>> {
    let mut walk = Walk {
        repo,
        index,
        found: Vec::new(),
    };
    walk.folder(
        BString::default(),
        index.tree(),
        Some(tree),
        0..index.entries().len(),
    )?;
    walk.found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.found)
}

struct Walk<'a> {
    repo: &'a Repo,
    index: &'a gix::index::State,
    found: Vec<Staged>,
}

impl Walk<'_> {
    fn folder(
        &mut self,
        prefix: BString,
        cached: Option<&CachedTree>,
        tree: Option<gix::ObjectId>,
        range: std::ops::Range<usize>,
    ) -> Result<()> {
        if let Some(cached) = cached.filter(|cached| cached.num_entries.is_some())
            && Some(cached.id) == tree
        {
            return Ok(());
        }
        let mut in_tree = self.read_tree(tree)?;
        let mut position = range.start;
        while position < range.end {
            let entry = &self.index.entries()[position];
            let path = entry.path_in(self.index.path_backing());
            let rest = &path[prefix.len()..];
            match rest.find_byte(b'/') {
                Some(end) if end + 1 < rest.len() => {
                    let name = rest[..end].as_bstr();
                    let child_prefix: BString = path[..prefix.len() + end + 1].into();
                    let until = self.end_of(&child_prefix, position, range.end);
                    let child_cached = cached
                        .and_then(|cached| cached.children.iter().find(|c| c.name[..] == **name));
                    let child_tree = match in_tree.get(name) {
                        Some(Node::Folder(id)) => Some(*id),
                        _ => None,
                    };
                    if child_tree.is_some() {
                        in_tree.remove(name);
                    }
                    self.folder(child_prefix, child_cached, child_tree, position..until)?;
                    position = until;
                }
                _ => {
                    self.file(
                        path,
                        rest.trim_end_with(|c| c == '/').as_bstr(),
                        entry,
                        &mut in_tree,
                    );
                    position += 1;
                }
            }
        }
        for (name, node) in in_tree {
            let mut path = prefix.clone();
            path.push_str(&name);
            self.taken_out(path, node)?;
        }
        Ok(())
    }

    fn file(
        &mut self,
        path: &BStr,
        name: &BStr,
        entry: &gix::index::Entry,
        in_tree: &mut HashMap<BString, Node>,
    ) {
        let node = in_tree.remove(name);
        if entry.mode == gix::index::entry::Mode::DIR {
            // A folder outside a sparse checkout can't be staged.
            return;
        }
        let kind = entry
            .mode
            .to_tree_entry_mode()
            .map_or(EntryKind::Blob, |mode| mode.kind());
        let leaf = Leaf { kind, id: entry.id };
        let intent = entry
            .flags
            .contains(gix::index::entry::Flags::INTENT_TO_ADD);
        if intent || !matches!(&node, Some(Node::File(known)) if *known == leaf) {
            self.found.push(Staged {
                path: path.to_owned(),
                index: (!intent).then_some(leaf),
            });
        }
        if let Some(folder @ Node::Folder(_)) = node {
            // A folder of the tree became a file of the index.
            in_tree.insert(name.to_owned(), folder);
        }
    }

    fn end_of(&self, prefix: &BString, from: usize, to: usize) -> usize {
        let backing = self.index.path_backing();
        from + self.index.entries()[from..to]
            .partition_point(|entry| entry.path_in(backing).starts_with(prefix.as_slice()))
    }

    fn read_tree(&self, tree: Option<gix::ObjectId>) -> Result<HashMap<BString, Node>> {
        let Some(tree) = tree else {
            return Ok(HashMap::new());
        };
        let tree = self.repo.gix.find_tree(tree).doing("read a tree")?;
        let mut nodes = HashMap::new();
        for entry in tree.iter() {
            let entry = entry.doing("read a tree")?;
            let node = if entry.mode().is_tree() {
                Node::Folder(entry.object_id())
            } else {
                Node::File(Leaf {
                    kind: entry.mode().kind(),
                    id: entry.object_id(),
                })
            };
            nodes.insert(entry.filename().to_owned(), node);
        }
        Ok(nodes)
    }

    fn taken_out(&mut self, path: BString, node: Node) -> Result<()> {
        match node {
            Node::File(_) => self.found.push(Staged { path, index: None }),
            Node::Folder(id) => {
                for (name, child) in self.read_tree(Some(id))? {
                    let mut child_path = path.clone();
                    child_path.push_byte(b'/');
                    child_path.push_str(&name);
                    self.taken_out(child_path, child)?;
                }
            }
        }
        Ok(())
    }
}

enum Node {
    File(Leaf),
    Folder(gix::ObjectId),
}
