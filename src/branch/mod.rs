//! State and events of a branch, as an append-only chain of commits under `refs/tcr/state/`.

pub(crate) mod caller;
pub(crate) mod classes;
pub(crate) mod client_files;
pub(crate) mod cycle;
pub(crate) mod drift;
pub(crate) mod event;
pub(crate) mod history;
pub(crate) mod mend;
pub(crate) mod obstacles;
pub(crate) mod off;
pub(crate) mod outputs;
pub(crate) mod place;
pub(crate) mod recover;
pub(crate) mod rename;
pub(crate) mod repair;
mod results;
pub(crate) mod sealed;
pub(crate) mod session;
pub(crate) mod spool;
pub(crate) mod staged;
pub(crate) mod stand_aside;
pub(crate) mod state;
pub(crate) mod summary;
pub(crate) mod transaction;
pub(crate) mod wip_commits;

use std::collections::BTreeMap;

use gix::bstr::BStr;
use gix::objs::tree::EntryKind;
use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde_json::Value;
use serde_json::value::RawValue;

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

/// How much of a state is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Everything,
    /// All but what the tests said, which grows with the suite: for who answers each tool call.
    WithoutResults,
}

/// Reads the state of a branch.
pub(crate) fn load(repo: &Repo, base: &BStr) -> Result<Option<Loaded>> {
    load_in(repo, base, Detail::Everything)
}

/// Reads the state of a branch, or some of it.
pub(crate) fn load_in(repo: &Repo, base: &BStr, detail: Detail) -> Result<Option<Loaded>> {
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
    let state = parse(&json_of(repo, tip, &name)?, &name, detail)?;
    Ok(Some(Loaded { tip, state }))
}

/// Reads the state that one link of a chain has.
pub(crate) fn read(repo: &Repo, link: gix::ObjectId, name: &str) -> Result<State> {
    parse(&json_of(repo, link, name)?, name, Detail::Everything)
}

fn json_of(repo: &Repo, link: gix::ObjectId, name: &str) -> Result<Vec<u8>> {
    objects::file_in_commit(repo, link, STATE_FILE)
        .map_err(|error| Error::corrupt(name, error))?
        .ok_or_else(|| Error::corrupt(name, format!("`{STATE_FILE}` is missing")))
}

fn parse(json: &[u8], name: &str, detail: Detail) -> Result<State> {
    let parsed = match detail {
        Detail::Everything => serde_json::from_slice::<State>(json),
        Detail::WithoutResults => without_results(json),
    };
    match parsed {
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

/// Skips what the tests said instead of making values of it.
fn without_results(json: &[u8]) -> serde_json::Result<State> {
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_slice(json)?;
    fields.remove("test_results");
    fields.remove("accepted_results");
    State::deserialize(MapDeserializer::new(fields.into_iter()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_without_results_is_the_same_for_the_rest() {
        let mut state = State::new("main".into(), "fork".into(), "tree".into(), "now".into());
        state.awaited.insert("tests/test_a.py::test_a".to_owned());
        state.test_results = Some(state::TestResults::default());
        let mut json = serde_json::to_value(&state).expect("a state is JSON");
        json["of_a_later_version"] = serde_json::json!({ "kept": [1, 2] });
        let text = serde_json::to_vec(&json).expect("JSON is text");
        let whole = parse(&text, "state", Detail::Everything).expect("it parses");
        let some = parse(&text, "state", Detail::WithoutResults).expect("it parses");
        assert!(whole.test_results.is_some());
        let rest = State {
            test_results: None,
            ..whole
        };
        assert_eq!(some, rest);
        assert!(!some.unknown.is_empty());
    }

    #[test]
    fn a_broken_state_is_broken_in_every_detail() {
        for text in ["", "[]", "{\"version\": 1}", "{\"test_results\": }"] {
            let read = parse(text.as_bytes(), "state", Detail::WithoutResults);
            assert!(read.is_err(), "{text}");
        }
    }
}
