//! What the keys do, and how the watch is ended.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::view::View;
use super::worker::Job;
use super::{Busy, Watch};
use crate::error::Result;
use crate::rules::{Mode, Phase};

impl Watch {
    pub(super) fn on_key(&mut self, key: KeyEvent) -> Result<()> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control) {
            (KeyCode::Char('c'), true) => self.quit(),
            (KeyCode::Char('z'), true) => self.front.suspend()?,
            _ if self.prompt.is_some() => self.on_typed(key.code)?,
            (KeyCode::Char('q'), false) => self.quit(),
            // Whoever reads what the keys do does not mean to press one.
            _ if self.help => self.help = false,
            (KeyCode::Char('?' | 'h'), false) => self.help = true,
            (KeyCode::Char('p'), false) => self.paused = !self.paused,
            (KeyCode::Char('r'), false) => self.ask_for(Job::RunNow)?,
            (KeyCode::Char('f'), false) => self.declare(Phase::Refactor, None)?,
            (KeyCode::Char('u'), false) => self.ask_for(Job::RecoverLast)?,
            (KeyCode::Char('o'), false) => self.ask_for(Job::OpenReport)?,
            (KeyCode::Char('t'), false) => {
                let mends = self
                    .view
                    .as_ref()
                    .is_some_and(|view| view.phase == Phase::Green);
                if mends {
                    self.prompt = Some(String::new());
                } else {
                    self.declare(Phase::Red, None)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Going back from `green` needs a reason.
    fn on_typed(&mut self, key: KeyCode) -> Result<()> {
        let Some(typed) = &mut self.prompt else {
            return Ok(());
        };
        match key {
            KeyCode::Esc => self.prompt = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(c) => typed.push(c),
            KeyCode::Enter if !typed.trim().is_empty() => {
                let why = typed.trim().to_owned();
                self.prompt = None;
                self.declare(Phase::Red, Some(why))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, to: Phase, why: Option<String>) -> Result<()> {
        self.ask_for(Job::Phase { to, why })
    }

    /// Ends a running test first.
    fn quit(&mut self) {
        if self.quitting.is_none() && matches!(self.busy, Some(Busy::Testing { .. })) {
            // The test hears it as it hears Ctrl-C in a shell, and nothing is touched.
            let own = rustix::process::getpid();
            let sent = rustix::process::kill_process(own, rustix::process::Signal::TERM);
            self.own_signal = sent.is_ok();
        }
        self.stop();
    }

    /// Somebody else wants the process to stop: a running test has heard it, too.
    pub(super) fn on_stop_signal(&mut self) {
        if !std::mem::take(&mut self.own_signal) && !self.was_switched_off() {
            self.stop();
        }
    }

    /// Whether the signal was only for the test that runs: `git tcr off` ends it, not the watch.
    fn was_switched_off(&mut self) -> bool {
        let is_testing = matches!(self.busy, Some(Busy::Testing { .. }));
        if is_testing {
            self.reread();
        }
        let is_off = |view: &View| view.mode == Mode::Off;
        is_testing && self.view.as_ref().is_some_and(is_off)
    }

    fn stop(&mut self) {
        // Asked twice: now. And whoever waits for a lock has nothing in its hands.
        if self.quitting.is_some() || matches!(self.busy, Some(Busy::Waiting(_))) {
            self.busy = None;
        }
        self.quitting.get_or_insert_with(Instant::now);
    }
}
