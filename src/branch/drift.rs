//! Frozen files that are not as they were certified: the gate's quick look at the first, with a
//! diff, and what brings each of them back.

use gix::bstr::{BStr, BString, ByteSlice};
use similar::TextDiff;

use std::os::unix::fs::MetadataExt;

use super::session::Session;
use crate::branch::cycle::{FrozenOracle, Watched};
use crate::branch::state::State;
use crate::error::{Doing, Result};
use crate::git::filters::Filters;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::git::{objects, refs, worktree_file};
use crate::parts::mixed;
use crate::rules::PathClass;
use crate::rules::spec::normalised_hash;

/// So many lines of a diff are shown.
const SHOWN_LINES: usize = 16;

/// A frozen file that is not as it was certified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drifted {
    pub(crate) path: BString,
    /// The beginning of the difference.
    pub(crate) diff: String,
}

/// The first frozen file that differs from the oracle. Files whose size, times and inode are as they
/// were at the freeze are not read.
pub(crate) fn first_drifted(repo: &Repo, state: &State) -> Result<Option<Drifted>> {
    let Some(oracle) = state.oracle_in_force() else {
        return Ok(None);
    };
    for (encoded, watched) in &oracle.watched {
        let path = refs::name_of_component(BStr::new(encoded));
        let on_disk = repo.on_disk(path.as_bstr());
        if watched.seen.is_some() && seen(&on_disk) == watched.seen {
            continue;
        }
        if is_same(repo, state, path.as_bstr(), watched)? {
            continue;
        }
        return drifted(repo, path, watched).map(Some);
    }
    Ok(None)
}

fn is_same(repo: &Repo, state: &State, path: &BStr, watched: &Watched) -> Result<bool> {
    let on_disk = repo.on_disk(path);
    let is_file = on_disk
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file());
    let Ok(bytes) = std::fs::read(&on_disk) else {
        return Ok(false);
    };
    if let Some(spec) = &state.spec
        && spec.path.as_bytes() == path.as_bytes()
    {
        let hash = std::str::from_utf8(&bytes).map(normalised_hash);
        return Ok(is_file && hash.as_deref() == Ok(spec.hash.as_str()));
    }
    let wanted = object(&watched.id)?;
    if watched.part {
        let tests = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| mixed::tests_in(path, text));
        let frozen = content(repo, wanted)?;
        return Ok(is_file && tests.is_some_and(|tests| tests.as_bytes() == frozen));
    }
    let hash = repo.gix.object_hash();
    let raw = gix::objs::compute_hash(hash, gix::objs::Kind::Blob, &bytes).doing("hash a file")?;
    if is_file && raw == wanted {
        return Ok(true);
    }
    // Line ends and other filters: as git would store it.
    let index = repo.index()?;
    let mut filters = Filters::new(repo, &index)?;
    let leaf = worktree_file::read(repo, &mut filters, &index, path, &on_disk)?;
    Ok(leaf.is_some_and(|leaf| leaf.id == wanted))
}

fn drifted(repo: &Repo, path: BString, watched: &Watched) -> Result<Drifted> {
    let frozen = content(repo, object(&watched.id)?)?;
    let now = std::fs::read(repo.on_disk(path.as_bstr())).unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let now = match watched.part {
        true => mixed::tests_in(path.as_bstr(), &text(&now)).unwrap_or_else(|| text(&now)),
        false => text(&now),
    };
    Ok(Drifted {
        diff: short_diff(&path.to_string(), &text(&frozen), &now),
        path,
    })
}

fn content(repo: &Repo, id: gix::ObjectId) -> Result<Vec<u8>> {
    let kind = gix::objs::tree::EntryKind::Blob;
    trees::content(repo, Leaf { kind, id })
}

/// The beginning of a unified diff from what is frozen to what is there.
pub(crate) fn short_diff(path: &str, frozen: &str, now: &str) -> String {
    let diff = TextDiff::from_lines(frozen, now);
    let mut unified = diff.unified_diff();
    let text = unified
        .context_radius(1)
        .header(&format!("frozen/{path}"), &format!("now/{path}"))
        .to_string();
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = lines
        .iter()
        .take(SHOWN_LINES)
        .copied()
        .collect::<Vec<_>>()
        .join("\n");
    if lines.len() > SHOWN_LINES {
        shown.push_str(&format!("\n… {} more lines", lines.len() - SHOWN_LINES));
    }
    shown
}

impl Session<'_> {
    /// The frozen files in which a tree differs from the oracle, with the change that mends each.
    /// Only these paths are looked at.
    pub(crate) fn drift_in<'p>(
        &self,
        tree: gix::ObjectId,
        paths: impl Iterator<Item = &'p BStr>,
    ) -> Result<Vec<Change>> {
        let Some(oracle) = frozen_tree(self.repo, &self.state)? else {
            return Ok(Vec::new());
        };
        let mut drifted = Vec::new();
        for path in paths {
            let Some(wanted) = trees::lookup(self.repo, oracle, path)? else {
                continue;
            };
            let now = trees::lookup(self.repo, tree, path)?;
            if now == Some(wanted) || self.says_the_same(path, wanted, now)? {
                continue;
            }
            if let Some(mended) = self.mended(path, wanted, now)? {
                drifted.push(Change {
                    path: path.to_owned(),
                    before: now,
                    after: Some(mended),
                });
            }
        }
        Ok(drifted)
    }

    /// A spec with other line ends, or a source file with the same tests.
    fn says_the_same(&self, path: &BStr, wanted: Leaf, now: Option<Leaf>) -> Result<bool> {
        let Some(now) = now.filter(|now| now.kind == wanted.kind) else {
            return Ok(false);
        };
        let text = |leaf| -> Result<Option<String>> {
            Ok(String::from_utf8(trees::content(self.repo, leaf)?).ok())
        };
        match self.class(path) {
            PathClass::Spec => {
                let hash = |text: Option<String>| {
                    text.map(|text| crate::rules::spec::normalised_hash(&text))
                };
                Ok(hash(text(now)?) == hash(text(wanted)?))
            }
            PathClass::Source | PathClass::Mixed => {
                let tests = text(now)?.and_then(|text| mixed::tests_in(path, &text));
                Ok(tests.is_some() && tests == text(wanted)?)
            }
            PathClass::Protected
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => Ok(false),
        }
    }

    /// The content that a drifted file gets back.
    fn mended(&self, path: &BStr, wanted: Leaf, now: Option<Leaf>) -> Result<Option<Leaf>> {
        match self.class(path) {
            PathClass::Source | PathClass::Mixed => {}
            PathClass::Protected
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => return Ok(Some(wanted)),
        }
        let Some(now) = now.filter(|now| !now.is_link()) else {
            // The tests alone are no file: it comes back as it was committed, if they are in there.
            let committed = trees::lookup(self.repo, self.head_tree()?, path)?;
            return match self.says_the_same(path, wanted, committed)? {
                true => Ok(committed),
                false => Ok(None),
            };
        };
        let text = |leaf| -> Result<String> {
            Ok(String::from_utf8_lossy(&trees::content(self.repo, leaf)?).into_owned())
        };
        let Some(merged) = mixed::put_together(path, &text(now)?, &text(wanted)?) else {
            return Ok(None);
        };
        let id = objects::blob(self.repo, merged.as_bytes())?;
        Ok(Some(Leaf { id, ..now }))
    }

    /// After a commit that is not git tcr's: the frozen files that it changed.
    pub(crate) fn note_oracle_in_head(&mut self) -> Result<Vec<String>> {
        let Some(oracle) = frozen_tree(self.repo, &self.state)? else {
            return Ok(Vec::new());
        };
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let frozen = trees::diff(self.repo, nothing, oracle)?;
        let head_tree = self.head_tree()?;
        let paths = frozen.iter().map(|change| change.path.as_bstr());
        let drifted = self.drift_in(head_tree, paths)?;
        if let Some(oracle) = &mut self.state.oracle {
            oracle.differs_in_head = drifted
                .iter()
                .map(|change| refs::component(change.path.as_bstr()))
                .collect();
        }
        Ok(drifted
            .iter()
            .map(|change| change.path.to_string())
            .collect())
    }
}

/// The tree of the oracle that is in force.
pub(crate) fn frozen_tree(repo: &Repo, state: &State) -> Result<Option<gix::ObjectId>> {
    match state.oracle_in_force() {
        Some(oracle) => repo.tree_of(object(&oracle.commit)?).map(Some),
        None => Ok(None),
    }
}

/// The numbers of a file that change when its content does.
pub(crate) fn seen(file: &std::path::Path) -> Option<[i64; 4]> {
    let metadata = file.symlink_metadata().ok()?;
    let nanoseconds =
        |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
    Some([
        i64::try_from(metadata.size()).ok()?,
        nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        i64::try_from(metadata.ino()).unwrap_or_default(),
    ])
}

impl FrozenOracle {
    /// The paths in which HEAD differs from what was certified.
    pub(crate) fn paths_to_mend(&self) -> impl Iterator<Item = BString> + '_ {
        self.differs_in_head
            .iter()
            .map(|path| refs::name_of_component(BStr::new(path)))
    }
}

/// An object id as the state has it.
pub(crate) fn object(hex: &str) -> Result<gix::ObjectId> {
    gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_short() {
        let diff = short_diff("t.py", "a\nb\nc\n", "a\nx\nc\n");
        assert_eq!(
            diff,
            "--- frozen/t.py\n+++ now/t.py\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c"
        );
        let long: String = (0..100).map(|n| format!("{n}\n")).collect();
        let diff = short_diff("t.py", "", &long);
        assert_eq!(diff.lines().count(), SHOWN_LINES + 1);
        assert!(diff.ends_with("… 87 more lines"), "{diff}");
    }
}
