//! Where an audit's experiments run: in a lab over the worktree, which has what its tests need, or over
//! a fresh checkout that a command makes ready. Neither leaves anything behind.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gix::ObjectId;
use tempfile::TempDir;

use super::range::{Span, head};
use crate::branch::sealed;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::git::snapshot::{self, SnapshotRules};
use crate::lab;
use crate::rules::private::is_private;
use crate::step::experiment::{self, LabOnDemand};
use crate::verify::{fresh_checkout, prepare};

/// Where experiments run.
pub(super) struct Lab {
    pub(super) lab: LabOnDemand,
    /// The tree of what the lab is over.
    pub(super) worktree: ObjectId,
    /// What the lab is over, if it goes with this.
    over: Option<PathBuf>,
    checkout: Option<TempDir>,
}

impl Lab {
    pub(super) fn is_over_worktree(&self) -> bool {
        self.checkout.is_none()
    }

    /// Over the worktree, as it is.
    pub(super) fn over_worktree(repo: &Repo) -> Result<Lab> {
        let head = repo.tree_of(head(repo)?)?;
        let rules = SnapshotRules {
            leftovers: &BTreeMap::new(),
            private: &|path, size| is_private(path, Some(size)),
            never_hidden: &|_| false,
        };
        let is_installed = sealed::load(repo)?.is_some();
        Ok(Lab {
            lab: LabOnDemand::default(),
            worktree: snapshot::take(repo, head, &rules)?.tree,
            // The loop keeps its lab from one experiment to the next.
            over: (!is_installed).then(|| repo.root().to_owned()),
            checkout: None,
        })
    }

    /// Over a checkout of a commit that a command makes ready.
    pub(super) fn fresh(repo: &Repo, span: &Span, setup: &str) -> Result<Lab> {
        let folder = tempfile::Builder::new()
            .prefix("git-tcr-audit-")
            .tempdir()
            .map_err(|error| Error::io("create", &std::env::temp_dir(), error))?;
        let name = repo.root().file_name().unwrap_or("checkout".as_ref());
        let dir = folder.path().join(name);
        fresh_checkout(repo, &dir, span.tip)?;
        prepare(&dir, setup)?;
        Ok(Lab {
            lab: LabOnDemand::at(dir.clone()),
            worktree: span.tree,
            over: Some(dir),
            checkout: Some(folder),
        })
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if let Some(over) = &self.over {
            // What stays is for the next lab to remove.
            drop(lab::Lab::remove(over, &experiment::options().cache));
        }
    }
}
