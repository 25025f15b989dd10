//! The refs git tcr keeps: their names, and where they point.

use gix::bstr::{BStr, BString};
use gix::refs::{FullName, Target};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};
use serde::{Deserialize, Serialize};

use super::repo::Repo;
use crate::error::{Doing, Error, Result};

/// The accepted config.
pub(crate) const CONFIG: &str = "refs/tcr/config";
/// The sealed config of before an uninstall, where nothing obeys it; in none of the folders that have
/// a folder for each branch.
pub(crate) const RETIRED_CONFIG: &str = "refs/tcr/retired/config";
/// Summaries, on commits.
pub(crate) const NOTES: &str = "refs/notes/tcr";
/// Test results, on trees.
pub(crate) const RESULTS: &str = "refs/notes/tcr-results";

const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// A name as one component of a ref.
pub(crate) fn component(name: &BStr) -> String {
    percent_encode(name, KEPT).to_string()
}

/// The name that a component stands for.
pub(crate) fn name_of_component(component: &BStr) -> BString {
    percent_decode(component).collect::<Vec<u8>>().into()
}

/// The short name of a branch, e.g. `feat/login`.
pub(crate) fn short(branch: &FullName) -> BString {
    let name = branch.as_bstr();
    name.strip_prefix(b"refs/heads/").unwrap_or(name).into()
}

/// `refs/tcr/state/<base>`
pub(crate) fn state(base: &BStr) -> String {
    format!("refs/tcr/state/{}", component(base))
}

/// `refs/tcr/reverts/<base>/<n>`
pub(crate) fn revert(base: &BStr, number: u64) -> String {
    format!("refs/tcr/reverts/{}/{number}", component(base))
}

/// `refs/tcr/oracle/<base>`
pub(crate) fn oracle(base: &BStr) -> String {
    format!("refs/tcr/oracle/{}", component(base))
}

/// `refs/tcr/archive/<base>/oracle-<n>`
pub(crate) fn archived_oracle(base: &BStr, number: u64) -> String {
    format!("refs/tcr/archive/{}/oracle-{number}", component(base))
}

/// `refs/tcr/evidence/<base>/<n>`
pub(crate) fn evidence(base: &BStr, number: u64) -> String {
    format!("refs/tcr/evidence/{}/{number}", component(base))
}

/// `refs/tcr/archive/<base>/<n>`
pub(crate) fn archive(base: &BStr, number: u64) -> String {
    format!("refs/tcr/archive/{}/{number}", component(base))
}

/// A ref of a branch whose name ends with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbered {
    pub(crate) number: u64,
    pub(crate) commit: gix::ObjectId,
}

/// The refs `refs/tcr/<kind>/<base>/<n>`, the highest number first.
pub(crate) fn numbered(repo: &Repo, kind: &str, base: &BStr) -> Result<Vec<Numbered>> {
    let prefix = format!("refs/tcr/{kind}/{}/", component(base));
    let number = |name: &str| name.strip_prefix(&prefix)?.parse().ok();
    let mut found: Vec<Numbered> = below(repo, &prefix)?
        .into_iter()
        .filter_map(|(name, commit)| {
            let number = number(&name)?;
            Some(Numbered { number, commit })
        })
        .collect();
    found.sort_by_key(|entry| std::cmp::Reverse(entry.number));
    Ok(found)
}

/// The id of this clone, by which others tell its refs from theirs.
pub(crate) const CLONE: &str = "refs/tcr/clone";

/// The refs below a folder: their names and what they point at, sorted by name.
pub(crate) fn below(repo: &Repo, folder: &str) -> Result<Vec<(String, gix::ObjectId)>> {
    let platform = repo.gix.references().doing("list the references")?;
    let mut found = Vec::new();
    for reference in platform.prefixed(folder).doing("list the references")? {
        let Ok(reference) = reference else {
            // One that can't be read is as good as none; those who need it will say so.
            continue;
        };
        if let Some(id) = reference.target().try_id() {
            found.push((reference.name().as_bstr().to_string(), id.to_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// `refs/tcr/pending/<worktree>`
pub(crate) fn pending(repo: &Repo) -> String {
    format!("refs/tcr/pending/{}", repo.worktree_id())
}

/// `refs/tcr/work/<worktree>`
pub(crate) fn work(repo: &Repo) -> String {
    format!("refs/tcr/work/{}", repo.worktree_id())
}

/// `refs/heads/tcr/<base>`
pub(crate) fn wip(base: &BStr) -> Result<FullName> {
    full_name(format!("refs/heads/tcr/{base}").as_str())
}

/// A checked ref name.
pub(crate) fn full_name(name: &str) -> Result<FullName> {
    FullName::try_from(name).doing("form a reference name")
}

/// The object a ref points at, if it exists.
pub(crate) fn read(repo: &Repo, name: &str) -> Result<Option<gix::ObjectId>> {
    match find(repo, name)? {
        Some(reference) => Ok(reference.target().try_id().map(ToOwned::to_owned)),
        None => Ok(None),
    }
}

/// One of ours that can't be read is named, so that it can be put right.
fn find<'r>(repo: &'r Repo, name: &str) -> Result<Option<gix::Reference<'r>>> {
    let found = repo.gix.try_find_reference(name);
    match is_ours(name) {
        true => found.map_err(|error| Error::corrupt(name, error)),
        false => found.doing("read a reference"),
    }
}

/// Whether a ref is kept by git tcr alone.
pub(crate) fn is_ours(name: &str) -> bool {
    let folders = ["refs/tcr/", "refs/heads/tcr/"];
    folders.iter().any(|folder| name.starts_with(folder)) || name == NOTES || name == RESULTS
}

/// Where a ref points, or is meant to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pointer {
    /// At an object.
    Object(String),
    /// At another ref, as HEAD does.
    Ref(String),
}

impl Pointer {
    pub(crate) fn object(id: gix::ObjectId) -> Self {
        Pointer::Object(id.to_string())
    }

    pub(super) fn target(&self) -> Result<Target> {
        match self {
            Pointer::Object(hex) => {
                let id = gix::ObjectId::from_hex(hex.as_bytes()).doing("read an object id")?;
                Ok(Target::Object(id))
            }
            Pointer::Ref(name) => Ok(Target::Symbolic(full_name(name)?)),
        }
    }
}

/// One ref that moves; `None` means that it does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Move {
    /// The full name.
    pub(crate) name: String,
    /// Where it must be before.
    pub(crate) old: Option<Pointer>,
    /// Where it is after.
    pub(crate) new: Option<Pointer>,
}

impl Move {
    /// Whether it changes anything; otherwise the ref only has to stay where it is.
    pub(crate) fn is_effective(&self) -> bool {
        self.old != self.new
    }

    /// The object that the ref is going to point at.
    pub(crate) fn target(&self) -> Option<gix::ObjectId> {
        match &self.new {
            Some(Pointer::Object(hex)) => gix::ObjectId::from_hex(hex.as_bytes()).ok(),
            Some(Pointer::Ref(_)) | None => None,
        }
    }
}

/// Where a ref points now.
pub(crate) fn current(repo: &Repo, name: &str) -> Result<Option<Pointer>> {
    let found = find(repo, name)?;
    Ok(found.map(|reference| match reference.inner.target {
        Target::Object(id) => Pointer::object(id),
        Target::Symbolic(name) => Pointer::Ref(name.to_string()),
    }))
}
