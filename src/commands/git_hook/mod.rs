//! `git tcr git-hook NAME …`: what git's hooks call.

mod by_hand;
mod push;
mod refs_move;

use clap::Args;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use gix::bstr::ByteSlice;

use super::open;
use crate::branch::place::{self, Place};
use crate::branch::sealed::{self, Sealed};
use crate::env_vars;
use crate::error::{Error, ExitStatus, Result};
use crate::git::repo::Repo;
use crate::install::{put_back, worktrees};
use crate::message::hooks;
use crate::message::refusals;

/// `git-hook`
#[derive(Debug, Args)]
pub(crate) struct GitHookArgs {
    /// The hook, as git calls it.
    pub(crate) name: String,
    /// What git gave to it.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
}

pub(crate) fn git_hook(args: &GitHookArgs) -> Result<ExitStatus> {
    let repo = match repository() {
        Ok(repo) => repo,
        // Hooks that several repositories share.
        Err(Error::NotARepository(_) | Error::Bare(_)) => return Ok(ExitStatus::Done),
        Err(error) => return Err(error),
    };
    match args.name.as_str() {
        "reference-transaction" => refs_move::check(&repo, &input()?)?,
        "pre-commit" => with_wip(&repo, by_hand::check_commit)?,
        "commit-msg" => with_wip(&repo, |repo, sealed, place| {
            by_hand::add_trailers(repo, sealed, place, args.args.first())
        })?,
        "pre-push" => push::check(&repo, &input()?)?,
        "pre-rebase" => pre_rebase(&repo, args.args.get(1))?,
        "post-checkout" => post_checkout(&repo, args.args.first()),
        other => return Err(refusals::unknown_git_hook(other)),
    }
    Ok(ExitStatus::Done)
}

/// The repository that git is at work on.
fn repository() -> Result<Repo> {
    let Some(dir) = env_vars::hook_git_dir() else {
        return open::repository();
    };
    // Git may give it as `.`, which tells nothing of what is above.
    let dir = dir.canonicalize().unwrap_or(dir);
    match Repo::discover(&dir) {
        // A git directory that lies apart does not know its worktree, where git runs the hook. A
        // bare one has its refs guarded too: agents work in worktrees of it.
        Err(Error::Bare(_)) => match open::repository() {
            Ok(here) if here.git_dir().canonicalize().is_ok_and(|its| its == dir) => Ok(here),
            _ => Repo::without_worktree(&dir),
        },
        found => found,
    }
}

/// What git gave to the hook on standard input.
fn input() -> Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", Path::new("standard input"), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Looks at what is done on the WIP branch; elsewhere nothing is asked, so that nothing can fail.
fn with_wip(repo: &Repo, check: impl FnOnce(&Repo, &Sealed, &Place) -> Result<()>) -> Result<()> {
    let head = match repo.head() {
        Ok(head) => head,
        Err(Error::Detached | Error::Unborn(_) | Error::StandAside(_)) => return Ok(()),
        Err(error) => return Err(error),
    };
    if !head.branch.as_bstr().starts_with(b"refs/heads/tcr/") || repo.in_progress().is_some() {
        return Ok(());
    }
    let Some(sealed) = sealed::load(repo)? else {
        return Ok(());
    };
    let place = place::locate(repo)?;
    match place.on_wip {
        true => check(repo, &sealed, &place),
        false => Ok(()),
    }
}

/// The branch is named if it is not the one checked out.
fn pre_rebase(repo: &Repo, branch: Option<&OsString>) -> Result<()> {
    let name = match branch {
        Some(branch) => format!("refs/heads/{}", branch.to_string_lossy()),
        None => match repo.head() {
            Ok(head) => head.branch.as_bstr().to_str_lossy().into_owned(),
            Err(_) => return Ok(()),
        },
    };
    if refs_move::is_wip(repo, &name) {
        return Err(hooks::rebase_of_wip(short(&name)));
    }
    Ok(())
}

/// A new linked worktree gets the files by which agents are held to the rules. Whatever goes wrong,
/// the checkout is done.
fn post_checkout(repo: &Repo, previous: Option<&OsString>) {
    let is_new = previous.is_some_and(|id| id.as_encoded_bytes().iter().all(|byte| *byte == b'0'));
    if !is_new || !worktrees::is_linked(repo) {
        return;
    }
    let put = sealed::load(repo).and_then(|sealed| match sealed {
        Some(sealed) => put_back::put_clients_in(repo, &sealed),
        None => Ok(()),
    });
    if let Err(error) = put {
        let text = crate::message::error(&error).plain();
        anstream::eprint!("{text}");
    }
}

fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}
