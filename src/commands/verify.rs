//! `git tcr verify`

use super::live;
use super::open;
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::verify::{self, Replay, Request};
use clap::Args;

/// `verify`
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The commits to look at, e.g. `origin/main..HEAD`; by default every history that is here.
    pub(crate) range: Option<String>,
    /// Run the tests of every cycle again, in fresh checkouts, and believe nothing recorded.
    #[arg(long)]
    pub(crate) replay: bool,
    /// How many checkouts are tested at a time.
    #[arg(long, value_name = "N", requires = "replay")]
    pub(crate) jobs: Option<usize>,
    /// What to run in a fresh checkout before its tests, e.g. `npm ci`.
    #[arg(long, value_name = "CMD", requires = "replay")]
    pub(crate) setup: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let quiet = args.json;
    let on_done = |done: usize, all: usize| {
        if !quiet {
            live::say(&format!("tcr: tested again {done} of {all}"));
        }
    };
    let cores = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let request = Request {
        range: args.range.as_deref(),
        replay: args.replay.then(|| Replay {
            jobs: args.jobs.unwrap_or_else(cores),
            setup: args.setup.as_deref(),
            on_done: &on_done,
        }),
    };
    let verified = verify::verify(&repo, &request)?;
    match args.json {
        true => print::json(&verified)?,
        false => print::message(&message::verify::verified(&verified))?,
    }
    Ok(match (verified.wrong(), verified.unsure()) {
        (0, 0) => ExitStatus::Done,
        (0, _) => ExitStatus::Undecided,
        _ => ExitStatus::No,
    })
}
