//! What was recorded of commits when they were made: the journal and the notes.

use std::collections::{BTreeSet, HashMap};

use gix::bstr::ByteSlice;
use gix::objs::FindExt;

use crate::branch::event::{Event, EventKind};
use crate::branch::state::Squashed;
use crate::error::{Doing, Error, Result};
use crate::git::loose::Objects;
use crate::git::notes;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::message;
use crate::rules::Phase;
use crate::rules::recorded::{NoteState, Record};
use crate::rules::squash::WipCommit;

/// The journal of a branch, by the commits it speaks of.
#[derive(Default)]
pub(super) struct Journal {
    events: HashMap<gix::ObjectId, Event>,
    /// Every squash, by the tip that was squashed.
    squashes: HashMap<gix::ObjectId, Squashed>,
    /// Paths that a person allowed to change.
    pub(super) allowed: BTreeSet<String>,
    /// Cycles whose tests were awaited without a commit that brought them.
    awaited: BTreeSet<u64>,
}

impl Journal {
    /// Reads the chain that a ref names.
    pub(super) fn of(repo: &Repo, name: &str) -> Result<Journal> {
        let tip = refs::read(repo, name)?
            .ok_or_else(|| Error::corrupt(name, message::verify::missing()))?;
        Journal::read(repo, name, tip)
    }

    /// Reads a chain to its beginning. Fails where a link is missing or says nothing.
    fn read(repo: &Repo, name: &str, tip: gix::ObjectId) -> Result<Journal> {
        let mut journal = Journal::default();
        let mut next = Some(tip);
        let mut buffer = Vec::new();
        while let Some(id) = next {
            let link = Objects(repo).find_commit(&id, &mut buffer);
            let link = link.doing("read the journal")?;
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
        if event.event == EventKind::Phase && event.next_phase == Phase::Green {
            self.awaited.insert(event.cycle);
        }
        match event.event {
            // A squash names commits, but says nothing of how they were made.
            EventKind::Squash => {
                let is_undo = event.recover.is_some();
                let squashed = match is_undo {
                    true => None,
                    false => crate::branch::read(repo, id, name)?.squashed,
                };
                if let Some(squashed) = squashed
                    && let Some(tip) = object_id(&squashed.tip)
                {
                    self.squashes.insert(tip, squashed);
                }
                return Ok(());
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
        if let Some(commit) = event.commit.as_deref().and_then(object_id) {
            self.events.entry(commit).or_insert(event);
        }
        Ok(())
    }

    pub(super) fn squash_of(&self, tip: gix::ObjectId) -> Option<&Squashed> {
        self.squashes.get(&tip)
    }

    /// Whether a commit belongs to a cycle whose tests failed before it began.
    pub(super) fn awaited_without_red(&self, commit: gix::ObjectId) -> bool {
        self.event(commit)
            .is_some_and(|event| self.awaited.contains(&event.cycle))
    }

    pub(super) fn record(&self, commit: gix::ObjectId) -> Option<Record> {
        let event = self.events.get(&commit)?;
        Some(Record {
            label: event.label.clone(),
            verdict: event.verdict,
            failed: event.tests.map(|tests| tests.failed),
        })
    }

    fn event(&self, commit: gix::ObjectId) -> Option<&Event> {
        self.events.get(&commit)
    }
}

fn object_id(hex: &str) -> Option<gix::ObjectId> {
    gix::ObjectId::from_hex(hex.as_bytes()).ok()
}

/// The notes of a clone: objects, and the hashes of what is said of them.
pub(super) struct Notes {
    blobs: HashMap<gix::ObjectId, gix::ObjectId>,
    hash: gix::hash::Kind,
}

impl Notes {
    pub(super) fn read(repo: &Repo, name: &str) -> Result<Notes> {
        Ok(Notes {
            blobs: notes::all(repo, name)?,
            hash: repo.gix.object_hash(),
        })
    }

    /// The note on a commit beside what the journal says. Its hash tells whether it says the same,
    /// so none has to be read.
    pub(super) fn state(
        &self,
        id: gix::ObjectId,
        commit: &WipCommit,
        journal: &Journal,
    ) -> Result<NoteState> {
        let Some(blob) = self.blobs.get(&id) else {
            return Ok(NoteState::Missing);
        };
        let expected = message::verify::expected_note(commit, journal.event(id));
        let kind = gix::objs::Kind::Blob;
        let expected =
            gix::objs::compute_hash(self.hash, kind, expected.as_bytes()).doing("hash a note")?;
        Ok(match *blob == expected {
            true => NoteState::Same,
            false => NoteState::Differs,
        })
    }
}
