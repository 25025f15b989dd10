//! The spec cycle.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::rules::declared::ValidatorVerdict;

/// `start`
#[derive(Debug, Args)]
pub struct StartArgs {
    /// The spec: Markdown with at least one `#### Scenario: TITLE`.
    #[arg(long, value_name = "FILE")]
    pub spec: PathBuf,
    /// What the spec is called; by default its `id`, or the file's name.
    #[arg(long)]
    pub id: Option<String>,
    /// The document that the spec belongs to; it has to be active too.
    #[arg(long, value_name = "FILE")]
    pub prd: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `plan`
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The plan; files under `must_haves` in its front matter have to be there at the end.
    pub file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `freeze`
#[derive(Debug, Args)]
pub struct FreezeArgs {
    /// What the validator says about the tests.
    #[arg(long, value_enum, required_unless_present = "auto")]
    pub verdict: Option<VerdictName>,
    /// Who says so: not one of those who wrote the plan or the tests.
    #[arg(long, value_name = "ID", required_unless_present = "auto")]
    pub by: Option<String>,
    /// A file with what there is to say about the tests.
    #[arg(long, value_name = "FILE")]
    pub note: Option<PathBuf>,
    /// Ask the program of `[validator] command`.
    #[arg(long, conflicts_with_all = ["verdict", "by", "note"])]
    pub auto: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The verdicts as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VerdictName {
    /// The tests say what the spec says.
    Pass,
    /// They should be looked at again.
    Concerns,
    /// They must not be frozen.
    Blocker,
}

impl From<VerdictName> for ValidatorVerdict {
    fn from(name: VerdictName) -> ValidatorVerdict {
        match name {
            VerdictName::Pass => ValidatorVerdict::Pass,
            VerdictName::Concerns => ValidatorVerdict::Concerns,
            VerdictName::Blocker => ValidatorVerdict::Blocker,
        }
    }
}

/// `supersede`
#[derive(Debug, Args)]
pub struct SupersedeArgs {
    /// The new spec.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// What it changes: `## ADDED`, `## MODIFIED` (with BEFORE and AFTER), `## REMOVED Requirements`.
    #[arg(long, value_name = "FILE")]
    pub delta: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `test-bug`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct TestBugArgs {
    /// A person's decision.
    #[command(subcommand)]
    pub decision: Option<BugDecision>,
    /// Where the frozen test is wrong.
    #[arg(value_name = "FILE:LINE", required = true)]
    pub place: Option<String>,
    /// What is wrong with it.
    #[arg(required = true)]
    pub text: Option<String>,
    /// Print JSON.
    #[arg(long, global = true)]
    pub json: bool,
}

/// What a person decides about a test.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum BugDecision {
    /// The test is wrong: back to `red`, to mend it (people only).
    Accept {
        /// The number of the report.
        number: u64,
    },
    /// The test is right: on in `green` (people only).
    Reject {
        /// The number of the report.
        number: u64,
    },
}

/// `evidence`
#[derive(Debug, Args)]
pub struct EvidenceArgs {
    /// Hold a document against this repository instead of printing one.
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// Print JSON: an in-toto statement with the test-result predicate.
    #[arg(long)]
    pub json: bool,
}
