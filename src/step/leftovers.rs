//! Files that a test run leaves behind: remembered, never committed, never deleted. And files that it
//! takes away: kept.

use crate::branch::state::State;
use std::collections::BTreeSet;

use gix::bstr::{BStr, BString, ByteSlice};

use crate::branch::session::{REFLOG, Session};
use crate::branch::transaction;
use crate::error::Result;
use crate::git::drift::{self, Drift};
use crate::git::ref_writer;
use crate::git::refs::{self, Move, Pointer};
use crate::git::snapshot::Snapshot;
use crate::git::trees::names;
use crate::git::trees::{self, Change};
use crate::git::worktree_file::raw_hash;
use crate::message;
use crate::rules::PathClass;
use crate::rules::path_class::is_snapshot;

/// So many private files are named one by one; a folder that nobody ignores has thousands.
const NAMED_PRIVATE: usize = 100;

impl Session<'_> {
    /// Remembers files that are left out of all commits while they are as they are.
    pub(crate) fn remember_leftovers<'b>(
        &mut self,
        paths: impl Iterator<Item = &'b BString>,
    ) -> Result<()> {
        for path in paths {
            let hash = raw_hash(self.repo, path.as_bstr())?;
            let Some(hash) = hash else { continue };
            let key = refs::component(path.as_bstr());
            if self.state.leftovers.insert(key, hash.to_string()).is_none() {
                self.left_out.push(path.to_string());
            }
        }
        // Those that are gone need no memory.
        let repo = self.repo;
        let is_there = |path: &str| {
            let path = refs::name_of_component(BStr::new(path));
            repo.on_disk(path.as_bstr()).symlink_metadata().is_ok()
        };
        self.state.leftovers.retain(|path, _| is_there(path));
        self.state.written_by_tests.retain(|path| is_there(path));
        self.state.private.retain(|path| is_there(path));
        Ok(())
    }

    /// Names private files, each of them once.
    pub(crate) fn name_private(&mut self, snapshot: &Snapshot) {
        for path in &snapshot.private {
            let is_full = self.state.private.len() >= NAMED_PRIVATE;
            if !is_full && self.state.private.insert(refs::component(path.as_bstr())) {
                self.left_out.push(path.to_string());
            }
        }
    }

    /// Remembers files that the tests write.
    pub(crate) fn remember_written(&mut self, paths: &BTreeSet<BString>) {
        let keys = paths.iter().map(|path| refs::component(path.as_bstr()));
        self.state.written_by_tests.extend(keys);
    }

    /// Whether nobody committed a path.
    pub(crate) fn is_new_here(&self, path: &BString) -> Result<bool> {
        Ok(trees::lookup(self.repo, self.head_tree()?, path.as_bstr())?.is_none())
    }

    /// Whether it is known that the tests write this file, or one whose name differs in a number.
    pub(crate) fn is_written_by_tests(&self, path: &BString) -> bool {
        let known = &self.state.written_by_tests;
        if known.contains(&refs::component(path.as_bstr())) {
            return true;
        }
        let family = family(path);
        let is_one_of = |key: &String| {
            self::family(&refs::name_of_component(BStr::new(key))) == family && family != **path
        };
        !self.is_judged(path.as_bstr()) && known.iter().any(is_one_of)
    }

    /// Keeps work that a test run has taken away: one that cleans up too much, or puts files back, takes
    /// what is in no commit.
    pub(crate) fn keep_what_is_gone(&mut self, snapshot: &Snapshot, drift: &Drift) -> Result<()> {
        let gone = drift::gone(self.repo, snapshot, drift)?;
        if gone.is_empty() {
            return Ok(());
        }
        let (number, commit) = self.save(snapshot, message::step::GONE)?;
        let entry = Move {
            name: refs::revert(self.base.as_bstr(), number),
            old: None,
            new: Some(Pointer::object(commit)),
        };
        ref_writer::apply(self.repo, &[entry], REFLOG)?;
        let remark = message::step::gone(number, &names(gone.iter()));
        self.remarks.push(remark);
        Ok(())
    }

    /// Whether a file that the tests write each time can be left out of the commits, such as the cache of a
    /// runner: nobody committed it, and it came with the tests or is nothing that is judged.
    pub(crate) fn can_be_left_out(&self, path: &BString, came: bool) -> Result<bool> {
        // What a runner notes down of a test is a test.
        if is_snapshot(path) {
            return Ok(false);
        }
        let is_judged = !matches!(
            self.class(path.as_bstr()),
            PathClass::Docs | PathClass::Other
        );
        Ok(!is_judged || (came && self.is_new_here(path)?))
    }

    /// Whether a file is called like one of these but for a number, as runs call what they write.
    pub(crate) fn is_numbered_like(&self, files: &BTreeSet<BString>, path: &BString) -> bool {
        !self.is_judged(path.as_bstr()) && has_sibling(files, path)
    }

    /// The snapshot without files that the run itself makes.
    pub(crate) fn without(
        &self,
        snapshot: Snapshot,
        generated: &BTreeSet<BString>,
    ) -> Result<Snapshot> {
        if generated.is_empty() {
            return Ok(snapshot);
        }
        let changes: Vec<Change> = snapshot
            .changes
            .into_iter()
            .filter(|change| !generated.contains(&change.path))
            .collect();
        let tree = trees::with_changes(self.repo, self.head_tree()?, changes.iter())?;
        transaction::hold_tree(self.repo, tree, self.head)?;
        Ok(Snapshot {
            tree,
            changes,
            ..snapshot
        })
    }
}

impl State {
    /// A file that a command names is work from now on, whenever it came.
    pub(crate) fn is_work_now(&mut self, path: &str) {
        let key = refs::component(path.into());
        self.leftovers.remove(&key);
        self.private.remove(&key);
    }
}

/// Whether another of the files has the same name but for a number, as runs give to what they write.
fn has_sibling(files: &BTreeSet<BString>, path: &BString) -> bool {
    let family = family(path);
    family != **path
        && files
            .iter()
            .any(|other| other != path && self::family(other) == family)
}

/// A path with everything in its last name that looks like a number or an id taken out.
fn family(path: &BString) -> Vec<u8> {
    let start = path.rfind_byte(b'/').map_or(0, |slash| slash + 1);
    let (folder, name) = path.split_at(start);
    let mut family = folder.to_vec();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    for word in name.chunk_by(|one, other| is_word(one) == is_word(other)) {
        match word.iter().any(u8::is_ascii_digit) {
            true => family.push(b'#'),
            false => family.extend_from_slice(word),
        }
    }
    family
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_a_number_are_siblings() {
        let files = |names: &[&str]| names.iter().map(|name| BString::from(*name)).collect();
        for (one, other, are) in [
            ("out/junk-12.txt", "out/junk-345.txt", true),
            ("tmp.a1b2", "tmp.c3d4", true),
            ("out/junk-12.txt", "in/junk-345.txt", false),
            ("junk-12.txt", "junk-12.txt", false),
            ("notes.txt", "other.txt", false),
            ("report.json", "report.json", false),
        ] {
            let found = has_sibling(&files(&[one]), &BString::from(other));
            assert_eq!(found, are, "{one} {other}");
        }
    }
}
