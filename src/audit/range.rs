//! The commits that an audit is about: as they are named, or those that are not in the main branch.

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::error::Result;
use crate::git::command::git;
use crate::git::repo::Repo;
use crate::message::refusals;

/// What a branch is held against where nobody says it, the best first.
const BASES: [&str; 6] = [
    "@{upstream}",
    "origin/HEAD",
    "origin/main",
    "origin/master",
    "main",
    "master",
];

/// From one tree to another, and the commits between.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) given: String,
    /// The commit it begins after; none before the first one.
    pub(super) base: Option<ObjectId>,
    pub(super) tip: ObjectId,
    pub(super) before: ObjectId,
    pub(super) tree: ObjectId,
    /// Oldest first.
    pub(super) commits: Vec<ObjectId>,
}

impl Span {
    /// The commits of a range, or those since the branch left the main one.
    pub(super) fn find(repo: &Repo, range: Option<&str>) -> Result<Span> {
        let (given, base, tip) = match range {
            Some(range) => ends(repo, range)?,
            None => by_default(repo)?,
        };
        let span = Span::between(repo, given, base, tip)?;
        match span.commits.is_empty() {
            true => Err(refusals::nothing_to_audit(&span.given)),
            false => Ok(span),
        }
    }

    /// Each commit by itself; a merge is held against its first parent.
    pub(super) fn each(&self, repo: &Repo) -> Result<Vec<Span>> {
        let mut spans = Vec::new();
        let mut base = self.base;
        for commit in &self.commits {
            let given = commit.to_string();
            spans.push(Span {
                commits: vec![*commit],
                ..Span::between(repo, given, base, *commit)?
            });
            base = Some(*commit);
        }
        Ok(spans)
    }

    fn between(repo: &Repo, given: String, base: Option<ObjectId>, tip: ObjectId) -> Result<Span> {
        let before = match base {
            Some(base) => repo.tree_of(base)?,
            None => ObjectId::empty_tree(repo.gix.object_hash()),
        };
        Ok(Span {
            before,
            tree: repo.tree_of(tip)?,
            commits: commits(repo, base, tip)?,
            given,
            base,
            tip,
        })
    }
}

/// The commit that is checked out.
pub(super) fn head(repo: &Repo) -> Result<ObjectId> {
    commit(repo, "HEAD")
}

/// The first line of a commit's message.
pub(super) fn subject(repo: &Repo, commit: ObjectId) -> Result<String> {
    let hex = commit.to_string();
    let shown = git(repo.root(), &["show", "-s", "--format=%s", &hex], b"")?;
    Ok(shown.to_str_lossy().trim().to_owned())
}

/// The first parents from the base to the tip, oldest first.
fn commits(repo: &Repo, base: Option<ObjectId>, tip: ObjectId) -> Result<Vec<ObjectId>> {
    let range = match base {
        Some(base) => format!("{base}..{tip}"),
        None => tip.to_string(),
    };
    let args = ["rev-list", "--reverse", "--first-parent", &range];
    let listed = git(repo.root(), &args, b"")?;
    Ok(ids(&listed))
}

fn ids(listed: &[u8]) -> Vec<ObjectId> {
    let lines = listed.lines();
    lines
        .filter_map(|line| ObjectId::from_hex(line.trim()).ok())
        .collect()
}

type Ends = (String, Option<ObjectId>, ObjectId);

fn ends(repo: &Repo, range: &str) -> Result<Ends> {
    let or_head = |name: &str| match name {
        "" => "HEAD".to_owned(),
        name => name.to_owned(),
    };
    let given = range.to_owned();
    if let Some(one) = range.strip_suffix("^!") {
        let tip = commit(repo, &or_head(one))?;
        return Ok((given, parent(repo, tip)?, tip));
    }
    let (from, to) = match range.split_once("...").or(range.split_once("..")) {
        Some((from, to)) => (or_head(from), or_head(to)),
        None => (range.to_owned(), "HEAD".to_owned()),
    };
    let (from_id, tip) = (commit(repo, &from)?, commit(repo, &to)?);
    match merge_base(repo, from_id, tip) {
        Some(base) => Ok((given, Some(base), tip)),
        // What they have in common was cut off, and the commit itself is here.
        None if is_shallow(repo)? => Ok((given, Some(from_id), tip)),
        None => Err(refusals::unrelated(&from, &to)),
    }
}

/// Since the branch left its upstream, or the main branch.
fn by_default(repo: &Repo) -> Result<Ends> {
    let tip = head(repo)?;
    for name in BASES {
        let Ok(base) = commit(repo, name) else {
            continue;
        };
        // A branch that was pushed has nothing that its upstream does not.
        if let Some(base) = merge_base(repo, base, tip).filter(|base| *base != tip) {
            return Ok((format!("{name}..HEAD"), Some(base), tip));
        }
    }
    Err(refusals::no_base_to_audit())
}

fn commit(repo: &Repo, name: &str) -> Result<ObjectId> {
    let wanted = format!("{name}^{{commit}}");
    let args = ["rev-parse", "--verify", "-q", "--end-of-options", &wanted];
    let found = git(repo.root(), &args, b"").map_err(|_| refusals::no_commit_to_audit(name))?;
    ids(&found)
        .first()
        .copied()
        .ok_or_else(|| refusals::no_commit_to_audit(name))
}

fn parent(repo: &Repo, tip: ObjectId) -> Result<Option<ObjectId>> {
    let listed = git(
        repo.root(),
        &["rev-list", "--parents", "-n1", &tip.to_string()],
        b"",
    )?;
    let line = listed.to_str_lossy();
    let first = line.split_whitespace().nth(1);
    match first.and_then(|id| ObjectId::from_hex(id.as_bytes()).ok()) {
        Some(parent) => Ok(Some(parent)),
        None if is_shallow(repo)? => Err(refusals::no_commit_to_audit(&format!("{tip}^"))),
        None => Ok(None),
    }
}

fn merge_base(repo: &Repo, one: ObjectId, other: ObjectId) -> Option<ObjectId> {
    let args = ["merge-base", &one.to_string(), &other.to_string()];
    let found = git(repo.root(), &args, b"").ok()?;
    ids(&found).first().copied()
}

fn is_shallow(repo: &Repo) -> Result<bool> {
    let told = git(repo.root(), &["rev-parse", "--is-shallow-repository"], b"")?;
    Ok(told.starts_with(b"true"))
}
