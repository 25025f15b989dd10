//! A denial, and the spool in which the gate leaves it for the next loop to take into the journal.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::way::Way;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::rules::shell_gate;
use crate::rules::write_gate::DenyReason;
use crate::rules::{Mode, PathClass, Phase};

/// What stands against a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Objection {
    /// A path may not be written.
    Write {
        path: PathBuf,
        shown: String,
        class: PathClass,
        reason: DenyReason,
        /// The way on that is more than the reason tells.
        way: Option<Way>,
    },
    /// A command may not be run.
    Command(shell_gate::DenyReason),
    /// A command could not be understood.
    Unparsed(String),
    /// A patch names no file that could be judged.
    UnreadablePatch,
}

impl Objection {
    /// The word used in JSON.
    pub(crate) fn cause(&self) -> &'static str {
        match self {
            Objection::Write { reason, .. } => match reason {
                DenyReason::Protected => "protected",
                DenyReason::SpecSettled { .. } => "spec_settled",
                DenyReason::PlanFirst => "plan_first",
                DenyReason::NoFailingTest { .. } => "no_failing_test",
                DenyReason::FailingTestElsewhere => "failing_test_elsewhere",
                DenyReason::TestsFrozen { .. } => "tests_frozen",
                DenyReason::OracleDrifted => "oracle_drifted",
                DenyReason::TestBugOpen => "test_bug_open",
            },
            Objection::Command(_) => "command",
            Objection::Unparsed(_) | Objection::UnreadablePatch => "unreadable",
        }
    }

    pub(super) fn protected(path: &Path) -> Objection {
        Objection::Write {
            path: path.to_owned(),
            shown: path.display().to_string(),
            class: PathClass::Protected,
            reason: DenyReason::Protected,
            way: None,
        }
    }
}

/// An objection and the state it was decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) objection: Objection,
    pub(crate) phase: Phase,
    pub(crate) mode: Mode,
    pub(crate) branch: String,
    /// How a frozen file differs from what was certified.
    pub(crate) drift: Option<String>,
}

/// A denial as the spool keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spooled {
    pub(crate) at: String,
    pub(crate) client: String,
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) cause: String,
    /// The mode is `observe`: it was noted, and allowed.
    #[serde(default)]
    pub(crate) only_observed: bool,
}

fn spool_path(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("denials")
}

/// Leaves a denial for the next loop.
pub(crate) fn spool(repo: &Repo, entry: &Spooled) -> Result<()> {
    super::spool::add(&spool_path(repo), entry)
}

/// Takes what the gates have left.
pub(crate) fn take_spooled(repo: &Repo) -> Result<Vec<Spooled>> {
    let path = spool_path(repo);
    let taken = path.with_extension("taken");
    match std::fs::rename(&path, &taken) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("move", &path, error)),
    }
    let text = std::fs::read_to_string(&taken).map_err(|error| Error::io("read", &taken, error))?;
    std::fs::remove_file(&taken).map_err(|error| Error::io("remove", &taken, error))?;
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
