//! What was recorded of commits when they were made: the journal and the notes.

use std::collections::{BTreeSet, HashMap};

use gix::bstr::ByteSlice;

use crate::effects::git::repo::Repo;
use crate::effects::git::{notes, trees};
use crate::error::{Doing, Result};
use crate::journal;
use crate::journal::event::{Event, EventKind};
use crate::journal::state::Squashed;
use crate::message;
use crate::policy::proof::{NoteState, Record};
use crate::policy::squash::WipCommit;

/// The journal of a branch, by the commits it speaks of.
#[derive(Default)]
pub(super) struct Journal {
    events: HashMap<String, Event>,
    /// Every squash, by the tip that was squashed.
    squashes: HashMap<String, Squashed>,
    /// Paths that a person allowed to change.
    pub(super) allowed: BTreeSet<String>,
}

impl Journal {
    /// Reads a chain to its beginning. Fails where a link is missing or says nothing.
    pub(super) fn read(repo: &Repo, name: &str, tip: gix::ObjectId) -> Result<Journal> {
        let mut journal = Journal::default();
        let mut next = Some(tip);
        while let Some(id) = next {
            let link = repo.gix.find_commit(id).doing("read the journal")?;
            let link = link.decode().doing("read the journal")?;
            next = link.parents().next();
            let text = link.message.to_str_lossy();
            for line in text.lines().filter(|line| line.starts_with('{')) {
                let event: Event = serde_json::from_str(line).doing("read the journal")?;
                journal.take(repo, name, id, event)?;
            }
        }
        Ok(journal)
    }

    fn take(&mut self, repo: &Repo, name: &str, id: gix::ObjectId, event: Event) -> Result<()> {
        match event.event {
            EventKind::Squash if event.recover.is_none() => {
                let state = journal::read(repo, id, name)?;
                if let Some(squashed) = state.squashed {
                    self.squashes.insert(squashed.tip.clone(), squashed);
                }
            }
            EventKind::Allow => {
                self.allowed.extend(
                    event
                        .note
                        .split(", ")
                        .map(|path| path.trim_matches('`').to_owned()),
                );
            }
            _ => {}
        }
        // The newest comes first: a commit that was tested later has its result from then.
        if let Some(commit) = event.commit.clone() {
            self.events.entry(commit).or_insert(event);
        }
        Ok(())
    }

    pub(super) fn squash_of(&self, tip: gix::ObjectId) -> Option<&Squashed> {
        self.squashes.get(&tip.to_string())
    }

    pub(super) fn record(&self, commit: gix::ObjectId) -> Option<Record> {
        let event = self.events.get(&commit.to_string())?;
        Some(Record {
            label: event.label.clone(),
            verdict: event.verdict,
            failed: event.tests.map(|tests| tests.failed),
        })
    }

    fn event(&self, commit: gix::ObjectId) -> Option<&Event> {
        self.events.get(&commit.to_string())
    }
}

/// The notes of a clone.
pub(super) struct Notes(HashMap<gix::ObjectId, gix::ObjectId>);

impl Notes {
    pub(super) fn read(repo: &Repo, name: &str) -> Result<Notes> {
        Ok(Notes(notes::all(repo, name)?))
    }

    /// The note on a commit beside what the journal says.
    pub(super) fn state(
        &self,
        repo: &Repo,
        id: gix::ObjectId,
        commit: &WipCommit,
        journal: &Journal,
    ) -> Result<NoteState> {
        let Some(blob) = self.0.get(&id) else {
            return Ok(NoteState::Missing);
        };
        let leaf = trees::Leaf {
            kind: gix::objs::tree::EntryKind::Blob,
            id: *blob,
        };
        let text = trees::content(repo, leaf)?;
        let expected = message::verify::expected_note(commit, journal.event(id));
        Ok(match text == expected.as_bytes() {
            true => NoteState::Same,
            false => NoteState::Differs,
        })
    }
}
