//! The gate's look at the frozen files: quick, and with a diff if one is not as it was certified.

use gix::bstr::{BStr, BString, ByteSlice};
use similar::TextDiff;

use super::frozen::seen;
use super::object;
use crate::branch::cycle::Watched;
use crate::branch::state::State;
use crate::error::{Doing, Result};
use crate::git::filters::Filters;
use crate::git::repo::Repo;
use crate::git::trees::{self, Leaf};
use crate::git::{refs, worktree_file};
use crate::parts::mixed;
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
