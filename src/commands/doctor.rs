//! `git tcr doctor`

use serde_json::json;

use super::{man, open, print};
use crate::cli::DoctorArgs;
use crate::config::CommandLine;
use crate::effects::git::identity;
use crate::effects::git::repo::Repo;
use crate::effects::install::trust::Trust;
use crate::error::{ExitStatus, Result};
use crate::installation::put_back::Touch;
use crate::installation::self_test::{self, Answer};
use crate::installation::{self, Looked, git_hooks};
use crate::journal::place;
use crate::journal::sealed::{self, Sealed};
use crate::message::{self, Message, Tone};
use crate::policy::Mode;

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

pub(super) fn doctor(args: DoctorArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let mut checkups = vec![identity(&repo), program(), manual()];
    let mut denial_seen = false;
    match sealed::load(&repo) {
        Ok(Some(sealed)) => {
            installed(&repo, &sealed, &mut checkups)?;
            denial_seen = self_test(&repo, &sealed, &mut checkups)?;
        }
        Ok(None) => checkups.push(wrong("git tcr is not installed here", "git tcr install")),
        Err(error) => checkups.push(wrong(error.to_string(), "git tcr install")),
    }
    if args.require && !denial_seen {
        checkups.push(wrong(
            "no denial was seen through the installed hooks of a client",
            "git tcr install --client NAME",
        ));
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
        print::json(&json!({"findings": findings, "denial_seen": denial_seen, "checks": list}))?;
    } else {
        print::message(&report(&checkups, findings))?;
    }
    Ok(if findings == 0 {
        ExitStatus::Done
    } else {
        ExitStatus::No
    })
}

fn report(checkups: &[Checkup], findings: usize) -> Message {
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
    for disarmed in git_hooks::look(repo, sealed)? {
        let what = message::hooks::disarmed(&disarmed, Touch::Nothing);
        checkups.push(wrong(what, "git tcr install"));
    }
    for looked in installation::look(repo, sealed)? {
        client(&looked, checkups);
    }
    for (client, sign) in installation::unguarded(repo, sealed)? {
        let name = client.name();
        checkups.push(wrong(
            format!("`{sign}` tells that `{name}` is in use, but it has no hooks"),
            format!("git tcr install --client {name}"),
        ));
    }
    Ok(())
}

fn client(looked: &Looked, checkups: &mut Vec<Checkup>) {
    let name = looked.client.name();
    if looked.findings.is_empty() {
        let file = looked.file.display();
        checkups.push(fine(format!("`{name}`: hooks in `{file}`")));
    }
    for finding in &looked.findings {
        let what = message::hooks::finding(looked.client, &looked.file, finding);
        let mend = message::hooks::mend(looked.client, looked.scope, &looked.file, finding);
        checkups.push(wrong(what, mend));
    }
    if looked.trust == Trust::Missing {
        let (what, how) = message::hooks::untrusted(looked.client);
        checkups.push(wrong(what, how));
    }
}

/// Forbidden acts through the hooks as they are; whether a client's hooks denied one.
fn self_test(repo: &Repo, sealed: &Sealed, checkups: &mut Vec<Checkup>) -> Result<bool> {
    checkups.push(match self_test::of_git_hooks(repo)? {
        Answer::Denied => fine("self-test: git refused to move a ref of git tcr"),
        Answer::NotDenied(why) => wrong(
            format!("self-test: git did not refuse to move a ref of git tcr: {why}"),
            "git tcr install",
        ),
    });
    let mode = place::locate(repo).ok().and_then(|place| {
        let state = place.loaded?.state;
        Some(state.mode.unwrap_or(sealed.config.mode))
    });
    if mode.unwrap_or(sealed.config.mode) == Mode::Observe {
        checkups.push(fine(
            "mode `observe` denies nothing, so clients are not tested",
        ));
        return Ok(false);
    }
    let mut seen = false;
    for (client, scope, answer) in self_test::of_clients(repo, sealed)? {
        let name = client.name();
        checkups.push(match answer {
            Answer::Denied => {
                seen = true;
                fine(format!("self-test: `{name}` denied a forbidden write"))
            }
            Answer::NotDenied(why) => wrong(
                format!("self-test: `{name}` did not deny a forbidden write: {why}"),
                message::hooks::install_again(client, scope),
            ),
        });
    }
    Ok(seen)
}

/// Hooks and clients find the program on PATH.
fn program() -> Checkup {
    match which::which("git-tcr") {
        Ok(path) => fine(format!("`git-tcr` is `{}`", path.display())),
        Err(_) => wrong(
            "`git-tcr` is not on PATH, where the clients' hooks look for it",
            "add its folder to PATH in the shell's profile",
        ),
    }
}

fn manual() -> Checkup {
    match man::is_there() {
        true => fine("`git tcr --help` finds the manual page"),
        false => wrong(
            "`git tcr --help` finds no manual page",
            "git tcr man --install",
        ),
    }
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
