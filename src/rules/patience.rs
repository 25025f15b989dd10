//! How often unfinished work is kept before it is taken back.

use super::decision::{Decision, Keep, Label, Scope, TakeBack, Why};
use crate::rules::Phase;

/// What is known of the patience with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How often work may be kept; 0: never, as in strict TCR.
    pub limit: u64,
    /// How often it was since the last progress.
    pub spent: u64,
    /// Whether this judgement counts: an edit changed or removed code that the accepted tree has,
    /// and nothing speaks against counting it.
    pub counts: bool,
}

/// A decision, with what patience makes of it; the second is how often work was kept by now.
pub fn with_patience(decision: Decision, patience: Patience, phase: Phase) -> (Decision, u64) {
    match decision {
        Decision::Keep(Keep { counted: true, .. }) if patience.counts => {
            let spent = patience.spent.saturating_add(1);
            if spent <= patience.limit {
                return (decision, spent);
            }
            let scope = match phase {
                Phase::Refactor => Scope::Step,
                Phase::Plan | Phase::Red | Phase::Green | Phase::Done => Scope::AllButTests,
            };
            let why = Why::Patience;
            (Decision::TakeBack(TakeBack { why, scope }), 0)
        }
        Decision::Keep(_) | Decision::Nothing | Decision::Await(_) => (decision, patience.spent),
        Decision::Commit(ref commit) => {
            let is_progress = match commit.label {
                Label::Red => phase != Phase::Green,
                Label::Green { .. } | Label::Declared | Label::Refactor | Label::Tcr => true,
                // What was kept is still there.
                Label::Test | Label::Chore | Label::Docs => false,
            };
            let spent = if is_progress { 0 } else { patience.spent };
            (decision, spent)
        }
        Decision::TakeBack(_) => (decision, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::decision::{Commit, KeepReason, Move};
    use super::super::facts::Experiment;
    use super::*;

    const KEPT: Decision = Decision::Keep(Keep {
        why: KeepReason::RedStill,
        counted: true,
    });

    fn patience(limit: u64, spent: u64, counts: bool) -> Patience {
        Patience {
            limit,
            spent,
            counts,
        }
    }

    #[test]
    fn work_is_kept_as_often_as_the_limit_says() {
        for (limit, spent, counts, taken_back, then) in [
            (5, 0, true, false, 1),
            (5, 4, true, false, 5),
            (5, 5, true, true, 0),
            (5, 5, false, false, 5),
            (0, 0, true, true, 0),
            (0, 0, false, false, 0),
        ] {
            let (decision, now) = with_patience(KEPT, patience(limit, spent, counts), Phase::Green);
            let is_taken = matches!(
                decision,
                Decision::TakeBack(TakeBack {
                    why: Why::Patience,
                    scope: Scope::AllButTests,
                })
            );
            assert_eq!(
                (is_taken, now),
                (taken_back, then),
                "{limit} {spent} {counts}"
            );
        }
    }

    #[test]
    fn in_refactor_the_step_goes_as_one() {
        let (decision, _) = with_patience(KEPT, patience(0, 0, true), Phase::Refactor);
        let expected = TakeBack {
            why: Why::Patience,
            scope: Scope::Step,
        };
        assert_eq!(decision, Decision::TakeBack(expected));
    }

    #[test]
    fn what_is_not_counted_never_wears_on_patience() {
        let kept = Decision::Keep(Keep {
            why: KeepReason::Broken,
            counted: false,
        });
        let (decision, spent) = with_patience(kept.clone(), patience(0, 3, true), Phase::Green);
        assert_eq!((decision, spent), (kept, 3));
    }

    #[test]
    fn only_progress_starts_the_count_anew() {
        let commit = |label| {
            Decision::Commit(Commit {
                label,
                tree: Experiment::Whole,
                next: Move::Stay,
                awaited: None,
            })
        };
        for (label, phase, then) in [
            (Label::Green { partial: true }, Phase::Green, 0),
            (Label::Green { partial: false }, Phase::Green, 0),
            (Label::Declared, Phase::Green, 0),
            (Label::Refactor, Phase::Refactor, 0),
            (Label::Tcr, Phase::Green, 0),
            (Label::Red, Phase::Red, 0),
            (Label::Red, Phase::Green, 3),
            (Label::Test, Phase::Green, 3),
            (Label::Chore, Phase::Red, 3),
            (Label::Docs, Phase::Green, 3),
        ] {
            let (_, spent) = with_patience(commit(label), patience(5, 3, true), phase);
            assert_eq!(spent, then, "{label:?} in {phase}");
        }
    }
}
