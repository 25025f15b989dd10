//! What `install` puts in place: the hooks of clients and of git. Put in, looked at, put back, taken
//! out.

pub(crate) mod files;
pub(crate) mod git_hooks;
pub(crate) mod program;
pub(crate) mod put_back;
pub(crate) mod roles;
pub(crate) mod self_test;
pub(crate) mod settings_file;
pub(crate) mod whole_file;
pub(crate) mod worktrees;

use std::path::{Path, PathBuf};

use crate::branch::sealed::{self, Sealed};
use crate::clients::places::{self, Places, Scope, Sign};
use crate::clients::settings::dialect;
use crate::clients::settings::entries::Times;
use crate::clients::settings::own_entries::{self, Finding};
use crate::clients::settings::{self as entries, Removed, Unmergeable};
use crate::clients::{Client, Trust};
use crate::config::Config;
use crate::env_vars;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::install::files::exclude;
use crate::outcome::install::{Change, ClientFile, WhyLeft};
use settings_file::{Content, read, remove, write};

/// The gate decides in milliseconds; this is for a machine that is busy with something else.
const GATE_SECONDS: u32 = 30;
/// How often the tests may run: failing ones that passed before run once more.
const RUNS: u32 = 2;
/// What the loop may take beside the tests.
const LOOP_MARGIN_SECONDS: u32 = 60;

/// A client whose hooks were looked at.
pub(crate) struct Looked {
    pub(crate) client: Client,
    pub(crate) scope: Scope,
    pub(crate) file: PathBuf,
    pub(crate) findings: Vec<Finding>,
    pub(crate) trust: Trust,
}

fn times(config: &Config) -> Times {
    Times {
        gate_s: GATE_SECONDS,
        loop_s: config.timeout_s * RUNS + LOOP_MARGIN_SECONDS,
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
    let found = with_places(repo, |places| places::detect(places, &on_path));
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
pub(crate) fn settings(repo: &Repo, client: Client, scope: Scope) -> Result<(PathBuf, Content)> {
    let file = with_places(repo, |places| places::hook_file(client, scope, places));
    let content = read(&file)?;
    Ok((file, content))
}

/// What is wrong with our entries in a client's settings.
pub(crate) fn findings(client: Client, content: &Content, config: &Config) -> Vec<Finding> {
    match content {
        Content::Text(text) => own_entries::findings(client, text, times(config)),
        Content::Nothing => vec![Finding::Missing("all".into())],
        Content::NotText(_) => vec![Finding::Unreadable(Unmergeable::NotText)],
    }
}

/// What our hooks make of a client's settings.
pub(crate) struct PlannedFile {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) existing: Content,
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
    let text = match &existing {
        Content::NotText(_) => Err(Unmergeable::NotText),
        existing => entries::plan(client, existing.text(), times(config)),
    };
    Ok(PlannedFile {
        client,
        file,
        existing,
        text: text.map_err(|error| error.to_string()),
    })
}

/// A client's file in the project as HEAD has it.
fn committed(repo: &Repo, client: Client, scope: Scope) -> Result<Option<Vec<u8>>> {
    let (false, Ok(head)) = (scope == Scope::Global, repo.head()) else {
        return Ok(None);
    };
    let path = places::project_file(client, scope);
    match trees::lookup(repo, repo.tree_of(head.commit)?, path.into())? {
        Some(leaf) => trees::content(repo, leaf).map(Some),
        None => Ok(None),
    }
}

/// Whether HEAD has our hooks in a client's file: then all who clone the repository have them.
pub(crate) fn are_committed(repo: &Repo, client: Client, scope: Scope) -> Result<bool> {
    let committed = committed(repo, client, scope)?;
    let text = committed.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.is_some_and(|text| has_ours(client, &text)))
}

fn has_ours(client: Client, text: &str) -> bool {
    !matches!(entries::remove(client, text), Ok(Removed::Nothing) | Err(_))
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
    let unreadable = match &text {
        Ok(text) => dialect::unreadable_for(client, text),
        Err(_) => None,
    };
    let change = match text {
        Err(why) => Change::LeftAlone(WhyLeft::Unmergeable(why)),
        Ok(text) if existing.text() == Some(&text) => Change::AsItWas,
        Ok(text) => {
            write(&file, &text)?;
            Change::Written
        }
    };
    let path = places::project_file(client, scope);
    match scope {
        Scope::Personal if is_own_file(client, &existing) => {
            if committed(repo, client, scope)?.is_none() {
                exclude::add(repo, path)?;
            }
        }
        Scope::Shared => exclude::take_out(repo, path)?,
        Scope::Personal | Scope::Global => {}
    }
    Ok(ClientFile {
        client,
        file,
        change,
        unreadable,
    })
}

/// Whether nothing but our hooks is or will be in a file.
fn is_own_file(client: Client, existing: &Content) -> bool {
    match existing {
        Content::Nothing => true,
        Content::Text(text) => entries::remove(client, text) == Ok(Removed::File),
        Content::NotText(_) => false,
    }
}

/// Puts our hooks in the place of settings that can't be used: into `base`, or into nothing.
fn replace(file: &Path, config: &Config, client: Client, base: Option<&str>) -> Result<()> {
    let plan = |existing| entries::plan(client, existing, times(config));
    match plan(base).or_else(|_| plan(None)) {
        Ok(text) => write(file, &text),
        Err(_) => Ok(()),
    }
}

/// Takes a client's hooks out of the project's other file, so that they do not run twice.
pub(crate) fn leave_other_files(repo: &Repo, client: Client, scope: Scope) -> Result<()> {
    let kept = with_places(repo, |places| places::hook_file(client, scope, places));
    for other in [Scope::Personal, Scope::Shared] {
        let (file, content) = settings(repo, client, other)?;
        let stays = file == kept || are_committed(repo, client, other)?;
        if let Some(text) = content.text().filter(|_| !stays) {
            take_out_one(repo, (client, other), file, text)?;
        }
    }
    Ok(())
}

/// Takes our hooks out of every file they may be in, but for those that were committed for everybody.
pub(crate) fn take_out(repo: &Repo, sealed: &Sealed, scopes: &[Scope]) -> Result<Vec<ClientFile>> {
    let mut changed: Vec<ClientFile> = Vec::new();
    let installed = sealed::installed(repo, sealed)?.clients;
    for client in Client::all() {
        let is_personal = installed
            .iter()
            .any(|entry| entry.name == client.name() && entry.scope == Scope::Personal);
        for &scope in scopes {
            let (file, content) = settings(repo, client, scope)?;
            let Some(text) = content.text() else { continue };
            // Most clients have one file for both scopes.
            if changed.iter().any(|known| known.file == file) {
                continue;
            }
            if !is_personal && are_committed(repo, client, scope)? {
                let change = Change::LeftAlone(WhyLeft::Committed);
                changed.push(ClientFile::new(client, file, change));
                continue;
            }
            changed.extend(take_out_one(repo, (client, scope), file, text)?);
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
    let change = match entries::remove(client, text) {
        Err(error) => Change::LeftAlone(WhyLeft::Unmergeable(error.to_string())),
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
        exclude::take_out(repo, places::project_file(client, scope))?;
    }
    Ok(Some(ClientFile::new(client, file, change)))
}

/// User-level files that still have hooks which were installed from here.
pub(crate) fn global_files(repo: &Repo, sealed: &Sealed) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in sealed::installed(repo, sealed)?.clients {
        let client = Client::from_name(&entry.name).filter(|_| entry.scope == Scope::Global);
        let Some(client) = client else { continue };
        let (file, content) = settings(repo, client, Scope::Global)?;
        if content.text().is_some_and(|text| has_ours(client, text)) {
            found.push(file);
        }
    }
    Ok(found)
}

/// Clients with files in the project that have no hooks of ours, and what tells so.
pub(crate) fn unguarded(repo: &Repo, sealed: &Sealed) -> Result<Vec<(Client, &'static str)>> {
    let guarded = sealed::installed(repo, sealed)?.clients;
    let found = with_places(repo, |places| places::detect(places, &|_| false));
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
        let (file, content) = settings(repo, client, entry.scope)?;
        let findings = findings(client, &content, &sealed.config);
        let of_person = |path: &Path| std::fs::read_to_string(path).ok();
        let trust = with_places(repo, |places| {
            let text = content.text().unwrap_or_default();
            places::trust(client, entry.scope, (&file, text), places, &of_person)
        });
        looked.push(Looked {
            client,
            scope: entry.scope,
            file,
            findings,
            trust,
        });
    }
    Ok(looked)
}
