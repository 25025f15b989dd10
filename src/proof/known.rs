//! What was found out before: kept answer by answer, so that an interrupted call goes on where it
//! was.

use gix::ObjectId;

use crate::branch::session::{REFLOG, Session};
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::git::notes;
use crate::git::ref_writer;
use crate::step::memory::Memory;
use crate::test_run::Selection;
use crate::test_run::jobs::Job;

/// What is known of trees.
pub(crate) trait Known {
    /// What these tests said of a tree.
    fn find(&self, tree: ObjectId, only: Option<&Selection>) -> Result<Option<TestResults>>;
    /// Keeps what they said.
    fn keep(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        results: &TestResults,
    ) -> Result<()>;
}

/// Nothing but what this call finds out.
#[derive(Debug, Default)]
pub(crate) struct Forgetful(Memory);

impl Known for Forgetful {
    fn find(&self, tree: ObjectId, only: Option<&Selection>) -> Result<Option<TestResults>> {
        Ok(self.0.find(tree, only).cloned())
    }

    fn keep(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        results: &TestResults,
    ) -> Result<()> {
        self.0.keep(tree, only, results);
        Ok(())
    }
}

/// Beside the trees, as notes.
pub(crate) struct InNotes<'s, 'r> {
    pub(crate) session: &'s Session<'r>,
    pub(crate) jobs: &'s [Job],
    /// Whether what is found out may be written.
    pub(crate) writes: bool,
    pub(crate) memory: Memory,
}

impl Known for InNotes<'_, '_> {
    fn find(&self, tree: ObjectId, only: Option<&Selection>) -> Result<Option<TestResults>> {
        if let Some(known) = self.memory.find(tree, only) {
            return Ok(Some(known.clone()));
        }
        if let Some(known) = self.session.cached(tree, self.jobs, only)? {
            return Ok(Some(known));
        }
        // What the suite said tells of each test.
        match only {
            Some(_) => self.session.cached(tree, self.jobs, None),
            None => Ok(None),
        }
    }

    fn keep(
        &mut self,
        tree: ObjectId,
        only: Option<&Selection>,
        results: &TestResults,
    ) -> Result<()> {
        self.memory.keep(tree, only, results);
        if !self.writes {
            return Ok(());
        }
        let note = self.session.result_note(results, self.jobs, only)?;
        let repo = self.session.repo;
        let written = notes::moves(repo, note.as_slice())
            .and_then(|moves| ref_writer::apply(repo, &moves, REFLOG));
        // Somebody else wrote notes just now: the answer is known all the same.
        drop(written);
        Ok(())
    }
}
