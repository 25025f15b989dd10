//! The gate's "no", with its reason and the way on.

use super::phase::next_step;
use super::{Message, Tone, reasons};
use crate::error::Error;
use crate::policy::Phase;
use crate::policy::shell_gate::DenyReason as CommandDenial;
use crate::policy::write_gate::{DenyReason, FrozenBy};
use crate::tcr_gate::{Denial, Objection};

/// A tool call that was denied: what, why, the state it was decided on, the allowed next steps.
pub(crate) fn denial(denial: &Denial) -> Message {
    let (headline, why, hint) = match &denial.objection {
        Objection::Write {
            shown,
            class,
            reason,
            ..
        } => {
            let (why, hint) = write_denial(*reason, denial.phase);
            (
                format!(
                    "denied: `{shown}` ({}) may not be written now",
                    class.name()
                ),
                why,
                hint,
            )
        }
        Objection::Command(reason) => {
            let (why, hint) = command_denial(reason);
            ("denied: this command may not be run here".into(), why, hint)
        }
        Objection::Unparsed(why) => (
            "denied: this command can't be understood before it runs".into(),
            why.clone(),
            "write it in a simpler way, or in several calls".into(),
        ),
        Objection::UnreadablePatch => (
            "denied: this patch names no file".into(),
            "what it would change can't be judged".into(),
            "name each file: `*** Update File: PATH`".into(),
        ),
    };
    let state = format!(
        "phase `{}`, mode `{}`, branch `{}`",
        denial.phase, denial.mode, denial.branch
    );
    let mut message = Message::new(Tone::Bad, headline).fact(why).fact(state);
    if let Some(diff) = &denial.drift {
        message = message.fact(diff.clone());
    }
    message.hint(hint)
}

fn write_denial(reason: DenyReason, phase: Phase) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    match reason {
        DenyReason::Protected => (
            "it steers git tcr, git or the client's hooks: only people write it".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: true } => (
            "the spec is frozen: a person supersedes it with another one".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: false } => (
            "the spec is settled: it is written in `plan`".into(),
            next_step(phase).into(),
        ),
        DenyReason::PlanFirst => (
            "tests and source wait for the plan".into(),
            next_step(Phase::Plan).into(),
        ),
        DenyReason::NoFailingTest { content_unknown } => {
            let why = if content_unknown {
                "no failing test asks for it, and that it is only a stub can't be seen"
            } else {
                "no failing test asks for it, and it is more than a stub"
            };
            (
                why.into(),
                "new behaviour: write a failing test; no new behaviour: `git tcr phase refactor`"
                    .into(),
            )
        }
        DenyReason::FailingTestElsewhere => (
            "the failing test is another project's".into(),
            "make the failing test pass first, or write one for this project".into(),
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => (
            "tests are frozen until the failing ones pass".into(),
            format!("make them pass; {}", reasons::WRONG_TEST),
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        } => (
            "the certified tests are frozen".into(),
            format!("coder: make them pass; {}", reasons::WRONG_CERTIFIED_TEST),
        ),
        DenyReason::OracleDrifted => (
            "spec or frozen tests differ from what was certified".into(),
            "git tcr run".into(),
        ),
        DenyReason::TestBugOpen => (
            "a test was reported as wrong: a person decides first".into(),
            ask,
        ),
    }
}

fn command_denial(reason: &CommandDenial) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    let run = "git tcr run".to_owned();
    match reason {
        CommandDenial::LosesWork => (
            "it would overwrite or throw away work".into(),
            "git tcr recover".into(),
        ),
        CommandDenial::MovesBranch => ("it would move the branch under git tcr".into(), run),
        CommandDenial::LeavesWipBranch => ("it would leave the WIP branch".into(), ask),
        CommandDenial::RewritesHistory => ("it would rewrite recorded steps".into(), run),
        CommandDenial::SkipsHooks => ("it would pass by the hooks".into(), run),
        CommandDenial::ChangesConfig { key: Some(key) } => (
            format!("it would change `{key}`, which hooks and records depend on"),
            ask,
        ),
        CommandDenial::ChangesConfig { key: None } => (
            "it would change config that hooks and records depend on".into(),
            ask,
        ),
        CommandDenial::ChangesRecords => (
            "refs and notes of git tcr change through git tcr alone".into(),
            run,
        ),
        CommandDenial::ChangesWipBranch => (
            "the WIP branch and its base move through git tcr alone".into(),
            run,
        ),
        CommandDenial::PublishesWip => ("the WIP branch does not leave this machine".into(), ask),
        CommandDenial::DropsRecovery => ("it would make recovery impossible".into(), ask),
        CommandDenial::HidesChanges => ("it would hide changes from git".into(), run),
        CommandDenial::OtherWorktree => ("it would work outside the guarded worktree".into(), ask),
        CommandDenial::ForeignRepository => (
            "it would point git at something else".into(),
            "run git in the repository itself".into(),
        ),
        CommandDenial::RunsHook => ("hooks are run by git and by the client".into(), run),
        CommandDenial::PeoplesCommand { command } => {
            (format!("`git tcr {command}` is for people"), ask)
        }
        CommandDenial::NotTheCaller {
            identity: Some(identity),
        } => (
            format!("tests are certified under the identity of this very call, `{identity}`"),
            format!("git tcr freeze --verdict pass --by {identity}"),
        ),
        CommandDenial::NotTheCaller { identity: None } => (
            "this client can't tell its agents apart: only a person or `--auto` may freeze".into(),
            "git tcr freeze --auto".into(),
        ),
        CommandDenial::Disarms(_) => ("it would disarm git tcr".into(), ask),
    }
}

/// The gate itself failed: that is a denial, and the person has a way out.
pub(crate) fn failed(error: &Error) -> String {
    let mut message = super::error(error);
    message.headline = format!("denied: {}", message.headline);
    message
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .plain()
}

/// The gate was called for something that is not the moment before a tool call.
pub(crate) fn misused() -> String {
    Message::new(
        Tone::Bad,
        "denied: the gate is for the moment before a tool call",
    )
    .hint("git tcr install")
    .plain()
}

/// The gate did not come to an answer in time.
pub(crate) fn too_slow(seconds: u64) -> String {
    Message::new(Tone::Bad, format!("denied: not judged within {seconds} s"))
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .hint("try it again, in several smaller calls")
        .plain()
}

/// A client's message that can't be read.
pub(crate) fn unreadable_payload(why: &str) -> String {
    Message::new(
        Tone::Bad,
        format!("denied: the client's message can't be read: {why}"),
    )
    .hint("update git tcr, or ask the person at the keyboard")
    .plain()
}
