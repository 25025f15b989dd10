//! `git tcr loop --client C`: what clients call after a tool and at the end of a turn.

use std::time::Duration;

use super::gate::{give, input};
use super::live::Live;
use crate::branch::sealed::{self, Sealed};
use crate::clients::event::{AgentEvent, EventKind, ToolCall};
use crate::clients::{self, Answer, Reply};
use crate::commands::gate::HookArgs;
use crate::config::Trigger;
use crate::error::{ExitStatus, Result};
use crate::git::repo::Repo;
use crate::message::{self, Message};
use crate::outcome::step::{Action, Outcome};
use crate::person::trace::{self, Origin};
use crate::rules::Verdict;
use crate::step::request::LoopRequest;
use crate::step::rounds::{self, Done};
use crate::step::turn::Turn;

pub(crate) fn hook_loop(args: &HookArgs) -> Result<ExitStatus> {
    let client = args.client;
    let bytes = input()?;
    let reply = match clients::parse(client, &bytes) {
        Ok(event) => judged(&event)?,
        Err(bad) => clients::refusal(client, &message::gate::unreadable_payload(&bad.to_string())),
    };
    Ok(give(&reply))
}

/// Lets the loop act on an event, and says what it did.
pub(crate) fn judged(event: &AgentEvent) -> Result<Reply> {
    let mut said = Said::default();
    if is_harmless(&event.kind) {
        return Ok(said.reply(event));
    }
    let cwd = crate::gate::folder_of(event.cwd.as_ref())?;
    match crate::gate::repositories(&cwd) {
        Ok(repositories) => {
            for repo in &repositories {
                said.add(acted(event, repo));
            }
        }
        Err(error) => said.add(Err(error)),
    }
    Ok(said.reply(event))
}

/// Whether a call can't have changed anything. What changed beside it is found by the next look.
fn is_harmless(kind: &EventKind) -> bool {
    matches!(kind, EventKind::AfterTool(ToolCall::Reading { .. }, _))
}

/// What the loop did in a repository; none if it is not its turn.
fn acted(event: &AgentEvent, repo: &Repo) -> Result<Option<Done>> {
    let Some(sealed) = sealed::load(repo)? else {
        return Ok(None);
    };
    let is_call = matches!(event.kind, EventKind::AfterTool(..));
    let begun = crate::person::call::open(repo).into_iter();
    let mut origins: Vec<Origin> = begun.map(|begun| begun.origin).collect();
    trace::note_survivors(repo, &origins, !is_call);
    origins.push(Origin::of_this_hook());
    let done = judged_in(event, repo, &sealed);
    // Tests may have left something behind too.
    trace::note_survivors(repo, &origins, !is_call);
    done
}

fn judged_in(event: &AgentEvent, repo: &Repo, sealed: &Sealed) -> Result<Option<Done>> {
    if !is_due(&event.kind, sealed.config.trigger) {
        return Ok(None);
    }
    let is_call = matches!(event.kind, EventKind::AfterTool(..));
    let pause = Duration::from_millis(sealed.config.debounce_ms.into());
    let turn = match is_call {
        true => Turn::of_call(repo, pause)?,
        false => Turn::of_end(repo),
    };
    let request = LoopRequest {
        by: Some(identity(event)),
        identity: Some(event.identity()),
        step_goes_on: true,
        ends_turn: !is_call,
        turn: Some(turn),
        ..LoopRequest::default()
    };
    rounds::run(repo, &request, &mut Live::new(true)).map(Some)
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
pub(crate) fn identity(event: &AgentEvent) -> String {
    match &event.agent_type {
        Some(kind) => format!("{} ({kind})", event.client.name()),
        None => event.client.name().to_owned(),
    }
}

/// What the model is told.
#[derive(Default)]
struct Said {
    text: String,
    /// The model has something left to do.
    asks: bool,
}

impl Said {
    fn add(&mut self, result: Result<Option<Done>>) {
        match result {
            Ok(None) => {}
            Ok(Some(done)) if is_quiet(&done.outcome) => {}
            Ok(Some(done)) => {
                let messages = super::run::messages(&done);
                self.text.extend(messages.iter().map(Message::plain));
                self.asks |= done.rounds().any(asks_for_more);
            }
            // When the loop can't decide it keeps the work and says so.
            Err(error) => {
                self.text.push_str(&message::error(&error).plain());
                self.asks = true;
            }
        }
    }

    /// At the end of a turn the model has to hear of what is left to do before the turn is over, but
    /// only once.
    fn reply(self, event: &AgentEvent) -> Reply {
        if self.text.is_empty() {
            return clients::reply(event, &Answer::Allow, None);
        }
        match event.kind {
            EventKind::TurnEnd { again: false } if self.asks => {
                clients::reply(event, &Answer::GoOn(self.text), None)
            }
            EventKind::TurnEnd { again: true } => {
                clients::reply(event, &Answer::Allow, Some(&self.text))
            }
            _ => clients::reply(event, &Answer::Tell(self.text), None),
        }
    }
}

fn is_quiet(outcome: &Outcome) -> bool {
    outcome.action == Action::None
        && outcome.phase == outcome.next_phase
        && outcome.would.is_none()
        && outcome.taken_back.is_empty()
        && outcome.put_back.is_empty()
        && outcome.remarks.is_empty()
}

/// Whether the model has something left to do: a "no", or a failing test to be made to pass.
fn asks_for_more(outcome: &Outcome) -> bool {
    let is_new_red = outcome.action == Action::Commit && outcome.verdict == Some(Verdict::Red);
    outcome.is_no() || outcome.is_undecided() || is_new_red
}
