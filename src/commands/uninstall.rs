//! `git tcr uninstall`

use clap::Args;
use serde_json::json;

use super::live::Live;
use super::{open, print};
use crate::branch::place;
use crate::branch::sealed;
use crate::branch::transaction;
use crate::clients::places::Scope;
use crate::error::{Error, ExitStatus, Result};
use crate::git::ref_writer;
use crate::git::refs::{self, Move};
use crate::git::repo::Repo;
use crate::install::files::exclude;
use crate::install::{git_hooks, worktrees};
use crate::lab::Lab;
use crate::message::uninstall::{Unsquashed, uninstalled};

/// `uninstall`
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct UninstallArgs {
    /// Also take the hooks out of the clients' user-level files, which other repositories may use.
    #[arg(long)]
    pub(crate) global: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn uninstall(args: UninstallArgs) -> Result<ExitStatus> {
    open::people_only("uninstall")?;
    let repo = open::repository()?;
    let _lock = open::lock(&repo, &mut Live::new(args.json))?;
    let sealed = sealed::require(&repo)?;
    transaction::finish_pending(&repo)?;
    // Hooks first: as long as they are there, they are ours to mend.
    let disarmed = git_hooks::look(&repo, &sealed)?;
    git_hooks::bring_in_line(&repo, &sealed, &disarmed)?;
    git_hooks::take_out(&repo, &sealed::require(&repo)?)?;
    let mut scopes = vec![Scope::Personal, Scope::Shared];
    if args.global {
        scopes.push(Scope::Global);
    }
    let mut files = crate::install::take_out(&repo, &sealed, &scopes)?;
    files.extend(crate::install::roles::take_out(&repo)?);
    for other in worktrees::others(&repo)? {
        files.extend(crate::install::take_out(&other, &sealed, &scopes)?);
    }
    let stays = crate::install::global_files(&repo, &sealed)?;
    let own_config = sealed::wrote_file(&repo, &sealed)?;
    if own_config {
        let path = repo.root().join(sealed::FILE);
        std::fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
    }
    exclude::take_out(&repo, sealed::FILE)?;
    retire_config(&repo)?;
    // What can't be removed is a cache of the user's, and harms nobody.
    drop(Lab::remove(repo.root(), &crate::env_vars::cache_folder()));
    if args.json {
        let files: Vec<String> = files
            .iter()
            .map(|file| file.file.display().to_string())
            .collect();
        print::json(&json!({"action": "uninstall", "files": files, "config_removed": own_config}))?;
    } else {
        print::message(&uninstalled(&files, &stays, unsquashed(&repo).as_ref()))?;
    }
    Ok(ExitStatus::Done)
}

/// Puts the sealed config out of force. The next one goes on from it, so nothing of it is lost.
fn retire_config(repo: &Repo) -> Result<()> {
    let config = refs::current(repo, refs::CONFIG)?;
    let moves = [
        Move {
            name: refs::RETIRED_CONFIG.into(),
            old: refs::current(repo, refs::RETIRED_CONFIG)?,
            new: config.clone(),
        },
        Move {
            name: refs::CONFIG.into(),
            old: config,
            new: None,
        },
    ];
    ref_writer::apply(repo, &moves, "git tcr uninstall")
}

/// Work on a WIP branch that HEAD is on; where HEAD is elsewhere, nobody needs to be told.
fn unsquashed(repo: &Repo) -> Option<Unsquashed> {
    let place = place::locate(repo).ok().filter(|place| place.on_wip)?;
    Some(Unsquashed {
        wip: refs::short(&place.wip).to_string(),
        base: place.base.to_string(),
    })
}
