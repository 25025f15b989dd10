//! Where the work stands, as the screen shows it.

use std::time::Duration;

use gix::bstr::ByteSlice;

use crate::branch::off::effective_mode;
use crate::branch::place;
use crate::branch::sealed;
use crate::clock;
use crate::commands::open;
use crate::error::Result;
use crate::message;
use crate::rules::{Mode, Phase};

/// What is read from the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    pub(super) branch: String,
    pub(super) phase: Phase,
    pub(super) mode: Mode,
    /// What may be written.
    pub(super) allowed: &'static str,
    pub(super) cycle: u64,
    /// When the phase was entered, in seconds since 1970.
    pub(super) since: u64,
    /// The last run, in a few words.
    pub(super) results: Option<String>,
    pub(super) failing: Vec<String>,
    pub(super) commits: u64,
    pub(super) reverts: u64,
}

/// What the watch needs of the config.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) debounce: Duration,
}

/// Reads both; there is no view on a branch that is not active.
pub(super) fn read() -> Result<(Option<View>, Settings)> {
    let repo = open::repository()?;
    let sealed = sealed::require(&repo)?;
    let settings = Settings {
        debounce: Duration::from_millis(sealed.config.debounce_ms.into()),
    };
    // A detached HEAD, say, is told by the loop.
    let Ok(place) = place::locate(&repo) else {
        return Ok((None, settings));
    };
    let Some(loaded) = &place.loaded else {
        return Ok((None, settings));
    };
    let state = &loaded.state;
    let mode = effective_mode(state, &sealed.config, place.base.as_bstr());
    let view = View {
        branch: open::current_branch(&place),
        phase: state.phase,
        mode,
        allowed: message::spec::allowed_in(state, mode),
        cycle: state.cycle,
        since: clock::parse(&state.phase_entered_at)
            .and_then(|at| u64::try_from(at).ok())
            .unwrap_or_default(),
        results: state.test_results.as_ref().map(message::outcome::results),
        failing: state
            .test_results
            .as_ref()
            .map(|results| results.failed.clone())
            .unwrap_or_default(),
        commits: state.stats.commits,
        reverts: state.stats.reverts,
    };
    Ok((Some(view), settings))
}
