//! `git tcr ingest FILE`

use super::live::Live;
use super::{open, print, run};
use crate::error::{ExitStatus, Result};
use crate::step::ingest::Ingested;
use crate::step::request::LoopRequest;
use crate::step::rounds;
use clap::Args;
use std::path::PathBuf;

/// `ingest`
#[derive(Debug, Args)]
pub(crate) struct IngestArgs {
    /// The file with the results.
    pub(crate) file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn ingest(args: &IngestArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let request = LoopRequest {
        ingested: Some(Ingested::read(&args.file)?),
        by: crate::person::calling_agent().map(str::to_owned),
        ..LoopRequest::default()
    };
    let done = rounds::run(&repo, &request, &mut Live::new(args.json))?;
    if args.json {
        print::json(&done.outcome)?;
    } else {
        run::render(&done)?;
    }
    Ok(run::exit_status(&done.outcome))
}
