//! Our git hooks in a repository: planned, put in, taken out.

use std::collections::BTreeMap;

use crate::branch::sealed::{self, HookTexts, Installed, InstalledClient, Sealed};
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::error::{Error, Result};
use crate::git::ref_writer;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::install::files::git_hooks::files::{self, Found};
use crate::install::files::git_hooks::hooks_path::{self, Turn};
use crate::install::files::git_hooks::{self, HooksPlace, own_folder};
use crate::outcome::install::Disarmed;
use crate::this_process;

/// What is to be sealed as installed.
pub(crate) fn plan(
    repo: &Repo,
    clients: &[(Client, Scope)],
    before: Option<&Sealed>,
) -> Result<(Installed, HookTexts)> {
    let mut installed = match before {
        Some(before) => sealed::installed(repo, before)?,
        None => Installed::default(),
    };
    let place = hooks_path::wanted(repo, installed.git_hooks.as_ref());
    let texts = texts(repo, &place)?;
    installed.git_hooks = Some(place);
    installed.program = Some(super::program::lasting()?);
    for (client, scope) in clients {
        let name = client.name().to_owned();
        installed.clients.retain(|known| known.name != name);
        installed.clients.push(InstalledClient {
            name,
            scope: *scope,
        });
    }
    Ok((installed, texts))
}

fn texts(repo: &Repo, place: &HooksPlace) -> Result<HookTexts> {
    let program = this_process::program()?;
    Ok(git_hooks::shims(place, &program, repo.root()))
}

/// What is not as `install` left it.
pub(crate) fn look(repo: &Repo, sealed: &Sealed) -> Result<Vec<Disarmed>> {
    let Some(place) = sealed::installed(repo, sealed)?.git_hooks else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    match hooks_path::look(repo, &place) {
        Turn::AsItShouldBe => {}
        Turn::Back(now) => found.push(Disarmed::HooksPath(now)),
        Turn::Adopt(now, _) => {
            found.push(Disarmed::NewHooksPath(now));
            // The hooks move: how they were where they are does not matter.
            return Ok(found);
        }
    }
    let folder = place.folder(repo);
    let kind = repo.gix.object_hash();
    for (name, leaf) in sealed::git_hooks(repo, sealed)? {
        let is_wanted = |text: &[u8]| {
            gix::objs::compute_hash(kind, gix::objs::Kind::Blob, text).is_ok_and(|id| id == leaf.id)
        };
        match files::look(&folder.join(&name), is_wanted)? {
            Found::Ours => {}
            Found::NotExecutable => found.push(Disarmed::NotExecutable(name)),
            Found::Nothing => found.push(Disarmed::Missing(name)),
            Found::Edited(text) => found.push(Disarmed::Edited(name, text)),
            Found::Foreign => found.push(Disarmed::Replaced(name)),
        }
    }
    Ok(found)
}

/// Puts back what [`look`] found.
pub(crate) fn bring_in_line(repo: &Repo, sealed: &Sealed, found: &[Disarmed]) -> Result<()> {
    let Some(place) = sealed::installed(repo, sealed)?.git_hooks else {
        return Ok(());
    };
    let mut set_path = false;
    for disarmed in found {
        match disarmed {
            Disarmed::NewHooksPath(_) => {
                return adopt(repo, sealed, &place);
            }
            Disarmed::HooksPath(_) => set_path = true,
            Disarmed::Missing(name)
            | Disarmed::Edited(name, _)
            | Disarmed::NotExecutable(name)
            | Disarmed::Replaced(name) => put(repo, sealed, &place, name)?,
        }
    }
    // Git looks there only when everything is there.
    if set_path {
        hooks_path::set(repo, &place)?;
    }
    Ok(())
}

fn put(repo: &Repo, sealed: &Sealed, place: &HooksPlace, name: &str) -> Result<()> {
    let hooks: BTreeMap<_, _> = sealed::git_hooks(repo, sealed)?.into_iter().collect();
    if let Some(leaf) = hooks.get(name) {
        let text = trees::content(repo, *leaf)?;
        files::put(&place.folder(repo).join(name), &text)?;
    }
    Ok(())
}

/// Ours pass on to the hooks that are in use now.
fn adopt(repo: &Repo, sealed: &Sealed, old: &HooksPlace) -> Result<()> {
    let Turn::Adopt(_, new) = hooks_path::look(repo, old) else {
        return Ok(());
    };
    let mut installed = sealed::installed(repo, sealed)?;
    installed.git_hooks = Some(new.clone());
    let texts = texts(repo, &new)?;
    if let Some(link) = sealed::seal_installed(repo, (&installed, &texts), sealed)? {
        ref_writer::apply(repo, &[link], "git tcr")?;
    }
    for (name, text) in &texts {
        files::put(&new.folder(repo).join(name), text.as_bytes())?;
    }
    hooks_path::set(repo, &new)?;
    match (old, &new) {
        (HooksPlace::InPlace, HooksPlace::OwnFolder(_)) => take_away_in_place(repo),
        (HooksPlace::OwnFolder(_), HooksPlace::InPlace) => remove_own_folder(repo),
        _ => Ok(()),
    }
}

/// Takes our git hooks out; what was there before is there again.
pub(crate) fn take_out(repo: &Repo, sealed: &Sealed) -> Result<()> {
    match sealed::installed(repo, sealed)?.git_hooks {
        None => Ok(()),
        Some(HooksPlace::InPlace) => take_away_in_place(repo),
        Some(HooksPlace::OwnFolder(folder)) => {
            hooks_path::set_back(repo, &folder)?;
            remove_own_folder(repo)
        }
    }
}

fn remove_own_folder(repo: &Repo) -> Result<()> {
    let own = own_folder(repo);
    match std::fs::remove_dir_all(&own) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove", &own, error))
        }
        _ => Ok(()),
    }
}

fn take_away_in_place(repo: &Repo) -> Result<()> {
    let folder = HooksPlace::InPlace.folder(repo);
    for name in git_hooks::OWN {
        files::take_away(&folder.join(name))?;
    }
    Ok(())
}
