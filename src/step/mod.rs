//! A step, from the snapshot of the worktree to its end: taken apart, judged by experiment, then
//! committed, kept or taken back.
//!
//! ```text
//! snapshot → parts → rules ⇄ experiments (worktree or lab) → what is applied → effects
//! ```

pub(crate) mod activate;
pub(crate) mod answers;
pub(crate) mod applied;
pub(crate) mod by_hand;
pub(crate) mod declare;
pub(crate) mod effects;
pub(crate) mod ends;
pub(crate) mod expected;
pub(crate) mod experiment;
pub(crate) mod frozen;
pub(crate) mod ingest;
pub(crate) mod judge;
mod known_results;
pub(crate) mod leftovers;
pub(crate) mod lint;
pub(crate) mod memory;
pub(crate) mod moves;
pub(crate) mod own_commits;
pub(crate) mod parked;
pub(crate) mod parts;
pub(crate) mod request;
pub(crate) mod revert;
pub(crate) mod rounds;
pub(crate) mod smells;
pub(crate) mod spike;
pub(crate) mod steps;
pub(crate) mod tested;
pub(crate) mod touched;
pub(crate) mod trees;
mod trial;
pub(crate) mod turn;
pub(crate) mod wip_commit;
