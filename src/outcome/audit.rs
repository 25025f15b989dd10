//! What an audit found, as values: for people, programs and code scanning alike.

use serde::Serialize;

/// What an audit found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Audited {
    /// Of this form of the document.
    pub(crate) version: u32,
    pub(crate) range: Range,
    /// How the tests were run.
    pub(crate) test: Vec<String>,
    /// Where the command and the classes of paths come from.
    pub(crate) rules_from: &'static str,
    pub(crate) verdict: Verdict,
    /// The range as one change, or each of its commits.
    pub(crate) changes: Vec<Document>,
}

/// The commits that were looked at.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Range {
    /// As it was given, or chosen.
    pub(crate) given: String,
    /// The commit that the range begins after; none if it begins with the first one.
    pub(crate) base: Option<String>,
    pub(crate) tip: String,
    pub(crate) commits: usize,
}

/// How it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// Nothing in it asks for a test.
    Nothing,
    /// All of it is proven.
    Proven,
    /// Nothing speaks against it, and not all could be told.
    Unknown,
    /// Something is unproven, untested, called and not checked, weakened or removed, or does not work.
    Wanting,
}

impl Verdict {
    /// Of several changes.
    pub(crate) fn of_all(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
        verdicts
            .max_by_key(|verdict| *verdict as u8)
            .unwrap_or(Verdict::Nothing)
    }
}

/// What was found about one change.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Document {
    /// The commit, where commits are looked at one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// The first line of its message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
    pub(crate) verdict: Verdict,
    pub(crate) works: Works,
    pub(crate) asked: Asked,
    pub(crate) old_tests: Vec<OldTest>,
    pub(crate) functions: Vec<Function>,
    pub(crate) files: Vec<File>,
    /// Files that steer how the tests are found, built and run, and that changed.
    pub(crate) harness_changed: Vec<String>,
    /// Why something could not be told, each reason by its name.
    pub(crate) why_unknown: Vec<&'static str>,
    /// Why an experiment has no answer, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_answer: Option<String>,
}

/// Does it work?
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Works {
    /// `green`, `not_green`, `unknown`, or `not_asked` where there is nothing to run for.
    pub(crate) answer: &'static str,
    /// How many tests pass.
    pub(crate) passing: usize,
    pub(crate) failing: Vec<String>,
    /// Tests that fail, and failed before as well.
    pub(crate) known_failures: Vec<String>,
}

/// Did a test ask for it?
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Asked {
    /// `proven`, `unproven`, `unknown`, or `nothing` where there is nothing to prove.
    pub(crate) answer: &'static str,
    /// Tests that fail without the source.
    pub(crate) by: Vec<String>,
    /// Tests of the change that pass without it.
    pub(crate) but: Vec<String>,
}

/// What became of a test that was there before.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OldTest {
    pub(crate) test: String,
    /// `weakened`, `removed`, `skipped`, `not_run`; `removed_with_its_code`, `respecified`, `moved`,
    /// `renamed`, `kept`; `unknown`.
    pub(crate) fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// Where it went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    /// Why nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'static str>,
}

impl OldTest {
    /// Whether it asks for less than before.
    pub(crate) fn is_less(&self) -> bool {
        matches!(self.fate, "weakened" | "removed" | "skipped" | "not_run")
    }
}

/// A function that was added or changed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Function {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) name: String,
    /// `proven`, `called_not_checked`, `untested`, `unknown`.
    pub(crate) word: &'static str,
    /// The tests that prove it, or that call it and do not check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<String>,
    /// Why nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'static str>,
}

/// A file that changed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct File {
    pub(crate) path: String,
    /// `source`, `tests`, `around_tests`, `harness`, `dependencies`, `docs`, `other`.
    pub(crate) kind: &'static str,
    /// `added`, `changed`, `removed`, `moved`, `layout` (layout and comments alone).
    pub(crate) change: &'static str,
    /// Where it was before, if it only moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

/// What can be done at once.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    pub(crate) version: u32,
    pub(crate) range: Range,
    pub(crate) test: Vec<String>,
    pub(crate) experiments: Vec<Experiment>,
}

/// One experiment, of which the suite is run on a tree.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Experiment {
    pub(crate) id: String,
    pub(crate) question: &'static str,
    pub(crate) tree: String,
}
