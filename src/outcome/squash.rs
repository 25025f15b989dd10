//! What a squash did or would do, and its undoing.

use serde::Serialize;

use super::proof::Document;
use crate::rules::squash::WipCommit;

/// What was done, or would be.
#[derive(Debug, Serialize)]
pub(crate) struct Squash {
    pub(crate) base: String,
    pub(crate) wip: String,
    /// What the commits are on top of.
    pub(crate) onto: String,
    pub(crate) archive: String,
    pub(crate) dry_run: bool,
    /// Whether the base had moved on.
    pub(crate) carried_over: bool,
    /// Whether nobody knew the result of the tip.
    pub(crate) tests_first: bool,
    /// Changed docs that ride along.
    pub(crate) docs: Vec<String>,
    #[serde(rename = "commits")]
    pub(crate) parts: Vec<MadePart>,
    #[serde(skip)]
    pub(crate) commits: Vec<WipCommit>,
    pub(crate) remarks: Vec<String>,
    /// What the way out found; none if nothing could be tested.
    pub(crate) proof: Option<Document>,
}

/// One commit of the base branch.
#[derive(Debug, Serialize)]
pub(crate) struct MadePart {
    pub(crate) id: Option<String>,
    pub(crate) message: String,
    /// Made by hand, and kept as it was.
    pub(crate) kept: bool,
    /// How many commits of the WIP branch are in it.
    #[serde(rename = "wip_commits")]
    pub(crate) commits: usize,
}

/// What an undo did.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Undone {
    pub(crate) base: String,
    pub(crate) wip: String,
    /// Where the base is again.
    pub(crate) before: String,
    /// The entry that keeps the squashed commits.
    pub(crate) recover: u64,
    /// Branches of remotes that have the squashed commits.
    pub(crate) pushed: Vec<String>,
}
