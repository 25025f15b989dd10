//! `git tcr mcp`: the commands that agents may use, as tools.

#[cfg(feature = "mcp")]
mod server;
#[cfg(feature = "mcp")]
mod tools;

use crate::error::{ExitStatus, Result};

#[cfg(feature = "mcp")]
pub(super) fn mcp() -> Result<ExitStatus> {
    server::serve().map(|()| ExitStatus::Done)
}

#[cfg(not(feature = "mcp"))]
pub(super) fn mcp() -> Result<ExitStatus> {
    Err(crate::error::Error::Usage {
        what: "this git tcr was built without the MCP server".into(),
        hint: "cargo install git-tcr --features mcp".into(),
    })
}
