//! `git tcr gate --client C`: what clients call before a tool.

use std::io::{Read, Write};

use crate::cli::HookArgs;
use crate::clock;
use crate::error::{Error, ExitStatus, Result};
use crate::event::{AgentEvent, Client, EventKind};
use crate::intake::agent::{self, Answer, Reply};
use crate::message;
use crate::policy::Mode;
use crate::tcr_gate::{self, Denial, Gate, Spooled};

/// More than this no client sends for one call.
const LARGEST: u64 = 64 * 1024 * 1024;

pub(super) fn gate(args: &HookArgs) -> Result<ExitStatus> {
    let client = args.client.into();
    let reply = match answer(client) {
        Ok(reply) => reply,
        // Whatever goes wrong is no allow.
        Err(error) => agent::refusal(client, &message::gate_failed(&error)),
    };
    Ok(give(&reply))
}

fn answer(client: Client) -> Result<Reply> {
    let bytes = input()?;
    let event = match agent::parse(client, &bytes) {
        Ok(event) => event,
        Err(bad) => return unreadable(client, &bad.to_string()),
    };
    let cwd = tcr_gate::folder_of(event.cwd.as_ref())?;
    let Some(gate) = Gate::around(&cwd)? else {
        return Ok(agent::reply(&event, &Answer::Allow, None));
    };
    let EventKind::BeforeTool(call) = &event.kind else {
        return Ok(agent::refusal(client, &message::gate_misused()));
    };
    let Some(denial) = gate.judge(call, &cwd) else {
        return Ok(agent::reply(&event, &Answer::Allow, None));
    };
    let text = message::denial(&denial).plain();
    note(&gate, &event, &denial, &text);
    if denial.mode == Mode::Observe {
        return Ok(agent::reply(&event, &Answer::Allow, None));
    }
    Ok(agent::reply(&event, &Answer::Deny(text), None))
}

/// A message that can't be read is denied where TCR is installed, and none of our business elsewhere.
fn unreadable(client: Client, why: &str) -> Result<Reply> {
    let here = tcr_gate::folder_of(None)?;
    match Gate::around(&here)? {
        Some(_) => Ok(agent::refusal(client, &message::unreadable_payload(why))),
        None => Ok(Reply::default()),
    }
}

/// The journal is written by the loop: the gate has to be quick. A denial that can't be noted is
/// still a denial.
fn note(gate: &Gate, event: &AgentEvent, denial: &Denial, text: &str) {
    let entry = Spooled {
        at: clock::timestamp(),
        client: event.client.name().to_owned(),
        what: text.lines().next().unwrap_or_default().to_owned(),
        cause: denial.objection.cause().to_owned(),
        only_observed: denial.mode == Mode::Observe,
    };
    drop(tcr_gate::spool(gate.repo(), &entry));
}

/// What the client sent.
pub(super) fn input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(LARGEST)
        .read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", std::path::Path::new("standard input"), error))?;
    Ok(bytes)
}

/// Answers in the client's own form, exit status included.
pub(super) fn give(reply: &Reply) -> ExitStatus {
    // A client that does not listen any more can't be helped.
    drop(std::io::stdout().write_all(reply.stdout.as_bytes()));
    drop(std::io::stderr().write_all(reply.stderr.as_bytes()));
    match reply.exit {
        0 => ExitStatus::Done,
        1 => ExitStatus::No,
        _ => ExitStatus::Undecided,
    }
}
