//! What came by baselines: it is listed, not asked.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::trees::functions_beside;
use crate::branch::wip_commits::Entry;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::languages::Code;

/// What came by baselines.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// Paths that nothing but baselines changed.
    paths: BTreeSet<String>,
    /// Functions that a baseline brought and nobody changed since: path, line in the final tree, name.
    functions: BTreeSet<(String, usize, String)>,
}

impl LeftOut {
    /// What the commits by hand among these brought into the final tree.
    pub(crate) fn of(repo: &Repo, entries: &[Entry], tip: ObjectId) -> Result<LeftOut> {
        let mut by_hand = Vec::new();
        let mut by_loop = BTreeSet::new();
        for entry in entries {
            let before = match entry.parents.first() {
                Some(parent) => repo.tree_of(*parent)?,
                None => ObjectId::empty_tree(repo.gix.object_hash()),
            };
            let changes = trees::diff(repo, before, entry.tree)?;
            match entry.commit.is_by_hand() {
                true => by_hand.extend(changes),
                false => by_loop.extend(changes.into_iter().map(|change| change.path.to_string())),
            }
        }
        let mut left_out = LeftOut::default();
        for change in by_hand {
            let path = change.path.to_string();
            match by_loop.contains(&path) {
                true => left_out.take_functions(repo, &change, tip)?,
                false => drop(left_out.paths.insert(path)),
            }
        }
        Ok(left_out)
    }

    fn take_functions(&mut self, repo: &Repo, change: &Change, tip: ObjectId) -> Result<()> {
        let final_leaf = trees::lookup(repo, tip, change.path.as_bstr())?;
        let read = |leaf: Option<Leaf>| -> Result<Option<Code>> {
            let Some(leaf) = leaf.filter(|leaf| !leaf.is_link()) else {
                return Ok(None);
            };
            Ok(Code::read(&change.path, &trees::content(repo, leaf)?).ok())
        };
        let (old, own, tip) = (read(change.before)?, read(change.after)?, read(final_leaf)?);
        let (Some(own), Some(tip)) = (own, tip) else {
            return Ok(());
        };
        // Changed since what was there before it, and not since it.
        let since_before = functions_beside(old.as_ref(), &tip);
        let since = functions_beside(Some(&own), &tip);
        let path = change.path.to_string();
        let brought = since_before.difference(&since);
        self.functions
            .extend(brought.map(|(line, name)| (path.clone(), *line, name.clone())));
        Ok(())
    }

    pub(super) fn has_path(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    pub(super) fn has_function(&self, path: &str, line: usize, name: &str) -> bool {
        self.functions
            .contains(&(path.to_owned(), line, name.to_owned()))
    }

    /// The paths, for the list.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &String> {
        self.paths.iter()
    }
}
