//! The class of a path decides who may write it when.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::default_patterns::{self as defaults, Name};
use crate::languages::Language;

/// What a path is to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathClass {
    /// Git's, the hooks', the clients' and our own files: agents never write them.
    Protected,
    /// The spec of the running cycle.
    Spec,
    /// What steers how tests run.
    Harness,
    /// Tests and what belongs to them.
    Test,
    /// A source file that holds tests, told by its content.
    Mixed,
    /// Programming-language files that are not tests.
    Source,
    /// Prose, pictures, licences, and what the config exempts.
    Docs,
    /// Everything else: manifests, lock files, data.
    Other,
}

impl PathClass {
    /// Whether work on it waits for a test that fails: source, and what only runs along with it.
    pub fn waits_for_tests(self) -> bool {
        match self {
            PathClass::Source | PathClass::Mixed | PathClass::Other => true,
            PathClass::Protected
            | PathClass::Docs
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Test => false,
        }
    }
}

impl PathClass {
    /// Every class, for tables.
    #[cfg(test)]
    pub const ALL: [PathClass; 8] = [
        PathClass::Protected,
        PathClass::Spec,
        PathClass::Harness,
        PathClass::Test,
        PathClass::Mixed,
        PathClass::Source,
        PathClass::Docs,
        PathClass::Other,
    ];

    /// The name used in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            PathClass::Protected => "protected",
            PathClass::Spec => "spec",
            PathClass::Harness => "harness",
            PathClass::Test => "test",
            PathClass::Mixed => "mixed",
            PathClass::Source => "source",
            PathClass::Docs => "docs",
            PathClass::Other => "other",
        }
    }
}

impl std::fmt::Display for PathClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a path is protected, which decides what the loop does about a change to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protection {
    /// Git's own directory, or the whole worktree.
    Git,
    /// Git hooks in the worktree.
    Hooks,
    /// `.tcr.toml`: left alone and not obeyed when changed.
    OwnConfig,
    /// A client's file: only our entries in it are sealed.
    ClientFile,
    /// `protected` in the config.
    Configured,
}

/// What the config and the installation say about paths.
#[derive(Debug, Clone, Default)]
pub struct ClassRules {
    /// Replaces the default test patterns.
    pub tests: Option<Vec<String>>,
    /// Replaces the default source patterns.
    pub source: Option<Vec<String>>,
    /// Adds to the harness.
    pub harness: Vec<String>,
    /// Adds to what is protected.
    pub protected: Vec<String>,
    /// Adds to the docs, before tests and source are looked at.
    pub exempt: Vec<String>,
    /// The spec of the running cycle, from the root.
    pub spec: Option<Vec<u8>>,
    /// Files of clients and of git hooks that TCR is installed in, from the root; literal paths.
    pub installed: Vec<Vec<u8>>,
    /// Whether the file system takes names that differ only in case for the same.
    pub fold_case: bool,
}

/// A pattern of the config that can't be obeyed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad pattern `{pattern}`: {reason}")]
pub struct BadPattern {
    /// The pattern as it was given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Tells the class of paths.
#[derive(Debug, Clone)]
pub struct Classifier {
    tests: Option<Patterns>,
    source: Option<Patterns>,
    harness: Patterns,
    protected: Patterns,
    exempt: Patterns,
    spec: Option<Vec<u8>>,
    installed: Vec<Vec<u8>>,
    fold_case: bool,
}

impl Classifier {
    /// Compiles the patterns of the config; without any, nothing is compiled.
    pub fn new(rules: ClassRules) -> Result<Classifier, BadPattern> {
        let fold = rules.fold_case;
        let compile = |patterns: &[String]| Patterns::new(patterns, fold);
        Ok(Classifier {
            tests: rules.tests.as_deref().map(compile).transpose()?,
            source: rules.source.as_deref().map(compile).transpose()?,
            harness: compile(&rules.harness)?,
            protected: compile(&rules.protected)?,
            exempt: compile(&rules.exempt)?,
            spec: rules.spec.map(|path| literal(&path, fold)),
            installed: rules.installed.iter().map(|p| literal(p, fold)).collect(),
            fold_case: fold,
        })
    }

    /// The class of a path relative to the repository's root, with `/`, without `..`.
    ///
    /// Never `Mixed`: whether a source file holds tests is in its content, see [`may_hold_tests`].
    pub fn classify(&self, path: &[u8]) -> PathClass {
        let name = Name::new(path);
        let folded = literal(path, self.fold_case);
        if self.protection_of(&name, &folded).is_some() {
            PathClass::Protected
        } else if self.spec.as_ref() == Some(&folded) {
            PathClass::Spec
        } else if self.harness.matches(&folded) {
            PathClass::Harness
        } else if self.exempt.matches(&folded) {
            // Before tests and source: exempting generated code would otherwise say nothing.
            PathClass::Docs
        } else {
            self.by_name(&name, &folded)
        }
    }

    fn by_name(&self, name: &Name, folded: &[u8]) -> PathClass {
        let given = |patterns: &Option<Patterns>| patterns.as_ref().map(|p| p.matches(folded));
        if defaults::is_cache(name) {
            PathClass::Other
        } else if defaults::is_harness(name) {
            PathClass::Harness
        } else if given(&self.tests).unwrap_or_else(|| defaults::is_test(name)) {
            PathClass::Test
        } else if given(&self.source).unwrap_or_else(|| defaults::is_source(name)) {
            PathClass::Source
        } else if defaults::is_docs(name) {
            PathClass::Docs
        } else {
            PathClass::Other
        }
    }

    /// Why a path is protected, if it is.
    pub fn protection(&self, path: &[u8]) -> Option<Protection> {
        self.protection_of(&Name::new(path), &literal(path, self.fold_case))
    }

    fn protection_of(&self, name: &Name, folded: &[u8]) -> Option<Protection> {
        // An empty path is the root: it holds all that is protected.
        let touches_git = folded.is_empty()
            || defaults::components(folded)
                .iter()
                .any(|part| defaults::is_git_dir(part));
        let installed = || self.installed.iter().any(|p| defaults::covers(p, folded));
        if touches_git {
            Some(Protection::Git)
        } else if defaults::is_own_config(name) {
            Some(Protection::OwnConfig)
        } else if defaults::is_hook_folder(name) {
            Some(Protection::Hooks)
        } else if defaults::is_client_file(name) || installed() {
            Some(Protection::ClientFile)
        } else if self.protected.matches(folded) {
            Some(Protection::Configured)
        } else {
            None
        }
    }
}

/// Whether files of this name can hold both source and tests, so that the content decides.
pub fn may_hold_tests(path: &[u8]) -> bool {
    Language::of_path(path).is_some_and(|language| !language.test_marks().is_empty())
}

/// Whether this is a file that a snapshot-testing runner writes by itself.
pub fn is_snapshot(path: &[u8]) -> bool {
    defaults::is_snapshot(&Name::new(path))
}

/// Whether a file of this name steers the tests if it is new, although one that was there before
/// does not: its name begins with that of a runner.
pub fn is_harness_when_new(path: &[u8]) -> bool {
    defaults::begins_with_runner(&Name::new(path))
}

/// The path in the one spelling that is compared.
fn literal(path: &[u8], fold: bool) -> Vec<u8> {
    fold_case(&defaults::components(path).join(&b'/'), fold)
}

fn fold_case(text: &[u8], fold: bool) -> Vec<u8> {
    if !fold {
        return text.to_vec();
    }
    match std::str::from_utf8(text) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => text.to_ascii_lowercase(),
    }
}

/// Patterns of the config, read as people know them from `.gitignore`: with a `/` inside or in
/// front from the root, else the name of a file or folder at any depth; a folder stands for all
/// that is in it.
#[derive(Debug, Clone)]
struct Patterns {
    compiled: Option<GlobSet>,
}

impl Patterns {
    fn new(patterns: &[String], fold: bool) -> Result<Patterns, BadPattern> {
        if patterns.is_empty() {
            return Ok(Patterns { compiled: None });
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            for glob in globs_of(pattern, fold)? {
                let glob = GlobBuilder::new(&glob)
                    .literal_separator(true)
                    .empty_alternates(true)
                    .build()
                    .map_err(|error| bad(pattern, error.kind()))?;
                set.add(glob);
            }
        }
        let compiled = set
            .build()
            .map_err(|error| bad(&patterns.join(" "), error.kind()))?;
        Ok(Patterns {
            compiled: Some(compiled),
        })
    }

    fn matches(&self, path: &[u8]) -> bool {
        self.compiled
            .as_ref()
            .is_some_and(|set| set.is_match(String::from_utf8_lossy(path).as_ref()))
    }
}

fn bad(pattern: &str, reason: impl ToString) -> BadPattern {
    BadPattern {
        pattern: pattern.to_owned(),
        reason: reason.to_string(),
    }
}

/// A pattern as globs over whole paths.
fn globs_of(pattern: &str, fold: bool) -> Result<[String; 2], BadPattern> {
    if pattern.starts_with('!') {
        return Err(bad(pattern, "exceptions with `!` are not known"));
    }
    let folded = if fold {
        pattern.to_lowercase()
    } else {
        pattern.to_owned()
    };
    let text = folded.strip_prefix("./").unwrap_or(&folded);
    let body = text.trim_matches('/');
    if body.is_empty() {
        return Err(bad(pattern, "it names nothing"));
    }
    if body.split('/').any(|part| part == "..") {
        return Err(bad(pattern, "it leaves the repository"));
    }
    let from_root = text.starts_with('/') || body.contains('/');
    let body = if from_root {
        body.to_owned()
    } else {
        format!("**/{body}")
    };
    Ok([format!("{body}/**"), body])
}

#[cfg(test)]
#[path = "path_class_tests.rs"]
mod tests;
