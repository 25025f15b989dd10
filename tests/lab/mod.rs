//! The lab: tests run on any tree, and the worktree stays as it is, byte for byte.

mod checkout_carries_over;
mod checkout_follows;
mod checkout_git;
mod checkout_leaves_worktree;
mod overlay_as_user;
mod overlay_ends;
mod overlay_git;
mod overlay_leaves_worktree;
mod overlay_paths;
mod overlay_shows_wanted;
mod trial;
mod world;
