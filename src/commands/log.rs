//! `git tcr log`

use clap::Args;
use std::io::IsTerminal;

use super::pager::Pager;
use super::{open, print};
use crate::branch::history::History;
use crate::branch::place;
use crate::error::{ExitStatus, Result};
use crate::message::timeline::{self, Timeline};

/// `log`
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// How many entries.
    #[arg(short = 'n', long, default_value_t = print::LISTED, value_name = "COUNT")]
    pub(crate) count: usize,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The width of the terminal that the rows end on, through a pager or not.
fn width() -> Option<usize> {
    // Asked about anything else, it would start a program to find out.
    let size = std::io::stdout()
        .is_terminal()
        .then(crossterm::terminal::size);
    Some(size?.ok()?.0.into())
}

pub(crate) fn log(args: &LogArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let loaded = place.require()?;
    let mut history = History::up_to(&repo, loaded.tip);
    if args.json {
        let mut list = print::JsonList::new();
        for line in history.valid().take(args.count) {
            if !list.push(&line?)? {
                break;
            }
        }
        list.end()?;
        return Ok(ExitStatus::Done);
    }
    let mut timeline = Timeline::new(loaded.state.cycle, width());
    let mut pager = Pager::start(repo.root());
    let mut is_empty = true;
    for event in history.events().take(args.count) {
        is_empty = false;
        if !pager.write(&timeline.row(&event?))? {
            break;
        }
    }
    pager.end();
    if is_empty && args.count > 0 {
        print::message(&timeline::nothing_yet())?;
    }
    Ok(ExitStatus::Done)
}
