//! `core.hooksPath`: who set it to what, and how it is set and set back.

use std::path::{Path, PathBuf};

use gix::config::Source;

use super::{HooksPlace, OwnFolder, files, own_folder};
use crate::env_vars;
use crate::error::{Error, Result};
use crate::git::command::{Hooks, git, git_with};
use crate::git::repo::Repo;

const KEY: &str = "core.hooksPath";

/// A value of `core.hooksPath`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Value {
    /// As it is written.
    pub(crate) raw: String,
    kept_in: KeptIn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeptIn {
    /// For all repositories, or in a file that the repository's config includes.
    Elsewhere,
    Repository,
    Worktree,
}

/// The values in the config files, the one that wins last.
pub(crate) fn values(repo: &Repo) -> Vec<Value> {
    let config = repo.gix.config_snapshot();
    let sections = config.plumbing().sections_by_name("core");
    let mut found = Vec::new();
    for section in sections.into_iter().flatten() {
        if section.header().subsection_name().is_some() {
            continue;
        }
        let Some(raw) = section.value("hooksPath") else {
            continue;
        };
        let meta = section.meta();
        let kept_in = match meta.source {
            // One command only: none of what stays.
            Source::Env | Source::Cli | Source::Api | Source::EnvOverride => continue,
            Source::Local if meta.level == 0 => KeptIn::Repository,
            Source::Worktree if meta.level == 0 => KeptIn::Worktree,
            Source::GitInstallation
            | Source::System
            | Source::Git
            | Source::User
            | Source::Local
            | Source::Worktree => KeptIn::Elsewhere,
        };
        found.push(Value {
            raw: raw.to_string(),
            kept_in,
        });
    }
    found
}

/// Where our hooks belong, as a person's config stands. `known` is where they were put before.
pub(crate) fn wanted(repo: &Repo, known: Option<&HooksPlace>) -> HooksPlace {
    let values = values(repo);
    let is_ours = |value: &&Value| Path::new(&value.raw) == own_folder(repo);
    match (values.last(), known) {
        (Some(winner), Some(HooksPlace::OwnFolder(folder)))
            if is_ours(&winner) && folder.before.is_some() =>
        {
            HooksPlace::OwnFolder(folder.clone())
        }
        _ => place_for(repo, values.iter().rev().find(|value| !is_ours(value))),
    }
}

fn place_for(repo: &Repo, value: Option<&Value>) -> HooksPlace {
    let Some(value) = value.filter(|value| !is_default(repo, value)) else {
        return match linked_folder(repo) {
            None => HooksPlace::InPlace,
            Some(folder) => HooksPlace::OwnFolder(OwnFolder {
                of_worktree: false,
                before: None,
                passes_on_to: folder.to_string_lossy().into_owned(),
            }),
        };
    };
    HooksPlace::OwnFolder(OwnFolder {
        of_worktree: value.kept_in == KeptIn::Worktree,
        before: (value.kept_in != KeptIn::Elsewhere).then(|| value.raw.clone()),
        passes_on_to: expanded(&value.raw),
    })
}

/// The repository's own folder, if it is a link to one that others may share.
fn linked_folder(repo: &Repo) -> Option<PathBuf> {
    let folder = repo.common_dir().join("hooks");
    folder.is_symlink().then(|| folder.canonicalize().ok())?
}

/// Whether a value only says what is so without it.
fn is_default(repo: &Repo, value: &Value) -> bool {
    let named = repo.root().join(expanded(&value.raw));
    let default = repo.common_dir().join("hooks");
    named.canonicalize().ok() == default.canonicalize().ok() && default.exists()
}

/// What has to be done so that git finds our hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Nothing.
    AsItShouldBe,
    /// The value was changed, and goes back.
    Back(Option<String>),
    /// Somebody else's hooks are in use now: ours pass on to them.
    Adopt(Option<String>, HooksPlace),
}

/// Compares the config with where our hooks are.
pub(crate) fn look(repo: &Repo, place: &HooksPlace) -> Turn {
    let values = values(repo);
    let winner = values.last();
    let now = winner.map(|value| value.raw.clone());
    match (place, winner) {
        (HooksPlace::InPlace, None) => Turn::AsItShouldBe,
        (HooksPlace::InPlace, Some(value)) if is_default(repo, value) => Turn::AsItShouldBe,
        (HooksPlace::OwnFolder(_), Some(value)) if Path::new(&value.raw) == own_folder(repo) => {
            Turn::AsItShouldBe
        }
        (HooksPlace::OwnFolder(folder), Some(value))
            if expanded(&value.raw) == folder.passes_on_to =>
        {
            Turn::Back(now)
        }
        (_, Some(value))
            if value.kept_in == KeptIn::Elsewhere || has_hooks(repo, &expanded(&value.raw)) =>
        {
            Turn::Adopt(now, place_for(repo, Some(value)))
        }
        // The tool that set the value was taken away.
        (HooksPlace::OwnFolder(folder), None)
            if folder.before.is_some() && !has_hooks(repo, &folder.passes_on_to) =>
        {
            Turn::Adopt(None, place_for(repo, None))
        }
        (HooksPlace::InPlace | HooksPlace::OwnFolder(_), _) => Turn::Back(now),
    }
}

fn has_hooks(repo: &Repo, folder: &str) -> bool {
    !files::hooks_in(&repo.root().join(folder)).is_empty()
}

/// Lets git look where our hooks are.
pub(crate) fn set(repo: &Repo, place: &HooksPlace) -> Result<()> {
    match place {
        HooksPlace::OwnFolder(folder) => {
            let value = own_folder(repo);
            write(repo, folder.of_worktree, Some(&value.to_string_lossy()))?;
        }
        HooksPlace::InPlace => {
            for value in values(repo) {
                match value.kept_in {
                    KeptIn::Repository => write(repo, false, None)?,
                    KeptIn::Worktree => write(repo, true, None)?,
                    KeptIn::Elsewhere => {}
                }
            }
        }
    }
    let found = git_finds(repo)?;
    let wanted = place.folder(repo);
    if found.canonicalize().ok() == wanted.canonicalize().ok() {
        return Ok(());
    }
    Err(Error::HooksElsewhere {
        folder: found,
        key: KEY.into(),
    })
}

/// Where git looks for hooks now.
fn git_finds(repo: &Repo) -> Result<PathBuf> {
    let args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
    let printed = git_with(repo.root(), Hooks::All, &args, b"")?;
    Ok(PathBuf::from(String::from_utf8_lossy(&printed).trim_end()))
}

/// Gives back the value that was there before, unless somebody has changed ours.
pub(crate) fn set_back(repo: &Repo, folder: &OwnFolder) -> Result<()> {
    let kept_in = match folder.of_worktree {
        true => KeptIn::Worktree,
        false => KeptIn::Repository,
    };
    let ours = own_folder(repo);
    let is_ours = |value: &Value| value.kept_in == kept_in && Path::new(&value.raw) == ours;
    if values(repo).iter().any(is_ours) {
        write(repo, folder.of_worktree, folder.before.as_deref())?;
    }
    Ok(())
}

fn write(repo: &Repo, of_worktree: bool, value: Option<&str>) -> Result<()> {
    let scope = if of_worktree { "--worktree" } else { "--local" };
    let args = match value {
        Some(value) => vec!["config", scope, KEY, value],
        None => vec!["config", scope, "--unset-all", KEY],
    };
    git(repo.root(), &args, b"").map(drop)
}

/// A path as git takes it: `~` is the home.
fn expanded(raw: &str) -> String {
    match (raw.strip_prefix("~/"), env_vars::home()) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => raw.to_owned(),
    }
}
