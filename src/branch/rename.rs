//! A base branch that was renamed with `git branch -m` keeps its state.

use gix::bstr::{BString, ByteSlice};

use crate::branch::place::{self, Place};
use crate::branch::transaction::{self, Transaction};
use crate::branch::{Loaded, outputs};
use crate::error::{Doing, Error, Result};
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;

/// Follows the base branch to its new name, if it has one.
pub(crate) fn adopt(repo: &Repo, place: Place) -> Result<Place> {
    let Some(loaded) = &place.loaded else {
        return Ok(place);
    };
    let known = BString::from(loaded.state.base.as_str());
    let new_name = if place.on_wip {
        if refs::read(repo, &format!("refs/heads/{known}"))?.is_some() {
            return Ok(place);
        }
        renamed_to(repo, &known)?
    } else {
        (place.base != known).then(|| place.base.clone())
    };
    match new_name {
        // Somebody else's names are not taken over: the work goes on under the old ones.
        Some(new) if is_free(repo, loaded, &new)? => {
            move_state(repo, &place, loaded, &known, &new)?;
            place::locate(repo)
        }
        Some(new) if !place.on_wip => Err(Error::WipBlocked {
            wip: format!("tcr/{new}"),
            obstacle: format!("refs/heads/tcr/{new}"),
        }),
        _ => Ok(place),
    }
}

/// Whether nothing stands where state and WIP branch would go.
fn is_free(repo: &Repo, loaded: &Loaded, new: &BString) -> Result<bool> {
    let wip = refs::wip(new.as_bstr())?;
    let wip_taken =
        loaded.state.wip.is_some() && refs::read(repo, &wip.as_bstr().to_str_lossy())?.is_some();
    Ok(!wip_taken && refs::read(repo, &refs::state(new.as_bstr()))?.is_none())
}

/// The branch whose reflog says that it had this name.
fn renamed_to(repo: &Repo, old: &BString) -> Result<Option<BString>> {
    let platform = repo.gix.references().doing("list the branches")?;
    for branch in platform
        .local_branches()
        .doing("list the branches")?
        .flatten()
    {
        let name = branch.name().to_owned();
        if place::former_names(repo, &name)?.contains(old) {
            return Ok(Some(refs::short(&name)));
        }
    }
    Ok(None)
}

fn move_state(
    repo: &Repo,
    place: &Place,
    loaded: &Loaded,
    old: &BString,
    new: &BString,
) -> Result<()> {
    let mut state = loaded.state.clone();
    state.base = new.to_string();
    let old_wip = state.wip.take();
    let mut moves = Vec::new();
    if let Some(old_wip) = old_wip
        && let Some(tip) = refs::current(repo, &old_wip)?
    {
        let new_wip = refs::wip(new.as_bstr())?
            .as_bstr()
            .to_str_lossy()
            .into_owned();
        moves.push(Move {
            name: new_wip.clone(),
            old: None,
            new: Some(tip.clone()),
        });
        if place.on_wip {
            moves.push(Move {
                name: "HEAD".into(),
                old: Some(Pointer::Ref(old_wip.clone())),
                new: Some(Pointer::Ref(new_wip.clone())),
            });
        }
        moves.push(Move {
            name: old_wip,
            old: Some(tip),
            new: None,
        });
        state.wip = Some(new_wip);
    }
    let beside = crate::branch::Beside {
        outputs: outputs::folder(repo, Some(loaded.tip), &[])?,
        ..crate::branch::Beside::default()
    };
    let link = crate::branch::append(repo, Some(loaded.tip), &state, &[], beside)?;
    moves.push(Move { old: None, ..link });
    moves.push(Move {
        name: refs::state(old.as_bstr()),
        old: Some(Pointer::object(loaded.tip)),
        new: None,
    });
    for kind in ["reverts", "evidence", "archive"] {
        moves.extend(numbered_moves(repo, kind, old, new)?);
    }
    moves.extend(oracle_moves(repo, old, new)?);
    let tree = repo.tree_of(place.head.commit)?;
    let log = format!("git tcr: base renamed from {old} to {new}");
    let transaction = Transaction {
        moves,
        log,
        ..Transaction::default()
    };
    transaction::carry_out(repo, tree, &transaction).map(drop)
}

fn oracle_moves(repo: &Repo, old: &BString, new: &BString) -> Result<Vec<Move>> {
    let (old, new) = (refs::oracle(old.as_bstr()), refs::oracle(new.as_bstr()));
    let Some(pointer) = refs::current(repo, &old)? else {
        return Ok(Vec::new());
    };
    Ok(vec![
        Move {
            name: new,
            old: None,
            new: Some(pointer.clone()),
        },
        Move {
            name: old,
            old: Some(pointer),
            new: None,
        },
    ])
}

fn numbered_moves(repo: &Repo, kind: &str, old: &BString, new: &BString) -> Result<Vec<Move>> {
    let prefix = format!("refs/tcr/{kind}/{}/", refs::component(old.as_bstr()));
    let target = format!("refs/tcr/{kind}/{}/", refs::component(new.as_bstr()));
    let platform = repo.gix.references().doing("list the references")?;
    let mut moves = Vec::new();
    for reference in platform
        .prefixed(prefix.as_str())
        .doing("list the references")?
        .flatten()
    {
        let name = reference.name().as_bstr().to_str_lossy().into_owned();
        let Some(pointer) = reference
            .target()
            .try_id()
            .map(|id| Pointer::object(id.to_owned()))
        else {
            continue;
        };
        let Some(number) = name.strip_prefix(&prefix) else {
            continue;
        };
        moves.push(Move {
            name: format!("{target}{number}"),
            old: None,
            new: Some(pointer.clone()),
        });
        moves.push(Move {
            name,
            old: Some(pointer),
            new: None,
        });
    }
    Ok(moves)
}
