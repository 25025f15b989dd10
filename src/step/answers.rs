//! The results of a run, told as the rules need them: test by test, beside the accepted tree.

use std::collections::BTreeMap;

use super::moves::Moves;
use super::touched::Touched;
use crate::branch::state::TestResults;
use crate::rules::{Answer, Before, Gone, NoAnswer, Outcome, Said, TestFact};
use crate::rules::{Cause, Verdict};

/// What results are read beside.
pub(crate) struct Beside<'a> {
    /// What is known of the accepted tree.
    pub(crate) accepted: Option<&'a TestResults>,
    standing: BTreeMap<&'a str, Before>,
    pub(crate) touched: &'a Touched,
    pub(crate) moves: &'a Moves,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(
        accepted: Option<&'a TestResults>,
        touched: &'a Touched,
        moves: &'a Moves,
    ) -> Beside<'a> {
        let mut standing = BTreeMap::new();
        let mut note = |ids: &'a [String], before: Before| {
            standing.extend(ids.iter().map(|id| (id.as_str(), before)));
        };
        if let Some(accepted) = accepted {
            note(&accepted.unknown, Before::Unknown);
            note(&accepted.skipped, Before::Skipped);
            note(&accepted.failed, Before::Failed);
            note(&accepted.passed, Before::Passed);
            note(&accepted.flaky, Before::Passed);
        }
        Beside {
            accepted,
            standing,
            touched,
            moves,
        }
    }

    /// How a test stood in the accepted tree.
    fn before(&self, id: &str, results: &TestResults) -> Before {
        if self.touched.brings(id, results) {
            return Before::Absent;
        }
        if let Some(before) = self.standing.get(id) {
            return *before;
        }
        // A run that named its tests would have named this one.
        let is_complete = self.accepted.is_some_and(|accepted| {
            let ran = matches!(accepted.verdict, Some(Verdict::Green | Verdict::Red));
            ran && accepted.confirmed && accepted.total > 0 && !accepted.aside
        });
        match is_complete {
            true => Before::Absent,
            false => Before::Unknown,
        }
    }
}

/// The answer that results give. `suite`: the run should have had every test.
pub(crate) fn answer(results: &TestResults, suite: bool, beside: &Beside<'_>) -> Answer {
    let mut tests = BTreeMap::new();
    let mut note = |ids: &[String], outcome: &dyn Fn(&str) -> Outcome| {
        for id in ids {
            let before = beside.before(id, results);
            let is_new = matches!(before, Before::Absent | Before::Unknown);
            let fact = TestFact {
                outcome: outcome(id),
                before,
                touched: beside.touched.has(id, results) || (is_new && beside.touched.may_bring()),
            };
            tests.insert(id.clone(), fact);
        }
    };
    note(&results.passed, &|_| Outcome::Passed);
    note(&results.skipped, &|_| Outcome::Skipped);
    note(&results.unknown, &|_| Outcome::Unknown);
    note(&results.failed, &|id| {
        Outcome::Failed(results.causes.get(id).copied().unwrap_or(Cause::Error))
    });
    note(&results.flaky, &|_| Outcome::Flaky);
    if results.verdict == Some(Verdict::Broken) {
        note(results.running_at_end.as_slice(), &|_| Outcome::Hung);
    }
    let mut gone = match suite {
        true => gone(results, beside),
        false => BTreeMap::new(),
    };
    if results.cut_off {
        // The run did not come to them: nobody knows.
        let missing = gone.extract_if(.., |_, how| *how == Gone::Missing);
        tests.extend(missing.map(|(id, _)| {
            let unknown = TestFact {
                outcome: Outcome::Unknown,
                before: Before::Passed,
                touched: false,
            };
            (id, unknown)
        }));
    }
    Answer {
        said: said(results),
        tests,
        gone,
        ran_again: false,
    }
}

/// What a run as a whole said.
pub(crate) fn said(results: &TestResults) -> Said {
    let fails_by_name = !results.failed.is_empty();
    let is_assertion = |id: &String| results.causes.get(id) == Some(&Cause::Assertion);
    let asserts = results.failed.iter().any(is_assertion);
    match results.verdict {
        None => Said::Nothing(NoAnswer::Void),
        Some(Verdict::Broken) if !results.load_errors.is_empty() => Said::Unloadable {
            parses: results
                .load_errors
                .iter()
                .all(|error| error.does_not_parse.is_none()),
            missing_package: results
                .load_errors
                .iter()
                .any(|error| error.missing_package),
        },
        // Tests ran and failed for reasons that do not count as a red. A failed assertion always
        // counts, so with one it is the run itself that broke off.
        Some(Verdict::Broken) if !asserts && (fails_by_name || !results.unknown.is_empty()) => {
            Said::Tests {
                beyond_tests: false,
                confirmed: results.confirmed,
                fails_unnamed: false,
            }
        }
        Some(Verdict::Broken) => Said::Nothing(NoAnswer::Broken),
        Some(Verdict::Green) => Said::Tests {
            beyond_tests: false,
            confirmed: results.confirmed,
            fails_unnamed: false,
        },
        Some(Verdict::Red) => Said::Tests {
            beyond_tests: results.beyond_tests,
            confirmed: results.confirmed,
            fails_unnamed: !fails_by_name && !results.beyond_tests,
        },
    }
}

/// Tests that passed in the accepted tree, and that the run does not have.
fn gone(results: &TestResults, beside: &Beside<'_>) -> BTreeMap<String, Gone> {
    let Some(accepted) = beside.accepted else {
        return BTreeMap::new();
    };
    let present: std::collections::BTreeSet<&String> = [
        &results.passed,
        &results.failed,
        &results.skipped,
        &results.unknown,
        &results.flaky,
    ]
    .into_iter()
    .flatten()
    .collect();
    // Without names nothing can be missed.
    if present.is_empty() {
        return BTreeMap::new();
    }
    let went = accepted.passed.iter().filter(|id| !present.contains(id));
    went.map(|id| (id.clone(), how_gone(id, accepted, results, beside.moves)))
        .collect()
}

fn how_gone(id: &str, accepted: &TestResults, results: &TestResults, moves: &Moves) -> Gone {
    let file = accepted.files.get(id).map(String::as_str);
    if let Some((to, name)) = moves.target(file, id) {
        let ran = results.passed.iter().any(|other| {
            let in_file = results.files.get(other);
            in_file.is_none_or(|file| file == to)
                && super::moves::names(other, name)
                && parameters(other) == parameters(id)
        });
        return match ran {
            true => Gone::Moved,
            false => Gone::Missing,
        };
    }
    match moves.is_removed(file, id, results) {
        true => Gone::Removed,
        false => Gone::Missing,
    }
}

/// The parameters of a test's id.
pub(crate) fn parameters(id: &str) -> &str {
    match (id.ends_with(']'), id.find('[')) {
        (true, Some(at)) => &id[at..],
        _ => "",
    }
}

/// The accepted results with those of a run of some tests over them.
pub(crate) fn merged(
    accepted: Option<&TestResults>,
    run: &TestResults,
    moves: &Moves,
) -> TestResults {
    let Some(accepted) = accepted else {
        return TestResults {
            aside: true,
            ..run.clone()
        };
    };
    let ran: std::collections::BTreeSet<&String> = [&run.passed, &run.failed, &run.skipped]
        .into_iter()
        .flatten()
        .collect();
    let stays = |id: &&String| {
        let file = accepted.files.get(*id).map(String::as_str);
        !ran.contains(id) && !moves.is_removed(file, id, run) && moves.target(file, id).is_none()
    };
    let with = |before: &[String], now: &[String]| -> Vec<String> {
        before.iter().filter(stays).chain(now).cloned().collect()
    };
    let mut all = TestResults {
        passed: with(&accepted.passed, &run.passed),
        failed: with(&accepted.failed, &run.failed),
        skipped: with(&accepted.skipped, &run.skipped),
        whole_ms: accepted.suite_ms(),
        ..run.clone()
    };
    all.causes.extend(
        accepted
            .causes
            .iter()
            .map(|(id, cause)| (id.clone(), *cause)),
    );
    all.files.extend(
        accepted
            .files
            .iter()
            .map(|(id, file)| (id.clone(), file.clone())),
    );
    all.total = all.passed.len() + all.failed.len() + all.skipped.len();
    // A verdict is about every test that is known.
    if all.verdict == Some(Verdict::Green) && accepted.verdict == Some(Verdict::Broken) {
        all.verdict = accepted.verdict;
    }
    all
}
