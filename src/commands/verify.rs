//! `git tcr verify`

use super::live;
use super::open;
use super::print;
use crate::cli::out::VerifyArgs;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::verify::{self, Replay, Request};

pub(super) fn verify(args: &VerifyArgs) -> Result<ExitStatus> {
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
