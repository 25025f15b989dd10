//! One file of the worktree as git would store it.

use std::path::Path;

use gix::bstr::BStr;

use super::repo::Repo;
use super::trees::Leaf;
use crate::error::{Doing, Error, Result};

/// The user's filters and line ends, ready to be applied.
pub(crate) fn pipeline<'a>(
    repo: &'a Repo,
    index: &gix::index::State,
) -> Result<gix::filter::Pipeline<'a>> {
    let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
    let stack = repo
        .gix
        .attributes_only(index, source)
        .doing("read the attributes")?
        .detach();
    gix::filter::Pipeline::new(&repo.gix, stack).doing("set up the filters")
}

/// What is at a path. Folders count as nothing: their files are looked at on their own. So do
/// pipes and the like, which git can't store.
pub(crate) fn read(
    pipeline: &mut gix::filter::Pipeline<'_>,
    index: &gix::index::State,
    path: &BStr,
    on_disk: &Path,
) -> Result<Option<Leaf>> {
    match on_disk.symlink_metadata() {
        Ok(metadata) if metadata.is_file() || metadata.is_symlink() => {}
        _ => return Ok(None),
    }
    match pipeline.worktree_file_to_object(path, index) {
        Ok(found) => Ok(found.map(|(id, kind, _)| Leaf { kind, id })),
        Err(source) => Err(Error::Content {
            doing: "read",
            path: path.to_string(),
            source: source.into(),
        }),
    }
}
