//! The roles of a spec cycle: put in place, and taken out.

use super::settings_file::{Content, read, remove, write};
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::clients::roles::{self, Owner};
use crate::error::Result;
use crate::git::repo::Repo;
use crate::install::files::exclude;
use crate::outcome::install::{Change, ClientFile, WhyLeft};

/// Puts the roles of a spec cycle in place. A file that somebody wrote or edited stays.
pub(crate) fn put_in(repo: &Repo, clients: &[(Client, Scope)]) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    let each = clients.iter().flat_map(|(client, scope)| {
        roles::files(*client)
            .into_iter()
            .map(move |role| (role, *scope))
    });
    for (role, scope) in each {
        let file = repo.root().join(&role.path);
        let existing = read(&file)?;
        let by_somebody = || Change::LeftAlone(WhyLeft::BySomebody);
        let change = match &existing {
            Content::Text(text) if *text == role.text => Change::AsItWas,
            Content::Text(text) if roles::owner(text) != Owner::Ours => by_somebody(),
            Content::NotText(_) => by_somebody(),
            Content::Text(_) | Content::Nothing => {
                if existing == Content::Nothing && scope != Scope::Shared {
                    exclude::add(repo, &role.path)?;
                }
                write(&file, &role.text)?;
                Change::Written
            }
        };
        files.push(ClientFile::new(role.client, file, change));
    }
    Ok(files)
}

/// Takes the roles out again; what somebody edited stays.
pub(crate) fn take_out(repo: &Repo) -> Result<Vec<ClientFile>> {
    let mut files = Vec::new();
    for role in Client::all().flat_map(roles::files) {
        let file = repo.root().join(&role.path);
        let content = read(&file)?;
        let Some(text) = content.text() else { continue };
        let change = match roles::owner(text) {
            Owner::Foreign => continue,
            Owner::Edited => Change::LeftAlone(WhyLeft::Edited),
            Owner::Ours => {
                remove(repo, &file)?;
                Change::Removed
            }
        };
        exclude::take_out(repo, &role.path)?;
        files.push(ClientFile::new(role.client, file, change));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_matter_can_be_read() {
        for file in Client::all().flat_map(roles::files) {
            let read = crate::rules::spec::front_matter::front_matter(&file.text);
            assert!(matches!(read, Ok((Some(_), _))), "{}: {read:?}", file.path);
        }
    }
}
