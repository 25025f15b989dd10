//! A forbidden write and a forbidden move of a ref, sent through the hooks as they are installed:
//! what comes back has to be a denial.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::settings;
use crate::branch::sealed::{self, Sealed};
use crate::clients::places::Scope;
use crate::clients::settings::own_entries::{self, Finding};
use crate::clients::{self, Client};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::git::command::{Hooks, git_with};
use crate::git::ref_writer;
use crate::git::refs::{self, Move};
use crate::git::repo::Repo;
use crate::outcome::install::Answer;

const PROBE: &str = "refs/tcr/self-test";

/// Sends a forbidden write through the hooks of each installed client.
pub(crate) fn of_clients(repo: &Repo, sealed: &Sealed) -> Result<Vec<(Client, Scope, Answer)>> {
    let mut answers = Vec::new();
    for entry in sealed::installed(repo, sealed)?.clients {
        if let Some(client) = Client::from_name(&entry.name) {
            let answer = of_client(repo, client, entry.scope, &sealed.config)?;
            answers.extend(answer.map(|answer| (client, entry.scope, answer)));
        }
    }
    Ok(answers)
}

/// None if the client would not ask, for a reason that is a finding of its own.
fn of_client(repo: &Repo, client: Client, scope: Scope, config: &Config) -> Result<Option<Answer>> {
    let (_, content) = settings(repo, client, scope)?;
    let findings = super::findings(client, &content, config);
    if findings.iter().any(keeps_client_from_calling) {
        return Ok(None);
    }
    let line = match client.hooks {
        // The plugin runs inside the client. As it is ours, this is what it starts.
        clients::Hooks::Plugin(_) => findings
            .is_empty()
            .then(|| format!("git-tcr gate --client {client}")),
        clients::Hooks::Entries(_) => own_entries::gate_command(content.text().unwrap_or_default()),
    };
    let Some(line) = line else {
        return Ok(Some(Answer::NotDenied("there is no hook to ask".into())));
    };
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(repo.root());
    let target = repo.root().join(sealed::FILE);
    let write = (client.write_call)(repo.root(), &target.to_string_lossy(), "enabled = false\n");
    Ok(Some(judged(&run(command, write.to_string().as_bytes())?)))
}

fn keeps_client_from_calling(finding: &Finding) -> bool {
    match finding {
        Finding::SwitchedOff(_) | Finding::Unreadable(_) | Finding::UnreadableForClient(_) => true,
        Finding::Missing(_) | Finding::Edited(_) => false,
    }
}

/// How a hook ended and what it said.
struct Reply {
    status: Option<i32>,
    said: String,
}

fn run(mut command: Command, input: &[u8]) -> Result<Reply> {
    let io = |error| Error::io("run", Path::new("a hook"), error);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(io)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not listen shows in what it says. The input fits into the pipe.
        drop(stdin.write_all(input));
    }
    let output = child.wait_with_output().map_err(io)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Reply {
        status: output.status.code(),
        said: text(&output.stdout) + &text(&output.stderr),
    })
}

/// A denial names the file: one for another reason shows that nothing was understood.
fn judged(reply: &Reply) -> Answer {
    let denies = reply.status == Some(2) || reply.said.contains("\"deny");
    if denies && reply.said.contains(sealed::FILE) {
        return Answer::Denied;
    }
    let first = reply.said.lines().next().unwrap_or_default();
    Answer::NotDenied(match (first, reply.status) {
        ("", Some(status)) => format!("it ended with {status} and said nothing"),
        ("", None) => "it was ended".into(),
        (line, _) => format!("it said: {line}"),
    })
}

/// Tries to make one of our refs through git.
pub(crate) fn of_git_hooks(repo: &Repo) -> Result<Answer> {
    let made = git_with(repo.root(), Hooks::All, &["update-ref", PROBE, "HEAD"], b"");
    let is_there = refs::current(repo, PROBE)?;
    if let Some(pointer) = is_there {
        let gone = Move {
            name: PROBE.into(),
            old: Some(pointer),
            new: None,
        };
        ref_writer::apply(repo, &[gone], "git tcr doctor")?;
        return Ok(Answer::NotDenied("git made it".into()));
    }
    match made {
        Err(Error::GitCommand { why, .. }) if why.contains(PROBE) => Ok(Answer::Denied),
        Err(error) => Ok(Answer::NotDenied(error.to_string())),
        Ok(_) => Ok(Answer::NotDenied("git said that it was made".into())),
    }
}
