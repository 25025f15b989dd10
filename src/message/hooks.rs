//! What is said about hooks, and by git's hooks.

use std::path::Path;

use super::path_list;
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::clients::settings::dialect::Foreign;
use crate::clients::settings::own_entries::Finding;
use crate::error::Error;
use crate::outcome::install::{ARCHIVE, Disarmed, Restored, Touch};
use crate::rules::Phase;
use crate::rules::ref_gate::RefDenial;

/// A git hook, or where git looks for hooks, was not as `install` left it.
pub(crate) fn disarmed(disarmed: &Disarmed, touch: Touch) -> String {
    let (what, done) = match disarmed {
        Disarmed::HooksPath(Some(value)) => (
            format!("`core.hooksPath` was set to `{value}`, past our git hooks"),
            "put back",
        ),
        Disarmed::HooksPath(None) => ("`core.hooksPath` was removed".into(), "put back"),
        Disarmed::NewHooksPath(Some(value)) => (
            format!("`core.hooksPath` was set to `{value}`"),
            "ours are back, and pass on to the hooks there",
        ),
        Disarmed::NewHooksPath(None) => (
            "`core.hooksPath` was removed, with the hooks it named".into(),
            "ours are in the repository's own folder now",
        ),
        Disarmed::Missing(name) => (format!("git hook `{name}` was missing"), "put back"),
        Disarmed::Edited(name, _) => (format!("git hook `{name}` was edited"), "put back"),
        Disarmed::NotExecutable(name) => {
            (format!("git hook `{name}` was not executable"), "put back")
        }
        Disarmed::Replaced(name) => (
            format!("git hook `{name}` was replaced"),
            "ours is back, and passes on to the new one",
        ),
    };
    match touch {
        Touch::PutBack => format!("{what}: {done}"),
        Touch::Nothing => what,
    }
}

/// The hooks of a client were not as `install` left them.
pub(crate) fn client_disarmed(
    client: Client,
    file: &Path,
    findings: &[Finding],
    done: Restored,
) -> String {
    let what = findings
        .first()
        .map(|first| finding(client, file, first))
        .unwrap_or_default();
    match done {
        Restored::PutBack => format!("{what}: put back"),
        Restored::Replaced => {
            format!("{what}: put back; what was there is in `{ARCHIVE}`")
        }
        Restored::No => what,
    }
}

/// What is wrong with a client's hooks.
pub(crate) fn finding(client: Client, file: &Path, finding: &Finding) -> String {
    let name = client.name();
    let file = file.display();
    match finding {
        Finding::Missing(event) if event == "all" => {
            format!("`{name}`: all hooks are missing in `{file}`")
        }
        Finding::Missing(event) => format!("`{name}`: hook `{event}` is missing in `{file}`"),
        Finding::Edited(event) => format!("`{name}`: hook `{event}` in `{file}` was edited"),
        Finding::SwitchedOff(setting) => {
            format!("`{name}`: `{setting}` in `{file}` switches all hooks off")
        }
        Finding::Unreadable(why) => format!("`{name}`: `{file}` can't be used: {why}"),
        Finding::UnreadableForClient(what) => {
            format!("`{name}`: {}", unreadable_for_client(file, *what))
        }
    }
}

/// A settings file with something in it that its client does not understand.
pub(crate) fn unreadable_for_client(file: impl std::fmt::Display, what: Foreign) -> String {
    let what = foreign(what);
    format!("`{file}` holds {what}, which the client can't read: it calls no hook")
}

fn foreign(what: Foreign) -> &'static str {
    match what {
        Foreign::Comment => "a comment",
        Foreign::TrailingComma => "a comma before a closing bracket",
        Foreign::ByteOrderMark => "a byte order mark",
    }
}

/// How a person mends what was found in a client's settings.
pub(crate) fn mend(client: Client, scope: Scope, file: &Path, finding: &Finding) -> String {
    let name = file.display();
    match finding {
        Finding::Missing(_) | Finding::Edited(_) => install_again(client, scope),
        Finding::SwitchedOff(setting) => format!("take `{setting}` out of `{name}`"),
        Finding::Unreadable(_) => mend_file(client, scope, file),
        Finding::UnreadableForClient(what) => format!("take {} out of `{name}`", foreign(*what)),
    }
}

/// A client that skips the hooks until a person trusts them, and how that is done.
pub(crate) fn untrusted(client: Client) -> (String, &'static str) {
    let name = client.name();
    (
        format!("`{name}` does not trust the hooks yet, and skips them"),
        client.how_to_trust,
    )
}

/// What a person does about settings that can't be used.
pub(crate) fn mend_file(client: Client, scope: Scope, file: &Path) -> String {
    let (file, install) = (file.display(), install_again(client, scope));
    format!("mend `{file}` or move it away, then `{install}`")
}

/// The command that puts a client's hooks where they were.
pub(crate) fn install_again(client: Client, scope: Scope) -> String {
    let scope = match scope {
        Scope::Personal => "",
        Scope::Shared => " --shared",
        Scope::Global => " --global",
    };
    format!("git tcr install --client {}{scope}", client.name())
}

/// People may go past git's hooks; agents are not told how.
fn for_people(hint: &str, way_past: &str) -> String {
    match crate::person::calling_agent() {
        Some(_) => hint.to_owned(),
        None => format!("{hint}; {way_past}"),
    }
}

/// A commit by hand on the WIP branch that breaks the rules.
pub(crate) fn commit_refused(branch: &str, phase: Phase, paths: &[String]) -> Error {
    Error::Refused {
        what: format!(
            "this commit on `{branch}` changes what phase `{phase}` does not allow: {}",
            path_list(paths)
        ),
        hint: for_people(
            super::phase::next_step(phase),
            "or `git tcr allow PATH --once`",
        ),
    }
}

/// What a commit by hand changes though it should not, where the mode only reports.
pub(crate) fn commit_noted(phase: Phase, paths: &[String]) -> String {
    format!(
        "tcr: {}\n",
        super::step::should_not_have_changed(phase, paths)
    )
}

/// A push of the WIP branch.
pub(crate) fn push_of_wip(branch: &str) -> Error {
    Error::Refused {
        what: format!("`{branch}` is work in progress, and stays here"),
        hint: for_people(
            "git tcr squash",
            "or `git push --no-verify` if it has to leave as it is",
        ),
    }
}

/// A push of our refs by anything but `git tcr push`.
pub(crate) fn push_of_own(name: &str) -> Error {
    Error::Refused {
        what: format!("`{name}` belongs to git tcr, which has a way of its own to send it"),
        hint: "git tcr push".into(),
    }
}

/// A rebase of the WIP branch.
pub(crate) fn rebase_of_wip(branch: &str) -> Error {
    Error::Refused {
        what: format!("`{branch}` is not rebased: its commits are what was tested"),
        hint: "git tcr squash, then rebase the result".into(),
    }
}

/// A ref that is not moved.
pub(crate) fn ref_refused(name: &str, denial: RefDenial) -> Error {
    let (what, hint) = match denial {
        RefDenial::Own => (
            format!("`{name}` belongs to git tcr, and only its commands move it"),
            "git tcr status",
        ),
        RefDenial::WipDeleted => (
            format!("`{name}` holds work that is not squashed yet, and is not deleted"),
            "git tcr squash",
        ),
        RefDenial::WipRewound => (
            format!("`{name}` would lose commits, and stays where it is"),
            // Nobody is told to throw away what may be an edit.
            "a commit of its own instead of an amended one; `git stash` if git has changed files \
             already; `git tcr recover` for work that was taken back",
        ),
    };
    Error::Refused {
        what,
        hint: hint.into(),
    }
}
