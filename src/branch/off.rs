//! Where git tcr has no say, and why.

use gix::bstr::{BStr, ByteSlice};

use crate::branch::state::State;
use crate::config::Config;
use crate::rules::Mode;

/// Why TCR does nothing on a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Off {
    /// A person switched it off on this branch.
    Switched,
    /// A person took a time-out from the rules.
    Spike,
    /// `enabled = false`
    ByConfig,
    /// `mode = "off"`
    ByMode,
    /// The branch is not among `branches`.
    ByBranch,
}

/// What the config has against working on a branch, whatever its state.
pub(crate) fn off_by_config(config: &Config, base: &BStr) -> Option<Off> {
    if !config.enabled {
        Some(Off::ByConfig)
    } else if !config.acts_on(&base.to_str_lossy()) {
        Some(Off::ByBranch)
    } else {
        None
    }
}

/// Why TCR does nothing on a branch; `None` if it is at work.
pub(crate) fn why_off(state: &State, config: &Config, base: &BStr) -> Option<Off> {
    let switched = !state.enabled || state.mode == Some(Mode::Off);
    off_by_config(config, base)
        .or(switched.then_some(Off::Switched))
        .or(state.spike.as_ref().map(|_| Off::Spike))
        .or((state.mode.unwrap_or(config.mode) == Mode::Off).then_some(Off::ByMode))
}

/// The mode that counts: the branch's own, else the config's; off where TCR has no say.
pub(crate) fn effective_mode(state: &State, config: &Config, base: &BStr) -> Mode {
    match why_off(state, config, base) {
        Some(_) => Mode::Off,
        None => state.mode.unwrap_or(config.mode),
    }
}
