//! The words of `git tcr doctor`.

use std::path::Path;

use super::{Message, Tone, count, hooks};
use crate::branch::state::LabState;
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::clients::settings::own_entries::Finding;
use crate::error::Error;
use crate::outcome::install::{Answer, Disarmed, Touch};
use crate::rules::Phase;

const INSTALL: &str = "git tcr install";

/// One thing that was looked at.
pub(crate) struct Checkup {
    pub(crate) what: String,
    /// How to mend it, if it is not as it should be.
    pub(crate) mend: Option<String>,
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

/// All that was looked at.
pub(crate) fn report(checkups: &[Checkup], findings: usize) -> Message {
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

/// An error that says itself how it is mended.
fn error(error: &Error) -> Checkup {
    wrong(error.to_string(), error.hint().unwrap_or_default())
}

/// Whether git has a name and an address to commit with.
pub(crate) fn identity(unknown: Option<&Error>) -> Checkup {
    unknown.map_or_else(|| fine("git knows who commits"), error)
}

/// Where hooks and clients find the program.
pub(crate) fn program(found: Option<&Path>) -> Checkup {
    match found {
        Some(path) => fine(format!("`git-tcr` is `{}`", path.display())),
        None => wrong(
            "`git-tcr` is not on PATH, where the clients' hooks look for it",
            "add its folder to PATH in the shell's profile",
        ),
    }
}

/// Whether there is a manual page.
pub(crate) fn manual(is_there: bool) -> Checkup {
    match is_there {
        true => fine("`git tcr --help` finds the manual page"),
        false => wrong(
            "`git tcr --help` finds no manual page",
            "git tcr man --install",
        ),
    }
}

pub(crate) fn installed() -> Checkup {
    fine("git tcr is installed")
}

pub(crate) fn not_installed() -> Checkup {
    wrong("git tcr is not installed here", INSTALL)
}

/// The accepted config can't be read.
/// What was broken and is put right.
pub(crate) fn fixed(what: &str) -> Checkup {
    fine(format!("fixed: {what}"))
}

pub(crate) fn config_unreadable(error: &Error) -> Checkup {
    wrong(error.to_string(), INSTALL)
}

/// Whether `.tcr.toml` says what is obeyed.
pub(crate) fn config(differs: bool) -> Checkup {
    match differs {
        false => fine("`.tcr.toml` is as accepted"),
        true => wrong(
            "`.tcr.toml` differs from what was accepted, and is not obeyed",
            INSTALL,
        ),
    }
}

/// The person's own defaults, if they are not as accepted with the config.
pub(crate) fn defaults(file: &Path) -> Checkup {
    let what = format!(
        "`{}` differs from what was accepted, and is not obeyed",
        file.display()
    );
    wrong(what, INSTALL)
}

/// A config that could not be accepted as it is now.
pub(crate) fn config_refused(error: &Error) -> Checkup {
    self::error(error)
}

pub(crate) fn test_program_missing(program: &str) -> Checkup {
    wrong(
        format!("the test program `{program}` is not on PATH"),
        "mend `test` in `.tcr.toml`, then `git tcr install`",
    )
}

/// Where experiments run; without one the test comes first, or a stub.
pub(crate) fn lab(lab: &LabState) -> Checkup {
    let doubted = match lab.doubted.len() {
        0 => String::new(),
        tests => format!(", {} not believed there", count(tests, "test", "tests")),
    };
    match (&lab.no_lab, &lab.form) {
        (Some(why), _) => fine(format!("no lab for experiments: {why}")),
        (None, Some(form)) => fine(format!("experiments run in a lab ({form}{doubted})")),
        (None, None) => fine("the lab was not tried"),
    }
}

pub(crate) fn test_program_found() -> Checkup {
    fine("the test program is there")
}

/// A line for the shell: nobody knows which programs it starts.
pub(crate) fn test_command(line: &str) -> Checkup {
    fine(format!("test command `{line}`"))
}

pub(crate) fn test_per_project() -> Checkup {
    fine("each project has its own test command")
}

/// The tests of what is accepted did not run.
pub(crate) fn never_ran(why: &str) -> Checkup {
    wrong(
        format!("the tests have not run yet: {why}"),
        super::phase::NEXT_WITHOUT_RESULT,
    )
}

/// A file that an editor saved during a put-back, right before it saved once more.
pub(crate) fn kept_aside(file: &Path) -> Checkup {
    let file = file.display();
    wrong(
        format!("saved while its file was put back, and right after that once more: `{file}`"),
        format!("take what you need from it, then `rm {file}`"),
    )
}

/// Whether git tcr is active on the branch at hand.
pub(crate) fn branch(phase: Result<Phase, Error>) -> Checkup {
    match phase {
        Ok(phase) => fine(format!("active on this branch, phase `{phase}`")),
        Err(why) => error(&why),
    }
}

/// A git hook that is not as it was installed.
pub(crate) fn git_hook(disarmed: &Disarmed) -> Checkup {
    wrong(hooks::disarmed(disarmed, Touch::Nothing), INSTALL)
}

/// A client that has its hooks.
pub(crate) fn client(client: Client, file: &Path) -> Checkup {
    let (name, file) = (client.name(), file.display());
    fine(format!("`{name}`: hooks in `{file}`"))
}

/// A client whose hooks are not as they were installed.
pub(crate) fn client_finding(
    client: Client,
    scope: Scope,
    file: &Path,
    finding: &Finding,
) -> Checkup {
    wrong(
        hooks::finding(client, file, finding),
        hooks::mend(client, scope, file, finding),
    )
}

/// A client that skips its hooks.
pub(crate) fn untrusted(client: Client) -> Checkup {
    let (what, how) = hooks::untrusted(client);
    wrong(what, how)
}

/// A client that is in use without hooks.
pub(crate) fn unguarded(client: Client, sign: &str) -> Checkup {
    let name = client.name();
    wrong(
        format!("`{sign}` tells that `{name}` is in use, but it has no hooks"),
        format!("git tcr install --client {name}"),
    )
}

/// What git's hooks said to a forbidden move of a ref.
pub(crate) fn git_tested(answer: &Answer) -> Checkup {
    match answer {
        Answer::Denied => fine("self-test: git refused to move a ref of git tcr"),
        Answer::NotDenied(why) => wrong(
            format!("self-test: git did not refuse to move a ref of git tcr: {why}"),
            INSTALL,
        ),
    }
}

/// What a client's hooks said to a forbidden write.
pub(crate) fn client_tested(client: Client, scope: Scope, answer: &Answer) -> Checkup {
    let name = client.name();
    match answer {
        Answer::Denied => fine(format!("self-test: `{name}` denied a forbidden write")),
        Answer::NotDenied(why) => wrong(
            format!("self-test: `{name}` did not deny a forbidden write: {why}"),
            hooks::install_again(client, scope),
        ),
    }
}

pub(crate) fn nothing_denied_in_observe() -> Checkup {
    fine("mode `observe` denies nothing, so clients are not tested")
}

/// A denial was required, and none was seen.
pub(crate) fn no_denial_seen() -> Checkup {
    wrong(
        "no denial was seen through the installed hooks of a client",
        "git tcr install --client NAME",
    )
}
