//! A state that can't be read is no dead end: installing again goes on from the newest link of the
//! chain that can be, or begins anew.

use gix::bstr::{BStr, BString, ByteSlice};

use super::state::State;
use super::{Beside, Detail, append, load, parse};
use crate::clock;
use crate::error::{Error, Result};
use crate::git::objects;
use crate::git::ref_writer;
use crate::git::refs::{self, Pointer};
use crate::git::repo::{Head, Repo};

/// Puts a readable link on top of a chain whose tip can't be read. Returns what was wrong with it.
pub(crate) fn mend(repo: &Repo) -> Result<Option<String>> {
    let head = repo.head()?;
    let short = refs::short(&head.branch);
    let wip_of = short.strip_prefix(b"tcr/").map(BString::from);
    for base in wip_of.into_iter().chain([short]) {
        match load(repo, base.as_bstr()) {
            Ok(_) => {}
            Err(Error::Corrupt { why, .. }) => {
                return replace(repo, base.as_bstr(), &head).map(|()| Some(why));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

fn replace(repo: &Repo, base: &BStr, head: &Head) -> Result<()> {
    let name = refs::state(base);
    let tip = refs::read(repo, &name)?;
    let mut state = match newest_readable(repo, &name, tip) {
        Some(state) => state,
        None => fresh(repo, base, head)?,
    };
    // It may be older than the WIP branch that HEAD is on.
    if refs::short(&head.branch) != base && state.wip.is_none() {
        state.wip = Some(head.branch.as_bstr().to_string());
        state.wip_tip = Some(head.commit.to_string());
    }
    // A tip that is missing altogether can't be built upon.
    let before = tip.filter(|tip| repo.gix.has_object(tip));
    let mut link = append(repo, before, &state, &[], Beside::default())?;
    link.old = tip.map(Pointer::object);
    ref_writer::apply(repo, &[link], "git tcr install")
}

fn newest_readable(repo: &Repo, name: &str, tip: Option<gix::ObjectId>) -> Option<State> {
    let mut next = tip;
    while let Some(id) = next {
        if let Ok(Some(json)) = objects::file_in_commit(repo, id, super::STATE_FILE)
            && let Ok(state) = parse(&json, name, Detail::Everything)
        {
            return Some(state);
        }
        let commit = repo.gix.find_commit(id).ok()?;
        next = commit.parent_ids().next().map(|id| id.detach());
    }
    None
}

/// A state that is not active yet: becoming active records what is there.
fn fresh(repo: &Repo, base: &BStr, head: &Head) -> Result<State> {
    let base_tip = refs::read(repo, &format!("refs/heads/{base}"))?.unwrap_or(head.commit);
    let tree = repo.tree_of(head.commit)?.to_string();
    let mut state = State::new(
        base.to_string(),
        base_tip.to_string(),
        tree,
        clock::timestamp(),
    );
    state.enabled = false;
    Ok(state)
}
