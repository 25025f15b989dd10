//! The disciplines that ask for nothing but a run of the whole: strict TCR, and results that only
//! move the phase.

use std::collections::BTreeSet;

use super::answer::{Answer, Before, Gone, Outcome, Said, TestId};
use super::decision::{Commit, Decision, KeepReason, Label, Move, Next, Scope, TakeBack, Why};
use super::facts::{Experiment, Facts, TestsPart};
use super::reading::{is_unknown, to_run_again};
use super::step::{commit, keep, next_cycle, still_awaited};
use crate::rules::{Cause, CycleKind, Phase};

/// Strict TCR: what passes is committed, what does not is taken back.
pub fn commit_or_take_back(f: &Facts<'_>) -> Next {
    if f.changed.docs && f.is_settling && !f.changed.needs_judgement() {
        return Next::Decide(commit(Label::Docs, Experiment::Whole, Move::Stay));
    }
    let whole = match whole(f) {
        Ok(whole) => whole,
        Err(next) => return next,
    };
    Next::Decide(match why_red(f, whole) {
        None => commit(Label::Tcr, Experiment::Whole, Move::Stay),
        // Nothing is taken back for what did not run.
        Some(
            why @ (KeepReason::Broken
            | KeepReason::Unloadable
            | KeepReason::DoesNotParse
            | KeepReason::Unknown),
        ) => keep(why),
        Some(_) => Decision::TakeBack(TakeBack {
            why: Why::Patience,
            scope: Scope::Step,
        }),
    })
}

/// Results move the phase and what later ones are compared with; the work is a person's to commit.
pub fn results_only(f: &Facts<'_>) -> Next {
    let whole = match whole(f) {
        Ok(whole) => whole,
        Err(next) => return next,
    };
    let why = why_red(f, whole);
    let decision = match f.phase {
        Phase::Green => results_in_green(f, whole, why),
        Phase::Red | Phase::Refactor => red(f, whole),
        Phase::Plan | Phase::Done => None,
    };
    Next::Decide(match (decision, why) {
        (Some(decision), _) => decision,
        (None, Some(why)) => keep(why),
        (None, None) => match f.phase {
            Phase::Refactor => commit(Label::Refactor, Experiment::Whole, Move::Stay),
            Phase::Green => keep(KeepReason::RedStill),
            Phase::Plan | Phase::Red | Phase::Done => {
                commit(Label::Test, Experiment::Whole, Move::Stay)
            }
        },
    })
}

fn accept(label: Label, next: Move, awaited: BTreeSet<TestId>) -> Decision {
    Decision::Commit(Commit {
        label,
        tree: Experiment::Whole,
        next,
        awaited: Some(awaited),
    })
}

/// More awaited tests pass, and nothing but awaited ones fails.
fn results_in_green(f: &Facts<'_>, whole: &Answer, why: Option<KeepReason>) -> Option<Decision> {
    let left = still_awaited(f, whole);
    let only_awaited_fail = why == Some(KeepReason::RedStill)
        && says_no_more_than_its_tests(whole)
        && failing(f, whole).is_subset(&left)
        && lost(f, whole).is_subset(&left)
        && !is_unknown(whole);
    if why.is_some() && !only_awaited_fail {
        None
    } else if left.is_empty() {
        let label = Label::Green { partial: false };
        Some(accept(label, next_cycle(f), left))
    } else if left.len() < f.awaited.len() {
        let label = Label::Green { partial: true };
        Some(accept(label, Move::Stay, left))
    } else {
        None
    }
}

/// Changed tests ask for code.
fn red(f: &Facts<'_>, whole: &Answer) -> Option<Decision> {
    let red = newly_failing(f, whole);
    let asks = f.changed.tests != TestsPart::Same
        && asks_for_code(whole, &red)
        && lost(f, whole).is_subset(&failing(f, whole))
        && is_confirmed(whole);
    asks.then(|| match f.cycle {
        CycleKind::Free => accept(Label::Red, Move::ToGreen, red),
        CycleKind::Spec => {
            let awaited = f.awaited.union(&red).cloned().collect();
            accept(Label::Red, Move::Stay, awaited)
        }
    })
}

fn says_no_more_than_its_tests(whole: &Answer) -> bool {
    match whole.said {
        Said::Tests {
            beyond_tests,
            fails_unnamed,
            ..
        } => !beyond_tests && !fails_unnamed,
        Said::Unloadable { .. } | Said::Nothing(_) => false,
    }
}

fn whole<'f>(f: &'f Facts<'_>) -> Result<&'f Answer, Next> {
    if !f.changed.needs_judgement() {
        return Err(Next::Decide(Decision::Nothing));
    }
    let whole = (f.answers)
        .get(&Experiment::Whole)
        .ok_or(Next::Ask(Experiment::Whole))?;
    let is_doubtful = !to_run_again(f, Experiment::Whole).is_empty();
    match is_doubtful && !whole.ran_again {
        true => Err(Next::AskAgain(Experiment::Whole)),
        false => Ok(whole),
    }
}

fn why_red(f: &Facts<'_>, whole: &Answer) -> Option<KeepReason> {
    match whole.said {
        Said::Unloadable { parses: true, .. } => return Some(KeepReason::Unloadable),
        Said::Unloadable { parses: false, .. } => return Some(KeepReason::DoesNotParse),
        Said::Nothing(_) => return Some(KeepReason::Broken),
        Said::Tests {
            fails_unnamed: true,
            ..
        } => return Some(KeepReason::RedStill),
        Said::Tests {
            beyond_tests: true, ..
        } => return Some(KeepReason::BeyondTests),
        Said::Tests { .. } => {}
    }
    if !failing(f, whole).is_empty() {
        Some(KeepReason::RedStill)
    } else if !lost(f, whole).is_empty() {
        Some(KeepReason::Lost)
    } else if is_unknown(whole) {
        Some(KeepReason::Unknown)
    } else {
        None
    }
}

fn is_confirmed(whole: &Answer) -> bool {
    matches!(
        whole.said,
        Said::Tests {
            confirmed: true,
            ..
        }
    )
}

fn failing(f: &Facts<'_>, whole: &Answer) -> BTreeSet<TestId> {
    let failed = whole.tests.iter().filter(|(id, fact)| {
        matches!(fact.outcome, Outcome::Failed(_)) && !f.known_failures.contains(*id)
    });
    failed.map(|(id, _)| id.clone()).collect()
}

/// Tests that fail for a reason that counts, and did not before as far as anybody knows.
fn newly_failing(f: &Facts<'_>, whole: &Answer) -> BTreeSet<TestId> {
    let mut failing = failing(f, whole);
    failing.retain(|id| {
        whole.tests.get(id).is_some_and(|fact| {
            let counts = match fact.outcome {
                Outcome::Failed(cause) => f.red_needs.accepts(cause),
                Outcome::Passed
                | Outcome::Flaky
                | Outcome::Skipped
                | Outcome::Unknown
                | Outcome::Hung => false,
            };
            let is_new = match fact.before {
                Before::Passed | Before::Skipped | Before::Absent => true,
                Before::Failed | Before::Unknown => fact.touched,
            };
            counts && is_new
        })
    });
    failing
}

fn asks_for_code(whole: &Answer, red: &BTreeSet<TestId>) -> bool {
    let facts = red.iter().filter_map(|id| whole.tests.get(id));
    let mut asking =
        facts.filter(|fact| fact.touched || fact.outcome == Outcome::Failed(Cause::Assertion));
    asking.next().is_some()
}

/// Tests that passed and are skipped or gone; a test that the step itself takes out is named, not
/// missed.
fn lost(f: &Facts<'_>, whole: &Answer) -> BTreeSet<TestId> {
    let fell = whole.tests.iter().filter(|(_, fact)| {
        let fell = matches!(fact.outcome, Outcome::Failed(_) | Outcome::Skipped);
        fell && fact.before == Before::Passed && !fact.touched
    });
    let gone = (whole.gone.iter()).filter(|(_, how)| **how == Gone::Missing);
    let known = |id: &&TestId| !f.known_failures.contains(*id);
    (fell.map(|(id, _)| id).filter(known))
        .chain(gone.map(|(id, _)| id))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::answer::{NoAnswer, TestFact};
    use super::super::facts::{Changed, SourceKind};
    use super::super::told;
    use super::*;
    use crate::rules::RedNeeds;
    use std::collections::BTreeMap;

    const FAILED: Outcome = Outcome::Failed(Cause::Assertion);

    fn ran(lines: &[(&str, Outcome, Before)]) -> Answer {
        let fact = |(name, outcome, before): &(&str, Outcome, Before)| {
            let fact = TestFact {
                outcome: *outcome,
                before: *before,
                touched: name.starts_with("new"),
            };
            ((*name).to_owned(), fact)
        };
        Answer {
            said: Said::Tests {
                beyond_tests: false,
                confirmed: true,
                fails_unnamed: false,
            },
            tests: lines.iter().map(fact).collect(),
            gone: BTreeMap::new(),
            ran_again: true,
        }
    }

    fn ends(rules: fn(&Facts<'_>) -> Next, phase: Phase, whole: Answer) -> String {
        let answers = BTreeMap::from([(Experiment::Whole, whole)]);
        let awaited = match phase {
            Phase::Green => BTreeSet::from(["asked".to_owned(), "too".to_owned()]),
            Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => BTreeSet::new(),
        };
        let none = BTreeSet::new();
        let next = rules(&Facts {
            phase,
            cycle: CycleKind::Free,
            changed: Changed {
                tests: TestsPart::Added,
                source: SourceKind::Code,
                ..Changed::NOTHING
            },
            awaited: &awaited,
            known_failures: &none,
            failing_since_fork: &none,
            red_needs: RedNeeds::Error,
            can_aim: true,
            tests_name_what_is_new: false,
            suite_is_quick: false,
            tests_came_along: false,
            is_settling: false,
            answers: &answers,
        });
        match next {
            Next::Decide(decision) => told::decision(&decision),
            Next::Ask(experiment) | Next::AskAgain(experiment) => {
                panic!("asks {}", told::experiment(experiment))
            }
        }
    }

    #[test]
    fn strict_tcr_commits_what_passes_and_takes_back_what_fails() {
        let old = |outcome| ran(&[("old", outcome, Before::Passed)]);
        let mut missing = ran(&[]);
        missing.gone.insert("old".to_owned(), Gone::Missing);
        for (whole, expected) in [
            (old(Outcome::Passed), "commit tcr of whole"),
            (old(Outcome::Flaky), "commit tcr of whole"),
            (old(FAILED), "taken back: patience, step"),
            (old(Outcome::Skipped), "taken back: patience, step"),
            (missing, "taken back: patience, step"),
            (old(Outcome::Unknown), "kept: unknown"),
            (Answer::nothing(NoAnswer::Broken), "kept: broken"),
        ] {
            for phase in Phase::ALL {
                let end = ends(commit_or_take_back, phase, whole.clone());
                assert_eq!(end, expected, "{phase} {whole:?}");
            }
        }
    }

    #[test]
    fn results_alone_move_the_phase() {
        let new_fails = ("new", FAILED, Before::Absent);
        let asked_passes = ("asked", Outcome::Passed, Before::Failed);
        let too_fails = ("too", FAILED, Before::Failed);
        for (phase, lines, expected) in [
            (
                Phase::Red,
                &[new_fails][..],
                "commit red of whole, to green, awaits [new]",
            ),
            (Phase::Red, &[asked_passes], "commit test of whole"),
            (Phase::Refactor, &[asked_passes], "commit refactor of whole"),
            (
                Phase::Green,
                &[asked_passes, too_fails],
                "commit partial green of whole, awaits [too]",
            ),
            (
                Phase::Green,
                &[asked_passes, ("too", Outcome::Passed, Before::Failed)],
                "commit green of whole, next cycle, awaits []",
            ),
            // Not to run is not to pass.
            (
                Phase::Green,
                &[asked_passes],
                "commit partial green of whole, awaits [too]",
            ),
            (
                Phase::Green,
                &[asked_passes, ("too", Outcome::Unknown, Before::Failed)],
                "kept: unknown",
            ),
            (Phase::Green, &[new_fails], "kept: red_still"),
            (Phase::Done, &[new_fails], "kept: red_still"),
            (
                Phase::Red,
                &[("old", FAILED, Before::Failed)],
                "kept: red_still",
            ),
            (
                Phase::Red,
                &[("old", Outcome::Failed(Cause::Error), Before::Passed)],
                "kept: red_still",
            ),
        ] {
            assert_eq!(ends(results_only, phase, ran(lines)), expected, "{phase}");
        }
    }
}
