//! What a person at the terminal is asked.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use crate::branch::place::Place;
use crate::commands::install::InstallArgs;
use crate::commands::print;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::message;
use crate::step::activate;

/// On a terminal a person is shown what will be done, and asked.
pub(super) fn asks(args: &InstallArgs) -> bool {
    !args.yes && !args.json && std::io::stdin().is_terminal()
}

/// On a terminal a person may say that a large baseline is fine.
pub(super) fn confirmed_large(repo: &Repo, config: &Config, place: &Place) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let Err(Error::LargeBaseline { megabytes, largest }) =
        activate::check_baseline(repo, config, place)
    else {
        return Ok(false);
    };
    let question = message::install::record_that_much(megabytes, &largest);
    agreed(&question, false)
}

/// Whether the answer is yes; `otherwise` is what an empty line means.
pub(super) fn agreed(question: &str, otherwise: bool) -> Result<bool> {
    let line = answer(question)?;
    match line.trim() {
        "" => Ok(otherwise && line.ends_with('\n')),
        line => Ok(["y", "yes"]
            .iter()
            .any(|yes| line.eq_ignore_ascii_case(yes))),
    }
}

pub(super) fn answer(question: &str) -> Result<String> {
    let io = |error| Error::io("read from", Path::new("the terminal"), error);
    print::text(question)?;
    std::io::stdout().flush().map_err(io)?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(io)?;
    Ok(line)
}
