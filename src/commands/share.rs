//! `git tcr push`, `git tcr fetch`

use super::live::Live;
use super::open;
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::share;
use clap::Args;

/// `push`
#[derive(Debug, Args)]
pub(crate) struct PushArgs {
    /// The remote; by default the branch's own, or `origin`.
    pub(crate) remote: Option<String>,
    /// Push work that was taken back too.
    #[arg(long)]
    pub(crate) reverts: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `fetch`
#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// The remote; by default the branch's own, or `origin`.
    pub(crate) remote: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn push(args: &PushArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let _lock = open::lock(&repo, &mut Live::new(args.json))?;
    let pushed = share::push(&repo, args.remote.as_deref(), args.reverts)?;
    match args.json {
        true => print::json(&pushed)?,
        false => print::message(&message::verify::pushed(&pushed))?,
    }
    Ok(ExitStatus::Done)
}

pub(crate) fn fetch(args: &FetchArgs) -> Result<ExitStatus> {
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
