//! What may stand in the way of a WIP branch.

use std::path::PathBuf;

use gix::bstr::ByteSlice;

use crate::branch::place::Place;
use crate::error::{Error, Result};
use crate::git::refs::{self, Pointer};
use crate::git::repo::Repo;

/// Neither the base nor its WIP branch may be checked out in another worktree.
pub(crate) fn checked_out_elsewhere(repo: &Repo, place: &Place) -> Result<()> {
    let base = format!("refs/heads/{}", place.base);
    in_use(repo, &base, place.on_wip)?;
    wip_checked_out_elsewhere(repo, place)
}

/// The WIP branch can't move while another worktree has it checked out.
pub(crate) fn wip_checked_out_elsewhere(repo: &Repo, place: &Place) -> Result<()> {
    in_use(repo, &place.wip.as_bstr().to_str_lossy(), false)
}

fn in_use(repo: &Repo, branch: &str, work_is_here: bool) -> Result<()> {
    let mut others = other_heads(repo).into_iter();
    match others.find(|(_, checked_out)| checked_out == branch) {
        Some((worktree, _)) => Err(Error::ElsewhereCheckedOut {
            branch: branch.trim_start_matches("refs/heads/").to_owned(),
            place: worktree,
            work_is_here,
        }),
        None => Ok(()),
    }
}

/// What the other worktrees have checked out.
fn other_heads(repo: &Repo) -> Vec<(PathBuf, String)> {
    let mut places = Vec::new();
    // A bare repository has a HEAD, and nothing checked out.
    if repo.git_dir() != repo.common_dir()
        && let Ok(main) = repo.gix.main_repo()
        && let Some(root) = main.workdir()
    {
        let root = gix::path::realpath(root).unwrap_or_else(|_| root.to_owned());
        places.push((repo.common_dir().to_owned(), root));
    }
    if let Ok(linked) = std::fs::read_dir(repo.common_dir().join("worktrees")) {
        for item in linked.flatten().map(|item| item.path()) {
            let root = std::fs::read_to_string(item.join("gitdir")).unwrap_or_default();
            let root = PathBuf::from(root.trim());
            places.push((item, root.parent().map_or(root.clone(), ToOwned::to_owned)));
        }
    }
    let own = repo.git_dir().canonicalize().ok();
    let others = places
        .into_iter()
        .filter(|(git_dir, _)| git_dir.canonicalize().ok() != own);
    others
        .filter_map(|(git_dir, root)| {
            let head = std::fs::read_to_string(git_dir.join("HEAD")).ok()?;
            Some((root, head.trim().strip_prefix("ref: ")?.to_owned()))
        })
        .collect()
}

/// Some branches can't be worked on: their names are kept as text, and a squash moves them.
pub(crate) fn unusable_base(repo: &Repo, place: &Place) -> Result<()> {
    let Ok(base) = place.base.to_str() else {
        return Err(Error::NameIsNoText(place.base.to_string()));
    };
    match refs::current(repo, &format!("refs/heads/{base}"))? {
        Some(Pointer::Ref(name)) => Err(Error::AnotherName {
            branch: base.to_owned(),
            of: name,
        }),
        Some(Pointer::Object(_)) | None => Ok(()),
    }
}

/// A branch in the way of `tcr/<base>` is found now, not in the middle of the work.
pub(crate) fn name_taken(repo: &Repo, place: &Place) -> Result<()> {
    let wip = place.wip.as_bstr();
    let blocked = |obstacle: String| {
        Err(Error::WipBlocked {
            wip: refs::short(&place.wip).to_string(),
            obstacle,
        })
    };
    // `tcr`, `tcr/feat`: a branch where a folder has to be.
    for position in wip.find_iter("/").skip(2) {
        let prefix = wip[..position].to_str_lossy();
        if refs::read(repo, &prefix)?.is_some() {
            return blocked(prefix.into_owned());
        }
    }
    let folder = format!("{}/", wip.to_str_lossy());
    let below = repo.gix.references().and_then(|all| {
        Ok(all
            .prefixed(folder.as_str())?
            .flatten()
            .next()
            .map(|found| found.name().as_bstr().to_owned()))
    });
    if let Ok(Some(found)) = below {
        return blocked(found.to_string());
    }
    let ours = place
        .loaded
        .as_ref()
        .is_some_and(|loaded| loaded.state.wip.is_some());
    if !ours && place.wip_tip(repo)?.is_some() {
        return blocked(wip.to_string());
    }
    Ok(())
}
