//! What was disarmed since `install`: noticed, kept as evidence, put back.

use std::path::PathBuf;

use gix::objs::tree::EntryKind;

use super::git_hooks;
use super::put_in;
use super::settings_file::{self, Content};
use crate::branch::sealed::{self, Sealed};
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::clients::settings::own_entries::Finding;
use crate::clients::settings::switches;
use crate::error::Result;
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::git::{objects, ref_writer};
use crate::message;
use crate::outcome::install::{ARCHIVE, Change, Disarmed, Restored, Touch};

/// A client whose hooks are not as they should be.
struct DisarmedClient {
    client: Client,
    scope: Scope,
    file: PathBuf,
    content: Content,
    findings: Vec<Finding>,
}

/// Looks for what was disarmed; each is told in words. While an agent is at work hooks that are
/// switched off are switched on again: when a person did so, no hook of the client brought us here.
pub(crate) fn check(
    repo: &Repo,
    sealed: &Sealed,
    touch: Touch,
    by_agent: bool,
) -> Result<Vec<String>> {
    if touch == Touch::PutBack {
        super::program::put(repo, sealed)?;
    }
    let hooks = git_hooks::look(repo, sealed)?;
    let clients = disarmed_clients(repo, sealed)?;
    if hooks.is_empty() && clients.is_empty() {
        return Ok(Vec::new());
    }
    if touch == Touch::PutBack {
        archive(repo, &hooks, &clients)?;
        git_hooks::bring_in_line(repo, sealed, &hooks)?;
    }
    let mut told: Vec<String> = hooks
        .iter()
        .map(|disarmed| message::hooks::disarmed(disarmed, touch))
        .collect();
    for disarmed in &clients {
        let done = match touch {
            Touch::PutBack => disarmed.restored(repo, sealed, by_agent)?,
            Touch::Nothing => Restored::No,
        };
        told.push(message::hooks::client_disarmed(
            disarmed.client,
            &disarmed.file,
            &disarmed.findings,
            done,
        ));
    }
    Ok(told)
}

/// Puts the hooks of all installed clients into this worktree, where they are missing.
pub(crate) fn put_clients_in(repo: &Repo, sealed: &Sealed) -> Result<()> {
    super::program::put(repo, sealed)?;
    for disarmed in disarmed_clients(repo, sealed)? {
        disarmed.put_back(repo, sealed)?;
    }
    Ok(())
}

impl DisarmedClient {
    fn put_back(&self, repo: &Repo, sealed: &Sealed) -> Result<Change> {
        let by_person = |finding: &Finding| matches!(finding, Finding::SwitchedOff(_));
        if self.findings.iter().all(by_person) {
            return Ok(Change::AsItWas);
        }
        let put = put_in(repo, &sealed.config, self.client, self.scope)?;
        Ok(put.change)
    }

    /// Takes out what switches the hooks off; whether anything did.
    fn switch_on(&self) -> Result<bool> {
        let Some(text) = self.content.text() else {
            return Ok(false);
        };
        match switches::switched_on(self.client, text) {
            Ok(on) if on != text => {
                settings_file::write(&self.file, &on)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Puts them back, over a file that nobody can use if need be: it was archived.
    fn restored(&self, repo: &Repo, sealed: &Sealed, by_agent: bool) -> Result<Restored> {
        let is_on_again = by_agent && self.switch_on()?;
        match self.put_back(repo, sealed)? {
            Change::Written => Ok(Restored::PutBack),
            Change::AsItWas | Change::Removed if is_on_again => Ok(Restored::PutBack),
            Change::AsItWas | Change::Removed => Ok(Restored::No),
            Change::LeftAlone(_) => {
                let committed = super::committed(repo, self.client, self.scope)?;
                let base = committed.and_then(|bytes| String::from_utf8(bytes).ok());
                super::replace(&self.file, &sealed.config, self.client, base.as_deref())?;
                Ok(Restored::Replaced)
            }
        }
    }
}

fn disarmed_clients(repo: &Repo, sealed: &Sealed) -> Result<Vec<DisarmedClient>> {
    let mut found = Vec::new();
    for entry in sealed::installed(repo, sealed)?.clients {
        let Some(client) = Client::from_name(&entry.name) else {
            continue;
        };
        let (file, content) = super::settings(repo, client, entry.scope)?;
        let findings = super::findings(client, &content, &sealed.config);
        let disarmed = DisarmedClient {
            client,
            scope: entry.scope,
            file,
            content,
            findings,
        };
        if !disarmed.findings.is_empty() && !disarmed.came_by_a_commit(repo)? {
            found.push(disarmed);
        }
    }
    Ok(found)
}

impl DisarmedClient {
    /// Whether a file of the project is as HEAD has it: a merge or a pull brought it, and it is
    /// left alone until a person installs again.
    fn came_by_a_commit(&self, repo: &Repo) -> Result<bool> {
        match self.content.bytes() {
            Some(bytes) => {
                Ok(super::committed(repo, self.client, self.scope)?.as_deref() == Some(bytes))
            }
            None => Ok(false),
        }
    }
}

/// Keeps what is going to be replaced.
fn archive(repo: &Repo, hooks: &[Disarmed], clients: &[DisarmedClient]) -> Result<()> {
    let hooks = hooks.iter().filter_map(|disarmed| match disarmed {
        Disarmed::Edited(name, text) => Some((name.clone(), text.as_slice())),
        _ => None,
    });
    let clients = clients.iter().filter_map(|disarmed| {
        let name = disarmed.file.display().to_string();
        Some((name, disarmed.content.bytes()?))
    });
    let mut entries = Vec::new();
    for (name, content) in hooks.chain(clients) {
        let name = refs::component(name.as_str().into());
        entries.push((name, objects::blob(repo, content)?));
    }
    if entries.is_empty() {
        return Ok(());
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, id)| (name.as_str(), EntryKind::Blob, *id))
        .collect();
    let before = refs::read(repo, ARCHIVE)?;
    let parents: Vec<_> = before.into_iter().collect();
    let tree = objects::tree(repo, &entries)?;
    let commit = objects::commit(repo, tree, &parents, "hooks that were put back\n")?;
    let link = Move {
        name: ARCHIVE.into(),
        old: before.map(Pointer::object),
        new: Some(Pointer::object(commit)),
    };
    ref_writer::apply(repo, &[link], "git tcr")
}
