//! The roles of a spec cycle, as files of the clients that know sub-agents.

use super::{Change, ClientFile, read, remove, write};
use crate::effects::git::repo::Repo;
use crate::effects::install::clients::Scope;
use crate::effects::install::exclude;
use crate::effects::install::roles::{self, Owner};
use crate::error::Result;
use crate::event::Client;

/// Puts the roles of a spec cycle in place. A file that somebody wrote or edited stays.
pub(crate) fn put_in(repo: &Repo, clients: &[Client], scope: Scope) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    for role in clients.iter().copied().flat_map(roles::files) {
        let file = repo.root().join(&role.path);
        let existing = read(&file)?;
        let change = match existing.as_deref() {
            Some(text) if text == role.text => Change::AsItWas,
            Some(text) if roles::owner(text) != Owner::Ours => {
                Change::LeftAlone("it was written or edited by somebody".into())
            }
            Some(_) | None => {
                if existing.is_none() && scope != Scope::Shared {
                    exclude::add(repo, &role.path)?;
                }
                write(&file, &role.text)?;
                Change::Written
            }
        };
        files.push(ClientFile {
            client: role.client,
            file,
            change,
        });
    }
    Ok(files)
}

/// Takes the roles out again; what somebody edited stays.
pub(crate) fn take_out(repo: &Repo) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    for role in Client::ALL.into_iter().flat_map(roles::files) {
        let file = repo.root().join(&role.path);
        let Some(text) = read(&file)? else { continue };
        let change = match roles::owner(&text) {
            Owner::Foreign => continue,
            Owner::Edited => Change::LeftAlone("it was edited".into()),
            Owner::Ours => {
                remove(repo, &file)?;
                Change::Removed
            }
        };
        exclude::take_out(repo, &role.path)?;
        files.push(ClientFile {
            client: role.client,
            file,
            change,
        });
    }
    Ok(files)
}
