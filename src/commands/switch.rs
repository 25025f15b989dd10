//! `git tcr on`, `git tcr off`, `git tcr mode M`

use gix::bstr::ByteSlice;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::cli::{ModeArgs, OutputArgs};
use crate::effects::lock::{self, Lock};
use crate::error::{ExitStatus, Result};
use crate::journal::Loaded;
use crate::journal::event::EventKind;
use crate::message::{self, Message, Tone};
use crate::policy::Mode;
use crate::tcr_loop::activate;
use crate::tcr_loop::session::why_off;

pub(super) fn on(args: OutputArgs) -> Result<ExitStatus> {
    open::people_only("on")?;
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    let already = |loaded: &Loaded| {
        let base = opened.place.base.as_bstr();
        why_off(&loaded.state, &opened.sealed.config, base).is_none()
    };
    if opened.place.loaded.as_ref().is_some_and(already) {
        let message = Message::new(
            Tone::Plain,
            format!("already on for `{}`", opened.place.base),
        );
        return done(args.json, "on", &opened.place.base.to_string(), &message);
    }
    crate::tcr_loop::stand_aside::check(&opened.repo, &opened.place)?;
    let activated = activate::activate(
        &opened.repo,
        &opened.sealed.config,
        &opened.place,
        None,
        false,
        &mut live,
    )?;
    let phase = activated.session.state.phase;
    let message = Message::new(
        Tone::Good,
        format!("on for `{}`, phase `{phase}`", opened.place.base),
    )
    .fact(format!("tests: {}", message::results(&activated.results)))
    .hint(message::next_step(phase));
    done(args.json, "on", &opened.place.base.to_string(), &message)
}

/// Waits for no lock: a person can always get out.
pub(super) fn off(args: OutputArgs) -> Result<ExitStatus> {
    open::people_only("off")?;
    let repo = open::repository()?;
    end_running_test(&repo)?;
    drop(repo);
    let opened = Opened::new(&mut Live::new(args.json))?;
    let mut session = opened.session()?;
    session.state.enabled = false;
    let event = session.event(EventKind::Switch, "off".into());
    session.record(vec![event])?;
    let message = Message::new(
        Tone::Good,
        format!(
            "off for `{}`; nothing in the worktree changed",
            session.base
        ),
    )
    .hint("git tcr on");
    done(args.json, "off", &session.base.to_string(), &message)
}

/// The owner of the lock ends its test run, and then lets go of the lock.
fn end_running_test(repo: &crate::effects::git::repo::Repo) -> Result<()> {
    let Some(owner) = Lock::owner(&lock::path(repo.git_dir()))? else {
        return Ok(());
    };
    if let Some(process) = rustix::process::Pid::from_raw(owner) {
        // Gone already is as good.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
    Ok(())
}

pub(super) fn mode(args: &ModeArgs) -> Result<ExitStatus> {
    open::people_only("mode")?;
    let opened = Opened::new(&mut Live::new(args.json))?;
    let mut session = opened.session()?;
    let mode = Mode::from(args.mode);
    session.state.mode = Some(mode);
    let event = session.event(EventKind::Switch, format!("mode {mode}"));
    session.record(vec![event])?;
    let base = session.base.to_string();
    done(
        args.json,
        mode.name(),
        &base,
        &Message::new(Tone::Good, format!("mode `{mode}` on `{base}`")),
    )
}

fn done(json: bool, action: &str, base: &str, message: &Message) -> Result<ExitStatus> {
    if json {
        print::json(&serde_json::json!({"action": action, "base": base}))?;
    } else {
        print::message(message)?;
    }
    Ok(ExitStatus::Done)
}
