//! Files of a personal installation stay out of `git status`, by `info/exclude`.

use std::io::Write;

use crate::effects::git::repo::Repo;
use crate::error::{Error, Result};

/// Adds a path from the root, unless it is there.
pub(crate) fn add(repo: &Repo, path: &str) -> Result<()> {
    let file = repo.common_dir().join("info").join("exclude");
    let line = format!("/{path}");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    if text.lines().any(|known| known == line) {
        return Ok(());
    }
    let io = |error| Error::io("write", &file, error);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let mut out = std::fs::File::options()
        .append(true)
        .create(true)
        .open(&file)
        .map_err(io)?;
    let newline = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    writeln!(out, "{newline}{line}").map_err(io)
}

/// Takes the line for a path out again.
pub(crate) fn take_out(repo: &Repo, path: &str) -> Result<()> {
    let file = repo.common_dir().join("info").join("exclude");
    let Ok(text) = std::fs::read_to_string(&file) else {
        return Ok(());
    };
    let line = format!("/{path}");
    let rest: String = text
        .split_inclusive('\n')
        .filter(|known| known.trim_end_matches('\n') != line)
        .collect();
    if rest == text {
        return Ok(());
    }
    std::fs::write(&file, rest).map_err(|error| Error::io("write", &file, error))
}
