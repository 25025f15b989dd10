//! The classifier of a repository, from its config and state.

use crate::config::Config;
use crate::effects::git::repo::Repo;
use crate::error::{Error, Result};
use crate::journal::state::State;
use crate::policy::{ClassRules, Classifier};

/// Tells the class of the repository's paths.
pub(crate) fn classifier(repo: &Repo, config: &Config, state: &State) -> Result<Classifier> {
    let spec = state
        .spec
        .as_ref()
        .and_then(|spec| spec.get("path"))
        .and_then(|path| path.as_str());
    let rules = ClassRules {
        tests: config.tests.clone(),
        source: config.source.clone(),
        harness: config.harness.clone(),
        protected: config.protected.clone(),
        exempt: config.exempt.clone(),
        spec: spec.map(|path| path.as_bytes().to_vec()),
        installed: Vec::new(),
        fold_case: repo
            .gix
            .config_snapshot()
            .boolean("core.ignoreCase")
            .unwrap_or(false),
    };
    Classifier::new(rules).map_err(|bad| Error::Corrupt {
        what: crate::effects::git::refs::CONFIG.into(),
        why: bad.to_string(),
    })
}
