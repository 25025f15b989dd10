//! Files that changed between two test runs and look to a tool as if they had not: they kept their size within
//! the same second (Python), or their second is one in which the last run was building (make, rebar3). They get
//! a later modification time.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Stat;

use super::repo::Repo;
use super::scan::index_stat;
use super::snapshot::{Seen, Snapshot};
use super::worktree_file::leaf_of;
use crate::clock;
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
        self.size == other.size && self.second == other.second
    }
}

/// The first and the last second of the run before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    first: u64,
    last: u64,
}

impl Span {
    /// From then until now.
    pub(crate) fn since(began: SystemTime) -> Span {
        Span {
            first: seconds(began),
            last: seconds(clock::now()),
        }
    }

    /// Whether what was built then may seem as new as a file of this second.
    fn has(self, second: u32) -> bool {
        (self.first..=self.last).contains(&second.into())
    }
}

/// What is known of the run before.
#[derive(Default)]
struct Known {
    files: BTreeMap<BString, Looks>,
    span: Option<Span>,
}

/// Gives files a later time that look as the last run saw them and have another content.
pub(crate) fn set(repo: &Repo, snapshot: &mut Snapshot) -> Result<()> {
    let known = read(repo);
    let index = repo.index()?;
    let before = |path: &BStr| {
        known.files.get(path).copied().or_else(|| {
            let entry = index.entry_by_path(path)?;
            Looks::new(entry.stat, leaf_of(entry)?.id)
        })
    };
    let witness = &mut snapshot.witness;
    for (path, seen) in witness.tracked.iter_mut().chain(&mut witness.untracked) {
        let looks = Looks::of(seen).zip(before(path.as_bstr()));
        let changed = looks.filter(|(now, before)| now.content != before.content);
        let Some((now, before)) = changed else {
            continue;
        };
        let span = known.span.filter(|span| span.has(now.second));
        if span.is_some() || now.passes_for(before) {
            let on_disk = repo.on_disk(path.as_bstr());
            make_later(&on_disk, span, before.second);
            let stat = rustix::fs::lstat(&on_disk).ok();
            seen.stat = stat.map(|stat| index_stat(&stat)).or(seen.stat);
        }
    }
    Ok(())
}

/// A second later, after the run before, and another second than it had then; where that is not possible the
/// tools see what they see.
fn make_later(path: &Path, span: Option<Span>, before: u32) {
    const SECOND: Duration = Duration::from_secs(1);
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    let (true, Ok(time)) = (metadata.is_file(), metadata.modified()) else {
        return;
    };
    let after_run = span.map(|span| UNIX_EPOCH + Duration::from_secs(span.last + 1));
    let mut later = after_run.into_iter().fold(time + SECOND, SystemTime::max);
    if seconds(later) == u64::from(before) {
        later += SECOND;
    }
    drop(File::open(path).and_then(|file| file.set_modified(later)));
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
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
        make_later(coming, None, new.1);
    }
}

/// Takes note of what a run has seen, and when it was going.
pub(crate) fn note(repo: &Repo, snapshot: &Snapshot, span: Span) {
    /// Beyond this many files the oldest news are dropped with the rest.
    const MOST: usize = 10_000;
    let mut known = read(repo).files;
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
    let mut text = format!("{} {}\0", span.first, span.last).into_bytes();
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

fn read(repo: &Repo) -> Known {
    let text = std::fs::read(place(repo)).unwrap_or_default();
    let mut lines = text.split(|byte| *byte == 0);
    Known {
        span: lines.next().and_then(parse_span),
        files: lines.filter_map(parse).collect(),
    }
}

fn parse_span(line: &[u8]) -> Option<Span> {
    let (first, last) = line.to_str().ok()?.split_once(' ')?;
    Some(Span {
        first: first.parse().ok()?,
        last: last.parse().ok()?,
    })
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
