//! The config that a person accepted: the only one that is obeyed.

use std::collections::BTreeMap;

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::spool;
use crate::clients::places::Scope;
use crate::config::{Config, Layer};
use crate::error::{Doing, Error, Result};
use crate::git::command::git;
use crate::git::known_tips::{self, Standing};
use crate::git::objects;
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::git::trees::{self, Leaf};

/// The project's config file.
pub(crate) const FILE: &str = ".tcr.toml";
const CONFIG_FILE: &str = "config.json";
const ACCEPTED_TEXT: &str = "tcr.toml";
const INSTALLED_FILE: &str = "installed.json";
const HOOKS_FOLDER: &str = "git-hooks";

/// The accepted config and where it was read from.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) tip: gix::ObjectId,
    pub(crate) config: Config,
}

/// Reads the sealed config.
pub(crate) fn load(repo: &Repo) -> Result<Option<Sealed>> {
    look(repo).map(|found| found.sealed)
}

/// The sealed config as it was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) sealed: Option<Sealed>,
    /// Somebody else had removed or replaced it.
    pub(crate) was_put_back: bool,
}

/// Reads the sealed config. Where somebody else removed or replaced it, it is put back first, and with
/// it what is gone of our refs; the next loop takes that into the journal.
pub(crate) fn look(repo: &Repo) -> Result<Found> {
    let tip = refs::read(repo, refs::CONFIG);
    let now = tip.as_ref().ok().copied().flatten();
    if known_tips::standing(repo, refs::CONFIG, now) == Standing::Sound {
        let sealed = tip?.map(|tip| sealed_at(repo, refs::CONFIG, tip));
        return Ok(Found {
            sealed: sealed.transpose()?,
            was_put_back: false,
        });
    }
    let was_put_back = known_tips::put_back(repo, refs::CONFIG)?;
    if was_put_back {
        let entry = spool::Denied {
            at: crate::clock::timestamp(),
            client: "git tcr".into(),
            what: "the sealed config had been removed or replaced; it was put back".into(),
            cause: "seal".into(),
            only_observed: false,
        };
        spool::leave_denial(repo, &entry)?;
    }
    Ok(Found {
        sealed: load_from(repo, refs::CONFIG)?,
        was_put_back,
    })
}

/// The second line of every shim, by which it is known as ours.
const HOOK_MARK: &str = "\n# git-tcr:";

/// Whether a text is one of our shims, as it is or edited.
pub(crate) fn is_own_hook(text: &[u8]) -> bool {
    let mark = HOOK_MARK.as_bytes();
    text.windows(mark.len()).take(64).any(|part| part == mark)
}

/// Whether TCR was installed here and nothing is left that says how: our hooks are in place, and no
/// uninstall took the seal away.
pub(crate) fn is_missing(repo: &Repo) -> Result<bool> {
    let hook = repo
        .common_dir()
        .join("hooks")
        .join("reference-transaction");
    let is_ours = std::fs::read(hook).is_ok_and(|text| is_own_hook(&text));
    Ok(is_ours && refs::read(repo, refs::RETIRED_CONFIG)?.is_none())
}

/// Reads a sealed config from another ref: somebody else's.
pub(crate) fn load_from(repo: &Repo, name: &str) -> Result<Option<Sealed>> {
    let tip = refs::read(repo, name)?;
    tip.map(|tip| sealed_at(repo, name, tip)).transpose()
}

fn sealed_at(repo: &Repo, name: &str, tip: gix::ObjectId) -> Result<Sealed> {
    let json = objects::file_in_commit(repo, tip, CONFIG_FILE)
        .map_err(|error| Error::corrupt(name, error))?
        .ok_or_else(|| Error::corrupt(name, format!("`{CONFIG_FILE}` is missing")))?;
    let config = serde_json::from_slice(&json).map_err(|error| Error::corrupt(name, error))?;
    Ok(Sealed { tip, config })
}

/// Reads the sealed config of a repository where TCR is installed.
pub(crate) fn require(repo: &Repo) -> Result<Sealed> {
    load(repo)?.ok_or(Error::NotInstalled)
}

/// The project's config file: as it is now, or as a commit has it.
pub(crate) fn project_file(repo: &Repo, commit: Option<&str>) -> Result<Option<Layer>> {
    let path = repo.root().join(FILE);
    let Some(commit) = commit else {
        return layer(path);
    };
    let args = ["cat-file", "blob", &format!("{commit}:{FILE}")];
    let bytes = git(repo.root(), &args, b"").map_err(|_| Error::NoConfigIn {
        commit: commit.to_owned(),
        file: FILE.to_owned(),
    })?;
    Ok(Some(Layer { path, bytes }))
}

/// Where a person's own defaults are.
pub(crate) fn user_file() -> Option<std::path::PathBuf> {
    let home = crate::env_vars::config_home()?;
    Some(home.join("git-tcr").join("config.toml"))
}

/// The config of a person and a project together.
pub(crate) fn merged(project: Option<Layer>) -> Result<Config> {
    let user = match user_file() {
        Some(file) => layer(file)?,
        None => None,
    };
    Ok(Config::from_layers(user, project)?)
}

/// The config as its files have it now.
pub(crate) fn from_files(repo: &Repo) -> Result<Config> {
    merged(project_file(repo, None)?)
}

fn layer(path: std::path::PathBuf) -> Result<Option<Layer>> {
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(Layer { path, bytes })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", &path, error)),
    }
}

/// The text of `.tcr.toml` that was accepted.
pub(crate) fn accepted_text(repo: &Repo, sealed: &Sealed) -> Result<Option<Vec<u8>>> {
    objects::file_in_commit(repo, sealed.tip, ACCEPTED_TEXT)
}

/// Whether `.tcr.toml` is no longer the text that was accepted.
pub(crate) fn differs_from_file(repo: &Repo, sealed: &Sealed) -> Result<bool> {
    let accepted = accepted_text(repo, sealed)?;
    let path = repo.root().join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(accepted.as_deref() != Some(&bytes[..])),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(accepted.is_some()),
        Err(error) => Err(Error::io("read", &path, error)),
    }
}

/// Whether `.tcr.toml` was written by `install` and is as it was written: kept out of git by a line
/// that `install` added.
pub(crate) fn wrote_file(repo: &Repo, sealed: &Sealed) -> Result<bool> {
    let excludes = repo.common_dir().join("info").join("exclude");
    let text = std::fs::read_to_string(excludes).unwrap_or_default();
    let is_excluded = text.lines().any(|line| line == format!("/{FILE}"));
    Ok(is_excluded && repo.root().join(FILE).exists() && !differs_from_file(repo, sealed)?)
}

/// What `install` put in place, beside the git hooks themselves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Installed {
    /// Where our git hooks are.
    #[serde(default)]
    pub(crate) git_hooks: Option<HooksPlace>,
    /// The clients that have our hooks.
    #[serde(default)]
    pub(crate) clients: Vec<InstalledClient>,
    /// The program that hooks call.
    #[serde(default)]
    pub(crate) program: Option<std::path::PathBuf>,
    /// What a later version may have added.
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

/// Where our hooks are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HooksPlace {
    /// In the repository's own folder, in the place of hooks that are kept beside them.
    InPlace,
    /// In a folder of our own, because the one in use is shared with other people or repositories.
    OwnFolder(OwnFolder),
}

/// A folder of our own that `core.hooksPath` names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnFolder {
    /// The value is in the config of one worktree.
    pub(crate) of_worktree: bool,
    /// What the value was in that config.
    pub(crate) before: Option<String>,
    /// The folder in use before; a relative one is looked for where the hook runs, as git does.
    pub(crate) passes_on_to: String,
}

/// A client that has our hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InstalledClient {
    /// Its name.
    pub(crate) name: String,
    /// Whose installation it is.
    pub(crate) scope: Scope,
}

/// The text of each git hook, by its name.
pub(crate) type HookTexts = BTreeMap<String, String>;

/// What `install` put in place.
pub(crate) fn installed(repo: &Repo, sealed: &Sealed) -> Result<Installed> {
    let json = objects::file_in_commit(repo, sealed.tip, INSTALLED_FILE)?;
    let Some(json) = json else {
        return Ok(Installed::default());
    };
    serde_json::from_slice(&json).map_err(|error| Error::corrupt(refs::CONFIG, error))
}

/// The git hooks that `install` put in place, by name.
pub(crate) fn git_hooks(repo: &Repo, sealed: &Sealed) -> Result<Vec<(String, Leaf)>> {
    let reading = "read the sealed hooks";
    let tree = repo.gix.find_tree(repo.tree_of(sealed.tip)?);
    let tree = tree.doing(reading)?;
    let Some(folder) = tree.find_entry(HOOKS_FOLDER) else {
        return Ok(Vec::new());
    };
    let folder = folder.object().doing(reading)?.into_tree();
    let mut found = Vec::new();
    for entry in folder.iter() {
        let entry = entry.doing(reading)?;
        let leaf = Leaf {
            kind: entry.kind(),
            id: entry.object_id(),
        };
        found.push((entry.filename().to_str_lossy().into_owned(), leaf));
    }
    Ok(found)
}

type Entry = (String, EntryKind, gix::ObjectId);

/// Writes a new link of the config chain; `None` if nothing changed.
pub(crate) fn seal(
    repo: &Repo,
    (config, text): (&Config, Option<&[u8]>),
    (installed, hooks): (&Installed, &HookTexts),
    before: Option<&Sealed>,
) -> Result<Option<Move>> {
    let json =
        serde_json::to_vec_pretty(config).map_err(|_| Error::internal("the config is not JSON"))?;
    let mut entries = vec![(
        CONFIG_FILE.into(),
        EntryKind::Blob,
        objects::blob(repo, &json)?,
    )];
    if let Some(text) = text {
        let text = objects::blob(repo, text)?;
        entries.push((ACCEPTED_TEXT.into(), EntryKind::Blob, text));
    }
    entries.extend(installed_entries(repo, installed, hooks)?);
    link(repo, &entries, before, "seal the config\n")
}

/// The same config, with other things in place.
pub(crate) fn seal_installed(
    repo: &Repo,
    (installed, hooks): (&Installed, &HookTexts),
    before: &Sealed,
) -> Result<Option<Move>> {
    let tree = repo.tree_of(before.tip)?;
    let mut entries = Vec::new();
    for name in [CONFIG_FILE, ACCEPTED_TEXT] {
        if let Some(leaf) = trees::lookup(repo, tree, name.into())? {
            entries.push((name.to_owned(), leaf.kind, leaf.id));
        }
    }
    entries.extend(installed_entries(repo, installed, hooks)?);
    link(repo, &entries, Some(before), "seal the hooks\n")
}

fn installed_entries(repo: &Repo, installed: &Installed, hooks: &HookTexts) -> Result<Vec<Entry>> {
    let json = serde_json::to_vec_pretty(installed)
        .map_err(|_| Error::internal("what is installed is not JSON"))?;
    let json = objects::blob(repo, &json)?;
    let mut entries = vec![(INSTALLED_FILE.to_owned(), EntryKind::Blob, json)];
    for (name, text) in hooks {
        let text = objects::blob(repo, text.as_bytes())?;
        let path = format!("{HOOKS_FOLDER}/{name}");
        entries.push((path, EntryKind::BlobExecutable, text));
    }
    Ok(entries)
}

fn link(
    repo: &Repo,
    entries: &[Entry],
    before: Option<&Sealed>,
    message: &str,
) -> Result<Option<Move>> {
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, kind, id)| (name.as_str(), *kind, *id))
        .collect();
    let tree = objects::tree(repo, &entries)?;
    if let Some(before) = before
        && repo.tree_of(before.tip)? == tree
    {
        return Ok(None);
    }
    let parent = match before {
        Some(sealed) => Some(sealed.tip),
        // The chain goes on where an uninstall has left it.
        None => refs::read(repo, refs::RETIRED_CONFIG)?,
    };
    let parents: Vec<_> = parent.into_iter().collect();
    let commit = objects::commit(repo, tree, &parents, message)?;
    Ok(Some(Move {
        name: refs::CONFIG.into(),
        old: before.map(|sealed| Pointer::object(sealed.tip)),
        new: Some(Pointer::object(commit)),
    }))
}
