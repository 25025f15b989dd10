//! `git tcr mcp`: the commands that agents may use, as tools.

#[cfg(feature = "mcp")]
mod server;
#[cfg(feature = "mcp")]
mod tools;

use crate::error::{ExitStatus, Result};

#[cfg(feature = "mcp")]
pub(crate) fn mcp() -> Result<ExitStatus> {
    server::serve().map(|()| ExitStatus::Done)
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn mcp() -> Result<ExitStatus> {
    Err(crate::message::refusals::without_mcp())
}
