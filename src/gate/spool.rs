//! Lines that the gate leaves for the commands after it.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};

/// Adds a line.
pub(super) fn add(path: &Path, entry: &impl Serialize) -> Result<()> {
    let io = |error| Error::io("write", path, error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let line = serde_json::to_vec(entry);
    let mut line = line.map_err(|_| Error::internal("a line for the spool is not JSON"))?;
    line.push(b'\n');
    // One write of one line: several gates may be at it at once.
    let mut file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(path)
        .map_err(io)?;
    file.write_all(&line).map_err(io)
}
