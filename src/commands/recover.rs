//! `git tcr recover`

use std::fmt::Write as _;

use gix::bstr::ByteSlice;
use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::cli::{RecoverAction, RecoverArgs};
use crate::error::{ExitStatus, Result};
use crate::journal::place;
use crate::message::{self, Message, Tone};
use crate::tcr_loop::progress::Progress;
use crate::tcr_loop::recover::{self, Entry, Restored};

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
    let entries = recover::list(&repo, place.base.as_bstr())?;
    if json {
        print::json(&entries)?;
    } else if entries.is_empty() {
        print::message(&Message::new(
            Tone::Plain,
            "nothing was reverted on this branch",
        ))?;
    } else {
        let mut text = String::new();
        for entry in &entries {
            let _ = writeln!(text, "{}", line(entry));
        }
        text.push_str("hint: git tcr recover show NUMBER, git tcr recover restore NUMBER\n");
        print::text(&text)?;
    }
    Ok(ExitStatus::Done)
}

fn line(entry: &Entry) -> String {
    let files = message::count(entry.files.len(), "file", "files");
    format!(
        "{:>4}  {}  {files}: {}  {}",
        entry.number,
        entry.at,
        message::path_list(&entry.files),
        entry.why
    )
}

fn show(number: u64, json: bool) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let shown = recover::show(&repo, place.base.as_bstr(), number)?;
    if json {
        print::json(&json!({"entry": shown.entry, "diff": shown.diff}))?;
    } else {
        print::text(&format!("{}\n{}", line(&shown.entry), shown.diff))?;
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
        print::message(&restored_message(number, &restored).hint("change it, then `git tcr run`"))?;
    }
    Ok(ExitStatus::Done)
}

/// Brings an entry back into the worktree.
pub(super) fn bring_back(number: u64, progress: &mut dyn Progress) -> Result<Restored> {
    let opened = Opened::new(progress)?;
    let mut session = opened.session()?;
    recover::restore(&mut session, number)
}

/// What was brought back, without the next step.
pub(super) fn restored_message(number: u64, restored: &Restored) -> Message {
    let files = message::count(restored.files.len(), "file", "files");
    let mut message = Message::new(
        Tone::Good,
        format!("brought back recover {number}: {files}"),
    )
    .fact(format!("files: {}", message::path_list(&restored.files)));
    if let Some(saved) = restored.saved {
        message = message.fact(format!("what was there before is kept as recover {saved}"));
    }
    if !restored.kept.is_empty() {
        message = message.fact(format!(
            "left as they are: {}",
            message::path_list(&restored.kept)
        ));
    }
    message.fact("it is not reverted again until it changes")
}

fn green(json: bool) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(json))?;
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let back = recover::green(&mut session)?;
    if json {
        print::json(&json!({
            "action": "recover_green",
            "commit": back.commit,
            "green": back.green,
            "saved": back.saved,
            "phase": session.state.phase,
        }))?;
        return Ok(ExitStatus::Done);
    }
    let mut message = Message::new(
        Tone::Good,
        format!(
            "back at the last green, `{}`",
            message::short_id(&back.green)
        ),
    );
    if let Some(saved) = back.saved {
        message = message.fact(format!("the work since is kept as recover {saved}"));
    }
    print::message(&message.hint(message::phase::next_step(session.state.phase)))?;
    Ok(ExitStatus::Done)
}
