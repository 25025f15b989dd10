//! `git tcr doctor`

use serde_json::json;

use super::{open, print};
use crate::cli::OutputArgs;
use crate::config::CommandLine;
use crate::effects::git::identity;
use crate::effects::git::repo::Repo;
use crate::effects::install::own_entries::Finding;
use crate::effects::install::trust::{self, Trust};
use crate::error::{ExitStatus, Result};
use crate::installation;
use crate::journal::place;
use crate::journal::sealed::{self, Sealed};
use crate::message::{Message, Tone};

/// One thing that was looked at.
struct Checkup {
    what: String,
    /// How to mend it, if it is not as it should be.
    mend: Option<String>,
}

fn fine(what: impl Into<String>) -> Checkup {
    Checkup {
        what: what.into(),
        mend: None,
    }
}

fn wrong(what: impl Into<String>, mend: impl Into<String>) -> Checkup {
    Checkup {
        what: what.into(),
        mend: Some(mend.into()),
    }
}

pub(super) fn doctor(args: OutputArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let mut checkups = vec![identity(&repo)];
    match sealed::load(&repo) {
        Ok(Some(sealed)) => installed(&repo, &sealed, &mut checkups)?,
        Ok(None) => checkups.push(wrong("git tcr is not installed here", "git tcr install")),
        Err(error) => checkups.push(wrong(error.to_string(), "git tcr install")),
    }
    let findings = checkups
        .iter()
        .filter(|checkup| checkup.mend.is_some())
        .count();
    if args.json {
        let list: Vec<_> = checkups
            .iter()
            .map(|checkup| json!({"what": checkup.what, "ok": checkup.mend.is_none(), "mend": checkup.mend}))
            .collect();
        print::json(&json!({"findings": findings, "checks": list}))?;
    } else {
        print::message(&message(&checkups, findings))?;
    }
    Ok(if findings == 0 {
        ExitStatus::Done
    } else {
        ExitStatus::No
    })
}

fn message(checkups: &[Checkup], findings: usize) -> Message {
    let (tone, headline) = match findings {
        0 => (Tone::Good, "everything is as it should be".into()),
        1 => (Tone::Bad, "1 finding".into()),
        many => (Tone::Bad, format!("{many} findings")),
    };
    let mut message = Message::new(tone, headline);
    for checkup in checkups {
        message = match &checkup.mend {
            None => message.fact(format!("ok: {}", checkup.what)),
            Some(mend) => message
                .fact(format!("finding: {}", checkup.what))
                .hint(mend.clone()),
        };
    }
    message
}

fn identity(repo: &Repo) -> Checkup {
    match identity::committer(repo) {
        Ok(_) => fine("git knows who commits"),
        Err(error) => wrong(error.to_string(), error.hint().unwrap_or_default()),
    }
}

fn installed(repo: &Repo, sealed: &Sealed, checkups: &mut Vec<Checkup>) -> Result<()> {
    checkups.push(fine("git tcr is installed"));
    checkups.push(match sealed::differs_from_file(repo, sealed)? {
        false => fine("`.tcr.toml` is as accepted"),
        true => wrong(
            "`.tcr.toml` differs from what was accepted, and is not obeyed",
            "git tcr install",
        ),
    });
    checkups.push(test_command(sealed));
    checkups.push(
        match place::locate(repo).and_then(|place| place.require().map(|loaded| loaded.state.phase))
        {
            Ok(phase) => fine(format!("active on this branch, phase `{phase}`")),
            Err(error) => wrong(error.to_string(), error.hint().unwrap_or_default()),
        },
    );
    for looked in installation::look(repo, &sealed.config)? {
        let name = looked.client.name();
        let file = looked.file.display();
        if looked.findings.is_empty() {
            checkups.push(fine(format!("`{name}`: hooks in `{file}`")));
        }
        for finding in &looked.findings {
            let what = match finding {
                Finding::Missing(event) => {
                    format!("`{name}`: hook `{event}` is missing in `{file}`")
                }
                Finding::Edited(event) => {
                    format!("`{name}`: hook `{event}` in `{file}` was edited")
                }
                Finding::SwitchedOff(setting) => {
                    format!("`{name}`: `{setting}` in `{file}` switches all hooks off")
                }
                Finding::Unreadable(why) => format!("`{name}`: `{file}` can't be read: {why}"),
            };
            checkups.push(wrong(what, format!("git tcr install --client {name}")));
        }
        if looked.trust == Trust::Missing {
            let how = trust::how_to_trust(looked.client).unwrap_or("trust the hooks in the client");
            checkups.push(wrong(
                format!("`{name}` does not trust the hooks yet, and skips them"),
                how,
            ));
        }
    }
    Ok(())
}

fn test_command(sealed: &Sealed) -> Checkup {
    let missing = |program: &str| {
        wrong(
            format!("the test program `{program}` is not on PATH"),
            "mend `test` in `.tcr.toml`, then `git tcr install`",
        )
    };
    match &sealed.config.test {
        Some(CommandLine::Args(args)) => match args.first() {
            Some(program) if which::which(program).is_err() => missing(program),
            _ => fine("the test program is there"),
        },
        Some(CommandLine::Shell(line)) => fine(format!("test command `{line}`")),
        None => fine("each project has its own test command"),
    }
}
