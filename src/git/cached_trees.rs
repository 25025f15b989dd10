//! The index remembers the tree ids of folders that are as those trees. Where entries change, that
//! memory has to go, and comes back only for folders that were compared entry by entry.

use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::index::entry::Flags;
use gix::index::extension::Tree as CachedTree;

use super::repo::Repo;
use crate::error::{Doing, Result};

/// Forgets the trees of the folders that hold `paths`, and remembers those that are as in `tree`.
pub(super) fn renew<'a>(
    repo: &Repo,
    index: &mut gix::index::State,
    paths: impl Iterator<Item = &'a BStr>,
    tree: gix::ObjectId,
) -> Result<()> {
    let nothing = unknown(repo, b"");
    let Some(mut root) = index
        .tree_mut()
        .map(|root| std::mem::replace(root, nothing))
    else {
        return Ok(());
    };
    for path in paths {
        forget(&mut root, path);
    }
    let compared = Comparison { repo, index }.folder(&mut root, &BString::default(), tree, 0);
    if let Some(place) = index.tree_mut() {
        *place = root;
    }
    compared.map(drop)
}

fn unknown(repo: &Repo, name: &[u8]) -> CachedTree {
    CachedTree {
        name: name.into(),
        id: gix::ObjectId::null(repo.gix.object_hash()),
        num_entries: None,
        children: Vec::new(),
    }
}

fn forget(root: &mut CachedTree, path: &BStr) {
    let mut node = root;
    let mut rest: &[u8] = path;
    loop {
        node.num_entries = None;
        let Some(end) = rest.find_byte(b'/') else {
            break;
        };
        let (name, below) = rest.split_at(end);
        let Some(child) = node
            .children
            .iter_mut()
            .find(|child| child.name[..] == *name)
        else {
            return;
        };
        node = child;
        rest = below.get(1..).unwrap_or_default();
    }
    // A file where a folder was.
    node.children.retain(|child| child.name[..] != *rest);
}

struct Comparison<'a> {
    repo: &'a Repo,
    index: &'a gix::index::State,
}

impl Comparison<'_> {
    /// Compares a folder, whose entries begin at `start`, with a tree. Returns where its entries
    /// end if they are the same.
    fn folder(
        &self,
        node: &mut CachedTree,
        prefix: &BString,
        tree: gix::ObjectId,
        start: usize,
    ) -> Result<Option<usize>> {
        if let Some(count) = node.num_entries {
            let end = start + count as usize;
            return Ok((node.id == tree && self.is_end(prefix, start, end)).then_some(end));
        }
        let mut compared = Vec::new();
        let end = self.content(node, &mut compared, prefix, tree, start)?;
        match end {
            Some(end) => {
                // Folders that the tree does not have are no more.
                node.children = compared;
                node.id = tree;
                node.num_entries = u32::try_from(end - start).ok();
            }
            None => node.children.append(&mut compared),
        }
        Ok(end)
    }

    /// Compares what is in a folder; `compared` gets those of its children that were looked at.
    fn content(
        &self,
        node: &mut CachedTree,
        compared: &mut Vec<CachedTree>,
        prefix: &BString,
        tree: gix::ObjectId,
        start: usize,
    ) -> Result<Option<usize>> {
        let object = self.repo.gix.find_tree(tree).doing("read a tree")?;
        let mut at = start;
        // The order of a tree is the order of the index.
        for item in object.iter() {
            let item = item.doing("read a tree")?;
            let mut path = prefix.clone();
            path.push_str(item.filename());
            if !item.mode().is_tree() {
                if !self.is_entry(at, path.as_bstr(), item.mode(), item.oid()) {
                    return Ok(None);
                }
                at += 1;
                continue;
            }
            path.push_byte(b'/');
            let known = node
                .children
                .iter()
                .position(|child| child.name[..] == **item.filename());
            let mut child = match known {
                Some(known) => node.children.swap_remove(known),
                None => unknown(self.repo, item.filename()),
            };
            let end = self.folder(&mut child, &path, item.object_id(), at)?;
            compared.push(child);
            match end {
                Some(end) => at = end,
                None => return Ok(None),
            }
        }
        Ok(self.is_end(prefix, start, at).then_some(at))
    }

    fn is_entry(
        &self,
        at: usize,
        path: &BStr,
        mode: gix::objs::tree::EntryMode,
        id: &gix::oid,
    ) -> bool {
        self.index.entries().get(at).is_some_and(|entry| {
            entry.id == id
                && entry.mode.to_tree_entry_mode() == Some(mode)
                && !entry.flags.contains(Flags::INTENT_TO_ADD)
                && entry.path_in(self.index.path_backing()) == path
        })
    }

    /// Whether the entries of a folder end here.
    fn is_end(&self, prefix: &BString, start: usize, end: usize) -> bool {
        let is_inside = |at: usize| {
            let entry = self.index.entries().get(at);
            entry.is_some_and(|entry| {
                entry
                    .path_in(self.index.path_backing())
                    .starts_with(prefix.as_slice())
            })
        };
        !is_inside(end) && (start == end || is_inside(end - 1))
    }
}
