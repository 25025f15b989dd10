//! `git tcr doctor`

use clap::Args;
use serde_json::json;

use super::{man, open, print};
use crate::branch::sealed::{self, Sealed};
use crate::branch::{place, repair};
use crate::clients::Trust;
use crate::config::{CommandLine, KeyChange, changes};
use crate::error::{ExitStatus, Result};
use crate::git::repo::Repo;
use crate::git::{identity, shelf};
use crate::install::self_test;
use crate::install::{Looked, git_hooks};
use crate::message::doctor::{self as words, Checkup};
use crate::outcome::install::Answer;
use crate::rules::Mode;

/// `doctor`
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DoctorArgs {
    /// Fail unless a denial was seen through the installed hooks of a client.
    #[arg(long)]
    pub(crate) require: bool,
    /// Put right what can be put right: refs of git tcr that can't be read, and what is in the way of its
    /// files.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn doctor(args: DoctorArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let fixed = match args.fix {
        true => {
            open::people_only("doctor --fix")?;
            repair::repair(&repo)?
        }
        false => Vec::new(),
    };
    let mut checkups: Vec<Checkup> = fixed.iter().map(|what| words::fixed(what)).collect();
    checkups.extend([
        words::identity(identity::committer(&repo).err().as_ref()),
        words::program(which::which("git-tcr").ok().as_deref()),
        words::manual(man::is_there()),
    ]);
    let mut denial_seen = false;
    match sealed::load(&repo) {
        Ok(Some(sealed)) => {
            installed(&repo, &sealed, &mut checkups)?;
            checkups.extend(lab(&repo)?);
            denial_seen = self_test(&repo, &sealed, &mut checkups)?;
        }
        Ok(None) => checkups.push(words::not_installed()),
        Err(error) => checkups.push(words::config_unreadable(&error)),
    }
    if args.require && !denial_seen {
        checkups.push(words::no_denial_seen());
    }
    let findings = checkups
        .iter()
        .filter(|checkup| checkup.mend.is_some())
        .count();
    if args.json {
        let list: Vec<_> = checkups
            .iter()
            .map(|checkup| json!({"what": checkup.what, "ok": checkup.mend.is_none(), "mend": checkup.mend}))
            .collect();
        print::json(&json!({"findings": findings, "denial_seen": denial_seen, "checks": list}))?;
    } else {
        print::message(&words::report(&checkups, findings))?;
    }
    Ok(if findings == 0 {
        ExitStatus::Done
    } else {
        ExitStatus::No
    })
}

/// What the trial of the lab has shown on this branch.
fn lab(repo: &Repo) -> Result<Option<Checkup>> {
    // What can't be read is told with the branch.
    let Ok(place) = place::locate(repo) else {
        return Ok(None);
    };
    let tried = place.loaded.and_then(|loaded| loaded.state.lab);
    Ok(tried.map(|lab| words::lab(&lab)))
}

/// Whether the config is as accepted, and could be accepted again.
fn config(repo: &Repo, sealed: &Sealed) -> Result<Vec<Checkup>> {
    let differs = sealed::differs_from_file(repo, sealed)?;
    let mut checkups = vec![words::config(differs)];
    match sealed::from_files(repo) {
        Err(error) => checkups.push(words::config_refused(&error)),
        Ok(now) => {
            // A test command that nobody gave was detected.
            let is_known = |change: &KeyChange| change.key == "test" && change.after.is_null();
            let changes = changes(&sealed.config, &now);
            let defaults = sealed::user_file().filter(|_| !differs);
            if let Some(file) = defaults.filter(|_| !changes.iter().all(is_known)) {
                checkups.push(words::defaults(&file));
            }
        }
    }
    Ok(checkups)
}

fn installed(repo: &Repo, sealed: &Sealed, checkups: &mut Vec<Checkup>) -> Result<()> {
    checkups.push(words::installed());
    checkups.extend(config(repo, sealed)?);
    checkups.push(test_command(sealed));
    let place = place::locate(repo);
    let state = place.and_then(|place| place.require().map(|loaded| loaded.state.clone()));
    if let Ok(state) = &state
        && let Some(results) = state.accepted_results().filter(|_| state.never_ran())
    {
        checkups.push(words::never_ran(&results.reason));
    }
    checkups.push(words::branch(state.map(|state| state.phase)));
    for file in shelf::kept(repo)? {
        checkups.push(words::kept_aside(&file));
    }
    for disarmed in git_hooks::look(repo, sealed)? {
        checkups.push(words::git_hook(&disarmed));
    }
    for looked in crate::install::look(repo, sealed)? {
        client(&looked, checkups);
    }
    for (client, sign) in crate::install::unguarded(repo, sealed)? {
        checkups.push(words::unguarded(client, sign));
    }
    Ok(())
}

fn client(looked: &Looked, checkups: &mut Vec<Checkup>) {
    let (client, file) = (looked.client, &looked.file);
    if looked.findings.is_empty() {
        checkups.push(words::client(client, file));
    }
    for finding in &looked.findings {
        checkups.push(words::client_finding(client, looked.scope, file, finding));
    }
    if looked.trust == Trust::Missing {
        checkups.push(words::untrusted(client));
    }
}

/// Forbidden acts through the hooks as they are; whether a client's hooks denied one.
fn self_test(repo: &Repo, sealed: &Sealed, checkups: &mut Vec<Checkup>) -> Result<bool> {
    checkups.push(words::git_tested(&self_test::of_git_hooks(repo)?));
    let mode = place::locate(repo).ok().and_then(|place| {
        let state = place.loaded?.state;
        Some(state.mode.unwrap_or(sealed.config.mode))
    });
    if mode.unwrap_or(sealed.config.mode) == Mode::Observe {
        checkups.push(words::nothing_denied_in_observe());
        return Ok(false);
    }
    let mut seen = false;
    for (client, scope, answer) in self_test::of_clients(repo, sealed)? {
        seen |= matches!(answer, Answer::Denied);
        checkups.push(words::client_tested(client, scope, &answer));
    }
    Ok(seen)
}

fn test_command(sealed: &Sealed) -> Checkup {
    match &sealed.config.test {
        Some(CommandLine::Args(args)) => match args.first() {
            Some(program) if which::which(program).is_err() => words::test_program_missing(program),
            _ => words::test_program_found(),
        },
        Some(CommandLine::Shell(line)) => words::test_command(line),
        None => words::test_per_project(),
    }
}
