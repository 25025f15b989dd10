//! `git tcr recover`

use clap::Args;
use clap::Subcommand;
use std::collections::BTreeSet;

use gix::bstr::{BString, ByteSlice};
use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::branch::event::EventKind;
use crate::branch::place;
use crate::branch::recover;
use crate::branch::session::{Plan, Session};
use crate::branch::state::Hold;
use crate::clock;
use crate::error::{Doing, ExitStatus, Result};
use crate::git::align::FromTo;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, names};
use crate::message;
use crate::outcome::recover::{BackAtGreen, Restored};
use crate::rules::{CommitLabel, CycleKind, PathClass, Phase};
use crate::test_run::jobs;
use crate::test_run::progress::Progress;

/// `recover`
#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    /// What to do; without it the list is shown.
    #[command(subcommand)]
    pub(crate) action: Option<RecoverAction>,
    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What `recover` can do.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum RecoverAction {
    /// List what was taken back, newest first.
    List {
        /// How many entries.
        #[arg(short = 'n', long, default_value_t = print::LISTED, value_name = "COUNT")]
        count: usize,
    },
    /// Show what an entry holds, as a diff.
    Show {
        /// The entry's number.
        number: u64,
    },
    /// Bring an entry back into the worktree; what is there now is saved first.
    Restore {
        /// The entry's number; without it the last one.
        number: Option<u64>,
    },
    /// Go back to the last green; the present work is saved first.
    Green,
}

pub(crate) fn recover(args: &RecoverArgs) -> Result<ExitStatus> {
    let by_default = RecoverAction::List {
        count: print::LISTED,
    };
    match args.action.clone().unwrap_or(by_default) {
        RecoverAction::List { count } => list(count, args.json),
        RecoverAction::Show { number } => show(number, args.json),
        RecoverAction::Restore { number } => restore(number, args.json),
        RecoverAction::Green => green(args.json),
    }
}

fn list(count: usize, json: bool) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let (entries, older) = recover::list(&repo, place.kept_under(), count)?;
    if json {
        print::json(&entries)?;
    } else if entries.is_empty() && older == 0 {
        print::message(&message::recover::nothing_reverted())?;
    } else {
        print::text(&message::recover::list(&entries, older))?;
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

fn restore(number: Option<u64>, json: bool) -> Result<ExitStatus> {
    let number = match number {
        Some(number) => number,
        None => newest()?,
    };
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

fn newest() -> Result<u64> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let (newest, _) = recover::list(&repo, place.kept_under(), 1)?;
    Ok(newest.first().map_or(1, |entry| entry.number))
}

/// Brings an entry back into the worktree.
pub(crate) fn bring_back(number: u64, progress: &mut dyn Progress) -> Result<Restored> {
    let opened = Opened::new(progress)?;
    let mut session = opened.session()?;
    restore_entry(&mut session, number)
}

fn green(json: bool) -> Result<ExitStatus> {
    let opened = Opened::new(&mut Live::new(json))?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let back = back_to_green(&mut session)?;
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

/// What `restore` does: what is there now is saved first.
fn restore_entry(session: &mut Session<'_>, number: u64) -> Result<Restored> {
    let repo = session.repo;
    let commit = recover::find(repo, session.base.as_bstr(), number)?;
    let snapshot = session.snapshot()?;
    let mut wanted = recover::changes(repo, commit)?;
    let gone = gone_already(repo, snapshot.tree, &wanted)?;
    wanted.retain(|change| !gone.contains(&change.path));
    let target = trees::with_changes(repo, snapshot.tree, wanted.iter())?;
    let mut plan = Plan::default();
    let replaced = trees::diff(repo, target, snapshot.tree)?;
    let touched = |change: &Change| {
        snapshot
            .changes
            .binary_search_by(|own| own.path.cmp(&change.path))
            .is_ok()
    };
    let mut saved = None;
    if replaced.iter().any(touched) {
        let (entry, commit) = session.save(&snapshot, &format!("before recover {number}"))?;
        plan.saved.push((entry, commit));
        saved = Some(entry);
    }
    plan.worktree = Some(FromTo::new(snapshot.tree, target));
    session.state.hold = Some(Hold {
        tree: target.to_string(),
        recover: number,
    });
    let mut event = session.event(EventKind::Restore, String::new());
    event.recover = Some(number);
    event.files = wanted.len();
    plan.events.push(event);
    let carried = session.write(snapshot.tree, plan)?;
    let paths = wanted.iter().map(|change| &change.path);
    Ok(Restored {
        files: names(paths.filter(|path| !carried.kept.contains(path))),
        saved,
        kept: names(carried.kept.iter()),
    })
}

/// The files that a change deletes and that are not there: a folder of the same name is another thing.
fn gone_already(repo: &Repo, tree: gix::ObjectId, wanted: &[Change]) -> Result<BTreeSet<BString>> {
    let mut gone = BTreeSet::new();
    for change in wanted.iter().filter(|change| change.after.is_none()) {
        if trees::lookup(repo, tree, change.path.as_bstr())?.is_none() {
            gone.insert(change.path.clone());
        }
    }
    Ok(gone)
}

/// Goes back to the last green. It was tested, so it is committed again on top; the work since
/// then is saved.
fn back_to_green(session: &mut Session<'_>) -> Result<BackAtGreen> {
    let repo = session.repo;
    // In the first cycle nothing was green yet but where the work began.
    let last_green = session.state.last_green.clone();
    let is_fork = last_green.is_none();
    let green = last_green.unwrap_or_else(|| session.state.fork.clone());
    let green_id = gix::ObjectId::from_hex(green.as_bytes()).doing("read an object id")?;
    let snapshot = session.snapshot()?;
    let back: Vec<Change> = trees::diff(repo, snapshot.tree, repo.tree_of(green_id)?)?
        .into_iter()
        .filter(|change| !change.is_submodule() && goes_back(session, change))
        .collect();
    let target = trees::with_changes(repo, snapshot.tree, back.iter())?;
    let mut plan = Plan::default();
    let mut saved = None;
    if !back.is_empty() {
        let (entry, commit) = session.save(&snapshot, "before going back to the last green")?;
        plan.saved.push((entry, commit));
        saved = Some(entry);
        plan.worktree = Some(FromTo::new(snapshot.tree, target));
    }
    let head_tree = session.head_tree()?;
    if target != head_tree {
        let label = CommitLabel::Recover.name();
        let commit = session.wip_commit(target, label, "", &back)?;
        plan.index = Some(FromTo::new(head_tree, target));
        plan.notes.push(session.summary_note(commit, label, None)?);
        plan.commit = Some(commit);
    } else {
        plan.index = Some(FromTo::new(snapshot.tree, target));
    }
    if saved.is_none() {
        saved = session.keep_staged(&snapshot, &mut plan)?;
    }
    let mut event = session.event(EventKind::Restore, "back to the last green".into());
    if session.state.cycle_kind() == CycleKind::Free {
        session.state.enter(Phase::Red, &clock::timestamp());
    }
    event.next_phase = session.state.phase;
    event.recover = saved;
    event.files = back.len();
    event.commit = plan.commit.map(|commit| commit.to_string());
    session.state.hold = None;
    session.state.pending = None;
    session.state.awaited.clear();
    session.state.accepted_tree = target.to_string();
    session.state.accepted_results = session.cached(
        target,
        &jobs::about(session.config, session.repo.root(), &[])?,
        None,
    )?;
    let commit = event.commit.clone();
    plan.events.push(event);
    let carried = session.write(snapshot.tree, plan)?;
    Ok(BackAtGreen {
        green,
        is_fork,
        commit,
        saved,
        kept: names(carried.kept.iter()),
    })
}

/// Under a spec the tests stay as they were written.
fn goes_back(session: &Session<'_>, change: &Change) -> bool {
    match session.class(change.path.as_bstr()) {
        PathClass::Docs | PathClass::Spec => false,
        PathClass::Test | PathClass::Harness => session.state.cycle_kind() == CycleKind::Free,
        PathClass::Protected | PathClass::Mixed | PathClass::Source | PathClass::Other => true,
    }
}
