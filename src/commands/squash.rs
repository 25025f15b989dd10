//! `git tcr squash`

use clap::Args;
use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::rules::squash::Grouping;
use crate::squash::undo;
use crate::squash::{self, Request};

/// `squash`
#[derive(Debug, Args)]
pub(crate) struct SquashArgs {
    /// The message; by default one is proposed from the tests that were made to pass.
    #[arg(short, long, value_name = "MSG", conflicts_with = "by_cycle")]
    pub(crate) message: Option<String>,
    /// Open your editor on the message.
    #[arg(short, long)]
    pub(crate) edit: bool,
    /// One commit per cycle instead of one for all.
    #[arg(long)]
    pub(crate) by_cycle: bool,
    /// Put the work on top of this commit, which has to contain the base branch.
    #[arg(long, value_name = "REF")]
    pub(crate) onto: Option<String>,
    /// Let cycles through whose tests pass without their source; it is logged and stands in the commit.
    #[arg(long)]
    pub(crate) accept_unproven: bool,
    /// Put what was there before the first cycle, and commits by hand, in with the rest.
    #[arg(long)]
    pub(crate) fold_baseline: bool,
    /// Begin the message as a conventional commit, e.g. `feat` or `fix(parser)`.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,
    /// Go back to before the last squash.
    #[arg(long, conflicts_with_all = ["message", "edit", "by_cycle", "onto", "fold_baseline", "accept_unproven", "kind", "dry_run"])]
    pub(crate) undo: bool,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn squash(args: &SquashArgs) -> Result<ExitStatus> {
    if !args.dry_run {
        open::people_only("squash")?;
    }
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    let Opened {
        repo,
        sealed,
        place,
        _lock,
    } = opened;
    if args.undo {
        let undone = undo::undo(&repo, &sealed.config, &place)?;
        if args.json {
            print::json(&json!({"action": "undo", "squash": undone}))?;
        } else {
            print::message(&message::squash::undone(&undone))?;
        }
        return Ok(ExitStatus::Done);
    }
    let request = Request {
        message: args.message.as_deref(),
        edit: args.edit,
        grouping: Grouping {
            by_cycle: args.by_cycle,
            fold_by_hand: args.fold_baseline,
        },
        onto: args.onto.as_deref(),
        kind: args.kind.as_deref(),
        dry_run: args.dry_run,
        accept_unproven: args.accept_unproven,
    };
    let squash = squash::squash(&repo, &sealed.config, place, &request, &mut live)?;
    let body = message::squash::body(&squash);
    if args.json {
        print::json(&json!({"action": "squash", "squash": squash, "body": body}))?;
    } else {
        print::message(&message::squash::squash(&squash))?;
        print::text(&format!("\n{body}"))?;
    }
    Ok(ExitStatus::Done)
}
