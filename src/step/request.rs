//! What is asked of the loop, and by whom.

use super::ingest;
use super::rounds::LeftAt;
use super::turn::Turn;
use crate::test_run::TestCommand;

/// What is asked of the loop.
#[derive(Debug, Default)]
pub(crate) struct LoopRequest {
    /// Run the tests even if the result is known.
    pub(crate) force: bool,
    /// Change nothing but the record.
    pub(crate) report_only: bool,
    /// Another command than the configured one.
    pub(crate) command: Option<TestCommand>,
    /// Results from elsewhere, instead of a run.
    pub(crate) ingested: Option<ingest::Ingested>,
    /// An open step stays open: this is one of its edits.
    pub(crate) step_goes_on: bool,
    /// How an earlier loop left the worktree: while it is like that, there is nothing to judge.
    pub(crate) unless_still: Option<LeftAt>,
    /// Files that change whenever the tests run are no reason to judge again.
    pub(crate) expects_restless: bool,
    /// The call or the turn of a client that is over.
    pub(crate) turn: Option<Turn>,
    /// A turn of the client is over.
    pub(crate) ends_turn: bool,
    /// The client that asks, if it is not a person.
    pub(crate) by: Option<String>,
    /// Which of its agents asks, where that is known.
    pub(crate) identity: Option<String>,
}

impl LoopRequest {
    /// Whether the result can be believed: an agent could bring any.
    pub(crate) fn is_trusted(&self) -> bool {
        self.by.is_none() || (self.command.is_none() && self.ingested.is_none())
    }

    /// Whether a result that is known already will do.
    pub(crate) fn takes_known_results(&self) -> bool {
        !self.force && self.command.is_none() && self.ingested.is_none()
    }

    /// Whether the configured tests are run here, so that they can be asked about any tree.
    pub(crate) fn takes_own_results(&self) -> bool {
        self.command.is_none() && self.ingested.is_none()
    }

    /// Whether something comes to an end, so that prose is committed too: a person's call, or a
    /// turn of a client.
    pub(crate) fn settles(&self) -> bool {
        self.by.is_none() || self.ends_turn || !self.step_goes_on
    }
}
