//! Which sessions of clients a person has spoken to: one that an agent started is the agent's.

use std::path::PathBuf;

use super::processes::{self, Process};
use super::{SHELLS, client_of};
use crate::env_vars;
use crate::error::{Error, Result};
use crate::git::repo::Repo;

fn path(repo: &Repo) -> PathBuf {
    repo.common_dir().join("tcr").join("prompts")
}

/// The session of an identity: what comes before the sub-agent.
pub(crate) fn session_of(identity: &str) -> &str {
    identity.split('/').next().unwrap_or(identity)
}

/// Notes that a person sent a prompt to the session of this identity.
pub(crate) fn note(repo: &Repo, identity: &str) -> Result<()> {
    let session = session_of(identity);
    if has(repo, session) || is_started_by_agent(&processes::own_chain()) {
        return Ok(());
    }
    let path = path(repo);
    let io = |error| Error::io("write", &path, error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    const MOST: usize = 500;
    let kept = known.lines().rev().take(MOST).collect::<Vec<_>>();
    let lines: String = (kept.into_iter().rev().chain([session]))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&path, lines).map_err(io)
}

/// Whether a person has spoken to this session.
pub(crate) fn has(repo: &Repo, session: &str) -> bool {
    let known = std::fs::read_to_string(path(repo)).unwrap_or_default();
    known.lines().any(|line| line == session)
}

/// Whether the client that calls was itself started from another one's shell.
fn is_started_by_agent(chain: &[Process]) -> bool {
    let clients = |from: &[Process]| from.iter().position(|one| client_of(one).is_some());
    let Some(at) = clients(chain) else {
        return false;
    };
    let own = chain.get(at);
    if own.is_some_and(|one| env_vars::agent_marked(&processes::environment(one.pid)).is_some()) {
        return true;
    }
    let above = chain.get(at + 1..).unwrap_or_default();
    // A client may be a program that starts another one of the same name; no shell is in between.
    clients(above).is_some_and(|outer| {
        let between = above.get(..outer).unwrap_or_default();
        between
            .iter()
            .any(|one| one.names().any(|name| SHELLS.contains(&&*name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(programs: &[&str]) -> Vec<Process> {
        let one = |program: &&str| Process {
            program: program.into(),
            ..Process::default()
        };
        programs.iter().map(one).collect()
    }

    #[test]
    fn a_client_in_another_ones_shell_is_started_by_an_agent() {
        for (programs, expected) in [
            (vec!["git-tcr", "sh", "claude", "bash", "sshd"], false),
            (
                vec!["git-tcr", "sh", "claude", "bash", "claude", "zsh"],
                true,
            ),
            (vec!["git-tcr", "sh", "codex", "codex", "zsh"], false),
            (vec!["git-tcr", "sh", "gemini", "sh", "env", "claude"], true),
            (vec!["git-tcr", "sh", "something"], false),
        ] {
            assert_eq!(
                is_started_by_agent(&chain(&programs)),
                expected,
                "{programs:?}"
            );
        }
    }

    #[test]
    fn a_sub_agent_is_of_its_session() {
        assert_eq!(session_of("claude-code:s/a"), "claude-code:s");
        assert_eq!(session_of("claude-code:s"), "claude-code:s");
        assert_eq!(session_of("Ada <ada@example.com>"), "Ada <ada@example.com>");
    }
}
