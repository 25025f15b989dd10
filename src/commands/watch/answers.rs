//! What comes of the work: how far it is, what it did, what went wrong, and whether it is tried again.

use std::time::{Duration, Instant};

use super::layout::Happened;
use super::worker::{Answer, Note};
use super::{Busy, Watch, notice};
use crate::clock;
use crate::error::{Error, Result};
use crate::message::{self, Message};
use crate::outcome::step::Action;

/// How often something is tried that fails for a reason which may be gone a moment later, or that
/// was disturbed by changes while the tests ran.
pub(super) const TRIES: u32 = 4;
/// How many past results are kept for the screen.
const REMEMBERED: usize = 50;

impl Watch {
    pub(super) fn on_note(&mut self, note: Note) -> Result<()> {
        match note {
            Note::Waiting(owner) => self.busy = Some(Busy::Waiting(owner)),
            Note::TestsStart(command) => {
                self.busy = Some(Busy::Testing {
                    command,
                    since: Instant::now(),
                });
            }
            Note::TestsEnd => self.busy = Some(Busy::Working),
            Note::Ended(answer) => {
                self.busy = None;
                match *answer {
                    Ok(answer) => self.on_answer(answer)?,
                    Err(error) => self.on_error(&error)?,
                }
                self.reread();
                if let Some(job) = self.asked_for.take() {
                    self.give(job)?;
                }
            }
        }
        Ok(())
    }

    fn on_answer(&mut self, answer: Answer) -> Result<()> {
        self.held = None;
        if answer.left_at.is_some() {
            self.left_at = answer.left_at;
        }
        if let Some(outcome) = &answer.outcome {
            if outcome.is_undecided() {
                if self.given_up.as_ref() != Some(&outcome.reason) && self.tries_again() {
                    self.left_at = None;
                    return Ok(());
                }
                // The tests change what they test: looking again would never end.
                self.given_up = Some(outcome.reason.clone());
            }
            self.tries = 0;
            let did_nothing = outcome.action == Action::None && outcome.taken_back.is_empty();
            if did_nothing && outcome.reason.is_empty() {
                return Ok(());
            }
            self.front.json(outcome)?;
            if self.bell && (outcome.is_no() || outcome.is_undecided()) {
                self.front.bell()?;
            }
            answer
                .on_screen
                .iter()
                .for_each(|message| self.announce(message));
        }
        for (message, on_screen) in answer.messages.iter().zip(answer.on_screen) {
            self.say(message, on_screen)?;
        }
        Ok(())
    }

    fn on_error(&mut self, error: &Error) -> Result<()> {
        let may_pass = match error {
            Error::GitLocked(_)
            | Error::LostRace(_)
            | Error::Pruned(_)
            | Error::Unstable(_)
            | Error::Io { .. }
            | Error::Content { .. }
            | Error::GitCommand { .. }
            | Error::Git { .. } => true,
            // Ended with the watch itself, or by `git tcr off`.
            Error::Interrupted => return Ok(()),
            _ => false,
        };
        if may_pass && self.tries_again() {
            return Ok(());
        }
        self.tries = 0;
        let message = message::error(error);
        if self.held.as_ref() != Some(&message) {
            self.front.line(&message)?;
        }
        self.held = Some(message);
        Ok(())
    }

    /// Plans another look, later each time; `false` if that was done often enough.
    fn tries_again(&mut self) -> bool {
        self.tries += 1;
        if self.tries >= TRIES {
            return false;
        }
        let pause = self.settings.debounce.max(Duration::from_millis(50)) * (1 << self.tries);
        self.due = Some(Instant::now() + pause);
        true
    }

    /// Prints a message, or keeps it for the screen. What was said last is not said again.
    pub(super) fn say(&mut self, message: &Message, on_screen: Message) -> Result<()> {
        let again = |last: &Happened| last.message == on_screen;
        if self.happened.first().is_some_and(again) {
            self.happened.remove(0);
        } else {
            self.front.line(message)?;
        }
        let at = clock::seconds_now();
        let message = on_screen;
        self.happened.insert(0, Happened { at, message });
        self.happened.truncate(REMEMBERED);
        Ok(())
    }

    pub(super) fn announce(&self, message: &Message) {
        if self.notify {
            notice::on_desktop(message);
        }
    }
}
