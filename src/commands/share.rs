//! `git tcr push`, `git tcr fetch`

use super::live::Live;
use super::open;
use super::print;
use crate::cli::out::{FetchArgs, PushArgs};
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::share;

pub(super) fn push(args: &PushArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let _lock = open::lock(&repo, &mut Live::new(args.json))?;
    let pushed = share::push(&repo, args.remote.as_deref(), args.reverts)?;
    match args.json {
        true => print::json(&pushed)?,
        false => print::message(&message::verify::pushed(&pushed))?,
    }
    Ok(ExitStatus::Done)
}

pub(super) fn fetch(args: &FetchArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let _lock = open::lock(&repo, &mut Live::new(args.json))?;
    let fetched = share::fetch(&repo, args.remote.as_deref())?;
    match args.json {
        true => print::json(&fetched)?,
        false => print::message(&message::verify::fetched(&fetched))?,
    }
    // What went back over there is for a person to look at.
    Ok(match fetched.rewound.is_empty() {
        true => ExitStatus::Done,
        false => ExitStatus::No,
    })
}
