//! The one place that reads environment variables.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::clients::{self, Client};

/// Variables by which git tells a child which repository it is at work on. Inherited from a hook
/// they would point our git calls, and the user's tests, at the wrong repository.
pub(crate) const GIT_LOCAL: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REFLOG_ACTION",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Those of them that are set.
pub(crate) fn inherited_from_git() -> Vec<&'static str> {
    let set = |name: &&&str| std::env::var_os(name).is_some();
    GIT_LOCAL.iter().filter(set).copied().collect()
}

/// What git tells a hook of its repository, and the names under which it is passed on.
const FOR_HOOKS: [(&str, &str); 2] = [
    ("GIT_DIR", "GIT_TCR_HOOK_DIR"),
    ("GIT_INDEX_FILE", "GIT_TCR_HOOK_INDEX"),
];

/// What a hook needs to know of the repository that git is at work on.
pub(crate) fn kept_for_hooks() -> Vec<(&'static str, OsString)> {
    FOR_HOOKS
        .iter()
        .filter_map(|(name, kept)| Some((*kept, std::env::var_os(name)?)))
        .collect()
}

/// A folder or file that a variable names; one that is set to nothing names none.
fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The git directory that the git which runs this hook is at work on.
pub(crate) fn hook_git_dir() -> Option<PathBuf> {
    path("GIT_TCR_HOOK_DIR")
}

/// The index that the commit in progress is made from.
pub(crate) fn hook_index() -> Option<PathBuf> {
    path("GIT_TCR_HOOK_INDEX")
}

/// Ends or fails the process at a named point; only looked at in builds for tests.
#[cfg(debug_assertions)]
pub(crate) fn fault() -> Option<String> {
    std::env::var("GIT_TCR_FAULT").ok()
}

/// All variables, for the environment of a test run.
pub(crate) fn all() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

/// The folder of the user's config files.
pub(crate) fn config_home() -> Option<PathBuf> {
    path("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
}

/// The folder of the user's caches.
pub(crate) fn cache_folder() -> PathBuf {
    if is_demo() {
        return std::env::temp_dir();
    }
    let xdg = path("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let in_home = || home().map(|home| home.join(".cache"));
    xdg.or_else(in_home).unwrap_or_else(std::env::temp_dir)
}

/// The folder of the user's data files, where `man` looks too.
pub(crate) fn data_home() -> Option<PathBuf> {
    path("XDG_DATA_HOME").or_else(|| Some(home()?.join(".local/share")))
}

/// Marks the commands of the demo, whose story stays in its repository.
pub(crate) const DEMO_MARK: &str = "GIT_TCR_DEMO";

/// Whether this command is a part of the demo.
pub(crate) fn is_demo() -> bool {
    std::env::var_os(DEMO_MARK).is_some()
}

/// Marks the commands that the MCP server starts: whoever asks it is an agent.
pub(crate) const MCP_MARK: &str = "GIT_TCR_MCP";

/// The coding agent whose shell this process was started from, if any.
pub(crate) fn calling_agent() -> Option<&'static str> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let client = clients::at_work(is_set).map(Client::name);
    client.or_else(|| is_set(MCP_MARK).then_some("mcp"))
}

/// The coding agent whose marks a process was started with.
pub(crate) fn agent_marked(variables: &[Vec<u8>]) -> Option<&'static str> {
    let is_set = |name: &str| {
        let mut entries = variables.iter();
        entries.any(|entry| {
            let value = entry.strip_prefix(name.as_bytes());
            value.is_some_and(|value| value.first() == Some(&b'=') && value.len() > 1)
        })
    };
    clients::at_work(is_set).map(Client::name)
}

/// Tests of this program say themselves who calls; it is only looked at in builds for tests.
pub(crate) fn trusts_environment() -> bool {
    cfg!(debug_assertions) && std::env::var_os("GIT_TCR_TRUST_ENVIRONMENT").is_some()
}

/// Variables that commonly steer what tests do; a cached result holds only for the same values.
const STEERING: &[&str] = &[
    "CARGO_BUILD_TARGET",
    "GOFLAGS",
    "JAVA_TOOL_OPTIONS",
    "NODE_ENV",
    "NODE_OPTIONS",
    "PYTEST_ADDOPTS",
    "PYTHONPATH",
    "RAILS_ENV",
    "RUBYOPT",
    "RUSTFLAGS",
    "SPEC_OPTS",
];

/// The variables among those that are set.
pub(crate) fn steering_tests() -> Vec<(&'static str, OsString)> {
    STEERING
        .iter()
        .filter_map(|name| Some((*name, std::env::var_os(name)?)))
        .collect()
}

/// Whether the terminal says that it can do no more than print lines.
pub(crate) fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether git has put a pager behind standard output.
pub(crate) fn is_paged() -> bool {
    std::env::var_os("GIT_PAGER_IN_USE").is_some()
}

/// The user's home folder.
pub(crate) fn home() -> Option<PathBuf> {
    path("HOME")
}

/// The value of a variable that a shell command may refer to.
pub(crate) fn value(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether a variable says which time zone the user is in.
pub(crate) fn names_time_zone() -> bool {
    std::env::var_os("TZ").is_some()
}
