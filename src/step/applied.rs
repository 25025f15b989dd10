//! What is applied to a decision of the rules: the mode, patience, work that was restored on
//! purpose, lint, findings in the step, the validator.

use super::effects::Carry;
use super::judge::Judged;
use crate::branch::session::Session;
use crate::config::Trigger;
use crate::error::Result;
use crate::outcome::step::{Kept, Settled};
use crate::rules::Mode;
use crate::rules::patience::{Patience, with_patience};
use crate::rules::{Decision, Label, Why};
use crate::step::request::LoopRequest;
use crate::test_run::progress::Progress;

/// Applies everything that the rules do not know of.
pub(crate) fn applied(
    session: &mut Session<'_>,
    judged: Judged,
    request: &LoopRequest,
    progress: &mut dyn Progress,
) -> Result<Carry> {
    let patience = Patience {
        limit: session.config.patience.into(),
        spent: session.state.kept.as_ref().map_or(0, |kept| kept.spent),
        counts: counts(session, &judged, request),
    };
    let phase = session.state.phase;
    let (decision, spent) = with_patience(judged.decision.clone(), patience, phase);
    let settled = by_mode(session, &judged, decision, request);
    let mut carry = Carry {
        judged,
        settled,
        spent,
        lint: None,
        smells: Vec::new(),
        objection: None,
    };
    if carry.judged.unstable.is_empty() && !request.report_only {
        session.lint(&mut carry, request, progress)?;
        session.smell(&mut carry)?;
        if carry.commits_code() && !carry.judged.parts.asking_for_tests().is_empty() {
            carry.hold_back(Kept::AsksForTests);
        }
        session.ask_about_green(&mut carry)?;
    }
    Ok(carry)
}

/// Whether a judgement wears on patience.
fn counts(session: &Session<'_>, judged: &Judged, request: &LoopRequest) -> bool {
    let tree = judged.snapshot.tree.to_string();
    let is_same = (session.state.kept.as_ref()).is_some_and(|kept| kept.tree == tree);
    // Without patience nothing unfinished stays, new code included.
    let is_strict = session.config.patience == 0;
    (is_strict || judged.parts.touches_accepted_code())
        && !is_same
        && !request.ends_turn
        && (request.by.is_none() || session.config.trigger == Trigger::Edit)
        && session.state.step.is_none()
}

fn by_mode(
    session: &Session<'_>,
    judged: &Judged,
    decision: Decision,
    request: &LoopRequest,
) -> Settled {
    // What an agent brought moves nothing.
    if !request.is_trusted() {
        return Settled::Record {
            would: decision,
            held: None,
            accepted: false,
        };
    }
    match session.mode() {
        Mode::Off => Settled::Nothing,
        Mode::Observe | Mode::Tdd => match decision {
            Decision::Nothing => Settled::Nothing,
            Decision::Await(tests) => Settled::Await(tests),
            would => Settled::Record {
                would,
                held: None,
                accepted: true,
            },
        },
        Mode::Both | Mode::Tcr | Mode::Relaxed => acting(session, judged, decision),
    }
}

fn acting(session: &Session<'_>, judged: &Judged, decision: Decision) -> Settled {
    match decision {
        // A red rests on what fails, whatever else did not run.
        Decision::Commit(commit)
            if commit.label != Label::Red && session.state.misses_some(judged) =>
        {
            Settled::Keep(Kept::FullRunNeeded)
        }
        Decision::Commit(commit) => Settled::Commit(commit),
        Decision::Keep(keep) => Settled::Keep(Kept::Rules(keep.why)),
        Decision::TakeBack(_) if session.state.is_held(&judged.snapshot) => {
            Settled::Keep(Kept::Held)
        }
        Decision::TakeBack(back)
            if back.why != Why::Frozen && session.state.is_unclear(&judged.parts.paths()) =>
        {
            Settled::Keep(Kept::Unclear)
        }
        Decision::TakeBack(back) => match (session.mode(), back.why) {
            (Mode::Relaxed, why @ (Why::Unasked | Why::Patience)) => {
                Settled::Keep(Kept::Relaxed(why))
            }
            (_, Why::Frozen | Why::Unasked | Why::Patience) => Settled::TakeBack(back),
        },
        Decision::Nothing => Settled::Nothing,
        Decision::Await(tests) => Settled::Await(tests),
    }
}

impl Carry {
    /// Whether code is about to be committed because its tests pass: lint has a say then.
    pub(crate) fn commits_code(&self) -> bool {
        self.label().is_some_and(|label| match label {
            Label::Green { partial } => !partial,
            Label::Refactor | Label::Tcr => true,
            Label::Red | Label::Test | Label::Declared | Label::Chore | Label::Docs => false,
        })
    }

    /// Whether a step of the work is about to be committed.
    pub(crate) fn commits_step(&self) -> bool {
        self.label().is_some_and(|label| match label {
            Label::Red
            | Label::Test
            | Label::Green { .. }
            | Label::Declared
            | Label::Refactor
            | Label::Tcr => true,
            Label::Chore | Label::Docs => false,
        })
    }

    /// Whether a cycle is about to end.
    pub(crate) fn commits_green(&self) -> bool {
        self.label() == Some(Label::Green { partial: false })
    }

    fn label(&self) -> Option<Label> {
        match &self.settled {
            Settled::Commit(commit) => Some(commit.label),
            Settled::Record {
                would: Decision::Commit(commit),
                accepted: true,
                ..
            } => Some(commit.label),
            Settled::Record { .. }
            | Settled::Keep(_)
            | Settled::TakeBack(_)
            | Settled::Await(_)
            | Settled::Nothing => None,
        }
    }

    /// Holds a commit back: the work stays as it is, and so does the phase.
    pub(crate) fn hold_back(&mut self, kept: Kept) {
        self.settled = match &self.settled {
            Settled::Commit(_) => Settled::Keep(kept),
            Settled::Record { would, .. } => Settled::Record {
                would: would.clone(),
                held: Some(kept),
                accepted: false,
            },
            other => other.clone(),
        };
    }
}
