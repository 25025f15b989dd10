//! What the gate may look at: files, links, environment and git aliases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

use crate::clients;
use crate::command_line::ShellContext;
use crate::env_vars;
use crate::git::repo::Repo;

/// Larger files are not read by the gate, which has milliseconds; the loop judges them.
const READABLE: u64 = 4 * 1024 * 1024;

/// Files of a folder that are looked at to tell what it holds.
const MAX_FILES: usize = 100;

/// The repository as a tool call in `cwd` would find it.
pub(super) struct World<'a> {
    repo: &'a Repo,
    cwd: PathBuf,
}

impl<'a> World<'a> {
    pub(super) fn new(repo: &'a Repo, cwd: &Path) -> World<'a> {
        World {
            repo,
            cwd: match cwd == repo.root() {
                true => cwd.to_owned(),
                false => cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned()),
            },
        }
    }

    /// A path as the client gave it: absolute, with `~`, dots and links resolved.
    pub(super) fn resolve(&self, path: &str) -> PathBuf {
        self.with_context(|context| crate::command_line::resolve(path, context))
    }

    /// The content of a file, if it is there and not too large.
    pub(super) fn content(&self, path: &Path) -> Option<Vec<u8>> {
        content(path)
    }

    /// The files directly in a folder.
    pub(super) fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .take(MAX_FILES)
            .collect()
    }

    pub(super) fn with_context<T>(&self, use_it: impl FnOnce(&ShellContext<'_>) -> T) -> T {
        let home = env_vars::home();
        let config = self.repo.gix.config_snapshot();
        use_it(&ShellContext {
            cwd: &self.cwd,
            repo_root: self.repo.root(),
            home: home.as_deref(),
            variables: &|name| env_vars::value(name),
            is_dir: &|path| path.is_dir(),
            list: &|path| {
                std::fs::read_dir(path)
                    .map(|items| items.flatten().map(|item| item.file_name()).collect())
                    .unwrap_or_default()
            },
            read: &|path| {
                self.content(path)
                    .and_then(|bytes| String::from_utf8(bytes).ok())
            },
            git_alias: &|name| {
                let key = format!("alias.{name}");
                config
                    .string(key.as_str())
                    .map(|alias| alias.to_str_lossy().into_owned())
            },
            resolve_link: &|path| std::fs::read_link(path).ok(),
        })
    }
}

/// The content of a file, if it is there and not too large.
pub(super) fn content(path: &Path) -> Option<Vec<u8>> {
    let metadata = path.metadata().ok()?;
    (metadata.is_file() && metadata.len() <= READABLE).then(|| std::fs::read(path).ok())?
}

/// Git's own settings below a user's home, which say where hooks are.
const GIT_FILES: &[&str] = &[".gitconfig", ".config/git/config"];

/// These and the clients' hook files. A trailing `/` stands for all that is below.
fn below_home() -> impl Iterator<Item = &'static str> {
    GIT_FILES.iter().copied().chain(clients::guarded_files())
}

/// Where git-tcr and git keep the user's settings.
fn own_config() -> Option<[PathBuf; 2]> {
    env_vars::config_home().map(|config| [config.join("git-tcr"), config.join("git/config")])
}

/// Whether a folder outside the repository is around such files: with it they would go.
pub(super) fn holds_guarded_elsewhere(path: &Path) -> bool {
    let Some(home) = env_vars::home() else {
        return false;
    };
    let real = gix::path::realpath(&home).unwrap_or_else(|_| home.clone());
    let own = own_config().into_iter().flatten();
    let in_home = below_home().flat_map(|file| [home.join(file), real.join(file)]);
    in_home.chain(own).any(|file| file.starts_with(path))
}

/// Where files are guarded, with and without links: git's own folders, and outside the repository what
/// switches TCR off or on: our own config and program, git's own settings, and the clients'
/// user-level hook files.
pub(super) struct Guarded {
    folders: BTreeSet<PathBuf>,
    /// The path that is asked about is without links, the home need not be.
    homes: BTreeSet<PathBuf>,
}

impl Guarded {
    pub(super) fn around(repo: &Repo) -> Guarded {
        let git = [repo.git_dir(), repo.common_dir()].map(Path::to_owned);
        let own = own_config().into_iter().flatten();
        let with_real = |path: PathBuf| {
            let real = gix::path::realpath(&path).ok();
            [Some(path), real].into_iter().flatten()
        };
        let folders: BTreeSet<PathBuf> = git.into_iter().chain(own).collect();
        Guarded {
            folders: folders.into_iter().flat_map(with_real).collect(),
            homes: env_vars::home().into_iter().flat_map(with_real).collect(),
        }
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        let is_program =
            || path.file_name().is_some_and(|name| name == "git-tcr") && !path.is_dir();
        let is_below = |home: &PathBuf| {
            path.strip_prefix(home).is_ok_and(|below| {
                below_home().any(|guarded| match guarded.strip_suffix('/') {
                    Some(folder) => below.starts_with(folder),
                    None => below == Path::new(guarded),
                })
            })
        };
        self.folders.iter().any(|folder| path.starts_with(folder))
            || is_program()
            || self.homes.iter().any(is_below)
    }
}
