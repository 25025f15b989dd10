//! What steers an audit: test command, classes of paths and config, from the base of the range. What
//! the range itself changes of them is not obeyed.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::range::Span;
use crate::branch::classes::Classes;
use crate::branch::sealed;
use crate::config::{CommandLine, Config, Layer};
use crate::detect;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::git::trees;
use crate::message::refusals;
use crate::runners::project::{DirTree, Tree};
use crate::test_run::jobs::{self, Job};
use crate::test_run::results;

/// A suite has at least this long: it is run once, and nobody waits at a prompt.
const AT_LEAST: Duration = Duration::from_secs(30 * 60);

/// What steers an audit.
pub(super) struct Ground {
    pub(super) config: Config,
    pub(super) classes: Classes,
    pub(super) jobs: Vec<Job>,
    /// Where the test command comes from.
    pub(super) from: &'static str,
    /// Other ways to run the tests, the best last.
    others: Vec<String>,
}

impl Ground {
    pub(super) fn find(repo: &Repo, span: &Span, test: Option<&str>) -> Result<Ground> {
        let (mut config, mut from) = config(repo, span)?;
        if let Some(test) = test {
            config.test = Some(CommandLine::Shell(test.to_owned()));
            config.projects.iter_mut().for_each(|one| one.test = None);
            from = "given";
        }
        let (mut unreadable, mut others) = (Vec::new(), Vec::new());
        for (tree, origin) in [
            (span.before, "detected at the base"),
            (span.tree, "detected at the tip"),
        ] {
            let tree = OfCommit::new(repo, tree)?;
            if let Some(detected) = detect::complete_from(&mut config, &tree) {
                from = origin;
                unreadable = detected.unreadable;
                let all = detected.candidates.into_iter().skip(1).rev();
                others = all.map(|one| one.command).collect();
            }
        }
        let jobs = patient_jobs(&config, repo).map_err(|error| match error {
            Error::NoTestCommand => refusals::no_test_to_audit(unreadable),
            other => other,
        })?;
        Ok(Ground {
            others,
            classes: Classes::new(repo, &config, None)?,
            config,
            jobs,
            from,
        })
    }

    /// Takes the next way to run the tests, where they were only found; false if there is none.
    pub(super) fn take_next(&mut self, repo: &Repo) -> Result<bool> {
        let Some(next) = self.others.pop() else {
            return Ok(false);
        };
        self.config.test = Some(CommandLine::Shell(next));
        self.jobs = patient_jobs(&self.config, repo)?;
        Ok(true)
    }

    /// How the tests are run.
    pub(super) fn commands(&self) -> Vec<String> {
        let commands = self.jobs.iter().map(|job| results::display(&job.command));
        commands.collect()
    }
}

/// The jobs of a config, each with time for a suite.
fn patient_jobs(config: &Config, repo: &Repo) -> Result<Vec<Job>> {
    let mut jobs = jobs::all(config, repo.root())?;
    for job in &mut jobs {
        job.timeout = job.timeout.max(AT_LEAST);
    }
    Ok(jobs)
}

/// The config of the base; else what a person accepted here; else the user's own.
fn config(repo: &Repo, span: &Span) -> Result<(Config, &'static str)> {
    if let Some(leaf) = trees::lookup(repo, span.before, sealed::FILE.into())? {
        let layer = Layer {
            path: PathBuf::from(sealed::FILE),
            bytes: trees::content(repo, leaf)?,
        };
        return Ok((sealed::merged(Some(layer))?, "`.tcr.toml` of the base"));
    }
    match sealed::load(repo)? {
        Some(sealed) => Ok((sealed.config, "the config accepted here")),
        None => Ok((sealed::merged(None)?, "your own defaults")),
    }
}

/// The files of a commit. What git does not know, as an environment of its tests, is looked up in
/// the worktree.
struct OfCommit<'a> {
    repo: &'a Repo,
    tree: ObjectId,
    paths: BTreeSet<String>,
    folders: BTreeSet<String>,
    disk: DirTree,
}

impl<'a> OfCommit<'a> {
    fn new(repo: &'a Repo, tree: ObjectId) -> Result<OfCommit<'a>> {
        let nothing = ObjectId::empty_tree(repo.gix.object_hash());
        let all = trees::diff(repo, nothing, tree)?;
        let paths: BTreeSet<String> = all.iter().map(|file| file.path.to_string()).collect();
        let above = |path: &String| {
            let ends = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
            ends.collect::<Vec<_>>()
        };
        Ok(OfCommit {
            repo,
            tree,
            folders: paths.iter().flat_map(above).collect(),
            paths,
            disk: DirTree::new(repo.root()),
        })
    }

    fn is_hidden(path: &str) -> bool {
        let first = path.split('/').next().unwrap_or(path);
        matches!(first, ".venv" | "venv" | "node_modules")
    }
}

impl Tree for OfCommit<'_> {
    fn read(&self, path: &str) -> Option<String> {
        let leaf = trees::lookup(self.repo, self.tree, path.into()).ok()??;
        let bytes = trees::content(self.repo, leaf).ok()?;
        Some(bytes.to_str_lossy().into_owned())
    }

    fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.paths.contains(path)
            || self.folders.contains(path)
            || (Self::is_hidden(path) && self.disk.exists(path))
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let dir = dir.trim_end_matches('/');
        let within = |path: &String| -> Option<String> {
            let rest = match dir {
                "" => path.as_str(),
                dir => path.strip_prefix(dir)?.strip_prefix('/')?,
            };
            (!rest.contains('/')).then(|| rest.to_owned())
        };
        let folders = self.folders.iter().filter_map(within);
        let names: BTreeSet<String> = folders
            .map(|name| name + "/")
            .chain(self.paths.iter().filter_map(within))
            .collect();
        names.into_iter().collect()
    }
}
