//! The environment a test run gets.

use std::ffi::{OsStr, OsString};

use crate::clients;

/// One variable, as the process environment has it.
pub type Variable = (OsString, OsString);

/// Variables that bind git to one repository or one invocation. Inside a hook they are set, and
/// a test that uses git in a folder of its own would write into the user's repository.
const GIT_LOCAL: [&str; 29] = [
    // `git rev-parse --local-env-vars`
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_INTERNAL_SUPER_PREFIX",
    // set by git for its hooks, aliases, editors and sub-commands
    "GIT_EXEC_PATH",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_REFLOG_ACTION",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_OPTIONAL_LOCKS",
    "GIT_PUSH_OPTION_COUNT",
    "GIT_INTERNAL_GETTEXT_SH_SCHEME",
];

/// Whether a test run must not see a variable.
fn is_stripped(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    GIT_LOCAL.contains(&name)
        || name.starts_with("GIT_CONFIG_KEY_")
        || name.starts_with("GIT_CONFIG_VALUE_")
        || name.starts_with("GIT_PUSH_OPTION_")
        || clients::is_of_agent(name)
}

/// The variables of `environment` that a test run may see.
pub(super) fn for_tests(environment: &[Variable]) -> impl Iterator<Item = &Variable> {
    environment.iter().filter(|(name, _)| !is_stripped(name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::git::command;

    #[test]
    fn variables_of_this_repository_and_of_agents_are_stripped() {
        let cases = [
            ("GIT_DIR", true),
            ("GIT_INDEX_FILE", true),
            ("GIT_PREFIX", true),
            ("GIT_CONFIG_KEY_0", true),
            ("GIT_CONFIG_VALUE_12", true),
            ("GIT_CONFIG_PARAMETERS", true),
            ("GIT_PUSH_OPTION_0", true),
            ("CLAUDECODE", true),
            ("CLAUDE_CODE_ENTRYPOINT", true),
            ("CODEX_SANDBOX", true),
            ("AGENT", true),
            ("GIT_AUTHOR_NAME", false),
            ("GIT_COMMITTER_EMAIL", false),
            ("GIT_CONFIG_GLOBAL", false),
            ("GIT_CONFIG_SYSTEM", false),
            ("GIT_CONFIG_NOSYSTEM", false),
            ("GIT_SSH_COMMAND", false),
            ("CI", false),
            ("SSH_AGENT_PID", false),
            ("USER_AGENT", false),
            ("PATH", false),
        ];
        for (name, stripped) in cases {
            assert_eq!(is_stripped(OsStr::new(name)), stripped, "{name}");
        }
    }

    #[test]
    fn the_list_holds_all_that_git_itself_names() {
        let args = ["rev-parse", "--local-env-vars"];
        let listed = command::git(Path::new("."), &args, b"").expect("git runs");
        let listed = String::from_utf8_lossy(&listed);
        assert!(listed.contains("GIT_DIR"), "{listed}");
        for name in listed.lines() {
            assert!(is_stripped(OsStr::new(name)), "{name}");
        }
    }
}
