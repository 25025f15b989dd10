//! `git tcr install`

mod preview;

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use gix::bstr::ByteSlice;
use serde_json::json;

use super::live::Live;
use super::{man, open, print};
use crate::cli::InstallArgs;
use crate::config::{self, Config};
use crate::detect::{self, Detected, DirTree};
use crate::effects::fault;
use crate::effects::git::repo::Repo;
use crate::effects::git::{identity, ref_writer, refs};
use crate::effects::install::clients::Scope;
use crate::effects::transaction;
use crate::error::{Error, ExitStatus, Result};
use crate::event::Client;
use crate::installation::{self, Change, ClientFile, git_hooks, put_back, worktrees};
use crate::journal::sealed;
use crate::journal::{mend, place};
use crate::message::{self, Message, Tone};
use crate::tcr_loop::off::off_by_config;
use crate::tcr_loop::{activate, names, stand_aside};

pub(super) fn install(args: &InstallArgs) -> Result<ExitStatus> {
    open::people_only("install")?;
    let repo = open::repository()?;
    let mut live = Live::new(args.json);
    identity::committer(&repo)?;
    let first = first_config(&repo, args)?;
    let choice = chosen(&repo, args);
    if args.dry_run || asks(args) {
        let preview = preview::of(&repo, args, first.as_ref(), &choice)?;
        preview.show(args.json)?;
        if args.dry_run {
            return Ok(ExitStatus::Done);
        }
        if !agreed("Go on? [Y/n] ", true)? {
            print::text("tcr: nothing was done\n")?;
            return Ok(ExitStatus::No);
        }
    }
    let _lock = open::lock(&repo, &mut live)?;
    transaction::finish_pending(&repo)?;
    let mended = mend::mend(&repo)?;
    let place = place::locate(&repo)?;
    stand_aside::check(&repo, &place)?;
    if let Some(first) = &first {
        write_first(&repo, first)?;
    }
    let project = sealed::project_file(&repo, args.config_from.as_deref())?;
    let text = project.as_ref().map(|layer| layer.bytes.clone());
    let config = sealed::merged(project)?;
    if config.test.is_none() && config.projects.iter().all(|project| project.test.is_none()) {
        return Err(Error::NoTestCommand);
    }
    let resealed = seal(&repo, (&config, text.as_deref()), &choice)?;
    let mut message = Message::new(Tone::Good, String::new());
    if let Some(why) = mended {
        message = message.fact(format!(
            "the state could not be read, and goes on from before: {why}"
        ));
    }
    if let Some(first) = &first {
        message = message.fact(format!(
            "wrote `.tcr.toml`: test command `{}`, {}",
            first.command, first.why
        ));
        message
            .facts
            .extend(first.lint.as_ref().map(message::lint::found));
    }
    let mut facts =
        json!({"action": "install", "base": place.base.to_string(), "sealed": resealed});
    let active = place
        .loaded
        .as_ref()
        .is_some_and(|loaded| loaded.state.enabled);
    if active {
        message.headline = format!("installed; active on `{}` since before", place.base);
        message = message.fact(if resealed {
            "accepted the config"
        } else {
            "the config is as accepted before"
        });
    } else if let Some(off) = off_by_config(&config, place.base.as_bstr()) {
        let (why, hint) = message::phase::off(off, &place.base.to_string());
        message = Message {
            headline: "installed".into(),
            ..message
        }
        .fact(why)
        .hint(hint);
    } else {
        let large = args.yes || confirmed_large(&repo, &config, &place)?;
        let activated = activate::activate(&repo, &config, &place, None, large, &mut live)?;
        message = described(message, &activated, &mut facts);
    }
    message = put_in_place(message, &repo, args, &choice, &mut facts)?;
    if let Some(loaded) = place::locate(&repo)?.loaded {
        message = message.hint(message::phase::next_step(loaded.state.phase));
    }
    finish(args.json, &facts, &message)
}

/// On a terminal a person is shown what will be done, and asked.
fn asks(args: &InstallArgs) -> bool {
    !args.yes && !args.json && std::io::stdin().is_terminal()
}

/// The clients that get hooks, and in whose files.
fn chosen(repo: &Repo, args: &InstallArgs) -> Vec<(Client, Scope)> {
    let scope = match (args.shared, args.global) {
        (true, _) => Scope::Shared,
        (false, true) => Scope::Global,
        (false, false) => Scope::Personal,
    };
    let clients: Vec<Client> = if args.client.is_empty() {
        let found = installation::clients_in_use(repo).into_iter();
        found.map(|(client, _)| client).collect()
    } else {
        args.client.iter().map(|client| (*client).into()).collect()
    };
    clients.into_iter().map(|client| (client, scope)).collect()
}

fn finish(json: bool, facts: &serde_json::Value, message: &Message) -> Result<ExitStatus> {
    if json {
        print::json(facts)?;
    } else {
        print::message(message)?;
    }
    Ok(ExitStatus::Done)
}

/// Puts hooks and manual pages where they belong.
fn put_in_place(
    mut message: Message,
    repo: &Repo,
    args: &InstallArgs,
    choice: &[(Client, Scope)],
    facts: &mut serde_json::Value,
) -> Result<Message> {
    let sealed = sealed::require(repo)?;
    let disarmed = git_hooks::look(repo, &sealed)?;
    git_hooks::bring_in_line(repo, &sealed, &disarmed)?;
    if let Some(place) = sealed::installed(repo, &sealed)?.git_hooks {
        let folder = place.folder(repo).display().to_string();
        message = message.fact(format!(
            "git hooks in `{folder}`; those of others keep running"
        ));
        if let serde_json::Value::Object(facts) = facts {
            facts.insert("git_hooks".into(), json!(folder));
        }
    }
    let mut files = Vec::new();
    for (client, scope) in choice {
        installation::leave_other_files(repo, *client, *scope)?;
        files.push(installation::put_in(repo, &sealed.config, *client, *scope)?);
    }
    if args.roles {
        files.extend(installation::roles::put_in(repo, choice)?);
    }
    for other in worktrees::others(repo)? {
        put_back::put_clients_in(&other, &sealed)?;
    }
    match man::put(None) {
        Ok((_, folder)) => Ok(with_clients(message, files, facts)
            .fact(format!("manual pages in `{}`", folder.display()))),
        // Nothing depends on them.
        Err(_) => Ok(with_clients(message, files, facts)),
    }
}

fn with_clients(
    mut message: Message,
    files: Vec<ClientFile>,
    facts: &mut serde_json::Value,
) -> Message {
    for file in &files {
        let name = file.client.name();
        let path = file.file.display();
        message = message.fact(match &file.change {
            Change::Written => format!("for `{name}`: `{path}`"),
            Change::AsItWas => format!("for `{name}`: `{path}` is there already"),
            Change::LeftAlone(why) => format!("`{path}` was left alone: {why}"),
            Change::Removed => format!("`{path}` was removed"),
        });
    }
    if let serde_json::Value::Object(facts) = facts {
        let files: Vec<String> = files
            .iter()
            .map(|file| file.file.display().to_string())
            .collect();
        facts.insert("client_files".into(), json!(files));
    }
    message
}

fn described(
    mut message: Message,
    activated: &activate::Activated<'_>,
    facts: &mut serde_json::Value,
) -> Message {
    let session = &activated.session;
    message.headline = format!("installed and active on `{}`", session.base);
    message = message.fact(format!(
        "tests: {}",
        message::outcome::results(&activated.results)
    ));
    let known = session.state.known_failures.len();
    if known > 0 {
        message = message.fact(format!(
            "{} already fail and are not held against anyone",
            message::count(known, "test", "tests")
        ));
    }
    if activated.results.verdict == Some(crate::policy::Verdict::Broken) {
        let command = session
            .config
            .test
            .as_ref()
            .map(|test| format!("`{test}`: "));
        message = message.fact(format!(
            "the tests do not run yet: {}{}",
            command.unwrap_or_default(),
            activated.results.reason
        ));
    }
    if let Some(baseline) = activated.baseline {
        let paths = names(activated.paths.iter());
        message = message.fact(format!(
            "uncommitted work is recorded as baseline `{}` on `{}`: {}",
            message::short_id(&baseline.to_string()),
            refs::short(&session.wip),
            message::path_list(&paths)
        ));
    }
    if let serde_json::Value::Object(facts) = facts {
        facts.insert("phase".into(), json!(session.state.phase));
        facts.insert(
            "baseline".into(),
            json!(activated.baseline.map(|commit| commit.to_string())),
        );
        facts.insert("known_failures".into(), json!(session.state.known_failures));
        facts.insert("test_results".into(), json!(activated.results));
    }
    message
}

fn seal(repo: &Repo, config: (&Config, Option<&[u8]>), choice: &[(Client, Scope)]) -> Result<bool> {
    let before = sealed::load(repo).or_else(|error| match error {
        // A sealed config that can't be read is replaced: that is what installing again is for.
        Error::Corrupt { .. } => Ok(None),
        other => Err(other),
    })?;
    let (installed, hooks) = git_hooks::plan(repo, choice, before.as_ref())?;
    let link = sealed::seal(repo, config, (&installed, &hooks), before.as_ref())?;
    let Some(mut link) = link else {
        return Ok(false);
    };
    link.old = refs::current(repo, refs::CONFIG)?;
    ref_writer::apply(repo, &[link], "git tcr install")?;
    fault::point("config-sealed");
    Ok(true)
}

/// The first `.tcr.toml` of a repository.
struct First {
    text: String,
    command: String,
    why: String,
    /// A linter that is configured; the file proposes it.
    lint: Option<detect::Candidate>,
}

/// What `.tcr.toml` will say, if there is none yet.
fn first_config(repo: &Repo, args: &InstallArgs) -> Result<Option<First>> {
    if args.config_from.is_some() || repo.root().join(sealed::FILE).exists() {
        return Ok(None);
    }
    let mut detected = detect::detect(&DirTree::new(repo.root()), &|program| {
        which::which(program).is_ok()
    });
    let in_projects = detected
        .projects
        .iter()
        .any(|project| project.test.is_some());
    if detected.test.is_none() && !in_projects {
        if args.yes || args.json || !std::io::stdin().is_terminal() {
            return Err(Error::NoTestCommand);
        }
        detected = asked()?;
    }
    let (command, why) = match &detected.test {
        Some(found) => (found.command.to_string(), found.why.clone()),
        None => ("one per project".into(), "found in the projects".into()),
    };
    Ok(Some(First {
        text: config::render_first(&detected),
        lint: detected.lint,
        command,
        why,
    }))
}

fn asked() -> Result<Detected> {
    let line = answer("tcr: no test command was found. Which command runs the tests? ")?;
    match line.trim() {
        "" => Err(Error::NoTestCommand),
        command => Ok(Detected::given(command)),
    }
}

fn write_first(repo: &Repo, first: &First) -> Result<()> {
    // Before the file is there: once it is, nobody would come back to this.
    crate::effects::install::exclude::add(repo, sealed::FILE)?;
    crate::effects::install::write_whole(repo, sealed::FILE, first.text.as_bytes())?;
    fault::point("first-config-written");
    Ok(())
}

/// On a terminal a person may say that a large baseline is fine.
fn confirmed_large(repo: &Repo, config: &Config, place: &place::Place) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let Err(Error::LargeBaseline { megabytes, largest }) =
        activate::check_baseline(repo, config, place)
    else {
        return Ok(false);
    };
    let question = format!(
        "tcr: {megabytes} MB of untracked files would be recorded ({}). Go on? [y/N] ",
        message::path_list(&largest)
    );
    agreed(&question, false)
}

fn agreed(question: &str, otherwise: bool) -> Result<bool> {
    let line = answer(question)?;
    match line.trim() {
        "" => Ok(otherwise && line.ends_with('\n')),
        line => Ok(matches!(line, "y" | "Y" | "yes")),
    }
}

fn answer(question: &str) -> Result<String> {
    let io = |error| Error::io("read from", Path::new("the terminal"), error);
    print::text(question)?;
    std::io::stdout().flush().map_err(io)?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(io)?;
    Ok(line)
}
