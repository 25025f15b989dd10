//! Three-way merges in the object store: nothing but objects is written.

use gix::bstr::ByteSlice;

use crate::error::{Doing, Result};
use crate::git::command::{git, git_answer};
use crate::git::repo::Repo;

/// What a merge comes to.
pub(super) enum Merged {
    Tree(gix::ObjectId),
    /// The paths that both sides changed.
    Conflicts(Vec<String>),
}

/// Merges two commits whose common past is `ancestor`.
pub(super) fn merge(
    repo: &Repo,
    ancestor: gix::ObjectId,
    ours: gix::ObjectId,
    theirs: gix::ObjectId,
) -> Result<Merged> {
    let base = format!("--merge-base={ancestor}");
    let (ours, theirs) = (ours.to_string(), theirs.to_string());
    let args = [
        "merge-tree",
        "--write-tree",
        "-z",
        "--name-only",
        "--no-messages",
        &base,
        &ours,
        &theirs,
    ];
    let mut ended = git_answer(repo.root(), &args)?;
    if !ended.success && ended.stdout.is_empty() {
        // Not a conflict but a failure: then its words count.
        ended.stdout = git(repo.root(), &args, b"")?;
    }
    let mut fields = ended.stdout.split(|byte| *byte == 0);
    let tree = fields.next().unwrap_or_default();
    if ended.success {
        let tree = gix::ObjectId::from_hex(tree.trim()).doing("read an object id")?;
        return Ok(Merged::Tree(tree));
    }
    let mut paths: Vec<String> = fields
        .filter(|path| !path.is_empty())
        .map(|path| path.to_str_lossy().into_owned())
        .collect();
    paths.sort();
    paths.dedup();
    Ok(Merged::Conflicts(paths))
}
