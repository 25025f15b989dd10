//! `git tcr statusline`: one line for a client's status line or a shell's prompt.

use gix::bstr::ByteSlice;

use super::{open, print};
use crate::branch::off::effective_mode;
use crate::branch::place;
use crate::branch::sealed;
use crate::error::{ExitStatus, Result};
use crate::message;

/// Whoever shows it asks all the time and everywhere: what can't be told is no error.
pub(crate) fn statusline() -> Result<ExitStatus> {
    if let Ok(Some(line)) = line() {
        print::text(&format!("{line}\n"))?;
    }
    Ok(ExitStatus::Done)
}

fn line() -> Result<Option<String>> {
    let repo = open::repository()?;
    let Some(sealed) = sealed::load(&repo)? else {
        return Ok(None);
    };
    let place = place::locate(&repo)?;
    let Some(loaded) = &place.loaded else {
        return Ok(None);
    };
    let mode = effective_mode(&loaded.state, &sealed.config, place.base.as_bstr());
    let patience = sealed.config.patience.into();
    Ok(Some(message::status::line(&loaded.state, mode, patience)))
}
