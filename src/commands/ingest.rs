//! `git tcr ingest FILE`

use super::live::Live;
use super::{open, print, run};
use crate::cli::IngestArgs;
use crate::error::{ExitStatus, Result};
use crate::step::ingest::Ingested;
use crate::step::request::LoopRequest;
use crate::step::rounds;

pub(super) fn ingest(args: &IngestArgs) -> Result<ExitStatus> {
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
