//! State and events of a branch, as an append-only chain of commits under `refs/tcr/state/`.

pub(crate) mod cycle;
pub(crate) mod event;
pub(crate) mod history;
pub(crate) mod lock;
pub(crate) mod mend;
pub(crate) mod outputs;
pub(crate) mod place;
mod results;
pub(crate) mod sealed;
pub(crate) mod state;
pub(crate) mod summary;
pub(crate) mod transaction;

use gix::bstr::BStr;
use gix::objs::tree::EntryKind;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::git::known_tips::{self, Standing};
use crate::git::objects;
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use event::Event;
use state::State;

const STATE_FILE: &str = "state.json";
/// Keeps a tree that no branch has reachable.
const ACCEPTED_FOLDER: &str = "accepted";

/// A state and the link of the chain it was read from.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) tip: gix::ObjectId,
    pub(crate) state: State,
}

/// Reads the state of a branch.
pub(crate) fn load(repo: &Repo, base: &BStr) -> Result<Option<Loaded>> {
    let name = refs::state(base);
    let mut tip = refs::read(repo, &name)?;
    // Somebody else may have moved it, past every hook.
    if known_tips::standing(repo, &name, tip) != Standing::Sound
        && known_tips::put_back(repo, &name)?
    {
        tip = refs::read(repo, &name)?;
    }
    let Some(tip) = tip else {
        return Ok(None);
    };
    let state = read(repo, tip, &name)?;
    Ok(Some(Loaded { tip, state }))
}

/// Reads the state that one link of a chain has.
pub(crate) fn read(repo: &Repo, link: gix::ObjectId, name: &str) -> Result<State> {
    let json = objects::file_in_commit(repo, link, STATE_FILE)
        .map_err(|error| Error::corrupt(name, error))?
        .ok_or_else(|| Error::corrupt(name, format!("`{STATE_FILE}` is missing")))?;
    parse(&json, name)
}

fn parse(json: &[u8], name: &str) -> Result<State> {
    match serde_json::from_slice::<State>(json) {
        Ok(state) if state.version == state::VERSION => Ok(state),
        parsed => {
            // A newer version may have another shape: say that first.
            let value: Value = serde_json::from_slice(json).unwrap_or_default();
            let found = value.get("version").and_then(Value::as_u64).unwrap_or(0);
            if found > state::VERSION {
                return Err(Error::Newer {
                    what: name.into(),
                    found,
                    known: state::VERSION,
                });
            }
            let why = match parsed {
                Err(error) => error.to_string(),
                Ok(_) => format!("version {found} is unknown"),
            };
            Err(Error::corrupt(name, why))
        }
    }
}

/// What a link keeps beside the state and its events.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Beside {
    /// A tree that no branch has.
    pub(crate) uncommitted: Option<gix::ObjectId>,
    /// What the last test runs printed.
    pub(crate) outputs: Option<gix::ObjectId>,
}

/// Writes a new link of the chain and returns the move of its ref.
pub(crate) fn append(
    repo: &Repo,
    before: Option<gix::ObjectId>,
    state: &State,
    events: &[Event],
    beside: Beside,
) -> Result<Move> {
    let json = serde_json::to_vec(state).map_err(|_| Error::internal("the state is not JSON"))?;
    let blob = objects::blob(repo, &json)?;
    let mut entries = vec![(STATE_FILE, EntryKind::Blob, blob)];
    // Where results are accepted without a commit, nothing else keeps the tree from being pruned.
    if let Some(tree) = beside.uncommitted {
        entries.push((ACCEPTED_FOLDER, EntryKind::Tree, tree));
    }
    if let Some(tree) = beside.outputs {
        entries.push((outputs::FOLDER, EntryKind::Tree, tree));
    }
    let tree = objects::tree(repo, &entries)?;
    let parents: Vec<_> = before.into_iter().collect();
    let commit = objects::commit(repo, tree, &parents, &message_of(events)?)?;
    Ok(Move {
        name: refs::state(BStr::new(&state.base)),
        old: before.map(Pointer::object),
        new: Some(Pointer::object(commit)),
    })
}

fn message_of(events: &[Event]) -> Result<String> {
    let headline = match events.last() {
        Some(event) => {
            let label = event
                .label
                .as_deref()
                .map(|label| format!(" {label}"))
                .unwrap_or_default();
            format!(
                "{}{label}: {}, cycle {}",
                event.event.name(),
                event.phase,
                event.cycle
            )
        }
        None => "state".to_owned(),
    };
    let mut message = format!("{headline}\n");
    for event in events {
        let json =
            serde_json::to_string(event).map_err(|_| Error::internal("an event is not JSON"))?;
        message.push('\n');
        message.push_str(&json);
    }
    message.push('\n');
    Ok(message)
}
