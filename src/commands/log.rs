//! `git tcr log`

use std::fmt::Write as _;

use gix::bstr::ByteSlice;

use super::{open, print};
use crate::cli::LogArgs;
use crate::error::{ExitStatus, Result};
use crate::journal::{self, place};
use crate::message;

pub(super) fn log(args: &LogArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    place.require()?;
    let events = journal::history(&repo, place.base.as_bstr(), args.count)?;
    if args.json {
        print::json(&events)?;
        return Ok(ExitStatus::Done);
    }
    let mut text = String::new();
    for event in &events {
        let _ = writeln!(text, "{}", message::log_line(event));
    }
    print::text(&text)?;
    Ok(ExitStatus::Done)
}
