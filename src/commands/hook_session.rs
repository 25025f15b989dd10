//! `git tcr session --client C`: what clients call when a session starts, a prompt is sent, and a
//! turn ends.

use super::gate::{give, input};
use super::hook_loop::{self, identity};
use super::live::Live;
use super::open;
use crate::branch::place;
use crate::branch::sealed::{self, Sealed};
use crate::branch::session::Session;
use crate::branch::stand_aside;
use crate::branch::transaction;
use crate::clients::event::{AgentEvent, EventKind};
use crate::clients::{self, Answer, Reply};
use crate::commands::gate::HookArgs;
use crate::config::Trigger;
use crate::error::{ExitStatus, Result};
use crate::git::repo::Repo;
use crate::install::put_back;
use crate::message;
use crate::outcome::install::Touch;
use crate::outcome::step::WhyUnclear;
use crate::person::call;
use crate::person::prompts;
use crate::person::trace::{self, Origin};
use crate::rules::Mode;
use crate::step::activate;
use crate::step::by_hand::Doubt;

pub(crate) fn hook_session(args: &HookArgs) -> Result<ExitStatus> {
    let client = args.client;
    let bytes = input()?;
    let reply = match clients::parse(client, &bytes) {
        Ok(event) if ends_turn(&event.kind) => hook_loop::judged(&event)?,
        Ok(event) => greeted(&event).unwrap_or_else(|error| {
            clients::reply(&event, &Answer::Tell(message::error(&error).plain()), None)
        }),
        Err(bad) => clients::refusal(client, &message::gate::unreadable_payload(&bad.to_string())),
    };
    Ok(give(&reply))
}

/// After-hooks are not always called, so the end of a turn is judged too.
fn ends_turn(kind: &EventKind) -> bool {
    match kind {
        EventKind::TurnEnd { .. } | EventKind::SubagentEnd => true,
        EventKind::BeforeTool(_)
        | EventKind::AfterTool(..)
        | EventKind::SessionStart
        | EventKind::Prompt
        | EventKind::SubagentStart
        | EventKind::SessionEnd
        | EventKind::Other(_) => false,
    }
}

fn greeted(event: &AgentEvent) -> Result<Reply> {
    let nothing = || clients::reply(event, &Answer::Allow, None);
    let cwd = crate::gate::folder_of(event.cwd.as_ref())?;
    let mut installed = None;
    for repo in crate::gate::repositories(&cwd)? {
        if installed.is_none() {
            installed = sealed::load(&repo)?.map(|sealed| (repo, sealed));
        }
    }
    let Some((repo, sealed)) = installed else {
        return Ok(nothing());
    };
    // A call that was never judged ends here: from now on a person has the word.
    let mut live = Live::new(true);
    let _lock = open::lock(&repo, &mut live)?;
    if event.kind == EventKind::Prompt {
        prompts::note(&repo, &event.identity())?;
    }
    let doubts = doubts(&repo, &sealed, &event.kind)?;
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
    if is_persons_moment(&event.kind, sealed.config.trigger) {
        session.record_by_hand(&identity(event), &doubts)?;
    }
    let told: String = (session.remarks.iter())
        .map(|remark| format!("tcr: {remark}\n"))
        .collect();
    match event.kind {
        EventKind::SessionStart | EventKind::SubagentStart => {
            let text =
                message::phase::session_start(&session.state, session.mode(), &session.next_step());
            Ok(clients::reply(event, &Answer::Tell(text + &told), None))
        }
        _ if !told.is_empty() => Ok(clients::reply(event, &Answer::Tell(told), None)),
        _ => Ok(nothing()),
    }
}

/// Why what is found uncommitted now may be an agent's all the same.
fn doubts(repo: &Repo, sealed: &Sealed, kind: &EventKind) -> Result<Vec<Doubt>> {
    let begun = match kind {
        EventKind::SubagentStart => return Ok(Vec::new()),
        _ => call::take(repo.git_dir()),
    };
    let origins: Vec<Origin> = begun.iter().map(|begun| begun.origin.clone()).collect();
    trace::note_survivors(repo, &origins, true);
    if *kind == EventKind::SessionStart {
        trace::forget_ended(repo);
    }
    let mut doubts: Vec<Doubt> = begun
        .into_iter()
        .map(|begun| Doubt {
            why: WhyUnclear::Interrupted,
            paths: begun.paths,
        })
        .collect();
    let lived_on = trace::take_untold(repo);
    if !lived_on.is_empty() {
        let words = lived_on.into_iter().map(|one| one.words).collect();
        doubts.push(Doubt {
            why: WhyUnclear::LivedOn(words),
            paths: None,
        });
    }
    let touch = match sealed.config.mode {
        Mode::Observe => Touch::Nothing,
        Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Off => Touch::PutBack,
    };
    if !put_back::check(repo, sealed, touch, true)?.is_empty() {
        doubts.push(Doubt {
            why: WhyUnclear::Disarmed,
            paths: None,
        });
    }
    Ok(doubts)
}

/// Whether what is found uncommitted now is a person's. Where nobody judges the agent's work until a
/// person asks for it, what lies there at a prompt may be the agent's.
fn is_persons_moment(kind: &EventKind, trigger: Trigger) -> bool {
    match kind {
        EventKind::SessionStart => true,
        EventKind::Prompt => trigger != Trigger::Manual,
        EventKind::BeforeTool(_)
        | EventKind::AfterTool(..)
        | EventKind::TurnEnd { .. }
        | EventKind::SubagentStart
        | EventKind::SubagentEnd
        | EventKind::SessionEnd
        | EventKind::Other(_) => false,
    }
}
