//! What a runner means by an entry of its JUnit XML: a test, or a file that did not load; what tests are
//! called, and how they ended.

use super::case::Case;
use super::name::{Ids, relative};
use super::outcome::xunit_failure;
use super::{Failure, Suite, Word, java_stack};
use crate::rules::verdict::Report;
use crate::runners::RUNNERS;
use crate::runners::formats::collect::{Collector, Outcome};

/// The dialect of one runner. A file of the shelf says what is special about it, and takes the rest from
/// [`Dialect::OTHER`].
pub(crate) struct Dialect {
    /// Whether only this runner gives a suite such a name.
    pub(crate) is_suite: fn(&str) -> bool,
    /// Whether only this runner writes such a test case, in these suites.
    pub(crate) is_case: fn(&Case, &[Suite]) -> bool,
    /// Whether what a test printed says more than the rest.
    pub(crate) wants_output: bool,
    /// The id of a test.
    pub(crate) id: for<'a> fn(&'a mut Ids, &Case, &[Suite]) -> &'a str,
    /// The file of a test; nothing if it is not told.
    pub(crate) file: for<'a> fn(&'a Case, &'a [Suite]) -> &'a str,
    /// Whether a test case stands for something that could not be loaded.
    pub(crate) is_load_error: fn(&Case, &Failure) -> bool,
    /// What could not be loaded.
    pub(crate) not_loaded: fn(&Case, &[Suite]) -> String,
    /// The file that a test case stands for, where it is no test.
    pub(crate) file_entry: fn(&Case) -> Option<&str>,
    /// Whether a test case is but a second word on the one before, which takes it.
    pub(crate) is_second_word: fn(&mut Collector, &str, &Case) -> bool,
    /// Whether a test was left out.
    pub(crate) is_skipped: fn(&Case) -> bool,
    /// How a test ended whatever its failures say.
    pub(crate) outcome: fn(&Case) -> Option<Outcome>,
    /// What a failure says of how the test ended.
    pub(crate) failure: fn(&Case, &Failure) -> Outcome,
    /// The words for a failure.
    pub(crate) message: for<'a> fn(&'a Case, &'a Failure) -> &'a str,
    /// Whether an error of a whole suite only counts the failures in it.
    pub(crate) is_count: fn(&Suite, &Failure) -> bool,
    /// Puts the report right once all of it is there.
    pub(crate) finish: fn(&mut Report),
}

/// That of runners which are not told apart.
pub(crate) static OTHER: Dialect = Dialect::OTHER;

impl Dialect {
    /// By the letter of xUnit, as far as there is one.
    pub(crate) const OTHER: Dialect = Dialect {
        is_suite: |_| false,
        is_case: |_, _| false,
        wants_output: false,
        id,
        file: |case, suites| match case.file.is_empty() {
            true => (suites.iter().rev())
                .find(|suite| !suite.file.is_empty())
                .map_or("", |suite| suite.file.as_str()),
            false => &case.file,
        },
        is_load_error: |case, failure| {
            is_load_error(case, failure)
                || (failure.word == Some(Word::Error) && case.name == case.classname)
        },
        not_loaded,
        file_entry: |_| None,
        is_second_word: |_, _, _| false,
        is_skipped: |_| false,
        outcome: |_| None,
        failure: |case, failure| match java_stack::is_of_fixture(case, failure) {
            true => Outcome::Inconclusive,
            false => xunit_failure(failure),
        },
        message: |_, failure| failure.words(),
        is_count: |_, _| false,
        finish: |_| {},
    };

    /// That of a runner which the shelf knows.
    pub(crate) const KNOWN: Dialect = Dialect {
        is_load_error,
        failure: |_, failure| xunit_failure(failure),
        ..Dialect::OTHER
    };

    pub(super) fn of_suite(suite: &Suite) -> Option<&'static Dialect> {
        let mut all = RUNNERS.iter().map(|runner| runner.junit);
        all.find(|dialect| (dialect.is_suite)(&suite.name))
    }

    pub(super) fn of_case(case: &Case, suites: &[Suite]) -> &'static Dialect {
        let mut all = RUNNERS.iter().map(|runner| runner.junit);
        all.find(|dialect| (dialect.is_case)(case, suites))
            .unwrap_or(&OTHER)
    }

    pub(super) fn take(
        &self,
        collector: &mut Collector,
        ids: &mut Ids,
        case: &Case,
        suites: &[Suite],
    ) {
        let failure = case.failures.first();
        let message = match failure {
            None => "",
            Some(failure) if failure.is_warning() => without_first_line(failure.words()),
            Some(failure) => (self.message)(case, failure),
        };
        if failure.is_some_and(|failure| {
            is_of_class(failure) || failure.is_warning() || (self.is_load_error)(case, failure)
        }) {
            collector.load_error((self.not_loaded)(case, suites), message);
            return;
        }
        if case.name.is_empty() && case.classname.is_empty() {
            collector.unfinished("a test without a name");
            return;
        }
        let outcome = self.outcome_of(case);
        if let Some(file) = (self.file_entry)(case) {
            // The file has no test, or could not be run.
            if outcome.is_failure() {
                collector.load_error(file, message);
            }
            return;
        }
        let id = (self.id)(ids, case, suites);
        if (self.is_second_word)(collector, id, case) {
            return;
        }
        let file = Some((self.file)(case, suites)).filter(|file| !file.is_empty());
        collector.test(id, file.map(relative), outcome, message);
    }

    fn outcome_of(&self, case: &Case) -> Outcome {
        if case.skipped
            || matches!(case.status.as_str(), "notrun" | "disabled" | "skipped")
            || matches!(case.result.as_str(), "skipped" | "suppressed")
            || (self.is_skipped)(case)
        {
            return Outcome::Skipped;
        }
        if let Some(outcome) = (self.outcome)(case) {
            return outcome;
        }
        // A test that failed more than once is judged by what tells most.
        case.failures
            .iter()
            .map(|failure| (self.failure)(case, failure))
            .max_by_key(|outcome| match outcome {
                Outcome::Failed(cause) => 2 + *cause as u8,
                Outcome::Inconclusive => 1,
                Outcome::Passed | Outcome::Skipped => 0,
            })
            .unwrap_or(Outcome::Passed)
    }

    /// Takes an error of a whole suite.
    pub(super) fn take_suite(&self, collector: &mut Collector, suite: &Suite, failure: &Failure) {
        if !(self.is_count)(suite, failure) {
            collector.load_error(suite.name.clone(), failure.words());
        }
    }
}

fn id<'a>(ids: &'a mut Ids, case: &Case, suites: &[Suite]) -> &'a str {
    let name = case.name.as_str();
    let suite = suites.last().map_or("", |suite| suite.name.as_str());
    match (case.classname.as_str(), case.file.as_str()) {
        (class, _) if class == name => ids.joined([name]),
        ("", "") => ids.joined([suite, name]),
        ("", file) => ids.joined([relative(file), name]),
        (class, _) => ids.joined([class, name]),
    }
}

/// What PHPUnit writes for data that could not be provided, and for classes without tests.
fn is_of_class(failure: &Failure) -> bool {
    failure.kind == r"PHPUnit\Framework\Error"
}

/// What many runners write for something that could not be loaded.
fn is_load_error(case: &Case, failure: &Failure) -> bool {
    const NAMES: [&str; 4] = ["", "initializationError", "classMethod", "executionError"];
    NAMES.contains(&case.name.as_str()) || failure.message.starts_with("Test suite failed to run")
}

fn not_loaded(case: &Case, suites: &[Suite]) -> String {
    let is_warning = case.failures.iter().any(Failure::is_warning);
    match (case.classname.as_str(), suites.last()) {
        (_, Some(suite)) if is_warning && case.class.is_empty() => suite.name.clone(),
        ("", _) => case.name.clone(),
        (class, _) => class.to_owned(),
    }
}

/// A warning begins with the name of a test, or with a word for want of one.
fn without_first_line(text: &str) -> &str {
    text.split_once('\n')
        .map_or(text, |(_, rest)| rest.trim_start())
}
