//! Out of the WIP branch: the work becomes commits of the base branch, and its history evidence
//! that others can check.

mod carry_over;
mod commits;
pub(crate) mod history;
mod move_out;
mod prepare;
mod room;
pub(crate) mod share;
pub(crate) mod squash;
mod standing;
mod sync;
pub(crate) mod undo;
pub(crate) mod verify;
pub(crate) mod way_out;
