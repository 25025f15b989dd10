//! What installing puts into a repository, and takes out again.

pub(crate) mod agent_hooks;
pub(crate) mod agent_settings;
pub(crate) mod clients;
pub(crate) mod exclude;
mod json_text;
pub(crate) mod own_entries;
pub(crate) mod trust;
