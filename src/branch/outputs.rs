//! What the last test runs printed, kept beside the state in its chain.

use gix::bstr::BStr;
use gix::objs::tree::EntryKind;

use crate::error::Result;
use crate::git::objects;
use crate::git::repo::Repo;
use crate::git::trees;

/// Where they are in a link's tree; the newest is number 1.
pub(super) const FOLDER: &str = "output";
/// How many are kept.
pub(crate) const MOST: usize = 5;

/// The folder for the next link: what ran since then, the newest last, and what the link before
/// has.
pub(crate) fn folder(
    repo: &Repo,
    before: Option<gix::ObjectId>,
    printed: &[String],
) -> Result<Option<gix::ObjectId>> {
    let mut blobs = Vec::new();
    for text in printed.iter().rev().take(MOST) {
        blobs.push(objects::blob(repo, text.as_bytes())?);
    }
    if let Some(before) = before {
        let tree = repo.tree_of(before)?;
        for number in 1..=MOST.saturating_sub(blobs.len()) {
            let Some(leaf) = trees::lookup(repo, tree, BStr::new(&path_of(number)))? else {
                break;
            };
            blobs.push(leaf.id);
        }
    }
    if blobs.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = (1..=blobs.len()).map(|number| number.to_string()).collect();
    let entries: Vec<(&str, EntryKind, gix::ObjectId)> = names
        .iter()
        .zip(&blobs)
        .map(|(name, id)| (name.as_str(), EntryKind::Blob, *id))
        .collect();
    objects::tree(repo, &entries).map(Some)
}

/// What the run that many runs ago printed; 1 is the last one.
pub(crate) fn nth(repo: &Repo, link: gix::ObjectId, number: usize) -> Result<Option<Vec<u8>>> {
    let path = path_of(number);
    let leaf = trees::lookup(repo, repo.tree_of(link)?, BStr::new(&path))?;
    leaf.map(|leaf| trees::content(repo, leaf)).transpose()
}

fn path_of(number: usize) -> String {
    format!("{FOLDER}/{number}")
}
