//! The words of `git tcr install`: the preview, the questions, and what was done.

use std::path::{Path, PathBuf};

use super::{Message, Tone, count, hooks, lint, outcome, path_list, phase, short_id};
use crate::detect::Detected;
use crate::effects::git::refs;
use crate::effects::install::clients::Scope;
use crate::event::Client;
use crate::installation::{Change, ClientFile, WhyLeft};
use crate::policy::Verdict;
use crate::tcr_loop::activate::Activated;
use crate::tcr_loop::names;
use crate::tcr_loop::off::Off;

/// What installing did.
pub(crate) struct Installed<'a> {
    pub(crate) base: String,
    /// Why the state could not be read, if it was mended.
    pub(crate) mended: Option<String>,
    /// What the first `.tcr.toml` was made from, if it was written.
    pub(crate) first: Option<&'a Detected>,
    /// Whether the config was accepted anew.
    pub(crate) resealed: bool,
    pub(crate) standing: Standing<'a>,
    pub(crate) put: PutInPlace,
    /// What comes next on the branch, if it is active.
    pub(crate) next_step: Option<String>,
}

/// How the branch at hand stands.
pub(crate) enum Standing<'a> {
    ActiveBefore,
    Off(Off),
    Activated(Box<Activated<'a>>),
}

/// Hooks and manual pages that are in place now.
pub(crate) struct PutInPlace {
    /// The folder of the git hooks.
    pub(crate) git_hooks: Option<String>,
    pub(crate) clients: Vec<(Scope, ClientFile)>,
    pub(crate) roles: Vec<ClientFile>,
    /// Clients that skip their hooks until they are trusted.
    pub(crate) untrusted: Vec<Client>,
    /// The folder of the manual pages.
    pub(crate) manual: Option<PathBuf>,
}

impl PutInPlace {
    /// All files of clients: their settings, then their roles.
    pub(crate) fn files(&self) -> impl Iterator<Item = &ClientFile> {
        self.clients.iter().map(|(_, file)| file).chain(&self.roles)
    }
}

/// What was done, and the next step.
pub(crate) fn installed(done: &Installed<'_>) -> Message {
    let mut message = Message::new(Tone::Good, headline(done));
    message.facts.extend(
        done.mended
            .as_ref()
            .map(|why| format!("the state could not be read, and goes on from before: {why}")),
    );
    message.facts.extend(done.first.into_iter().flat_map(first));
    message = match &done.standing {
        Standing::ActiveBefore if done.resealed => message.fact("accepted the config"),
        Standing::ActiveBefore => message.fact("the config is as accepted before"),
        Standing::Off(off) => {
            let (why, hint) = phase::off(*off, &done.base);
            message.fact(why).hint(hint)
        }
        Standing::Activated(activated) => {
            message.facts.extend(described(activated));
            message
        }
    };
    message = with_put(message, &done.put);
    message.hints.extend(done.next_step.clone());
    message
}

fn headline(done: &Installed<'_>) -> String {
    match &done.standing {
        Standing::ActiveBefore => format!("installed; active on `{}` since before", done.base),
        Standing::Off(_) => "installed".into(),
        Standing::Activated(activated) => {
            format!("installed and active on `{}`", activated.session.base)
        }
    }
}

/// The first `.tcr.toml`.
fn first(detected: &Detected) -> Vec<String> {
    let (command, why) = match &detected.test {
        Some(found) => (found.command.as_str(), found.why.as_str()),
        None => ("one per project", "found in the projects"),
    };
    let mut facts = vec![format!(
        "wrote `.tcr.toml`: test command `{command}`, {why}"
    )];
    facts.extend(detected.lint.as_ref().map(lint::found));
    facts
}

/// What becoming active found and did.
fn described(activated: &Activated<'_>) -> Vec<String> {
    let (session, results) = (&activated.session, &activated.results);
    let mut facts = vec![format!("tests: {}", outcome::results(results))];
    let known = session.state.known_failures.len();
    if known > 0 {
        facts.push(format!(
            "{} already fail and are not held against anyone",
            count(known, "test", "tests")
        ));
    }
    if results.verdict == Some(Verdict::Broken) {
        let command = session.config.test.as_ref();
        let command = command
            .map(|test| format!("`{test}`: "))
            .unwrap_or_default();
        facts.push(format!(
            "the tests do not run yet: {command}{}",
            results.reason
        ));
    }
    if let Some(baseline) = activated.baseline {
        facts.push(format!(
            "uncommitted work is recorded as baseline `{}` on `{}`: {}",
            short_id(&baseline.to_string()),
            refs::short(&session.wip),
            path_list(&names(activated.paths.iter()))
        ));
    }
    facts
}

fn with_put(mut message: Message, put: &PutInPlace) -> Message {
    if let Some(folder) = &put.git_hooks {
        message = message.fact(format!(
            "git hooks in `{folder}`; those of others keep running"
        ));
    }
    for (scope, put) in &put.clients {
        if let Change::LeftAlone(_) = &put.change {
            message = message.hint(hooks::mend_file(put.client, *scope, &put.file));
        }
    }
    for client in &put.untrusted {
        let (what, how) = hooks::untrusted(*client);
        message = message.fact(what).hint(how);
    }
    message.facts.extend(put.files().flat_map(client_file));
    match &put.manual {
        Some(folder) => message.fact(format!("manual pages in `{}`", folder.display())),
        None => message,
    }
}

fn client_file(file: &ClientFile) -> Vec<String> {
    let (name, path) = (file.client.name(), file.file.display());
    let mut facts = vec![match &file.change {
        Change::Written => format!("for `{name}`: `{path}`"),
        Change::AsItWas => format!("for `{name}`: `{path}` is there already"),
        Change::LeftAlone(why) => format!("`{path}` was left alone: {}", why_left(why)),
        Change::Removed => format!("`{path}` was removed"),
    }];
    let unreadable = file.unreadable;
    facts.extend(unreadable.map(|what| hooks::unreadable_for_client(path, what)));
    facts
}

/// Why a file was left alone.
pub(super) fn why_left(why: &WhyLeft) -> &str {
    match why {
        WhyLeft::Unmergeable(why) => why,
        WhyLeft::Committed => "it is committed, and does nothing where git tcr is not installed",
        WhyLeft::BySomebody => "it was written or edited by somebody",
        WhyLeft::Edited => "it was edited",
    }
}

/// The question after the preview.
pub(crate) fn go_on() -> &'static str {
    "Go on? [Y/n] "
}

/// The answer was no.
pub(crate) fn nothing_done() -> &'static str {
    "tcr: nothing was done\n"
}

/// The question where no test command was found.
pub(crate) fn which_test_command() -> &'static str {
    "tcr: no test command was found. Which command runs the tests? "
}

/// The question before much is recorded.
pub(crate) fn record_that_much(megabytes: u64, largest: &[String]) -> String {
    format!(
        "tcr: {megabytes} MB of untracked files would be recorded ({}). Go on? [y/N] ",
        path_list(largest)
    )
}

/// The config that would be accepted.
pub(crate) fn would_seal(file: &str, commit: Option<&str>) -> String {
    match commit {
        Some(commit) => format!("would seal `{file}` as `{commit}` has it"),
        None => format!("would seal `{file}` as it is"),
    }
}

/// Settings that can't be used.
pub(crate) fn would_leave_alone(client: Client, file: &Path, why: &str) -> String {
    let (name, file) = (client.name(), file.display());
    format!("would leave `{file}` of `{name}` alone: {why}")
}

/// Where git hooks would go.
pub(crate) fn would_put_git_hooks(folder: &Path, names: &[&str]) -> String {
    format!(
        "would put git hooks into `{}`, those there keep running: {}",
        folder.display(),
        names.join(", ")
    )
}

/// What comes last.
pub(crate) fn would_activate() -> String {
    "would run the tests once and make git tcr active on this branch".into()
}
