//! A step, from the snapshot of the worktree to its end: taken apart, judged by experiment, then
//! committed, kept or taken back.
//!
//! ```text
//! snapshot → parts → rules ⇄ experiments (worktree or lab) → what is applied → effects
//! ```

pub(crate) mod answers;
pub(crate) mod applied;
pub(crate) mod effects;
pub(crate) mod ends;
pub(crate) mod experiment;
pub(crate) mod judge;
pub(crate) mod memory;
pub(crate) mod moves;
pub(crate) mod outcome;
pub(crate) mod parts;
pub(crate) mod tested;
pub(crate) mod touched;
pub(crate) mod trees;
mod trial;
