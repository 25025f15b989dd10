//! Which clients are in use, which files their hooks go into, and whether they trust them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Client, Trust, Trusting};

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
    let sign = |client: Client| {
        let mut files = client.signs.iter();
        let mut programs = client.programs.iter();
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
    Client::all()
        .filter_map(|client| sign(client).map(|why| FoundClient { client, why }))
        .collect()
}

/// Where the folder of a client's files for one person is.
pub(crate) struct UserFolder {
    /// A variable that names it, or a folder around it.
    pub(super) variable: Option<&'static str>,
    /// From there.
    pub(super) below: &'static str,
    /// From the person's home, where the variable is not set.
    pub(super) otherwise: &'static str,
}

impl UserFolder {
    /// One that a variable names.
    pub(super) const fn named(variable: &'static str, otherwise: &'static str) -> UserFolder {
        UserFolder {
            variable: Some(variable),
            below: "",
            otherwise,
        }
    }
}

/// The folder of a client's files for one person.
pub(crate) fn user_folder(client: Client, places: Places<'_>) -> PathBuf {
    let folder = &client.user_folder;
    match folder.variable.and_then(|name| (places.env)(name)) {
        Some(named) if folder.below.is_empty() => named,
        Some(named) => named.join(folder.below),
        None => places.home.join(folder.otherwise),
    }
}

/// The file that the hooks of a client go into.
pub(crate) fn hook_file(client: Client, scope: Scope, places: Places<'_>) -> PathBuf {
    match scope {
        Scope::Personal | Scope::Shared => places.root.join(project_file(client, scope)),
        Scope::Global => user_folder(client, places).join(client.user_file),
    }
}

/// That file from the root of the project. Most clients have none for a single person.
pub(crate) fn project_file(client: Client, scope: Scope) -> &'static str {
    match scope {
        Scope::Personal => client.personal_file(),
        Scope::Shared | Scope::Global => client.shared_file,
    }
}

/// The client whose hooks go into this file of a project.
pub(crate) fn client_of(path: &str) -> Option<Client> {
    Client::all().find(|client| [client.personal_file(), client.shared_file].contains(&path))
}

/// Whether a client trusts the hooks in its file, which has this text. `read` gives a file of the
/// person, if it is there.
pub(crate) fn trust(
    client: Client,
    scope: Scope,
    (file, text): (&Path, &str),
    places: Places<'_>,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Trust {
    let of_person = |name: &str| read(&user_folder(client, places).join(name));
    (client.trust)(&Trusting {
        scope,
        file,
        text,
        places,
        of_person: &of_person,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{claude_code, codex, copilot, cursor, gemini, opencode};

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
                (opencode::CLIENT, Sign::InProject("opencode.jsonc")),
                (codex::CLIENT, Sign::Program("codex")),
                (copilot::CLIENT, Sign::InProject(".github/hooks")),
                (
                    cursor::CLIENT,
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
                claude_code::CLIENT,
                "/repo/.claude/settings.local.json",
                "/repo/.claude/settings.json",
                "/home/dev/.claude/settings.json",
                "/moved/CLAUDE_CONFIG_DIR/settings.json",
            ),
            (
                opencode::CLIENT,
                "/repo/.opencode/plugins/git-tcr.ts",
                "/repo/.opencode/plugins/git-tcr.ts",
                "/home/dev/.config/opencode/plugins/git-tcr.ts",
                "/moved/XDG_CONFIG_HOME/opencode/plugins/git-tcr.ts",
            ),
            (
                codex::CLIENT,
                "/repo/.codex/hooks.json",
                "/repo/.codex/hooks.json",
                "/home/dev/.codex/hooks.json",
                "/moved/CODEX_HOME/hooks.json",
            ),
            (
                gemini::CLIENT,
                "/repo/.gemini/settings.json",
                "/repo/.gemini/settings.json",
                "/home/dev/.gemini/settings.json",
                "/moved/GEMINI_CLI_HOME/.gemini/settings.json",
            ),
            (
                copilot::CLIENT,
                "/repo/.github/hooks/git-tcr.json",
                "/repo/.github/hooks/git-tcr.json",
                "/home/dev/.copilot/hooks/git-tcr.json",
                "/moved/COPILOT_HOME/hooks/git-tcr.json",
            ),
            (
                cursor::CLIENT,
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
