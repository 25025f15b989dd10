//! What `install` puts in place: the hooks of clients and of git. Put in, looked at, put back, taken
//! out.

pub(crate) mod git_hooks;
pub(crate) mod put_back;
pub(crate) mod roles;
pub(crate) mod self_test;
pub(crate) mod worktrees;

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::effects::git::repo::Repo;
use crate::effects::install::agent_hooks::Times;
use crate::effects::install::agent_settings::{self, Removed};
use crate::effects::install::clients::{self, Places, Scope, Sign};
use crate::effects::install::exclude;
use crate::effects::install::own_entries::{self, Finding};
use crate::effects::install::trust::{self, Trust};
use crate::env_vars;
use crate::error::{Error, Result};
use crate::event::Client;
use crate::journal::sealed::{self, Sealed};

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

/// The file that a client's hooks go into, and what is in it.
pub(crate) fn settings(
    repo: &Repo,
    client: Client,
    scope: Scope,
) -> Result<(PathBuf, Option<String>)> {
    let file = with_places(repo, |places| clients::hook_file(client, scope, places));
    let text = read(&file)?;
    Ok((file, text))
}

/// What is wrong with our entries in a client's settings.
pub(crate) fn findings(client: Client, text: Option<&str>, config: &Config) -> Vec<Finding> {
    match text {
        Some(text) => own_entries::findings(client, text, times(config)),
        None => vec![Finding::Missing("all".into())],
    }
}

/// What our hooks make of a client's settings.
pub(crate) struct PlannedFile {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) existing: Option<String>,
    /// What will be in the file, or why it is left alone.
    pub(crate) text: Result<String, String>,
}

/// Reads a client's settings and works out what they are with our hooks.
pub(crate) fn plan_file(
    repo: &Repo,
    config: &Config,
    client: Client,
    scope: Scope,
) -> Result<PlannedFile> {
    let (file, existing) = settings(repo, client, scope)?;
    let text = agent_settings::plan(client, existing.as_deref(), times(config));
    Ok(PlannedFile {
        client,
        file,
        existing,
        text: text.map_err(|error| error.to_string()),
    })
}

/// Puts our hooks into a client's settings; twice is once.
pub(crate) fn put_in(
    repo: &Repo,
    config: &Config,
    client: Client,
    scope: Scope,
) -> Result<ClientFile> {
    let PlannedFile {
        file,
        existing,
        text,
        ..
    } = plan_file(repo, config, client, scope)?;
    let change = match text {
        Err(why) => Change::LeftAlone(why),
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

/// Takes a client's hooks out of the project's other file, so that they do not run twice.
pub(crate) fn leave_other_files(repo: &Repo, client: Client, scope: Scope) -> Result<()> {
    let kept = with_places(repo, |places| clients::hook_file(client, scope, places));
    for other in [Scope::Personal, Scope::Shared] {
        let (file, text) = settings(repo, client, other)?;
        if let Some(text) = text.filter(|_| file != kept) {
            take_out_one(repo, (client, other), file, &text)?;
        }
    }
    Ok(())
}

/// Takes our hooks out of every file they may be in.
pub(crate) fn take_out(repo: &Repo, scopes: &[Scope]) -> Result<Vec<ClientFile>> {
    let mut changed = Vec::new();
    for client in Client::ALL {
        for &scope in scopes {
            let (file, text) = settings(repo, client, scope)?;
            let Some(text) = text else { continue };
            changed.extend(take_out_one(repo, (client, scope), file, &text)?);
        }
    }
    Ok(changed)
}

fn take_out_one(
    repo: &Repo,
    (client, scope): (Client, Scope),
    file: PathBuf,
    text: &str,
) -> Result<Option<ClientFile>> {
    let change = match agent_settings::remove(client, text) {
        Err(error) => Change::LeftAlone(error.to_string()),
        Ok(Removed::Nothing) => return Ok(None),
        Ok(Removed::Text(rest)) => {
            write(&file, &rest)?;
            Change::Written
        }
        Ok(Removed::File) => {
            remove(repo, &file)?;
            Change::Removed
        }
    };
    if scope != Scope::Global {
        exclude::take_out(repo, clients::project_file(client, scope))?;
    }
    Ok(Some(ClientFile {
        client,
        file,
        change,
    }))
}

/// User-level files that still have hooks which were installed from here.
pub(crate) fn global_files(repo: &Repo, sealed: &Sealed) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in sealed::installed(repo, sealed)?.clients {
        let client = Client::from_name(&entry.name).filter(|_| entry.scope == Scope::Global);
        let Some(client) = client else { continue };
        let (file, text) = settings(repo, client, Scope::Global)?;
        let has_ours = text.is_some_and(|text| {
            !matches!(agent_settings::remove(client, &text), Ok(Removed::Nothing))
        });
        if has_ours {
            found.push(file);
        }
    }
    Ok(found)
}

/// Clients with files in the project that have no hooks of ours, and what tells so.
pub(crate) fn unguarded(repo: &Repo, sealed: &Sealed) -> Result<Vec<(Client, &'static str)>> {
    let guarded = sealed::installed(repo, sealed)?.clients;
    let found = with_places(repo, |places| clients::detect(places, &|_| false));
    let in_project = found.into_iter().filter_map(|found| match found.why {
        Sign::InProject(name) => Some((found.client, name)),
        Sign::Program(_) | Sign::UserFolder(_) => None,
    });
    Ok(in_project
        .filter(|(client, _)| guarded.iter().all(|entry| entry.name != client.name()))
        .collect())
}

/// Looks at the hooks of the clients that have them.
pub(crate) fn look(repo: &Repo, sealed: &Sealed) -> Result<Vec<Looked>> {
    let mut looked = Vec::new();
    for entry in sealed::installed(repo, sealed)?.clients {
        let Some(client) = Client::from_name(&entry.name) else {
            continue;
        };
        let (file, text) = settings(repo, client, entry.scope)?;
        let findings = findings(client, text.as_deref(), &sealed.config);
        let of_person = |path: &Path| std::fs::read_to_string(path).ok();
        let trust = with_places(repo, |places| {
            let text = text.as_deref().unwrap_or_default();
            trust::check(client, entry.scope, (&file, text), places, &of_person)
        });
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
