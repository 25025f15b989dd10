//! `git tcr status`

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::{open, print};
use crate::cli::OutputArgs;
use crate::effects::git::refs;
use crate::effects::git::repo::Repo;
use crate::error::{Error, ExitStatus, Result};
use crate::journal::place::{self, Place};
use crate::journal::sealed::{self, Sealed};
use crate::journal::state::State;
use crate::message::{self, Message, Tone};
use crate::policy::Mode;
use crate::tcr_loop::off::{effective_mode, why_off};
use crate::tcr_loop::spec_cycle::needs::CycleStatus;

pub(super) fn status(args: OutputArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let sealed = sealed::require(&repo)?;
    let place = place::locate(&repo)?;
    let loaded = place.require()?;
    let mode = effective_mode(&loaded.state, &sealed.config, place.base.as_bstr());
    let session = open::session(&repo, &sealed.config, &place)?;
    let facts = Facts {
        next_step: session.next_step(),
        cycle: session.cycle_status()?,
        place: &place,
        state: &loaded.state,
        sealed: &sealed,
        mode,
        config_differs: sealed::differs_from_file(&repo, &sealed)?,
        in_flight: refs::read(&repo, &refs::pending(&repo))?.is_some(),
        on_base_beside_wip: !place.on_wip && loaded.state.wip.is_some() && ahead(&repo, &place)?,
    };
    if args.json {
        print::json(&facts.json()?)?;
    } else {
        print::message(&facts.message())?;
    }
    Ok(ExitStatus::Done)
}

fn ahead(repo: &Repo, place: &Place) -> Result<bool> {
    Ok(place
        .wip_tip(repo)?
        .is_some_and(|tip| tip != place.head.commit))
}

struct Facts<'a> {
    place: &'a Place,
    state: &'a State,
    sealed: &'a Sealed,
    mode: Mode,
    config_differs: bool,
    in_flight: bool,
    on_base_beside_wip: bool,
    /// Where the spec cycle stands.
    cycle: Option<CycleStatus>,
    next_step: String,
}

impl Facts<'_> {
    fn allowed_now(&self) -> &'static str {
        message::spec::allowed_now(self.state)
    }

    fn test_command(&self) -> Option<String> {
        self.sealed.config.test.as_ref().map(ToString::to_string)
    }

    /// The state as it is kept, with what follows from it.
    fn json(&self) -> Result<Value> {
        let mut value = serde_json::to_value(self.state)
            .map_err(|_| Error::internal("the state is not JSON"))?;
        let more = json!({
            "mode": self.mode,
            "base": self.place.base.to_string(),
            "branch": open::current_branch(self.place),
            "on_wip": self.place.on_wip,
            "test": self.test_command(),
            "allowed_now": self.allowed_now(),
            "next_step": self.next_step,
            "spec_cycle": self.cycle,
            "config_differs": self.config_differs,
            "in_flight": self.in_flight,
        });
        if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
            value.extend(more);
        }
        Ok(value)
    }

    fn message(&self) -> Message {
        let state = self.state;
        let headline = match self.mode {
            Mode::Off => format!("off on `{}`", self.place.base),
            mode => format!(
                "phase `{}`, cycle {}, mode `{mode}`, on `{}`",
                state.phase,
                state.cycle,
                open::current_branch(self.place)
            ),
        };
        let mut message = Message::new(Tone::Plain, headline);
        if self.mode != Mode::Off {
            message = message.fact(format!("may be written now: {}", self.allowed_now()));
        }
        for fact in self.cycle.iter().flat_map(message::spec::status) {
            message = message.fact(fact);
        }
        if let Some(results) = &state.test_results {
            message = message.fact(format!("last run: {}", message::outcome::results(results)));
        }
        if !state.known_failures.is_empty() {
            let known = message::count(state.known_failures.len(), "test", "tests");
            message = message.fact(format!("known to fail since before: {known}"));
        }
        let stats = &state.stats;
        message = message.fact(format!(
            "so far: {}, {}, {}",
            message::count(stats.commits as usize, "commit", "commits"),
            message::count(stats.reverts as usize, "revert", "reverts"),
            message::count(stats.denials as usize, "denial", "denials"),
        ));
        if let Some(command) = self.test_command() {
            message = message.fact(format!("test command: `{command}`"));
        }
        if state.step.is_some() {
            message = message.fact("a longer step is open; `git tcr run` ends it");
        }
        if self.in_flight {
            message = message.fact("a command is at work, or was ended; the next one finishes it");
        }
        if self.config_differs {
            message = message
                .fact("`.tcr.toml` differs from what was accepted, and is not obeyed")
                .hint("git tcr install");
        }
        if self.on_base_beside_wip {
            return message.hint(format!("git switch tcr/{}", self.place.base));
        }
        match why_off(state, &self.sealed.config, self.place.base.as_bstr()) {
            Some(off) => {
                let (why, hint) = message::phase::off(off, &self.place.base.to_string());
                message.fact(why).hint(hint)
            }
            None => message.hint(self.next_step.clone()),
        }
    }
}
