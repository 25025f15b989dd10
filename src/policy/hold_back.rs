//! What keeps work from being committed that the tests would let pass: findings of
//! the lint command, and anti-patterns in the step itself.

use super::judge::Exit;
use super::loop_decision::{CommitLabel, KeepReason, LoopDecision, NextPhase};

/// What a run of the lint command comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LintVerdict {
    /// Nothing to mend.
    Clean,
    /// It found something.
    Findings,
    /// It said nothing about the code, for this reason.
    Failed(String),
}

/// Reads the end of the lint command. A linter that is missing or was cut short found nothing out,
/// and that is not the same as finding nothing.
pub fn lint_verdict(exit: &Exit) -> LintVerdict {
    match exit {
        Exit::Code(0) => LintVerdict::Clean,
        Exit::Code(126) => LintVerdict::Failed("it can't be executed".into()),
        Exit::Code(127) => LintVerdict::Failed("it was not found".into()),
        Exit::Code(_) => LintVerdict::Findings,
        Exit::Signal(number) => LintVerdict::Failed(format!("it was killed by signal {number}")),
        Exit::Timeout => LintVerdict::Failed("it took longer than `timeout_s`".into()),
        Exit::NotStarted(why) => LintVerdict::Failed(why.clone()),
    }
}

/// Whether the lint command has a say in a decision: code is about to be committed, or accepted
/// where nothing is committed, because its tests pass.
pub fn asks_lint(decision: &LoopDecision) -> bool {
    match decision {
        LoopDecision::Commit { label, .. } => match label {
            CommitLabel::Green | CommitLabel::Refactor | CommitLabel::Tcr => true,
            CommitLabel::Baseline
            | CommitLabel::ByHand
            | CommitLabel::Test
            | CommitLabel::Red
            | CommitLabel::PartialGreen
            | CommitLabel::Chore
            | CommitLabel::Sync
            | CommitLabel::Recover => false,
        },
        LoopDecision::Record { would, .. } => would.as_deref().is_some_and(asks_lint),
        LoopDecision::Revert { .. } | LoopDecision::Keep { .. } | LoopDecision::Nothing => false,
    }
}

/// Whether a step is about to be committed, or accepted where nothing is committed.
pub fn commits_step(decision: &LoopDecision) -> bool {
    match decision {
        LoopDecision::Commit { label, .. } => match label {
            CommitLabel::Test
            | CommitLabel::Red
            | CommitLabel::Green
            | CommitLabel::PartialGreen
            | CommitLabel::Refactor
            | CommitLabel::Tcr => true,
            CommitLabel::Baseline
            | CommitLabel::ByHand
            | CommitLabel::Chore
            | CommitLabel::Sync
            | CommitLabel::Recover => false,
        },
        LoopDecision::Record { would, .. } => would.as_deref().is_some_and(commits_step),
        LoopDecision::Revert { .. } | LoopDecision::Keep { .. } | LoopDecision::Nothing => false,
    }
}

/// The decision with its commit held back: the work stays as it is, and so does the phase.
pub fn held_back(decision: LoopDecision, reason: KeepReason) -> LoopDecision {
    match decision {
        LoopDecision::Commit { .. } => LoopDecision::Keep { reason },
        LoopDecision::Record {
            would: Some(would), ..
        } => LoopDecision::Record {
            would: Some(Box::new(held_back(*would, reason))),
            next: NextPhase::Stay,
        },
        LoopDecision::Revert { .. }
        | LoopDecision::Keep { .. }
        | LoopDecision::Record { would: None, .. }
        | LoopDecision::Nothing => decision,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(label: CommitLabel) -> LoopDecision {
        LoopDecision::Commit {
            label,
            next: NextPhase::EndCycle,
            notes: Vec::new(),
        }
    }

    fn recorded(would: Option<LoopDecision>) -> LoopDecision {
        LoopDecision::Record {
            would: would.map(Box::new),
            next: NextPhase::EndCycle,
        }
    }

    const KEEP: LoopDecision = LoopDecision::Keep {
        reason: KeepReason::LintFindings,
    };

    #[test]
    fn only_an_exit_of_its_own_says_something_about_the_code() {
        assert_eq!(lint_verdict(&Exit::Code(0)), LintVerdict::Clean);
        for code in [1, 2, 101, 255] {
            assert_eq!(lint_verdict(&Exit::Code(code)), LintVerdict::Findings);
        }
        for exit in [
            Exit::Code(126),
            Exit::Code(127),
            Exit::Signal(9),
            Exit::Timeout,
            Exit::NotStarted("no such folder".into()),
        ] {
            let verdict = lint_verdict(&exit);
            assert!(
                matches!(verdict, LintVerdict::Failed(_)),
                "{exit:?}: {verdict:?}"
            );
        }
    }

    #[test]
    fn lint_has_a_say_where_passing_code_would_be_committed() {
        for (label, asked) in [
            (CommitLabel::Green, true),
            (CommitLabel::Refactor, true),
            (CommitLabel::Tcr, true),
            (CommitLabel::Test, false),
            (CommitLabel::Red, false),
            (CommitLabel::PartialGreen, false),
            (CommitLabel::Chore, false),
            (CommitLabel::Baseline, false),
            (CommitLabel::ByHand, false),
            (CommitLabel::Sync, false),
            (CommitLabel::Recover, false),
        ] {
            assert_eq!(asks_lint(&commit(label)), asked, "{label:?}");
            assert_eq!(asks_lint(&recorded(Some(commit(label)))), asked);
        }
        assert!(!asks_lint(&recorded(None)));
        assert!(!asks_lint(&KEEP));
        assert!(!asks_lint(&LoopDecision::Nothing));
    }

    #[test]
    fn what_is_held_back_stays_in_its_phase() {
        let held = |decision| held_back(decision, KeepReason::LintFindings);
        assert_eq!(held(commit(CommitLabel::Green)), KEEP);
        assert_eq!(
            held(recorded(Some(commit(CommitLabel::Green)))),
            LoopDecision::Record {
                would: Some(Box::new(KEEP)),
                next: NextPhase::Stay,
            }
        );
        assert_eq!(held(recorded(None)), recorded(None));
        assert_eq!(held(LoopDecision::Nothing), LoopDecision::Nothing);
    }
}
