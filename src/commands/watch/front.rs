//! Where the watch is seen: a screen, lines, or JSON.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::layout::Shown;
use super::screen::Screen;
use crate::commands::watch::WatchArgs;
use crate::error::{Error, Result};
use crate::message::Message;
use crate::outcome::step::Outcome;

/// One of the three.
pub(super) enum Front {
    Screen(Screen),
    Lines,
    Json,
}

impl Front {
    pub(super) fn open(args: &WatchArgs) -> Result<Front> {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if args.json {
            Ok(Front::Json)
        } else if args.plain || !terminal || crate::env_vars::is_dumb_terminal() {
            Ok(Front::Lines)
        } else {
            shown(Screen::open()).map(Front::Screen)
        }
    }

    pub(super) fn has_keys(&self) -> bool {
        matches!(self, Front::Screen(_))
    }

    pub(super) fn draw(&mut self, what: &Shown<'_>) -> Result<()> {
        match self {
            Front::Screen(screen) => shown(screen.draw(what)),
            Front::Lines | Front::Json => Ok(()),
        }
    }

    /// A message as it is printed where there is no screen.
    pub(super) fn line(&mut self, message: &Message) -> Result<()> {
        match self {
            Front::Lines => shown(print(&message.render())),
            Front::Screen(_) | Front::Json => Ok(()),
        }
    }

    /// A result for programs.
    pub(super) fn json(&mut self, outcome: &Outcome) -> Result<()> {
        match self {
            Front::Json => {
                let line = serde_json::to_string(outcome)
                    .map_err(|_| Error::internal("a result is not JSON"))?;
                shown(print(&format!("{line}\n")))
            }
            Front::Screen(_) | Front::Lines => Ok(()),
        }
    }

    pub(super) fn bell(&mut self) -> Result<()> {
        match self {
            Front::Screen(screen) => shown(screen.bell()),
            Front::Lines | Front::Json => Ok(()),
        }
    }

    pub(super) fn suspend(&mut self) -> Result<()> {
        match self {
            Front::Screen(screen) => shown(screen.suspend()),
            Front::Lines | Front::Json => Ok(()),
        }
    }

    /// Gives the terminal back and says the last words.
    pub(super) fn close(self, message: &Message) -> Result<()> {
        match self {
            Front::Screen(screen) => {
                drop(screen);
                shown(print(&message.render()))
            }
            Front::Lines => shown(print(&message.render())),
            Front::Json => Ok(()),
        }
    }
}

/// At once, and an error if nobody reads it: a watch that nobody sees has no use.
fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn shown<T>(result: io::Result<T>) -> Result<T> {
    result.map_err(|error| Error::io("write to", Path::new("the terminal"), error))
}
