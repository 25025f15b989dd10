//! What an answer says of the tests, compared with the accepted tree.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::answer::{Answer, Before, Gone, Outcome, Said, TestFact, TestId};
use super::facts::{Experiment, Facts, SourceKind};
use crate::rules::{CycleKind, Phase};

/// A question that has to be answered before a row can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// An experiment that nobody asked yet.
    First(Experiment),
    /// Its failing tests that passed before, once more.
    Again(Experiment),
}

/// What a row has found out, or the question it needs answered first.
pub(super) type Row<T> = Result<T, Ask>;

/// The failing tests of an answer that passed in the accepted tree, or of which nobody can tell:
/// flaky, if they pass when they are run again. And one that hangs here and ends well in the worktree:
/// it fails, if it hangs again.
pub fn to_run_again(f: &Facts<'_>, experiment: Experiment) -> BTreeSet<TestId> {
    let Some(answer) = f.answers.get(&experiment) else {
        return BTreeSet::new();
    };
    let ends_well = |id: &TestId| {
        let whole = f.answers.get(&Experiment::Whole);
        whole.is_some_and(|whole| passes(whole.tests.get(id)))
    };
    let is_doubtful = |id: &TestId, fact: &TestFact| {
        if fact.outcome == Outcome::Hung {
            return fact.touched && ends_well(id);
        }
        matches!(fact.outcome, Outcome::Failed(_))
            && is_in_question(f, experiment, fact)
            && match known_before(f, id, fact) {
                Some(Before::Passed) => true,
                Some(Before::Unknown) => !fact.touched,
                Some(Before::Failed | Before::Skipped | Before::Absent) | None => false,
            }
    };
    (answer.tests.iter())
        .filter(|(id, fact)| is_doubtful(id, fact))
        .map(|(id, _)| id.clone())
        .collect()
}

/// The answer to an experiment, its doubtful tests run again.
pub(super) fn answer<'f>(f: &'f Facts<'_>, experiment: Experiment) -> Row<&'f Answer> {
    let answer = f.answers.get(&experiment).ok_or(Ask::First(experiment))?;
    if answer.ran_again {
        return Ok(answer);
    }
    // All of the doubtful ones are run again together, so all have to be known first.
    let is_open = |id: &TestId, fact: &TestFact| {
        matches!(fact.outcome, Outcome::Failed(_))
            && is_in_question(f, experiment, fact)
            && known_before(f, id, fact).is_none()
            && !f.known_failures.contains(id)
            && !f.awaited.contains(id)
    };
    if (answer.tests.iter()).any(|(id, fact)| is_open(id, fact)) {
        return Err(Ask::First(Experiment::Before));
    }
    match to_run_again(f, experiment).is_empty() {
        true => Ok(answer),
        false => Err(Ask::Again(experiment)),
    }
}

/// The same, of the tests that count in it.
pub(super) fn answer_in_question<'f>(
    f: &'f Facts<'_>,
    experiment: Experiment,
) -> Row<Cow<'f, Answer>> {
    let answer = answer(f, experiment)?;
    if !counts_touched_only(f, experiment) {
        return Ok(Cow::Borrowed(answer));
    }
    let mut counted = answer.clone();
    counted.tests.retain(|_, fact| fact.touched);
    counted.gone.clear();
    Ok(Cow::Owned(counted))
}

fn is_in_question(f: &Facts<'_>, experiment: Experiment, fact: &TestFact) -> bool {
    fact.touched || !counts_touched_only(f, experiment)
}

/// A hollow body breaks tests that the step has nothing to do with: they prove nothing.
fn counts_touched_only(f: &Facts<'_>, experiment: Experiment) -> bool {
    match experiment {
        Experiment::Hollow(_) => f.changed.source == SourceKind::Code,
        Experiment::Whole | Experiment::Awaited | Experiment::TestsAlone | Experiment::Before => {
            false
        }
    }
}

/// How a test stood in the accepted tree; none if nobody asked there yet and somebody should.
fn known_before(f: &Facts<'_>, id: &TestId, fact: &TestFact) -> Option<Before> {
    if fact.before != Before::Unknown || fact.touched {
        return Some(fact.before);
    }
    let there = f.answers.get(&Experiment::Before)?;
    Some(match (there.said, there.tests.get(id)) {
        (Said::Tests { .. }, None) => Before::Absent,
        (Said::Unloadable { .. } | Said::Nothing(_), None) => Before::Unknown,
        (_, Some(fact)) => match fact.outcome {
            Outcome::Passed | Outcome::Flaky => Before::Passed,
            Outcome::Failed(_) => Before::Failed,
            Outcome::Skipped => Before::Skipped,
            Outcome::Unknown | Outcome::Hung => Before::Unknown,
        },
    })
}

/// How a test stood in the accepted tree; asks there if nobody knows and the step can't have made it.
fn before(f: &Facts<'_>, id: &TestId, fact: &TestFact) -> Row<Before> {
    known_before(f, id, fact).ok_or(Ask::First(Experiment::Before))
}

/// Tests that fail for a reason that counts, and did not before.
pub(super) fn newly_failing(f: &Facts<'_>, answer: &Answer) -> Row<BTreeSet<TestId>> {
    let mut failing = BTreeSet::new();
    for (id, fact) in &answer.tests {
        let counts = match fact.outcome {
            Outcome::Failed(cause) => f.red_needs.accepts(cause),
            Outcome::Passed
            | Outcome::Flaky
            | Outcome::Skipped
            | Outcome::Unknown
            | Outcome::Hung => false,
        };
        let is_known = f.known_failures.contains(id) && !fact.touched;
        if !counts || is_known || fails_still(f, id, fact) {
            continue;
        }
        let is_new = match before(f, id, fact)? {
            Before::Passed | Before::Skipped | Before::Absent => true,
            Before::Failed => fact.touched || f.awaited.contains(id),
            Before::Unknown => fact.touched,
        };
        if is_new {
            failing.insert(id.clone());
        }
    }
    Ok(failing)
}

/// An awaited test that the step leaves alone fails as it did: that is nothing new.
pub(super) fn fails_still(f: &Facts<'_>, id: &TestId, fact: &TestFact) -> bool {
    let is_waiting = match (f.cycle, f.phase) {
        (CycleKind::Spec, _) | (CycleKind::Free, Phase::Green) => true,
        // On the way back from `green` the next red is looked for.
        (CycleKind::Free, Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done) => false,
    };
    is_waiting && f.awaited.contains(id) && fact.before == Before::Failed && !fact.touched
}

/// Failing tests that are no known failures.
pub(super) fn counted_failures<'a>(
    f: &'a Facts<'_>,
    answer: &'a Answer,
) -> impl Iterator<Item = &'a TestId> {
    let failed = |fact: &TestFact| matches!(fact.outcome, Outcome::Failed(_));
    (answer.tests.iter())
        .filter(move |(id, fact)| failed(fact) && !f.known_failures.contains(*id))
        .map(|(id, _)| id)
}

/// Tests that passed and do not any more. One that was not run is unknown, never lost.
pub(super) fn lost(f: &Facts<'_>, answer: &Answer) -> Row<BTreeSet<TestId>> {
    let mut lost = BTreeSet::new();
    for (id, fact) in &answer.tests {
        let fell = match fact.outcome {
            Outcome::Failed(_) => !f.awaited.contains(id),
            Outcome::Skipped => true,
            Outcome::Passed | Outcome::Flaky | Outcome::Unknown | Outcome::Hung => false,
        };
        if fell && !f.known_failures.contains(id) && before(f, id, fact)? == Before::Passed {
            lost.insert(id.clone());
        }
    }
    let gone = answer.gone.iter().filter(|(_, how)| match how {
        Gone::Missing => true,
        // The way out names what a step took out.
        Gone::Removed | Gone::Moved => false,
    });
    lost.extend(gone.map(|(id, _)| id.clone()));
    Ok(lost)
}

/// Tests that the step leaves as they are and that do not run any more: something steers the run.
pub(super) fn switched_off(f: &Facts<'_>, answer: &Answer) -> Row<bool> {
    if answer.gone.values().any(|how| *how == Gone::Missing) {
        return Ok(true);
    }
    for (id, fact) in &answer.tests {
        let skipped = fact.outcome == Outcome::Skipped && !fact.touched;
        if skipped && !f.known_failures.contains(id) && before(f, id, fact)? == Before::Passed {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a test that the run should contain was not run.
pub(super) fn is_unknown(answer: &Answer) -> bool {
    let unknown = |fact: &TestFact| matches!(fact.outcome, Outcome::Unknown | Outcome::Hung);
    answer.tests.values().any(unknown)
}

/// Whether a test of an answer passes.
pub(super) fn passes(fact: Option<&TestFact>) -> bool {
    fact.is_some_and(|fact| match fact.outcome {
        Outcome::Passed | Outcome::Flaky => true,
        Outcome::Failed(_) | Outcome::Skipped | Outcome::Unknown | Outcome::Hung => false,
    })
}
