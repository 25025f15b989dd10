//! `git tcr squash`

use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::cli::out::SquashArgs;
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::rules::squash::Grouping;
use crate::squash::undo;
use crate::squash::{self, Request};

pub(super) fn squash(args: &SquashArgs) -> Result<ExitStatus> {
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
