//! The hooks of a repository's clients: put in, looked at, taken out.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::effects::git::repo::Repo;
use crate::effects::install::agent_hooks::Times;
use crate::effects::install::agent_settings::{self, Removed};
use crate::effects::install::clients::{self, Places, Scope, Sign};
use crate::effects::install::exclude;
use crate::effects::install::own_entries::{self, Finding};
use crate::effects::install::roles::{self, Owner};
use crate::effects::install::trust::{self, Trust};
use crate::env_vars;
use crate::error::{Error, Result};
use crate::event::Client;

/// The gate decides in milliseconds; this is for a machine that is busy with something else.
const GATE_SECONDS: u32 = 30;
/// What the loop may take beside the tests, twice because of retries.
const LOOP_MARGIN_SECONDS: u32 = 60;

/// What became of one client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// It was written.
    Written,
    /// It was as it should be.
    AsItWas,
    /// It was removed, because nothing else was in it.
    Removed,
    /// It was left alone, for this reason.
    LeftAlone(String),
}

/// One client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientFile {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) change: Change,
}

/// A client whose hooks were looked at.
pub(crate) struct Looked {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) findings: Vec<Finding>,
    pub(crate) trust: Trust,
}

fn times(config: &Config) -> Times {
    Times {
        gate_s: GATE_SECONDS,
        loop_s: config.timeout_s * (config.retry + 1) + LOOP_MARGIN_SECONDS,
    }
}

fn with_places<T>(repo: &Repo, use_them: impl FnOnce(Places<'_>) -> T) -> T {
    let home = env_vars::home().unwrap_or_default();
    let env = |name: &str| env_vars::value(name).map(PathBuf::from);
    use_them(Places {
        root: repo.root(),
        home: &home,
        env: &env,
    })
}

/// The clients in use, with what tells so.
pub(crate) fn clients_in_use(repo: &Repo) -> Vec<(Client, String)> {
    let on_path = |program: &str| which::which(program).is_ok();
    let found = with_places(repo, |places| clients::detect(places, &on_path));
    found
        .into_iter()
        .map(|found| {
            let why = match found.why {
                Sign::InProject(name) => format!("`{name}` is in the project"),
                Sign::Program(name) => format!("`{name}` is on PATH"),
                Sign::UserFolder(folder) => format!("`{}` is there", folder.display()),
            };
            (found.client, why)
        })
        .collect()
}

/// Puts our hooks into the clients' settings; twice is once.
pub(crate) fn put_in(
    repo: &Repo,
    config: &Config,
    clients: &[Client],
    scope: Scope,
) -> Result<Vec<ClientFile>> {
    clients
        .iter()
        .map(|client| put_in_one(repo, config, *client, scope))
        .collect()
}

fn put_in_one(repo: &Repo, config: &Config, client: Client, scope: Scope) -> Result<ClientFile> {
    let file = with_places(repo, |places| clients::hook_file(client, scope, places));
    let existing = read(&file)?;
    let change = match agent_settings::plan(client, existing.as_deref(), times(config)) {
        Err(error) => Change::LeftAlone(error.to_string()),
        Ok(text) if existing.as_deref() == Some(&text) => Change::AsItWas,
        Ok(text) => {
            write(&file, &text)?;
            Change::Written
        }
    };
    let is_new = existing.is_none() && change == Change::Written;
    if is_new && scope == Scope::Personal {
        exclude::add(repo, clients::project_file(client, scope))?;
    }
    Ok(ClientFile {
        client,
        file,
        change,
    })
}

/// Puts the roles of a spec cycle in place. A file that somebody wrote or edited stays.
pub(crate) fn put_roles_in(
    repo: &Repo,
    clients: &[Client],
    scope: Scope,
) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    for role in clients.iter().copied().flat_map(roles::files) {
        let file = repo.root().join(&role.path);
        let existing = read(&file)?;
        let change = match existing.as_deref() {
            Some(text) if text == role.text => Change::AsItWas,
            Some(text) if roles::owner(text) != Owner::Ours => {
                Change::LeftAlone("it was written or edited by somebody".into())
            }
            Some(_) | None => {
                if existing.is_none() && scope != Scope::Shared {
                    exclude::add(repo, &role.path)?;
                }
                write(&file, &role.text)?;
                Change::Written
            }
        };
        files.push(ClientFile {
            client: role.client,
            file,
            change,
        });
    }
    Ok(files)
}

/// Takes the roles out again; what somebody edited stays.
pub(crate) fn take_roles_out(repo: &Repo) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    for role in Client::ALL.into_iter().flat_map(roles::files) {
        let file = repo.root().join(&role.path);
        let Some(text) = read(&file)? else { continue };
        let change = match roles::owner(&text) {
            Owner::Foreign => continue,
            Owner::Edited => Change::LeftAlone("it was edited".into()),
            Owner::Ours => {
                remove(repo, &file)?;
                Change::Removed
            }
        };
        exclude::take_out(repo, &role.path)?;
        files.push(ClientFile {
            client: role.client,
            file,
            change,
        });
    }
    Ok(files)
}

/// Takes our hooks out of every file they may be in.
pub(crate) fn take_out(repo: &Repo) -> Result<Vec<ClientFile>> {
    let mut changed = Vec::new();
    for client in Client::ALL {
        for scope in [Scope::Personal, Scope::Shared] {
            let file = with_places(repo, |places| clients::hook_file(client, scope, places));
            let Some(text) = read(&file)? else { continue };
            let change = match agent_settings::remove(client, &text) {
                Err(error) => Change::LeftAlone(error.to_string()),
                Ok(Removed::Nothing) => continue,
                Ok(Removed::Text(rest)) => {
                    write(&file, &rest)?;
                    Change::Written
                }
                Ok(Removed::File) => {
                    remove(repo, &file)?;
                    Change::Removed
                }
            };
            exclude::take_out(repo, clients::project_file(client, scope))?;
            changed.push(ClientFile {
                client,
                file,
                change,
            });
        }
    }
    Ok(changed)
}

/// Looks at the hooks of the clients in use.
pub(crate) fn look(repo: &Repo, config: &Config) -> Result<Vec<Looked>> {
    let mut looked = Vec::new();
    for (client, _) in clients_in_use(repo) {
        let files = [Scope::Personal, Scope::Shared, Scope::Global].map(|scope| {
            (
                scope,
                with_places(repo, |places| clients::hook_file(client, scope, places)),
            )
        });
        let mut best: Option<(Scope, PathBuf, String, Vec<Finding>)> = None;
        for (scope, file) in files {
            let Some(text) = read(&file)? else { continue };
            let findings = own_entries::findings(client, &text, times(config));
            if best
                .as_ref()
                .is_none_or(|(_, _, _, known)| findings.len() < known.len())
            {
                best = Some((scope, file, text, findings));
            }
        }
        let (trust, file, findings) = match best {
            Some((scope, file, text, findings)) => {
                let of_person = |path: &Path| std::fs::read_to_string(path).ok();
                let trust = with_places(repo, |places| {
                    trust::check(client, scope, (&file, &text), places, &of_person)
                });
                (trust, file, findings)
            }
            None => {
                let file = with_places(repo, |places| {
                    clients::hook_file(client, Scope::Personal, places)
                });
                (Trust::Unknown, file, vec![Finding::Missing("all".into())])
            }
        };
        looked.push(Looked {
            client,
            file,
            findings,
            trust,
        });
    }
    Ok(looked)
}

fn read(file: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", file, error)),
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    let io = |error| Error::io("write", file, error);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    std::fs::write(file, text).map_err(io)
}

/// Removes a file, and the folders that only it needed.
fn remove(repo: &Repo, file: &Path) -> Result<()> {
    std::fs::remove_file(file).map_err(|error| Error::io("remove", file, error))?;
    let mut folder = file.parent();
    while let Some(empty) = folder.filter(|folder| *folder != repo.root()) {
        // Only an empty folder can be removed this way.
        if std::fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(())
}
