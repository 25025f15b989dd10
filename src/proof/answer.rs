//! The results of a run, as an answer to a question of the way out.

use std::collections::{BTreeMap, BTreeSet};

use crate::branch::state::TestResults;
use crate::languages::numbers_in;
use crate::rules::Cause;
use crate::rules::way_out::{Answer, End, Ran};
use crate::rules::{NoAnswer, Said};
use crate::step::answers::said;

/// What a run is read beside.
pub(super) struct Beside<'a> {
    /// The tests that the run was to have.
    pub(super) expected: &'a BTreeSet<String>,
    /// Names that the range's source removed.
    pub(super) removed_names: &'a BTreeSet<String>,
}

/// The answer that results give.
pub(super) fn of(results: &TestResults, hollowed: BTreeSet<u32>, beside: &Beside<'_>) -> Answer {
    let mut tests = BTreeMap::new();
    let mut note = |ids: &[String], end: &dyn Fn(&str) -> End| {
        for id in ids {
            tests.insert(id.clone(), ran(results, id, end(id), beside));
        }
    };
    note(&results.passed, &|_| End::Passed);
    note(&results.skipped, &|_| End::Skipped);
    note(&results.unknown, &|_| End::Unknown);
    note(&results.failed, &|id| {
        End::Failed(results.causes.get(id).copied().unwrap_or(Cause::Error))
    });
    note(&results.flaky, &|_| End::Flaky);
    let mut said = said(results);
    if let (Said::Nothing(NoAnswer::Broken), Some(id)) = (said, &results.running_at_end) {
        // It hung, or took its process along: it fails, and nobody knows of the rest.
        said = Said::Tests {
            beyond_tests: false,
            confirmed: true,
            fails_unnamed: false,
        };
        let failed = ran(results, id, End::Failed(Cause::Error), beside);
        tests.insert(id.clone(), failed);
    }
    if let Said::Unloadable { .. } = said {
        for id in beside.expected {
            let missing = || unloaded(results, beside);
            tests.entry(id.clone()).or_insert_with(missing);
        }
    }
    Answer {
        said,
        tests,
        hollowed,
    }
}

/// What a run on broken source says: a test that does not pass any more saw it, however the run ended.
pub(super) fn of_control(mut answer: Answer, expected: &BTreeSet<String>) -> Answer {
    let broke_off = matches!(answer.said, Said::Nothing(NoAnswer::Broken));
    if broke_off && answer.tests.is_empty() {
        answer.said = Said::Unloadable {
            parses: false,
            missing_package: false,
        };
        let missing = expected.iter().map(|id| {
            let ran = Ran {
                end: End::CantLoad,
                shows: BTreeSet::new(),
                misses_removed_names: false,
            };
            (id.clone(), ran)
        });
        answer.tests.extend(missing);
    }
    answer
}

fn ran(results: &TestResults, id: &str, end: End, beside: &Beside<'_>) -> Ran {
    let message = results
        .failures
        .get(id)
        .map(|failure| failure.message.as_str());
    let message = message.unwrap_or_default();
    Ran {
        end,
        shows: numbers_in(message),
        misses_removed_names: matches!(end, End::Failed(_)) && names_one(message, beside),
    }
}

/// A test of a file that could not be loaded.
fn unloaded(results: &TestResults, beside: &Beside<'_>) -> Ran {
    let errors = &results.load_errors;
    Ran {
        end: End::CantLoad,
        shows: errors
            .iter()
            .flat_map(|error| numbers_in(&error.message))
            .collect(),
        misses_removed_names: errors.iter().any(|error| {
            let missing = error.missing_name.as_ref();
            missing.is_some_and(|name| beside.removed_names.contains(name))
                || names_one(&error.message, beside)
        }),
    }
}

/// Whether a text speaks of a name that was removed.
fn names_one(text: &str, beside: &Beside<'_>) -> bool {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.split(|sign| !is_word(sign))
        .any(|word| beside.removed_names.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Verdict;
    use crate::rules::verdict::{Failure, LoadError};

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn failures_show_numbers_and_names_that_went() {
        let failure = |message: &str| Failure {
            message: message.to_owned(),
            ..Failure::default()
        };
        let results = TestResults {
            verdict: Some(Verdict::Red),
            confirmed: true,
            passed: strings(&["a"]),
            failed: strings(&["b", "c"]),
            failures: BTreeMap::from([
                (
                    "b".to_owned(),
                    failure("NotImplementedError: not implemented: tcr 7"),
                ),
                (
                    "c".to_owned(),
                    failure("AttributeError: no attribute 'show'"),
                ),
            ]),
            ..TestResults::default()
        };
        let (expected, removed_names) = (set(&["a", "b", "c"]), set(&["show"]));
        let beside = Beside {
            expected: &expected,
            removed_names: &removed_names,
        };
        let answer = of(&results, BTreeSet::from([7]), &beside);
        assert_eq!(answer.tests["b"].shows, BTreeSet::from([7]));
        assert!(!answer.tests["b"].misses_removed_names);
        assert!(answer.tests["c"].misses_removed_names);
        assert_eq!(answer.tests["a"].end, End::Passed);
    }

    #[test]
    fn what_could_not_be_loaded_is_told_of_each_test() {
        let results = TestResults {
            verdict: Some(Verdict::Broken),
            passed: strings(&["a"]),
            load_errors: vec![LoadError {
                message: "cannot import name 'show'".into(),
                missing_name: Some("show".into()),
                ..LoadError::default()
            }],
            ..TestResults::default()
        };
        let (expected, removed_names) = (set(&["a", "b"]), set(&["show"]));
        let beside = Beside {
            expected: &expected,
            removed_names: &removed_names,
        };
        let answer = of(&results, BTreeSet::new(), &beside);
        assert_eq!(answer.tests["a"].end, End::Passed);
        assert_eq!(answer.tests["b"].end, End::CantLoad);
        assert!(answer.tests["b"].misses_removed_names);
    }

    #[test]
    fn a_test_that_hangs_fails() {
        let results = TestResults {
            verdict: Some(Verdict::Broken),
            running_at_end: Some("a".into()),
            ..TestResults::default()
        };
        let none = BTreeSet::new();
        let beside = Beside {
            expected: &none,
            removed_names: &none,
        };
        let answer = of(&results, BTreeSet::new(), &beside);
        assert_eq!(answer.tests["a"].end, End::Failed(Cause::Error));
        assert!(matches!(answer.said, Said::Tests { .. }));
    }
}
