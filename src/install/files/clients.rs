//! Which clients are in use, and which files their hooks go into.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::event::Client;

/// Whose installation it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// For this person in this repository.
    Personal,
    /// For all who clone the repository.
    Shared,
    /// For this person in every repository.
    Global,
}

/// Where to look.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The root of the worktree.
    pub(crate) root: &'a Path,
    /// The person's home.
    pub(crate) home: &'a Path,
    /// An environment variable that holds a folder.
    pub(crate) env: &'a dyn Fn(&str) -> Option<PathBuf>,
}

/// A client in use, and what tells so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundClient {
    pub(crate) client: Client,
    pub(crate) why: Sign,
}

/// What tells that a client is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A file or folder of it in the project.
    InProject(&'static str),
    /// Its program is on PATH.
    Program(&'static str),
    /// The person has a folder of it.
    UserFolder(PathBuf),
}

/// The clients in use, each with the first sign of it.
pub(crate) fn detect(places: Places<'_>, on_path: &dyn Fn(&str) -> bool) -> Vec<FoundClient> {
    let sign = |client| {
        let mut files = project_signs(client).iter();
        let mut programs = programs(client).iter();
        let user = user_folder(client, places);
        None.or_else(|| {
            files
                .find(|name| places.root.join(name).exists())
                .map(|name| Sign::InProject(name))
        })
        .or_else(|| {
            programs
                .find(|name| on_path(name))
                .map(|name| Sign::Program(name))
        })
        .or_else(|| user.is_dir().then_some(Sign::UserFolder(user)))
    };
    Client::ALL
        .into_iter()
        .filter_map(|client| sign(client).map(|why| FoundClient { client, why }))
        .collect()
}

fn project_signs(client: Client) -> &'static [&'static str] {
    match client {
        Client::ClaudeCode => &[".claude", "CLAUDE.md"],
        Client::OpenCode => &[".opencode", "opencode.json", "opencode.jsonc"],
        Client::Codex => &[".codex"],
        Client::Gemini => &[".gemini", "GEMINI.md"],
        Client::Copilot => &[".github/hooks", ".github/copilot-instructions.md"],
        Client::Cursor => &[".cursor", ".cursorrules"],
    }
}

fn programs(client: Client) -> &'static [&'static str] {
    match client {
        Client::ClaudeCode => &["claude"],
        Client::OpenCode => &["opencode"],
        Client::Codex => &["codex"],
        Client::Gemini => &["gemini"],
        Client::Copilot => &["copilot"],
        Client::Cursor => &["cursor-agent", "cursor"],
    }
}

/// The folder of a client's files for one person.
pub(crate) fn user_folder(client: Client, places: Places<'_>) -> PathBuf {
    let (variable, otherwise) = match client {
        Client::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude"),
        Client::OpenCode => {
            let config = (places.env)("XDG_CONFIG_HOME");
            return config
                .unwrap_or_else(|| places.home.join(".config"))
                .join("opencode");
        }
        Client::Codex => ("CODEX_HOME", ".codex"),
        Client::Gemini => {
            let home = (places.env)("GEMINI_CLI_HOME");
            return home.unwrap_or_else(|| places.home.into()).join(".gemini");
        }
        Client::Copilot => ("COPILOT_HOME", ".copilot"),
        Client::Cursor => return places.home.join(".cursor"),
    };
    (places.env)(variable).unwrap_or_else(|| places.home.join(otherwise))
}

/// The file that the hooks of a client go into.
pub(crate) fn hook_file(client: Client, scope: Scope, places: Places<'_>) -> PathBuf {
    match scope {
        Scope::Personal | Scope::Shared => places.root.join(project_file(client, scope)),
        Scope::Global => user_folder(client, places).join(match client {
            Client::ClaudeCode | Client::Gemini => "settings.json",
            Client::Codex | Client::Cursor => "hooks.json",
            Client::Copilot => "hooks/git-tcr.json",
            Client::OpenCode => "plugins/git-tcr.ts",
        }),
    }
}

/// That file from the root of the project. Only Claude Code has one for a single person.
pub(crate) fn project_file(client: Client, scope: Scope) -> &'static str {
    match (client, scope) {
        (Client::ClaudeCode, Scope::Personal) => ".claude/settings.local.json",
        (Client::ClaudeCode, _) => ".claude/settings.json",
        (Client::Codex, _) => ".codex/hooks.json",
        (Client::Gemini, _) => ".gemini/settings.json",
        (Client::Copilot, _) => ".github/hooks/git-tcr.json",
        (Client::Cursor, _) => ".cursor/hooks.json",
        (Client::OpenCode, _) => ".opencode/plugins/git-tcr.ts",
    }
}

/// The client whose hooks go into this file of a project.
pub(crate) fn client_of(path: &str) -> Option<Client> {
    Client::ALL.into_iter().find(|client| {
        let holds = |scope| project_file(*client, scope) == path;
        holds(Scope::Personal) || holds(Scope::Shared)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_found_by_their_signs() {
        let root = tempfile::tempdir().unwrap();
        let home = tempfile::tempdir().unwrap();
        let places = Places {
            root: root.path(),
            home: home.path(),
            env: &|_| None,
        };
        assert_eq!(detect(places, &|_| false), vec![]);
        std::fs::create_dir_all(root.path().join(".github/hooks")).unwrap();
        std::fs::write(root.path().join("opencode.jsonc"), "{}").unwrap();
        std::fs::create_dir_all(home.path().join(".cursor")).unwrap();
        let found: Vec<(Client, Sign)> = detect(places, &|name| name == "codex")
            .into_iter()
            .map(|found| (found.client, found.why))
            .collect();
        assert_eq!(
            found,
            vec![
                (Client::OpenCode, Sign::InProject("opencode.jsonc")),
                (Client::Codex, Sign::Program("codex")),
                (Client::Copilot, Sign::InProject(".github/hooks")),
                (
                    Client::Cursor,
                    Sign::UserFolder(home.path().join(".cursor"))
                ),
            ]
        );
    }

    #[test]
    fn files_by_scope() {
        let none = |_: &str| None;
        let moved = |name: &str| Some(PathBuf::from("/moved").join(name));
        let places = |env| Places {
            root: Path::new("/repo"),
            home: Path::new("/home/dev"),
            env,
        };
        let cases = [
            (
                Client::ClaudeCode,
                "/repo/.claude/settings.local.json",
                "/repo/.claude/settings.json",
                "/home/dev/.claude/settings.json",
                "/moved/CLAUDE_CONFIG_DIR/settings.json",
            ),
            (
                Client::OpenCode,
                "/repo/.opencode/plugins/git-tcr.ts",
                "/repo/.opencode/plugins/git-tcr.ts",
                "/home/dev/.config/opencode/plugins/git-tcr.ts",
                "/moved/XDG_CONFIG_HOME/opencode/plugins/git-tcr.ts",
            ),
            (
                Client::Codex,
                "/repo/.codex/hooks.json",
                "/repo/.codex/hooks.json",
                "/home/dev/.codex/hooks.json",
                "/moved/CODEX_HOME/hooks.json",
            ),
            (
                Client::Gemini,
                "/repo/.gemini/settings.json",
                "/repo/.gemini/settings.json",
                "/home/dev/.gemini/settings.json",
                "/moved/GEMINI_CLI_HOME/.gemini/settings.json",
            ),
            (
                Client::Copilot,
                "/repo/.github/hooks/git-tcr.json",
                "/repo/.github/hooks/git-tcr.json",
                "/home/dev/.copilot/hooks/git-tcr.json",
                "/moved/COPILOT_HOME/hooks/git-tcr.json",
            ),
            (
                Client::Cursor,
                "/repo/.cursor/hooks.json",
                "/repo/.cursor/hooks.json",
                "/home/dev/.cursor/hooks.json",
                "/home/dev/.cursor/hooks.json",
            ),
        ];
        for (client, personal, shared, global, elsewhere) in cases {
            let plain = places(&none);
            assert_eq!(
                hook_file(client, Scope::Personal, plain),
                Path::new(personal)
            );
            assert_eq!(hook_file(client, Scope::Shared, plain), Path::new(shared));
            assert_eq!(hook_file(client, Scope::Global, plain), Path::new(global));
            assert_eq!(
                hook_file(client, Scope::Global, places(&moved)),
                Path::new(elsewhere)
            );
        }
    }
}
