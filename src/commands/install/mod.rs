//! `git tcr install`

mod ask;
mod next_command;
mod offer;
mod preview;

use clap::Args;
use std::path::PathBuf;

use gix::bstr::ByteSlice;
use serde_json::{Map, Value, json};

use self::offer::Offer;
use super::live::Live;
use super::{man, open, print};
use crate::branch::off::{Off, off_by_config, why_off};
use crate::branch::place::{self, Place};
use crate::branch::repair;
use crate::branch::sealed::Sealed;
use crate::branch::stand_aside;
use crate::branch::transaction;
use crate::branch::{Loaded, mend, sealed};
use crate::clients::Client;
use crate::clients::Trust;
use crate::clients::places::Scope;
use crate::config::{self, Config, KeyChange};
use crate::env_vars;
use crate::error::{Error, ExitStatus, Result};
use crate::fault;
use crate::git::known_tips;
use crate::git::repo::Repo;
use crate::git::{identity, ref_writer, refs};
use crate::install::{git_hooks, put_back, worktrees};
use crate::message;
use crate::message::install::{Installed, PutInPlace, Standing};
use crate::step::activate;

/// `install`
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Put hooks in for this client; may be given several times. By default for all that are in use.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) client: Vec<Client>,
    /// Put the hooks into files that are committed, for all who clone the repository.
    #[arg(long, conflicts_with = "global")]
    pub(crate) shared: bool,
    /// Put the hooks into the clients' user-level files; they act only where TCR is installed.
    #[arg(long)]
    pub(crate) global: bool,
    /// Take `.tcr.toml` as this commit or branch has it, instead of the one in the worktree.
    #[arg(long, value_name = "REF")]
    pub(crate) config_from: Option<String>,
    /// Put the roles of a spec cycle in place, as sub-agents of the clients that have them,
    /// and the command `/tcr` that walks it.
    #[arg(long)]
    pub(crate) roles: bool,
    /// Ask nothing; fail where an answer would be needed.
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show what would be done, and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `grammar` is that of all commands, for the manual pages.
pub(crate) fn install(args: &InstallArgs, grammar: fn() -> clap::Command) -> Result<ExitStatus> {
    open::people_only("install")?;
    let repo = open::repository()?;
    let mut live = Live::new(args.json);
    identity::committer(&repo)?;
    if !args.dry_run {
        repair::clear_the_way(&repo)?;
        known_tips::forget_lost(&repo)?;
    }
    // Before anything is shown or asked: there has to be a branch to work on.
    repo.head()?;
    let first = Offer::find(&repo, args)?;
    let choice = chosen(&repo, args)?;
    if let Some(status) = previewed(&repo, args, &first, &choice)? {
        return Ok(status);
    }
    let _lock = open::lock(&repo, &mut live)?;
    transaction::finish_pending(&repo)?;
    let mended = mend::mend(&repo)?;
    let place = place::locate(&repo)?;
    stand_aside::check(&repo, &place)?;
    check_way(&repo, &first.config, &place)?;
    first.write(&repo)?;
    let (resealed, changes) = accept(&repo, &first, &choice)?;
    let mut standing = make_active(&repo, args, &first.config, &place, &mut live)?;
    let works = next_command::find(&repo, &first, &standing, &mut live)?;
    let (tried, offer) = match &works {
        Some((tried, next)) => {
            next.write(&repo)?;
            accept(&repo, next, &choice)?;
            let place = place::locate(&repo)?;
            standing = activated(&repo, args, &next.config, &place, &mut live)?;
            (tried.as_slice(), next)
        }
        None => (&[][..], &first),
    };
    let put = put_in_place(&repo, args, &choice, grammar)?;
    let (off, next_step) = what_follows(&repo, &offer.config)?;
    let done = Installed {
        base: place.base.to_string(),
        mended,
        config: &offer.config,
        detected: offer.detected.as_ref(),
        tried,
        wrote_config: offer.is_first,
        absent: absent_projects(&repo, &offer.config),
        resealed,
        changes,
        standing,
        off,
        put,
        next_step,
    };
    if args.json {
        print::json(&as_json(&done))?;
    } else {
        print::message(&message::install::installed(&done))?;
    }
    Ok(ExitStatus::Done)
}

/// What keeps git tcr from acting on the branch; what comes next if nothing does.
fn what_follows(repo: &Repo, config: &Config) -> Result<(Option<Off>, Option<String>)> {
    let place = place::locate(repo)?;
    let base = place.base.as_bstr();
    let Some(Loaded { state, .. }) = &place.loaded else {
        return Ok((off_by_config(config, base), None));
    };
    Ok(match why_off(state, config, base) {
        Some(off) => (Some(off), None),
        None => {
            let mode = state.mode.unwrap_or(config.mode);
            (None, Some(message::spec::next_in_mode(state, mode, false)))
        }
    })
}

/// Projects whose folder is not there: mistyped, or not made yet.
fn absent_projects(repo: &Repo, config: &Config) -> Vec<String> {
    let paths = config.projects.iter().map(|project| &project.path);
    let is_absent = |path: &&String| !repo.root().join(path).is_dir();
    paths.filter(is_absent).cloned().collect()
}

/// Shows what would be done, where that is wanted; a status if that is all that is done.
fn previewed(
    repo: &Repo,
    args: &InstallArgs,
    offer: &Offer,
    choice: &[(Client, Scope)],
) -> Result<Option<ExitStatus>> {
    if !args.dry_run && !ask::asks(args) {
        return Ok(None);
    }
    preview::of(repo, args, offer, choice)?.show(args.json)?;
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
fn check_way(repo: &Repo, config: &Config, place: &Place) -> Result<()> {
    if is_active(place) || off_by_config(config, place.base.as_bstr()).is_some() {
        return Ok(());
    }
    activate::check_way(repo, place)
}

fn is_active(place: &Place) -> bool {
    let loaded = place.loaded.as_ref();
    loaded.is_some_and(|loaded| loaded.state.enabled)
}

/// Seals the config; whether anything differs from what was sealed before, and which keys do.
fn accept(
    repo: &Repo,
    offer: &Offer,
    choice: &[(Client, Scope)],
) -> Result<(bool, Vec<KeyChange>)> {
    let usable = with_hooks(repo, &offer.config, choice)?;
    let before = sealed::load(repo).or_else(|error| match error {
        // A sealed config that can't be read is replaced: that is what installing again is for.
        Error::Corrupt { .. } => Ok(None),
        other => Err(other),
    })?;
    let changes = before
        .as_ref()
        .map(|before| config::changes(&before.config, &offer.config));
    let resealed = seal(repo, offer, &usable, before.as_ref())?;
    Ok((resealed, changes.unwrap_or_default()))
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
    if off_by_config(config, place.base.as_bstr()).is_some() {
        return Ok(Standing::NotActive);
    }
    activated(repo, args, config, place, live)
}

fn activated<'a>(
    repo: &'a Repo,
    args: &InstallArgs,
    config: &'a Config,
    place: &Place,
    live: &mut Live,
) -> Result<Standing<'a>> {
    let large = args.yes || ask::confirmed_large(repo, config, place)?;
    let activated = activate::activate(repo, config, place, None, large, live)?;
    Ok(Standing::Activated(Box::new(activated)))
}

/// The clients that get hooks, and in whose files. Where a team has committed them, theirs are used.
fn chosen(repo: &Repo, args: &InstallArgs) -> Result<Vec<(Client, Scope)>> {
    let clients: Vec<Client> = if args.client.is_empty() {
        let found = crate::install::clients_in_use(repo).into_iter();
        found.map(|(client, _)| client).collect()
    } else {
        args.client.clone()
    };
    let mut chosen = Vec::new();
    for client in clients {
        let scope = match (args.shared, args.global) {
            (true, _) => Scope::Shared,
            (false, true) => Scope::Global,
            (false, false) if crate::install::are_committed(repo, client, Scope::Shared)? => {
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
        if crate::install::plan_file(repo, config, *client, *scope)?
            .text
            .is_ok()
        {
            usable.push((*client, *scope));
        }
    }
    Ok(usable)
}

/// Puts hooks and manual pages where they belong.
fn put_in_place(
    repo: &Repo,
    args: &InstallArgs,
    choice: &[(Client, Scope)],
    grammar: fn() -> clap::Command,
) -> Result<PutInPlace> {
    let sealed = sealed::require(repo)?;
    let disarmed = git_hooks::look(repo, &sealed)?;
    git_hooks::bring_in_line(repo, &sealed, &disarmed)?;
    let git_hooks = sealed::installed(repo, &sealed)?.git_hooks;
    let mut clients = Vec::new();
    for (client, scope) in choice {
        crate::install::leave_other_files(repo, *client, *scope)?;
        let put = crate::install::put_in(repo, &sealed.config, *client, *scope)?;
        clients.push((*scope, put));
    }
    let looked = crate::install::look(repo, &sealed)?.into_iter();
    let untrusted = looked.filter(|looked| looked.trust == Trust::Missing);
    let untrusted = untrusted.map(|looked| looked.client).collect();
    let roles = match args.roles {
        true => crate::install::roles::put_in(repo, choice)?,
        false => Vec::new(),
    };
    crate::install::program::put(repo, &sealed)?;
    for other in worktrees::others(repo)? {
        put_back::put_clients_in(&other, &sealed)?;
    }
    Ok(PutInPlace {
        git_hooks: git_hooks.map(|place| place.folder(repo).display().to_string()),
        clients,
        roles,
        untrusted,
        manual: manual(grammar),
    })
}

/// Puts the manual pages in place. Nothing depends on them.
fn manual(grammar: fn() -> clap::Command) -> Option<PathBuf> {
    if env_vars::is_demo() {
        return None;
    }
    man::put(None, grammar()).ok().map(|(_, folder)| folder)
}

fn as_json(done: &Installed<'_>) -> Map<String, Value> {
    let mut facts = Map::new();
    let mut fact = |name: &str, value: Value| facts.insert(name.into(), value);
    fact("action", json!("install"));
    fact("base", json!(done.base));
    fact("sealed", json!(done.resealed));
    fact(
        "off",
        json!(done.off.map(|off| message::phase::off(off, &done.base).0)),
    );
    fact("config_changes", json!(done.changes));
    fact(
        "test",
        json!(done.config.test.as_ref().map(ToString::to_string)),
    );
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

fn seal(
    repo: &Repo,
    offer: &Offer,
    choice: &[(Client, Scope)],
    before: Option<&Sealed>,
) -> Result<bool> {
    let (installed, hooks) = git_hooks::plan(repo, choice, before)?;
    let config = (&offer.config, offer.text.as_deref());
    let link = sealed::seal(repo, config, (&installed, &hooks), before)?;
    let Some(mut link) = link else {
        return Ok(false);
    };
    link.old = refs::current(repo, refs::CONFIG)?;
    ref_writer::apply(repo, &[link], "git tcr install")?;
    fault::point("config-sealed");
    Ok(true)
}
