//! Finds out how a project's tests are run.

/// A command that was found, and why it was thought of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The line for the shell.
    pub command: String,
    /// What speaks for it.
    pub why: String,
    /// The file that says so, from the root.
    pub file: String,
}

/// A part of a monorepo with a manifest of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProject {
    /// Its folder, from the root.
    pub path: String,
    /// How its tests are run, in its folder.
    pub test: Option<Candidate>,
    /// Its lint command, in its folder.
    pub lint: Option<Candidate>,
    /// Its main language.
    pub language: Option<String>,
    /// Whether the root's test command runs its tests too.
    pub covered: bool,
}

/// What was found out about a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detected {
    /// The best way to run the tests from the root.
    pub test: Option<Candidate>,
    /// Every way that was found, the best first.
    pub candidates: Vec<Candidate>,
    /// The lint command, if a linter is configured.
    pub lint: Option<Candidate>,
    /// The main language.
    pub language: Option<String>,
    /// The parts of a monorepo, sorted by path.
    pub projects: Vec<FoundProject>,
}
