//! What installing puts into a repository, and takes out again.

pub(crate) mod exclude;
pub(crate) mod git_hooks;
