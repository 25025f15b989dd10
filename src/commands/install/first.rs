//! The first `.tcr.toml` of a repository.

use std::io::IsTerminal;

use super::ask;
use crate::cli::InstallArgs;
use crate::config;
use crate::detect::{self, Detected, DirTree};
use crate::effects::fault;
use crate::effects::git::repo::Repo;
use crate::effects::install::{exclude, write_whole};
use crate::error::{Error, Result};
use crate::journal::sealed;
use crate::message;

/// What the file will say, and what that was made from.
pub(super) struct First {
    pub(super) text: String,
    pub(super) detected: Detected,
}

impl First {
    /// What `.tcr.toml` will say, if there is none yet.
    pub(super) fn find(repo: &Repo, args: &InstallArgs) -> Result<Option<First>> {
        if args.config_from.is_some() || repo.root().join(sealed::FILE).exists() {
            return Ok(None);
        }
        let mut detected = detect::detect(&DirTree::new(repo.root()), &|program| {
            which::which(program).is_ok()
        });
        let in_projects = detected
            .projects
            .iter()
            .any(|project| project.test.is_some());
        if detected.test.is_none() && !in_projects {
            if args.yes || args.json || !std::io::stdin().is_terminal() {
                return Err(Error::NoTestCommand);
            }
            detected = asked()?;
        }
        Ok(Some(First {
            text: config::render_first(&detected),
            detected,
        }))
    }

    pub(super) fn write(&self, repo: &Repo) -> Result<()> {
        // Before the file is there: once it is, nobody would come back to this.
        exclude::add(repo, sealed::FILE)?;
        write_whole(repo, sealed::FILE, self.text.as_bytes())?;
        fault::point("first-config-written");
        Ok(())
    }
}

fn asked() -> Result<Detected> {
    let line = ask::answer(message::install::which_test_command())?;
    match line.trim() {
        "" => Err(Error::NoTestCommand),
        command => Ok(Detected::given(command)),
    }
}
