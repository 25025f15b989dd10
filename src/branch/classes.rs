//! The classes of a repository's paths, from its config and state.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::rules::path_class::BadPattern;
use crate::rules::{ClassRules, Classifier, PathClass, Protection};

/// Tells the class of paths, by the rules of the project they belong to.
pub(crate) struct Classes {
    root: Classifier,
    /// Projects with rules of their own, by path.
    projects: Vec<(String, Classifier)>,
}

impl Classes {
    pub(crate) fn new(repo: &Repo, config: &Config, spec: Option<&str>) -> Result<Classes> {
        let fold_case = repo
            .gix
            .config_snapshot()
            .boolean("core.ignoreCase")
            .unwrap_or(false);
        let top = ClassRules {
            tests: config.tests.clone(),
            source: config.source.clone(),
            harness: config.harness.clone(),
            protected: config.protected.clone(),
            exempt: config.exempt.clone(),
            spec: spec.map(|path| path.as_bytes().to_vec()),
            installed: Vec::new(),
            fold_case,
        };
        let mut projects = Vec::new();
        for project in &config.projects {
            let own = project.tests.is_some()
                || project.source.is_some()
                || !project.harness.is_empty()
                || !project.exempt.is_empty();
            if !own {
                continue;
            }
            let rules = ClassRules {
                tests: project.tests.clone().or_else(|| config.tests.clone()),
                source: project.source.clone().or_else(|| config.source.clone()),
                harness: project.harness.clone(),
                exempt: project.exempt.clone(),
                fold_case,
                ..ClassRules::default()
            };
            projects.push((
                project.path.clone(),
                Classifier::new(rules).map_err(bad_pattern)?,
            ));
        }
        // The innermost project comes first.
        projects.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Ok(Classes {
            root: Classifier::new(top).map_err(bad_pattern)?,
            projects,
        })
    }

    /// The class of a path from the root.
    pub(crate) fn classify(&self, path: &[u8]) -> PathClass {
        let by_root = self.root.classify(path);
        match by_root {
            PathClass::Protected | PathClass::Spec => return by_root,
            PathClass::Harness
            | PathClass::Test
            | PathClass::Mixed
            | PathClass::Source
            | PathClass::Docs
            | PathClass::Other => {}
        }
        let own = self.projects.iter().find_map(|(project, classifier)| {
            let inside = path.strip_prefix(project.as_bytes())?.strip_prefix(b"/")?;
            Some(classifier.classify(inside))
        });
        own.unwrap_or(by_root)
    }

    /// Why a path is protected, if it is.
    pub(crate) fn protection(&self, path: &[u8]) -> Option<Protection> {
        self.root.protection(path)
    }
}

fn bad_pattern(bad: BadPattern) -> Error {
    Error::corrupt(crate::git::refs::CONFIG, bad)
}
