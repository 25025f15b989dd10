//! `git tcr output [N]`

use super::{open, print};
use crate::branch::{outputs, place};
use crate::error::{ExitStatus, Result};
use crate::message::refusals;
use clap::Args;

/// `output`
#[derive(Debug, Args)]
pub(crate) struct PrintedArgs {
    /// Which run: 1 is the last one, 2 the one before.
    #[arg(value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn output(args: &PrintedArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let loaded = place.require()?;
    let Some(printed) = outputs::nth(&repo, loaded.tip, args.number)? else {
        return Err(refusals::no_output(args.number));
    };
    let printed = String::from_utf8_lossy(&printed);
    if args.json {
        print::json(&serde_json::json!({"number": args.number, "output": printed}))?;
    } else {
        print::text(&printed)?;
    }
    Ok(ExitStatus::Done)
}
