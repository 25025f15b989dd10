//! `supersede`: a new spec takes the place of one that was planned or frozen.

use std::path::Path;

use super::{TextFile, refused};
use crate::branch::cycle::Predecessor;
use crate::branch::drift::frozen_tree;
use crate::branch::session::Session;
use crate::error::{Error, Result};
use crate::git::align::FromTo;
use crate::git::objects;
use crate::git::trees::{self, Change, Leaf};
use crate::message;
use crate::message::refusals;
use crate::outcome::spec::Superseded;
use crate::rules::Refusal;
use crate::rules::spec::delta::read_delta;
use crate::rules::spec::{marked_superseded, read_spec};
use crate::spec_cycle::start::read_spec_file;

impl Session<'_> {
    /// Starts anew with another spec. The old oracle goes into the archive, and the old spec says
    /// that it was superseded.
    pub(crate) fn supersede(&mut self, new: &Path, delta: &Path) -> Result<Superseded> {
        let phase = self.state.phase;
        let Some(old) = self.state.spec.clone() else {
            return Err(refused(Refusal::NoSpecCycle, "supersede", phase));
        };
        let snapshot = self.snapshot()?;
        let (file, spec) = read_spec_file(self.repo, new)?;
        if file.path == old.path {
            return Err(refusals::superseded_by_itself(&old.path));
        }
        let prd = self.check_prd(None, &spec)?;
        let delta_file = TextFile::read(self.repo, delta, "delta")?;
        let old_text = self.old_spec(&old.path, snapshot.tree)?;
        let old_spec = read_spec(&old_text).map_err(|why| {
            let (what, hint) = message::spec::bad_file(&old.path, &why);
            Error::Refused { what, hint }
        })?;
        let delta = read_delta(&delta_file.text, &old_spec, &spec)
            .map_err(|why| refusals::unusable_delta(&delta_file.path, why))?;
        let standing = self.standing_beside(&snapshot, &file.path)?;
        if standing.dirty {
            return Err(refused(Refusal::Dirty, "supersede", phase));
        }
        let marked = self.with_mark(&old.path, &file.path, &snapshot)?;
        let facts = self.state.spec_facts(&file, &spec, None, prd, &snapshot);
        let predecessor = Predecessor {
            id: old.id,
            path: old.path,
            hash: old.hash,
        };
        self.begin_cycle(facts, Some((predecessor.clone(), marked)), &snapshot)?;
        Ok(Superseded {
            predecessor,
            delta,
            related: old_spec.related,
        })
    }

    /// The old spec as it was certified, or as it is.
    fn old_spec(&self, path: &str, tree: gix::ObjectId) -> Result<String> {
        let certified = match frozen_tree(self.repo, &self.state)? {
            Some(oracle) => self.text_in(oracle, path)?,
            None => None,
        };
        match certified {
            Some(text) => Ok(text),
            None => Ok(self.text_in(tree, path)?.unwrap_or_default()),
        }
    }

    /// The worktree with the old spec marked.
    fn with_mark(
        &self,
        old: &str,
        new: &str,
        snapshot: &crate::git::snapshot::Snapshot,
    ) -> Result<FromTo> {
        let leaf = trees::lookup(self.repo, snapshot.tree, old.into())?;
        let (Some(leaf), Some(text)) = (leaf, self.text_in(snapshot.tree, old)?) else {
            return Ok(FromTo::new(snapshot.tree, snapshot.tree));
        };
        let id = objects::blob(self.repo, marked_superseded(&text, new).as_bytes())?;
        let change = Change {
            path: old.into(),
            before: Some(leaf),
            after: Some(Leaf { id, ..leaf }),
        };
        let target = trees::with_changes(self.repo, snapshot.tree, std::iter::once(&change))?;
        Ok(FromTo::new(snapshot.tree, target))
    }
}
