//! Everything that reads or writes the repository.

pub(crate) mod align;
mod cached_trees;
pub(crate) mod command;
pub(crate) mod drift;
pub(crate) mod housekeeping;
pub(crate) mod identity;
pub(crate) mod index_diff;
pub(crate) mod index_lock;
pub(crate) mod index_write;
pub(crate) mod line_count;
mod look_ahead;
pub(crate) mod loose;
pub(crate) mod notes;
pub(crate) mod objects;
pub(crate) mod own_ref;
mod path_writer;
pub(crate) mod read_index;
pub(crate) mod ref_writer;
pub(crate) mod refs;
pub(crate) mod repo;
pub(crate) mod scan;
pub(crate) mod shelf;
pub(crate) mod snapshot;
pub(crate) mod trees;
mod untracked;
pub(crate) mod user_commit;
pub(crate) mod worktree_file;
