//! Actions on the world: git, files, test runs.

#[doc(hidden)]
pub mod fault;
pub(crate) mod file_events;
pub(crate) mod free_name;
pub(crate) mod git;
pub(crate) mod install;
pub(crate) mod lint_run;
pub(crate) mod lock;
pub(crate) mod signals;
pub mod test_run;
pub(crate) mod transaction;
