//! `git tcr on`, `git tcr off`, `git tcr mode M`

use clap::Args;
use clap::ValueEnum;
use std::path::Path;
use std::time::Duration;

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::branch::event::EventKind;
use crate::branch::off::why_off;
use crate::branch::session::Session;
use crate::branch::{Loaded, place, sealed};
use crate::branch::{repair, transaction};
use crate::commands::print::OutputArgs;
use crate::config::Config;
use crate::error::{Error, ExitStatus, Result};
use crate::git::lock::{self, Lock};
use crate::git::repo::Repo;
use crate::message::{self, Message};
use crate::rules::Mode;
use crate::step::activate;

/// `mode`
#[derive(Debug, Args)]
pub(crate) struct ModeArgs {
    /// The mode.
    #[arg(value_enum)]
    pub(crate) mode: ModeName,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The modes as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Gate and loop: what a test asks for is committed, unfinished work kept, the rest taken back.
    Both,
    /// The gate alone; results move the phases, nothing is committed or taken back.
    Tdd,
    /// The loop alone: green is committed, red is taken back at once.
    Tcr,
    /// The gate, and a loop that takes back only what is frozen.
    Relaxed,
    /// Touch nothing, record what would have been done.
    Observe,
    /// Nothing but protected paths is guarded.
    Off,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Mode {
        match name {
            ModeName::Both => Mode::Both,
            ModeName::Tdd => Mode::Tdd,
            ModeName::Tcr => Mode::Tcr,
            ModeName::Relaxed => Mode::Relaxed,
            ModeName::Observe => Mode::Observe,
            ModeName::Off => Mode::Off,
        }
    }
}

pub(crate) fn on(args: OutputArgs) -> Result<ExitStatus> {
    open::people_only("on")?;
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    let already = |loaded: &Loaded| {
        let base = opened.place.base.as_bstr();
        why_off(&loaded.state, &opened.sealed.config, base).is_none()
    };
    let base = opened.place.base.to_string();
    if let Some(loaded) = opened.place.loaded.as_ref().filter(|one| already(one)) {
        let facts = json!({"action": "on", "base": base, "phase": loaded.state.phase});
        return done(args.json, &facts, &message::switch::already_on(&base));
    }
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let activated = activate::activate(
        &opened.repo,
        &opened.sealed.config,
        &opened.place,
        None,
        false,
        &mut live,
    )?;
    let (session, results) = (&activated.session, &activated.results);
    let facts = json!({
        "action": "on", "base": base, "phase": session.state.phase, "test_results": results,
        "baseline": activated.baseline.map(|commit| commit.to_string()),
        "remarks": session.remarks,
    });
    done(args.json, &facts, &message::switch::on(&activated))
}

/// How long a test run that was asked to stop may take to let go of the worktree.
const TO_STOP: Duration = Duration::from_secs(5);

/// Waits for no lock, and begins again past what is broken: a person can always get out.
pub(crate) fn off(args: OutputArgs) -> Result<ExitStatus> {
    open::people_only("off")?;
    let repo = open::repository()?;
    let (base, unfinished) = match try_off(&repo) {
        Ok(done) => done,
        Err(error) => {
            if repair::repair(&repo)?.is_empty() {
                return Err(error);
            }
            try_off(&repo)?
        }
    };
    let facts = json!({
        "action": "off", "base": base, "unfinished": unfinished.as_ref().map(Error::to_string),
    });
    let message = message::switch::off(&base, unfinished.as_ref());
    done(args.json, &facts, &message)
}

fn try_off(repo: &Repo) -> Result<(String, Option<Error>)> {
    let path = lock::path(repo.git_dir());
    if let Some(_lock) = Lock::take_within(&path, Duration::ZERO)? {
        let unfinished = finish_pending(repo);
        return Ok((switch_off(repo)?, unfinished));
    }
    // First the state: whoever waits for the lock too then finds it off.
    let base = switch_off(repo)?;
    end_running_test(&path)?;
    let lock = Lock::take_within(&path, TO_STOP)?;
    Ok((base, lock.and_then(|_lock| finish_pending(repo))))
}

/// Finishes what a process that died has left; what keeps it from that keeps nobody from switching off.
/// In the middle of a merge and its like it has to wait anyway.
fn finish_pending(repo: &Repo) -> Option<Error> {
    match transaction::finish_pending(repo) {
        Ok(_) | Err(Error::StandAside(_)) => None,
        Err(error) => Some(error),
    }
}

/// Writes the state, again if another process has written it meanwhile.
fn switch_off(repo: &Repo) -> Result<String> {
    const RACES: usize = 8;
    // What can't be read says nothing against switching off.
    let config = match sealed::require(repo) {
        Ok(sealed) => sealed.config,
        Err(Error::Corrupt { .. }) => Config::default(),
        Err(error) => return Err(error),
    };
    for attempt in 1.. {
        let place = place::locate(repo)?;
        let mut session = Session::of_caller(repo, &config, &place)?;
        session.state.enabled = false;
        let event = session.event(EventKind::Switch, "off".into());
        match session.record(vec![event]) {
            Err(Error::LostRace(_)) if attempt < RACES => {}
            recorded => return recorded.map(|()| session.base.to_string()),
        }
    }
    Err(Error::internal("the state was never written"))
}

/// The owner of the lock ends its test run, and then lets go of the lock.
fn end_running_test(lock: &Path) -> Result<()> {
    let owner = Lock::owner(lock)?;
    if let Some(process) = owner.and_then(rustix::process::Pid::from_raw) {
        // Gone already is as good.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        // One that was stopped hears of it only when it goes on.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::CONT);
    }
    Ok(())
}

pub(crate) fn mode(args: &ModeArgs) -> Result<ExitStatus> {
    open::people_only("mode")?;
    let opened = Opened::new(&mut Live::new(args.json))?;
    let mut session = opened.session()?;
    let mode = Mode::from(args.mode);
    session.switch_to(mode)?;
    let event = session.event(EventKind::Switch, format!("mode {mode}"));
    session.record(vec![event])?;
    let base = session.base.to_string();
    let off = why_off(&session.state, session.config, session.base.as_bstr());
    let message = message::switch::mode(mode, &base, off);
    let facts = json!({"action": "mode", "base": base, "mode": mode, "off": off.is_some()});
    done(args.json, &facts, &message)
}

fn done(as_json: bool, facts: &Value, message: &Message) -> Result<ExitStatus> {
    if as_json {
        print::json(facts)?;
    } else {
        print::message(message)?;
    }
    Ok(ExitStatus::Done)
}
