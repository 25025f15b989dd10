//! The arguments of the commands that do the work of a cycle.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::rules::Phase;

/// `run`
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Run the tests even if the result for this very tree is known.
    #[arg(long)]
    pub force: bool,
    /// Only report: commit nothing and take nothing back, exit 0.
    #[arg(long)]
    pub report: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Run this command instead of the configured one; from an agent its result is only recorded,
    /// and a run of some of the tests commits nothing.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// `check`
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The gate.
    #[arg(value_enum)]
    pub gate: GateName,
    /// Only these tests, by the end of their names, or those of these files.
    #[arg(value_name = "TEST-OR-FILE")]
    pub tests: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The gates as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GateName {
    /// The tests fail, for a reason that counts.
    Red,
    /// The tests pass.
    Green,
    /// The same tests pass as at the last accepted result.
    Refactor,
}

impl GateName {
    /// The name as typed.
    pub fn name(self) -> &'static str {
        match self {
            GateName::Red => "red",
            GateName::Green => "green",
            GateName::Refactor => "refactor",
        }
    }
}

/// `output`
#[derive(Debug, Args)]
pub struct PrintedArgs {
    /// Which run: 1 is the last one, 2 the one before.
    #[arg(value_name = "N", default_value_t = 1)]
    pub number: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `ingest`
#[derive(Debug, Args)]
pub struct IngestArgs {
    /// The file with the results.
    pub file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `phase`
#[derive(Debug, Args)]
pub struct PhaseArgs {
    /// The phase to go to.
    #[arg(value_enum)]
    pub phase: PhaseName,
    /// With `green`: tests that failed before the work began, by name or the end of it. They are to
    /// pass next.
    #[arg(value_name = "TEST")]
    pub tests: Vec<String>,
    /// Why; needed to go back from `green` to mend a test.
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// With `done`: give the spec cycle up (people only).
    #[arg(long)]
    pub abandon: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The phases as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PhaseName {
    /// A spec was started; its plan is being written.
    Plan,
    /// Write a failing test.
    Red,
    /// Make the failing tests pass.
    Green,
    /// Reshape the code while the tests stay green.
    Refactor,
    /// The spec cycle is over.
    Done,
}

impl From<PhaseName> for Phase {
    fn from(name: PhaseName) -> Phase {
        match name {
            PhaseName::Plan => Phase::Plan,
            PhaseName::Red => Phase::Red,
            PhaseName::Green => Phase::Green,
            PhaseName::Refactor => Phase::Refactor,
            PhaseName::Done => Phase::Done,
        }
    }
}

/// `step`
#[derive(Debug, Args)]
pub struct StepArgs {
    /// What the step is about; kept in the log.
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
