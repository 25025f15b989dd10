//! Tool calls that follow each other at once are judged as one, by the hook of the last of them.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::git::repo::Repo;

fn path(repo: &Repo) -> PathBuf {
    repo.git_dir().join("tcr").join("calls")
}

/// Waits a moment, and says whether another call came meanwhile: its hook judges this one too.
///
/// Should that hook be killed, the end of the turn is judged all the same.
pub(super) fn is_followed(repo: &Repo, pause: Duration) -> Result<bool> {
    if pause.is_zero() {
        return Ok(false);
    }
    let ticket = draw_ticket(&path(repo))?;
    std::thread::sleep(pause);
    Ok(!is_last(&path(repo), ticket)?)
}

/// Whether no call came after this one; the next one begins anew then.
fn is_last(path: &Path, ticket: u64) -> Result<bool> {
    let newest = path.metadata().map_or(0, |file| file.len());
    if newest > ticket {
        return Ok(false);
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove", path, error))
        }
        _ => Ok(true),
    }
}

/// One byte for each call that waits: whoever has written the last one is the last.
fn draw_ticket(path: &Path) -> Result<u64> {
    let io = |error| Error::io("write", path, error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let mut file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(path)
        .map_err(io)?;
    file.write_all(b".").map_err(io)?;
    file.stream_position().map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_calls_judges_for_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tcr").join("calls");
        let first = draw_ticket(&path).unwrap();
        let second = draw_ticket(&path).unwrap();
        assert!(!is_last(&path, first).unwrap());
        assert!(is_last(&path, second).unwrap());
        let later = draw_ticket(&path).unwrap();
        assert!(is_last(&path, later).unwrap());
        assert!(is_last(&path, first).unwrap(), "nobody else will judge it");
    }
}
