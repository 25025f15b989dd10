//! `pre-push`: the WIP branch does not leave by accident, and our refs leave by `git tcr push`.

use super::refs_move::{is_wip, is_zero};
use super::short;
use crate::branch::place;
use crate::error::Result;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::message::hooks;
use crate::rules::ref_gate::is_own;

/// Refuses the push if one of its lines sends what should stay.
pub(super) fn check(repo: &Repo, input: &str) -> Result<()> {
    if refs::read(repo, refs::CONFIG)?.is_none() {
        return Ok(());
    }
    let here = wip_here(repo)?;
    for line in input.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [local, id, remote, _] = words.as_slice() else {
            continue;
        };
        // Taking away what had left is fine.
        if is_zero(id) {
            continue;
        }
        if let Some(own) = [local, remote].into_iter().find(|name| is_own(name)) {
            return Err(hooks::push_of_own(own));
        }
        if let Some(wip) = [local, remote].into_iter().find(|name| is_wip(repo, name)) {
            return Err(hooks::push_of_wip(short(wip)));
        }
        if let Some((branch, _)) = here.as_ref().filter(|(_, tip)| tip == id) {
            return Err(hooks::push_of_wip(short(branch)));
        }
    }
    Ok(())
}

/// The WIP branch that is checked out, and its tip: it may be sent as `HEAD` or by its id.
fn wip_here(repo: &Repo) -> Result<Option<(String, String)>> {
    let Ok(place) = place::locate(repo) else {
        return Ok(None);
    };
    let base = refs::read(repo, &format!("refs/heads/{}", place.base))?;
    let is_work = place.on_wip && base != Some(place.head.commit);
    Ok(is_work.then(|| (place.wip.to_string(), place.head.commit.to_string())))
}
