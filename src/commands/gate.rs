//! `git tcr gate --client C`: what clients call before a tool.

use clap::Args;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::branch::spool::{self, Denied};
use crate::clients::event::{AgentEvent, EventKind, SELF_TEST};
use crate::clients::{self, Answer, Client, Reply};
use crate::clock;
use crate::error::{Error, ExitStatus, Result};
use crate::gate::Gate;
use crate::message;
use crate::outcome::gate::Denial;
use crate::rules::Mode;

/// `gate`, `loop`, `session`
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The client that calls.
    #[arg(long, value_parser = callers())]
    pub(crate) client: Client,
}

impl ValueEnum for Client {
    fn value_variants<'a>() -> &'a [Client] {
        Client::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.title))
    }
}

fn callers() -> impl TypedValueParser<Value = Client> {
    let names = Client::callers().filter_map(|client| client.to_possible_value());
    PossibleValuesParser::new(names).try_map(|name| {
        let found = Client::callers().find(|client| client.name() == name);
        found.ok_or("no such client")
    })
}

/// More than this no client sends for one call.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Well under the time that clients are told to wait.
const DEADLINE: Duration = Duration::from_secs(15);

pub(crate) fn gate(args: &HookArgs) -> Result<ExitStatus> {
    let client = args.client;
    let answered = watch_the_time(client);
    let reply = match answer(client) {
        Ok(reply) => reply,
        // Whatever goes wrong is no allow.
        Err(error) => clients::refusal(client, &message::gate::failed(&error)),
    };
    if answered.swap(true, Ordering::SeqCst) {
        // The time is up, and the other thread ends the process.
        std::thread::sleep(DEADLINE);
    }
    Ok(insist(&reply))
}

/// A client that waits too long lets the tool run: the gate says no before that.
fn watch_the_time(client: Client) -> Arc<AtomicBool> {
    let answered = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&answered);
    let watch = move || {
        std::thread::sleep(DEADLINE);
        if !seen.swap(true, Ordering::SeqCst) {
            let reply = clients::refusal(client, &message::gate::too_slow(DEADLINE.as_secs()));
            std::process::exit(insist(&reply).code().into());
        }
    };
    // Where no thread is to be had, the answer comes without a watch.
    drop(std::thread::Builder::new().spawn(watch));
    answered
}

fn answer(client: Client) -> Result<Reply> {
    let bytes = input()?;
    let event = match clients::parse(client, &bytes) {
        Ok(event) => event,
        Err(bad) => return unreadable(client, &bad.to_string()),
    };
    let cwd = crate::gate::folder_of(event.cwd.as_ref())?;
    let gates = gates(&cwd)?;
    if gates.is_empty() {
        return Ok(clients::reply(&event, &Answer::Allow, None));
    }
    let EventKind::BeforeTool(call) = &event.kind else {
        return Ok(clients::refusal(client, &message::gate::misused()));
    };
    for gate in &gates {
        let Some(denial) = gate.judge(&event, call, &cwd) else {
            continue;
        };
        let text = message::gate::denial(&denial).plain();
        if event.session.as_deref() != Some(SELF_TEST) {
            note(gate, &event, &denial, &text);
        }
        if denial.mode != Mode::Observe {
            return Ok(clients::reply(&event, &Answer::Deny(text), None));
        }
    }
    for gate in &gates {
        gate.note_call(call)?;
    }
    Ok(clients::reply(&event, &Answer::Allow, None))
}

/// The gates of the repositories where TCR is installed.
fn gates(cwd: &Path) -> Result<Vec<Gate>> {
    let repositories = crate::gate::repositories(cwd)?;
    let gates = repositories.into_iter().map(Gate::of);
    gates.filter_map(Result::transpose).collect()
}

/// A message that can't be read is denied where TCR is installed, and none of our business elsewhere.
fn unreadable(client: Client, why: &str) -> Result<Reply> {
    let here = crate::gate::folder_of(None)?;
    if gates(&here)?.is_empty() {
        return Ok(Reply::default());
    }
    Ok(clients::refusal(
        client,
        &message::gate::unreadable_payload(why),
    ))
}

/// The journal is written by the loop: the gate has to be quick. A denial that can't be noted is
/// still a denial.
fn note(gate: &Gate, event: &AgentEvent, denial: &Denial, text: &str) {
    let entry = Denied {
        at: clock::timestamp(),
        client: event.client.name().to_owned(),
        what: text.lines().next().unwrap_or_default().to_owned(),
        cause: denial.objection.cause().to_owned(),
        only_observed: denial.mode == Mode::Observe,
    };
    drop(spool::leave_denial(gate.repo(), &entry));
}

/// What the client sent.
pub(crate) fn input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(LARGEST)
        .read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", std::path::Path::new("standard input"), error))?;
    Ok(bytes)
}

/// An answer that reaches nobody is a "no" by its exit status, whatever it said: the client would take
/// silence for a "yes".
fn insist(reply: &Reply) -> ExitStatus {
    let mut out = std::io::stdout();
    let told = out
        .write_all(reply.stdout.as_bytes())
        .and_then(|()| out.flush());
    if told.is_ok() && (reply.stdout.is_empty() || !goes_nowhere()) {
        return status_of(reply);
    }
    drop(std::io::stderr().write_all(reply.stdout.as_bytes()));
    ExitStatus::Undecided
}

/// Answers in the client's own form, exit status included.
pub(crate) fn give(reply: &Reply) -> ExitStatus {
    // A client that does not listen any more can't be helped.
    drop(std::io::stdout().write_all(reply.stdout.as_bytes()));
    status_of(reply)
}

fn status_of(reply: &Reply) -> ExitStatus {
    drop(std::io::stderr().write_all(reply.stderr.as_bytes()));
    match reply.exit {
        0 => ExitStatus::Done,
        1 => ExitStatus::No,
        _ => ExitStatus::Undecided,
    }
}

/// Whether standard output is the null device, as it is for a process that was started without one.
fn goes_nowhere() -> bool {
    let null = rustix::fs::stat("/dev/null");
    let out = rustix::fs::fstat(std::io::stdout());
    null.is_ok_and(|null| {
        out.is_ok_and(|out| out.st_rdev == null.st_rdev && out.st_ino == null.st_ino)
    })
}
