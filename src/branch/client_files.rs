//! Clients' settings that hold our entries: those entries are no change of the project's.

use gix::bstr::ByteSlice;

use crate::branch::classes::Classes;
use crate::clients::{places, settings};
use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::{self, Change, Leaf};
use crate::rules::Protection;

/// A snapshot that does not tell of files in which nothing but our own entries differs: they are
/// the person's installation, and no commit is to carry them to others.
pub(crate) fn without_own_entries(
    repo: &Repo,
    classes: &Classes,
    mut snapshot: Snapshot,
) -> Result<Snapshot> {
    let mut ours = Vec::new();
    for change in &snapshot.changes {
        let is_client_file = classes.protection(&change.path) == Some(Protection::ClientFile);
        if is_client_file && is_only_ours(repo, change)? {
            ours.push(change.inverse());
        }
    }
    if ours.is_empty() {
        return Ok(snapshot);
    }
    snapshot.tree = trees::with_changes(repo, snapshot.tree, ours.iter())?;
    let is_ours = |change: &Change| ours.iter().any(|own| own.path == change.path);
    snapshot.changes.retain(|change| !is_ours(change));
    Ok(snapshot)
}

fn is_only_ours(repo: &Repo, change: &Change) -> Result<bool> {
    let Some(client) = places::client_of(&change.path.to_str_lossy()) else {
        return Ok(false);
    };
    let text = |leaf: Option<Leaf>| -> Result<Option<String>> {
        let bytes = leaf.map(|leaf| trees::content(repo, leaf)).transpose()?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    };
    let (before, after) = (text(change.before)?, text(change.after)?);
    Ok(settings::differ_only_by_ours(
        client,
        before.as_deref(),
        after.as_deref(),
    ))
}
