//! The config that a person accepted: the only one that is obeyed.

use gix::objs::tree::EntryKind;

use crate::config::{Config, Layer};
use crate::effects::git::objects;
use crate::effects::git::refs::{self, Move, Pointer};
use crate::effects::git::repo::Repo;
use crate::error::{Error, Result};

/// The project's config file.
pub(crate) const FILE: &str = ".tcr.toml";
const CONFIG_FILE: &str = "config.json";
const ACCEPTED_TEXT: &str = "tcr.toml";

/// The accepted config and where it was read from.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) tip: gix::ObjectId,
    pub(crate) config: Config,
}

/// Reads the sealed config.
pub(crate) fn load(repo: &Repo) -> Result<Option<Sealed>> {
    load_from(repo, refs::CONFIG)
}

/// Reads a sealed config from another ref: somebody else's.
pub(crate) fn load_from(repo: &Repo, name: &str) -> Result<Option<Sealed>> {
    let Some(tip) = refs::read(repo, name)? else {
        return Ok(None);
    };
    let corrupt = |why: String| Error::Corrupt {
        what: name.into(),
        why,
    };
    let json = objects::file_in_commit(repo, tip, CONFIG_FILE)
        .map_err(|error| corrupt(error.to_string()))?
        .ok_or_else(|| corrupt(format!("`{CONFIG_FILE}` is missing")))?;
    let config = serde_json::from_slice(&json).map_err(|error| corrupt(error.to_string()))?;
    Ok(Some(Sealed { tip, config }))
}

/// Reads the sealed config of a repository where TCR is installed.
pub(crate) fn require(repo: &Repo) -> Result<Sealed> {
    load(repo)?.ok_or(Error::NotInstalled)
}

/// The config as its files have it now.
pub(crate) fn from_files(repo: &Repo) -> Result<Config> {
    let project = layer(repo.root().join(FILE))?;
    let user = match crate::env_vars::config_home() {
        Some(home) => layer(home.join("git-tcr").join("config.toml"))?,
        None => None,
    };
    Ok(Config::from_layers(user, project)?)
}

fn layer(path: std::path::PathBuf) -> Result<Option<Layer>> {
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(Layer { path, bytes })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", &path, error)),
    }
}

/// Whether `.tcr.toml` is no longer the text that was accepted.
pub(crate) fn differs_from_file(repo: &Repo, sealed: &Sealed) -> Result<bool> {
    let accepted = objects::file_in_commit(repo, sealed.tip, ACCEPTED_TEXT)?;
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

/// Writes a new link of the config chain; `None` if nothing changed.
pub(crate) fn seal(repo: &Repo, config: &Config, before: Option<&Sealed>) -> Result<Option<Move>> {
    let json =
        serde_json::to_vec_pretty(config).map_err(|_| Error::internal("the config is not JSON"))?;
    let mut entries = vec![(CONFIG_FILE, EntryKind::Blob, objects::blob(repo, &json)?)];
    if let Ok(text) = std::fs::read(repo.root().join(FILE)) {
        entries.push((ACCEPTED_TEXT, EntryKind::Blob, objects::blob(repo, &text)?));
    }
    let tree = objects::tree(repo, &entries)?;
    if let Some(before) = before
        && repo.tree_of(before.tip)? == tree
    {
        return Ok(None);
    }
    let parents: Vec<_> = before.map(|sealed| sealed.tip).into_iter().collect();
    let commit = objects::commit(repo, tree, &parents, "seal the config\n")?;
    Ok(Some(Move {
        name: refs::CONFIG.into(),
        old: before.map(|sealed| Pointer::object(sealed.tip)),
        new: Some(Pointer::object(commit)),
    }))
}
