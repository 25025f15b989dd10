//! The config: what `.tcr.toml` and the user's defaults say, checked once.
//!
//! `Config::from_layers` does all the checking. What comes out is sealed as JSON, and that copy is
//! trusted when it is read again: loading it compiles no pattern.

mod changes;
mod error;
mod keys;
mod layer;
mod project;
mod reader;
mod removed;
mod template;
mod value;

use std::collections::BTreeMap;
use std::time::Duration;

use globset::GlobBuilder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use changes::{KeyChange, changes};
pub use error::{ConfigError, Problem};
pub use keys::{KEYS, KeyDoc, Scope};
pub use layer::Layer;
pub use project::Project;
pub use value::{CommandLine, Needed, Trigger, ValidatorOn};

use crate::rules::smell::{Rule, Severity};
use crate::rules::{CycleKind, Mode, RedNeeds};
use layer::Origin;
use template::{Piece, pieces};

/// Everything a person can set, with the defaults filled in.
///
/// A sealed copy must hold every key that was there in the first release: what is no full config
/// is not taken for the defaults. Keys that come later need a `serde(default)` of their own, and
/// those that are gone may stand in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// Whether git tcr acts at all.
    pub enabled: bool,
    /// How much is enforced, unless the branch says otherwise.
    pub mode: Mode,
    /// How the tests are run; to be detected if not given.
    pub test: Option<CommandLine>,
    /// A command that must be clean before a commit.
    pub lint: Option<CommandLine>,
    /// Which files are tests, in place of the built-in patterns.
    pub tests: Option<Vec<String>>,
    /// Which files are source, in place of the built-in patterns.
    pub source: Option<Vec<String>>,
    /// More files that steer how tests run.
    pub harness: Vec<String>,
    /// More files that agents may never write.
    pub protected: Vec<String>,
    /// Files that are always writable and never judged.
    pub exempt: Vec<String>,
    /// The template of WIP commit messages.
    pub commit_message: String,
    /// How long to wait for further changes, in milliseconds.
    pub debounce_ms: u32,
    /// Whether messages quote test output.
    pub show_test_output: bool,
    /// How many characters of test output a message quotes.
    pub test_output_limit: u32,
    /// How long one test run may take, in seconds.
    pub timeout_s: u32,
    /// What makes the loop run.
    pub trigger: Trigger,
    /// How many tries failing work has before it is taken back; 0 is strict TCR.
    #[serde(default = "default_patience")]
    pub patience: u32,
    /// What is done about added code that no test needs.
    #[serde(default)]
    pub needed: Needed,
    /// A command that makes a fresh checkout ready to run the tests.
    #[serde(default)]
    pub setup: Option<CommandLine>,
    /// A JUnit XML file that the test command writes, from the root.
    #[serde(default)]
    pub report: Option<String>,
    /// A regular expression that confirms a red where no report can be read.
    pub red_confirm: Option<String>,
    /// What a failing test must show, if set; see [`Config::red_needs()`].
    pub red_needs: Option<RedNeeds>,
    /// Globs of the branches git tcr acts on.
    pub branches: Vec<String>,
    /// The program that judges tests.
    pub validator: Validator,
    /// What findings of `git tcr smells` do, where it is not the default; see [`Config::severity()`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub smells: BTreeMap<Rule, Severity>,
    /// The parts of a monorepo, in the order of the file.
    #[serde(rename = "project")]
    pub projects: Vec<Project>,
}

/// The program that judges tests before they are frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validator {
    /// The program: JSON in, JSON verdict out.
    pub command: Option<CommandLine>,
    /// When it is asked.
    pub on: Vec<ValidatorOn>,
    /// How long it may take, in seconds.
    pub timeout_s: u32,
}

fn default_patience() -> u32 {
    5
}

impl Default for Config {
    fn default() -> Self {
        Config {
            enabled: true,
            mode: Mode::Both,
            test: None,
            lint: None,
            tests: None,
            source: None,
            harness: Vec::new(),
            protected: Vec::new(),
            exempt: Vec::new(),
            commit_message: "WIP".to_owned(),
            debounce_ms: 100,
            show_test_output: true,
            test_output_limit: 500,
            timeout_s: 120,
            trigger: Trigger::Edit,
            patience: default_patience(),
            needed: Needed::default(),
            setup: None,
            report: None,
            red_confirm: None,
            red_needs: None,
            branches: vec!["*".to_owned()],
            validator: Validator::default(),
            smells: BTreeMap::new(),
            projects: Vec::new(),
        }
    }
}

impl Default for Validator {
    fn default() -> Self {
        Validator {
            command: None,
            on: vec![ValidatorOn::Freeze],
            timeout_s: 300,
        }
    }
}

/// What a WIP commit message can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageParts<'a> {
    /// `{phase}`
    pub phase: &'a str,
    /// `{cycle}`
    pub cycle: &'a str,
    /// `{tests}`
    pub tests: &'a str,
    /// `{files}`
    pub files: &'a str,
}

impl Config {
    /// The defaults, the user's file over them, the project's file on top. Patterns of `harness`,
    /// `protected` and `exempt` add up; any other key of a higher layer replaces the lower one.
    pub fn from_layers(user: Option<Layer>, project: Option<Layer>) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        let mut error = ConfigError {
            problems: Vec::new(),
            more: 0,
        };
        for (layer, origin) in [(user, Origin::User), (project, Origin::Project)] {
            if let Some(layer) = layer {
                layer.apply(origin, &mut config, &mut error);
            }
        }
        match error.problems.is_empty() {
            true => Ok(config),
            false => Err(error),
        }
    }

    /// What a failing test must show to count in this kind of cycle.
    pub fn red_needs(&self, cycle: CycleKind) -> RedNeeds {
        self.red_needs.unwrap_or(match cycle {
            CycleKind::Free => RedNeeds::Error,
            CycleKind::Spec => RedNeeds::Assertion,
        })
    }

    /// What a finding of a rule does.
    pub fn severity(&self, rule: Rule) -> Severity {
        let set = self.smells.get(&rule).copied();
        set.unwrap_or_else(|| rule.default_severity())
    }

    /// How long one test run may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s.into())
    }

    /// The project a path from the root belongs to: the one whose own path is the longest.
    pub fn project_for(&self, path: &[u8]) -> Option<&Project> {
        let inside = |project: &'_ &Project| project.match_len(path);
        self.projects
            .iter()
            .filter(|project| project.match_len(path).is_some())
            .max_by_key(inside)
    }

    /// Whether git tcr acts on a branch, given without `refs/heads/`.
    pub fn acts_on(&self, branch: &str) -> bool {
        self.branches.iter().any(|glob| match glob.as_str() {
            "*" | "**" => true,
            // Checked when the config was read; a glob that is none after all names itself only.
            _ => GlobBuilder::new(glob)
                .empty_alternates(true)
                .build()
                .map_or(glob == branch, |g| g.compile_matcher().is_match(branch)),
        })
    }

    /// The message of a WIP commit.
    pub fn message_for(&self, parts: &MessageParts<'_>) -> String {
        pieces(&self.commit_message)
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Placeholder("phase") => parts.phase,
                Piece::Placeholder("cycle") => parts.cycle,
                Piece::Placeholder("tests") => parts.tests,
                Piece::Placeholder("files") => parts.files,
                Piece::Placeholder(_) => "",
            })
            .collect()
    }

    /// A hash over all that decides what a test run says about a tree, for the result cache.
    ///
    /// Times are left out: a run that was cut short is never cached. `red_needs` counts as it is
    /// set; what it is by default depends on the cycle, not on the config.
    pub fn fingerprint(&self) -> String {
        #[derive(Serialize)]
        struct Deciding<'a> {
            version: u32,
            commands: [&'a Option<CommandLine>; 2],
            report: &'a Option<String>,
            replaced: [&'a Option<Vec<String>>; 2],
            added: [&'a Vec<String>; 2],
            red_confirm: &'a Option<String>,
            red_needs: &'a Option<RedNeeds>,
            projects: Vec<Deciding<'a>>,
            path: &'a str,
        }
        let projects = self.projects.iter().map(|project| Deciding {
            version: 2,
            commands: [&project.test, &None],
            report: &project.report,
            replaced: [&project.tests, &project.source],
            added: [&project.harness, &project.exempt],
            red_confirm: &project.red_confirm,
            red_needs: &None,
            projects: Vec::new(),
            path: &project.path,
        });
        let deciding = Deciding {
            version: 2,
            commands: [&self.test, &self.setup],
            report: &self.report,
            replaced: [&self.tests, &self.source],
            added: [&self.harness, &self.exempt],
            red_confirm: &self.red_confirm,
            red_needs: &self.red_needs,
            projects: projects.collect(),
            path: "",
        };
        let json = serde_json::to_vec(&deciding)
            .expect("plain structs of strings and numbers always become JSON");
        Sha256::digest(json)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[cfg(test)]
mod tests;
