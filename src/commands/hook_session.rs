//! `git tcr session --client C`: what clients call when a session starts and a prompt is sent.

use super::gate::{give, input};
use super::hook_loop::identity;
use super::live::Live;
use super::open;
use crate::cli::HookArgs;
use crate::effects::git::repo::Repo;
use crate::effects::transaction;
use crate::error::{Error, ExitStatus, Result};
use crate::event::{AgentEvent, Client, EventKind};
use crate::intake::agent::{self, Answer, Reply};
use crate::journal::{place, sealed};
use crate::message;
use crate::tcr_gate;
use crate::tcr_loop::session::Session;
use crate::tcr_loop::{activate, stand_aside};

pub(super) fn hook_session(args: &HookArgs) -> Result<ExitStatus> {
    let client: Client = args.client.into();
    let bytes = input()?;
    let reply = match agent::parse(client, &bytes) {
        Ok(event) => greeted(&event).unwrap_or_else(|error| {
            agent::reply(&event, &Answer::Tell(message::error(&error).plain()), None)
        }),
        Err(bad) => agent::refusal(client, &message::unreadable_payload(&bad.to_string())),
    };
    Ok(give(&reply))
}

fn greeted(event: &AgentEvent) -> Result<Reply> {
    let nothing = || agent::reply(event, &Answer::Allow, None);
    let repo = match Repo::discover(&tcr_gate::folder_of(event.cwd.as_ref())?) {
        Ok(repo) => repo,
        Err(Error::NotARepository(_) | Error::Bare(_)) => return Ok(nothing()),
        Err(error) => return Err(error),
    };
    let Some(sealed) = sealed::load(&repo)? else {
        return Ok(nothing());
    };
    let mut live = Live::new(true);
    let _lock = open::lock(&repo, &mut live)?;
    transaction::finish_pending(&repo)?;
    let place = place::locate(&repo)?;
    stand_aside::check(&repo, &place)?;
    let mut session = match &place.loaded {
        Some(loaded) => {
            let state = loaded.state.clone();
            Session::new(
                &repo,
                &sealed.config,
                &place,
                Some(loaded.clone()),
                state,
                None,
            )?
        }
        None if sealed.config.enabled && sealed.config.acts_on(&place.base.to_string()) => {
            activate::activate(&repo, &sealed.config, &place, None, false, &mut live)?.session
        }
        None => return Ok(nothing()),
    };
    if matches!(event.kind, EventKind::SubagentStart) {
        session.identity = Some(event.identity());
    }
    // What is there now was written by the person: no revert takes it. A sub-agent's start says
    // nothing about who wrote.
    if matches!(event.kind, EventKind::SessionStart | EventKind::Prompt) {
        session.record_by_hand(&identity(event))?;
    }
    match event.kind {
        EventKind::SessionStart | EventKind::SubagentStart => {
            let text = message::session_start(&session.state, session.mode(), &session.next_step());
            Ok(agent::reply(event, &Answer::Tell(text), None))
        }
        _ => Ok(nothing()),
    }
}
