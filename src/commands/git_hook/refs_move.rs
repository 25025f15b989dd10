//! `reference-transaction`: nobody but git tcr moves its refs, and the WIP branch only goes forward.

use gix::bstr::BStr;

use crate::branch::stand_aside::contains;
use crate::error::{Doing, Result};
use crate::git::refs::{self, Pointer};
use crate::git::repo::Repo;
use crate::message::hooks;
use crate::rules::ref_gate::{RefDecision, RefFacts, RefUpdate, concerns_us, decide_ref};

/// Refuses the transaction if one of its lines does what only git tcr may do.
pub(super) fn check(repo: &Repo, input: &str) -> Result<()> {
    if refs::read(repo, refs::CONFIG)?.is_none() {
        return Ok(());
    }
    for update in input.lines().filter_map(parse) {
        if !concerns_us(&update.name) {
            continue;
        }
        let facts = facts(repo, &update)?;
        if let RefDecision::Deny(denial) = decide_ref(&update, &facts) {
            return Err(hooks::ref_refused(&update.name, denial));
        }
    }
    Ok(())
}

/// `<old> <new> <name>`; what git says of the old value is often nothing.
fn parse(line: &str) -> Option<RefUpdate> {
    let mut words = line.splitn(3, ' ');
    let (_, new, name) = (words.next()?, words.next()?, words.next()?);
    Some(RefUpdate {
        name: name.to_owned(),
        new: (!is_zero(new)).then(|| new.to_owned()),
    })
}

pub(super) fn is_zero(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

fn facts(repo: &Repo, update: &RefUpdate) -> Result<RefFacts> {
    let current = refs::current(repo, &update.name)?.map(|pointer| match pointer {
        Pointer::Object(hex) => hex,
        Pointer::Ref(name) => format!("ref:{name}"),
    });
    let is_packing = update.new.is_none() && is_packed(repo, &update.name, current.as_deref())?;
    let is_wip = is_wip(repo, &update.name);
    let moves_forward = match (is_wip, &current, &update.new) {
        (true, Some(current), Some(new)) => is_ahead(repo, new, current),
        _ => false,
    };
    Ok(RefFacts {
        current,
        is_packing,
        moves_forward,
        is_wip,
    })
}

/// Packing takes the loose file away once the packed one says the same. Who deletes a ref holds the
/// lock of the packed ones meanwhile.
fn is_packed(repo: &Repo, name: &str, current: Option<&str>) -> Result<bool> {
    let reading = "read the packed references";
    if repo.common_dir().join("packed-refs.lock").exists() {
        return Ok(false);
    }
    let Some(packed) = repo.gix.refs.cached_packed_buffer().doing(reading)? else {
        return Ok(false);
    };
    let name = refs::full_name(name)?;
    let found = packed.try_find(name.as_ref()).doing(reading)?;
    Ok(found.is_some_and(|found| Some(found.target().to_string().as_str()) == current))
}

/// Whether a branch is one that TCR is at work on. One that can't be read may be.
pub(super) fn is_wip(repo: &Repo, name: &str) -> bool {
    let Some(base) = name.strip_prefix("refs/heads/tcr/") else {
        return false;
    };
    match crate::branch::load(repo, BStr::new(base)) {
        Ok(loaded) => loaded.is_some_and(|loaded| loaded.state.wip.as_deref() == Some(name)),
        Err(_) => true,
    }
}

fn is_ahead(repo: &Repo, new: &str, current: &str) -> bool {
    let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).ok();
    match (id(new), id(current)) {
        // What can't be read is not known to hold what is there.
        (Some(new), Some(current)) => contains(repo, new, current).unwrap_or(false),
        _ => false,
    }
}
