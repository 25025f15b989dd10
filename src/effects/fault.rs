//! Points after each effect where tests end the process or make it fail.
//!
//! In release builds this is nothing at all.

use crate::error::Result;

/// Marks the moment after an effect. With `GIT_TCR_FAULT=kill:NAME` the process ends here, with
/// `GIT_TCR_FAULT=full:NAME` the effect fails as if the disk were full.
#[cfg(debug_assertions)]
pub(crate) fn point(name: &'static str) -> Result<()> {
    let Some(fault) = crate::env_vars::fault() else {
        return Ok(());
    };
    match fault.split_once(':') {
        Some(("kill", wanted)) if wanted == name => std::process::abort(),
        Some(("full", wanted)) if wanted == name => {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            Err(crate::error::Error::io(
                "write",
                std::path::Path::new(name),
                full,
            ))
        }
        _ => Ok(()),
    }
}

#[cfg(not(debug_assertions))]
#[inline(always)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature as in test builds"
)]
pub(crate) fn point(_name: &'static str) -> Result<()> {
    Ok(())
}
