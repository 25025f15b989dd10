//! Files that changed between two test runs and kept their size within the same second: Python, make
//! and others take them for unchanged. They get a later modification time.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Stat;

use super::repo::Repo;
use super::scan::index_stat;
use super::snapshot::{Seen, Snapshot};
use super::worktree_file::leaf_of;
use crate::error::Result;

/// What a run has seen of a file, as far as tools look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Looks {
    size: u32,
    second: u32,
    content: ObjectId,
}

impl Looks {
    fn of(seen: &Seen) -> Option<Looks> {
        Looks::new(seen.stat?, seen.content?.id)
    }

    fn new(stat: Stat, content: ObjectId) -> Option<Looks> {
        Some(Looks {
            size: stat.size,
            second: stat.mtime.secs,
            content,
        })
    }

    /// Whether a tool that knows the one takes the other for it.
    fn passes_for(self, other: Looks) -> bool {
        self.content != other.content && self.size == other.size && self.second == other.second
    }
}

/// Gives files a later time that look as the last run saw them and have another content.
pub(crate) fn set(repo: &Repo, snapshot: &mut Snapshot) -> Result<()> {
    let known = read(repo);
    let index = repo.index()?;
    let before = |path: &BStr| {
        known.get(path).copied().or_else(|| {
            let entry = index.entry_by_path(path)?;
            Looks::new(entry.stat, leaf_of(entry)?.id)
        })
    };
    let witness = &mut snapshot.witness;
    for (path, seen) in witness.tracked.iter_mut().chain(&mut witness.untracked) {
        let is_taken_for_another = Looks::of(seen)
            .zip(before(path.as_bstr()))
            .is_some_and(|(now, before)| now.passes_for(before));
        if is_taken_for_another {
            let on_disk = repo.on_disk(path.as_bstr());
            make_later(&on_disk);
            let stat = rustix::fs::lstat(&on_disk).ok();
            seen.stat = stat.map(|stat| index_stat(&stat)).or(seen.stat);
        }
    }
    Ok(())
}

/// A second later; where that is not possible the tools see what they see.
fn make_later(path: &Path) {
    const SECOND: Duration = Duration::from_secs(1);
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    if let (true, Ok(time)) = (metadata.is_file(), metadata.modified()) {
        drop(File::open(path).and_then(|file| file.set_modified(time + SECOND)));
    }
}

/// Gives a file that is about to take another's place a later time, if it looks like that one.
pub(super) fn set_apart(coming: &Path, going: &Path) {
    let looks = |path: &Path| {
        let stat = rustix::fs::lstat(path).ok()?;
        let stat = index_stat(&stat);
        Some((stat.size, stat.mtime.secs))
    };
    if let (Some(new), Some(old)) = (looks(coming), looks(going))
        && new == old
    {
        make_later(coming);
    }
}

/// Takes note of what a run has seen.
pub(crate) fn note(repo: &Repo, snapshot: &Snapshot) {
    /// Beyond this many files the oldest news are dropped with the rest.
    const MOST: usize = 10_000;
    let mut known = read(repo);
    let witness = &snapshot.witness;
    for (path, seen) in witness.tracked.iter().chain(&witness.untracked) {
        match Looks::of(seen) {
            Some(looks) => known.insert(path.clone(), looks),
            None => known.remove(path),
        };
    }
    if known.len() > MOST {
        known.clear();
    }
    let mut text = Vec::new();
    for (path, looks) in &known {
        let line = format!("{} {} {} ", looks.size, looks.second, looks.content);
        text.extend_from_slice(line.as_bytes());
        text.extend_from_slice(path);
        text.push(0);
    }
    // It is only a help for tools.
    drop(std::fs::write(place(repo), text));
}

fn place(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("tested-times")
}

fn read(repo: &Repo) -> BTreeMap<BString, Looks> {
    let text = std::fs::read(place(repo)).unwrap_or_default();
    let lines = text.split(|byte| *byte == 0);
    lines.filter_map(parse).collect()
}

fn parse(line: &[u8]) -> Option<(BString, Looks)> {
    let mut parts = line.splitn(4, |byte| *byte == b' ');
    let mut number = || parts.next()?.to_str().ok()?.parse().ok();
    let (size, second) = (number()?, number()?);
    let content = ObjectId::from_hex(parts.next()?).ok()?;
    let looks = Looks {
        size,
        second,
        content,
    };
    Some((BString::from(parts.next()?), looks))
}
