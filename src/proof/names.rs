//! The tests that cycles waited for, by their names in the final tree.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::BStr;

use crate::branch::wip_commits::Entry;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::languages::StubRules;
use crate::rules::PathClass;
use crate::step::moves::Moves;
use crate::step::parts::Parts;

/// Follows the tests of each cycle through moves and renames of later commits.
pub(crate) fn followed(
    repo: &Repo,
    class: &dyn Fn(&BStr) -> PathClass,
    entries: &[Entry],
    mut asked: BTreeMap<u64, BTreeSet<String>>,
    is_there: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<u64, BTreeSet<String>>> {
    let is_missing = |asked: &BTreeMap<u64, BTreeSet<String>>| {
        asked.values().flatten().any(|test| !is_there(test))
    };
    if !is_missing(&asked) {
        return Ok(asked);
    }
    for entry in entries {
        let Some(parent) = entry.parents.first() else {
            continue;
        };
        let moves = moves(repo, class, repo.tree_of(*parent)?, entry.tree)?;
        for tests in asked.values_mut() {
            let renamed = tests.iter().map(|test| match is_there(test) {
                true => test.clone(),
                false => moves.renamed(test).unwrap_or_else(|| test.clone()),
            });
            *tests = renamed.collect();
        }
    }
    Ok(asked)
}

fn moves(
    repo: &Repo,
    class: &dyn Fn(&BStr) -> PathClass,
    from: ObjectId,
    to: ObjectId,
) -> Result<Moves> {
    let changes = trees::diff(repo, from, to)?;
    let parts = Parts::of(repo, &changes, class, StubRules::default())?;
    Ok(Moves::of(&parts))
}
