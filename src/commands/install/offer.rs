//! The config that a person is asked to accept: `.tcr.toml` as it is, or the first one.

use std::io::IsTerminal;
use std::path::PathBuf;

use super::ask;
use crate::branch::sealed;
use crate::commands::install::InstallArgs;
use crate::commands::print;
use crate::config::{Config, Layer};
use crate::detect::{self, Candidate, Detected};
use crate::error::{Error, Result};
use crate::fault;
use crate::git::repo::Repo;
use crate::install::files::exclude;
use crate::install::whole_file::{self, Kind};
use crate::message;

/// What is accepted is what was shown: it is read once.
pub(super) struct Offer {
    pub(super) config: Config,
    /// What `.tcr.toml` says or will say.
    pub(super) text: Option<Vec<u8>>,
    /// Where the test command comes from, if nobody gave one.
    pub(super) detected: Option<Detected>,
    /// There is no `.tcr.toml` yet.
    pub(super) is_first: bool,
}

impl Offer {
    pub(super) fn find(repo: &Repo, args: &InstallArgs) -> Result<Offer> {
        match args.config_from.is_some() || repo.root().join(sealed::FILE).exists() {
            true => Offer::given(repo, args.config_from.as_deref()),
            false => Offer::first(repo, args),
        }
    }

    fn given(repo: &Repo, commit: Option<&str>) -> Result<Offer> {
        let project = sealed::project_file(repo, commit)?;
        let text = project.as_ref().map(|layer| layer.bytes.clone());
        let mut config = sealed::merged(project)?;
        let detected = detect::complete(&mut config, repo.root());
        if let Some(detected) = detected.as_ref().filter(|found| found.test.is_none()) {
            return Err(Error::NoTestFound(detected.unreadable.clone()));
        }
        Ok(Offer {
            config,
            text,
            detected,
            is_first: false,
        })
    }

    fn first(repo: &Repo, args: &InstallArgs) -> Result<Offer> {
        let mut detected = detect::below(repo.root());
        let in_projects = detected
            .projects
            .iter()
            .any(|project| project.test.is_some());
        if detected.test.is_none() && !in_projects {
            if args.yes || args.json || !std::io::stdin().is_terminal() {
                return Err(Error::NoTestFound(detected.unreadable));
            }
            detected = asked(detected)?;
        }
        Offer::of(repo.root().join(sealed::FILE), detected)
    }

    fn of(path: PathBuf, detected: Detected) -> Result<Offer> {
        let text = detect::first::render_first(&detected).into_bytes();
        let bytes = text.clone();
        Ok(Offer {
            config: sealed::merged(Some(Layer { path, bytes }))?,
            text: Some(text),
            detected: Some(detected),
            is_first: true,
        })
    }

    /// The first config with another of the commands that were detected.
    pub(super) fn with(&self, candidate: &Candidate) -> Result<Offer> {
        let detected = Detected {
            test: Some(candidate.clone()),
            ..self.detected.clone().unwrap_or_default()
        };
        Offer::of(PathBuf::from(sealed::FILE), detected)
    }

    /// Writes `.tcr.toml` if there is none yet.
    pub(super) fn write(&self, repo: &Repo) -> Result<()> {
        let (true, Some(text)) = (self.is_first, &self.text) else {
            return Ok(());
        };
        // Before the file is there: once it is, nobody would come back to this.
        exclude::add(repo, sealed::FILE)?;
        whole_file::write(&repo.root().join(sealed::FILE), text, Kind::Plain)?;
        fault::point("first-config-written");
        Ok(())
    }
}

fn asked(detected: Detected) -> Result<Detected> {
    for unreadable in &detected.unreadable {
        let line = message::install::unreadable(unreadable);
        print::text(&format!("{line}\n"))?;
    }
    let line = ask::answer(message::install::which_test_command())?;
    match line.trim() {
        "" => Err(Error::NoTestFound(detected.unreadable)),
        command => Ok(Detected::given(command)),
    }
}
