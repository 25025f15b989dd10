//! Where the work stands: which branch is the base, which the WIP branch, what HEAD is on.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::refs::FullName;

use super::{Detail, Loaded, load, load_in};
use crate::error::{Doing, Error, Result};
use crate::git::refs;
use crate::git::repo::{Head, Repo};

/// The branch at work.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) head: Head,
    /// The base branch, short.
    pub(crate) base: BString,
    /// The WIP branch, whether it exists or not.
    pub(crate) wip: FullName,
    /// Whether HEAD is on the WIP branch.
    pub(crate) on_wip: bool,
    /// The state, if TCR is active on the branch.
    pub(crate) loaded: Option<Loaded>,
}

/// Finds out where the work stands.
pub(crate) fn locate(repo: &Repo) -> Result<Place> {
    locate_in(repo, Detail::Everything)
}

/// Finds out where the work stands, with the state or some of it.
pub(crate) fn locate_in(repo: &Repo, detail: Detail) -> Result<Place> {
    let head = repo.head().map_err(|error| gone(repo, error))?;
    let short = refs::short(&head.branch);
    // A branch that merely looks like a WIP branch is an ordinary one.
    if let Some(base) = short.strip_prefix(b"tcr/").map(BStr::new)
        && let Some(loaded) = load_in(repo, base, detail)?
        && loaded.state.wip.as_deref() == Some(head.branch.as_bstr().to_str_lossy().as_ref())
    {
        return Ok(Place {
            base: base.to_owned(),
            wip: head.branch.clone(),
            head,
            on_wip: true,
            loaded: Some(loaded),
        });
    }
    let loaded = match load_in(repo, short.as_bstr(), detail)? {
        Some(loaded) => Some(loaded),
        None => renamed_from(repo, &head.branch)?,
    };
    Ok(Place {
        wip: refs::wip(short.as_bstr())?,
        base: short,
        head,
        on_wip: false,
        loaded,
    })
}

/// A WIP branch that was deleted while HEAD is on it is no new branch: the state knows its last commit.
fn gone(repo: &Repo, error: Error) -> Error {
    let Error::Unborn(branch) = &error else {
        return error;
    };
    let state = branch
        .strip_prefix("tcr/")
        .and_then(|base| load(repo, BStr::new(base)).ok()?)
        .map(|loaded| loaded.state)
        .filter(|state| state.wip.as_deref() == Some(&format!("refs/heads/{branch}")));
    match state.and_then(|state| state.wip_tip) {
        Some(tip) => Error::WipDeleted {
            branch: branch.to_owned(),
            tip,
        },
        None => error,
    }
}

impl Place {
    /// The state; an error that names the next command if there is none.
    pub(crate) fn require(&self) -> Result<&Loaded> {
        self.loaded
            .as_ref()
            .ok_or_else(|| Error::NotActive(self.base.to_string()))
    }

    /// The name that state and reverted work are kept under: of a branch that was just renamed it
    /// is still the old one.
    pub(crate) fn kept_under(&self) -> &BStr {
        match &self.loaded {
            Some(loaded) => BStr::new(&loaded.state.base),
            None => self.base.as_bstr(),
        }
    }

    /// Where the WIP branch is now.
    pub(crate) fn wip_tip(&self, repo: &Repo) -> Result<Option<gix::ObjectId>> {
        refs::read(repo, &self.wip.as_bstr().to_str_lossy())
    }
}

/// The state that the branch had under its earlier name.
fn renamed_from(repo: &Repo, branch: &FullName) -> Result<Option<Loaded>> {
    for old in former_names(repo, branch)? {
        // The branch of that name may exist again: then the state is its own.
        if refs::read(repo, &format!("refs/heads/{old}"))?.is_none()
            && let Some(loaded) = load(repo, old.as_bstr())?
        {
            return Ok(Some(loaded));
        }
    }
    Ok(None)
}

/// The names a branch had before: `git branch -m` says so in the reflog.
pub(crate) fn former_names(repo: &Repo, branch: &FullName) -> Result<Vec<BString>> {
    const LOOK_BACK: usize = 20;
    let reference = repo.gix.find_reference(branch).doing("read a reference")?;
    let mut log = reference.log_iter();
    let Some(lines) = log.rev().doing("read the reflog")? else {
        return Ok(Vec::new());
    };
    let arrow = format!(" to {}", branch.as_bstr());
    let names = lines.take(LOOK_BACK).flatten().filter_map(|line| {
        let message = line.message.to_str_lossy().into_owned();
        let rest = message.strip_prefix("Branch: renamed refs/heads/")?;
        Some(BString::from(rest.strip_suffix(&arrow)?))
    });
    Ok(names.collect())
}
