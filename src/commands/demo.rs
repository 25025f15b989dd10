//! `git tcr demo`
use crate::cli::DemoArgs;
use crate::error::{ExitStatus, Result};
pub(super) fn demo(_args: &DemoArgs) -> Result<ExitStatus> {
    Ok(ExitStatus::Done)
}
