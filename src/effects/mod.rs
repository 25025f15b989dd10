//! Actions on the world: git, files, test runs.

#[doc(hidden)]
pub mod fault;
pub(crate) mod git;
pub(crate) mod install;
#[allow(dead_code, reason = "its callers land right after it")]
pub(crate) mod lint_run;
pub(crate) mod lock;
pub mod test_run;
pub(crate) mod transaction;
