//! Whose JUnit XML it is, and what that runner means by an entry: a test, or a file that did not
//! load. What tests are called is in `name`, how they ended in `outcome`.

use std::collections::HashMap;

use super::case::Case;
use super::name::{Ids, relative, title};
use super::outcome::{ctest_message, without_first_line, without_test_name};
use super::{Failure, Suite, Word};
use crate::rules::verdict::TestStatus;
use crate::rules::verdict::{LoadError, Report};
use crate::runners::formats::collect::Collector;
use crate::runners::{bun, mocha, phpunit};

/// Whose JUnit XML it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Bats,
    Bun,
    CTest,
    Deno,
    GTest,
    Jest,
    Mocha,
    Nextest,
    Node,
    PhpUnit,
    Prove,
    Pytest,
    Rspec,
    Vitest,
    Other,
}

impl Dialect {
    pub(super) fn of_suite(suite: &Suite) -> Option<Dialect> {
        match suite.name.as_str() {
            "pytest tests" | "pytest" => Some(Dialect::Pytest),
            "vitest tests" => Some(Dialect::Vitest),
            "bun test" => Some(Dialect::Bun),
            "deno test" => Some(Dialect::Deno),
            "AllTests" => Some(Dialect::GTest),
            "nextest-run" => Some(Dialect::Nextest),
            "jest tests" => Some(Dialect::Jest),
            "Mocha Tests" => Some(Dialect::Mocha),
            "rspec" => Some(Dialect::Rspec),
            name if name.starts_with("rspec") => Some(Dialect::Rspec),
            name if name.ends_with(".bats") => Some(Dialect::Bats),
            _ => None,
        }
    }

    pub(super) fn of_case(case: &Case, suites: &[Suite]) -> Dialect {
        let bare_root = suites
            .first()
            .is_some_and(|root| root.is_root && root.attributes == 0);
        let suite = suites.last();
        let in_root = suites.len() == 1;
        if !case.class.is_empty() {
            Dialect::PhpUnit
        } else if bare_root
            && !case.classname.is_empty()
            && (in_root || suite.is_some_and(|suite| suite.has_disabled))
        {
            Dialect::Node
        } else if bare_root && case.classname.is_empty() && starts_with_number(&case.name) {
            Dialect::Prove
        } else if !case.name.is_empty()
            && case.classname == case.name
            && matches!(case.status.as_str(), "run" | "fail" | "notrun" | "disabled")
        {
            Dialect::CTest
        } else {
            Dialect::Other
        }
    }

    /// Takes a test case to where it belongs.
    pub(super) fn take(
        self,
        collector: &mut Collector,
        ids: &mut Ids,
        case: &Case,
        suites: &[Suite],
    ) {
        let message = match (self, case.failures.first()) {
            (_, None) => "",
            (_, Some(failure)) if failure.is_warning() => without_first_line(failure.words()),
            (Dialect::CTest, Some(_)) => ctest_message(case),
            (Dialect::PhpUnit, Some(failure)) => without_test_name(failure.words()),
            // Only the text has the stack.
            (Dialect::Deno, Some(failure)) if !failure.text.is_empty() => failure.text.trim(),
            (_, Some(failure)) => failure.words(),
        };
        if self.is_load_error(case) {
            collector.load_error(self.what_did_not_load(case, suites), message);
            return;
        }
        if case.name.is_empty() && case.classname.is_empty() {
            collector.unfinished("a test without a name");
            return;
        }
        let outcome = self.outcome(case);
        if self == Dialect::Node && is_file_entry(case) {
            // An entry for the file itself: the file has no test, or could not be run.
            if outcome.is_failure() {
                collector.load_error(node_file(case), message);
            }
            return;
        }
        let id = self.id(ids, case, suites);
        if self == Dialect::Pytest && is_second_word(collector, id, case) {
            return;
        }
        collector.test(id, self.file(case, suites), outcome, message);
    }

    fn is_load_error(self, case: &Case) -> bool {
        let Some(failure) = case.failures.first() else {
            return false;
        };
        let name = case.name.as_str();
        // What PHPUnit writes for data that could not be provided, and for classes without tests.
        if failure.kind == r"PHPUnit\Framework\Error" || failure.is_warning() {
            return true;
        }
        match self {
            Dialect::Pytest => failure.message == "collection failure",
            Dialect::Vitest => {
                name == case.classname || case.classname == "vitest unhandled errors"
            }
            Dialect::Mocha => mocha::is_no_test(name),
            Dialect::Bun if bun::is_of_hook(name) => true,
            Dialect::Nextest => case.classname.starts_with("@setup-script:"),
            Dialect::PhpUnit => phpunit::is_hook_of_class(name),
            Dialect::Bats => name.is_empty() || name == "setup_file failed",
            _ => {
                name.is_empty()
                    || matches!(
                        name,
                        "initializationError" | "classMethod" | "executionError"
                    )
                    || (failure.word == Some(Word::Error)
                        && name == case.classname
                        && self == Dialect::Other)
                    || failure.message.starts_with("Test suite failed to run")
            }
        }
    }

    fn what_did_not_load(self, case: &Case, suites: &[Suite]) -> String {
        let is_warning = case.failures.iter().any(Failure::is_warning);
        match self {
            Dialect::Pytest if case.file.is_empty() => case.name.replace('.', "/") + ".py",
            Dialect::Pytest | Dialect::Bun if !case.file.is_empty() => case.file.to_string(),
            Dialect::Mocha => Ids::default()
                .joined([relative(&case.file), &title(case)])
                .to_owned(),
            _ if case.class.is_empty() && (self == Dialect::PhpUnit || is_warning) => suites
                .last()
                .map_or(&case.name, |suite| &suite.name)
                .to_owned(),
            _ if case.classname.is_empty() => case.name.to_string(),
            _ => case.classname.to_string(),
        }
    }

    /// What can be said only when all is read.
    pub(super) fn finish(self, report: &mut Report) {
        if self == Dialect::Vitest {
            suites_are_no_tests(report);
        }
        if let Some(at) = report
            .load_errors
            .iter()
            .position(|error| error.what == "vitest unhandled errors")
        {
            let error = report.load_errors.remove(at);
            report.contradiction.get_or_insert(error.message);
        }
    }
}

/// An error of a whole suite.
pub(super) fn suite_failure(
    collector: &mut Collector,
    dialect: Option<Dialect>,
    suite: &Suite,
    failure: &Failure,
) {
    // A Perl script's exit status is its number of failed tests.
    let status = failure
        .message
        .strip_prefix("Dubious, test returned ")
        .and_then(|rest| rest.split(' ').next())
        .and_then(|status| status.parse().ok());
    let explained = dialect == Some(Dialect::Prove)
        && suite.failed_cases > 0
        && status == Some(suite.failed_cases);
    if !explained {
        collector.load_error(suite.name.clone(), failure.words());
    }
}

fn starts_with_number(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit())
}

/// pytest writes a second test case when the tear-down of a test fails.
fn is_second_word(collector: &mut Collector, id: &str, case: &Case) -> bool {
    let of_teardown = case
        .failures
        .first()
        .is_some_and(|failure| failure.message.starts_with("failed on teardown"));
    if !of_teardown {
        return false;
    }
    match collector.last() {
        Some(last) if last.id == id => {
            if !matches!(last.status, TestStatus::Failed(_)) {
                collector.last_is_inconclusive(case.failures.first().map_or("", Failure::words));
            }
            true
        }
        _ => false,
    }
}

fn node_file(case: &Case) -> String {
    if case.file.is_empty() {
        case.name.to_string()
    } else {
        case.file.to_string()
    }
}

fn is_file_entry(case: &Case) -> bool {
    if case.file.is_empty() {
        let extension = case
            .name
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        return matches!(
            extension,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx"
        );
    }
    case.file == case.name || case.file.ends_with(&format!("/{}", case.name))
}

/// vitest writes a failed suite like a test, next to the tests in it.
fn suites_are_no_tests(report: &mut Report) {
    let tests = std::mem::take(&mut report.tests);
    let mut failed: HashMap<&str, bool> = tests
        .iter()
        .filter(|test| matches!(test.status, TestStatus::Failed(_)))
        .map(|test| (test.id, false))
        .collect();
    for test in tests.iter() {
        for (at, _) in test.id.match_indices(" > ") {
            if let Some(has_tests) = test.id.get(..at).and_then(|outer| failed.get_mut(outer)) {
                *has_tests = true;
            }
        }
    }
    for test in tests.iter() {
        if failed.get(test.id) == Some(&true) {
            report.load_errors.push(LoadError {
                what: test.id.to_owned(),
                message: test.message.to_owned(),
                ..LoadError::default()
            });
        } else {
            report.tests.push(test);
        }
    }
}
