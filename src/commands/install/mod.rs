//! `git tcr install`

mod ask;
mod first;
mod preview;

use std::path::PathBuf;

use gix::bstr::ByteSlice;
use serde_json::{Map, Value, json};

use self::first::First;
use super::live::Live;
use super::{man, open, print};
use crate::cli::InstallArgs;
use crate::config::Config;
use crate::effects::fault;
use crate::effects::git::repo::Repo;
use crate::effects::git::{identity, ref_writer, refs};
use crate::effects::install::clients::Scope;
use crate::effects::install::trust::Trust;
use crate::effects::transaction;
use crate::env_vars;
use crate::error::{Error, ExitStatus, Result};
use crate::event::Client;
use crate::installation::{self, git_hooks, put_back, worktrees};
use crate::journal::place::{self, Place};
use crate::journal::{Loaded, mend, sealed};
use crate::message;
use crate::message::install::{Installed, PutInPlace, Standing};
use crate::tcr_loop::off::{effective_mode, off_by_config};
use crate::tcr_loop::{activate, stand_aside};

pub(super) fn install(args: &InstallArgs) -> Result<ExitStatus> {
    open::people_only("install")?;
    let repo = open::repository()?;
    let mut live = Live::new(args.json);
    identity::committer(&repo)?;
    let first = First::find(&repo, args)?;
    let choice = chosen(&repo, args)?;
    if let Some(status) = previewed(&repo, args, first.as_ref(), &choice)? {
        return Ok(status);
    }
    let _lock = open::lock(&repo, &mut live)?;
    transaction::finish_pending(&repo)?;
    let mended = mend::mend(&repo)?;
    let place = place::locate(&repo)?;
    stand_aside::check(&repo, &place)?;
    check_way(&repo, args, &place)?;
    if let Some(first) = &first {
        first.write(&repo)?;
    }
    let (config, resealed) = accept(&repo, args, &choice)?;
    let done = Installed {
        base: place.base.to_string(),
        mended,
        first: first.as_ref().map(|first| &first.detected),
        resealed,
        standing: make_active(&repo, args, &config, &place, &mut live)?,
        put: put_in_place(&repo, args, &choice)?,
        next_step: next_step(&repo, &config)?,
    };
    if args.json {
        print::json(&as_json(&done))?;
    } else {
        print::message(&message::install::installed(&done))?;
    }
    Ok(ExitStatus::Done)
}

/// What comes next on the branch, if it is active by now.
fn next_step(repo: &Repo, config: &Config) -> Result<Option<String>> {
    let place = place::locate(repo)?;
    let next = |loaded: &Loaded| {
        let mode = effective_mode(&loaded.state, config, place.base.as_bstr());
        message::spec::next_in_mode(&loaded.state, mode, false)
    };
    Ok(place.loaded.as_ref().map(next))
}

/// Shows what would be done, where that is wanted; a status if that is all that is done.
fn previewed(
    repo: &Repo,
    args: &InstallArgs,
    first: Option<&First>,
    choice: &[(Client, Scope)],
) -> Result<Option<ExitStatus>> {
    if !args.dry_run && !ask::asks(args) {
        return Ok(None);
    }
    preview::of(repo, args, first, choice)?.show(args.json)?;
    if args.dry_run {
        return Ok(Some(ExitStatus::Done));
    }
    if ask::agreed(message::install::go_on(), true)? {
        return Ok(None);
    }
    print::text(message::install::nothing_done())?;
    Ok(Some(ExitStatus::No))
}

/// Fails before anything is written if the branch could not become active.
fn check_way(repo: &Repo, args: &InstallArgs, place: &Place) -> Result<()> {
    let config = sealed::merged(sealed::project_file(repo, args.config_from.as_deref())?)?;
    if is_active(place) || off_by_config(&config, place.base.as_bstr()).is_some() {
        return Ok(());
    }
    activate::check_way(repo, place)
}

fn is_active(place: &Place) -> bool {
    let loaded = place.loaded.as_ref();
    loaded.is_some_and(|loaded| loaded.state.enabled)
}

/// Seals the config as it is now; whether it differs from what was sealed before.
fn accept(repo: &Repo, args: &InstallArgs, choice: &[(Client, Scope)]) -> Result<(Config, bool)> {
    let project = sealed::project_file(repo, args.config_from.as_deref())?;
    let text = project.as_ref().map(|layer| layer.bytes.clone());
    let config = sealed::merged(project)?;
    if config.test.is_none() && config.projects.iter().all(|project| project.test.is_none()) {
        return Err(Error::NoTestCommand);
    }
    let usable = with_hooks(repo, &config, choice)?;
    let resealed = seal(repo, (&config, text.as_deref()), &usable)?;
    Ok((config, resealed))
}

/// Makes git tcr active on the branch, if it is not and the config does not speak against it.
fn make_active<'a>(
    repo: &'a Repo,
    args: &InstallArgs,
    config: &'a Config,
    place: &Place,
    live: &mut Live,
) -> Result<Standing<'a>> {
    if is_active(place) {
        return Ok(Standing::ActiveBefore);
    }
    if let Some(off) = off_by_config(config, place.base.as_bstr()) {
        return Ok(Standing::Off(off));
    }
    let large = args.yes || ask::confirmed_large(repo, config, place)?;
    let activated = activate::activate(repo, config, place, None, large, live)?;
    Ok(Standing::Activated(Box::new(activated)))
}

/// The clients that get hooks, and in whose files. Where a team has committed them, theirs are used.
fn chosen(repo: &Repo, args: &InstallArgs) -> Result<Vec<(Client, Scope)>> {
    let clients: Vec<Client> = if args.client.is_empty() {
        let found = installation::clients_in_use(repo).into_iter();
        found.map(|(client, _)| client).collect()
    } else {
        args.client.iter().map(|client| (*client).into()).collect()
    };
    let mut chosen = Vec::new();
    for client in clients {
        let scope = match (args.shared, args.global) {
            (true, _) => Scope::Shared,
            (false, true) => Scope::Global,
            (false, false) if installation::are_committed(repo, client, Scope::Shared)? => {
                Scope::Shared
            }
            (false, false) => Scope::Personal,
        };
        chosen.push((client, scope));
    }
    Ok(chosen)
}

/// Those whose files can be used: a person's file that can't be is left alone, by the loop as well.
fn with_hooks(
    repo: &Repo,
    config: &Config,
    choice: &[(Client, Scope)],
) -> Result<Vec<(Client, Scope)>> {
    let mut usable = Vec::new();
    for (client, scope) in choice {
        if installation::plan_file(repo, config, *client, *scope)?
            .text
            .is_ok()
        {
            usable.push((*client, *scope));
        }
    }
    Ok(usable)
}

/// Puts hooks and manual pages where they belong.
fn put_in_place(repo: &Repo, args: &InstallArgs, choice: &[(Client, Scope)]) -> Result<PutInPlace> {
    let sealed = sealed::require(repo)?;
    let disarmed = git_hooks::look(repo, &sealed)?;
    git_hooks::bring_in_line(repo, &sealed, &disarmed)?;
    let git_hooks = sealed::installed(repo, &sealed)?.git_hooks;
    let mut clients = Vec::new();
    for (client, scope) in choice {
        installation::leave_other_files(repo, *client, *scope)?;
        let put = installation::put_in(repo, &sealed.config, *client, *scope)?;
        clients.push((*scope, put));
    }
    let looked = installation::look(repo, &sealed)?.into_iter();
    let untrusted = looked.filter(|looked| looked.trust == Trust::Missing);
    let untrusted = untrusted.map(|looked| looked.client).collect();
    let roles = match args.roles {
        true => installation::roles::put_in(repo, choice)?,
        false => Vec::new(),
    };
    for other in worktrees::others(repo)? {
        put_back::put_clients_in(&other, &sealed)?;
    }
    Ok(PutInPlace {
        git_hooks: git_hooks.map(|place| place.folder(repo).display().to_string()),
        clients,
        roles,
        untrusted,
        manual: manual(),
    })
}

/// Puts the manual pages in place. Nothing depends on them.
fn manual() -> Option<PathBuf> {
    if env_vars::is_demo() {
        return None;
    }
    man::put(None).ok().map(|(_, folder)| folder)
}

fn as_json(done: &Installed<'_>) -> Map<String, Value> {
    let mut facts = Map::new();
    let mut fact = |name: &str, value: Value| facts.insert(name.into(), value);
    fact("action", json!("install"));
    fact("base", json!(done.base));
    fact("sealed", json!(done.resealed));
    if let Standing::Activated(activated) = &done.standing {
        let (state, baseline) = (&activated.session.state, activated.baseline);
        fact("phase", json!(state.phase));
        fact("baseline", json!(baseline.map(|commit| commit.to_string())));
        fact("known_failures", json!(state.known_failures));
        fact("test_results", json!(activated.results));
    }
    if let Some(folder) = &done.put.git_hooks {
        fact("git_hooks", json!(folder));
    }
    let files = done.put.files().map(|file| file.file.display().to_string());
    fact("client_files", files.collect());
    facts
}

fn seal(repo: &Repo, config: (&Config, Option<&[u8]>), choice: &[(Client, Scope)]) -> Result<bool> {
    let before = sealed::load(repo).or_else(|error| match error {
        // A sealed config that can't be read is replaced: that is what installing again is for.
        Error::Corrupt { .. } => Ok(None),
        other => Err(other),
    })?;
    let (installed, hooks) = git_hooks::plan(repo, choice, before.as_ref())?;
    let link = sealed::seal(repo, config, (&installed, &hooks), before.as_ref())?;
    let Some(mut link) = link else {
        return Ok(false);
    };
    link.old = refs::current(repo, refs::CONFIG)?;
    ref_writer::apply(repo, &[link], "git tcr install")?;
    fault::point("config-sealed");
    Ok(true)
}
