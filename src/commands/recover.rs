//! `git tcr recover`

use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::branch::place;
use crate::cli::{RecoverAction, RecoverArgs};
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::tcr_loop::recover::{self, Restored};
use crate::test_run::progress::Progress;

pub(super) fn recover(args: &RecoverArgs) -> Result<ExitStatus> {
    match args.action.clone().unwrap_or(RecoverAction::List) {
        RecoverAction::List => list(args.json),
        RecoverAction::Show { number } => show(number, args.json),
        RecoverAction::Restore { number } => restore(number, args.json),
        RecoverAction::Green => green(args.json),
    }
}

fn list(json: bool) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let entries = recover::list(&repo, place.kept_under())?;
    if json {
        print::json(&entries)?;
    } else if entries.is_empty() {
        print::message(&message::recover::nothing_reverted())?;
    } else {
        print::text(&message::recover::list(&entries))?;
    }
    Ok(ExitStatus::Done)
}

fn show(number: u64, json: bool) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let shown = recover::show(&repo, place.kept_under(), number)?;
    if json {
        print::json(&json!({"entry": shown.entry, "diff": shown.diff, "staged": shown.staged}))?;
    } else {
        print::text(&message::recover::shown(&shown))?;
    }
    Ok(ExitStatus::Done)
}

fn restore(number: u64, json: bool) -> Result<ExitStatus> {
    let restored = bring_back(number, &mut Live::new(json))?;
    if json {
        print::json(&json!({
            "action": "restore",
            "recover": number,
            "saved": restored.saved,
            "files": restored.files,
            "edited_meanwhile": restored.kept,
        }))?;
    } else {
        print::message(&message::recover::restored(number, &restored))?;
    }
    Ok(ExitStatus::Done)
}

/// Brings an entry back into the worktree.
pub(super) fn bring_back(number: u64, progress: &mut dyn Progress) -> Result<Restored> {
    let opened = Opened::new(progress)?;
    let mut session = opened.session()?;
    recover::restore(&mut session, number)
}

fn green(json: bool) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(json))?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let back = recover::green(&mut session)?;
    if json {
        print::json(&json!({
            "action": "recover_green",
            "commit": back.commit,
            "green": back.green,
            "saved": back.saved,
            "edited_meanwhile": back.kept,
            "phase": session.state.phase,
        }))?;
    } else {
        let next = session.next_step();
        print::message(&message::recover::back_at_green(&back, &next))?;
    }
    Ok(ExitStatus::Done)
}
