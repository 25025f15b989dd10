//! `git tcr loop --client C`: what clients call after a tool and at the end of a turn.

use super::gate::{give, input};
use super::live::Live;
use crate::cli::HookArgs;
use crate::config::Trigger;
use crate::effects::git::repo::Repo;
use crate::error::{Error, ExitStatus, Result};
use crate::event::{AgentEvent, Client, EventKind};
use crate::intake::agent::{self, Answer, Reply};
use crate::journal::sealed;
use crate::message;
use crate::tcr_gate;
use crate::tcr_loop::outcome::Action;
use crate::tcr_loop::{self, Done, LoopRequest};

pub(super) fn hook_loop(args: &HookArgs) -> Result<ExitStatus> {
    let client: Client = args.client.into();
    let bytes = input()?;
    let reply = match agent::parse(client, &bytes) {
        Ok(event) => judged(&event)?,
        Err(bad) => agent::refusal(client, &message::unreadable_payload(&bad.to_string())),
    };
    Ok(give(&reply))
}

fn judged(event: &AgentEvent) -> Result<Reply> {
    let nothing = || agent::reply(event, &Answer::Allow, None);
    let cwd = tcr_gate::folder_of(event.cwd.as_ref())?;
    let repo = match Repo::discover(&cwd) {
        Ok(repo) => repo,
        Err(Error::NotARepository(_) | Error::Bare(_)) => return Ok(nothing()),
        Err(error) => return Ok(told(event, &message::error(&error).plain())),
    };
    let sealed = match sealed::load(&repo) {
        Ok(Some(sealed)) => sealed,
        Ok(None) => return Ok(nothing()),
        Err(error) => return Ok(told(event, &message::error(&error).plain())),
    };
    if !is_due(&event.kind, sealed.config.trigger) {
        return Ok(nothing());
    }
    let request = LoopRequest {
        by: Some(identity(event)),
        quick_first: matches!(event.kind, EventKind::AfterTool(..)),
        step_goes_on: matches!(event.kind, EventKind::AfterTool(..)),
        ..LoopRequest::default()
    };
    match tcr_loop::run(&repo, &request, &mut Live::new(true)) {
        Ok(done) => Ok(fed_back(event, &done)),
        // When the loop can't decide it keeps the work and says so.
        Err(error) => Ok(told(event, &message::error(&error).plain())),
    }
}

/// Whether this event is one that the loop acts on.
fn is_due(kind: &EventKind, trigger: Trigger) -> bool {
    match (kind, trigger) {
        (_, Trigger::Manual) => false,
        (EventKind::AfterTool(..), Trigger::Edit) => true,
        (EventKind::AfterTool(..), Trigger::Turn) => false,
        (EventKind::TurnEnd { .. } | EventKind::SubagentEnd, Trigger::Edit | Trigger::Turn) => true,
        (
            EventKind::BeforeTool(_)
            | EventKind::SessionStart
            | EventKind::SubagentStart
            | EventKind::Prompt
            | EventKind::SessionEnd
            | EventKind::Other(_),
            Trigger::Edit | Trigger::Turn,
        ) => false,
    }
}

/// Who acts: the client, and the sub-agent where it can be told.
pub(super) fn identity(event: &AgentEvent) -> String {
    match &event.agent_type {
        Some(kind) => format!("{} ({kind})", event.client.name()),
        None => event.client.name().to_owned(),
    }
}

fn fed_back(event: &AgentEvent, done: &Done) -> Reply {
    if done.outcome.action == Action::None && done.outcome.undone.is_empty() {
        return agent::reply(event, &Answer::Allow, None);
    }
    let text: String = super::run::messages(done)
        .iter()
        .map(message::Message::plain)
        .collect();
    told(event, &text)
}

/// Tells the model. At the end of a turn it has to hear it before the turn is over, but only once.
fn told(event: &AgentEvent, text: &str) -> Reply {
    let answer = match event.kind {
        EventKind::TurnEnd { again: false } => Answer::GoOn(text.to_owned()),
        EventKind::TurnEnd { again: true } => {
            return agent::reply(event, &Answer::Allow, Some(text));
        }
        _ => Answer::Tell(text.to_owned()),
    };
    agent::reply(event, &answer, None)
}
