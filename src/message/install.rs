//! The words of `git tcr install`: the preview, the questions, and what was done.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    Message, Tone, count, hooks, lint, outcome, path_list, phase, project_tests, short_id,
};
use crate::branch::off::Off;
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::config::{Config, KeyChange};
use crate::detect::Detected;
use crate::error::Unreadable;
use crate::git::refs;
use crate::git::trees::names;
use crate::outcome::activated::Activated;
use crate::outcome::install::{Change, ClientFile, WhyLeft};
use crate::rules::{Mode, Verdict};

/// What installing did.
pub(crate) struct Installed<'a> {
    pub(crate) base: String,
    /// Why the state could not be read, if it was mended.
    pub(crate) mended: Option<String>,
    pub(crate) config: &'a Config,
    /// Where the test command comes from, if nobody gave one.
    pub(crate) detected: Option<&'a Detected>,
    /// Commands that were detected too and that ran no test.
    pub(crate) tried: &'a [Tried],
    /// Whether the first `.tcr.toml` was written.
    pub(crate) wrote_config: bool,
    /// Folders of projects that are not there.
    pub(crate) absent: Vec<String>,
    /// Whether the config was accepted anew.
    pub(crate) resealed: bool,
    /// Keys with another value than accepted before.
    pub(crate) changes: Vec<KeyChange>,
    pub(crate) standing: Standing<'a>,
    /// What keeps git tcr from acting on the branch.
    pub(crate) off: Option<Off>,
    pub(crate) put: PutInPlace,
    /// What comes next on the branch, if it is active.
    pub(crate) next_step: Option<String>,
}

/// A detected command that ran no test.
pub(crate) struct Tried {
    command: String,
    why: String,
}

impl Tried {
    pub(crate) fn new(command: &str, why: &str) -> Tried {
        Tried {
            command: command.to_owned(),
            why: why.to_owned(),
        }
    }
}

/// How the branch at hand stands.
pub(crate) enum Standing<'a> {
    ActiveBefore,
    NotActive,
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
    let found = done.detected.into_iter();
    let found = found.flat_map(|found| detected(found, done.wrote_config));
    message.facts.extend(found);
    let tried = done.tried.iter();
    let tried = tried.map(|Tried { command, why }| format!("tried `{command}` before: {why}"));
    message.facts.extend(tried);
    message.facts.extend(accepted(done));
    message
        .facts
        .extend(done.absent.iter().map(|path| absent(path)));
    if let Standing::Activated(activated) = &done.standing {
        message.facts.extend(described(activated));
    }
    if let Some(off) = done.off {
        let (why, hint) = phase::off(off, &done.base);
        message = message.fact(why).hint(hint);
    }
    message = with_put(message, &done.put);
    message.hints.extend(done.next_step.clone());
    message
}

fn headline(done: &Installed<'_>) -> String {
    match &done.standing {
        _ if done.off.is_some() => "installed".into(),
        Standing::ActiveBefore => format!("installed; active on `{}` since before", done.base),
        Standing::NotActive => "installed".into(),
        Standing::Activated(activated) => {
            format!("installed and active on `{}`", activated.session.base)
        }
    }
}

/// Where the test command comes from; `first` if that is written into the first `.tcr.toml`.
pub(crate) fn detected(detected: &Detected, first: bool) -> Vec<String> {
    let own = detected.projects.iter().filter(|project| !project.covered);
    let own = own.filter_map(|project| Some((project.path.as_str(), project.test.as_ref()?)));
    let said = match &detected.test {
        Some(found) => format!("test command `{}`, {}", found.command, found.why),
        None => {
            let tests = own.map(|(path, found)| (path, found.command.clone()));
            format!("test commands {}", project_tests(tests))
        }
    };
    let wrote = if first { "wrote `.tcr.toml`: " } else { "" };
    let mut facts = vec![format!("{wrote}{said}")];
    let lint = detected.lint.as_ref().filter(|_| first);
    facts.extend(lint.map(lint::found));
    facts.extend(detected.unreadable.iter().map(unreadable));
    facts
}

/// A manifest that says nothing about the tests because it can't be read.
pub(crate) fn unreadable(manifest: &Unreadable) -> String {
    format!("`{}` can't be read: {}", manifest.file, manifest.why)
}

/// What was accepted, where something was before.
fn accepted(done: &Installed<'_>) -> Vec<String> {
    let again = matches!(done.standing, Standing::ActiveBefore);
    match (done.changes.as_slice(), done.resealed) {
        ([], true) if again => vec!["accepted the config".into()],
        ([], false) if again => vec![CONFIG_AS_BEFORE.into()],
        ([], _) => Vec::new(),
        (changes, _) => {
            let named = changes.iter().map(key_change);
            let what = count(changes.len(), "change", "changes");
            let headline = format!("accepted the config, with {what}:");
            std::iter::once(headline).chain(named).collect()
        }
    }
}

/// Nothing is new in the config.
pub(crate) const CONFIG_AS_BEFORE: &str = "the config is as accepted before";

/// `  `mode` is `"tcr"`, was `"both"``
pub(crate) fn key_change(change: &KeyChange) -> String {
    let KeyChange { key, before, after } = change;
    let is_table = |value: &Value| match value {
        Value::Array(items) => items.iter().any(Value::is_object),
        other => other.is_object(),
    };
    let said = |value: &Value| match value {
        Value::Null => "not set".to_owned(),
        value => format!("`{value}`"),
    };
    match is_table(before) || is_table(after) {
        true => format!("  `{key}` is changed"),
        false => format!("  `{key}` is {}, was {}", said(after), said(before)),
    }
}

/// A project without a folder.
fn absent(path: &str) -> String {
    format!("there is no folder `{path}`, which `.tcr.toml` names as a project")
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
    let limit = session.config.timeout().as_millis();
    if u128::from(results.duration_ms) > limit {
        facts.push(
            "the first run took longer than `timeout_s` allows; if the next ones do too, raise it"
                .into(),
        );
    }
    let ran = results
        .verdict
        .is_some_and(|verdict| verdict != Verdict::Broken);
    if ran && !results.confirmed && needs_red_confirm(session.config) {
        facts.push(
            "no report of the tests can be read: a failing one unlocks source once `red_confirm` is set in `.tcr.toml`"
                .into(),
        );
    }
    facts.extend(baseline(activated));
    facts.extend(session.remarks.iter().cloned());
    facts
}

/// The commit that no revert takes, if there was something to commit.
pub(crate) fn baseline(activated: &Activated<'_>) -> Option<String> {
    let baseline = activated.baseline?;
    Some(format!(
        "uncommitted work is recorded as baseline `{}` on `{}`: {}",
        short_id(&baseline.to_string()),
        refs::short(&activated.session.wip),
        path_list(&names(activated.paths.iter()))
    ))
}

/// Whether a failing test has to be told from other failures, and nobody said how.
fn needs_red_confirm(config: &Config) -> bool {
    let set = config.red_confirm.is_some()
        || config
            .projects
            .iter()
            .any(|project| project.red_confirm.is_some());
    !set && !matches!(config.mode, Mode::Tcr | Mode::Off)
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

/// The branch stays or becomes one without git tcr.
pub(crate) fn would_not_act(off: Off, base: &str) -> String {
    let (why, _) = phase::off(off, base);
    format!("would not act on this branch: {why}")
}

/// What comes last.
pub(crate) fn would_activate() -> String {
    "would run the tests once and make git tcr active on this branch".into()
}
